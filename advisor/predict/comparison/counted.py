"""Compares counters of a class with its prediction: rates of two samples, drops, WRED's queue."""

from collections.abc import Iterable, Iterator, Sequence
from math import inf
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.quantity import Figure, enclosing, number, point
from advisor.ground.units import (
    bps_from_bytes,
    bytes_in_ms,
    kbps_from_bps,
    ms_from_s,
    percent_from_ratio,
    s_from_ms,
)
from advisor.ios.syntax.names import interface_name
from advisor.outlet.measured import carried_rate_bps, classes_at, less_dropped, nested_classes
from advisor.outlet.outlet import Outlet
from advisor.outlet.scheduler import scheduler_of
from advisor.predict.comparison.rows import (
    Agreement,
    Compared,
    ComparedClass,
    ComparedMetric,
    NotComparable,
    PossibleCause,
    PredictionFault,
    row_of,
)
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.shows.dlsw import DlswPeer
from advisor.shows.observations import Observations
from advisor.shows.observe import SamplePair
from advisor.shows.policy_map import ObservedClass, ObservedPolicy

# True rates: the difference of two samples of a counter over the time between them.

_SLACK_RATIO: Final = 1.1  # the two samples are not taken to the millisecond


class Rate(Struct, frozen=True):
    """Rates of an interface, a class of an output, or a DLSw peer over `over_s` seconds.

    None: a counter is not printed, or went backwards (cleared or wrapped). `counter` names the
    class that counted: interface, circuit, policy-map and name; None for an interface and a peer.
    `remark` says why a rate cannot be what the line carried.
    """

    device: str
    object: str
    class_name: str | None
    over_s: float
    packets_per_s: float | None
    kbps: float | None
    drops_per_s: float | None
    counter: tuple[str, str | None, str, str] | None = None
    remark: str = ""


def rates_of(name: str, pairs: Iterable[SamplePair]) -> tuple[Rate, ...]:
    """Rates of a device between the two samples of each pair.

    Interfaces count sent packets, classes count offered packets, DLSw peers count the frames of
    both directions: the fps of the sizing rules.
    """
    rates: list[Rate] = []
    for pair in pairs:
        rates += _classes(name, pair.over_s, pair.before, pair.after)
        rates += _interfaces(name, pair.over_s, pair.before, pair.after)
        rates += _peers(name, pair.over_s, pair.before, pair.after)
    return tuple(rates)


def with_remarks(rates: Iterable[Rate], seen: Observations) -> tuple[Rate, ...]:
    """Add a remark to each rate that is above the bandwidth of its interface."""
    return tuple(replace(rate, remark=_beyond_line(rate, seen)) for rate in rates)


def _beyond_line(rate: Rate, seen: Observations) -> str:
    name = rate.object.removeprefix("interface ").split(" > ")[0]
    port = seen.interface(name) if rate.counter is None else seen.interface(rate.counter[0])
    carried_kbps = rate.kbps
    if port is None or port.bandwidth_bps is None or carried_kbps is None:
        return ""
    line_kbps = kbps_from_bps(port.bandwidth_bps)
    if rate.counter is not None and rate.packets_per_s and rate.drops_per_s:
        carried_kbps *= max(0.0, 1 - rate.drops_per_s / rate.packets_per_s)
    if carried_kbps <= _SLACK_RATIO * line_kbps:
        return ""
    return (
        f"more than the {number(line_kbps)} kb/s of the interface: the line is faster "
        "than its `bandwidth`, or the counters did not count this time"
    )


def _per_s(before: float | None, after: float | None, over_s: float) -> float | None:
    if before is None or after is None or after < before:
        return None
    return (after - before) / over_s


def _kbps(before: int | None, after: int | None, over_s: float) -> float | None:
    bytes_per_s = _per_s(before, after, over_s)
    return None if bytes_per_s is None else kbps_from_bps(bps_from_bytes(bytes_per_s, ms_from_s(1)))


def _classes(name: str, over_s: float, first: Observations, second: Observations) -> Iterator[Rate]:
    later = {_policy_key(policy): policy for policy in second.policies}
    for policy in first.policies:
        same = later.get(_policy_key(policy))
        if same is None:
            continue
        ends = {nested.path: nested.seen for nested in nested_classes(same)}
        for nested in nested_classes(policy):
            before, after = nested.seen, ends.get(nested.path)
            if before.seen is None or after is None or after.seen is None:
                continue
            interface, _, circuit = _policy_key(policy)
            yield Rate(
                name,
                _object(policy),
                " > ".join(nested.path),
                over_s,
                _per_s(before.seen.packets, after.seen.packets, over_s),
                _kbps(before.seen.bytes, after.seen.bytes, over_s),
                _per_s(drops_of(before), drops_of(after), over_s),
                (interface_name(interface), circuit, nested.policy, before.name),
            )


def _policy_key(policy: ObservedPolicy) -> tuple[str, str, str | None]:
    return (
        policy.interface,
        policy.direction,
        policy.circuit.number if policy.circuit is not None else None,
    )


def _object(policy: ObservedPolicy) -> str:
    circuit = (
        f" > {policy.circuit.kind} {policy.circuit.number}" if policy.circuit is not None else ""
    )
    return f"interface {policy.interface}{circuit} > {policy.direction} {policy.policy}"


def drops_of(observed: ObservedClass) -> int | None:
    """Packets that a class dropped: the larger one of the queue's and WRED's counters."""
    queue = observed.queue.total_drops_packets if observed.queue is not None else None
    if observed.wred is None or not observed.wred.rows:
        return queue
    counts = [drops for row in observed.wred.rows for drops in (row.random_drops, row.tail_drops)]
    wred = sum(drops.packets for drops in counts if drops is not None and drops.packets is not None)
    return max(queue or 0, wred)


def _interfaces(
    name: str, over_s: float, first: Observations, second: Observations
) -> Iterator[Rate]:
    for before in first.interfaces:
        after = second.interface(before.name)
        if after is None or before.counters.output_packets is None:
            continue
        ends = before.counters, after.counters
        drops = before.queues.all_output_drops_packets, after.queues.all_output_drops_packets
        yield Rate(
            name,
            f"interface {before.name}",
            None,
            over_s,
            _per_s(ends[0].output_packets, ends[1].output_packets, over_s),
            _kbps(ends[0].output_bytes, ends[1].output_bytes, over_s),
            _per_s(*drops, over_s),
        )


def _peers(name: str, over_s: float, first: Observations, second: Observations) -> Iterator[Rate]:
    later = {peer.peer: peer for table in second.dlsw_peers for peer in table.peers}
    for table in first.dlsw_peers:
        for before in table.peers:
            after = later.get(before.peer)
            if after is not None:
                frames = _per_s(_frames(before), _frames(after), over_s)
                drops = _per_s(before.drops_packets, after.drops_packets, over_s)
                yield Rate(name, f"dlsw peer {before.peer}", None, over_s, frames, None, drops)


def _frames(peer: DlswPeer) -> int | None:
    if peer.received_packets is None or peer.sent_packets is None:
        return None
    return peer.received_packets + peer.sent_packets


# Counters of a class beside its prediction: drops, and WRED's average queue.

_LEAST_PERCENT = 0.1  # losses with a smaller difference count as equal
_LEAST_PACKETS = 1.0
_AQS = "average queue (AQS)"
_MORE_DROPPED = "more is dropped than offered: the two were not counted over the same time"


def counted(subject: ComparedClass, rates: Sequence[Rate]) -> Iterator[Compared]:
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


def _drops(subject: ComparedClass, seen: ObservedClass, rate: Rate | None) -> Iterator[Compared]:
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
    measured = point(value, "%")
    predicted = _loss_of_known_rate(subject.prediction)
    if predicted is not None:
        low, high = predicted.low - _LEAST_PERCENT, predicted.high + _LEAST_PERCENT
        predicted = enclosing(predicted.value, max(low, 0.0), high, "%", predicted.bound)
    row = row_of(
        subject, (ComparedMetric.LOSS, f"drops, {over}"), predicted, measured, str(seen.at)
    )
    if share > 1:
        row = replace(
            row, agreement=Agreement.UNKNOWN, verdict=NotComparable(_MORE_DROPPED), explains=()
        )
    yield row


def _loss_of_known_rate(prediction: ClassPrediction) -> Figure | None:
    """Predicted loss; None if the LLQ was assumed to send its reserved rate, not a measured one."""
    offered = prediction.offered
    is_assumed = offered is not None and offered.low < offered.high
    return None if is_assumed else prediction.loss


def _queue(subject: ComparedClass, seen: ObservedClass, rate: Rate | None) -> Iterator[Compared]:
    """WRED's average queue beside the waiting packets by Little's law.

    Source: J. D. C. Little, "A proof for the queuing formula L = λW", Oper. Res. 9 (1961).
    """
    depth = seen.wred.mean_depth if seen.wred is not None else None
    if depth is None or depth.packets is None:
        return
    measured = point(float(depth.packets), "packets")
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
        subject,
        (ComparedMetric.QUEUE, _AQS),
        predicted,
        measured,
        str(seen.at),
        more=_of_ring(outlet),
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


def _of_ring(outlet: Outlet) -> tuple[PossibleCause, ...]:
    """The ring holds a part of the packets that wait."""
    most = inf if outlet.ring is None else outlet.ring.limit_high
    words = "the prediction counts the packets in the ring, the average of WRED does not"
    return (PossibleCause(words, most, lifts=False),)


def _carried_per_s(rate: Rate) -> float | None:
    """Packets that a class carried between two samples: the dropped ones wait in no queue."""
    return less_dropped(rate.packets_per_s, rate.drops_per_s)


def _packets_per_s(seen: ObservedClass) -> float | None:
    """Carried packets from IOS's average rates and the mean packet of the counters."""
    count, rate_bps = seen.seen, carried_rate_bps(seen)
    if count is None or not count.packets or not count.bytes or rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / (count.bytes / count.packets)
