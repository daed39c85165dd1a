"""What each class of an output offers: measured, else stated by the user, else assumed."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.outlet.measured import MeasuredClass
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis, Input
from advisor.settings.values import PacketShare, Traffic

IMIX = ((40, 7), (576, 4), (1500, 1))  # IP bytes and their parts of the packets
IMIX_MEAN_BYTES = 340


class Offer(Struct, frozen=True):
    """Traffic of one class. `packets_per_second` None: it always has packets waiting.

    `weight` is its part of the packets among classes that always have some waiting. `mean_only`
    is set where `sizes` is but the measured mean of sizes that are not known.
    """

    class_name: str
    is_llq: bool
    sizes: tuple[PacketShare, ...]
    packets_per_second: float | None
    streams: int
    periodic: bool
    source: str
    basis: Basis = Basis.CONFIGURED
    weight: float = 1.0
    mean_only: bool = False

    @property
    def mean_ip_bytes(self) -> float:
        return sum(size.ip_bytes * size.share for size in self.sizes)


def offers_of(
    outlet: Outlet, traffic: tuple[Traffic, ...], *, congested: bool = False
) -> tuple[Offer, ...]:
    """Offers of the classes of an output; a class of which nothing is known has none.

    What was measured wins over what is stated, but for what cannot be measured: whether a class
    is of periodic streams, and of how many.

    Parameters
    ----------
    outlet : Outlet
        The output, with what was measured of it.
    traffic : tuple of Traffic
        The user's statements for the device.
    congested : bool
        Whether to speak of the congested case: then measured lower classes always have packets
        waiting, in the proportion in which they were carried.
    """
    measured = {each.name: each for each in outlet.measured}
    priority = {each.name for each in outlet.llq_classes}
    names = {each.name for each in outlet.queueing.classes} | {CLASS_DEFAULT}
    stated = list(
        _tcp_once(each for each in traffic if speaks_of(each, outlet) and _says_enough(each))
    )
    weights = _weights([each for each in outlet.measured if each.name not in priority])
    offers = [
        _stated_offer(each, is_llq=each.class_name in priority, weights=weights)
        for each in stated
        if each.class_name not in measured
    ]
    for name in sorted(names & measured.keys()):
        said = next((each for each in stated if each.class_name == name), None)
        is_llq = name in priority
        offer = _measured_offer(measured[name], said, is_llq=is_llq, saturated=congested)
        offers.append(replace(offer, weight=weights.get(name, 1.0)))
    return tuple(offers)


def _stated_offer(each: Traffic, *, is_llq: bool, weights: dict[str, float]) -> Offer:
    return Offer(
        class_name=each.class_name,
        is_llq=is_llq,
        sizes=each.sizes,
        packets_per_second=None if each.arrivals == "saturated" else each.packets_per_second,
        streams=each.streams,
        periodic=each.arrivals == "periodic",
        source=each.source,
        weight=max(weights.values(), default=1.0),
    )


def _measured_offer(
    known: MeasuredClass, said: Traffic | None, *, is_llq: bool, saturated: bool
) -> Offer:
    # of the LLQ what its policer dropped never reaches the ring
    per_s = known.carried_packets_per_s if is_llq else known.offered_packets_per_s
    return Offer(
        class_name=known.name,
        is_llq=is_llq,
        sizes=(PacketShare(round(known.mean_ip_bytes), 1.0),),
        packets_per_second=None if saturated and not is_llq else per_s,
        streams=said.streams if said is not None else 1,
        periodic=said is not None and said.arrivals == "periodic",
        source=str(known.at),
        basis=Basis.MEASURED,
        mean_only=True,
    )


def _weights(lower: list[MeasuredClass]) -> dict[str, float]:
    """Proportion of packets: as they are carried now, else as they were offered so far."""
    if any(each.carried_packets_per_s for each in lower):
        return {each.name: each.carried_packets_per_s or 0.0 for each in lower}
    return {each.name: float(each.packets) for each in lower}


def speaks_of(traffic: Traffic, outlet: Outlet) -> bool:
    """Whether a statement names a class of this output."""
    names = {each.name for each in outlet.queueing.classes} | {CLASS_DEFAULT}
    return traffic.class_name in names and _is_for(traffic, outlet)


def _says_enough(traffic: Traffic) -> bool:
    """Whether sizes are stated, or that there is nothing; else the class stays assumed."""
    return bool(traffic.sizes) or traffic.packets_per_second == 0


def _tcp_once(stated: Iterable[Traffic]) -> Iterator[Traffic]:
    """Statements with all TCP groups of a class as one: together they keep its queue busy."""
    seen = set()
    for each in stated:
        key = (each.class_name, each.sizes)
        if each.tcp is None:
            yield each
        elif key not in seen:
            seen.add(key)
            yield each


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
    busy = [each for each in offers if each.packets_per_second != 0 or each.mean_only]
    if not busy or not all(each.sizes and not each.mean_only for each in busy):
        return None
    ceiling = outlet.largest_ip_bytes
    return tuple({min(size.ip_bytes, ceiling) for each in busy for size in each.sizes})


def unstated_classes(outlet: Outlet, offers: tuple[Offer, ...]) -> tuple[str, ...]:
    """Lower classes, class-default among them, of which nothing is known."""
    lower = {each.name for each in outlet.queueing.classes if each.priority is None}
    known = {each.class_name for each in offers if not each.is_llq}
    return tuple(sorted((lower | {CLASS_DEFAULT}) - known))


def background_mixes(outlet: Outlet) -> tuple[tuple[PacketShare, ...], ...]:
    """Corners of what unstated lower classes send: the IMIX (or the measured mean), and the MTU."""
    mean, largest = background_input(outlet), outlet.largest_ip_bytes
    low: tuple[PacketShare, ...] = (PacketShare(round(mean.low), 1.0),)
    if mean.basis is Basis.ASSUMED:
        total = sum(weight for _, weight in IMIX)
        low = tuple(PacketShare(min(size, largest), weight / total) for size, weight in IMIX)
    return low, (PacketShare(largest, 1.0),)


def background_input(outlet: Outlet) -> Input:
    """Mean packet of lower classes of which nothing is known: between IMIX and the MTU.

    Where the mean of all packets of the busy link was measured, that is the low end: the LLQ's
    own, which are counted in it, are smaller.
    """
    largest, measured = float(outlet.largest_ip_bytes), outlet.measured_mean
    low, basis, kind = min(float(IMIX_MEAN_BYTES), largest), Basis.ASSUMED, None
    source = "lower class saturated; IMIX 7:4:1 to full-size packets"
    if measured is not None:
        low, basis, kind = min(measured.value, largest), Basis.MEASURED, measured.kind
        source = f"lower class saturated; {measured.source}, to full-size packets"
    mean = (low + largest) / 2
    return Input("background_mean_ip_bytes", mean, low, largest, basis, source, kind)
