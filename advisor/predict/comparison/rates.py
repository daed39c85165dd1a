"""True rates: the difference of two samples of a counter over the time between them."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.capture import Capture, Section
from advisor.ios.syntax.names import interface_name
from advisor.outlet.seen_classes import nested_classes
from advisor.shows.dlsw.records import DlswPeer
from advisor.shows.interfaces.reader import ObservedInterface
from advisor.shows.observations import Observations
from advisor.shows.observe import observe
from advisor.shows.policy_map.records import ObservedClass, ObservedPolicy
from advisor.units import bps_from_bytes, kbps_from_bps, ms_from_s

_LEAST_S = 0.9  # what is asked for closer together says nothing of a rate


class Rate(Struct, frozen=True):
    """Rates of an interface, a class of an output, or a DLSw peer over `over_s` seconds.

    None is a counter that is not printed, or went backwards: cleared, or wrapped. `counter` is the
    class that counted: interface, circuit, policy-map and name; None of an interface and a peer.
    """

    device: str
    object: str
    class_name: str | None
    over_s: float
    packets_per_s: float | None
    kbps: float | None
    drops_per_s: float | None
    counter: tuple[str, str | None, str, str] | None = None


def rates_of(capture: Capture) -> tuple[Rate, ...]:
    """Rates between the two samples of a capture; empty where there is one.

    Interfaces count what they sent, classes what they were offered, DLSw peers the frames of both
    directions: the fps of the sizing rules.
    """
    found: list[Rate] = []
    name = capture.device or capture.file
    for before in capture.earlier:
        after = next((each for each in capture.sections if each.command == before.command), None)
        over_s = _between_s(before, after)
        if after is None or over_s is None:
            continue
        seen = observe([before], before.file), observe([after], after.file)
        found += _classes(name, over_s, *seen)
        found += _interfaces(name, over_s, *seen)
        found += _peers(name, over_s, *seen)
    return tuple(found)


def _between_s(before: Section, after: Section | None) -> float | None:
    if after is None or before.time is None or after.time is None:
        return None
    seconds = (after.time.local - before.time.local).total_seconds()
    return seconds if seconds >= _LEAST_S else None


def _per_s(before: float | None, after: float | None, over_s: float) -> float | None:
    if before is None or after is None or after < before:
        return None
    return (after - before) / over_s


def _kbps(before: int | None, after: int | None, over_s: float) -> float | None:
    bytes_per_s = _per_s(before, after, over_s)
    return None if bytes_per_s is None else kbps_from_bps(bps_from_bytes(bytes_per_s, ms_from_s(1)))


def _classes(name: str, over_s: float, first: Observations, then: Observations) -> Iterator[Rate]:
    later = {_policy_key(each): each for each in then.policies}
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


def _policy_key(of: ObservedPolicy) -> tuple[str, str, str | None]:
    return of.interface, of.direction, of.circuit.number if of.circuit is not None else None


def _object(of: ObservedPolicy) -> str:
    circuit = f" > {of.circuit.kind} {of.circuit.number}" if of.circuit is not None else ""
    return f"interface {of.interface}{circuit} > {of.direction} {of.policy}"


def drops_of(of: ObservedClass) -> int | None:
    """Packets that a class has dropped: of its queue, and by WRED where that counts apart."""
    queue = of.queue.total_drops_packets if of.queue is not None else None
    if of.wred is None or not of.wred.rows:
        return queue
    rows = [each for row in of.wred.rows for each in (row.random_drops, row.tail_drops)]
    wred = sum(each.packets for each in rows if each is not None and each.packets is not None)
    return max(queue or 0, wred)


def _interfaces(
    name: str, over_s: float, first: Observations, then: Observations
) -> Iterator[Rate]:
    for before in first.interfaces:
        after = then.interface(before.name)
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


def _output_drops(of: ObservedInterface) -> int | None:
    total = of.queues.total_output_drops_packets
    return total if total is not None else of.queues.output_drops_packets


def _peers(name: str, over_s: float, first: Observations, then: Observations) -> Iterator[Rate]:
    later = {each.peer: each for shown in then.dlsw_peers for each in shown.peers}
    for shown in first.dlsw_peers:
        for before in shown.peers:
            after = later.get(before.peer)
            if after is not None:
                frames = _per_s(_frames(before), _frames(after), over_s)
                drops = _per_s(before.drops_packets, after.drops_packets, over_s)
                yield Rate(name, f"dlsw peer {before.peer}", None, over_s, frames, None, drops)


def _frames(of: DlswPeer) -> int | None:
    if of.received_packets is None or of.sent_packets is None:
        return None
    return of.received_packets + of.sent_packets
