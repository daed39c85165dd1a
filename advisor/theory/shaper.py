"""A shaper below line rate: it is the wire of the model, one packet at a time.

Behind it the ring is nearly empty: packets wait in the shaper. A shaper counts fewer bytes of a
packet than the wire carries: of small packets, the wire can pass less than the shaper.
"""

from msgspec.structs import replace

from advisor.theory.flows import flows_of
from advisor.theory.interface import Interface, RingUnit, Solution, TxRing, Weakness


def line_of(interface: Interface) -> Interface:
    """The interface with its shaper as the wire; without a shaper where the wire is slower.

    Raises
    ------
    ModelError
        If the traffic cannot be modelled as described; see `advisor.theory.flows.flows_of`.
    """
    shaper = interface.shaper
    if shaper is None:
        return interface
    bare = replace(interface, shaper=None)
    if shaper.rate_bps >= interface.rate_bps:
        return bare
    framing, cut = shaper.framing or interface.framing, interface.fragmentation
    if cut is not None and shaper.framing is not None:
        cut = replace(cut, overhead_bytes=framing.overhead_bytes)
    ring = TxRing(1, RingUnit.PACKETS)
    line = replace(bare, rate_bps=shaper.rate_bps, framing=framing, ring=ring, fragmentation=cut)
    return line if _inflation(bare, line) * shaper.rate_bps < interface.rate_bps else bare


def shaped(interface: Interface, solution: Solution) -> Solution:
    """The solution of the line; a packet waits up to Tc for the next filling of the bucket.

    The throughput is that of the wire.
    """
    shaper, line = interface.shaper, line_of(interface)
    if shaper is None or line.rate_bps != shaper.rate_bps:
        return solution
    interval_ms = shaper.interval_ms
    classes = []
    inflations = _inflations(interface, line)
    for result, inflation in zip(solution.classes, inflations, strict=True):
        bound_ms, ipdv_ms = result.bound_ms, result.ipdv_bound_ms
        classes.append(
            replace(
                result,
                mean_high_ms=result.mean_high_ms + interval_ms,
                bound_ms=None if bound_ms is None else bound_ms + interval_ms,
                ipdv_bound_ms=None if ipdv_ms is None else ipdv_ms + interval_ms,
                throughput_bps=result.throughput_bps * inflation,
                weak=(*result.weak, Weakness.SHAPED),
            )
        )
    return Solution(tuple(classes))


def _inflations(interface: Interface, line: Interface) -> list[float]:
    """Bits on the wire for each bit that the shaper counts, of every class of traffic."""
    wire_flows, line_flows = flows_of(interface), flows_of(line)
    return [
        (on_wire.mean_ms * interface.rate_bps) / (on_line.mean_ms * line.rate_bps)
        for on_wire, on_line in zip(wire_flows, line_flows, strict=True)
    ]


def _inflation(interface: Interface, line: Interface) -> float:
    """Bits on the wire for each bit that the shaper counts, of the packets that it sends.

    A class that is never empty counts as if it filled the line.
    """
    flows = flows_of(line)
    loads = [1.0 if flow.packets_per_ms is None else flow.load for flow in flows]
    weighted = zip(loads, _inflations(interface, line), strict=True)
    return sum(load * inflation for load, inflation in weighted) / (sum(loads) or 1.0)
