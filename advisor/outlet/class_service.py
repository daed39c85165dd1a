"""The service of a configured class: its rate, its mean packet, the time that its queue takes."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.outlet.class_bandwidth import class_rate, stated_rate
from advisor.outlet.class_packet import class_packet, data_packet
from advisor.outlet.offer import offers_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.quantity import Figure, Input, enclosing
from advisor.units import bytes_in_ms, serialization_ms

LEAST_TCP_PACKETS: Final = 4


class ClassService(Struct, frozen=True):
    """A class at one output; `outlet` is None for a policy that is attached nowhere."""

    rate: Input
    mean_packet: Input
    outlet: Outlet | None

    def queue_ms(self, amount: float, unit: Unit) -> Figure:
        """Time to send a queue of so many packets, bytes or ms, over the mean packet's range."""
        if unit is Unit.MS:
            return Figure(amount, amount, amount, "ms")
        mean = self.mean_packet
        sizes = (mean.value, mean.low, mean.high) if unit is Unit.PACKETS else (1.0, 1.0, 1.0)
        value, low, high = (serialization_ms(amount * size, self.rate.value) for size in sizes)
        return enclosing(value, low, high, "ms")

    def packets_within(self, time_ms: float) -> int:
        """The most packets of a queue that is sent in a time, and at least what TCP needs.

        Full-size packets set it, or the smallest mean packet where those leave too few places for
        TCP: fewer than four packets bring no three duplicate ACKs after a loss, and the sender
        waits for its timer (RFC 5681, 3.2). Four where both do: the queue is then longer.
        """
        packet_ms = self.queue_ms(1, Unit.PACKETS)
        for one_ms in (packet_ms.high, packet_ms.low):
            packets = int(time_ms / one_ms)
            if packets >= LEAST_TCP_PACKETS:
                return packets
        return LEAST_TCP_PACKETS

    def of_packets(self, packets: int, unit: Unit) -> float:
        """So many mean packets, in packets, bytes or ms."""
        if unit is Unit.MS:
            return self.queue_ms(packets, Unit.PACKETS).value
        return packets if unit is Unit.PACKETS else packets * self.mean_packet.value

    def amount_in(self, time_ms: float, unit: Unit) -> float:
        """Packets, bytes or ms that the class sends in a time."""
        if unit is Unit.MS:
            return time_ms
        size = self.mean_packet.value if unit is Unit.PACKETS else 1.0
        return bytes_in_ms(self.rate.value, time_ms) / size


def class_services(
    device: Device, policy: PolicyMap, policy_class: PolicyClass
) -> tuple[ClassService, ...]:
    """The class at each output where its policy queues and its rate is known.

    A policy that is attached nowhere has a rate if the class states one.
    """
    attached = _outlets_of(device, policy)
    if not attached:
        rate, label = stated_rate(policy_class), f"mean_ip_bytes of {policy_class.name}"
        return () if rate is None else (ClassService(rate, data_packet(label), None),)
    return tuple(_at_outlets(device, policy_class, attached))


def outlet_of_unknown_rate(
    device: Device, policy: PolicyMap, policy_class: PolicyClass
) -> Outlet | None:
    """An output of the policy where the rate of the class is not known; None if there is none.

    A class is configured once for all outputs of its policy: what fits the others may not fit it.
    """
    attached = _outlets_of(device, policy)
    return next((each for each in attached if class_rate(each, policy_class) is None), None)


def _outlets_of(device: Device, policy: PolicyMap) -> list[Outlet]:
    """Outputs where a policy queues; of a bundle one."""
    return device.derived(_by_policy).get(policy.name, [])


def _by_policy(device: Device) -> dict[str, list[Outlet]]:
    found: dict[str, dict[str, Outlet]] = {}
    for outlet in outlets(device):
        found.setdefault(outlet.queueing.name, {})[outlet.policy_label] = outlet
    return {name: list(each.values()) for name, each in found.items()}


def _at_outlets(
    device: Device, policy_class: PolicyClass, attached: list[Outlet]
) -> Iterator[ClassService]:
    for outlet in attached:
        rate = class_rate(outlet, policy_class)
        if rate is not None:
            offers = offers_of(outlet, stated_traffic(device))
            yield ClassService(rate, class_packet(outlet, offers, policy_class.name), outlet)
