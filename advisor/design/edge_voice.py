"""The class of calls of a designed edge, and the calls that it carries."""

from msgspec import Struct

from advisor.design.edge_demand import EdgeDemand
from advisor.design.edge_drafts import Draft, call_of
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.framing import calls_within
from advisor.predict.what_if.prediction import Quality
from advisor.predict.what_if.subject import LLQ_CLASS
from advisor.units import kbps_from_bps


class Voice(Struct, frozen=True):
    """The class of the calls: a call in kb/s as IOS counts it and on the wire, and what it carries.

    `quality` is None where the codec has no impairment factors.
    """

    calls: int
    codec: str
    call_counted_kbps: float
    call_wire_kbps: float
    rated_kbps: float
    burst_bytes: float | None
    calls_carried: int
    quality: Quality | None


def voice_of(draft: Draft, demand: EdgeDemand, quality: Quality | None) -> Voice | None:
    """The class of calls of a draft; None without calls."""
    if not demand.calls:
        return None
    outlet = draft.outlet
    policy_class = outlet.class_named(draft.values.named(LLQ_CLASS))
    link = outlet.link
    if policy_class is None or link is None:
        return None
    rated_bps = outlet.llq_rate_bps(policy_class) or 0.0
    call = call_of(outlet, demand.packet)
    return Voice(
        calls=demand.calls,
        codec=demand.codec,
        call_counted_kbps=kbps_from_bps(call.counted_bps),
        call_wire_kbps=kbps_from_bps(call.wire_high_bps),
        rated_kbps=kbps_from_bps(rated_bps),
        burst_bytes=llq_burst(outlet, policy_class).size_bytes,
        calls_carried=min(
            calls_within(rated_bps, call.counted_bps), calls_within(link.value, call.wire_high_bps)
        ),
        quality=quality,
    )
