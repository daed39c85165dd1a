"""Rows of a comparison: a predicted class, its measured traffic, the verdict on one figure."""

from collections.abc import Iterator
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Figure, Input, Unknown, exact
from advisor.ground.units import percent_from_ratio
from advisor.outlet.measured import MeasuredClass
from advisor.outlet.offer import speaks_of
from advisor.outlet.operations import calls_in_progress, offers_at, stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.predict.classes import Question
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.what_if.compared import (
    Agreement,
    Compared,
    NotComparable,
    NotCompared,
    Off,
    TooWide,
    Verdict,
    Way,
    Window,
    Within,
)
from advisor.predict.what_if.prediction import ClassPrediction, Prediction
from advisor.settings import Settings

# A class of an output, its figures as they are predicted, and its measured traffic.


class ComparedMetric(Enum):
    """Kinds of compared figures."""

    DELAY = auto()
    JITTER = auto()
    LOSS = auto()
    QUEUE = auto()

    @property
    def is_time(self) -> bool:
        return self in (ComparedMetric.DELAY, ComparedMetric.JITTER)


class ClassFigures(Struct, frozen=True):
    """The figures of a class that measurements stand beside: delays in ms, loss in percent."""

    mean: Figure
    jitter: Figure
    loss: Figure | None
    least_ms: float
    bound_ms: float | None


def figures_in(solved: SolvedClass) -> ClassFigures:
    """The compared figures of a solution."""
    return ClassFigures(solved.mean, solved.jitter, solved.loss, solved.least_ms, solved.mean.bound)


class ComparedClass(Struct, frozen=True):
    """One predicted class of an output; `saturated` are those whose traffic is not known.

    `is_explained`: what refutes its figures is explained, which solves the model some ten times.
    """

    device: Device
    settings: Settings
    outlet: Outlet
    prediction: ClassPrediction
    saturated: tuple[str, ...] = ()
    is_explained: bool = True

    @property
    def figures(self) -> ClassFigures:
        own = self.prediction
        return ClassFigures(own.mean, own.jitter, own.loss, own.least_ms, own.bound_ms)

    @property
    def question(self) -> Question:
        """The question of the output."""
        offers = offers_at(self.device, self.outlet)
        return Question(self.outlet, offers, self.device.platform)

    @property
    def traffic(self) -> MeasuredClass | None:
        """The class as it was counted; None where it was not, or is stated by a what-if."""
        name = self.prediction.class_name
        return next((known for known in self.outlet.measured if known.name == name), None)


def given_of(subject: ComparedClass) -> Iterator[Input]:
    """The measured traffic of the class: the input of the figure beside it, with its window."""
    known = subject.traffic
    if known is None or known.mean_ip_bytes is None:
        yield from _calls_of(subject)
        return
    name, rate = known.name, known.offered_packets_per_s
    if rate is not None:
        over = "" if known.interval_s is None else f"over {known.interval_s} s, "
        source = f"{over}{known.at}"
        yield exact(f"packets_per_second of {name}", rate, Basis.MEASURED, source)
    source = f"of {known.packets} packets, {known.at}"
    yield exact(f"mean_ip_bytes of {name}", known.mean_ip_bytes, Basis.MEASURED, source)


def _calls_of(subject: ComparedClass) -> Iterator[Input]:
    """Calls in progress, as an output shows them: the traffic of a class that none counted."""
    name = subject.prediction.class_name
    used = stated_traffic(subject.device)
    for calls in calls_in_progress(subject.device):
        if calls in used and calls.class_name == name and speaks_of(calls, subject.outlet):
            yield exact(f"calls of {name}", calls.streams, Basis.MEASURED, calls.source)


# How well a prediction meets a measurement: the typed verdict of one compared figure.

TOO_WIDE_RATIO: Final = 4.0  # of high to low: the truth may be half or double of the middle
RESOLUTION: Final = {"ms": 1.0, "%": 0.1, "packets": 1.0}  # IP SLA and IOS print no finer figure

# IP SLA prints whole milliseconds. The intervals of drops and of the average queue are compared
# with room for what is printed already.
_PRINTED_TO: Final = {"ms": 1.0}


def verdict_of(predicted: Figure | Unknown, measured: Figure) -> Verdict:
    """Grade a prediction by the mean that was measured.

    >>> verdict_of(Figure(20.0, 15.0, 25.0, "ms"), Figure(30.0, 6.0, 40.0, "ms"))
    Off(by=10.0, unit='ms', percent=50.0)
    """
    if isinstance(predicted, Unknown):
        return NotComparable(predicted.reason)
    if is_below(measured, predicted) or is_above(measured, predicted):
        return off_by(predicted.value, measured)
    least = max(predicted.low, RESOLUTION.get(predicted.unit, 0.0))
    if predicted.high > TOO_WIDE_RATIO * least:
        return TooWide(predicted.low, predicted.high)
    return Within()


def is_below(measured: Figure, predicted: Figure) -> bool:
    """Whether the measured mean is below the interval, by more than its rounding.

    >>> is_below(Figure(3.0, 0.0, 20.0, "ms"), Figure(4.5, 3.1, 6.2, "ms"))
    False
    """
    return measured.value < predicted.low - _PRINTED_TO.get(predicted.unit, 0.0)


def is_above(measured: Figure, predicted: Figure) -> bool:
    """Whether the measured mean is above the interval, by more than its rounding."""
    return measured.value > predicted.high + _PRINTED_TO.get(predicted.unit, 0.0)


def agreement_of(predicted: Figure | None, measured: Figure | None) -> Agreement:
    """Where the measured mean lies."""
    if predicted is None or measured is None:
        return Agreement.UNKNOWN
    if is_above(measured, predicted):
        return Agreement.ABOVE
    return Agreement.BELOW if is_below(measured, predicted) else Agreement.WITHIN


def off_by(expected: float, measured: Figure) -> Off:
    """How far a measured mean is from what was expected of it."""
    by = measured.value - expected
    return Off(by, measured.unit, percent_from_ratio(by / expected) if expected else None)


# A measurement that is not compared: the reason is said ahead of any comparison.


class Place(Struct, frozen=True):
    """The object of a row: the output, and its class where it is one's."""

    device: str
    object: str
    class_name: str | None = None


def place_of(prediction: Prediction) -> Place:
    """The place of a prediction."""
    return Place(prediction.device, prediction.object, prediction.class_name)


class Seen(Struct, frozen=True):
    """A measurement of the device: a name with its figure, its window, way and line."""

    metric: str
    measured: Figure | None
    window: Window
    way: Way | None
    source: str


def row(
    place: Place,
    seen: Seen,
    verdict: Verdict,
    predicted: Figure | None = None,
    given: tuple[Input, ...] = (),
) -> Compared:
    """One measurement with its verdict."""
    return Compared(
        place.device,
        place.object,
        place.class_name,
        seen.metric,
        predicted,
        seen.measured,
        agreement_of(predicted, seen.measured),
        verdict,
        (),
        seen.source,
        seen.window,
        seen.way,
        given,
    )


def not_compared(place: Place, seen: Seen, reason: NotCompared, why: str) -> Compared:
    """The row of a measurement that stands beside nothing."""
    return row(place, seen, NotComparable(why, reason))
