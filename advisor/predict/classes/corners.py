"""Expands the unknown inputs of an output into model cases at their low and high ends.

A predicted figure has a *value* and an *interval*. The value is the mean over some corners; the
others only widen the interval.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Basis, are_apart
from advisor.model import (
    Excess,
    Fragmentation,
    Interface,
    Refill,
    RingUnit,
    Shaper,
    TxRing,
    wire_ms,
)
from advisor.outlet.class_service import SPARSE_LOW_BYTES
from advisor.outlet.framing import FRF12_HEADER_BYTES, Layer2
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingType
from advisor.outlet.scheduler import OutputScheduler, scheduler_of
from advisor.predict.classes import (
    Demand,
    End,
    InputChoice,
    Question,
    class_names,
    filling_of,
    mean_bytes,
    sizes_in,
    traffic_in,
)
from advisor.theory.ring import Ring, Size, sparse_wait_ms

IDLE_RING = RingType("packets", None, 0, 1)  # behind a shaper: the model replaces it


class Corner(Struct, frozen=True, cache_hash=True):
    """One case of the model; `counts` is false if it only widens the interval.

    `for_llq`: valid for the LLQ only, as the lower classes are assumed never empty. `is_mixed`: it
    has the widest mix of packet sizes, as only their mean is known.
    """

    interface: Interface
    counts: bool = True
    for_llq: bool = False
    is_mixed: bool = False


def corners(question: Question, demand: Demand) -> tuple[Corner, ...]:
    """Interfaces whose results enclose those of the output.

    - Ring type, ring limit, framing and packet sizes: of all choices, those with the shortest and
      the longest wait of an LLQ packet, and those with the least and most load of the lower classes
      (with a ring of particles they may differ). Unstated packet sizes of lower classes are full
      size in the value.
    - Bytes around calls, where not all is known: the most in the value.
    - Bytes that a shaper counts, where no source says which headers are in them: those of the
      platform's other figures in the value, both ends in the interval.
    - LLQ of unknown rate: it fills its `priority` in the value; a sparse probe widens the interval.
    - Excess bandwidth, and the refill of a shaper: one corner for each rule that the platform may
      have.
    - Measured rates do not show bursts: for the LLQ, a lower class that is never empty stands for
      the largest burst.
    - Packets behind the `police` of a lower class: evenly spaced in the value, in bursts in the
      interval and in the bounds.
    """
    choices, others = _by_counted_bytes(question.outlet, *_extremes(question, demand))
    schedulers = scheduler_of(question.outlet, question.platform)
    lower = {offer.class_name for offer in demand.offers if not offer.is_llq}
    if len(lower) < 2:  # noqa: PLR2004 -- nothing to divide
        schedulers = schedulers[:1]
    fills = _fills(question, demand)
    leasts = (False, True) if any(offer.least_sizes for offer in demand.offers) else (False,)
    expanded = [
        corner
        for chosen, counts in ((choices, True), (others, False))
        for choice, scheduler, filled, least in product(chosen, schedulers, fills, leasts)
        for corner in _even_and_bursts(
            question,
            demand,
            replace(choice, filled=filled, is_least=least),
            scheduler,
            counts and filled is fills[0] and not least,
        )
    ]
    measured = any(offer.basis is Basis.MEASURED and not offer.is_llq for offer in demand.offers)
    if measured and question.load_percent is None:
        bursts = replace(demand, offers=tuple(_never_empty(offer) for offer in demand.offers))
        expanded += (
            Corner(
                interface_in(question, bursts, choices[-1], scheduler.excess),
                counts=False,
                for_llq=True,
            )
            for scheduler in schedulers
        )
    expanded += [stepped for item in expanded if (stepped := _in_steps(item)) is not None]
    return tuple(dict.fromkeys(expanded))


def _even_and_bursts(
    question: Question,
    demand: Demand,
    choice: InputChoice,
    scheduler: OutputScheduler,
    counts: bool,
) -> Iterator[Corner]:
    """A corner with evenly spaced packets behind policers, and one with bursts if they differ."""
    even = interface_in(question, demand, choice, scheduler.excess)
    yield Corner(even, counts, is_mixed=choice.widest)
    if all(policy_class.police is None for policy_class in question.outlet.queueing.classes):
        return
    in_bursts = interface_in(question, demand, replace(choice, in_bursts=True), scheduler.excess)
    if in_bursts != even:
        yield Corner(in_bursts, counts=False, is_mixed=choice.widest)


def _in_steps(corner: Corner) -> Corner | None:
    """The corner whose smooth shapers get Bc at each Tc; None where no shaper is smooth.

    No public text says how QFP refills a shaper. A packet waits least if tokens arrive
    continuously, most if they arrive once in a Tc. A shaper that lends tokens, like a wire of its
    rate, lies between. The value is the mean of the two ends, as for any unknown input.
    """
    interface = corner.interface
    stepped = replace(
        interface,
        shaper=_stepped(interface.shaper),
        queues=tuple(replace(queue, shaper=_stepped(queue.shaper)) for queue in interface.queues),
    )
    if stepped == interface:
        return None
    return replace(corner, interface=stepped)


def _stepped(shaper: Shaper | None) -> Shaper | None:
    return None if shaper is None else replace(shaper, refill=Refill.PER_INTERVAL)


def _fills(question: Question, demand: Demand) -> tuple[bool, ...]:
    """Values of `InputChoice.filled` to try; the first one gives the value."""
    names = [
        offer.class_name
        for offer in demand.offers
        if offer.is_llq and offer.packets_per_second is None
    ]
    framing = question.outlet.encapsulation
    if framing is None or not any(filling_of(question, name, framing.low) for name in names):
        return (False,)
    return (True, False)


def _never_empty(offer: Offer) -> Offer:
    return offer if offer.is_llq else replace(offer, packets_per_second=None)


def _extremes(
    question: Question, demand: Demand
) -> tuple[tuple[InputChoice, ...], tuple[InputChoice, ...]]:
    """Choices for the value, that of the longest wait last, and those that widen the interval.

    Waits are those of a sparse LLQ, by the closed form. The choice of the longest wait gives the
    value: a real router is one of the candidates, not a mean of them. Two choices give it if the
    waits of possible rings lie far apart, or if only the mean of packet sizes is known. The
    interval is widened by the least wait, and by the least and most work of the lower classes.
    """
    choices, before_ring = list(_choices(question, demand)), question.before_ring
    waits_ms: dict[InputChoice, float] = {}
    work: dict[InputChoice, tuple[float, float]] = {}
    for choice in choices:
        lower = _lower_packets(before_ring, demand, replace(choice, limit=IDLE_RING.minimum))
        waits_ms[choice] = _sparse_ms(question, lower, choice)
        lower_ms = sum(size.packets_per_ms * size.wire_ms for size in lower)
        work[choice] = lower_ms, waits_ms[choice]
    full_size = [choice for choice in choices if choice.packets is End.HIGH]
    longest = max(full_size, key=waits_ms.__getitem__)
    shortest = min(
        (choice for choice in full_size if _differs_in_ring(choice, longest)),
        key=waits_ms.__getitem__,
    )
    by_wait = (min(choices, key=waits_ms.__getitem__), max(choices, key=waits_ms.__getitem__))
    by_work = (min(choices, key=work.__getitem__), max(choices, key=work.__getitem__))
    valued = list(by_wait) if any(choice.widest for choice in by_wait) else [longest]
    if are_apart(waits_ms[shortest], waits_ms[longest]):
        valued = [shortest, longest]
    ends = dict.fromkeys((*by_wait, *by_work))
    others = (choice for choice in ends if choice not in valued)
    return tuple(dict.fromkeys(valued)), tuple(others)


def _by_counted_bytes(
    outlet: Outlet, valued: tuple[InputChoice, ...], others: tuple[InputChoice, ...]
) -> tuple[tuple[InputChoice, ...], tuple[InputChoice, ...]]:
    """The choices at the bytes that a shaper is taken to count, and at both ends of them."""
    framing = outlet.encapsulation
    ends = () if framing is None else (framing.low.counted_bytes, framing.high.counted_bytes)
    if len(set(ends)) < 2 or outlet.line_bps >= outlet.wire_bps:  # noqa: PLR2004 -- two ends
        return valued, others
    at_ends = [_counting(choice, end) for choice in (*valued, *others) for end in ends]
    return tuple(_counting(choice, outlet.counted_bytes) for choice in valued), tuple(at_ends)


def _counting(choice: InputChoice, counted_bytes: int | None) -> InputChoice:
    return replace(choice, framing=replace(choice.framing, counted_bytes=counted_bytes))


def _differs_in_ring(choice: InputChoice, other: InputChoice) -> bool:
    """Whether choices differ at most in the limit and the unit of the ring."""
    same = replace(choice, limit=other.limit, kind=other.kind)
    return same == other and choice.kind.beside_wire == other.kind.beside_wire


def _choices(question: Question, demand: Demand) -> Iterator[InputChoice]:
    outlet, framing = question.outlet, question.outlet.encapsulation
    ring = None if outlet.ring_idle else outlet.ring
    empty = any(not offer.is_llq and not offer.sizes for offer in demand.offers)
    mean_only = any(offer.mean_only for offer in demand.offers)
    for limit, kind, frame, end, widest, pieces in product(
        dict.fromkeys((ring.limit_low, ring.limit_high) if ring else (1,)),
        ring.types if ring else (IDLE_RING,),
        dict.fromkeys((framing.low, framing.high)) if framing else (),
        tuple(End) if empty else (End.HIGH,),
        (False, True) if mean_only else (False,),
        dict.fromkeys((1, outlet.most_pieces)),
    ):
        yield InputChoice(limit, kind, frame, end, widest, pieces=pieces)


def _sparse_ms(question: Question, lower: tuple[Size, ...], choice: InputChoice) -> float:
    if sum(size.packets_per_ms for size in lower) <= 0:
        return wire_ms(SPARSE_LOW_BYTES, choice.framing, question.wire_bps)
    return sparse_wait_ms(Ring(choice.limit, choice.kind.beside_wire), lower)


@lru_cache(maxsize=64)
def _lower_packets(question: Question, demand: Demand, choice: InputChoice) -> tuple[Size, ...]:
    """Packets of the lower classes; only the ratio of their rates has a meaning.

    They are equal for all ring limits.
    """
    return tuple(
        Size(
            (offer.packets_per_second or offer.weight) * size.share,
            wire_ms(piece_bytes, choice.framing, question.wire_bps),
            choice.kind.units(piece_bytes, choice.framing),
        )
        for offer in demand.offers
        if not offer.is_llq
        for size in sizes_in(question.outlet, offer, choice)
        for piece_bytes in (ceil(size.ip_bytes / choice.pieces),)
    )


def interface_in(
    question: Question, demand: Demand, choice: InputChoice, excess: Excess
) -> Interface:
    """The model's interface for one choice: wire, ring, queues and the traffic of all offers."""
    same = replace(choice, limit=IDLE_RING.minimum, kind=IDLE_RING)
    found = _before_ring(question.before_ring, demand, same, excess)
    return replace(found, ring=_ring(choice))


@lru_cache(maxsize=64)
def _before_ring(
    question: Question, demand: Demand, choice: InputChoice, excess: Excess
) -> Interface:
    """The interface for all choices that differ in the ring only."""
    scheduler = OutputScheduler(question.outlet, question.platform, excess)
    names = class_names(question.outlet)
    means = {name: mean_bytes(question.outlet, demand, name, choice.packets) for name in names}
    return Interface(
        rate_bps=question.wire_bps,
        framing=choice.framing,
        ring=_ring(choice),
        queues=scheduler.queues(names, choice.framing, means),
        traffic=traffic_in(question, demand, choice, scheduler),
        fragmentation=_fragmentation(question, demand, choice),
        shaper=scheduler.buckets.line_shaper(choice.framing),
        members_bps=question.outlet.members_bps,
        excess=excess,
    )


def _ring(choice: InputChoice) -> TxRing:
    size = choice.kind.particle_bytes
    if size is None:
        return TxRing(choice.limit, RingUnit.PACKETS, beside_wire=choice.kind.beside_wire)
    return TxRing(choice.limit, RingUnit.PARTICLES, size, choice.kind.beside_wire)


def _fragmentation(question: Question, demand: Demand, choice: InputChoice) -> Fragmentation | None:
    """The size that is set; where none is, the largest piece of a packet of the lower classes."""
    stated = question.outlet.fragment_bytes
    if choice.pieces > 1:
        lower = (offer for offer in demand.offers if not offer.is_llq)
        sizes = [size for offer in lower for size in sizes_in(question.outlet, offer, choice)]
        whole = max((size.ip_bytes for size in sizes), default=question.outlet.largest_ip_bytes)
        return Fragmentation(ceil(whole / choice.pieces), choice.framing.overhead_bytes)
    if stated is None:
        return None
    kind = question.outlet.encapsulation and question.outlet.encapsulation.kind
    more = FRF12_HEADER_BYTES if kind is Layer2.FRAME_RELAY else 0
    return Fragmentation(max(1, int(stated.value)), choice.framing.overhead_bytes + more)
