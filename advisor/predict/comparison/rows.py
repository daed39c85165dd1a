"""A measured figure beside its prediction: one row, its verdict, and its possible causes."""

from collections.abc import Iterator
from enum import Enum, StrEnum, auto
from itertools import chain
from math import inf
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Figure, Input, RateKind, Unknown
from advisor.ground.units import kbps_from_bps, percent_from_ratio, serialization_ms
from advisor.outlet.congestion import busy_parts
from advisor.outlet.outlet import Outlet
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.settings import Settings

# How well a prediction meets a measurement: the typed verdict of one compared figure.

TOO_WIDE_RATIO: Final = 4.0  # of high to low: the truth may be half or double of the middle
_RESOLUTION: Final = {"ms": 1.0, "%": 0.1, "packets": 1.0}  # IP SLA and IOS print no finer figure

# IP SLA prints whole milliseconds. The intervals of drops and of the average queue are compared
# with room for what is printed already.
_PRINTED_TO: Final = {"ms": 1.0}


class Within(Struct, frozen=True, tag_field="grade", tag="within"):
    """The measured mean lies in the predicted interval, and that interval is narrow."""


class Off(Struct, frozen=True, tag_field="grade", tag="off"):
    """The measured mean lies outside: by measured less predicted, in the unit of the figure.

    `percent` is that of the predicted figure; None where it is 0.
    """

    by: float
    unit: str
    percent: float | None


class TooWide(Struct, frozen=True, tag_field="grade", tag="interval too wide to judge"):
    """The measured mean lies in an interval that nearly every measurement would meet."""

    low: float
    high: float


class NotComparable(Struct, frozen=True, tag_field="grade", tag="not comparable"):
    """There is nothing to compare with, and `why`."""

    why: str


class PredictionFault(Struct, frozen=True, tag_field="grade", tag="fault of the prediction"):
    """The prediction is impossible, and `why`."""

    why: str


Verdict = Within | Off | TooWide | NotComparable | PredictionFault


def verdict_of(predicted: Figure | Unknown, measured: Figure) -> Verdict:
    """Grade a prediction by the mean that was measured.

    >>> verdict_of(Figure(20.0, 15.0, 25.0, "ms"), Figure(30.0, 6.0, 40.0, "ms"))
    Off(by=10.0, unit='ms', percent=50.0)
    """
    if isinstance(predicted, Unknown):
        return NotComparable(predicted.reason)
    if is_below(measured, predicted) or is_above(measured, predicted):
        return off_by(predicted.value, measured)
    least = max(predicted.low, _RESOLUTION.get(predicted.unit, 0.0))
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


def off_by(expected: float, measured: Figure) -> Off:
    """How far a measured mean is from what was expected of it."""
    by = measured.value - expected
    return Off(by, measured.unit, percent_from_ratio(by / expected) if expected else None)


# Causes that could explain a difference: each moves some metrics, one way or both, by so much.

_LEAST_PART: Final = 0.5  # of the difference: less than this explains nothing
_STEEPEST: Final = 10.0  # a queue grows so many times as much as the load, up to 90 % of the line


class ComparedMetric(Enum):
    """Kinds of compared figures."""

    DELAY = auto()
    JITTER = auto()
    LOSS = auto()
    QUEUE = auto()


class PossibleCause(Struct, frozen=True):
    """A possible cause, and the most it moves a metric, in its unit; inf: without a limit.

    `lifts`, `lowers`: whether what was measured may be above or below the prediction by it.
    """

    words: str
    most: float = inf
    lifts: bool = True
    lowers: bool = True


class ComparedClass(Struct, frozen=True):
    """One predicted class of an output; `saturated` are those whose traffic is not known."""

    device: Device
    settings: Settings
    outlet: Outlet
    prediction: ClassPrediction
    saturated: tuple[str, ...] = ()

    @property
    def longest_ms(self) -> float:
        """Transmission of the largest packet."""
        return serialization_ms(self.outlet.largest_ip_bytes, self.outlet.wire_bps)


def explaining(
    causes: Iterator[PossibleCause], predicted: Figure, measured: Figure
) -> tuple[str, ...]:
    """The causes that could move the prediction far enough towards what was measured."""
    is_higher = measured.value > predicted.high
    gap = measured.value - predicted.high if is_higher else predicted.low - measured.value
    return tuple(
        cause.words
        for cause in causes
        if (cause.lifts if is_higher else cause.lowers) and cause.most >= _LEAST_PART * gap
    )


def causes_of(
    subject: ComparedClass, metric: ComparedMetric, predicted: Figure, measured: Figure
) -> Iterator[PossibleCause]:
    """The CPU, the inputs that are neither measured nor stated, and what the figures leave out."""
    prediction, settings = subject.prediction, subject.settings
    if metric in (ComparedMetric.DELAY, ComparedMetric.JITTER):
        for part in busy_parts(subject.device.seen, settings.budgets.cpu_percent):
            yield PossibleCause(part, lowers=False)
    for known in prediction.inputs:
        if known.basis in (Basis.ASSUMED, Basis.DEFAULT):
            # No packet is larger than that of a LAN: smaller ones only shorten.
            is_longest = _quantity(known) == "mtu_bytes"
            most = _most(subject, known, metric, max(predicted.high, measured.value))
            words = f"{known.basis}: {_input_words(known)}"
            yield PossibleCause(words, most, lifts=not is_longest)
    if any(known.kind is RateKind.MEASURED for known in prediction.inputs):
        yield PossibleCause("the rates are averages: bursts within them are not seen", lowers=False)
    yield from map(PossibleCause, prediction.weak)


def _quantity(known: Input) -> str:
    return known.name.partition(" of ")[0]


def _most(subject: ComparedClass, known: Input, metric: ComparedMetric, largest: float) -> float:
    """The most that another value of an input moves a metric; `largest` of its two figures."""
    is_time = metric in (ComparedMetric.DELAY, ComparedMetric.JITTER)
    most = inf
    match _quantity(known):
        case "mtu_bytes":
            most = subject.longest_ms if is_time else 0.0
        case "tx_ring_limit_packets":
            in_packets = known.high if metric is ComparedMetric.QUEUE else 0.0
            most = known.high * subject.longest_ms if is_time else in_packets
        case "queue_limit_packets" | "solved_limit_packets":
            is_own = known.name.endswith(f" of {subject.prediction.class_name}")
            is_reached = metric is not ComparedMetric.LOSS or largest > 0
            most = inf if is_own and is_reached else 0.0
        case "ip_kbps":
            share = known.high / kbps_from_bps(subject.outlet.wire_bps)
            is_loss = metric is ComparedMetric.LOSS
            most = percent_from_ratio(share) if is_loss else _STEEPEST * share * largest
    return most


def _input_words(known: Input) -> str:
    return f"{known.name} {known.value:g}" + (f" ({known.source})" if known.source else "")


# A measured figure of a class beside its prediction: one row, its verdict and its causes.

_NO_RATE = "what the class is offered is not known"
_CONGESTED = "the prediction assumes congestion, as the traffic of {} is not known: state it"


class Agreement(StrEnum):
    """Position of a measured figure relative to the predicted interval."""

    WITHIN = "within"
    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "not predicted"


class Compared(Struct, frozen=True):
    """One figure of a class, or of the device where `class_name` is None.

    `measured` is a mean with its observed extremes; `predicted` is None where the model has no
    answer. `verdict` grades the prediction by the measured mean. `explains` lists the causes
    that could make a difference of this size, the best known one last.
    """

    device: str
    object: str
    class_name: str | None
    metric: str
    predicted: Figure | None
    measured: Figure
    agreement: Agreement
    verdict: Verdict
    explains: tuple[str, ...]
    source: str


def row_of(
    subject: ComparedClass,
    metric: tuple[ComparedMetric, str],
    predicted: Figure | None,
    measured: Figure,
    source: str,
    *,
    more: tuple[PossibleCause, ...] = (),
) -> Compared:
    """Compare one figure of a kind and a name; `more` are causes of a miss beside the inputs."""
    prediction = subject.prediction
    kind, name = metric
    agreement = _agreement(predicted, measured)
    verdict = verdict_of(Unknown(_NO_RATE) if predicted is None else predicted, measured)
    explains: tuple[str, ...] = ()
    if predicted is not None and isinstance(verdict, Off):
        if subject.saturated and agreement is Agreement.BELOW:
            names = ", ".join(subject.saturated)
            verdict = NotComparable(_CONGESTED.format(names))
        else:
            causes = chain(causes_of(subject, kind, predicted, measured), more)
            explains = explaining(causes, predicted, measured)
    return Compared(
        subject.device.name,
        prediction.object,
        prediction.class_name,
        name,
        predicted,
        measured,
        agreement,
        verdict,
        explains,
        source,
    )


def _agreement(predicted: Figure | None, measured: Figure) -> Agreement:
    if predicted is None:
        return Agreement.UNKNOWN
    if is_above(measured, predicted):
        return Agreement.ABOVE
    return Agreement.BELOW if is_below(measured, predicted) else Agreement.WITHIN
