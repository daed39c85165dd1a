"""Classes whose figures `predict` says to be worse after a change."""

from advisor.device.device import Device
from advisor.lint.findings import Metric
from advisor.lint.output_figures import falls, rises
from advisor.predict.what_if import InputError
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings


def predicted(device: Device) -> dict[tuple[str, str], ClassPrediction]:
    """What `predict` says of each class that has figures, by output and class."""
    try:
        predictions = predict_device(device, "file", Settings(), None, (), explained=False)
    except InputError:
        return {}
    return {
        (known.object, known.class_name): known
        for known in predictions
        if isinstance(known, ClassPrediction)
    }


def worse_figures(before: ClassPrediction, after: ClassPrediction) -> list[Metric]:
    """Figures of a class that get worse by more than their uncertainty."""
    worse = [Metric.DELAY] if rises(before.mean, after.mean) else []
    if before.loss is not None and after.loss is not None and rises(before.loss, after.loss):
        worse.append(Metric.LOSS)
    old, new = before.throughput, after.throughput
    return [*worse, Metric.GOODPUT] if old and new and falls(old, new) else worse
