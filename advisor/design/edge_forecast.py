"""What a designed edge does to each class, beside the budgets of the profile."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.design.edge_demand import EdgeDemand
from advisor.design.edge_drafts import Draft, RefusedDemandError
from advisor.device.device import Device
from advisor.predict.ring import ring_view
from advisor.predict.what_if.chosen import InputError
from advisor.predict.what_if.moves import Moves
from advisor.predict.what_if.path import rated_call
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, Quality
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.subject import LLQ_CLASS
from advisor.quantity import Unknown
from advisor.settings.values import Budgets, Settings

_WAITS = ("own queue", "shaper")


class Held(Struct, frozen=True):
    """The high end of a predicted figure beside its budget."""

    name: str
    predicted: float
    budget: float
    unit: str

    @property
    def is_met(self) -> bool:
        return self.predicted <= self.budget


class Forecast(Struct, frozen=True):
    """Every class of the edge, the budgets of its calls, and their quality.

    `unknown` says why there is none of it.
    """

    classes: tuple[Prediction, ...] = ()
    held: tuple[Held, ...] = ()
    quality: Quality | None = None
    unknown: Unknown | None = None


def forecast_of(device: Device, draft: Draft, demand: EdgeDemand, settings: Settings) -> Forecast:
    """Predict the designed output: its calls as stated, all lower classes congested.

    An output whose ring no source has is not predicted, nor calls in packets of unknown size.

    Raises
    ------
    RefusedDemandError
        If the output cannot be predicted.
    """
    view = ring_view(draft.outlet, ())
    if isinstance(view, Unknown) and draft.outlet.ring is None and not draft.outlet.shaper_bps:
        return Forecast(unknown=view)
    if demand.calls and isinstance(draft.outlet.wrapping, Unknown):
        return Forecast(unknown=draft.outlet.wrapping)
    try:
        predictions = predict_device(device, device.name, settings, None, (Moves(),))
    except InputError as error:
        raise RefusedDemandError(
            f"the design cannot be predicted: {error}",
            "--cir below the line: the queue of a shaper is known",
        ) from error
    name = draft.values.named(LLQ_CLASS)
    own = tuple(each for each in predictions if each.object == draft.outlet.label)
    voice = next(
        (each for each in own if isinstance(each, ClassPrediction) and each.class_name == name),
        None,
    )
    if voice is None and demand.calls:
        raise RefusedDemandError(f"no figures of {name} are known")
    if voice is None:
        return Forecast(own)
    budgets = settings.budgets
    held = tuple(_held(voice, budgets))
    return Forecast(own, held, rated_call(voice, demand.codec))


def _held(voice: ClassPrediction, budgets: Budgets) -> Iterator[Held]:
    ring_ms = voice.congested.ring_bound_ms if voice.congested is not None else None
    if ring_ms is not None and budgets.ring_wait_ms is not None:
        yield Held("longest wait in the ring", ring_ms, budgets.ring_wait_ms, "ms")
    if budgets.priority_queue_ms is not None:
        queue_ms = sum(part.ms for part in voice.breakdown if part.name in _WAITS)
        queue_ms += voice.mean.high - voice.mean.value  # all that is not known may be waiting
        yield Held("mean wait in the queue", queue_ms, budgets.priority_queue_ms, "ms")
    if budgets.jitter_ms is not None:
        yield Held("jitter", voice.jitter.high, budgets.jitter_ms, "ms")
    if budgets.loss_percent is not None and voice.loss is not None:
        yield Held("loss", voice.loss.high, budgets.loss_percent, "%")
