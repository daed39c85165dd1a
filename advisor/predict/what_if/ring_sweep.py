"""The ring of an output over its lengths, in the congested case that lint judges."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.predict.classes.congested import CongestedCase, solved_cases, with_ring
from advisor.predict.ring.ring_bound import advise_ring, ring_view
from advisor.predict.what_if.congested import congested_question
from advisor.quantity import Figure, LowerLoad, Unknown
from advisor.settings.in_force import settings_of
from advisor.settings.values import Settings

_FEWEST = 20  # lengths, so that a short ring stands among longer ones
_MOST = 64
_POINTS = 20


class RingPoint(Struct, frozen=True):
    """The first priority class behind a ring of a length: mean delay, and bounds in ms."""

    limit: int
    mean: Figure
    ring_bound_ms: float
    class_bound_ms: float | None


class RingSweep(Struct, frozen=True):
    """Rings of an output; `limit_low` to `limit_high` is the one in force, `advised` that of lint.

    `budget_ms` is that of the ring bound.
    """

    device: str
    object: str
    class_name: str
    unit: str
    limit_low: int
    limit_high: int
    advised: int | None
    budget_ms: float | None
    points: tuple[RingPoint, ...]
    lower: LowerLoad


def ring_sweep(device: Device, outlet: Outlet, settings: Settings) -> RingSweep | None:
    """Solve the congested case for rings up to beyond the one in force; None without such a case.

    The figures are those of lint and predict at each length.
    """
    question, ring = congested_question(device, outlet), outlet.ring
    if question is None or ring is None or outlet.ring_idle:
        return None
    view = ring_view(question.outlet, question.offers)
    if isinstance(view, Unknown):
        return None
    budget_ms = settings_of(settings, device.name).budgets.ring_wait_ms
    advised = None if budget_ms is None else advise_ring(view, budget_ms).limit
    limits = _limits(view.minimum, max(ring.limit_high, advised or 1))
    cases = solved_cases([with_ring(question, limit) for limit in limits])
    points: list[RingPoint] = []
    name, lower = None, LowerLoad.SATURATED
    for limit, case in zip(limits, cases, strict=True):
        if isinstance(case, CongestedCase) and case.ring_bound is not None:
            first = case.solved.first_priority
            if first is not None:
                name, lower = first.name, case.lower
                bound = case.ring_bound.high_ms
                points.append(RingPoint(limit, first.mean, bound, first.mean.bound))
    if name is None or len(points) < 2:  # noqa: PLR2004 -- a line has two ends
        return None
    return RingSweep(
        device.name,
        outlet.label,
        name,
        ring.unit,
        ring.limit_low,
        ring.limit_high,
        advised,
        budget_ms,
        tuple(points),
        lower,
    )


def _limits(least: int, needed: int) -> tuple[int, ...]:
    most = min(max(_FEWEST, needed + needed // 4), max(_MOST, least + _POINTS))
    step = max(1, round((most - least) / _POINTS))
    return tuple(range(least, most + 1, step))
