"""A measured figure of a class beside its prediction: one row, its verdict and its causes."""

from enum import StrEnum
from itertools import chain

from msgspec import Struct

from advisor.predict.comparison.causes import Cause, Metric, Subject, causes_of, explaining
from advisor.predict.comparison.verdict import (
    NotComparable,
    Off,
    Verdict,
    is_above,
    is_below,
    verdict_of,
)
from advisor.quantity import Figure, Unknown

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
    subject: Subject,
    metric: tuple[Metric, str],
    predicted: Figure | None,
    measured: Figure,
    source: str,
    *,
    more: tuple[Cause, ...] = (),
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
