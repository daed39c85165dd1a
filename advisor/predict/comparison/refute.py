"""One measured figure beside its prediction; where it is refuted, the input that explains it.

The model is asked again with one input at other values, until it gives what was measured.
"""

from collections.abc import Callable, Sequence
from math import log, sqrt
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Figure, Unknown, ends, number
from advisor.ground.records import picked
from advisor.outlet.congestion import busy_parts
from advisor.outlet.outlet import Outlet
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.predict.comparison.movable import EVEN, MOST_BURST, Movable, movable_inputs
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
from advisor.predict.what_if.moves import RING

_HALVINGS: Final = 5  # of the part of a range that holds the answer
_LABEL_WEIGHT: Final = 3.0

Predict = Callable[[ClassFigures, Outlet], Figure | None]


class Beside(Struct, frozen=True):
    """A kind of figure, and what is predicted of it.

    `settled` explains a measurement above the prediction without the model.
    """

    metric: ComparedMetric
    predict: Predict
    settled: SolvedInput | None = None


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
    if busy and beside.metric.is_time and is_above_it:
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
    for movable in movable_inputs(subject, beside.metric):
        answers = _asked(subject, beside, movable, movable.values)
        if len(answers) < 2:  # noqa: PLR2004 -- two ends
            continue
        tried.append(_ends(movable, answers))
        found = _found(subject, beside, movable, answers, goal)
        if found is not None and _meets(found.figure, measured):
            answer = picked(SolvedInput, movable, needed=found.value, gives=found.figure)
            solved.append(answer)
    return Refutation(min(solved, key=_distance, default=None), tuple(tried))


def _ends(movable: Movable, answers: Sequence[_Answer]) -> TriedInput:
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
    return abs(log(value / used)) if used and value else log(MOST_BURST)


def _found(
    subject: ComparedClass,
    beside: Beside,
    movable: Movable,
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
    subject: ComparedClass, beside: Beside, movable: Movable, values: Sequence[float]
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
        return "evenly spaced" if value == EVEN else f"{value:.0f}"
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
