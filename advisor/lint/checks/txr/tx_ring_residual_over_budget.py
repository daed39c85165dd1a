"""What is left at the smallest ring: the link itself is too slow for its largest packet."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.judged import Judged, judged, wait_figure
from advisor.lint.checks.txr.tx_ring_too_deep_for_llq import interval
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.units import kbps_from_bps


class Params(Struct, frozen=True):
    """Budget of the bound; None where the profile does not judge it."""

    ring_wait_ms: float | None


class Evidence(Struct, frozen=True):
    """The smallest useful ring and the wait that it leaves."""

    limit: int
    unit: str
    bound_ms: str
    budget_ms: float
    largest_bytes: int
    rate_kbps: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ that even the best ring leaves over budget."""
    for each in judged(device, params.ring_wait_ms):
        if isinstance(each, Skip):
            yield each
        elif each.advice.meets is not True and params.ring_wait_ms is not None:
            yield _hit(device, each, params.ring_wait_ms)


def _hit(device: Device, each: Judged, budget_ms: float) -> Hit[Evidence]:
    advice = each.advice
    figure, inputs = wait_figure(device, each, advice.limit, advice.limit)
    evidence = Evidence(
        limit=advice.limit,
        unit=each.ring.unit_of(advice.limit),
        bound_ms=interval(advice.bound.low_ms, advice.bound.high_ms),
        budget_ms=budget_ms,
        largest_bytes=each.view.largest_ip_bytes,
        rate_kbps=f"{kbps_from_bps(each.view.rate_bps):g}",
    )
    maybe = advice.meets is None
    return Hit(
        each.outlet.label,
        (each.outlet.at,),
        evidence,
        Confidence.POSSIBLE if maybe or not each.ring.platform_known else Confidence.LIKELY,
        Forecast("LLQ wait in ring and wire", figure, None, inputs),
        severity=Severity.INFO if maybe else None,
    )


CHECK = Check(Params, Evidence, find)
