"""A tuned class whose queue is shorter than the ring: the order of the scheduler is lost in it."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.txr.shared.place import RingPlace, ring_place_of
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.class_service import ClassService, class_services
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingFact
from advisor.predict.classes.congested import congested
from advisor.predict.ring import RingAdvice, RingView, advise_ring, ring_view
from advisor.quantity import Basis, Figure, Unknown, exact
from advisor.units import percent_from_ratio

_SHORTEST: Final = "the ring is as short as it can be: give the class more queue"


class Params(Struct, frozen=True):
    """Budget of the ring; None where the profile does not judge it."""

    ring_wait_ms: float | None


class Evidence(Struct, frozen=True):
    """What the ring and the class's queue hold, in ms of full-size packets."""

    class_name: str
    policy_map: str
    queue_ms: float
    ring: str
    ring_ms: float
    ring_share_percent: float
    advised: int
    place: RingPlace


class _FilledRing(Struct, frozen=True):
    """The ring of an output, and the one that the budget advises."""

    outlet: Outlet
    ring: RingFact
    view: RingView
    advice: RingAdvice


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class with WRED or a queue-limit that its ring outlasts.

    Both are taken full of the same packets, the longest ones; a contested ring by its low end.
    """
    budget_ms = params.ring_wait_ms
    if budget_ms is None:
        return
    for outlet in outlets(device):
        ring = outlet.ring
        tuned = [each for each in outlet.queueing.classes if _longest(each) is not None]
        if not tuned or ring is None or outlet.ring_idle:
            continue
        view = ring_view(outlet, congested(device, outlet).offers)
        if isinstance(view, Unknown):
            yield Skip(outlet.label, view.reason)
            continue
        filled = _FilledRing(outlet, ring, view, advise_ring(view, budget_ms))
        for policy_class in tuned:
            hit = _judged(device, filled, policy_class)
            if hit is not None:
                yield hit


def _longest(policy_class: PolicyClass) -> tuple[float, Unit] | None:
    """The queue that somebody tuned: the highest maximum of WRED, or a stated queue-limit."""
    if policy_class.priority is not None:
        return None
    wred, limit = policy_class.wred, policy_class.queue_limit
    tops = [] if wred is None else [(row.max_threshold, row.unit) for row in wred.profiles]
    known = [(high, unit) for high, unit in tops if high is not None]
    if known:
        return max(known)
    return None if limit is None else (limit.amount, limit.unit)


def _judged(device: Device, filled: _FilledRing, policy_class: PolicyClass) -> Hit[Evidence] | None:
    outlet, ring, advice = filled.outlet, filled.ring, filled.advice
    services = class_services(device, outlet.queueing, policy_class)
    service = next((each for each in services if _is_at(each, outlet)), None)
    longest = _longest(policy_class)
    if longest is None or service is None:
        return None
    queue_ms = service.queue_ms(*longest).high
    ring_ms = filled.view.bound(ring.limit_low).low_ms
    if ring_ms <= queue_ms:
        return None
    after_ms = filled.view.bound(advice.limit).low_ms
    now, then = (percent_from_ratio(each / (each + queue_ms)) for each in (ring_ms, after_ms))
    name = policy_class.name
    inputs = (ring.as_input, exact("queue_ms", queue_ms, Basis.CONFIGURED, f"class {name}"))
    is_shorter = advice.limit < ring.limit_low
    return Hit(
        f"{outlet.label} > class {name}",
        (policy_class.at, ring.at) if ring.at is not None else (policy_class.at,),
        Evidence(
            name,
            outlet.queueing.name,
            queue_ms,
            f"{ring.limit_low} {ring.unit_of(ring.limit_low)}",
            ring_ms,
            now,
            advice.limit,
            ring_place_of(outlet),
        ),
        Confidence.LIKELY if ring.platform_known else Confidence.POSSIBLE,
        Forecast(
            "share of the longest wait that is in the ring",
            Figure(now, now, now, "%"),
            Figure(then, then, then, "%") if is_shorter else None,
            inputs,
        ),
        curable=is_shorter,
        advice=None
        if is_shorter
        else "the ring is as short as it can be: give the class more queue",
    )


def _is_at(service: ClassService, outlet: Outlet) -> bool:
    return service.outlet is not None and service.outlet.policy_label == outlet.policy_label


CHECK = Check(Params, Evidence, find)
