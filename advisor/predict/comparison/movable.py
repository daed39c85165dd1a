"""The inputs of a prediction that may be others, each with the range in which it may be.

The packets of the class, their bursts, a rate of other times, the ring, a queue-limit, the line.
What an output or the configuration states is not moved.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Basis
from advisor.ground.units import (
    bps_from_bytes,
    bps_from_kbps,
    kbps_from_bps,
    ms_from_s,
    percent_from_ratio,
)
from advisor.outlet.class_service import class_packet
from advisor.outlet.measured import MeasuredClass
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_ring
from advisor.predict.classes import Question
from advisor.predict.comparison.rows import ComparedClass, ComparedMetric
from advisor.predict.what_if.moves import RING, Moves, moved
from advisor.settings import PacketShare, StatedBursts
from advisor.theory.ring import MAX_LIMIT

_STEPS: Final = 2  # of a range, at first
_LEAST_IP_BYTES: Final = 64.0
MOST_BURST: Final = 64.0
EVEN: Final = 0.0  # packets of a burst: none, they are evenly spaced
_LEAST_LOAD: Final = 1.0  # percent
_MOST_LOAD: Final = 150.0
_RATE_RATIO: Final = 4.0  # of a rate that is an average, and of a line whose rate is a label
_RING: Final = 64
_QUEUE: Final = (8.0, 1024.0)
_WHAT_IF: Final = "what if"


class Movable(Struct, frozen=True):
    """One input: its values from low to high, and the question with it."""

    key: str
    of: str
    unit: str
    used: float | None
    values: tuple[float, ...]
    ask: Callable[[float], Question]


def movable_inputs(subject: ComparedClass, metric: ComparedMetric) -> Iterator[Movable]:
    """The inputs that may be others than a figure of that kind was predicted with."""
    is_time = metric.is_time
    question, name = subject.question, subject.prediction.class_name
    own = [offer for offer in question.offers if offer.class_name == name and offer.sizes]
    lower = [offer for offer in question.offers if not offer.is_llq and offer.sizes]
    of_llq_delay = subject.prediction.is_priority and is_time
    yield from _sizes(question, lower if of_llq_delay else own)
    if metric is not ComparedMetric.JITTER:  # a probe sends its packets evenly spaced
        yield from _bursts(question, own)
    if is_time or metric is ComparedMetric.QUEUE:
        yield from _loads(question) if of_llq_delay else _rates(question, own)
        yield from _rings(question)
    yield from _limits(subject)
    yield from _lines(subject)


def _sizes(question: Question, offers: Sequence[Offer]) -> Iterator[Movable]:
    """Packets of one size that carry the same bits."""
    names = list(dict.fromkeys(offer.class_name for offer in offers))
    largest = float(question.outlet.largest_ip_bytes)
    if not names or largest <= _LEAST_IP_BYTES:
        return
    used = class_packet(question.outlet, question.offers, names[0]).value

    def ask(ip_bytes: float) -> Question:
        return _with(question, offers, lambda offer: _sized(question.outlet, offer, ip_bytes))

    values = _grid(_LEAST_IP_BYTES, largest)
    yield Movable(
        "packet_bytes", " and ".join(names), "bytes", used if len(names) == 1 else None, values, ask
    )


def _sized(outlet: Outlet, offer: Offer, ip_bytes: float) -> Offer:
    per_s, counted = offer.packets_per_second, outlet.counted_bytes
    if per_s is not None:
        per_s *= (offer.mean_ip_bytes + counted) / (round(ip_bytes) + counted)
    sizes = (PacketShare(round(ip_bytes), 1.0),)
    return replace(offer, sizes=sizes, mean_only=False, packets_per_second=per_s)


def _bursts(question: Question, own: Sequence[Offer]) -> Iterator[Movable]:
    """Packets that come evenly spaced, one by one, or together."""
    known = [offer for offer in own if offer.packets_per_second and not offer.has_streams]
    if not known or any(offer.pattern is not None for offer in known):
        return

    def burst(offer: Offer, packets: float) -> Offer:
        if packets == EVEN:
            return replace(offer, periodic=True, streams=1)
        return replace(offer, pattern=StatedBursts(round(packets), 0.0))

    def ask(packets: float) -> Question:
        return _with(question, known, lambda offer: burst(offer, packets))

    values = (EVEN, 2.0, 8.0, MOST_BURST)
    yield Movable("burst_packets", known[0].class_name, "packets", 1.0, values, ask)


def _rates(question: Question, own: Sequence[Offer]) -> Iterator[Movable]:
    """The rate of the class at the time of a probe: the known one is a mean of other times."""
    known = [offer for offer in own if offer.packets_per_second]
    used = sum(_kbps(question.outlet, offer) for offer in known)
    if not known:
        return

    def ask(kbps: float) -> Question:
        def scaled(offer: Offer) -> Offer:
            per_s = offer.packets_per_second or 0.0
            return replace(offer, packets_per_second=per_s * kbps / used)

        return _with(question, known, scaled)

    most = max(kbps_from_bps(question.line_bps), used)
    values = _grid(used / _RATE_RATIO, min(used * _RATE_RATIO, most))
    yield Movable("rate_kbps", known[0].class_name, "kb/s", used, values, ask)


def _kbps(outlet: Outlet, offer: Offer) -> float:
    frame_bytes = offer.mean_ip_bytes + outlet.counted_bytes
    return kbps_from_bps(
        bps_from_bytes(frame_bytes, ms_from_s(1)) * (offer.packets_per_second or 0)
    )


def _loads(question: Question) -> Iterator[Movable]:
    """The load of all lower classes together; those that are idle now have a part of it."""
    idle = [
        offer for offer in question.offers if not offer.is_llq and offer.packets_per_second == 0
    ]
    busy = _with(question, idle, lambda offer: replace(offer, packets_per_second=1.0))

    def ask(percent: float) -> Question:
        return replace(busy, load_percent=percent)

    values = _grid(_LEAST_LOAD, _MOST_LOAD)
    yield Movable("load", "the lower classes", "%", _load_percent(question), values, ask)


def _load_percent(question: Question) -> float | None:
    """Part of the line that the known rates of the lower classes take; None where one is not."""
    lower = [offer for offer in question.offers if not offer.is_llq]
    if any(offer.packets_per_second is None for offer in lower):
        return None
    kbps = sum(_kbps(question.outlet, offer) for offer in lower)
    return percent_from_ratio(bps_from_kbps(kbps) / question.line_bps)


def _rings(question: Question) -> Iterator[Movable]:
    ring = question.outlet.ring
    if (
        ring is None
        or question.outlet.ring_idle
        or ring.basis not in (Basis.DEFAULT, Basis.ASSUMED)
    ):
        return

    def ask(limit: float) -> Question:
        return replace(question, outlet=at_ring(question.outlet, round(limit), _WHAT_IF))

    most = min(max(_RING, ring.limit_high), MAX_LIMIT)
    used = float(ring.limit_high) if ring.limit_low == ring.limit_high else None
    unit, name = ring.unit_of(ring.limit_high), question.outlet.interface.name
    values = tuple(dict.fromkeys(map(float, map(round, _grid(ring.minimum, most)))))
    yield Movable(RING, name, unit, used, values, ask)


def _limits(subject: ComparedClass) -> Iterator[Movable]:
    """The queue-limit of the class, where it is a default."""
    name = subject.prediction.class_name
    for known in subject.prediction.inputs:
        is_own = known.name == f"queue_limit_packets of {name}"
        if is_own and known.basis is Basis.DEFAULT and not subject.outlet.is_fair(name):
            ask = _mover(subject, "queue-limit")
            yield Movable("queue-limit", name, "packets", known.value, _grid(*_QUEUE), ask)


def _lines(subject: ComparedClass) -> Iterator[Movable]:
    """The rate of the line, where only a label states it: it carries what was counted."""
    wire, members = subject.outlet.wire, subject.outlet.members
    if wire is not None and wire.is_label and members == 1:
        used = kbps_from_bps(wire.value)
        least = max(used / _RATE_RATIO, sum(map(_carried_kbps, subject.outlet.measured)))
        values = _grid(min(least, used), used * _RATE_RATIO)
        name = subject.outlet.interface.name
        yield Movable("bandwidth", name, "kb/s", used, values, _mover(subject, "bandwidth"))


def _carried_kbps(known: MeasuredClass) -> float:
    per_s, mean_bytes = known.carried_packets_per_s, known.mean_ip_bytes
    if per_s is None or mean_bytes is None:
        return 0.0
    return kbps_from_bps(bps_from_bytes(mean_bytes, ms_from_s(1)) * per_s)


def _mover(subject: ComparedClass, key: str) -> Callable[[float], Question]:
    question = subject.question

    def ask(value: float) -> Question:
        step = Moves(((key, float(round(value))),), _WHAT_IF)
        _, outlet = moved((step,), subject.device, subject.outlet)
        return replace(question, outlet=outlet)

    return ask


def _with(question: Question, chosen: Sequence[Offer], edit: Callable[[Offer], Offer]) -> Question:
    offers = tuple(edit(offer) if offer in chosen else offer for offer in question.offers)
    return replace(question, offers=offers)


def _grid(low: float, high: float) -> tuple[float, ...]:
    """Values from low to high, each the same ratio above the one before."""
    ratio = (high / low) ** (1 / _STEPS)
    return tuple(low * ratio**step for step in range(_STEPS + 1))
