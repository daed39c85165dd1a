"""A shaper below line rate: it is the wire of the model, one packet at a time.

Behind it the ring is nearly empty: packets wait in the shaper.
"""

from msgspec.structs import replace

from advisor.theory.interface import Interface, RingUnit, Shaper, Solution, TxRing, Weakness


def line_of(interface: Interface) -> Interface:
    """The interface with its shaper as the wire; unchanged without an effective shaper."""
    shaper = _effective(interface)
    if shaper is None:
        return interface
    ring = TxRing(1, RingUnit.PACKETS)
    return replace(interface, rate_bps=shaper.rate_bps, ring=ring, shaper=None)


def shaped(interface: Interface, solution: Solution) -> Solution:
    """The solution of the line; a packet waits up to Tc for the next filling of the bucket."""
    shaper = _effective(interface)
    if shaper is None:
        return solution
    interval_ms = shaper.interval_ms
    classes = []
    for result in solution.classes:
        bound_ms, ipdv_ms = result.bound_ms, result.ipdv_bound_ms
        classes.append(
            replace(
                result,
                mean_high_ms=result.mean_high_ms + interval_ms,
                bound_ms=None if bound_ms is None else bound_ms + interval_ms,
                ipdv_bound_ms=None if ipdv_ms is None else ipdv_ms + interval_ms,
                weak=(*result.weak, Weakness.SHAPED),
            )
        )
    return Solution(tuple(classes))


def _effective(interface: Interface) -> Shaper | None:
    shaper = interface.shaper
    return shaper if shaper is not None and shaper.rate_bps < interface.rate_bps else None
