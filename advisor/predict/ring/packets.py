"""Packets of the classes of an output, as ring and wire carry them in one case of the inputs."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingType
from advisor.outlet.scheduler import Scheduler
from advisor.quantity import Basis
from advisor.settings.values import PacketShare
from advisor.theory.ring.tx_ring import Ring, Size
from advisor.theory.wire import Framing, wire_ms
from advisor.units import s_from_ms

_SMALLEST_BYTES = 40  # a TCP acknowledgement
_LEAST_LEFT = 0.05  # of the wire, for classes that are never empty beside others that fill it

Mix = tuple[PacketShare, ...]


class RingCase(Struct, frozen=True):
    """One corner of the unknown inputs: ring type and limit, framing, scheduler, background.

    `background` has the packets of each lower class without known traffic.
    """

    ring: Ring
    kind: RingType
    framing: Framing
    scheduler: Scheduler
    background: tuple[tuple[str, Mix], ...] = ()
    widest_ip_bytes: int | None = None  # a mean is then a mix of the smallest and these packets

    @property
    def outlet(self) -> Outlet:
        return self.scheduler.outlet

    def packets(self, mix: Mix, per_ms: float, *, is_llq: bool) -> list[Size]:
        """Packets of a mix with so many of them per ms; LFI cuts those of the lower classes."""
        rate_bps = self.outlet.wire_bps
        return [
            Size(
                per_ms * size.share * number,
                wire_ms(ip_bytes, self.framing, rate_bps),
                self.kind.units(ip_bytes, self.framing),
            )
            for size in mix
            for ip_bytes, number in self._pieces(size.ip_bytes, is_llq=is_llq)
        ]

    def _pieces(self, ip_bytes: int, *, is_llq: bool) -> tuple[tuple[int, int], ...]:
        """IP bytes and number of the fragments of a packet."""
        fragment = self.outlet.fragment_bytes
        if fragment is None or is_llq or ip_bytes <= fragment.value:
            return ((ip_bytes, 1),)
        fragment_bytes = max(1, int(fragment.value))
        whole, rest_bytes = divmod(ip_bytes, fragment_bytes)
        return ((fragment_bytes, whole), *(((rest_bytes, 1),) if rest_bytes else ()))


def load(sizes: Sequence[Size]) -> float:
    """Part of the wire's time that packets take."""
    return sum(size.packets_per_ms * size.wire_ms for size in sizes)


def llq_packets(offers: Sequence[Offer], case: RingCase) -> list[Size]:
    """Packets that the LLQ is known to offer."""
    return [
        size
        for offer in offers
        if offer.is_llq and offer.packets_per_second
        for size in case.packets(offer.sizes, s_from_ms(offer.packets_per_second), is_llq=True)
    ]


def lower_packets(
    offers: Sequence[Offer], case: RingCase, llq_load: float
) -> tuple[list[Size], bool]:
    """Packets of the lower classes, and whether one of them is never empty.

    Classes that are never empty fill the wire. The scheduler divides their part by its shares;
    among classes that were measured, the packets that they carried do.
    """
    lower = [offer for offer in offers if not offer.is_llq]
    rated = [
        size
        for offer in lower
        if offer.packets_per_second
        for size in case.packets(
            spread(offer, case.widest_ip_bytes), s_from_ms(offer.packets_per_second), is_llq=False
        )
    ]
    never_empty = [offer for offer in lower if offer.packets_per_second is None]
    waiting = [size for group in _groups(never_empty, case) for size in group]
    if not waiting:
        return rated, False
    part = max(1 - llq_load - load(rated), _LEAST_LEFT) / load(waiting)
    waiting = [Size(size.packets_per_ms * part, size.wire_ms, size.units) for size in waiting]
    return [*rated, *waiting], True


def _groups(never_empty: Sequence[Offer], case: RingCase) -> Iterator[list[Size]]:
    """Packets of classes that are never empty, each group with its share of the scheduler."""
    shares = case.scheduler.shares()
    mixes: dict[str, list[Mix]] = {name: [mix] for name, mix in case.background}
    measured = [
        offer for offer in never_empty if offer.basis is Basis.MEASURED and offer.weight > 0
    ]
    for offer in never_empty:
        if offer not in measured:
            mixes.setdefault(offer.class_name, []).append(spread(offer, case.widest_ip_bytes))
    for name, own in mixes.items():
        weighted = [(mix, 1.0) for mix in own]
        yield _group(weighted, shares.get(name, 1.0), case)
    if measured:
        weighted = [(spread(offer, case.widest_ip_bytes), offer.weight) for offer in measured]
        names = {offer.class_name for offer in measured}
        yield _group(weighted, sum(shares.get(name, 1.0) for name in names), case)


def _group(weighted: Sequence[tuple[Mix, float]], share: float, case: RingCase) -> list[Size]:
    """Packets in the proportion of their weights that together have a share of the frame bytes."""
    frame_bytes = sum(
        weight * size.share * (size.ip_bytes + case.framing.overhead_bytes)
        for mix, weight in weighted
        for size in mix
    )
    return [
        size
        for mix, weight in weighted
        for size in case.packets(mix, weight * share / frame_bytes, is_llq=False)
    ]


def spread(offer: Offer, widest_ip_bytes: int | None) -> Mix:
    """Sizes of an offer; a lower class with a measured mean may get the widest mix."""
    if widest_ip_bytes is None or not offer.mean_only or offer.is_llq:
        return offer.sizes
    mean = offer.mean_ip_bytes
    if not _SMALLEST_BYTES < mean < widest_ip_bytes:
        return offer.sizes
    share = (mean - _SMALLEST_BYTES) / (widest_ip_bytes - _SMALLEST_BYTES)
    return (PacketShare(_SMALLEST_BYTES, 1 - share), PacketShare(widest_ip_bytes, share))
