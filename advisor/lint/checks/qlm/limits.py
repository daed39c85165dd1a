"""Queue-limits that somebody set: longer than the budget, or below the window of TCP."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.matched_packets import packets_of_classes
from advisor.facts.policy import Unit
from advisor.facts.traffic_kinds import TrafficKind, traffic_of
from advisor.ground.quantity import (
    Basis,
    Figure,
    Input,
    exact,
    number,
    rate_text,
    rate_words,
)
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.llq import reaching
from advisor.lint.checks.qlm import (
    ClassPlace,
    LimitedClass,
    amount_for,
    amount_within,
    argument,
    limited_classes,
    not_judged,
    range_words,
)
from advisor.lint.checks.wrd.steps import kinds_of
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_service import (
    ClassService,
    stated_rtt_ms,
)
from advisor.outlet.queue_limit import DEFAULT_LIMIT_PACKETS

# A queue-limit that lets packets wait longer than the budget of their class.

_BURSTS: Final = (
    "call signalling and routing updates come in bursts of tens of packets, whose loss is worse "
    "than their wait: no time of bulk data is their limit"
)
_FLOWS: Final = "how many packets one flow of `fair-queue` may hold is not known here"
_FIRST_WINDOW: Final = 10  # segments: RFC 6928


class ClassQueueParams(Struct, frozen=True):
    """Budgets of the profile for the queues of classes; None where it does not judge them.

    `rtt_ms` is the round trip without queueing that a queue must hold for TCP to fill its class.
    """

    rtt_ms: float
    bandwidth_queue_ms: float | None
    default_queue_ms: float | None


class DeepQueue(Struct, frozen=True):
    """The queue, its time, and the limit that the budget allows."""

    stated: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float
    place: ClassPlace
    limit: str


def find_queue_too_deep(device: Device, params: ClassQueueParams) -> Found[DeepQueue]:
    """Yield a hit for each class whose full queue takes longer to send than its budget.

    Where packets have an unknown size, the smallest mean decides, and the slowest output. Four
    packets are the least that TCP needs, and never too many.
    """
    for limited in limited_classes(device):
        is_default = limited.policy_class.is_default
        budget_ms = params.default_queue_ms if is_default else params.bandwidth_queue_ms
        if budget_ms is None:
            continue
        unknown = not_judged(device, limited)
        if unknown is not None:
            yield unknown
            continue
        slowest = max(limited.services, key=lambda service: limited.delay(service).low)
        if limited.delay(slowest).low <= budget_ms or limited.is_least:
            continue
        if _is_of_control(device, limited):
            yield Skip(limited.label, _BURSTS)
            continue
        if limited.is_fair and limited.flow_share is None:
            yield Skip(limited.label, _FLOWS)
            continue
        hit = _deep_queue(limited, slowest, budget_ms, params.rtt_ms)
        is_default = _is_within_default(device, limited)
        yield replace(hit, severity=Severity.INFO) if is_default else hit


def _is_of_control(device: Device, limited: LimitedClass) -> bool:
    """Whether the class takes call signalling or routing updates, and no bulk data."""
    reached = (
        item.boxes or ()
        for item in reaching(device, limited.policy)
        if item.policy_class.name == limited.policy_class.name
    )
    kinds = {traffic_of(box) for boxes in reached for box in boxes}
    return TrafficKind.BULK not in kinds and bool(
        kinds & {TrafficKind.SIGNALLING, TrafficKind.CONTROL}
    )


def _is_within_default(device: Device, limited: LimitedClass) -> bool:
    """Whether the stated limit is no more than the one that IOS sets, which no rule judges."""
    is_packets = limited.limit.unit is Unit.PACKETS and device.platform.has_classic_defaults
    return is_packets and limited.limit.amount <= DEFAULT_LIMIT_PACKETS


def _why_not_shared(limited: LimitedClass, amount: int, rtt_ms: float) -> str | None:
    """Why one limit does not serve all outputs: what the slowest needs starves TCP at a faster.

    A class has one queue-limit wherever its policy is attached. None where it serves all. A faster
    output that had less than a round trip before is starved all the more.
    """
    unit = limited.limit.unit
    longest_ms = max(limited.delay_of(amount, service).low for service in limited.services)
    if limited.unknown is not None:
        return (
            f"the rate of the class at {limited.unknown.label} is not known, and a class has one "
            "queue-limit at all outputs of its policy: state the rate there, or give that output "
            "a policy of its own"
        )
    for service in limited.services:
        after = limited.delay_of(amount, service)
        if service.outlet is None or len(limited.services) == 1:
            continue
        is_enough_before = limited.delay(service).high >= rtt_ms
        if after.high < rtt_ms and (is_enough_before or after.high < longest_ms):
            policy = limited.policy.name
            return (
                f"`queue-limit {argument(amount, unit)}` fits the slowest output of {policy}, but "
                f"at the {rate_words(kbps_from_bps(service.rate.value))} that the class has on "
                f"{service.outlet.label} it holds {number(after.low)}-{number(after.high)} ms, "
                f"less than a round trip of {rtt_ms:g} ms: enter {policy} whole under a new name "
                f"with the new limit, and exchange it at the slow output only"
            )
    return None


def _deep_queue(
    limited: LimitedClass, service: ClassService, budget_ms: float, rtt_ms: float
) -> Hit[DeepQueue]:
    delay, at = limited.delay(service), limited.limit.at
    amount = amount_within(limited, service, budget_ms)
    stated = exact(limited.input_name, limited.limit.amount, Basis.CONFIGURED, f"queue-limit, {at}")
    advice = _why_not_shared(limited, amount, rtt_ms)
    is_known = service.mean_packet.basis is not Basis.ASSUMED
    return Hit(
        limited.label,
        (at,),
        DeepQueue(
            limited.stated,
            range_words(delay),
            rate_text(kbps_from_bps(service.rate.value)),
            budget_ms,
            limited.place,
            argument(amount, limited.limit.unit),
        ),
        Confidence.CERTAIN if is_known else Confidence.LIKELY,
        Forecast(
            "longest queue of the class",
            delay,
            limited.delay_of(amount, service),
            (stated, service.rate, service.mean_packet),
        ),
        curable=advice is None,
        advice=advice or _loss(limited, amount, limited.delay_of(amount, service), rtt_ms),
    )


def _loss(limited: LimitedClass, amount: int, after: Figure, rtt_ms: float) -> str | None:
    """The lasting loss of a short queue; None where it holds a round trip, and a flow's start."""
    said = []
    if limited.limit.unit is Unit.PACKETS and amount * limited.share < _FIRST_WINDOW:
        said.append(
            f"it stays shorter than the {_FIRST_WINDOW} packets that a flow of TCP may start with: "
            "flows that start then lose packets at once, where they waited before"
        )
    if after.high < rtt_ms:
        said.append(
            f"a single flow of TCP with a round trip of {rtt_ms:g} ms then uses "
            f"{range_words(_used(after, rtt_ms))} % of the rate"
        )
    return "; ".join(said) or None


# A queue-limit below the bandwidth-delay product: TCP cannot fill its class.


class ShallowQueue(Struct, frozen=True):
    """The queue, the round trip, and the limit that fills the class."""

    stated: str
    delay_ms: str
    rate_kbps: str
    rtt_ms: float
    used_percent: str
    place: ClassPlace
    limit: str


def find_queue_too_shallow(device: Device, params: ClassQueueParams) -> Found[ShallowQueue]:
    """Yield a hit for each class whose full queue is shorter than a round trip.

    Where packets have an unknown size, the largest mean decides, and the slowest output. Where the
    queue is long enough there and too short at a faster one, no limit of the class fits both. A
    class of voice or UDP alone does not slow down and is not judged.
    """
    packets = packets_of_classes(device.facts)
    for limited in limited_classes(device):
        name = limited.policy_class.name
        if limited.is_fair:  # its flows share the line: none needs to fill it alone
            continue
        if not limited.policy_class.is_default and kinds_of(packets.of(name)):
            continue
        unknown = not_judged(device, limited)
        if unknown is not None:
            yield unknown
            continue
        slowest = max(limited.services, key=lambda service: limited.delay(service).high)
        rtt, delay = _rtt(device, limited, slowest, params.rtt_ms), limited.delay(slowest)
        is_default = limited.policy_class.is_default
        budget_ms = params.default_queue_ms if is_default else params.bandwidth_queue_ms
        is_too_deep = budget_ms is not None and delay.low > budget_ms
        if is_too_deep:
            continue
        if delay.high < rtt.low:
            yield _shallow_queue(limited, slowest, rtt)
            continue
        fastest = min(limited.services, key=lambda service: limited.delay(service).high)
        rtt = _rtt(device, limited, fastest, params.rtt_ms)
        if limited.delay(fastest).high < rtt.low:
            hit = _shallow_queue(limited, fastest, rtt)
            yield replace(hit, curable=False, advice=_advice(limited, slowest, fastest))


def _advice(limited: LimitedClass, slowest: ClassService, fastest: ClassService) -> str:
    """Why no limit of the class fits all outputs, and what to do."""
    here, there = (
        item.outlet.policy_label if item.outlet is not None else limited.policy.name
        for item in (fastest, slowest)
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
    """Compute the part of its rate that one flow uses, in percent, over the queue's times.

    Small packets make a queue short, and full-size ones long: the value is between them.
    """
    value, low, high = (
        percent_from_ratio(one_flow_ratio(time_ms, rtt_ms))
        for time_ms in ((queue.low + queue.high) / 2, queue.low, queue.high)
    )
    return Figure(value, low, high, "%")


def _shallow_queue(limited: LimitedClass, service: ClassService, rtt: Input) -> Hit[ShallowQueue]:
    rtt_ms, is_assumed = rtt.low, rtt.basis is Basis.ASSUMED
    delay, at = limited.delay(service), limited.limit.at
    used = _used(delay, rtt_ms)
    amount = amount_for(limited, service, rtt_ms)
    stated = exact(limited.input_name, limited.limit.amount, Basis.CONFIGURED, f"queue-limit, {at}")
    full = service.queue_ms(amount, limited.limit.unit)
    return Hit(
        limited.label,
        (at,),
        ShallowQueue(
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
