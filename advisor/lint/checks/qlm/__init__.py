"""Classes whose queue-limit somebody set, at each output, and the limit that they should have."""

from collections.abc import Iterator
from math import ceil
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, PolicyMap, QueueLimit, Unit
from advisor.ground.quantity import (
    Figure,
    Input,
    RateKind,
    number,
    plain,
)
from advisor.ground.units import bps_from_kbps
from advisor.lint.checks.base import Skip
from advisor.outlet.class_service import (
    LEAST_TCP_PACKETS,
    ClassService,
    class_services,
    outlet_of_unknown_rate,
)
from advisor.outlet.outlet import Outlet
from advisor.outlet.scheduler import HQF_FLOW_SHARE
from advisor.predict.classes.congested import congested_rate

_SHARE: Final = "its share of the line while all classes have packets waiting"
_SAME: Final = 1.05  # of the guarantee: layer-2 bytes and rounding


class ClassPlace(Struct, frozen=True):
    """A class of a policy-map, by the words of its commands."""

    policy_map: str
    class_name: str


class LimitedClass(Struct, frozen=True):
    """A class with a stated queue-limit of packets, bytes or ms, and its service at each output.

    `unknown` is an output where the rate of the class is not known. With `fair-queue` a flow may
    hold `flow_share` of the limit; None where that is not known.
    """

    policy: PolicyMap
    policy_class: PolicyClass
    limit: QueueLimit
    services: tuple[ClassService, ...]
    unknown: Outlet | None
    is_fair: bool
    flow_share: float | None

    @property
    def label(self) -> str:
        return self.policy.path_of(self.policy_class.name)

    @property
    def place(self) -> ClassPlace:
        return ClassPlace(self.policy.name, self.policy_class.name)

    def delay(self, service: ClassService) -> Figure:
        """Time that the full queue takes to send, over the range of its mean packet."""
        return self.delay_of(self.limit.amount, service)

    def delay_of(self, amount: float, service: ClassService) -> Figure:
        """The same with another limit."""
        return service.queue_ms(amount * self.share, self.limit.unit)

    @property
    def share(self) -> float:
        """The share of the limit that makes a packet wait."""
        return 1.0 if self.flow_share is None else self.flow_share

    @property
    def input_name(self) -> str:
        """Name of the limit among the inputs of a forecast."""
        return f"queue_limit_{self.limit.unit} of {self.policy_class.name}"

    @property
    def is_least(self) -> bool:
        """Whether fewer packets would leave too few for TCP."""
        held = self.limit.amount * self.share
        return self.limit.unit is Unit.PACKETS and held <= LEAST_TCP_PACKETS

    @property
    def stated(self) -> str:
        """The limit as it is written, and what one flow may hold of it."""
        limit = f"{plain(self.limit.amount)} {self.limit.unit}"
        if not self.is_fair:
            return limit
        return f"{plain(self.limit.amount * self.share)} {self.limit.unit} (one flow's of {limit})"


def not_judged(device: Device, limited: LimitedClass) -> Skip | None:
    """Why nothing is known of the time that the queue of a class takes.

    A line of the class that is not understood may bound its queue in another way.
    """
    unread = device.facts.unread_line(
        limited.label, "queue-limit", "random-detect", "fair-queue", "service-policy"
    )
    if unread is not None:
        return Skip(limited.label, f"{unread.at} is not understood")
    return None if limited.services else Skip(limited.label, "the rate of the class is not known")


def limited_classes(device: Device) -> Iterator[LimitedClass]:
    """Classes that a stated queue-limit bounds: no WRED, no priority; of `fair-queue`, each flow.

    HQF gives a flow a quarter of the limit; no source says what it has before. A class around a
    nested policy has its queues there: no source says whether its limit counts.
    """
    has_share = device.platform.has_classic_defaults and not device.platform.is_pre_hqf
    for policy, policy_class in device.facts.policy_classes:
        limit = policy_class.queue_limit
        if limit is None or limit.amount < 1:
            continue
        fair = policy_class.fair_queue is not None and policy_class.fair_queue.value
        if policy_class.wred is not None or policy_class.priority is not None:
            continue
        if policy_class.child is not None:
            continue
        services = tuple(
            _congested(device, policy_class.name, service)
            for service in class_services(device, policy, policy_class)
        )
        unknown = outlet_of_unknown_rate(device, policy, policy_class)
        share = HQF_FLOW_SHARE if fair and has_share else None
        yield LimitedClass(policy, policy_class, limit, services, unknown, fair, share)


def _congested(device: Device, name: str, service: ClassService) -> ClassService:
    """The service at the rate of the congested case: the guarantee, and a part of what is left.

    The guarantee alone where the case has no figures, and where a policer holds the class below it.
    """
    outlet = service.outlet
    share = congested_rate(device, outlet, name) if outlet is not None else None
    if outlet is None or share is None or bps_from_kbps(share.low) <= service.rate.value * _SAME:
        return service
    value, low, high = (bps_from_kbps(kbps) for kbps in (share.value, share.low, share.high))
    basis = service.rate.basis
    rate = Input("class_rate_bps", value, low, high, basis, _SHARE, RateKind.SHARE)
    return replace(service, rate=rate)


def amount_within(limited: LimitedClass, service: ClassService, time_ms: float) -> int:
    """The largest queue-limit, in its own unit, that is sent in a time; packets: four at least."""
    if limited.limit.unit is Unit.PACKETS:
        return int(service.packets_within(time_ms) / limited.share)
    return int(service.amount_in(time_ms, limited.limit.unit) / limited.share)


def amount_for(limited: LimitedClass, service: ClassService, time_ms: float) -> int:
    """The smallest queue-limit, in its own unit, that holds so many ms of full-size packets."""
    if limited.limit.unit is Unit.PACKETS:
        return ceil(time_ms / service.queue_ms(1, Unit.PACKETS).high)
    return ceil(service.amount_in(time_ms, limited.limit.unit))


def argument(amount: int, unit: Unit) -> str:
    """Return the words after `queue-limit`; packets have no unit, which every generation takes."""
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
