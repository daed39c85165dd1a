"""Measurements of a device beside the predictions of the model: all that any report shows."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.outlet.outlets import outlets
from advisor.predict.comparison.counted import counted, counted_input, uncompared_counters
from advisor.predict.comparison.cpu import cpu_rows
from advisor.predict.comparison.probes import (
    PROCESSING_MS,
    probes_elsewhere,
    probes_of,
    round_trip,
    unpredicted_probes,
)
from advisor.predict.comparison.rows import ComparedClass
from advisor.predict.comparison.samples import (
    SampledRate,
    over_samples,
    rates_in,
    rates_of,
    with_remarks,
)
from advisor.predict.what_if import InputError
from advisor.predict.what_if.compared import Compared, Off
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import Settings
from advisor.settings.tables import settings_of
from advisor.shows.observe import sample_pairs


def compared(
    device: Device, settings: Settings, rates: Sequence[SampledRate] = ()
) -> tuple[Compared, ...]:
    """Compare the measurements of a device with its predictions.

    Parameters
    ----------
    device
        A device with show outputs.
    settings
        Budgets and the stated traffic.
    rates
        Its rates from two samples, which win over the averages that IOS prints.
    """
    if not (device.seen.policies or device.seen.sla or device.seen.cpu):
        return ()
    settings = settings_of(settings, device.name)
    device, rates = sampled(device, rates)
    rows = [*cpu_rows(device, settings), *probes_elsewhere(device), *counted_input(device)]
    try:
        predictions = predict_device(device, device.name, settings, None, (), explained=False)
    except InputError:
        return tuple(rows)
    rows += _beside(device, settings, predictions, rates)
    return tuple(rows)


def sampled(
    device: Device, rates: Sequence[SampledRate] = ()
) -> tuple[Device, tuple[SampledRate, ...]]:
    """The device with what it counted between two samples in place of averages, and these rates."""
    rates = (*rates, *rates_in(device))
    return replace(device, seen=over_samples(device.seen, rates)), rates


def with_compared(
    device: Device,
    settings: Settings,
    predictions: Sequence[Prediction],
    rates: Sequence[SampledRate] = (),
) -> tuple[Prediction, ...]:
    """The predictions of a device as it is, each with the measurements of its class.

    `device` and `rates` are those of `sampled`, which the predictions are made of.
    """
    if not device.seen.policies and not device.seen.sla:
        return tuple(predictions)
    settings = settings_of(settings, device.name)
    found: dict[tuple[str, str | None], list[Compared]] = defaultdict(list)
    for each in _beside(device, settings, predictions, rates):
        found[each.object, each.class_name].append(each)
    return tuple(
        replace(prediction, compared=tuple(found[prediction.object, prediction.class_name]))
        for prediction in predictions
    )


_MOST_EXPLAINED: Final = 6  # classes of a device: each takes the model some ten times


def _beside(
    device: Device,
    settings: Settings,
    predictions: Sequence[Prediction],
    rates: Sequence[SampledRate],
) -> tuple[Compared, ...]:
    """All measurements beside predictions; the largest differences are explained."""
    rows = tuple(_rows(device, settings, predictions, rates, frozenset()))
    refuted = [row for row in rows if isinstance(row.verdict, Off)]
    refuted.sort(key=_size, reverse=True)
    worst = list(dict.fromkeys((row.object, row.class_name) for row in refuted))
    if not worst:
        return rows
    explained = frozenset(worst[:_MOST_EXPLAINED])
    return tuple(_rows(device, settings, predictions, rates, explained))


def _size(row: Compared) -> float:
    """How large a difference is, in parts of the larger one of its two figures."""
    predicted = row.predicted.value if row.predicted is not None else 0.0
    seen = row.measured.value if row.measured is not None else 0.0
    return abs(seen - predicted) / max(seen, predicted)


def _rows(
    device: Device,
    settings: Settings,
    predictions: Sequence[Prediction],
    rates: Sequence[SampledRate],
    explained: frozenset[tuple[str, str | None]],
) -> Iterator[Compared]:
    by_label = {outlet.label: outlet for outlet in outlets(device)}
    unstated: dict[str, tuple[str, ...]] = defaultdict(tuple)
    for prediction in predictions:
        if isinstance(prediction, UnstatedPrediction):
            unstated[prediction.object] += (prediction.class_name,)
    for prediction in predictions:
        outlet = by_label.get(prediction.object)
        if outlet is None or prediction.class_name is None:
            continue
        match prediction:
            case ClassPrediction():
                saturated = unstated[prediction.object]
                is_explained = (prediction.object, prediction.class_name) in explained
                subject = ComparedClass(
                    device, settings, outlet, prediction, saturated, is_explained
                )
                yield from probes_of(subject)
                yield from counted(subject, rates)
                continue
            case UnstatedPrediction(delay=delay):
                why = delay.reason
            case Unpredicted(why=reason):
                why = reason
        yield from unpredicted_probes(device, outlet, prediction, why)
        yield from uncompared_counters(device, outlet, prediction, rates)


# Compares measurements of the device of a bundle with predictions.


def measured(
    source: Source, settings: Settings
) -> tuple[tuple[Compared, ...], tuple[SampledRate, ...]]:
    """Compare a bundle with its predictions; nothing where it is none.

    Returns
    -------
    tuple
        A row for each quantity that was measured, and the rates that two samples give.
    """
    capture = source.capture
    if capture is None or not source.is_bundle:
        return (), ()
    rates = rates_of(capture.device or capture.file, sample_pairs(capture))
    device = read_source(source, settings).device
    return tuple(compared(device, settings, rates)), with_remarks(rates, device.seen)


__all__ = [
    "PROCESSING_MS",
    "Compared",
    "SampledRate",
    "compared",
    "measured",
    "rates_of",
    "round_trip",
    "sampled",
    "with_compared",
]
