"""Queues of the classes below voice, held to the delay that the requirements state."""

from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import Wanted
from advisor.design.edge_demand import EdgeDemand
from advisor.design.edge_drafts import Draft, RefusedDemandError, drafted
from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, Unit
from advisor.outlet.class_service import LEAST_TCP_PACKETS, ClassService, class_services
from advisor.outlet.queue_limit import queue_limit
from advisor.quantity import Figure, number
from advisor.units import kbps_from_bps, percent_from_ratio


class HeldQueue(Struct, frozen=True):
    """A class whose full queue is sent within its budget, at the rate that the class counts on.

    `before` is the time of the default queue, `after` that of `packets`: over mean packets between
    the smallest and the largest of the class, or of data where none is stated.
    """

    name: str
    budget_ms: float
    rate_kbps: float
    default: str
    before: Figure
    packets: int
    after: Figure


def queued(trial: Device, draft: Draft, demand: EdgeDemand) -> tuple[Draft, tuple[HeldQueue, ...]]:
    """The draft with the queue-limits that hold the stated budgets.

    Raises
    ------
    RefusedDemandError
        If a budget leaves a class too few packets for TCP.
    """
    wanted = [each for each in demand.classes if each.budget_ms is not None]
    held = {draft.values.named(each.name): _held(draft, each, demand) for each in wanted}
    if not held:
        return draft, ()
    classes = (
        replace(each, queue_packets=held[each.name].packets) if each.name in held else each
        for each in draft.values.classes
    )
    limited = drafted(trial, replace(draft.values, classes=tuple(classes)))
    return limited, tuple(held.values())


def _held(draft: Draft, wanted: Wanted, demand: EdgeDemand) -> HeldQueue:
    policy_class, service = _service(draft, draft.values.named(wanted.name))
    budget_ms, one = wanted.budget_ms or 0.0, service.queue_ms(1, Unit.PACKETS)
    packets = int(budget_ms / one.high)
    if packets < LEAST_TCP_PACKETS:
        least_ms = LEAST_TCP_PACKETS * one.high
        link_bps = demand.link_bps
        percent = percent_from_ratio(service.rate.value / link_bps) * least_ms / budget_ms
        raise RefusedDemandError(
            f"{policy_class.name} of {number(kbps_from_bps(service.rate.value))} kb/s sends the "
            f"{LEAST_TCP_PACKETS} full-size packets that TCP needs in {number(least_ms)} ms, over "
            f"its budget of {budget_ms:g} ms",
            f"--data {wanted.key}={ceil(percent)}%:{budget_ms:g}ms",
            f"a budget of {ceil(least_ms)} ms",
        )
    default = queue_limit(draft.outlet, policy_class, draft.device.platform)
    own = default.in_packets(service.mean_packet.value)
    return HeldQueue(
        name=policy_class.name,
        budget_ms=budget_ms,
        rate_kbps=kbps_from_bps(service.rate.value),
        default=default.words,
        before=service.queue_ms(own, Unit.PACKETS),
        packets=packets,
        after=service.queue_ms(packets, Unit.PACKETS),
    )


def _service(draft: Draft, name: str) -> tuple[PolicyClass, ClassService]:
    policy_class = draft.outlet.class_named(name)
    if policy_class is not None:
        services = class_services(draft.device, draft.outlet.queueing, policy_class)
        if services:
            slowest = max(services, key=lambda each: each.queue_ms(1, Unit.PACKETS).high)
            return policy_class, slowest
    raise RefusedDemandError(f"the rate of {name} is not known")
