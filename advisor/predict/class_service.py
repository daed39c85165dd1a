"""What a class of a config is served with: its rate, its mean packet, what a queue in it costs."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.predict.offer import offers_of
from advisor.predict.outlet import Outlet, outlets
from advisor.predict.quantity import Basis, Figure, Input, exact
from advisor.snapshot import Device
from advisor.units import bps_from_kbps, bytes_in_ms, ratio_from_percent, serialization_ms

SMALLEST_MEAN_BYTES, LARGEST_MEAN_BYTES = 576, 1500  # of a class under WRED, if not known


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
        return Figure(value, low, high, "ms")

    def amount_in(self, time_ms: float, unit: Unit) -> float:
        """Packets, bytes or ms that the class sends in a time."""
        if unit is Unit.MS:
            return time_ms
        size = self.mean_packet.value if unit is Unit.PACKETS else 1.0
        return bytes_in_ms(self.rate.value, time_ms) / size


def class_services(
    device: Device, policy: PolicyMap, each: PolicyClass
) -> tuple[ClassService, ...]:
    """The class at each output where its policy queues; where the rate is known there.

    A policy that is attached nowhere has a rate if the class states one.
    """
    found = [outlet for outlet in outlets(device) if outlet.queueing.name == policy.name]
    if not found:
        rate = _stated(each)
        return () if rate is None else (ClassService(rate, _assumed_packet(each), None),)
    return tuple(_at_outlets(device, each, found))


def _at_outlets(device: Device, each: PolicyClass, found: list[Outlet]) -> Iterator[ClassService]:
    for outlet in {one.label.partition(" > member ")[0]: one for one in found}.values():
        rate = class_rate(outlet, each)
        if rate is not None:
            yield ClassService(rate, _mean_packet(device, outlet, each), outlet)


def class_rate(outlet: Outlet, each: PolicyClass) -> Input | None:
    """Rate in bit/s that a class can count on at an output; None where it is not known.

    Its guarantee, else its shaper's rate; of a class-default without either what the guarantees
    of the others leave of the link.
    """
    stated = _stated(each)
    if each.bandwidth is not None and stated is None:
        return _of_percent(outlet, each)
    if stated is not None or not each.is_default:
        return stated
    others = [one for one in outlet.queueing.classes if one.name != each.name]
    reserved = [_reserved_bps(outlet, one) for one in others]
    if outlet.link is None or None in reserved:
        return None
    left_bps = outlet.link.value - sum(rate for rate in reserved if rate is not None)
    if left_bps <= 0:
        return None
    source = f"{outlet.link.source}, less what other classes reserve" if others else ""
    return exact("class_rate_bps", left_bps, outlet.link.basis, source or outlet.link.source)


def _stated(each: PolicyClass) -> Input | None:
    """The rate that the class itself names."""
    bandwidth, shape = each.bandwidth, each.shape
    if bandwidth is not None:
        if bandwidth.unit is not Unit.KBPS:
            return None
        rate_bps, said = bps_from_kbps(bandwidth.amount), f"bandwidth, {bandwidth.at}"
    elif shape is not None and shape.rate_bps is not None:
        rate_bps, said = shape.rate_bps, f"shape, {shape.at}"
    else:
        return None
    return exact("class_rate_bps", rate_bps, Basis.CONFIGURED, said)


def _of_percent(outlet: Outlet, each: PolicyClass) -> Input | None:
    base_bps, bandwidth = outlet.admission_bps, each.bandwidth
    if base_bps is None or bandwidth is None:
        return None
    said = f"bandwidth {bandwidth.unit} {bandwidth.amount:g}, {bandwidth.at}"
    if bandwidth.unit is Unit.REMAINING_PERCENT:
        priority = [outlet.priority_bps(one) for one in outlet.llq_classes]
        if None in priority:
            return None
        base_bps -= sum(rate for rate in priority if rate is not None)
    elif bandwidth.unit is not Unit.PERCENT:
        return None
    rate_bps = base_bps * ratio_from_percent(bandwidth.amount)
    return exact("class_rate_bps", rate_bps, Basis.CONFIGURED, said) if rate_bps > 0 else None


def _reserved_bps(outlet: Outlet, each: PolicyClass) -> float | None:
    if each.priority is not None:
        return outlet.priority_bps(each)
    if each.bandwidth is None:
        return 0.0
    rate = class_rate(outlet, each)
    return rate.value if rate is not None else None


def _mean_packet(device: Device, outlet: Outlet, each: PolicyClass) -> Input:
    for offer in offers_of(outlet, device.traffic):
        if offer.class_name == each.name and offer.sizes:
            mean_bytes = offer.mean_ip_bytes
            return exact(f"mean_ip_bytes of {each.name}", mean_bytes, offer.basis, offer.source)
    return _assumed_packet(each)


def _assumed_packet(each: PolicyClass) -> Input:
    low, high = float(SMALLEST_MEAN_BYTES), float(LARGEST_MEAN_BYTES)
    name = f"mean_ip_bytes of {each.name}"
    return Input(name, (low + high) / 2, low, high, Basis.ASSUMED, "TCP: 576 to full-size packets")
