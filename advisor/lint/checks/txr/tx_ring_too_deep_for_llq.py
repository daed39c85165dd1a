"""LLQ decides which packet enters the ring next; packets already in the ring still go first."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.ref.shared.missing import without_packets
from advisor.lint.checks.txr.shared.judged import Judged, judged
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place_of
from advisor.lint.checks.txr.shared.ring_delay import forecasts, may_stay_short, measure
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.quantity import Basis

_NOT_IN_FORCE = (
    "the configured ring meets the budget, but the driver has another: enter `shutdown` and "
    "`no shutdown` on the interface, then see `show controllers` again"
)


class Params(Struct, frozen=True):
    """Budget of the bound; None where the profile does not judge it."""

    ring_wait_ms: float | None


class Evidence(Struct, frozen=True):
    """The ring now and the ring advised, with the longest wait in each."""

    classes: str
    ring: str
    unit: str
    bound_ms: str
    advised: int
    advised_bound_ms: str
    place: RingPlace


def interval(low: float, high: float) -> str:
    """Two ends in words, one where they print the same.

    >>> interval(23.4, 46.9), interval(23.4, 23.4)
    ('23-47', '23')
    """
    ends = (f"{low:.0f}", f"{high:.0f}")
    return ends[0] if ends[0] == ends[1] else "-".join(ends)


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ whose ring is longer than the budget allows.

    A default between two ends is not judged where the advised limit is between them: it could
    lengthen the ring. The ring of a member of a bundle that nothing sets is LFI007's.
    """
    budget_ms, too_deep = params.ring_wait_ms, []
    for result in judged(device, budget_ms):
        if isinstance(result, Skip):
            yield result
        elif result.advice.shortens(result.ring) is False or result.outlet.is_unset_member:
            continue
        elif result.advice.shortens(result.ring) is None:
            yield Skip(result.outlet.label, _open_default(result))
        else:
            too_deep.append(result)
    rings = [_worst(entries) for entries in _by_ring(too_deep)]
    predicted = forecasts([(entry, entry.advice.limit) for entry in rings])
    for entry, forecast in zip(rings, predicted, strict=True):
        yield _hit(device, entry, forecast, budget_ms or 0.0)


def _by_ring(entries: Iterable[Judged]) -> Iterable[list[Judged]]:
    """Outputs that share a ring: it has one finding."""
    by_ring: dict[str, list[Judged]] = {}
    for entry in entries:
        by_ring.setdefault(entry.outlet.ring_key, []).append(entry)
    return by_ring.values()


def _worst(entries: Sequence[Judged]) -> Judged:
    """The output that needs the shortest ring; among equals the one that waits longest."""
    return min(entries, key=lambda entry: (entry.advice.limit, -entry.view.bound(1).high_ms))


def _open_default(judged_ring: Judged) -> str:
    ring = judged_ring.ring
    return (
        f"the default ring is not known, {interval(ring.limit_low, ring.limit_high)} {ring.unit}: "
        f"up to {judged_ring.advice.limit} meet the budget; `show controllers` shows the ring"
    )


def _hit(
    device: Device, judged_ring: Judged, forecast: Forecast, budget_ms: float
) -> Hit[Evidence]:
    ring, advice = judged_ring.ring, judged_ring.advice
    bound = judged_ring.view.bound(ring.limit_low, ring.limit_high)
    names = [llq_class.name for llq_class in judged_ring.outlet.llq_classes]
    empty = without_packets(device, judged_ring.outlet.llq_classes)
    evidence = Evidence(
        classes=", ".join(name for name in names if name not in empty),
        ring=interval(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        bound_ms=interval(bound.low_ms, bound.high_ms),
        advised=advice.limit,
        advised_bound_ms=interval(advice.bound.low_ms, advice.bound.high_ms),
        place=ring_place_of(judged_ring.outlet),
    )
    at = (ring.at, judged_ring.outlet.at) if ring.at is not None else (judged_ring.outlet.at,)
    advice_text = _why_no_lines(judged_ring)
    may_be_met = bound.low_ms <= budget_ms or may_stay_short(judged_ring)
    return Hit(
        judged_ring.outlet.label,
        at,
        evidence,
        _confidence(judged_ring, may_be_met=may_be_met),
        forecast,
        severity=Severity.INFO if may_be_met else None,
        curable=advice_text is None,
        advice=advice_text,
    )


def _why_no_lines(judged_ring: Judged) -> str | None:
    """Advice where the lines would change nothing; else None."""
    configured = judged_ring.ring.configured
    is_met = configured is not None and configured <= judged_ring.advice.limit
    return _NOT_IN_FORCE if is_met else None


def _confidence(judged_ring: Judged, *, may_be_met: bool) -> Confidence:
    if may_be_met or not judged_ring.ring.platform_known:
        return Confidence.POSSIBLE
    label_only = judged_ring.outlet.wire is not None and judged_ring.outlet.wire.is_label
    exact = judged_ring.ring.basis in (Basis.CONFIGURED, Basis.MEASURED) and not label_only
    return Confidence.CERTAIN if exact else Confidence.LIKELY


CHECK = Check(Params, Evidence, find, measure)
