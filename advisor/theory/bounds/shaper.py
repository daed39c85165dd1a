"""A shaper of all traffic: the wire that it is for its queues, and what comes behind it."""

from math import ceil, inf

from msgspec.structs import replace

from advisor.theory.bounds.content import ring_work_ms
from advisor.theory.flows import Extremes, Flow, Flows, flows_of
from advisor.theory.interface import Interface, Policer, Refill, RingUnit, Shaper, TxRing
from advisor.theory.wire import Framing, wire_ms
from advisor.units import ms_from_s


def line_of(interface: Interface, shaper: Shaper) -> Interface:
    """The shaper as a wire that sends one packet at a time, in the bytes that it counts."""
    framing = shaper.framing or Framing(interface.framing.overhead_bytes)
    return replace(
        interface,
        rate_bps=shaper.rate_bps,
        framing=framing,
        ring=TxRing(1, RingUnit.PACKETS),
        fragmentation=None,
        shaper=None,
    )


def on_line(interface: Interface, line: Interface, flows: Flows) -> Flows:
    """The flows in the times of the line; scheduler and policers count bytes of the interface."""
    by_name = {member.traffic.name: member for member in flows_of(line)}
    shaped = [by_name[flow.traffic.name] for flow in flows]
    return tuple(
        replace(member, extremes=_extremes(interface, line, flow, member))
        for flow, member in zip(flows, shaped, strict=True)
    )


def _extremes(interface: Interface, line: Interface, flow: Flow, member: Flow) -> Extremes:
    """Those of the line for a byte of it, for fewer bytes of the interface in the same packet.

    The ratio is largest for the smallest packet, if the line counts more bytes of each.
    """
    ip_bytes = min(size for size, _ in flow.traffic.sizes.bytes_and_weights)
    counted = ip_bytes + line.framing.overhead_bytes
    ratio = max(counted / max(ip_bytes + interface.framing.overhead_bytes, 1), 1.0)
    found, queue = member.extremes, flow.queue
    return Extremes(
        flow.extremes.least_frame_bytes,
        flow.extremes.most_frame_bytes,
        found.ms_per_frame_byte * ratio,
        found.ms_per_policer_byte * _if_bare(queue.policer, ratio),
        found.ms_per_police_byte * _if_bare(queue.police, ratio),
    )


def _if_bare(policer: Policer | None, ratio: float) -> float:
    return 1.0 if policer is not None and policer.framing is not None else ratio


def after_shaper_ms(interface: Interface, shaper: Shaper, line: Interface, flows: Flows) -> float:
    """Longest time from where the line has sent a packet until its last bit is on the wire.

    Tokens come up to Tc late. What the bucket lets pass at once, and a packet, stand in the ring.
    Infinite where packets can take longer on the wire than in the shaper.
    """
    ratio = max(
        _most_ms(interface, ip_bytes) / wire_ms(ip_bytes, line.framing, line.rate_bps)
        for flow in flows
        for ip_bytes, _ in flow.traffic.sizes.bytes_and_weights
    )
    if ratio >= 1:
        return inf
    longest_ms = max(flow.longest_ms for flow in flows)
    bucket_s = (shaper.committed_bits + shaper.excess_bits) / shaper.rate_bps
    burst_ms = ratio * ms_from_s(bucket_s) + 2 * longest_ms
    ring_ms = ring_work_ms(interface.ring, flows) + longest_ms
    late_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    return late_ms + min(burst_ms, ring_ms)


def _most_ms(interface: Interface, ip_bytes: int) -> float:
    """Time on the wire of a packet, whole or in fragments."""
    whole_ms = wire_ms(ip_bytes, interface.framing, interface.rate_bps)
    cut = interface.fragmentation
    if cut is None:
        return whole_ms
    framing = Framing(cut.overhead_bytes, interface.framing.cells)
    part_ms = wire_ms(min(ip_bytes, cut.fragment_bytes), framing, interface.rate_bps)
    return max(whole_ms, ceil(ip_bytes / cut.fragment_bytes) * part_ms)
