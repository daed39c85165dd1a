"""A member of a bundle with an LLQ and no ring of its own: it may keep the ring of a FIFO."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.judged import Judged, judged
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place_of
from advisor.lint.checks.txr.shared.ring_delay import forecasts, measure
from advisor.lint.checks.txr.tx_ring_too_deep_for_llq import interval
from advisor.lint.findings import Confidence, Forecast, Severity


class Params(Struct, frozen=True):
    """Budget of the bound; None where the profile does not judge it."""

    ring_wait_ms: float | None


class Evidence(Struct, frozen=True):
    """The ring that the member may have, and the ring advised, with the longest wait in each."""

    bundle: str
    member: str
    ring: str
    unit: str
    bound_ms: str
    advised: int
    advised_bound_ms: str
    place: RingPlace


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each member without `tx-ring-limit` whose FIFO ring would be too long.

    What cannot be judged of such a ring is said by TXR001.
    """
    budget_ms = params.ring_wait_ms
    members = [
        each
        for each in judged(device, budget_ms)
        if not isinstance(each, Skip)
        and each.outlet.is_unset_member
        and each.advice.shortens(each.ring) is not False
    ]
    predicted = forecasts([(each, each.advice.limit) for each in members])
    for each, forecast in zip(members, predicted, strict=True):
        yield _hit(each, forecast, budget_ms or 0.0)


def _hit(member: Judged, forecast: Forecast, budget_ms: float) -> Hit[Evidence]:
    ring, advice, outlet = member.ring, member.advice, member.outlet
    bound = member.view.bound(ring.limit_low, ring.limit_high)
    evidence = Evidence(
        bundle=outlet.attached_to,
        member=outlet.interface.name,
        ring=interval(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        bound_ms=interval(bound.low_ms, bound.high_ms),
        advised=advice.limit,
        advised_bound_ms=interval(advice.bound.low_ms, advice.bound.high_ms),
        place=ring_place_of(outlet),
    )
    is_open = bound.low_ms <= budget_ms or not ring.platform_known
    return Hit(
        outlet.label,
        (outlet.interface.at, outlet.at),
        evidence,
        Confidence.POSSIBLE if is_open else Confidence.LIKELY,
        forecast,
        severity=Severity.INFO if is_open else None,
    )


CHECK = Check(Params, Evidence, find, measure)
