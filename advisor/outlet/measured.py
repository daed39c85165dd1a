"""Classes of an output as show outputs counted them: sizes, rates, drops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.facts.interface import PlaceKind
from advisor.ground.quantity import Basis, Input, RateKind, exact
from advisor.ground.records import picked
from advisor.ground.units import bytes_in_ms, ms_from_s
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.outlet.framing import Encapsulation
from advisor.shows.observations import Observations

if TYPE_CHECKING:
    from advisor.shows.policy_map import (
        ChildPolicy,
        Circuit,
        ObservedClass,
        ObservedPolicy,
        ShownPriorityQueue,
    )


# Classes of attached output policies as `show policy-map interface` counted them.


def latest_policies(seen: Observations) -> tuple[ObservedPolicy, ...]:
    """Output policies; the latest capture of each attachment."""
    latest = {
        (interface_name(policy.interface), number_of(policy.circuit)): policy
        for policy in seen.policies
        if policy.direction == "output"
    }
    return tuple(latest.values())


class NestedClass(Struct, frozen=True):
    """A class of an attached policy or of a nested one; `path` are its names, outermost first.

    `siblings` are all classes of its policy-map, which is `policy`; `priority_queues` the queues
    that its priority classes share. `is_whole` is false where a class is not understood, or the
    command left it out: it is no sibling then.
    """

    policy: str
    path: tuple[str, ...]
    seen: ObservedClass
    siblings: tuple[ObservedClass, ...]
    priority_queues: tuple[ShownPriorityQueue, ...]
    is_whole: bool


class SeenClass(NestedClass, frozen=True):
    """One class with its object path, and the interface and circuit of its policy."""

    label: str
    interface: str
    circuit: str | None


def nested_classes(
    policy: ObservedPolicy | ChildPolicy, above: tuple[str, ...] = ()
) -> Iterator[NestedClass]:
    """All classes of a policy, nested ones after the class that they stand in."""
    queues = policy.priority_queues
    for seen in _once(policy.classes):
        path = (*above, seen.name)
        is_whole = policy.has_all and not policy.unread
        yield NestedClass(policy.policy, path, seen, policy.classes, queues, is_whole)
        if seen.child is not None:
            yield from nested_classes(seen.child, path)


def classes_at(
    seen: Observations, place: tuple[str, str | None], policy: str
) -> tuple[ObservedClass, ...]:
    """Classes of a policy-map as they were counted at an output; empty where none were.

    Parameters
    ----------
    seen : Observations
        The show outputs of the device.
    place : tuple of str and str or None
        Interface, and circuit of it (`0/100`, a DLCI), where the policy is attached.
    policy : str
        The policy-map that queues: the attached one, or one nested in it.
    """
    counted = _policy_at(seen, place, policy)
    return counted.classes if counted is not None else ()


def unread_classes_at(
    seen: Observations, place: tuple[str, str | None], policy: str
) -> tuple[str, ...]:
    """Names of the classes of a policy-map, counted at an output, that are not understood.

    Where the policy-map is not among those that are understood, a class that is not understood
    may hold it: all of these are named. The arguments are those of `classes_at`.
    """
    counted = _policy_at(seen, place, policy)
    if counted is not None:
        return counted.unread
    attached = seen.policy(place[0], "output", place[1])
    nested = _policies_in(attached) if attached is not None else ()
    return tuple(name for member in nested for name in member.unread)


def _policy_at(
    seen: Observations, place: tuple[str, str | None], policy: str
) -> ObservedPolicy | ChildPolicy | None:
    attached = seen.policy(place[0], "output", place[1])
    nested = _policies_in(attached) if attached is not None else ()
    return next((member for member in nested if member.policy == policy), None)


def _policies_in(
    policy: ObservedPolicy | ChildPolicy,
) -> Iterator[ObservedPolicy | ChildPolicy]:
    """The policy, and those nested in its classes."""
    yield policy
    for observed in _once(policy.classes):
        if observed.child is not None:
            yield from _policies_in(observed.child)


def seen_classes(seen: Observations) -> Iterator[SeenClass]:
    """Classes of all output policies, nested ones after the class that they stand in."""
    for policy in latest_policies(seen):
        policies: dict[tuple[str, ...], str] = {}
        for nested in nested_classes(policy):
            policies[nested.path[:-1]] = nested.policy
            steps = (
                f"policy {policies[nested.path[:depth]]} > class {name}"
                for depth, name in enumerate(nested.path)
            )
            yield picked(
                SeenClass,
                nested,
                label=" > ".join((place_of(policy), *steps)),
                interface=interface_name(policy.interface),
                circuit=number_of(policy.circuit),
            )


def place_of(policy: ObservedPolicy) -> str:
    """Object path of the place of a policy, in the form of the attachments of a config."""
    label, circuit = f"interface {interface_name(policy.interface)}", policy.circuit
    if circuit is None:
        return label
    kind = {"VC": "pvc", "EFP": PlaceKind.SERVICE_INSTANCE}.get(circuit.kind, circuit.kind.lower())
    return f"{label} > {kind} {circuit.number}"


def _once(classes: tuple[ObservedClass, ...]) -> Iterator[ObservedClass]:
    """Classes without repetition: a 6500 prints each as counted by hardware and by software."""
    names = set()
    for observed in classes:
        if observed.name not in names:
            names.add(observed.name)
            yield observed


def number_of(circuit: Circuit | None) -> str | None:
    """Number of the circuit of a counted policy; None on an interface."""
    return None if circuit is None else circuit.number


def drops_packets(observed: ObservedClass) -> int | None:
    """Packets that a class dropped; None where no counter is printed.

    The queue's own total where there is one, else the sum of its WRED rows.
    """
    queue = observed.queue
    if queue is not None and queue.total_drops_packets is not None:
        return queue.total_drops_packets
    rows = observed.wred.rows if observed.wred is not None else ()
    counts = [drop.packets for row in rows for drop in (row.random_drops, row.tail_drops) if drop]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


# Packet sizes and rates of the classes of an output, as show outputs measured them.
#
# IOS counts packets with the layer-2 header that it writes itself, without FCS, flags, trailers
# and cells. The sizes here are sizes of IP packets.

FEWEST_PACKETS = 100  # the mean of so many of IMIX 7:4:1 is 13 % off (one standard error)
BUSY_RATIO = 0.5  # of the wire: below it, the mean packet does not describe the busy hour
_SMALLEST_IP_BYTES = 20


class MeasuredClass(Struct, frozen=True):
    """One class as it was counted: mean of its IP packets, offered rate and carried rate.

    Rates are averages over IOS's own interval, None where none is printed; `packets` were offered
    after the counters were cleared. The mean is None for a class that carries nothing and counted
    too few packets. `interval_s` is that of the rates.
    """

    name: str
    mean_ip_bytes: float | None
    offered_packets_per_s: float | None
    carried_packets_per_s: float | None
    packets: int
    at: Location
    interval_s: int | None = None

    @property
    def source(self) -> str:
        """Its line, and the time of its rates."""
        return (
            f"{self.at}" if self.interval_s is None else f"rates of {self.interval_s} s, {self.at}"
        )

    @property
    def loss_percent(self) -> float | None:
        """Part of the offered packets that was dropped; None where no rate is printed."""
        if not self.offered_packets_per_s or self.carried_packets_per_s is None:
            return None
        return 100 * (1 - self.carried_packets_per_s / self.offered_packets_per_s)


def measured_classes(
    seen: Observations,
    place: tuple[str, str | None],
    policy: str,
    encapsulation: Encapsulation | None,
    share: float = 1.0,
) -> tuple[MeasuredClass, ...]:
    """Classes of the policy that queues on an output, as they were counted.

    Parameters
    ----------
    seen : Observations
        The show outputs of the device.
    place : tuple of str and str or None
        Interface, and circuit of it (`0/100`, a DLCI), where the policy is attached.
    policy : str
        The policy-map whose classes queue.
    encapsulation : Encapsulation or None
        Decides how many layer-2 bytes are in the counters.
    share : float
        Part of the rates that goes through this output: 1/N for one of N members of a bundle.
    """
    if encapsulation is None:
        return ()
    classes = classes_at(seen, place, policy)
    return tuple(_measured(classes, encapsulation.counted_bytes, share))


def _measured(
    classes: tuple[ObservedClass, ...], layer_2_bytes: int, share: float
) -> Iterator[MeasuredClass]:
    means = [mean_counted_bytes(observed) for observed in classes]
    is_counted = any(mean_bytes is not None for mean_bytes in means)
    for observed, mean_bytes in zip(classes, means, strict=True):
        if observed.seen is None or observed.seen.packets is None:
            continue
        if is_counted and mean_bytes is None and _is_idle(observed):
            packets, at, interval_s = observed.seen.packets, observed.at, observed.interval_s
            yield MeasuredClass(observed.name, None, 0.0, 0.0, packets, at, interval_s)
        if mean_bytes is None:
            continue
        if mean_bytes - layer_2_bytes < _SMALLEST_IP_BYTES:
            continue
        carried_bps = carried_rate_bps(observed)
        yield MeasuredClass(
            observed.name,
            mean_bytes - layer_2_bytes,
            _per_s(observed.offered_rate_bps, mean_bytes, share),
            _per_s(carried_bps, mean_bytes, share),
            observed.seen.packets,
            observed.at,
            observed.interval_s,
        )


def _is_idle(observed: ObservedClass) -> bool:
    """Whether a class carries nothing: its rate is 0; where none is printed, it counted nothing."""
    counted = observed.seen.packets if observed.seen is not None else None
    rate_bps = observed.offered_rate_bps
    return rate_bps == 0 if rate_bps is not None else counted == 0


def mean_counted_bytes(observed: ObservedClass) -> float | None:
    """Mean packet of a class with the layer-2 header that IOS counts; None if packets are few."""
    seen = observed.seen
    if seen is None or not seen.packets or seen.bytes is None or seen.packets < FEWEST_PACKETS:
        return None
    return seen.bytes / seen.packets


def carried_rate_bps(observed: ObservedClass) -> float | None:
    """Carried rate of a class: offered less dropped, as IOS counts."""
    return less_dropped(observed.offered_rate_bps, observed.drop_rate_bps)


def less_dropped(offered: float | None, dropped: float | None) -> float | None:
    """Carried rate: the offered less the dropped one, in their unit; uncounted drops are none.

    None where more is dropped than offered: the two averages are not of one time then.
    """
    if offered is None or (dropped or 0) > offered:
        return None
    return float(offered - (dropped or 0))


def _per_s(rate_bps: float | None, mean_bytes: float, share: float) -> float | None:
    if rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / mean_bytes * share


def measured_mean_packet(
    seen: Observations, interface: str, encapsulation: Encapsulation | None, wire_bps: float | None
) -> Input | None:
    """Mean IP packet of all classes from the rates of `show interfaces`; None if not measured.

    Only the mean of a link that was at least half loaded describes the congested case.
    """
    counters = seen.interface(interface)
    rate = counters.output_rate if counters is not None else None
    if counters is None or rate is None or rate.rate_bps is None or encapsulation is None:
        return None
    mean_bytes = rate.mean_packet_bytes
    if mean_bytes is None or wire_bps is None or rate.rate_bps < BUSY_RATIO * wire_bps:
        return None
    source = f"{rate.interval_s} s output rate, {counters.at}"
    mean_ip_bytes = max(float(_SMALLEST_IP_BYTES), mean_bytes - encapsulation.counted_bytes)
    return exact("mean_ip_bytes", mean_ip_bytes, Basis.MEASURED, source, RateKind.MEASURED)
