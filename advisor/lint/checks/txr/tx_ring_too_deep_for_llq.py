"""LLQ decides what enters the ring next; what is in the ring already goes first all the same."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.judged import Judged, judged, measure_wait, wait_figure
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.predict.ring.ring_bound import Bound
from advisor.quantity import Basis

_TAKES_EFFECT = (
    "some platforms take it only after shut / no shut; an ATM circuit is torn down and made anew"
)
_MAY_BE_SHORTER = (
    "see the ring in force with `show controllers`: the platform's default may be within the "
    "budget, and the limit advised would then lengthen it"
)
_NOT_IN_FORCE = (
    "the configuration has that ring, the driver another: `shutdown`, `no shutdown` on the"
    " interface, then see `show controllers` again"
)


class Params(Struct, frozen=True):
    """Budget of the bound; None where the profile does not judge it."""

    ring_wait_ms: float | None


class Evidence(Struct, frozen=True):
    """The ring now and the ring advised, with the wait that each can cost."""

    classes: str
    ring: str
    unit: str
    bound_ms: str
    mean_ms: str
    advised: int
    advised_bound_ms: str
    advised_mean_ms: str
    section: tuple[str, ...]


def interval(low: float, high: float) -> str:
    """Two ends in words, one where they print the same.

    >>> interval(23.4, 46.9), interval(23.4, 23.4)
    ('23-47', '23')
    """
    ends = (f"{low:.0f}", f"{high:.0f}")
    return ends[0] if ends[0] == ends[1] else "-".join(ends)


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each LLQ whose ring is longer than the budget allows."""
    for each in judged(device, params.ring_wait_ms):
        if isinstance(each, Skip):
            yield each
        elif params.ring_wait_ms is not None and _is_too_deep(each):
            yield _hit(device, each, params.ring_wait_ms)


def _is_too_deep(each: Judged) -> bool:
    """Whether the ring is above the one advised; an unset ring of a bundle member is not judged."""
    unset_member = each.outlet.bundle is not None and each.ring.basis is Basis.DEFAULT
    return each.ring.limit_high > each.advice.limit and not unset_member


def _hit(device: Device, each: Judged, budget_ms: float) -> Hit[Evidence]:
    ring, advice = each.ring, each.advice
    bound = each.view.bound(ring.limit_low, ring.limit_high)
    before, inputs = wait_figure(device, each, ring.limit_low, ring.limit_high)
    after, _ = wait_figure(device, each, advice.limit, advice.limit)
    evidence = Evidence(
        classes=", ".join(one.name for one in each.outlet.llq_classes),
        ring=interval(ring.limit_low, ring.limit_high),
        unit=ring.unit_of(ring.limit_high),
        bound_ms=interval(bound.low_ms, bound.high_ms),
        mean_ms=interval(before.low, before.high),
        advised=advice.limit,
        advised_bound_ms=interval(advice.bound.low_ms, advice.bound.high_ms),
        advised_mean_ms=interval(after.low, after.high),
        section=each.outlet.ring_section,
    )
    at = (ring.at, each.outlet.at) if ring.at is not None else (each.outlet.at,)
    advice_text = _why_no_lines(each)
    return Hit(
        each.outlet.label,
        at,
        evidence,
        _confidence(each, bound, budget_ms),
        Forecast("LLQ wait in ring and wire", before, after, (ring.as_input, *inputs)),
        severity=Severity.INFO if _may_be_within(each, bound, budget_ms) else None,
        curable=advice_text is None,
        advice=advice_text or _TAKES_EFFECT,
    )


def _why_no_lines(each: Judged) -> str | None:
    """Advice where the lines would change nothing, or could lengthen the ring; else None."""
    if each.ring.configured == each.advice.limit:
        return _NOT_IN_FORCE
    return _MAY_BE_SHORTER if each.ring.limit_low <= each.advice.limit else None


def _may_be_within(each: Judged, bound: Bound, budget_ms: float) -> bool:
    return bound.low_ms <= budget_ms or each.ring.limit_low <= each.advice.limit


def _confidence(each: Judged, bound: Bound, budget_ms: float) -> Confidence:
    if _may_be_within(each, bound, budget_ms) or not each.ring.platform_known:
        return Confidence.POSSIBLE
    label_only = each.outlet.wire is not None and each.outlet.wire.is_label
    exact = each.ring.basis in (Basis.CONFIGURED, Basis.MEASURED) and not label_only
    return Confidence.CERTAIN if exact else Confidence.LIKELY


CHECK = Check(Params, Evidence, find, measure_wait)
