"""What each class of an output offers: stated by the user, or taken for granted and said so."""

from dataclasses import dataclass
from fnmatch import fnmatchcase

from advisor.predict.outlet import Outlet
from advisor.predict.quantity import Basis, Input
from advisor.settings import PacketShare, Traffic

IMIX_MEAN_BYTES = 340  # 7:4:1 of 40, 576 and 1500 bytes


@dataclass(frozen=True, slots=True)
class Offer:
    """Traffic of one class. `packets_per_second` None: it always has packets waiting."""

    class_name: str
    is_llq: bool
    sizes: tuple[PacketShare, ...]
    packets_per_second: float | None
    streams: int
    periodic: bool
    source: str

    @property
    def mean_ip_bytes(self) -> float:
        return sum(size.ip_bytes * size.share for size in self.sizes)


def offers_of(outlet: Outlet, traffic: tuple[Traffic, ...]) -> tuple[Offer, ...]:
    """Offers stated for the classes of an output. Classes without a statement have no offer."""
    priority = {each.name for each in outlet.llq_classes}
    names = [each.name for each in outlet.queueing.classes]
    names += [] if "class-default" in names else ["class-default"]
    return tuple(
        Offer(
            class_name=each.class_name,
            is_llq=each.class_name in priority,
            sizes=each.sizes,
            packets_per_second=None if each.arrivals == "saturated" else each.packets_per_second,
            streams=each.streams,
            periodic=each.arrivals == "periodic",
            source=each.source,
        )
        for each in traffic
        if each.class_name in names and _is_for(each, outlet)
    )


def _is_for(traffic: Traffic, outlet: Outlet) -> bool:
    names = {outlet.interface.name, outlet.interface.parent or outlet.interface.name}
    if outlet.bundle is not None:
        names.add(outlet.bundle.name)
    return any(fnmatchcase(name, traffic.interface) for name in names)


def ring_sizes(offers: tuple[Offer, ...], outlet: Outlet) -> tuple[int, ...] | None:
    """IP sizes of all packets that can stand in the ring; None where they are not all stated."""
    lower = [each for each in offers if not each.is_llq]
    names = {each.name for each in outlet.queueing.classes if each.priority is None}
    if not lower or not names <= {each.class_name for each in lower}:
        return None
    busy = [each for each in offers if each.packets_per_second != 0]
    if not busy or not all(each.sizes for each in busy):
        return None
    ceiling = outlet.largest_ip_bytes
    return tuple({min(size.ip_bytes, ceiling) for each in busy for size in each.sizes})


def background_input(outlet: Outlet) -> Input:
    """Mean packet of lower classes of which nothing is stated: between IMIX and the MTU."""
    largest = float(outlet.largest_ip_bytes)
    low = min(float(IMIX_MEAN_BYTES), largest)
    source = "lower class saturated; IMIX 7:4:1 to full-size packets"
    return Input(
        "background_mean_ip_bytes", (low + largest) / 2, low, largest, Basis.ASSUMED, source
    )
