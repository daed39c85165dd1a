"""A shaper below line rate: bounds and the length of a run take it as the wire.

Behind it the ring is nearly empty: packets wait in the shaper. A shaper counts fewer bytes of a
packet than the wire carries: of small packets, the wire can pass less than the shaper.
"""

from msgspec.structs import replace

from advisor.theory.flows import flows_of
from advisor.theory.interface import Interface, RingUnit, TxRing


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


def late_ms(interface: Interface, line: Interface) -> float:
    """Longest wait for the next filling of the bucket: Tc where the shaper is the line."""
    shaper = interface.shaper
    is_line = shaper is not None and line.rate_bps == shaper.rate_bps
    return shaper.interval_ms if shaper is not None and is_line else 0.0


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
