"""Each class, predicted and measured: round trip and jitter of probes, drops, queue; the CPU."""

from collections.abc import Iterator, Sequence

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.probe import ProbePath, probe_path
from advisor.predict.comparison.counted import counted
from advisor.predict.comparison.rates import Rate
from advisor.predict.comparison.round_trip import round_trip
from advisor.predict.comparison.row import Agreement, Compared, Subject, row_of
from advisor.predict.comparison.verdict import (
    NotComparable,
    Within,
    off_by,
)
from advisor.predict.what_if import ClassPrediction, InputError, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.quantity import Figure, enclosing
from advisor.settings.in_force import settings_of
from advisor.settings.values import ReturnPath, Settings
from advisor.shows.sla.records import SlaResult, Spread

_WAY_BACK = {
    ReturnPath.UNSTATED: "the way back is taken as idle: if not, state [ip_sla] return_path",
    ReturnPath.IDLE: "the way back is stated as idle",
    ReturnPath.LOADED: "the loaded way back is assumed to be like the way there",
}


def compared(
    device: Device, settings: Settings, rates: Sequence[Rate] = ()
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
    settings = settings_of(settings, device.name)
    comparisons = list(_cpu(device, settings))
    try:
        predictions = predict_device(device, device.name, settings, None, (), explained=False)
    except InputError:
        return tuple(comparisons)
    by_label = {outlet.label: outlet for outlet in outlets(device)}
    for prediction in predictions:
        outlet = by_label.get(prediction.object)
        if outlet is None:
            continue
        if isinstance(prediction, UnstatedPrediction):
            comparisons += _unstated(device, outlet, prediction)
        elif isinstance(prediction, ClassPrediction):
            subject = Subject(device, settings, outlet, prediction)
            for result in _results(device, outlet, prediction.class_name):
                comparisons += _probe(subject, result)
            comparisons += counted(subject, rates)
    return tuple(comparisons)


def _cpu(device: Device, settings: Settings) -> Iterator[Compared]:
    """The CPU load beside its limit: above the limit, no model predicts the delay."""
    if not device.seen.cpu:
        return
    load = device.seen.cpu[-1]
    seen = (load.five_seconds_percent, load.one_minute_percent, load.five_minutes_percent)
    measured = enclosing(float(load.one_minute_percent), float(min(seen)), float(max(seen)), "%")
    limit = settings.budgets.cpu_percent
    is_over = load.one_minute_percent > limit
    yield Compared(
        device.name,
        "cpu",
        None,
        f"CPU of one minute, its limit {limit:g} %",
        None,
        measured,
        Agreement.ABOVE if is_over else Agreement.WITHIN,
        off_by(limit, measured) if is_over else Within(),
        ("jitter and delays at this time do not show the state of the queues",) if is_over else (),
        str(load.at),
    )


def _unstated(device: Device, outlet: Outlet, prediction: UnstatedPrediction) -> Iterator[Compared]:
    """Round trips in a class without known traffic: nothing is predicted of them."""
    for result in _results(device, outlet, prediction.class_name):
        if result.rtt is not None:
            yield Compared(
                device.name,
                prediction.object,
                prediction.class_name,
                f"round trip of probe {result.number}{_hour(result)}",
                None,
                _seen(result.rtt),
                Agreement.UNKNOWN,
                NotComparable(prediction.delay.reason),
                (),
                str(result.at),
            )


def _results(device: Device, outlet: Outlet, class_name: str) -> Iterator[SlaResult]:
    """Results of the probes that a class of an output takes."""
    for probe in device.facts.probes:
        path = probe_path(device, probe)
        if not isinstance(path, ProbePath) or path.class_name != class_name:
            continue
        if any(leaving.policy_label == outlet.policy_label for leaving in path.outlets):
            yield from (result for result in device.seen.sla if result.number == probe.number)


def _hour(result: SlaResult) -> str:
    return ", aggregated" if result.is_aggregated else ""


def _probe(subject: Subject, result: SlaResult) -> Iterator[Compared]:
    prediction, source = subject.prediction, str(result.at)
    if result.rtt is not None:
        metric = f"round trip of probe {result.number}{_hour(result)}"
        way_back = subject.settings.return_path
        predicted = round_trip(prediction, way_back)
        more = (_WAY_BACK[way_back],)
        yield row_of(subject, metric, predicted, _seen(result.rtt), source, more=more)
    if result.jitter_to_destination is not None:
        metric = f"jitter of probe {result.number} to the destination{_hour(result)}"
        measured = _seen(result.jitter_to_destination)
        yield row_of(subject, metric, prediction.jitter, measured, source)


def _seen(spread: Spread) -> Figure:
    return enclosing(spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms")
