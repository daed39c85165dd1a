"""Measurements of a device beside the predictions of the model."""

from collections.abc import Iterator, Sequence

from advisor.device.device import Device
from advisor.device.reading import Source, read_source
from advisor.ground.quantity import Figure, enclosing, number, point
from advisor.ground.units import serialization_ms
from advisor.outlet.class_service import class_packet
from advisor.outlet.operations import offers_at, operations_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.probe import results_in
from advisor.predict.comparison.counted import Rate, counted, rates_of, with_remarks
from advisor.predict.comparison.rows import (
    Agreement,
    Compared,
    ComparedClass,
    ComparedMetric,
    NotComparable,
    PossibleCause,
    Within,
    off_by,
    row_of,
)
from advisor.predict.what_if import InputError
from advisor.predict.what_if.prediction import ClassPrediction, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import ReturnPath, Settings
from advisor.settings.tables import settings_of
from advisor.shows.observe import sample_pairs
from advisor.shows.sla import SlaResult, Spread

# Each class, predicted and measured: round trip and jitter of probes, drops, queue; the CPU.

# The round trip of a probe, from the prediction of its way out of the device.

PROCESSING_MS = 5.0  # processing delay of the routers in a probe, as rule SLA001 assumes


def round_trip(prediction: ClassPrediction, return_path: ReturnPath) -> Figure:
    """Round trip in ms of a probe in a class.

    The far end is not known. A loaded way back is taken to be like the way there; an idle one takes
    the transmission of the smallest packet of the class. Where the user states neither, the mean
    and its interval count an idle way back, and the bound a loaded one.
    """
    there = prediction.mean
    back = there
    if return_path is not ReturnPath.LOADED:
        idle_ms = min(prediction.least_ms, there.low)
        back = point(idle_ms, "ms")
    bound_ms = prediction.bound_ms
    if bound_ms is not None:
        bound_ms += back.value if return_path is ReturnPath.IDLE else bound_ms
        bound_ms += PROCESSING_MS
    return enclosing(
        there.value + back.value,
        there.low + back.low,
        there.high + back.high + PROCESSING_MS,
        "ms",
        bound_ms,
    )


_WAY_BACK = {
    ReturnPath.UNSTATED: PossibleCause(
        "the way back is taken as idle: if not, state [ip_sla] return_path", lowers=False
    ),
    ReturnPath.IDLE: PossibleCause("the way back is stated as idle", lowers=False),
    ReturnPath.LOADED: PossibleCause("the loaded way back is assumed to be like the way there"),
}
_STEADY_RATIO = 0.1  # of the time that is missing: a queue that adds it varies more
_FAR_END = (
    "the far end, or the path behind the link, adds time that does not vary: the jitter back is {} "
    "ms, so no queue does"
)
_NO_BOUND = "one packet says nothing of a mean, and nothing bounds the delay of the class"
_MOMENT = "one operation is a moment, the prediction is a mean over time"


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
    unstated: dict[str, tuple[str, ...]] = {}
    for prediction in predictions:
        if isinstance(prediction, UnstatedPrediction):
            others = unstated.get(prediction.object, ())
            unstated[prediction.object] = (*others, prediction.class_name)
    for prediction in predictions:
        outlet = by_label.get(prediction.object)
        if outlet is None:
            continue
        if isinstance(prediction, UnstatedPrediction):
            comparisons += _unstated(device, outlet, prediction)
        elif isinstance(prediction, ClassPrediction):
            saturated = unstated.get(prediction.object, ())
            subject = ComparedClass(device, settings, outlet, prediction, saturated)
            for result in results_in(device, outlet, prediction.class_name):
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
    for result in results_in(device, outlet, prediction.class_name):
        trip = result.rtt or result.moment
        if trip is not None:
            yield Compared(
                device.name,
                prediction.object,
                prediction.class_name,
                f"round trip of probe {result.number}{_hour(result)}",
                None,
                _seen(trip),
                Agreement.UNKNOWN,
                NotComparable(prediction.delay.reason),
                (),
                str(result.at),
            )


def _hour(result: SlaResult) -> str:
    return ", aggregated" if result.is_aggregated else ""


def _probe(subject: ComparedClass, result: SlaResult) -> Iterator[Compared]:
    prediction, source = subject.prediction, str(result.at)
    if result.rtt is not None:
        name = f"round trip of probe {result.number}{_hour(result)}"
        predicted = _of_probe(subject, result)
        more = (*_moment(result), _way_back(subject, result, predicted))
        metric = (ComparedMetric.DELAY, name)
        yield row_of(subject, metric, predicted, _seen(result.rtt), source, more=more)
    if result.moment is not None:
        yield _one_packet(subject, result, result.moment)
    if result.jitter_to_destination is not None:
        name = f"jitter of probe {result.number} to the destination{_hour(result)}"
        measured, metric = _seen(result.jitter_to_destination), (ComparedMetric.JITTER, name)
        more = tuple(_moment(result))
        yield row_of(subject, metric, prediction.jitter, measured, source, more=more)


def _of_probe(subject: ComparedClass, result: SlaResult) -> Figure:
    """The round trip of the packets of a probe: they are shorter than the mean of their class."""
    device, outlet, prediction = subject.device, subject.outlet, subject.prediction
    trip = round_trip(prediction, subject.settings.return_path)
    sizes = [
        operation.ip_bytes
        for operation in operations_at(device, outlet)
        if operation.number == result.number
    ]
    offers = offers_at(device, outlet)
    mean_bytes = class_packet(outlet, offers, prediction.class_name).value
    if not sizes:
        return trip
    less_ms = serialization_ms(mean_bytes - sizes[0], outlet.wire_bps)
    least_ms = 2 * min(prediction.least_ms, trip.low)
    value, low, high = (
        max(time_ms - less_ms, least_ms) for time_ms in (trip.value, trip.low, trip.high)
    )
    return enclosing(value, low, high, "ms", trip.bound)


def _one_packet(subject: ComparedClass, result: SlaResult, moment: Spread) -> Compared:
    """One packet beside its least time and its bound: it says nothing of a mean."""
    predicted, least_ms = _of_probe(subject, result), 2 * subject.prediction.least_ms
    name = f"round trip of probe {result.number}, one packet"
    low, source = min(least_ms, predicted.low), str(result.at)
    if predicted.bound is not None:
        span = enclosing(predicted.value, low, max(predicted.bound, predicted.high), "ms")
        return row_of(subject, (ComparedMetric.DELAY, name), span, _seen(moment), source)
    prediction = subject.prediction
    return Compared(
        subject.device.name,
        prediction.object,
        prediction.class_name,
        name,
        predicted,
        _seen(moment),
        Agreement.UNKNOWN,
        NotComparable(_NO_BOUND),
        (),
        source,
    )


def _moment(result: SlaResult) -> Iterator[PossibleCause]:
    if not result.is_aggregated:
        yield PossibleCause(_MOMENT)


def _way_back(subject: ComparedClass, result: SlaResult, predicted: Figure) -> PossibleCause:
    """Causes behind the output that add to a round trip; its jitter tells queues from others."""
    way_back, back = subject.settings.return_path, result.jitter_to_source
    if way_back is ReturnPath.LOADED or back is None or result.rtt is None:
        return _WAY_BACK[way_back]
    missing_ms = result.rtt.mean_ms - predicted.high
    if back.mean_ms > _STEADY_RATIO * missing_ms:
        return _WAY_BACK[way_back]
    return PossibleCause(_FAR_END.format(number(back.mean_ms)), lowers=False)


def _seen(spread: Spread) -> Figure:
    return enclosing(spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms")


# Compares measurements of the device of a bundle with predictions.


def measured(source: Source, settings: Settings) -> tuple[tuple[Compared, ...], tuple[Rate, ...]]:
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


__all__ = ["Compared", "Rate", "compared", "measured", "rates_of"]
