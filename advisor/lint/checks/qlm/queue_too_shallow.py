"""A queue-limit below the bandwidth-delay product: TCP cannot fill its class."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.matched_packets import packets_of_classes
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.qlm.shared.limits import (
    ClassPlace,
    LimitedClass,
    amount_for,
    argument,
    limited_classes,
    range_words,
    unread_limit,
)
from advisor.lint.checks.wrd.shared.unresponsive import kinds_of
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_service import ClassService, stated_rtt_ms
from advisor.quantity import Basis, Figure, Input, exact, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio


class Params(Struct, frozen=True):
    """Round trip without queueing where none is known, and the budgets over which QLM001 judges."""

    rtt_ms: float
    bandwidth_queue_ms: float | None
    default_queue_ms: float | None


class Evidence(Struct, frozen=True):
    """The queue, the round trip, and the limit that fills the class."""

    stated: str
    delay_ms: str
    rate_kbps: str
    rtt_ms: float
    used_percent: str
    place: ClassPlace
    limit: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class whose full queue is shorter than a round trip.

    Where packets have an unknown size, the largest mean decides, and the slowest output. Where the
    queue is long enough there and too short at a faster one, no limit of the class fits both. A
    class of voice or UDP alone does not slow down and is not judged.
    """
    packets = packets_of_classes(device.facts)
    for limited in limited_classes(device):
        name = limited.policy_class.name
        if not limited.policy_class.is_default and kinds_of(packets.of(name)):
            continue
        unread = unread_limit(device, limited)
        if unread is not None:
            yield Skip(limited.label, f"{unread.at} is not understood")
            continue
        if not limited.services:
            yield Skip(limited.label, "the rate of the class is not known")
            continue
        slowest = max(limited.services, key=lambda service: limited.delay(service).high)
        rtt, delay = _rtt(device, limited, slowest, params.rtt_ms), limited.delay(slowest)
        is_default = limited.policy_class.is_default
        budget_ms = params.default_queue_ms if is_default else params.bandwidth_queue_ms
        is_too_deep = budget_ms is not None and delay.low > budget_ms
        if is_too_deep:
            continue
        if delay.high < rtt.low:
            yield _hit(limited, slowest, rtt)
            continue
        fastest = min(limited.services, key=lambda service: limited.delay(service).high)
        rtt = _rtt(device, limited, fastest, params.rtt_ms)
        if limited.delay(fastest).high < rtt.low:
            hit = _hit(limited, fastest, rtt)
            yield replace(hit, curable=False, advice=_advice(limited, slowest, fastest))


def _advice(limited: LimitedClass, slowest: ClassService, fastest: ClassService) -> str:
    """Why no limit of the class fits all outputs, and what to do."""
    here, there = (
        each.outlet.policy_label if each.outlet is not None else limited.policy.name
        for each in (fastest, slowest)
    )
    same = range_words(limited.delay(slowest))
    return (
        f"the limit is that of all outputs: at {there} the same queue is {same} ms; give {here} a "
        "policy of its own with a longer one"
    )


def _rtt(device: Device, limited: LimitedClass, service: ClassService, otherwise: float) -> Input:
    """The round trip that the user states for TCP of the class, else that of the profile."""
    source = "profile: where no round trip is known"
    return stated_rtt_ms(device, service, limited.policy_class) or exact(
        "rtt_ms", otherwise, Basis.ASSUMED, source
    )


def one_flow_ratio(queue_ms: float, rtt_ms: float) -> float:
    """Part of a rate that one TCP flow uses, whose window halves when a short queue is full.

    With b = queue / round trip <= 1 the window goes from (1 + b)/2 to 1 + b products of bandwidth
    and delay: it carries 3/8 (1 + b)^2 in a time of (1 + b + b^2)/2 round trips. Source: arithmetic
    on the window of congestion avoidance, RFC 5681.

    >>> one_flow_ratio(0.0, 100.0), one_flow_ratio(100.0, 100.0)
    (0.75, 1.0)
    """
    part = min(1.0, queue_ms / rtt_ms)
    return 0.75 * (1 + part) ** 2 / (1 + part + part**2)


def _used(queue: Figure, rtt_ms: float) -> Figure:
    """What one flow uses of its rate, in percent, over the range of the queue's time."""
    value, low, high = (
        percent_from_ratio(one_flow_ratio(time_ms, rtt_ms))
        for time_ms in (queue.value, queue.low, queue.high)
    )
    return Figure(value, low, high, "%")


def _hit(limited: LimitedClass, service: ClassService, rtt: Input) -> Hit[Evidence]:
    rtt_ms, is_assumed = rtt.low, rtt.basis is Basis.ASSUMED
    delay, at = limited.delay(service), limited.limit.at
    used = _used(delay, rtt_ms)
    amount = amount_for(limited, service, rtt_ms)
    stated = exact(limited.input_name, limited.limit.amount, Basis.CONFIGURED, f"queue-limit, {at}")
    full = service.queue_ms(amount, limited.limit.unit)
    return Hit(
        limited.label,
        (at,),
        Evidence(
            limited.stated,
            range_words(delay),
            rate_text(kbps_from_bps(service.rate.value)),
            rtt_ms,
            range_words(used),
            limited.place,
            argument(amount, limited.limit.unit),
        ),
        Confidence.POSSIBLE if is_assumed else Confidence.LIKELY,
        Forecast(
            "part of its rate that one TCP flow uses",
            used,
            _used(full, rtt_ms),
            (stated, service.rate, service.mean_packet, rtt),
        ),
        severity=Severity.INFO if is_assumed else None,
    )


CHECK = Check(Params, Evidence, find)
