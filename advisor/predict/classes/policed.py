"""What a class offers whose packets always wait, behind a policer that drops its excess."""

from collections.abc import Sequence

from advisor.outlet.scheduler import Scheduler
from advisor.settings.values import PacketShare
from advisor.theory.interface import Periodic
from advisor.theory.wire import Framing, wire_bytes
from advisor.units import bps_from_bytes, ms_from_s, serialization_ms


def passed_by_police(
    scheduler: Scheduler,
    name: str,
    sizes: Sequence[PacketShare],
    wire: Framing,
    *,
    in_bursts: bool,
) -> Periodic | None:
    """What the `police` of a class passes of a source that always sends; None without a policer.

    The policer meters each packet before the queue, in the bytes that its platform counts: its rate
    is all that comes in the long run. A packet that is larger than its burst never passes. Packets
    are evenly spaced, or `in_bursts`: each is late by at most the time in which the burst fills,
    as many as it holds may come at once, and all of them still pass.
    """
    policer = scheduler.buckets.police(scheduler.outlet.class_named(name), wire)
    if policer is None:
        return None
    counting = policer.framing or wire
    counted = [(size.share, wire_bytes(size.ip_bytes, counting)) for size in sizes]
    fitting = [pair for pair in counted if pair[1] <= policer.burst_bytes] or counted
    mean_bytes = sum(share * frame_bytes for share, frame_bytes in fitting)
    spare_bytes = policer.burst_bytes - max(frame_bytes for _, frame_bytes in fitting)
    late_ms = serialization_ms(max(0.0, spare_bytes), policer.rate_bps) if in_bursts else 0.0
    return Periodic(policer.rate_bps / bps_from_bytes(mean_bytes, ms_from_s(1)), late_ms)
