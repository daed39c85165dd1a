"""A shaper of all traffic: the wire that it is for its queues, and what comes behind it."""

from collections.abc import Sequence
from math import ceil, inf

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.bounds.content import ring_work_ms
from advisor.theory.flows import Flow, Flows, flows_of
from advisor.theory.interface import Interface, Policer, Refill, RingUnit, Shaper, TxRing
from advisor.theory.shape import Extremes
from advisor.theory.wire import Framing, wire_ms
from advisor.units import ms_from_s


class _Passing(Struct, frozen=True):
    """How long a packet takes in the shaper, and at most on the wire behind it."""

    shaper_ms: float
    wire_ms: float


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
    Infinite where packets can take longer on the wire than in the shaper, and where a full ring can
    cost the shaper tokens.
    """
    sizes = {size for flow in flows for size, _ in flow.traffic.sizes.bytes_and_weights}
    passes = [
        _Passing(wire_ms(size, line.framing, line.rate_bps), _most_ms(interface, size))
        for size in sizes
    ]
    ratio = max(each.wire_ms / each.shaper_ms for each in passes)
    if ratio >= 1 or not _keeps_its_rate(interface, shaper, flows, passes):
        return inf
    longest_ms = max(flow.longest_ms for flow in flows)
    bucket_s = (shaper.committed_bits + shaper.excess_bits) / shaper.rate_bps
    burst_ms = ratio * ms_from_s(bucket_s) + 2 * longest_ms
    ring_ms = ring_work_ms(interface.ring, flows) + longest_ms
    late_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    return late_ms + min(burst_ms, ring_ms)


def _keeps_its_rate(
    interface: Interface, shaper: Shaper, flows: Flows, passes: Sequence[_Passing]
) -> bool:
    """Whether no token is lost while packets wait, so that the shaper is no slower than its line.

    Tokens above Bc + Be are lost while a packet waits for the ring, and not while it waits for
    them. When it last waited for them, the tokens of one packet were there, with Bc too much if
    they come in steps, and the ring had room. From then on the wire is never idle, and takes from
    tokens and ring together more than comes. So the bucket overflows only if it is less than these
    tokens and what the ring held more than a full one has left, less what the wire takes until it
    is filled again, in steps a Tc at least.
    """
    bucket_ms = ms_from_s((shaper.committed_bits + shaper.excess_bits) / shaper.rate_bps)
    longest_ms = max(each.shaper_ms for each in passes)
    step_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    ring = interface.ring
    if ring.unit is RingUnit.PACKETS and interface.fragmentation is None:
        shortest_ms = min(each.shaper_ms for each in passes)
        if (bucket_ms + step_ms + longest_ms) / shortest_ms + 1 < ring.limit:
            return True  # the ring is never full
        places = ring.limit if ring.beside_wire else ring.limit - 1
        in_ring_ms = places * (longest_ms - shortest_ms)
    else:
        in_ring_ms = ring_work_ms(ring, flows) / min(
            each.wire_ms / each.shaper_ms for each in passes
        )
    faster = min(each.shaper_ms / each.wire_ms for each in passes) - 1
    for each in passes:
        needed_ms = min(each.shaper_ms, bucket_ms)
        until_full_ms = bucket_ms + each.shaper_ms - needed_ms - step_ms
        taken_ms = faster * max(step_ms, until_full_ms)
        if needed_ms + step_ms + in_ring_ms > bucket_ms + taken_ms:
            return False
    return True


def _most_ms(interface: Interface, ip_bytes: int) -> float:
    """Time on the wire of a packet, whole or in fragments."""
    whole_ms = wire_ms(ip_bytes, interface.framing, interface.rate_bps)
    cut = interface.fragmentation
    if cut is None:
        return whole_ms
    framing = Framing(cut.overhead_bytes, interface.framing.cells)
    part_ms = wire_ms(min(ip_bytes, cut.fragment_bytes), framing, interface.rate_bps)
    return max(whole_ms, ceil(ip_bytes / cut.fragment_bytes) * part_ms)
