"""Counters of a class beside its prediction, and what forbids to compare them."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, count, enclosing, number, point
from advisor.ground.units import (
    bytes_in_ms,
    kbps_from_bps,
    ms_from_s,
    percent_from_ratio,
    s_from_ms,
)
from advisor.outlet.measured import FEWEST_PACKETS, carried_rate_bps, classes_at
from advisor.outlet.measured import place_of as where
from advisor.outlet.outlet import Outlet
from advisor.outlet.scheduler import scheduler_of
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
from advisor.predict.comparison.samples import SampledRate, is_usable
from advisor.predict.what_if.compared import (
    Compared,
    NotCompared,
    PredictionFault,
    Way,
    Window,
    WindowKind,
)
from advisor.predict.what_if.prediction import ClassPrediction, Prediction
from advisor.shows.policy_map import ObservedClass

_LEAST_PERCENT: Final = 0.1  # losses with a smaller difference count as equal
_LEAST_PACKETS: Final = 1.0
_AQS: Final = "average queue (AQS)"
_SLACK_RATIO: Final = 1.1  # averages of IOS and the line are not of one moment


class _Counter(Struct, frozen=True):
    """The counters of a class at its output; `age_s` since they were cleared, None if never."""

    place: Place
    outlet: Outlet
    seen: ObservedClass
    siblings: tuple[ObservedClass, ...]
    is_sampled: bool
    age_s: int | None

    @property
    def window(self) -> Window:
        """That of its rates."""
        kind = WindowKind.SAMPLES if self.is_sampled else WindowKind.AVERAGE
        return Window(kind, self.seen.interval_s)

    def seen_as(self, metric: str, measured: Figure | None, window: Window | None = None) -> Seen:
        return Seen(metric, measured, window or self.window, Way.OUTPUT, str(self.seen.at))


def counted(subject: ComparedClass, rates: Iterable[SampledRate]) -> Iterator[Compared]:
    """Drops and queues of a class beside their predictions; `rates` are of two samples."""
    counter = _counter(subject.device, subject.outlet, subject.prediction, rates)
    if counter is None:
        return
    reason = _unusable(counter)
    if reason is not None:
        yield reason
    else:
        yield from _drops(subject, counter)
    yield from _queue(subject, counter)
    yield from _depth(subject, counter)


def uncompared_counters(
    device: Device, outlet: Outlet, prediction: Prediction, rates: Iterable[SampledRate]
) -> Iterator[Compared]:
    """Why the counters of a class without figures stand beside nothing."""
    counter = _counter(device, outlet, prediction, rates)
    reason = None if counter is None else _unusable(counter)
    if reason is not None:
        yield reason


def counted_input(device: Device) -> Iterator[Compared]:
    """Policies on input that count: nothing queues there, and nothing is predicted of it."""
    latest = {
        (policy.interface, str(policy.circuit)): policy
        for policy in device.seen.policies
        if Way(policy.direction) is Way.INPUT
    }
    for policy in latest.values():
        rates = [seen.offered_rate_bps for seen in policy.classes]
        known = [rate for rate in rates if rate is not None]
        interval_s = next((seen.interval_s for seen in policy.classes), None)
        if known:
            seen = Seen(
                f"offered to policy {policy.policy}",
                point(kbps_from_bps(sum(known)), "kb/s"),
                Window(WindowKind.AVERAGE, interval_s),
                Way.INPUT,
                str(policy.at),
            )
            place = Place(device.name, where(policy))
            yield not_compared(place, seen, NotCompared.INPUT, _ON_INPUT)


_ON_INPUT: Final = "no queue is on input: a policy there marks and polices, and adds no delay"


def _counter(
    device: Device, outlet: Outlet, prediction: Prediction, rates: Iterable[SampledRate]
) -> _Counter | None:
    name = prediction.class_name
    siblings = classes_at(device.seen, outlet.place, outlet.queueing.name)
    seen = next((item for item in siblings if item.name == name), None)
    if seen is None:
        return None
    port = device.seen.interface(outlet.attached_to)
    key = (*outlet.place, outlet.queueing.name, name)
    return _Counter(
        place_of(prediction),
        outlet,
        seen,
        siblings,
        any(rate.counter == key and is_usable(rate) for rate in rates),
        None if port is None else port.counters_age_s,
    )


# What is said ahead of a comparison: counters that count nothing, too little, or not the same time.


def _unusable(counter: _Counter) -> Compared | None:
    """Why rates and packets of a class say nothing of its figures; None where they do."""
    seen = counter.seen
    packets = seen.seen.packets if seen.seen is not None else None
    offered, dropped, interval_s = seen.offered_rate_bps, seen.drop_rate_bps, seen.interval_s
    since = Window(WindowKind.COUNTED, counter.age_s, packets)
    place, age = counter.place, counter.age_s
    if packets == 0:
        others = sum(item.seen.packets or 0 for item in counter.siblings if item.seen is not None)
        beside = f"the classes beside it {count(others, 'packet')}" if others else "no class did"
        why = f"it counted no packet, {beside}: nothing it matches was sent this way"
        seen_as = counter.seen_as("offered", _packets(0), since)
        return not_compared(place, seen_as, NotCompared.COUNTS_NOTHING, why)
    if packets is not None and packets < FEWEST_PACKETS:
        why = f"{count(packets, 'packet')} counted, a mean size takes {FEWEST_PACKETS}"
        seen_as = counter.seen_as("offered", _packets(packets), since)
        return not_compared(place, seen_as, NotCompared.TOO_FEW, why)
    if age is not None and interval_s is not None and age < interval_s and not counter.is_sampled:
        why = (
            f"the counters were cleared {age} s ago, the rates are of {interval_s} s: "
            "packets and rates are not of one time"
        )
        return not_compared(place, _rate_as(counter), NotCompared.CLEARED, why)
    if offered == 0:
        why = f"nothing is offered now, {packets} packets were before"
        return not_compared(place, _rate_as(counter), NotCompared.IDLE, why)
    if offered is not None and dropped is not None and dropped > offered:
        seen_as = replace(_rate_as(counter), metric="drops")
        return not_compared(place, seen_as, NotCompared.MORE_DROPPED, _MORE_DROPPED)
    return _beyond_line(counter)


_MORE_DROPPED: Final = "more is dropped than offered: the two were not counted over the same time"


def _rate_as(counter: _Counter) -> Seen:
    offered = counter.seen.offered_rate_bps or 0
    return counter.seen_as("offered", point(kbps_from_bps(offered), "kb/s"))


def _beyond_line(counter: _Counter) -> Compared | None:
    """More carried than the line can: it is faster than its label, or the counters do not agree."""
    outlet = counter.outlet
    carried = [carried_rate_bps(item) for item in counter.siblings]
    line_kbps = kbps_from_bps(outlet.line_bps * outlet.members)
    kbps = kbps_from_bps(sum(rate for rate in carried if rate is not None))
    if kbps <= _SLACK_RATIO * line_kbps:
        return None
    why = (
        f"all classes carry {number(kbps)} kb/s of a line of {number(line_kbps)} kb/s: the line is "
        "faster than it is stated, or drops are not counted"
    )
    return not_compared(counter.place, _rate_as(counter), NotCompared.BEYOND_LINE, why)


# Drops, WRED's average queue, and the depth of a moment.


def _drops(subject: ComparedClass, counter: _Counter) -> Iterator[Compared]:
    """Drops in percent of what is offered, over the window of both rates."""
    seen = counter.seen
    if not seen.offered_rate_bps or seen.drop_rate_bps is None:
        return
    measured = point(percent_from_ratio(seen.drop_rate_bps / seen.offered_rate_bps), "%")
    is_assumed = _is_assumed(subject.prediction)

    def predict(figures: ClassFigures, _: Outlet) -> Figure | None:
        """Predicted loss; None if the LLQ was assumed to send its reserved rate."""
        loss = figures.loss
        if loss is None or is_assumed:
            return None
        low, high = loss.low - _LEAST_PERCENT, loss.high + _LEAST_PERCENT
        return enclosing(loss.value, max(low, 0.0), high, "%", loss.bound)

    seen_as = counter.seen_as("drops", measured)
    yield row_of(subject, Beside(ComparedMetric.LOSS, predict), seen_as, measured)


def _is_assumed(prediction: ClassPrediction) -> bool:
    offered = prediction.offered
    return offered is not None and offered.low < offered.high


def _queue(subject: ComparedClass, counter: _Counter) -> Iterator[Compared]:
    """WRED's average queue beside the waiting packets by Little's law.

    Source: J. D. C. Little, "A proof for the queuing formula L = λW", Oper. Res. 9 (1961).
    """
    seen = counter.seen
    depth = seen.wred.mean_depth if seen.wred is not None else None
    if depth is None or depth.packets is None:
        return
    per_s = _packets_per_s(seen)

    def predict(figures: ClassFigures, _: Outlet) -> Figure | None:
        if per_s is None:
            return None
        mean, least_ms = figures.mean, figures.least_ms
        waits_ms = (max(each - least_ms, 0.0) for each in (mean.value, mean.low, mean.high))
        value, low, high = (per_s * s_from_ms(wait_ms) for wait_ms in waits_ms)
        low, high = max(low - _LEAST_PACKETS, 0.0), high + _LEAST_PACKETS
        return enclosing(value, low, high, "packets")

    measured = point(float(depth.packets), "packets")
    window = Window(WindowKind.MOMENT)
    found = row_of(
        subject,
        Beside(ComparedMetric.QUEUE, predict),
        counter.seen_as(_AQS, measured, window),
        measured,
    )
    predicted, outlet = found.predicted, subject.outlet
    scheduler = scheduler_of(outlet, subject.device.platform)[0]
    most = scheduler.highest_maximum_packets(outlet.class_named(subject.prediction.class_name))
    if predicted is None or most is None or predicted.low <= most + _LEAST_PACKETS:
        yield found
        return
    fault = (
        f"at least {number(predicted.low)} packets on average cannot be: WRED drops every packet "
        f"at {most}, and the figures leave WRED out"
    )
    yield replace(found, verdict=PredictionFault(fault), explains=(), refutation=None)


def _depth(subject: ComparedClass, counter: _Counter) -> Iterator[Compared]:
    """The depth of the queue when the output was printed: packets of one moment."""
    queue = counter.seen.queue
    depth = None if queue is None or queue.depth is None else queue.depth.packets
    if not depth:
        return
    per_s, mean = _packets_per_s(counter.seen), subject.prediction.mean
    waits = "" if per_s is None else f", {number(per_s * s_from_ms(mean.value))} wait on average"
    seen_as = counter.seen_as("queue now", _packets(depth), Window(WindowKind.MOMENT))
    why = f"it is of one moment{waits}"
    yield not_compared(counter.place, seen_as, NotCompared.MOMENT, why)


def _packets(packets: int) -> Figure:
    return point(packets, "packets")


def _packets_per_s(seen: ObservedClass) -> float | None:
    """Carried packets from the rates and the mean packet of the counters."""
    counts, rate_bps = seen.seen, carried_rate_bps(seen)
    if counts is None or not counts.packets or not counts.bytes or rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / (counts.bytes / counts.packets)
