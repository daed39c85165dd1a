"""Each class, predicted and measured: round trip and jitter of probes, drops, queue; the CPU."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.probe import ProbePath, probe_path
from advisor.outlet.seen_classes import classes_at
from advisor.predict.comparison.rates import Rate
from advisor.predict.what_if import ClassPrediction, InputError
from advisor.predict.what_if.predictions import predict_device
from advisor.quantity import Basis, Figure, Input, RateKind, enclosing, number
from advisor.settings.values import Settings
from advisor.shows.policy_map.records import ObservedClass
from advisor.shows.sla.records import SlaResult, Spread
from advisor.units import bytes_in_ms, ms_from_s, percent_from_ratio, s_from_ms

_WAYS = 2  # a round trip crosses this output, and on the way back one that is assumed equal
_PROCESSING_MS = 5.0  # processing delay of the routers in a probe, as rule SLA001 assumes
_LEAST_PERCENT = 0.1  # losses with a smaller difference count as equal
_LEAST_PACKETS = 1.0


class Agreement(StrEnum):
    """Position of a measured figure relative to the predicted interval."""

    WITHIN = "within"
    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "not predicted"


class Compared(Struct, frozen=True):
    """One figure of a class, or of the device where `class_name` is None.

    `measured` is a mean with its observed extremes; `predicted` is None where the model has no
    answer. `explains` lists possible causes of a difference, the best known one last.
    """

    device: str
    object: str
    class_name: str | None
    metric: str
    predicted: Figure | None
    measured: Figure
    agreement: Agreement
    explains: tuple[str, ...]
    source: str


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
    comparisons = list(_cpu(device, settings))
    try:
        predictions = predict_device(device, device.name, settings, None, (), explained=False)
    except InputError:
        return tuple(comparisons)
    by_label = {outlet.label: outlet for outlet in outlets(device)}
    for prediction in predictions:
        outlet = by_label.get(prediction.object)
        if isinstance(prediction, ClassPrediction) and outlet is not None:
            comparisons += _probes(device, settings, outlet, prediction)
            comparisons += _counters(device, settings, outlet, prediction, rates)
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
        ("jitter and delays at this time do not show the state of the queues",) if is_over else (),
        str(load.at),
    )


def _probes(
    device: Device, settings: Settings, outlet: Outlet, prediction: ClassPrediction
) -> Iterator[Compared]:
    for probe in device.facts.probes:
        path = probe_path(device, probe)
        if not isinstance(path, ProbePath) or path.class_name != prediction.class_name:
            continue
        if all(leaving.policy_label != outlet.policy_label for leaving in path.outlets):
            continue
        for result in device.seen.sla:
            if result.number == probe.number:
                yield from _probe(device, settings, prediction, result)


def _probe(
    device: Device, settings: Settings, prediction: ClassPrediction, result: SlaResult
) -> Iterator[Compared]:
    hour = ", aggregated" if result.is_aggregated else ""
    if result.rtt is not None:
        round_trip = enclosing(
            _WAYS * prediction.mean.value,
            _WAYS * prediction.mean.low,
            _WAYS * prediction.mean.high + _PROCESSING_MS,
            "ms",
            None if prediction.bound_ms is None else _WAYS * prediction.bound_ms + _PROCESSING_MS,
        )
        metric = f"round trip of probe {result.number}{hour}"
        far = ("the return path is assumed to be like the path there",)
        yield _row(
            device, settings, prediction, metric, round_trip, _seen(result.rtt), str(result.at), far
        )
    if result.jitter_to_destination is not None:
        metric = f"jitter of probe {result.number} to the destination{hour}"
        measured = _seen(result.jitter_to_destination)
        yield _row(
            device, settings, prediction, metric, prediction.jitter, measured, str(result.at)
        )


def _seen(spread: Spread) -> Figure:
    return enclosing(spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms")


def _counters(
    device: Device,
    settings: Settings,
    outlet: Outlet,
    prediction: ClassPrediction,
    rates: Sequence[Rate],
) -> Iterator[Compared]:
    classes = classes_at(device.seen, outlet.place, outlet.queueing.name)
    seen = next((counted for counted in classes if counted.name == prediction.class_name), None)
    if seen is None:
        return
    counter = (*outlet.place, outlet.queueing.name, prediction.class_name)
    rate = next((rate for rate in rates if rate.counter == counter), None)
    yield from _drops(device, settings, prediction, seen, rate)
    yield from _queue(device, settings, prediction, seen, rate)


def _drops(
    device: Device,
    settings: Settings,
    prediction: ClassPrediction,
    seen: ObservedClass,
    rate: Rate | None,
) -> Iterator[Compared]:
    """Drops in percent of the offered packets: from two samples, else from averages of IOS."""
    if rate is not None and rate.packets_per_s and rate.drops_per_s is not None:
        share, over = (
            rate.drops_per_s / rate.packets_per_s,
            f"{number(rate.over_s)} s between samples",
        )
    elif seen.offered_rate_bps and seen.drop_rate_bps is not None:
        share = seen.drop_rate_bps / seen.offered_rate_bps
        over = "the average that IOS prints"
    else:
        return
    value = percent_from_ratio(share)
    measured = Figure(value, value, value, "%")
    predicted = prediction.loss
    if predicted is not None:
        low, high = predicted.low - _LEAST_PERCENT, predicted.high + _LEAST_PERCENT
        predicted = enclosing(predicted.value, max(low, 0.0), high, "%", predicted.bound)
    yield _row(device, settings, prediction, f"drops, {over}", predicted, measured, str(seen.at))


def _queue(
    device: Device,
    settings: Settings,
    prediction: ClassPrediction,
    seen: ObservedClass,
    rate: Rate | None,
) -> Iterator[Compared]:
    """WRED's average queue beside the waiting packets by Little's law.

    Source: J. D. C. Little, "A proof for the queuing formula L = λW", Oper. Res. 9 (1961).
    """
    depth = seen.wred.mean_depth if seen.wred is not None else None
    if depth is None or depth.packets is None:
        return
    measured = Figure(float(depth.packets), float(depth.packets), float(depth.packets), "packets")
    per_s = rate.packets_per_s if rate is not None else _packets_per_s(seen)
    predicted = None
    if per_s is not None:
        waits = [
            max(delay_ms - prediction.least_ms, 0.0)
            for delay_ms in (prediction.mean.value, prediction.mean.low, prediction.mean.high)
        ]
        value, low, high = (per_s * s_from_ms(wait_ms) for wait_ms in waits)
        predicted = enclosing(
            value, max(low - _LEAST_PACKETS, 0.0), high + _LEAST_PACKETS, "packets"
        )
    why = ("the prediction counts the packets in the ring, the average of WRED does not",)
    yield _row(
        device, settings, prediction, "average queue (AQS)", predicted, measured, str(seen.at), why
    )


def _packets_per_s(seen: ObservedClass) -> float | None:
    """Offered packets from IOS's average rate and the mean packet of the counters."""
    count, rate_bps = seen.seen, seen.offered_rate_bps
    if count is None or not count.packets or not count.bytes or rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / (count.bytes / count.packets)


def _row(  # noqa: PLR0917 -- the columns of a row
    device: Device,
    settings: Settings,
    prediction: ClassPrediction,
    metric: str,
    predicted: Figure | None,
    measured: Figure,
    source: str,
    more: tuple[str, ...] = (),
) -> Compared:
    agreement = _agreement(predicted, measured)
    explains: tuple[str, ...] = ()
    if agreement in (Agreement.ABOVE, Agreement.BELOW):
        explains = (*_causes(device, settings, prediction), *more)
    return Compared(
        device.name,
        prediction.object,
        prediction.class_name,
        metric,
        predicted,
        measured,
        agreement,
        explains,
        source,
    )


def _agreement(predicted: Figure | None, measured: Figure) -> Agreement:
    if predicted is None:
        return Agreement.UNKNOWN
    if measured.value > predicted.high:
        return Agreement.ABOVE
    return Agreement.BELOW if measured.value < predicted.low else Agreement.WITHIN


def _causes(device: Device, settings: Settings, prediction: ClassPrediction) -> Iterator[str]:
    """Possible causes of a miss: the CPU, then every input that is neither measured nor stated."""
    busiest = max((load.one_minute_percent for load in device.seen.cpu), default=0)
    if busiest > settings.budgets.cpu_percent:
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
