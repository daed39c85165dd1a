"""Counters of a class beside its prediction: drops, and WRED's average queue."""

from collections.abc import Iterator, Sequence
from math import inf

from msgspec.structs import replace

from advisor.outlet.measured import carried_rate_bps, less_dropped
from advisor.outlet.outlet import Outlet
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.seen_classes import classes_at
from advisor.predict.comparison.causes import Cause, Metric, Subject
from advisor.predict.comparison.rates import Rate
from advisor.predict.comparison.row import Agreement, Compared, row_of
from advisor.predict.comparison.verdict import NotComparable, PredictionFault
from advisor.predict.what_if import ClassPrediction
from advisor.quantity import Figure, enclosing, number
from advisor.shows.policy_map.records import ObservedClass
from advisor.units import bytes_in_ms, ms_from_s, percent_from_ratio, s_from_ms

_LEAST_PERCENT = 0.1  # losses with a smaller difference count as equal
_LEAST_PACKETS = 1.0
_AQS = "average queue (AQS)"
_MORE_DROPPED = "more is dropped than offered: the two were not counted over the same time"


def counted(subject: Subject, rates: Sequence[Rate]) -> Iterator[Compared]:
    """Drops and average queue of a class beside their predictions; `rates` are of two samples."""
    outlet, prediction = subject.outlet, subject.prediction
    classes = classes_at(subject.device.seen, outlet.place, outlet.queueing.name)
    seen = next((counted for counted in classes if counted.name == prediction.class_name), None)
    if seen is None:
        return
    counter = (*outlet.place, outlet.queueing.name, prediction.class_name)
    rate = next((rate for rate in rates if rate.counter == counter), None)
    yield from _drops(subject, seen, rate)
    yield from _queue(subject, seen, rate)


def _drops(subject: Subject, seen: ObservedClass, rate: Rate | None) -> Iterator[Compared]:
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
    predicted = _loss_of_known_rate(subject.prediction)
    if predicted is not None:
        low, high = predicted.low - _LEAST_PERCENT, predicted.high + _LEAST_PERCENT
        predicted = enclosing(predicted.value, max(low, 0.0), high, "%", predicted.bound)
    row = row_of(subject, (Metric.LOSS, f"drops, {over}"), predicted, measured, str(seen.at))
    if share > 1:
        row = replace(
            row, agreement=Agreement.UNKNOWN, verdict=NotComparable(_MORE_DROPPED), explains=()
        )
    yield row


def _loss_of_known_rate(prediction: ClassPrediction) -> Figure | None:
    """The loss; None of an LLQ at its reserved rate: what is measured is of another rate."""
    offered = prediction.offered
    is_assumed = offered is not None and offered.low < offered.high
    return None if is_assumed else prediction.loss


def _queue(subject: Subject, seen: ObservedClass, rate: Rate | None) -> Iterator[Compared]:
    """WRED's average queue beside the waiting packets by Little's law.

    Source: J. D. C. Little, "A proof for the queuing formula L = λW", Oper. Res. 9 (1961).
    """
    depth = seen.wred.mean_depth if seen.wred is not None else None
    if depth is None or depth.packets is None:
        return
    measured = Figure(float(depth.packets), float(depth.packets), float(depth.packets), "packets")
    prediction = subject.prediction
    per_s = _carried_per_s(rate) if rate is not None else _packets_per_s(seen)
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
    outlet = subject.outlet
    row = row_of(
        subject, (Metric.QUEUE, _AQS), predicted, measured, str(seen.at), more=_of_ring(outlet)
    )
    scheduler = scheduler_of(outlet, subject.device.platform)[0]
    most = scheduler.highest_maximum_packets(outlet.class_named(prediction.class_name))
    if predicted is None or most is None or predicted.low <= most + _LEAST_PACKETS:
        yield row
        return
    fault = (
        f"at least {number(predicted.low)} packets on average cannot be: WRED drops every packet "
        f"at {most}, and the figures leave WRED out"
    )
    yield replace(row, verdict=PredictionFault(fault), explains=())


def _of_ring(outlet: Outlet) -> tuple[Cause, ...]:
    """The ring holds a part of the packets that wait."""
    most = inf if outlet.ring is None else outlet.ring.limit_high
    words = "the prediction counts the packets in the ring, the average of WRED does not"
    return (Cause(words, most, lifts=False),)


def _carried_per_s(rate: Rate) -> float | None:
    """Packets that a class carried between two samples: the dropped ones wait in no queue."""
    return less_dropped(rate.packets_per_s, rate.drops_per_s)


def _packets_per_s(seen: ObservedClass) -> float | None:
    """Carried packets from IOS's average rates and the mean packet of the counters."""
    count, rate_bps = seen.seen, carried_rate_bps(seen)
    if count is None or not count.packets or not count.bytes or rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / (count.bytes / count.packets)
