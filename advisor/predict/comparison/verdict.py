"""How well a prediction meets a measurement: the typed verdict of one compared figure."""

from typing import Final

from msgspec import Struct

from advisor.quantity import Figure, Unknown
from advisor.units import percent_from_ratio

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
    """The prediction is one that cannot be, and `why`."""

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
    """Whether the measured mean is below the interval, by more than it may be rounded.

    >>> is_below(Figure(3.0, 0.0, 20.0, "ms"), Figure(4.5, 3.1, 6.2, "ms"))
    False
    """
    return measured.value < predicted.low - _PRINTED_TO.get(predicted.unit, 0.0)


def is_above(measured: Figure, predicted: Figure) -> bool:
    """Whether the measured mean is above the interval, by more than it may be rounded."""
    return measured.value > predicted.high + _PRINTED_TO.get(predicted.unit, 0.0)


def off_by(expected: float, measured: Figure) -> Off:
    """How far a measured mean is from what was expected of it."""
    by = measured.value - expected
    return Off(by, measured.unit, percent_from_ratio(by / expected) if expected else None)
