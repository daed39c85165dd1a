"""The ring behind an output: its bound, and the inputs of its prediction."""

from collections.abc import Sequence
from functools import lru_cache
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.ground.questions import question
from advisor.model import Framing, wire_ms
from advisor.outlet.background import background_input, ring_sizes, unstated_classes
from advisor.outlet.class_service import class_packet
from advisor.outlet.framing import Encapsulation
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingFact, RingType
from advisor.settings import PacketShare
from advisor.theory.ring import Ring, Size, bound_ms, deepest_limit

# Packet sizes of an offer with only its mean known.

_SMALLEST_BYTES = 40  # a TCP acknowledgement


def spread(offer: Offer, widest_ip_bytes: int | None) -> tuple[PacketShare, ...]:
    """Sizes of an offer; a lower class with a measured mean may get the widest mix."""
    if widest_ip_bytes is None or not offer.mean_only or offer.is_llq:
        return offer.sizes
    mean = offer.mean_ip_bytes
    if not _SMALLEST_BYTES < mean < widest_ip_bytes:
        return offer.sizes
    share = (mean - _SMALLEST_BYTES) / (widest_ip_bytes - _SMALLEST_BYTES)
    return (PacketShare(_SMALLEST_BYTES, 1 - share), PacketShare(widest_ip_bytes, share))


# Says where a class of the counted policy is not understood: its measurements are not used.


def unread_inputs(outlet: Outlet) -> tuple[Input, ...]:
    """Say that the counted policy is not used, and for which classes."""
    names = outlet.unread_classes
    if not names:
        return ()
    source = (
        f"not understood in show policy-map interface: {', '.join(names)}; no measured rate or "
        f"packet size of policy {outlet.queueing.name} is used"
    )
    return (exact("unread_classes", float(len(names)), Basis.MEASURED, source),)


# Inputs of the prediction of an output: what is configured, measured, stated or assumed.


def given_inputs(
    outlet: Outlet, framing: Encapsulation, offers: tuple[Offer, ...], *, unstated: bool
) -> tuple[Input, ...]:
    """Inputs of a prediction without the ring; `unstated`: lower classes were assumed."""
    inputs = [known for known in (outlet.wire, outlet.mtu) if known is not None]
    inputs.append(framing.overhead_input)
    inputs += unread_inputs(outlet)
    if outlet.fragment_bytes is not None:
        source = f"LFI, {outlet.fragment_bytes.at}"
        inputs.append(
            exact("fragment_bytes", outlet.fragment_bytes.value, Basis.CONFIGURED, source)
        )
    if outlet.most_pieces > 1:
        source = "MLPPP without a fragment size: whole, or a fragment a link (contested)"
        pieces = float(outlet.most_pieces)
        inputs.append(Input("fragments_per_packet", 1, 1, pieces, Basis.DEFAULT, source))
    sized = dict.fromkeys(offer.class_name for offer in offers if offer.sizes)
    inputs += (class_packet(outlet, offers, name) for name in sized)
    for offer in offers:
        if offer.packets_per_second is not None:
            name = f"packets_per_second of {offer.class_name}"
            inputs.append(exact(name, offer.packets_per_second, offer.basis, offer.source))
    return (*inputs, *_assumed_packets(outlet, offers)) if unstated else tuple(inputs)


def _assumed_packets(outlet: Outlet, offers: tuple[Offer, ...]) -> tuple[Input, ...]:
    """Mean packets of lower classes without known traffic; classes under WRED have their own."""
    names = unstated_classes(outlet, offers)
    classes = {name: outlet.class_named(name) for name in names}
    data = [
        name
        for name, policy_class in classes.items()
        if policy_class is not None and policy_class.wred is not None
    ]
    packets = [class_packet(outlet, offers, name) for name in data]
    others = [background_input(outlet)] if len(data) < len(names) else []
    return (*packets, *others)


# Longest time that a ring delays an LLQ packet, and the deepest ring that meets a budget.

_NO_RING = "the transmit ring is not known: this output, or its platform, has none that is known"
SLOW_LINK_BPS = 128_000  # at and below: ring 1, whatever the budget (test of tx-ring-limit, 2800)


class Bound(Struct, frozen=True):
    """Longest wait in ms over the unknown inputs of platform and overhead."""

    low_ms: float
    high_ms: float


class RingView(Struct, frozen=True):
    """All that ring bounds of an output need; made only where rate, ring and framing are known.

    `sizes` are the sizes of all packets that can be in the ring. None: only the largest is known,
    and the worst ring is full of packets of that size.
    """

    outlet: Outlet
    types: tuple[RingType, ...]
    encapsulation: Encapsulation
    rate_bps: float
    largest_ip_bytes: int
    sizes: tuple[int, ...] | None
    minimum: int
    most_pieces: int = 1  # of a packet; the low end of a bound is of the least pieces

    def bound(self, limit: int, limit_high: int | None = None) -> Bound:
        """Bound of a ring limit, or of a limit known as an interval."""
        sizes, deepest = self.sizes or (self.largest_ip_bytes,), limit_high or limit
        framings = self.encapsulation.low, self.encapsulation.high
        return _bound(
            self.types, framings, self.rate_bps, (sizes, self.most_pieces), (limit, deepest)
        )


def longest_wait_ms(
    kind: RingType, limit: int, sizes: Sequence[int], framing: Framing, rate_bps: float
) -> float:
    """Longest wait in ms behind a ring of packets of these IP sizes."""
    packets = [
        Size(0.0, wire_ms(size, framing, rate_bps), kind.units(size, framing)) for size in sizes
    ]
    return bound_ms(Ring(limit, kind.beside_wire), packets)


@lru_cache(maxsize=1 << 12)  # a search for a limit, and each proof, asks for the same ones again
def _bound(
    types: tuple[RingType, ...],
    framings: tuple[Framing, Framing],
    rate_bps: float,
    packets: tuple[tuple[int, ...], int],
    limits: tuple[int, int],
) -> Bound:
    (least, most), (low, high), (sizes, pieces) = framings, limits, packets
    cut = tuple(ceil(size / pieces) for size in sizes)
    lows = [longest_wait_ms(kind, low, cut, least, rate_bps) for kind in types]
    highs = [longest_wait_ms(kind, high, sizes, most, rate_bps) for kind in types]
    return Bound(min(lows), max(highs))


def largest_in_ring(outlet: Outlet, offers: tuple[Offer, ...]) -> int:
    """IP bytes of the largest packet that can be in the ring: stated, else the largest sent."""
    sizes = ring_sizes(offers, outlet)
    return max(sizes) if sizes else outlet.largest_ip_bytes


@question(1024)
def ring_view(outlet: Outlet, offers: tuple[Offer, ...]) -> RingView | Unknown:
    """The view of an output, or the reason why its ring cannot be judged."""
    if outlet.wire is None:
        return Unknown(outlet.why_rate_unknown)
    if outlet.encapsulation is None:
        return Unknown("the encapsulation is not known")
    if outlet.ring is None:
        return Unknown(outlet.why_unread or _NO_RING)
    if outlet.why_fragment_unknown is not None:
        return Unknown(outlet.why_fragment_unknown)
    sizes = ring_sizes(offers, outlet)
    largest = largest_in_ring(outlet, offers)
    framing = outlet.encapsulation.high
    per_packet = max(kind.units(largest, framing) for kind in outlet.ring.types)
    return RingView(
        outlet=outlet,
        types=outlet.ring.types,
        encapsulation=outlet.encapsulation,
        rate_bps=outlet.wire.value,
        largest_ip_bytes=largest,
        sizes=sizes,
        minimum=max(outlet.ring.minimum, per_packet),
        most_pieces=outlet.most_pieces,
    )


class RingAdvice(Struct, frozen=True):
    """The ring to set: N* of the rules.

    `meets` is true if the high end of its bound is within the budget, false if even the low end is
    over the budget, None if only the low end is within.
    """

    limit: int
    meets: bool | None
    bound: Bound

    def shortens(self, ring: RingFact) -> bool | None:
        """Whether the limit is shorter than the ring in force; None where that is not known."""
        if ring.limit_high <= self.limit:
            return False
        return True if ring.limit_low > self.limit else None


def advise_ring(view: RingView, budget_ms: float) -> RingAdvice:
    """The largest limit whose bound meets the budget; else the one nearest to it.

    The largest with its high end within; if none, the largest with its low end within, of whole
    packets; if none, the minimum. At 128 kb/s and below the minimum of a packet ring, whatever the
    budget.
    """
    packets = all(kind.particle_bytes is None for kind in view.types)
    if packets and view.rate_bps <= SLOW_LINK_BPS:
        return _judged(view, view.minimum, budget_ms)
    sure = deepest_limit(budget_ms, view.minimum, lambda limit: view.bound(limit).high_ms)
    if sure is not None:
        return _judged(view, sure, budget_ms)
    whole = replace(view, most_pieces=1)
    possible = deepest_limit(budget_ms, view.minimum, lambda limit: whole.bound(limit).low_ms)
    return _judged(view, possible if possible is not None else view.minimum, budget_ms)


def _judged(view: RingView, limit: int, budget_ms: float) -> RingAdvice:
    bound = view.bound(limit)
    if bound.high_ms <= budget_ms:
        return RingAdvice(limit, meets=True, bound=bound)
    return RingAdvice(limit, meets=None if bound.low_ms <= budget_ms else False, bound=bound)
