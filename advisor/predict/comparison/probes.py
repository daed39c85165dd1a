"""Results of probes beside the prediction of the class that takes them, each way by itself."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Figure, Unknown, count, enclosing, exact, point
from advisor.ground.units import serialization_ms
from advisor.outlet.class_service import class_packet
from advisor.outlet.operations import offers_at, operations_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import ProbePath, probe_path, results_in
from advisor.predict.comparison.refute import Beside, row_of
from advisor.predict.comparison.rows import (
    ClassFigures,
    ComparedClass,
    ComparedMetric,
    Place,
    Seen,
    not_compared,
    place_of,
)
from advisor.predict.what_if.compared import (
    Compared,
    NotCompared,
    SolvedInput,
    Way,
    Window,
    WindowKind,
)
from advisor.predict.what_if.prediction import Prediction
from advisor.settings import ReturnPath
from advisor.shows.sla import SlaResult, Spread

# The round trip of a probe, from the prediction of its way out of the device.

PROCESSING_MS: Final = 5.0  # processing delay of the routers in a probe, as rule SLA001 assumes


def round_trip(figures: ClassFigures, return_path: ReturnPath) -> Figure:
    """Round trip in ms of a probe in a class.

    The far end is not known. A loaded way back is taken to be like the way there; an idle one takes
    the transmission of the smallest packet of the class. Where the user states neither, the mean
    and its interval count an idle way back, and the bound a loaded one.
    """
    there = figures.mean
    back = there
    if return_path is not ReturnPath.LOADED:
        back = point(min(figures.least_ms, there.low), "ms")
    bound_ms = figures.bound_ms
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


_STEADY_RATIO: Final = 0.1  # of the time that is missing: a queue that adds it varies more


def probes_of(subject: ComparedClass) -> Iterator[Compared]:
    """Results of the probes that a class takes, beside its prediction."""
    for result in results_in(subject.device, subject.outlet, subject.prediction.class_name):
        unusable = unanswered(place_of(subject.prediction), result)
        if unusable is not None:
            yield unusable
        else:
            yield from _answered(subject, result)


def unpredicted_probes(
    device: Device, outlet: Outlet, prediction: Prediction, why: str
) -> Iterator[Compared]:
    """Round trips in a class without figures: nothing is predicted of them."""
    place = place_of(prediction)
    for result in results_in(device, outlet, prediction.class_name or ""):
        trip = result.rtt or result.moment
        unusable = unanswered(place, result)
        if unusable is not None:
            yield unusable
        elif trip is not None:
            yield not_compared(place, _round(result, trip), NotCompared.UNPREDICTED, why)


def probes_elsewhere(device: Device) -> Iterator[Compared]:
    """Probes that leave by no queue of this device that is known."""
    by_number = {probe.number: probe for probe in device.facts.probes}
    for result in device.seen.sla:
        probe, trip = by_number.get(result.number), result.rtt or result.moment
        path = Unknown("the operation is not in the configuration")
        found = path if probe is None else probe_path(device, probe)
        if isinstance(found, ProbePath) and found.class_name is not None:
            continue
        why = found.reason if isinstance(found, Unknown) else "its class is not known"
        place = Place(device.name, f"ip sla {result.number}")
        unusable = unanswered(place, result)
        if unusable is not None:
            yield unusable
        elif trip is not None:
            yield not_compared(place, _round(result, trip), NotCompared.ELSEWHERE, why)


def unanswered(place: Place, result: SlaResult) -> Compared | None:
    """The row of an operation without an answer; None where it has one."""
    is_silent = result.successes == 0 or (not result.rtt and not result.latest_rtt_ms)
    if not is_silent:
        return None
    failures = "" if result.failures is None else f": {count(result.failures, 'failure')}"
    code = "" if result.return_code in (None, "OK") else f", {result.return_code}"
    seen = Seen(
        f"round trip of probe {result.number}", None, _window(result), Way.ROUND, str(result.at)
    )
    why = f"no operation was answered{failures}{code}: it measures no delay"
    return not_compared(place, seen, NotCompared.NEVER_ANSWERED, why)


def _answered(subject: ComparedClass, result: SlaResult) -> Iterator[Compared]:
    place = place_of(subject.prediction)
    if result.rtt is not None:
        seen = _round(result, result.rtt)
        row = row_of(subject, _round_trip(subject, result), seen, _spread(result.rtt))
        yield _with_bytes(subject, result, row)
    if result.moment is not None:
        yield _one_packet(subject, result, result.moment)
    there, back = result.latency_to_destination, result.latency_to_source
    if there is not None:
        seen = _one_way("latency", result, there, Way.THERE)
        beside = Beside(ComparedMetric.DELAY, lambda found, at: _own(subject, result, found, at))
        yield _with_bytes(subject, result, row_of(subject, beside, seen, _spread(there)))
    if back is not None:
        seen = _one_way("latency", result, back, Way.BACK)
        yield not_compared(place, seen, NotCompared.FAR_END, _FAR_END)
    there, back = result.jitter_to_destination, result.jitter_to_source
    if there is not None:
        seen = _one_way("jitter", result, there, Way.THERE)
        beside = Beside(ComparedMetric.JITTER, lambda found, _: found.jitter)
        yield row_of(subject, beside, seen, _spread(there))
    if back is not None:
        seen = _one_way("jitter", result, back, Way.BACK)
        yield not_compared(place, seen, NotCompared.FAR_END, _FAR_END)


_FAR_END: Final = "the queue of this way is at the far end, whose configuration is not here"
_NO_BOUND: Final = "one packet says nothing of a mean, and nothing bounds the delay of the class"


def _round_trip(subject: ComparedClass, result: SlaResult) -> Beside:
    """Predict a round trip; a loaded way back, or a delay that does not vary, may settle it."""
    way = subject.settings.return_path

    def predict(figures: ClassFigures, outlet: Outlet) -> Figure:
        return _of_probe(subject, result, figures, outlet, way)

    predicted = predict(subject.figures, subject.outlet)
    return Beside(ComparedMetric.DELAY, predict, _settled(subject, result, predicted))


def _settled(subject: ComparedClass, result: SlaResult, predicted: Figure) -> SolvedInput | None:
    """Inputs behind the output that explain a longer round trip, by number."""
    back, rtt = result.jitter_to_source, result.rtt
    if rtt is None or subject.settings.return_path is ReturnPath.LOADED:
        return None
    missing_ms = rtt.mean_ms - predicted.value
    object_ = subject.prediction.object
    if back is not None and back.mean_ms <= _STEADY_RATIO * missing_ms:
        gives = point(rtt.mean_ms, "ms")
        return SolvedInput("fixed_delay", object_, "ms", None, missing_ms, gives)
    loaded = _of_probe(subject, result, subject.figures, subject.outlet, ReturnPath.LOADED)
    is_met = loaded.low - 1 <= rtt.mean_ms <= loaded.high + 1
    if subject.settings.return_path is ReturnPath.UNSTATED and is_met:
        return SolvedInput("return_path", object_, "ms", None, loaded.value, loaded)
    return None


def _of_probe(
    subject: ComparedClass,
    result: SlaResult,
    figures: ClassFigures,
    outlet: Outlet,
    way: ReturnPath,
) -> Figure:
    """The round trip of the packets of a probe: they are shorter than the mean of their class."""
    return _less(subject, result, round_trip(figures, way), 2 * figures.least_ms, outlet)


def _own(
    subject: ComparedClass, result: SlaResult, figures: ClassFigures, outlet: Outlet
) -> Figure:
    """The way there of the packets of a probe."""
    return _less(subject, result, figures.mean, figures.least_ms, outlet)


def _less(
    subject: ComparedClass, result: SlaResult, trip: Figure, least_ms: float, outlet: Outlet
) -> Figure:
    ip_bytes = _probe_bytes(subject, result)
    if ip_bytes is None:
        return trip
    offers = offers_at(subject.device, subject.outlet)
    mean_bytes = class_packet(outlet, offers, subject.prediction.class_name).value
    less_ms = serialization_ms(mean_bytes - ip_bytes, outlet.wire_bps)
    least_ms = min(least_ms, trip.low)
    value, low, high = (
        max(time_ms - less_ms, least_ms) for time_ms in (trip.value, trip.low, trip.high)
    )
    return enclosing(value, low, high, "ms", trip.bound)


def _probe_bytes(subject: ComparedClass, result: SlaResult) -> int | None:
    of_outlet = operations_at(subject.device, subject.outlet)
    sizes = (found.ip_bytes for found in of_outlet if found.number == result.number)
    return next(sizes, None)


def _with_bytes(subject: ComparedClass, result: SlaResult, row: Compared) -> Compared:
    """The row with the bytes of a packet of the probe: another delay than that of its class."""
    ip_bytes = _probe_bytes(subject, result)
    if ip_bytes is None or not row.given:
        return row
    name = f"ip_bytes of probe {result.number}"
    size = exact(name, ip_bytes, Basis.CONFIGURED, str(subject.outlet.at))
    return replace(row, given=(*row.given, size))


def _one_packet(subject: ComparedClass, result: SlaResult, moment: Spread) -> Compared:
    """One packet beside its least time and its bound: it says nothing of a mean."""
    way = subject.settings.return_path
    seen = _seen(result, f"round trip of probe {result.number}, one packet", moment, Way.ROUND)

    def span(figures: ClassFigures, outlet: Outlet) -> Figure | None:
        predicted = _of_probe(subject, result, figures, outlet, way)
        if predicted.bound is None:
            return None
        low, high = min(2 * figures.least_ms, predicted.low), predicted.high
        return enclosing(predicted.value, low, max(predicted.bound, high), "ms")

    if span(subject.figures, subject.outlet) is None:
        place = place_of(subject.prediction)
        return not_compared(place, seen, NotCompared.MOMENT, _NO_BOUND)
    return row_of(subject, Beside(ComparedMetric.DELAY, span), seen, _spread(moment))


def _round(result: SlaResult, spread: Spread) -> Seen:
    return _seen(result, f"round trip of probe {result.number}{_hour(result)}", spread, Way.ROUND)


def _one_way(metric: str, result: SlaResult, spread: Spread, way: Way) -> Seen:
    return _seen(result, f"{metric} of probe {result.number} {way}{_hour(result)}", spread, way)


def _seen(result: SlaResult, metric: str, spread: Spread, way: Way) -> Seen:
    return Seen(metric, _spread(spread), _window(result, spread.samples), way, str(result.at))


def _hour(result: SlaResult) -> str:
    return ", aggregated" if result.is_aggregated else ""


def _window(result: SlaResult, samples: int | None = None) -> Window:
    kind = WindowKind.AGGREGATED if result.is_aggregated else WindowKind.OPERATION
    if result.rtt is None:
        kind = WindowKind.MOMENT
    return Window(kind, None, samples, result.successes, result.failures)


def _spread(spread: Spread) -> Figure:
    return enclosing(spread.mean_ms, spread.minimum_ms, spread.maximum_ms, "ms")
