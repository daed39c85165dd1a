"""A measured figure of a class beside its prediction: one row, its verdict and its causes."""

from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.predict.comparison.verdict import Verdict, is_above, is_below, verdict_of
from advisor.predict.what_if import ClassPrediction
from advisor.quantity import Basis, Figure, Input, RateKind, Unknown
from advisor.settings.values import Settings

_NO_RATE = "what the class is offered is not known"


class Agreement(StrEnum):
    """Position of a measured figure relative to the predicted interval."""

    WITHIN = "within"
    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "not predicted"


class Compared(Struct, frozen=True):
    """One figure of a class, or of the device where `class_name` is None.

    `measured` is a mean with its observed extremes; `predicted` is None where the model has no
    answer. `verdict` grades the prediction by the measured mean. `explains` lists possible causes
    of a difference, the best known one last.
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


class Subject(Struct, frozen=True):
    """One predicted class of an output of a device."""

    device: Device
    settings: Settings
    outlet: Outlet
    prediction: ClassPrediction


def row_of(
    subject: Subject,
    metric: str,
    predicted: Figure | None,
    measured: Figure,
    source: str,
    *,
    more: tuple[str, ...] = (),
) -> Compared:
    """Compare one figure; `more` are causes of a miss beside the inputs, least likely."""
    prediction = subject.prediction
    agreement = _agreement(predicted, measured)
    explains: tuple[str, ...] = ()
    if agreement in (Agreement.ABOVE, Agreement.BELOW):
        explains = (*_causes(subject), *more)
    return Compared(
        subject.device.name,
        prediction.object,
        prediction.class_name,
        metric,
        predicted,
        measured,
        agreement,
        verdict_of(Unknown(_NO_RATE) if predicted is None else predicted, measured),
        explains,
        source,
    )


def _agreement(predicted: Figure | None, measured: Figure) -> Agreement:
    if predicted is None:
        return Agreement.UNKNOWN
    if is_above(measured, predicted):
        return Agreement.ABOVE
    return Agreement.BELOW if is_below(measured, predicted) else Agreement.WITHIN


def _causes(subject: Subject) -> Iterator[str]:
    """Possible causes of a miss: the CPU, then every input that is neither measured nor stated."""
    device, prediction = subject.device, subject.prediction
    busiest = max((load.one_minute_percent for load in device.seen.cpu), default=0)
    if busiest > subject.settings.budgets.cpu_percent:
        yield f"a CPU at {busiest} %"
    unsure = [
        unsure_input
        for unsure_input in prediction.inputs
        if unsure_input.basis in (Basis.ASSUMED, Basis.DEFAULT)
    ]
    yield from (f"{unsure_input.basis}: {_input_words(unsure_input)}" for unsure_input in unsure)
    if any(known.kind is RateKind.MEASURED for known in prediction.inputs):
        yield "the rates are averages: bursts within them are not seen"
    yield from prediction.weak


def _input_words(known: Input) -> str:
    return f"{known.name} {known.value:g}" + (f" ({known.source})" if known.source else "")
