"""Rates between two samples of counters, and observations with them in place of averages."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, TypeVar

from msgspec import Struct
from msgspec.structs import asdict, replace

from advisor.device.device import Device
from advisor.ground.quantity import number
from advisor.ground.units import bps_from_bytes, bps_from_kbps, kbps_from_bps, ms_from_s
from advisor.ios.syntax.names import interface_name
from advisor.outlet.measured import FEWEST_PACKETS, nested_classes, number_of
from advisor.predict.what_if.compared import Way
from advisor.shows.dlsw import DlswPeer
from advisor.shows.observations import Observations
from advisor.shows.observe import SamplePair
from advisor.shows.policy_map import ChildPolicy, Count, ObservedClass, ObservedPolicy

# True rates: the difference of two samples of a counter over the time between them.

_SLACK_RATIO: Final = 1.1  # the two samples are not taken to the millisecond


class SampledRate(Struct, frozen=True):
    """Rates of an interface, a class of an output, or a DLSw peer over `over_s` seconds.

    None: a counter is not printed, or went backwards (cleared or wrapped). `counter` names the
    class that counted: interface, circuit, policy-map and name; None for an interface and a peer.
    `remark` says why a rate cannot be what the line carried. `way` is the direction of a policy.
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
    way: Way | None = None


def rates_of(name: str, pairs: Iterable[SamplePair]) -> tuple[SampledRate, ...]:
    """Rates of a device between the two samples of each pair.

    Interfaces count sent packets, classes count offered packets, DLSw peers count the frames of
    both directions: the fps of the sizing rules.
    """
    rates: list[SampledRate] = []
    for pair in pairs:
        rates += _classes(name, pair.over_s, pair.before, pair.after)
        rates += _interfaces(name, pair.over_s, pair.before, pair.after)
        rates += _peers(name, pair.over_s, pair.before, pair.after)
    return tuple(rates)


def with_remarks(rates: Iterable[SampledRate], seen: Observations) -> tuple[SampledRate, ...]:
    """Add a remark to each rate that is above the bandwidth of its interface."""
    return tuple(replace(rate, remark=_beyond_line(rate, seen)) for rate in rates)


def _beyond_line(rate: SampledRate, seen: Observations) -> str:
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


def _classes(
    name: str, over_s: float, first: Observations, second: Observations
) -> Iterator[SampledRate]:
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
            yield SampledRate(
                name,
                _object(policy),
                " > ".join(nested.path),
                over_s,
                _per_s(before.seen.packets, after.seen.packets, over_s),
                _kbps(before.seen.bytes, after.seen.bytes, over_s),
                _per_s(drops_of(before), drops_of(after), over_s),
                (interface_name(interface), circuit, nested.policy, before.name),
                way=Way(policy.direction),
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
) -> Iterator[SampledRate]:
    for before in first.interfaces:
        after = second.interface(before.name)
        if after is None or before.counters.output_packets is None:
            continue
        ends = before.counters, after.counters
        drops = before.queues.all_output_drops_packets, after.queues.all_output_drops_packets
        yield SampledRate(
            name,
            f"interface {before.name}",
            None,
            over_s,
            _per_s(ends[0].output_packets, ends[1].output_packets, over_s),
            _kbps(ends[0].output_bytes, ends[1].output_bytes, over_s),
            _per_s(*drops, over_s),
        )


def _peers(
    name: str, over_s: float, first: Observations, second: Observations
) -> Iterator[SampledRate]:
    later = {peer.peer: peer for table in second.dlsw_peers for peer in table.peers}
    for table in first.dlsw_peers:
        for before in table.peers:
            after = later.get(before.peer)
            if after is not None:
                frames = _per_s(_frames(before), _frames(after), over_s)
                drops = _per_s(before.drops_packets, after.drops_packets, over_s)
                yield SampledRate(
                    name, f"dlsw peer {before.peer}", None, over_s, frames, None, drops
                )


def _frames(peer: DlswPeer) -> int | None:
    if peer.received_packets is None or peer.sent_packets is None:
        return None
    return peer.received_packets + peer.sent_packets


# Outputs of one policy at two times: its counters between them win over the averages of IOS.

_TIME_LENGTH: Final = len("2008-04-18 13:15:22")
_CLOCK: Final = "show clock"
_LEAST_S: Final = 0.9  # samples that are closer together give no usable rate


def rates_in(device: Device) -> tuple[SampledRate, ...]:
    """Rates of the classes of each policy that outputs of two known times show: the last two."""
    seen = device.seen
    found: dict[tuple[str, str, str | None], list[tuple[datetime, ObservedPolicy]]] = defaultdict(
        list
    )
    for policy in seen.policies:
        printed_at = _time_of(policy, seen)
        if printed_at is not None:
            found[_policy_key(policy)].append((printed_at, policy))
    rates: list[SampledRate] = []
    for times in found.values():
        (start, before), (end, after) = times[-2:] if len(times) > 1 else times * 2
        over_s = (end - start).total_seconds()
        if over_s >= _LEAST_S:
            first, second = Observations(policies=(before,)), Observations(policies=(after,))
            rates += _classes(device.name, over_s, first, second)
    return tuple(rates)


def _time_of(policy: ObservedPolicy, seen: Observations) -> datetime | None:
    """The time of the output that a policy is in: its own, or that of the clock right above it."""
    above = [
        taken
        for taken in seen.taken
        if taken.at.file == policy.at.file and taken.at.line <= policy.at.line
    ]
    above.sort(key=lambda taken: taken.at.line)
    own, clock = above[-1:], [taken for taken in above[-2:-1] if taken.command == _CLOCK]
    printed = next((taken.time for taken in (*own, *clock) if taken.time is not None), None)
    return None if printed is None else datetime.fromisoformat(printed[:_TIME_LENGTH])


Counter = tuple[str, str | None, str, str]  # interface, circuit, policy-map, class


def over_samples(seen: Observations, rates: Iterable[SampledRate]) -> Observations:
    """The observations, with classes as they counted between two samples.

    A class that counted fewer packets than give a mean, and more than none, keeps the average of
    IOS.
    """
    by_counter = {rate.counter: rate for rate in rates if is_usable(rate)}
    if not by_counter:
        return seen
    policies = tuple(
        _sampled(policy, (interface_name(policy.interface), number_of(policy.circuit)), by_counter)
        if Way(policy.direction) is Way.OUTPUT
        else policy
        for policy in seen.policies
    )
    return Observations(**{**asdict(seen), "policies": policies})


def is_usable(rate: SampledRate) -> bool:
    """Whether a rate stands in place of the average of IOS: that of an output, of a mean size."""
    if rate.counter is None or rate.way is not Way.OUTPUT:
        return False
    if rate.packets_per_s is None or rate.kbps is None:
        return False
    packets = rate.packets_per_s * rate.over_s
    return packets == 0 or packets >= FEWEST_PACKETS


_Policy = TypeVar("_Policy", ObservedPolicy, ChildPolicy)


def _sampled(
    policy: _Policy, place: tuple[str, str | None], by_counter: dict[Counter | None, SampledRate]
) -> _Policy:
    classes = []
    for seen in policy.classes:
        child = None if seen.child is None else _sampled(seen.child, place, by_counter)
        rate = by_counter.get((*place, policy.policy, seen.name))
        own = replace(seen, child=child)
        classes.append(own if rate is None else _over(own, rate))
    return replace(policy, classes=tuple(classes))


def _over(seen: ObservedClass, rate: SampledRate) -> ObservedClass:
    """A class with the counts and rates of the time between two samples."""
    per_s, offered_bps = rate.packets_per_s or 0.0, bps_from_kbps(rate.kbps or 0.0)
    packets = round(per_s * rate.over_s)
    size = bps_from_bytes(1, ms_from_s(1))
    counts = Count(packets, round(offered_bps / size * rate.over_s)) if packets else seen.seen
    drops = 0.0 if not per_s or rate.drops_per_s is None else rate.drops_per_s / per_s
    has_drops = rate.drops_per_s is not None
    return replace(
        seen,
        seen=counts,
        interval_s=round(rate.over_s),
        offered_rate_bps=round(offered_bps),
        drop_rate_bps=round(offered_bps * drops) if has_drops else seen.drop_rate_bps,
    )
