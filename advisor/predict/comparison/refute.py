"""One measured figure beside its prediction; where it is refuted, the input that explains it.

The model is asked again with one input at other values of its plausible range: the packets of the
class, their bursts, a rate, the ring, a queue-limit, the line, the way back. Inputs that an output
or the configuration states are not moved.
"""

from collections.abc import Callable, Iterator, Sequence
from math import log, sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Basis, Figure, Unknown, ends, number
from advisor.ground.records import picked
from advisor.ground.units import (
    bps_from_bytes,
    bps_from_kbps,
    kbps_from_bps,
    ms_from_s,
    percent_from_ratio,
)
from advisor.outlet.class_service import class_packet
from advisor.outlet.congestion import busy_parts
from advisor.outlet.measured import MeasuredClass
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_ring
from advisor.predict.classes import Question
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.predict.comparison.rows import (
    RESOLUTION,
    ClassFigures,
    ComparedClass,
    ComparedMetric,
    Seen,
    figures_in,
    given_of,
    is_above,
    is_below,
    not_compared,
    place_of,
    row,
    verdict_of,
)
from advisor.predict.what_if import InputError
from advisor.predict.what_if.compared import (
    Compared,
    NotComparable,
    NotCompared,
    Off,
    Refutation,
    SolvedInput,
    TriedInput,
)
from advisor.predict.what_if.moves import RING, Moves, moved
from advisor.settings import PacketShare, StatedBursts
from advisor.theory.ring import MAX_LIMIT

# The inputs that may be others than the prediction has, each with its plausible range.

_STEPS: Final = 2  # of the range at first; then the part that holds the answer is halved
_HALVINGS: Final = 5
_LEAST_IP_BYTES: Final = 64.0
_MOST_BURST: Final = 64.0
_EVEN: Final = 0.0  # packets of a burst: none, they are evenly spaced
_LEAST_LOAD: Final = 1.0  # percent
_MOST_LOAD: Final = 150.0
_RATE_RATIO: Final = 4.0  # of a rate that is an average, and of a line whose rate is a label
_LABEL_WEIGHT: Final = 3.0
_RING: Final = 64
_QUEUE: Final = (8.0, 1024.0)
_WHAT_IF: Final = "what if"

Predict = Callable[[ClassFigures, Outlet], Figure | None]


class _Movable(Struct, frozen=True):
    """One input: its values from low to high, and the question with it."""

    key: str
    of: str
    unit: str
    used: float | None
    values: tuple[float, ...]
    ask: Callable[[float], Question]


class Beside(Struct, frozen=True):
    """A kind of figure, and what is predicted of it.

    `settled` explains a measurement above the prediction without the model.
    """

    metric: ComparedMetric
    predict: Predict
    settled: SolvedInput | None = None

    @property
    def is_time(self) -> bool:
        return self.metric in (ComparedMetric.DELAY, ComparedMetric.JITTER)


def row_of(subject: ComparedClass, beside: Beside, seen: Seen, measured: Figure) -> Compared:
    """Compare one figure; where it is off, find the input that explains it."""
    place = place_of(subject.prediction)
    predicted = beside.predict(subject.figures, subject.outlet)
    if predicted is None:
        return not_compared(place, seen, NotCompared.UNPREDICTED, _NO_RATE)
    verdict = verdict_of(predicted, measured)
    if not isinstance(verdict, Off):
        return row(place, seen, verdict, predicted, tuple(given_of(subject)))
    is_above_it = is_above(measured, predicted)
    if subject.saturated and not is_above_it:
        why = _CONGESTED.format(", ".join(subject.saturated))
        return row(place, seen, NotComparable(why, NotCompared.CONGESTION), predicted)
    busy = tuple(busy_parts(subject.device.seen, subject.settings.budgets.cpu_percent))
    if busy and beside.is_time and is_above_it:
        why = f"{' and '.join(busy)} delays packets ahead of every queue"
        return row(place, seen, NotComparable(why, NotCompared.BUSY), predicted)
    if not subject.is_explained:
        return row(place, seen, verdict, predicted, tuple(given_of(subject)))
    refutation = (
        Refutation(beside.settled, ())
        if beside.settled is not None and is_above_it
        else refuted(subject, beside, measured)
    )
    found = row(place, seen, verdict, predicted, tuple(given_of(subject)))
    return replace(found, refutation=refutation, explains=(refuted_words(refutation),))


_NO_RATE: Final = "what the class is offered is not known"
_CONGESTED: Final = "the prediction assumes congestion, as the traffic of {} is not known: state it"


def _movable(subject: ComparedClass, beside: Beside) -> Iterator[_Movable]:
    is_time = beside.is_time
    question, name = subject.question, subject.prediction.class_name
    own = [offer for offer in question.offers if offer.class_name == name and offer.sizes]
    lower = [offer for offer in question.offers if not offer.is_llq and offer.sizes]
    of_llq_delay = subject.prediction.is_priority and is_time
    yield from _sizes(question, lower if of_llq_delay else own)
    if beside.metric is not ComparedMetric.JITTER:  # a probe sends its packets evenly spaced
        yield from _bursts(question, own)
    if is_time or beside.metric is ComparedMetric.QUEUE:
        yield from _loads(question) if of_llq_delay else _rates(question, own)
        yield from _rings(question)
    yield from _limits(subject)
    yield from _lines(subject)


def _sizes(question: Question, offers: Sequence[Offer]) -> Iterator[_Movable]:
    """Packets of one size that carry the same bits."""
    names = list(dict.fromkeys(offer.class_name for offer in offers))
    largest = float(question.outlet.largest_ip_bytes)
    if not names or largest <= _LEAST_IP_BYTES:
        return
    used = class_packet(question.outlet, question.offers, names[0]).value

    def ask(ip_bytes: float) -> Question:
        return _with(question, offers, lambda offer: _sized(question.outlet, offer, ip_bytes))

    values = _grid(_LEAST_IP_BYTES, largest)
    yield _Movable(
        "packet_bytes", " and ".join(names), "bytes", used if len(names) == 1 else None, values, ask
    )


def _sized(outlet: Outlet, offer: Offer, ip_bytes: float) -> Offer:
    per_s, counted = offer.packets_per_second, outlet.counted_bytes
    if per_s is not None:
        per_s *= (offer.mean_ip_bytes + counted) / (round(ip_bytes) + counted)
    sizes = (PacketShare(round(ip_bytes), 1.0),)
    return replace(offer, sizes=sizes, mean_only=False, packets_per_second=per_s)


def _bursts(question: Question, own: Sequence[Offer]) -> Iterator[_Movable]:
    """Packets that come evenly spaced, one by one, or together."""
    known = [offer for offer in own if offer.packets_per_second and not offer.has_streams]
    if not known or any(offer.pattern is not None for offer in known):
        return

    def burst(offer: Offer, packets: float) -> Offer:
        if packets == _EVEN:
            return replace(offer, periodic=True, streams=1)
        return replace(offer, pattern=StatedBursts(round(packets), 0.0))

    def ask(packets: float) -> Question:
        return _with(question, known, lambda offer: burst(offer, packets))

    values = (_EVEN, 2.0, 8.0, _MOST_BURST)
    yield _Movable("burst_packets", known[0].class_name, "packets", 1.0, values, ask)


def _rates(question: Question, own: Sequence[Offer]) -> Iterator[_Movable]:
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
    yield _Movable("rate_kbps", known[0].class_name, "kb/s", used, values, ask)


def _kbps(outlet: Outlet, offer: Offer) -> float:
    frame_bytes = offer.mean_ip_bytes + outlet.counted_bytes
    return kbps_from_bps(
        bps_from_bytes(frame_bytes, ms_from_s(1)) * (offer.packets_per_second or 0)
    )


def _loads(question: Question) -> Iterator[_Movable]:
    """The load of all lower classes together; those that are idle now have a part of it."""
    idle = [
        offer for offer in question.offers if not offer.is_llq and offer.packets_per_second == 0
    ]
    busy = _with(question, idle, lambda offer: replace(offer, packets_per_second=1.0))

    def ask(percent: float) -> Question:
        return replace(busy, load_percent=percent)

    values = _grid(_LEAST_LOAD, _MOST_LOAD)
    yield _Movable("load", "the lower classes", "%", _load_percent(question), values, ask)


def _load_percent(question: Question) -> float | None:
    """Part of the line that the known rates of the lower classes take; None where one is not."""
    lower = [offer for offer in question.offers if not offer.is_llq]
    if any(offer.packets_per_second is None for offer in lower):
        return None
    kbps = sum(_kbps(question.outlet, offer) for offer in lower)
    return percent_from_ratio(bps_from_kbps(kbps) / question.line_bps)


def _rings(question: Question) -> Iterator[_Movable]:
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
    yield _Movable(RING, name, unit, used, values, ask)


def _limits(subject: ComparedClass) -> Iterator[_Movable]:
    """The queue-limit of the class, where it is a default."""
    name = subject.prediction.class_name
    for known in subject.prediction.inputs:
        is_own = known.name == f"queue_limit_packets of {name}"
        if is_own and known.basis is Basis.DEFAULT and not subject.outlet.is_fair(name):
            ask = _mover(subject, "queue-limit")
            yield _Movable("queue-limit", name, "packets", known.value, _grid(*_QUEUE), ask)


def _lines(subject: ComparedClass) -> Iterator[_Movable]:
    """The rate of the line, where only a label states it: it carries what was counted."""
    wire, members = subject.outlet.wire, subject.outlet.members
    if wire is not None and wire.is_label and members == 1:
        used = kbps_from_bps(wire.value)
        least = max(used / _RATE_RATIO, sum(map(_carried_kbps, subject.outlet.measured)))
        values = _grid(min(least, used), used * _RATE_RATIO)
        name = subject.outlet.interface.name
        yield _Movable("bandwidth", name, "kb/s", used, values, _mover(subject, "bandwidth"))


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


# The model asked again, until a value of an input gives what was measured.


class _Answer(Struct, frozen=True):
    value: float
    figure: Figure


class _Goal(Struct, frozen=True):
    """A measured figure, as the model may reach it from the predicted one."""

    measured: Figure
    is_above: bool  # the prediction has to rise

    def is_reached(self, predicted: Figure) -> bool:
        """Whether a figure is as far as what was measured, to what IOS prints."""
        gap = self.measured.value - predicted.value
        return (gap if self.is_above else -gap) <= RESOLUTION.get(predicted.unit, 0.0)


def refuted(subject: ComparedClass, beside: Beside, measured: Figure) -> Refutation:
    """The one input that explains a difference: of several, the one that moves least."""
    predicted = beside.predict(subject.figures, subject.outlet)
    goal = _Goal(measured, predicted is None or measured.value > predicted.value)
    tried: list[TriedInput] = []
    solved: list[SolvedInput] = []
    for movable in _movable(subject, beside):
        answers = _asked(subject, beside, movable, movable.values)
        if len(answers) < 2:  # noqa: PLR2004 -- two ends
            continue
        tried.append(_ends(movable, answers))
        found = _found(subject, beside, movable, answers, goal)
        if found is not None and _meets(found.figure, measured):
            answer = picked(SolvedInput, movable, needed=found.value, gives=found.figure)
            solved.append(answer)
    return Refutation(min(solved, key=_distance, default=None), tuple(tried))


def _ends(movable: _Movable, answers: Sequence[_Answer]) -> TriedInput:
    first, last = answers[0], answers[-1]
    return picked(
        TriedInput,
        movable,
        low=first.value,
        high=last.value,
        at_low=first.figure,
        at_high=last.figure,
    )


def _distance(found: SolvedInput) -> float:
    """How far an input moves: the logarithm of its ratio; one without a value moves far.

    A label of a line is mostly its contract, and a rate of other times is not: it moves first.
    """
    distance = _log_ratio(found.used, found.needed)
    return _LABEL_WEIGHT * distance if found.key == "bandwidth" else distance


def _log_ratio(used: float | None, value: float) -> float:
    return abs(log(value / used)) if used and value else log(_MOST_BURST)


def _found(
    subject: ComparedClass,
    beside: Beside,
    movable: _Movable,
    answers: Sequence[_Answer],
    goal: _Goal,
) -> _Answer | None:
    """The value of an input that is nearest to the used one, and reaches what was measured."""
    reached = [answer for answer in answers if goal.is_reached(answer.figure)]
    best = min(reached, key=lambda answer: _log_ratio(movable.used, answer.value), default=None)
    if best is None or not best.value:
        return best
    short = [answer.value for answer in answers if answer not in reached]
    between = [value for value in (*short, *filter(None, (movable.used,))) if value > 0]
    goal_at = best.value
    start = min(between, key=lambda value: abs(log(goal_at / value)), default=goal_at)
    for _ in range(_HALVINGS):
        asked = _asked(subject, beside, movable, (sqrt(start * best.value),))
        if not asked:
            break
        middle = asked[0]
        if goal.is_reached(middle.figure):
            best = middle
        else:
            start = middle.value
    return best


def _meets(predicted: Figure, measured: Figure) -> bool:
    return not is_below(measured, predicted) and not is_above(measured, predicted)


def _asked(
    subject: ComparedClass, beside: Beside, movable: _Movable, values: Sequence[float]
) -> list[_Answer]:
    questions = []
    for value in values:
        try:
            questions.append((value, movable.ask(value)))
        except InputError:
            continue
    answers = solved_all([question for _, question in questions])
    found = []
    for (value, question), answer in zip(questions, answers, strict=True):
        figure = _figure_of(subject, beside, question.outlet, answer)
        if figure is not None:
            found.append(_Answer(value, figure))
    return found


def _figure_of(
    subject: ComparedClass, beside: Beside, outlet: Outlet, answer: SolvedOutlet | Unknown
) -> Figure | None:
    known = () if isinstance(answer, Unknown) else answer.classes
    name = subject.prediction.class_name
    solved = next((item for item in known if item.name == name), None)
    return None if solved is None else beside.predict(figures_in(solved), outlet)


# A refutation in a sentence, by number.


def refuted_words(refutation: Refutation) -> str:
    """The input that would explain a difference, or the extremes of all that were tried."""
    solved = refutation.solved
    if solved is not None:
        used = "" if solved.used is None else f", not {_value(solved.key, solved.used)}"
        said = _named(solved.key, solved.of, _value(solved.key, solved.needed), solved.unit)
        comma = "," if used else ""
        return f"{said}{used}{comma} would give {ends(solved.gives)} {solved.gives.unit}"
    parts = "; ".join(
        f"{_named(item.key, item.of, _span(item), item.unit)}: {ends(item.at_low)} to "
        f"{ends(item.at_high)} {item.at_high.unit}"
        for item in refutation.tried
    )
    return f"no single input explains it: {parts or 'all of them are stated'}"


def _span(item: TriedInput) -> str:
    return f"{_value(item.key, item.low)} to {_value(item.key, item.high)}"


def _value(key: str, value: float) -> str:
    if key == "burst_packets":
        return "evenly spaced" if value == _EVEN else f"{value:.0f}"
    return f"{value:.0f}" if value >= 10 else number(value)  # noqa: PLR2004


_WORDS: Final = {
    "packet_bytes": "packets of {value} bytes in {of}",
    "burst_packets": "bursts of {value} packets in {of}",
    "rate_kbps": "{value} kb/s in {of}",
    "load": "a load of {value} % by {of}",
    RING: "a ring of {value} {unit}",
    "queue-limit": "a queue-limit of {value} packets in {of}",
    "bandwidth": "a line of {value} kb/s",
    "return_path": "a way back that is loaded like the way there",
    "fixed_delay": "{value} ms behind the link that do not vary (little jitter comes back)",
}


def _named(key: str, of: str, value: str, unit: str) -> str:
    if value == "evenly spaced":
        return f"evenly spaced packets in {of}"
    return _WORDS[key].format(value=value, of=of, unit=unit)
