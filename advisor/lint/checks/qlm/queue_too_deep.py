"""A queue-limit that lets packets wait longer than the budget of their class."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.llq.shared.reaching import reaching
from advisor.lint.checks.llq.shared.traffic import Traffic, traffic_of
from advisor.lint.checks.qlm.shared.limits import (
    ClassPlace,
    LimitedClass,
    amount_within,
    argument,
    limited_classes,
    range_words,
    unread_limit,
)
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_service import ClassService
from advisor.outlet.queue_limit import DEFAULT_LIMIT_PACKETS
from advisor.quantity import Basis, exact, number, rate_text
from advisor.units import kbps_from_bps

_BURSTS: Final = (
    "call signalling and routing updates come in bursts of tens of packets, whose loss is worse "
    "than their wait: no time of bulk data is their limit"
)
_FIRST_WINDOW: Final = 10  # segments: RFC 6928


class Params(Struct, frozen=True):
    """Budgets of the profile for the queues of classes; None where it does not judge them.

    `rtt_ms` is the round trip without queueing that a queue must hold for TCP to fill its class.
    """

    rtt_ms: float
    bandwidth_queue_ms: float | None
    default_queue_ms: float | None


class Evidence(Struct, frozen=True):
    """The queue, its time, and the limit that the budget allows."""

    stated: str
    delay_ms: str
    rate_kbps: str
    budget_ms: float
    place: ClassPlace
    limit: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class whose full queue takes longer to send than its budget.

    Where packets have an unknown size, the smallest mean decides, and the slowest output. Four
    packets are the least that TCP needs, and never too many.
    """
    for limited in limited_classes(device):
        is_default = limited.policy_class.is_default
        budget_ms = params.default_queue_ms if is_default else params.bandwidth_queue_ms
        if budget_ms is None:
            continue
        unread = unread_limit(device, limited)
        if unread is not None:
            yield Skip(limited.label, f"{unread.at} is not understood")
            continue
        if not limited.services:
            yield Skip(limited.label, "the rate of the class is not known")
            continue
        slowest = max(limited.services, key=lambda service: limited.delay(service).low)
        if limited.delay(slowest).low <= budget_ms or limited.is_least:
            continue
        if _is_of_control(device, limited):
            yield Skip(limited.label, _BURSTS)
            continue
        hit = _hit(limited, slowest, budget_ms, params.rtt_ms)
        is_default = _is_within_default(device, limited)
        yield replace(hit, severity=Severity.INFO) if is_default else hit


def _is_of_control(device: Device, limited: LimitedClass) -> bool:
    """Whether the class takes call signalling or routing updates, and no bulk data."""
    reached = (
        each.boxes or ()
        for each in reaching(device, limited.policy)
        if each.policy_class.name == limited.policy_class.name
    )
    kinds = {traffic_of(box) for boxes in reached for box in boxes}
    return Traffic.BULK not in kinds and bool(kinds & {Traffic.SIGNALLING, Traffic.CONTROL})


def _is_within_default(device: Device, limited: LimitedClass) -> bool:
    """Whether the stated limit is no more than the one that IOS sets, which no rule judges."""
    is_packets = limited.limit.unit is Unit.PACKETS and device.platform.has_classic_defaults
    return is_packets and limited.limit.amount <= DEFAULT_LIMIT_PACKETS


def _why_not_shared(limited: LimitedClass, amount: int, rtt_ms: float) -> str | None:
    """Why one limit does not serve all outputs: what the slowest needs starves TCP at a faster.

    A class has one queue-limit wherever its policy is attached. None where it serves all.
    """
    unit = limited.limit.unit
    if limited.unknown is not None:
        return (
            f"the rate of the class at {limited.unknown.label} is not known, and a class has one "
            "queue-limit at all outputs of its policy: state the rate there, or give that output "
            "a policy of its own"
        )
    for service in limited.services:
        after = service.queue_ms(amount, unit)
        if service.outlet is None:
            continue
        if after.high < rtt_ms <= limited.delay(service).high:
            policy = limited.policy.name
            return (
                f"`queue-limit {argument(amount, unit)}` fits the slowest output of {policy}, but "
                f"at the {rate_text(kbps_from_bps(service.rate.value))} kb/s that the class has on "
                f"{service.outlet.label} it holds {number(after.low)}-{number(after.high)} ms, "
                f"less than a round trip of {rtt_ms:g} ms: enter {policy} whole under a new name "
                f"with the new limit, and exchange it at the slow output only"
            )
    return None


def _hit(
    limited: LimitedClass, service: ClassService, budget_ms: float, rtt_ms: float
) -> Hit[Evidence]:
    delay, at = limited.delay(service), limited.limit.at
    amount = amount_within(limited, service, budget_ms)
    stated = exact(limited.input_name, limited.limit.amount, Basis.CONFIGURED, f"queue-limit, {at}")
    advice = _why_not_shared(limited, amount, rtt_ms)
    is_known = service.mean_packet.basis is not Basis.ASSUMED
    return Hit(
        limited.label,
        (at,),
        Evidence(
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
            service.queue_ms(amount, limited.limit.unit),
            (stated, service.rate, service.mean_packet),
        ),
        curable=advice is None,
        advice=advice or _loss(amount, limited.limit.unit),
    )


def _loss(amount: int, unit: Unit) -> str | None:
    """The lasting loss of a short queue; None where it holds the first window of a flow."""
    if unit is not Unit.PACKETS or amount >= _FIRST_WINDOW:
        return None
    return (
        f"it stays shorter than the {_FIRST_WINDOW} packets that a flow of TCP may start with: "
        "flows that start then lose packets at once, where they waited before"
    )


CHECK = Check(Params, Evidence, find)
