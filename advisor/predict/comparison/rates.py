"""True rates: the difference of two samples of a counter over the time between them."""

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.syntax.names import interface_name
from advisor.outlet.seen_classes import nested_classes
from advisor.quantity import number
from advisor.shows.dlsw.records import DlswPeer
from advisor.shows.interfaces.reader import ObservedInterface
from advisor.shows.observations import Observations
from advisor.shows.policy_map.records import ObservedClass, ObservedPolicy
from advisor.shows.samples import SamplePair
from advisor.units import bps_from_bytes, kbps_from_bps, ms_from_s

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
    """Mark the rates above that of their interface: no line carries them."""
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
        yield Rate(
            name,
            f"interface {before.name}",
            None,
            over_s,
            _per_s(ends[0].output_packets, ends[1].output_packets, over_s),
            _kbps(ends[0].output_bytes, ends[1].output_bytes, over_s),
            _per_s(_output_drops(before), _output_drops(after), over_s),
        )


def _output_drops(interface: ObservedInterface) -> int | None:
    total = interface.queues.total_output_drops_packets
    return total if total is not None else interface.queues.output_drops_packets


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
