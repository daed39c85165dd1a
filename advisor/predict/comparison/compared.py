"""Each class, predicted and measured: round trip and jitter of probes, drops, queue; the CPU."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet, outlets
from advisor.outlet.probe import ProbePath, probe_path
from advisor.outlet.seen_classes import classes_at
from advisor.predict.comparison.rates import Rate
from advisor.predict.what_if import ClassPrediction, InputError
from advisor.predict.what_if.predictions import predict_device
from advisor.quantity import Basis, Figure, Input, RateKind
from advisor.settings.values import Settings
from advisor.shows.policy_map.records import ObservedClass
from advisor.shows.sla.records import SlaResult, Spread
from advisor.units import bytes_in_ms, ms_from_s, percent_from_ratio, s_from_ms

_WAYS = 2  # a round trip crosses an output there, and one taken to be like it on the way back
_PROCESSING_MS = 5.0  # what routers themselves add to a probe, as rule SLA001 assumes
_LEAST_PERCENT = 0.1  # losses closer than that are the same
_LEAST_PACKETS = 1.0


class Agreement(StrEnum):
    """How a measured figure lies to the predicted interval."""

    WITHIN = "within"
    ABOVE = "above"
    BELOW = "below"
    UNKNOWN = "not predicted"


class Compared(Struct, frozen=True):
    """One figure of a class, or of the device where `class_name` is None.

    `measured` is a mean with the extremes that were seen; `predicted` is None where the model has
    no answer. `explains` lists what could make them differ, what is best known last.
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
    """Compare what was measured of a device with what is predicted of it.

    Parameters
    ----------
    device
        A device with show outputs.
    settings
        Budgets and the traffic that is stated.
    rates
        Its rates from two samples, which count before the averages that IOS prints.
    """
    found = list(_cpu(device, settings))
    try:
        predictions = predict_device(device, device.name, settings, None, (), explained=False)
    except InputError:
        return tuple(found)
    by_label = {each.label: each for each in outlets(device)}
    for each in predictions:
        outlet = by_label.get(each.object)
        if isinstance(each, ClassPrediction) and outlet is not None:
            found += _probes(device, settings, outlet, each)
            found += _counters(device, settings, outlet, each, rates)
    return tuple(found)


def _cpu(device: Device, settings: Settings) -> Iterator[Compared]:
    """The CPU beside what it may be used for: above, no delay is what a model says."""
    if not device.seen.cpu:
        return
    load = device.seen.cpu[-1]
    seen = (load.five_seconds_percent, load.one_minute_percent, load.five_minutes_percent)
    measured = Figure(float(load.one_minute_percent), float(min(seen)), float(max(seen)), "%")
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
        ("jitter and delays of this time say little of the queues",) if is_over else (),
        str(load.at),
    )


def _probes(
    device: Device, settings: Settings, outlet: Outlet, of: ClassPrediction
) -> Iterator[Compared]:
    for probe in device.facts.probes:
        path = probe_path(device, probe)
        if not isinstance(path, ProbePath) or path.class_name != of.class_name:
            continue
        if all(each.policy_label != outlet.policy_label for each in path.outlets):
            continue
        for result in device.seen.sla:
            if result.number == probe.number:
                yield from _probe(device, settings, of, result)


def _probe(
    device: Device, settings: Settings, of: ClassPrediction, result: SlaResult
) -> Iterator[Compared]:
    hour = ", aggregated" if result.is_aggregated else ""
    if result.rtt is not None:
        both = Figure(
            _WAYS * of.mean.value,
            _WAYS * of.mean.low,
            _WAYS * of.mean.high + _PROCESSING_MS,
            "ms",
            None if of.bound_ms is None else _WAYS * of.bound_ms,
        )
        metric = f"round trip of probe {result.number}{hour}"
        far = ("the way back is taken to be like the way there",)
        yield _row(device, settings, of, metric, both, _seen(result.rtt), str(result.at), far)
    if result.jitter_to_destination is not None:
        metric = f"jitter of probe {result.number} on the way out{hour}"
        measured = _seen(result.jitter_to_destination)
        yield _row(device, settings, of, metric, of.jitter, measured, str(result.at))


def _seen(spread: Spread) -> Figure:
    return Figure(spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms")


def _counters(
    device: Device,
    settings: Settings,
    outlet: Outlet,
    of: ClassPrediction,
    rates: Sequence[Rate],
) -> Iterator[Compared]:
    classes = classes_at(device.seen, outlet.place, outlet.queueing.name)
    seen = next((found for found in classes if found.name == of.class_name), None)
    if seen is None:
        return
    wanted = (*outlet.place, outlet.queueing.name, of.class_name)
    rate = next((rate for rate in rates if rate.counter == wanted), None)
    yield from _drops(device, settings, of, seen, rate)
    yield from _queue(device, settings, of, seen, rate)


def _drops(
    device: Device,
    settings: Settings,
    of: ClassPrediction,
    seen: ObservedClass,
    rate: Rate | None,
) -> Iterator[Compared]:
    """Drops in percent of what was offered: of two samples, else of IOS's own averages."""
    if rate is not None and rate.packets_per_s and rate.drops_per_s is not None:
        share, over = rate.drops_per_s / rate.packets_per_s, f"{rate.over_s:.3g} s between samples"
    elif seen.offered_rate_bps and seen.drop_rate_bps is not None:
        share = seen.drop_rate_bps / seen.offered_rate_bps
        over = "the average that IOS prints"
    else:
        return
    value = percent_from_ratio(share)
    measured = Figure(value, value, value, "%")
    predicted = of.loss
    if predicted is not None:
        low, high = predicted.low - _LEAST_PERCENT, predicted.high + _LEAST_PERCENT
        predicted = Figure(predicted.value, max(low, 0.0), high, "%", predicted.bound)
    yield _row(device, settings, of, f"drops, {over}", predicted, measured, str(seen.at))


def _queue(
    device: Device,
    settings: Settings,
    of: ClassPrediction,
    seen: ObservedClass,
    rate: Rate | None,
) -> Iterator[Compared]:
    """WRED's average queue beside the packets that wait by Little's law.

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
            max(each - of.least_ms, 0.0) for each in (of.mean.value, of.mean.low, of.mean.high)
        ]
        value, low, high = (per_s * s_from_ms(each) for each in waits)
        predicted = Figure(value, max(low - _LEAST_PACKETS, 0.0), high + _LEAST_PACKETS, "packets")
    why = ("packets in the ring are in the prediction and not in WRED's average",)
    yield _row(device, settings, of, "average queue (AQS)", predicted, measured, str(seen.at), why)


def _packets_per_s(seen: ObservedClass) -> float | None:
    """Offered packets by IOS's average rate and the mean packet of all that was counted."""
    count, rate_bps = seen.seen, seen.offered_rate_bps
    if count is None or not count.packets or not count.bytes or rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / (count.bytes / count.packets)


def _row(  # noqa: PLR0917 -- the columns of a row
    device: Device,
    settings: Settings,
    of: ClassPrediction,
    metric: str,
    predicted: Figure | None,
    measured: Figure,
    source: str,
    more: tuple[str, ...] = (),
) -> Compared:
    agreement = _agreement(predicted, measured)
    explains: tuple[str, ...] = ()
    if agreement in (Agreement.ABOVE, Agreement.BELOW):
        explains = (*_causes(device, settings, of), *more)
    return Compared(
        device.name,
        of.object,
        of.class_name,
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


def _causes(device: Device, settings: Settings, of: ClassPrediction) -> Iterator[str]:
    """What could explain a miss: the CPU, then every input that was neither seen nor stated."""
    busiest = max((each.one_minute_percent for each in device.seen.cpu), default=0)
    if busiest > settings.budgets.cpu_percent:
        yield f"a CPU at {busiest} %"
    unsure = [each for each in of.inputs if each.basis in (Basis.ASSUMED, Basis.DEFAULT)]
    yield from (f"{each.basis}: {_said(each)}" for each in unsure)
    if any(given.kind is RateKind.MEASURED for given in of.inputs):
        yield "the rates are averages: bursts within them are not seen"
    yield from of.weak


def _said(of: Input) -> str:
    return f"{of.name} {of.value:g}" + (f" ({of.source})" if of.source else "")
