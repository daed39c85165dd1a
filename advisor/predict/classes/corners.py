"""Expands the unknown inputs of an output into model cases at their low and high ends."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from advisor.outlet.class_service import SPARSE_LOW_BYTES
from advisor.outlet.offer import Offer
from advisor.outlet.ring import RingType
from advisor.outlet.scheduler import OutputScheduler, scheduler_of
from advisor.predict.classes import (
    Demand,
    End,
    Question,
    World,
    class_names,
    filling_of,
    mean_bytes,
    sizes_in,
    traffic_in,
)
from advisor.quantity import Basis, are_apart
from advisor.theory.interface import (
    Excess,
    Fragmentation,
    Interface,
    Refill,
    RingUnit,
    Shaper,
    TxRing,
    wire_ms,
)
from advisor.theory.ring import Ring, Size, sparse_wait_ms

IDLE_RING = RingType("packets", None, 0, 1)  # behind a shaper: the model replaces it


class Corner(Struct, frozen=True, cache_hash=True):
    """One interface; `counts` is false if it only widens the interval and is not in the value.

    `for_llq` is set if it says nothing about the lower classes, which are never empty there.
    `is_mixed` if it is the widest mix of sizes, whose mean alone is known.
    """

    interface: Interface
    counts: bool = True
    for_llq: bool = False
    is_mixed: bool = False


def corners(question: Question, demand: Demand) -> tuple[Corner, ...]:
    """Interfaces whose results enclose those of the output.

    Ring type and limit, framing and packet sizes give many worlds: the two are kept in which an
    LLQ packet waits least and longest. Those in which the lower classes load the wire least and
    most widen the interval: with a ring of particles they may be others. Where nobody states the
    packets of the lower classes, only full-size ones are in the value. An LLQ of unknown rate
    fills its `priority`; a sparse probe widens the interval. Each rule for the rate that no class
    reserves is a corner where the platform leaves it open, and so are the two ways in which tokens
    may come to a shaper. Measured rates do not show bursts: for the LLQ, the widest burst is a
    lower class that is never empty. What the `police` of a lower class passes is even in the value,
    and in bursts in the interval and in the bounds.
    """
    worlds, others = _extremes(question, demand)
    schedulers = scheduler_of(question.outlet, question.platform)
    lower = {offer.class_name for offer in demand.offers if not offer.is_llq}
    if len(lower) < 2:  # noqa: PLR2004 -- nothing to divide
        schedulers = schedulers[:1]
    fills = _fills(question, demand)
    expanded = [
        corner
        for chosen, counts in ((worlds, True), (others, False))
        for world, scheduler, filled in product(chosen, schedulers, fills)
        for corner in _even_and_bursts(
            question,
            demand,
            replace(world, filled=filled),
            scheduler,
            counts and filled is fills[0],
        )
    ]
    measured = any(offer.basis is Basis.MEASURED and not offer.is_llq for offer in demand.offers)
    if measured and question.load_percent is None:
        bursts = replace(demand, offers=tuple(_never_empty(offer) for offer in demand.offers))
        expanded += (
            Corner(
                interface_in(question, bursts, worlds[-1], scheduler.excess),
                counts=False,
                for_llq=True,
            )
            for scheduler in schedulers
        )
    expanded += [stepped for item in expanded if (stepped := _in_steps(item)) is not None]
    return tuple(dict.fromkeys(expanded))


def _even_and_bursts(
    question: Question, demand: Demand, world: World, scheduler: OutputScheduler, counts: bool
) -> Iterator[Corner]:
    """A world with what policers pass evenly spaced; where there is such, in bursts too."""
    even, in_bursts = (
        interface_in(question, demand, replace(world, in_bursts=item), scheduler.excess)
        for item in (False, True)
    )
    yield Corner(even, counts, is_mixed=world.widest)
    if in_bursts != even:
        yield Corner(in_bursts, counts=False, is_mixed=world.widest)


def _in_steps(corner: Corner) -> Corner | None:
    """The corner whose smooth shapers get Bc at each Tc; None where no shaper is smooth.

    No public text says how QFP refills a shaper. A packet waits least if tokens come as time goes
    and it goes as soon as its own are there; most if they come once in a Tc. A shaper that pays a
    debt, which is a wire of its rate, lies between. No one of them is the value: it is their mean,
    as that of the ends of any input that is not known.
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
    """Whether an LLQ of unknown rate fills its `priority`: the first one is in the value."""
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


def _extremes(question: Question, demand: Demand) -> tuple[tuple[World, ...], tuple[World, ...]]:
    """The worlds of the value, that of the longest wait last, and others that widen the interval.

    The wait is that of a sparse LLQ by the closed form. The value is that of the longest wait: no
    router is between two that a platform may be. Two are in it where rings are apart, or where only
    a mean of sizes is known. The others have the least wait, or the least and most work of the
    lower classes.
    """
    worlds, before_ring = list(_worlds(question, demand)), question.before_ring
    waits_ms: dict[World, float] = {}
    work: dict[World, tuple[float, float]] = {}
    for world in worlds:
        lower = _lower_packets(before_ring, demand, replace(world, limit=IDLE_RING.minimum))
        waits_ms[world] = _sparse_ms(question, lower, world)
        lower_ms = sum(size.packets_per_ms * size.wire_ms for size in lower)
        work[world] = lower_ms, waits_ms[world]
    full_size = [world for world in worlds if world.packets is End.HIGH]
    longest = max(full_size, key=waits_ms.__getitem__)
    shortest = min(
        (world for world in full_size if _differs_in_ring(world, longest)),
        key=waits_ms.__getitem__,
    )
    by_wait = (min(worlds, key=waits_ms.__getitem__), max(worlds, key=waits_ms.__getitem__))
    by_work = (min(worlds, key=work.__getitem__), max(worlds, key=work.__getitem__))
    valued = list(by_wait) if any(world.widest for world in by_wait) else [longest]
    if are_apart(waits_ms[shortest], waits_ms[longest]):
        valued = [shortest, longest]
    ends = dict.fromkeys((*by_wait, *by_work))
    others = (world for world in ends if world not in valued)
    return tuple(dict.fromkeys(valued)), tuple(others)


def _differs_in_ring(world: World, other: World) -> bool:
    """Whether worlds differ at most in the limit and the unit of the ring."""
    same = replace(world, limit=other.limit, kind=other.kind)
    return same == other and world.kind.beside_wire == other.kind.beside_wire


def _worlds(question: Question, demand: Demand) -> Iterator[World]:
    outlet, framing = question.outlet, question.outlet.encapsulation
    ring = None if outlet.ring_idle else outlet.ring
    empty = any(not offer.is_llq and not offer.sizes for offer in demand.offers)
    mean_only = any(offer.mean_only for offer in demand.offers)
    for limit, kind, frame, end, widest in product(
        dict.fromkeys((ring.limit_low, ring.limit_high) if ring else (1,)),
        ring.types if ring else (IDLE_RING,),
        dict.fromkeys((framing.low, framing.high)) if framing else (),
        tuple(End) if empty else (End.HIGH,),
        (False, True) if mean_only else (False,),
    ):
        yield World(limit, kind, frame, end, widest)


def _sparse_ms(question: Question, lower: tuple[Size, ...], world: World) -> float:
    if sum(size.packets_per_ms for size in lower) <= 0:
        return wire_ms(SPARSE_LOW_BYTES, world.framing, question.wire_bps)
    return sparse_wait_ms(Ring(world.limit, world.kind.beside_wire), lower)


@lru_cache(maxsize=64)
def _lower_packets(question: Question, demand: Demand, world: World) -> tuple[Size, ...]:
    """Packets of the lower classes; only the ratio of their rates has a meaning.

    They are the same for all limits of the ring.
    """
    return tuple(
        Size(
            (offer.packets_per_second or offer.weight) * size.share,
            wire_ms(size.ip_bytes, world.framing, question.wire_bps),
            world.kind.units(size.ip_bytes, world.framing),
        )
        for offer in demand.offers
        if not offer.is_llq
        for size in sizes_in(question.outlet, offer, world)
    )


def interface_in(question: Question, demand: Demand, world: World, excess: Excess) -> Interface:
    """The output in one world: wire, ring, queues and the traffic of all offers."""
    same = replace(world, limit=IDLE_RING.minimum, kind=IDLE_RING)
    found = _before_ring(question.before_ring, demand, same, excess)
    return replace(found, ring=_ring(world))


@lru_cache(maxsize=64)
def _before_ring(question: Question, demand: Demand, world: World, excess: Excess) -> Interface:
    """The output in all worlds that differ in the ring."""
    scheduler = OutputScheduler(question.outlet, question.platform, excess)
    names = class_names(question.outlet)
    means = {name: mean_bytes(question.outlet, demand, name, world.packets) for name in names}
    return Interface(
        rate_bps=question.wire_bps,
        framing=world.framing,
        ring=_ring(world),
        queues=scheduler.queues(names, world.framing, means),
        traffic=traffic_in(question, demand, world, scheduler),
        fragmentation=_fragmentation(question, world),
        shaper=scheduler.buckets.line_shaper(world.framing),
        members_bps=question.outlet.members_bps,
        excess=excess,
    )


def _ring(world: World) -> TxRing:
    size = world.kind.particle_bytes
    if size is None:
        return TxRing(world.limit, RingUnit.PACKETS, beside_wire=world.kind.beside_wire)
    return TxRing(world.limit, RingUnit.PARTICLES, size, world.kind.beside_wire)


def _fragmentation(question: Question, world: World) -> Fragmentation | None:
    stated = question.outlet.fragment_bytes
    if stated is None:
        return None
    return Fragmentation(max(1, int(stated.value)), world.framing.overhead_bytes)
