"""The service of a class: its rate, packet, queue-limit, and the time that its queue takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.ground.quantity import Basis, Figure, Input, RateKind, Unknown, enclosing, exact, point
from advisor.ground.questions import derived
from advisor.ground.units import bps_from_kbps, bytes_in_ms, ratio_from_percent, serialization_ms
from advisor.ground.wording import rate_source
from advisor.outlet.background import background_packet
from advisor.outlet.class_bandwidth import class_rate, stated_rate
from advisor.outlet.class_bandwidth import remainder as left_of_link
from advisor.outlet.link_rates import service_rate
from advisor.outlet.measured import SeenClass
from advisor.outlet.offer import Offer, speaks_of
from advisor.outlet.operations import offers_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_rate, outlets
from advisor.outlet.probe import probe_path
from advisor.outlet.queue_limit import DEFAULT_LIMIT_PACKETS, LimitKind, QueueLimit, queue_limit
from advisor.outlet.wred_rows import Defaults

if TYPE_CHECKING:
    from advisor.shows.policy_map import ObservedClass


# The queue-limit of a class wherever its policy queues, and the WRED rows that follow from it.

_MOST_OUTPUTS = 3


def limit_of_class(device: Device, policy: PolicyMap, policy_class: PolicyClass) -> QueueLimit:
    """Queue-limit in force in a class of a policy.

    Where the policy queues at several outputs with different limits, it is not known; the source
    then names each output and its limit.
    """
    limits = {
        outlet.policy_label: queue_limit(outlet, policy_class, device.platform)
        for outlet in _outlets_of(device, policy)
    }
    first = next(iter(limits.values()), None)
    if first is None:
        return queue_limit(None, policy_class, device.platform)
    if len(set(limits.values())) == 1:
        return first
    shown = [f"{label}: {limit.words}" for label, limit in limits.items()][:_MOST_OUTPUTS]
    more = len(limits) - len(shown)
    source = f"the queue-limit differs by output: {'; '.join(shown)}"
    source += f"; and {more} more" if more else ""
    kind = LimitKind.UNKNOWN if policy_class.queue_limit is None else LimitKind.NOT_CONVERTED
    packets = None if kind is LimitKind.UNKNOWN else DEFAULT_LIMIT_PACKETS
    return QueueLimit(kind, packets, None, Basis.ASSUMED, source)


def wred_defaults(outlet: Outlet, policy_class: PolicyClass | None, platform: Decision) -> Defaults:
    """Collect the inputs of the default WRED rows of a class of an output."""
    return defaults_under(queue_limit(outlet, policy_class, platform), platform)


def defaults_under(limit: QueueLimit, platform: Decision) -> Defaults:
    """Default rows of a class with this queue-limit: on QFP they follow from it."""
    if limit.packets is not None and limit.kind is not LimitKind.NOT_CONVERTED:
        return Defaults(platform, float(limit.packets))
    if limit.kind is LimitKind.BYTES:
        return Defaults(platform, limit.size_bytes, Unit.BYTES)
    return Defaults(platform)


# The mean IP packet of a class: measured, stated, else assumed from the kind of its traffic.

SPARSE_LOW_BYTES, SPARSE_HIGH_BYTES = 60, 200  # G.729 and G.711 at 20 ms
SMALLEST_DATA_BYTES, LARGEST_DATA_BYTES = 576, 1500  # TCP under WRED, if not known


def class_packet(outlet: Outlet, offers: Sequence[Offer], name: str) -> Input:
    """Mean IP packet of a class in bytes.

    Parameters
    ----------
    outlet : Outlet
        The output.
    offers : sequence of Offer
        The measured or stated traffic of its classes.
    name : str
        The class.

    Returns
    -------
    Input
        Exact where sizes are measured or stated. Else 60 to 200 bytes for an LLQ (the value is the
        smallest: a call of G.729), 576 to 1500 for a class under WRED, and the packet of
        `background_packet` for all other classes. A queue holds whole packets: LFI cuts them when
        they leave it.
    """
    label = f"mean_ip_bytes of {name}"
    own = [offer for offer in offers if offer.class_name == name]
    known = [offer for offer in own if offer.sizes]
    if known and not any(offer.lacks_sizes for offer in own):
        mean_bytes = _mean_ip_bytes(known)
        first = known[0]
        return Input(label, mean_bytes, mean_bytes, mean_bytes, first.basis, first.source)
    policy_class = outlet.class_named(name)
    if policy_class is not None and policy_class.priority is not None:
        around = outlet.around(name)
        low, high = map(float, sparse_ends(outlet, name))
        source = "voice: G.729 to G.711 at 20 ms"
        source += f", in {around.through}" if around else ""
        return Input(label, low, low, high, Basis.ASSUMED, source)
    if policy_class is not None and policy_class.queue_wred is not None:
        return data_packet(label, outlet.mtu.value)
    background = background_packet(outlet)
    low, high = background.low, background.high
    return Input(label, background.value, low, high, background.basis, background.source)


def sparse_ends(outlet: Outlet, name: str) -> tuple[int, int]:
    """IP bytes of the packets of a class of voice that nobody states: of G.729 and of G.711."""
    low, high, around = SPARSE_LOW_BYTES, SPARSE_HIGH_BYTES, outlet.around(name)
    return (low, high) if around is None else (around.ends(low)[0], around.ends(high)[1])


def _mean_ip_bytes(offers: Sequence[Offer]) -> float:
    """Mean packet of the offers of a class: by their rates where all are known, else alike."""
    rates = [offer.packets_per_second for offer in offers]
    known = [rate for rate in rates if rate is not None]
    weights = known if len(known) == len(rates) and sum(known) > 0 else [1.0] * len(rates)
    pairs = zip(weights, offers, strict=True)
    return sum(weight * offer.mean_ip_bytes for weight, offer in pairs) / sum(weights)


def data_packet(label: str, largest_ip_bytes: float = LARGEST_DATA_BYTES) -> Input:
    """Mean packet of unknown TCP data, never larger than the MTU."""
    high = min(float(LARGEST_DATA_BYTES), float(largest_ip_bytes))
    low = min(float(SMALLEST_DATA_BYTES), high)
    source = "TCP: 576 to full-size packets"
    return Input(label, (low + high) / 2, low, high, Basis.ASSUMED, source)


# The rate that a class as seen on the router can count on.


def outlet_of(device: Device, seen_class: SeenClass) -> Outlet | None:
    """The configured output whose policy the class stands in; None where the config has none."""
    return _by_place(device).get((seen_class.interface, seen_class.circuit, seen_class.policy))


@derived
def _by_place(device: Device) -> dict[tuple[str, str | None, str], Outlet]:
    places: dict[tuple[str, str | None, str], Outlet] = {}
    for outlet in outlets(device):
        places.setdefault((outlet.attached_to, outlet.circuit, outlet.queueing.name), outlet)
    return places


def guarantee(device: Device, seen_class: SeenClass) -> Input | None:
    """Guarantee of `bandwidth` in bit/s; None without one, or where its base is not known.

    A router that prints 0 guarantees nothing: the result is None as well.
    """
    outlet = outlet_of(device, seen_class)
    rate_bps = _reserved_bps(seen_class.seen, outlet.admission_bps if outlet is not None else None)
    if not rate_bps or seen_class.seen.bandwidth is None:
        return None
    source = rate_source(RateKind.GUARANTEE, seen_class.seen.at)
    return exact("guaranteed_bps", rate_bps, Basis.CONFIGURED, source, RateKind.GUARANTEE)


def remainder(device: Device, seen_class: SeenClass) -> Input | None:
    """Rate that the guarantees of the other classes leave of the link; None if one is unknown."""
    outlet = outlet_of(device, seen_class)
    if outlet is None or outlet.link is None or not seen_class.is_whole:
        return None
    others = [
        sibling
        for sibling in seen_class.siblings
        if sibling is not seen_class.seen and sibling.name != seen_class.seen.name
    ]
    reserving = [
        member for member in others if member.priority is not None or member.bandwidth is not None
    ]
    rates = [_reserved_bps(member, outlet.admission_bps) for member in reserving]
    if None in rates:
        return None
    return left_of_link(outlet.link, [rate for rate in rates if rate is not None])


def _reserved_bps(observed: ObservedClass, base_bps: float | None) -> float | None:
    stated = observed.priority or observed.bandwidth
    if stated is None:
        return None
    if stated.rate_kbps is not None:
        return bps_from_kbps(stated.rate_kbps)
    if stated.rate_percent is None or base_bps is None:
        return None
    return base_bps * ratio_from_percent(stated.rate_percent)


# The service of a configured class: its rate, its mean packet, the time that its queue takes.

LEAST_TCP_PACKETS: Final = 4


class ClassService(Struct, frozen=True):
    """A class at one output; `outlet` is None for a policy that is attached nowhere."""

    rate: Input
    mean_packet: Input
    outlet: Outlet | None

    def queue_ms(self, amount: float, unit: Unit) -> Figure:
        """Time to send a queue of so many packets, bytes or ms, over the ranges of its inputs."""
        if unit is Unit.MS:
            return point(amount, "ms")
        mean = self.mean_packet
        sizes = (mean.value, mean.low, mean.high) if unit is Unit.PACKETS else (1.0, 1.0, 1.0)
        rates = (self.rate.value, self.rate.high, self.rate.low)
        value, low, high = (
            serialization_ms(amount * size, rate_bps)
            for size, rate_bps in zip(sizes, rates, strict=True)
        )
        return enclosing(value, low, high, "ms")

    def packets_within(self, time_ms: float) -> int:
        """The most packets of a queue that is sent in a time, and at least what TCP needs.

        Full-size packets set it, or the smallest mean packet where those leave too few places for
        TCP: fewer than four packets bring no three duplicate ACKs after a loss, and the sender
        waits for its timer (RFC 5681, 3.2). Four where both do: the queue is then longer.
        """
        packet_ms = self.queue_ms(1, Unit.PACKETS)
        for one_ms in (packet_ms.high, packet_ms.low):
            packets = int(time_ms / one_ms)
            if packets >= LEAST_TCP_PACKETS:
                return packets
        return LEAST_TCP_PACKETS

    def of_packets(self, packets: int, unit: Unit) -> float:
        """So many mean packets, in packets, bytes or ms."""
        if unit is Unit.MS:
            return self.queue_ms(packets, Unit.PACKETS).value
        return packets if unit is Unit.PACKETS else packets * self.mean_packet.value

    def amount_in(self, time_ms: float, unit: Unit) -> float:
        """Packets, bytes or ms that the class sends in a time."""
        if unit is Unit.MS:
            return time_ms
        size = self.mean_packet.value if unit is Unit.PACKETS else 1.0
        return bytes_in_ms(self.rate.value, time_ms) / size


def class_services(
    device: Device, policy: PolicyMap, policy_class: PolicyClass
) -> tuple[ClassService, ...]:
    """The class at each output where its policy queues and its rate is known.

    A policy that is attached nowhere has a rate if the class states one.
    """
    attached = _outlets_of(device, policy)
    if not attached:
        rate, label = stated_rate(policy_class), f"mean_ip_bytes of {policy_class.name}"
        return () if rate is None else (ClassService(rate, data_packet(label), None),)
    return tuple(_at_outlets(device, policy_class, attached))


def service_at(device: Device, outlet: Outlet, policy_class: PolicyClass) -> ClassService | None:
    """The class at one output; None where its rate is not known there."""
    held = _by_policy(device).get(outlet.queueing.name, {}).get(outlet.policy_label)
    return None if held is None else next(_at_outlets(device, policy_class, [held]), None)


def outlet_of_unknown_rate(
    device: Device, policy: PolicyMap, policy_class: PolicyClass
) -> Outlet | None:
    """An output of the policy where the rate of the class is not known; None if there is none.

    A class is configured once for all outputs of its policy: what fits the others may not fit it.
    """
    attached = _outlets_of(device, policy)
    return next((item for item in attached if class_rate(item, policy_class) is None), None)


def _outlets_of(device: Device, policy: PolicyMap) -> list[Outlet]:
    """Outputs where a policy queues, at the rate that is sold there; a bundle counts as one."""
    return list(_by_policy(device).get(policy.name, {}).values())


@derived
def _by_policy(device: Device) -> dict[str, dict[str, Outlet]]:
    """Outputs by the name of their policy and their own."""
    found: dict[str, dict[str, Outlet]] = {}
    for outlet in outlets(device):
        sold = service_rate(device, outlet)
        held = outlet if sold is None else at_rate(device, outlet, sold)
        found.setdefault(outlet.queueing.name, {})[outlet.policy_label] = held
    return found


def _at_outlets(
    device: Device, policy_class: PolicyClass, attached: list[Outlet]
) -> Iterator[ClassService]:
    for outlet in attached:
        rate = class_rate(outlet, policy_class)
        if rate is not None:
            offers = offers_at(device, outlet)
            yield ClassService(rate, class_packet(outlet, offers, policy_class.name), outlet)


# Round-trip time of the traffic of a class: measured by IP SLA probes through it, or stated.


def measured_rtt_ms(
    device: Device, service: ClassService, policy_class: PolicyClass
) -> Input | None:
    """Mean RTT in ms of probes in this class of this output; None where none was measured.

    It includes the queueing of the class. It does not include the path behind the neighbour that
    answers, so the RTT of the traffic is at least this.
    """
    outlet = service.outlet
    if outlet is None or not device.seen.sla:
        return None
    probes = {probe.number: probe for probe in device.facts.probes}
    for result in device.seen.sla:
        probe = probes.get(result.number)
        if probe is None or result.rtt is None:
            continue
        path = probe_path(device, probe)
        if isinstance(path, Unknown) or path.class_name != policy_class.name:
            continue
        if any(leaving.policy_label == outlet.policy_label for leaving in path.outlets):
            source = f"ip sla {result.number}, {result.at}"
            return exact("rtt_ms", result.rtt.mean_ms, Basis.MEASURED, source)
    return None


def stated_rtt_ms(device: Device, service: ClassService, policy_class: PolicyClass) -> Input | None:
    """RTT in ms that the user states for TCP flows of this class; None where none is stated.

    It does not include the queueing of the class, so the RTT of the traffic is at least this.
    Several statements give the interval from the lowest to the highest.
    """
    outlet = service.outlet
    if outlet is None:
        return None
    stated = [
        (statement.tcp.rtt_low_ms, statement.tcp.rtt_high_ms, statement.source)
        for statement in device.traffic
        if statement.tcp is not None
        and statement.class_name == policy_class.name
        and speaks_of(statement, outlet)
    ]
    lows = [low for low, _, _ in stated if low is not None]
    highs = [high for _, high, _ in stated if high is not None]
    if not lows or not highs or len(lows) < len(stated):
        return None
    low, high = min(lows), max(highs)
    return Input("rtt_ms", sqrt(low * high), low, high, Basis.CONFIGURED, stated[0][2])
