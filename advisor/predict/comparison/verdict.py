"""How well a prediction meets a measurement: the typed verdict of one compared figure."""

from typing import Final

from msgspec import Struct

from advisor.quantity import Figure, Unknown
from advisor.units import percent_from_ratio

TOO_WIDE_RATIO: Final = 4.0  # of high to low: the truth may be half or double of the middle
_RESOLUTION: Final = {"ms": 1.0, "%": 0.1, "packets": 1.0}  # IP SLA and IOS print no finer figure


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
    if not predicted.low <= measured.value <= predicted.high:
        return off_by(predicted.value, measured)
    least = max(predicted.low, _RESOLUTION.get(predicted.unit, 0.0))
    if predicted.high > TOO_WIDE_RATIO * least:
        return TooWide(predicted.low, predicted.high)
    return Within()


def off_by(expected: float, measured: Figure) -> Off:
    """How far a measured mean is from what was expected of it."""
    by = measured.value - expected
    return Off(by, measured.unit, percent_from_ratio(by / expected) if expected else None)
