"""Classes whose queue-limit somebody set, at each output, and the limit that they should have."""

from collections.abc import Iterator
from math import ceil

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Unread
from advisor.facts.policy import PolicyClass, PolicyMap, QueueLimit, Unit
from advisor.outlet.class_service import (
    LEAST_TCP_PACKETS,
    ClassService,
    class_services,
    outlet_of_unknown_rate,
)
from advisor.outlet.outlet import Outlet
from advisor.quantity import Figure, number, plain


class ClassPlace(Struct, frozen=True):
    """A class of a policy-map, by the words of its commands."""

    policy_map: str
    class_name: str


class LimitedClass(Struct, frozen=True):
    """A class with a stated queue-limit of packets, bytes or ms, and its service at each output.

    `unknown` is an output where the rate of the class is not known.
    """

    policy: PolicyMap
    policy_class: PolicyClass
    limit: QueueLimit
    services: tuple[ClassService, ...]
    unknown: Outlet | None

    @property
    def label(self) -> str:
        return f"policy-map {self.policy.name} > class {self.policy_class.name}"

    @property
    def place(self) -> ClassPlace:
        return ClassPlace(self.policy.name, self.policy_class.name)

    def delay(self, service: ClassService) -> Figure:
        """Time that the full queue takes to send, over the range of its mean packet."""
        return service.queue_ms(self.limit.amount, self.limit.unit)

    @property
    def input_name(self) -> str:
        """Name of the limit among the inputs of a forecast."""
        return f"queue_limit_{self.limit.unit} of {self.policy_class.name}"

    @property
    def is_least(self) -> bool:
        """Whether fewer packets would leave too few for TCP."""
        return self.limit.unit is Unit.PACKETS and self.limit.amount <= LEAST_TCP_PACKETS

    @property
    def stated(self) -> str:
        """The limit as it is written."""
        return f"{plain(self.limit.amount)} {self.limit.unit}"


def unread_limit(device: Device, limited: LimitedClass) -> Unread | None:
    """A line of the class that is not understood, and that would bound its queue in another way."""
    return device.facts.unread_line(
        limited.label, "queue-limit", "random-detect", "fair-queue", "service-policy"
    )


def limited_classes(device: Device) -> Iterator[LimitedClass]:
    """Classes that a stated queue-limit alone bounds: no WRED, priority, or fair-queue of flows.

    A class around a nested policy has its queues there: no source says whether its limit counts.
    """
    for policy in device.facts.policy_maps:
        for policy_class in policy.classes:
            limit = policy_class.queue_limit
            if limit is None or limit.amount < 1:
                continue
            fair = policy_class.fair_queue is not None and policy_class.fair_queue.value
            if policy_class.wred is not None or policy_class.priority is not None or fair:
                continue
            if policy_class.child is not None:
                continue
            services = class_services(device, policy, policy_class)
            unknown = outlet_of_unknown_rate(device, policy, policy_class)
            yield LimitedClass(policy, policy_class, limit, services, unknown)


def amount_within(limited: LimitedClass, service: ClassService, time_ms: float) -> int:
    """The largest queue-limit, in its own unit, that is sent in a time; packets: four at least."""
    if limited.limit.unit is Unit.PACKETS:
        return service.packets_within(time_ms)
    return int(service.amount_in(time_ms, limited.limit.unit))


def amount_for(limited: LimitedClass, service: ClassService, time_ms: float) -> int:
    """The smallest queue-limit, in its own unit, that holds so many ms of full-size packets."""
    if limited.limit.unit is Unit.PACKETS:
        return ceil(time_ms / service.queue_ms(1, Unit.PACKETS).high)
    return ceil(service.amount_in(time_ms, limited.limit.unit))


def argument(amount: int, unit: Unit) -> str:
    """What follows `queue-limit`; packets have no unit, which every generation takes."""
    return str(amount) if unit is Unit.PACKETS else f"{amount} {unit}"


def range_words(figure: Figure) -> str:
    """An interval in whole units; where its low end rounds to none of them, in three digits.

    >>> range_words(Figure(1.0, 0.35, 1.54, "ms")), range_words(Figure(30.0, 18.2, 78.4, "ms"))
    ('0.35-1.54', '18-78')
    """
    low, high = f"{figure.low:.0f}", f"{figure.high:.0f}"
    if low == "0":
        low, high = number(figure.low), number(figure.high)
    return low if low == high else f"{low}-{high}"
