"""The request to WRED's model for an output: known numbers, and inputs that are intervals."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.facts.selectable import selectable_by_class
from advisor.outlet.class_service import class_packet, wred_defaults
from advisor.outlet.offer import Offer, offers_of, speaks_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingType
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.wred_rows import Group, groups_of, with_flows
from advisor.predict.classes import (
    Demand,
    Question,
    class_names,
    demand_of,
    llq_load,
    priority_input,
)
from advisor.predict.classes.corners import IDLE_RING
from advisor.quantity import Basis, Input, Unknown, exact
from advisor.settings import Traffic
from advisor.theory.solution import MOST_LLQ_LOAD

_RTT_RATIOS = (0.25, 2.0)  # of the profile's round trip: the same region to another continent
_UNKNOWN_RING = (1, 4)  # packets
_WINDOW_BYTES = (17_520, 65_535)  # stacks of the 1990s; the most without window scaling, RFC 7323


class WredMoves(Struct, frozen=True):
    """Settings that a sweep moves: flows of groups."""

    flows: tuple[tuple[str, int], ...] = ()


class ServedClass(Struct, frozen=True):
    """One class with traffic: its groups, or its offer; without both a load is `assumed`."""

    name: str
    facts: PolicyClass | None
    groups: tuple[Group, ...]
    offer: Offer | None

    @property
    def assumed(self) -> bool:
        return not self.groups and self.offer is None


class WredRequest(Struct, frozen=True):
    """One output with everything that the model needs; `inputs` by their names.

    A bundle is one output with the offers of all members; `members_bps` are empty without one.
    """

    device: Device
    question: Question
    demand: Demand
    members_bps: tuple[float, ...]
    classes: tuple[ServedClass, ...]
    inputs: Mapping[str, Input]
    moves: WredMoves

    @property
    def outlet(self) -> Outlet:
        return self.question.outlet


def wred_request(
    device: Device, outlet: Outlet, rtt_ms: float, moves: WredMoves | None = None
) -> WredRequest | Unknown:
    """The request to the model for an output, or why it cannot be made.

    Parameters
    ----------
    device : Device
        The device, with the user's statements.
    outlet : Outlet
        One output of it.
    rtt_ms : float
        Round trip of the profile, for flows without a stated one.
    moves : WredMoves or None
        The settings that a sweep moves.
    """
    moves = moves or WredMoves()
    stated = tuple(statement for statement in device.traffic if speaks_of(statement, outlet))
    stated = with_flows(stated, dict(moves.flows))
    members_bps, whole = _members_bps(outlet), _whole(outlet)
    offers = _of_all_members(outlet, offers_of(whole, stated_traffic(device)))
    outlet, question = whole, Question(whole, offers, device.platform)
    if outlet.wire is None or outlet.encapsulation is None:
        return Unknown("the rate or the encapsulation of the output is not known")
    selectable = selectable_by_class(device.facts)
    priority = {policy_class.name for policy_class in outlet.llq_classes}
    classes: list[ServedClass] = []
    for name in class_names(outlet):
        if name in priority:
            continue
        facts = outlet.class_named(name)
        own = tuple(
            item for item in stated if outlet.queue_of(item.class_name) == name and _sends(item)
        )
        groups = groups_of(
            facts, own, selectable(name), wred_defaults(outlet, facts, device.platform)
        )
        if isinstance(groups, Unknown):
            return groups
        groups = _apart_from(
            tuple(group for served in classes for group in served.groups), groups, name
        )
        offer = (
            None if groups else next((offer for offer in offers if offer.class_name == name), None)
        )
        idle = offer is not None and offer.packets_per_second == 0
        idle = idle or any(
            outlet.queue_of(item.class_name) == name and _is_nothing(item) for item in stated
        )
        if not idle:
            classes.append(ServedClass(name, facts, groups, offer))
    scheduler = scheduler_of(outlet, device.platform)[0]
    demand = demand_of(question)
    unknown = scheduler.unknown_default([*priority, *(served.name for served in classes)])
    if unknown is None and llq_load(question, demand) > MOST_LLQ_LOAD:
        unknown = Unknown(f"the LLQ is offered more than {MOST_LLQ_LOAD:g} times the link")
    if unknown is not None:
        return unknown
    inputs = [*_llq_inputs(question, demand), _ring_input(outlet), *outlet.line_overhead_inputs]
    for served in classes:
        inputs += _class_inputs(outlet, offers, served, rtt_ms)
    return WredRequest(
        device,
        question,
        demand,
        members_bps,
        tuple(classes),
        {known.name: known for known in inputs},
        moves,
    )


def _apart_from(
    others: Sequence[Group], groups: tuple[Group, ...], class_name: str
) -> tuple[Group, ...]:
    """Groups of a class, renamed if another class has a group of the same name."""
    taken = {group.name for group in others}
    return tuple(
        replace(group, name=f"{group.name} ({class_name})") if group.name in taken else group
        for group in groups
    )


def _sends(statement: Traffic) -> bool:
    return statement.tcp is not None or bool(statement.packets_per_second and statement.sizes)


def _is_nothing(statement: Traffic) -> bool:
    return statement.packets_per_second == 0


def _llq_inputs(question: Question, demand: Demand) -> Iterator[Input]:
    """Rates of the LLQ; one that is not known fills its `priority`, or is a sparse probe."""
    for offer in demand.offers:
        if offer.is_llq and offer.packets_per_second is not None:
            name = f"packets_per_second of {offer.class_name}"
            yield exact(name, offer.packets_per_second, offer.basis, offer.source)
        elif offer.is_llq:
            yield priority_input(question, offer.class_name)


def _of_all_members(outlet: Outlet, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Offers to the whole bundle: the flows are of it, and what was measured is of one member."""
    return tuple(
        replace(offer, packets_per_second=offer.packets_per_second * outlet.members)
        if offer.basis is Basis.MEASURED and offer.packets_per_second is not None
        else offer
        for offer in offers
    )


def _whole(outlet: Outlet) -> Outlet:
    """A bundle as one output of the rate of all members, unless a shaper is slower than a member.

    The flows are of the bundle, so its members cannot be solved one by one.
    """
    if outlet.bundle_wire is None or outlet.line_bps < outlet.wire_bps:
        return replace(outlet, members=1)
    return replace(outlet, members=1, wire=outlet.bundle_wire, bundle_wire=None)


def _members_bps(outlet: Outlet) -> tuple[float, ...]:
    """Rates of the members of a bundle; empty where one wire sends all."""
    if outlet.bundle_wire is None or outlet.members == 1 or outlet.line_bps < outlet.wire_bps:
        return ()
    others_bps = (outlet.bundle_wire.value - outlet.wire_bps) / (outlet.members - 1)
    return (outlet.wire_bps,) + (others_bps,) * (outlet.members - 1)


class PossibleRing(Struct, frozen=True):
    """A ring that an output may have, and the full-size packets between its entry and the wire."""

    limit: int
    kind: RingType
    packets: float


def rings_of(outlet: Outlet) -> tuple[PossibleRing, ...]:
    """Rings that the output may have, shortest first; a shaper keeps a ring nearly empty."""
    ring, frame = outlet.ring, outlet.encapsulation
    if outlet.ring_idle:
        return (PossibleRing(1, IDLE_RING, 1.0),)
    if ring is None or frame is None:
        return tuple(PossibleRing(limit, IDLE_RING, float(limit)) for limit in _UNKNOWN_RING)
    rings = [
        PossibleRing(
            limit,
            kind,
            ceil(limit / kind.units(outlet.largest_ip_bytes, frame.high)) + float(kind.beside_wire),
        )
        for kind in ring.types
        for limit in dict.fromkeys((ring.limit_low, ring.limit_high))
    ]
    return tuple(sorted(rings, key=lambda known: known.packets))


def _ring_input(outlet: Outlet) -> Input:
    """Packets of the ring with the one on the wire; full-size packets if it counts particles."""
    ring, name, known = outlet.ring, "ring_packets", rings_of(outlet)
    if outlet.ring_idle:
        return exact(name, 1.0, Basis.ASSUMED, "a shaper keeps the ring nearly empty")
    low, high = known[0].packets, known[-1].packets
    value = (low * high) ** 0.5
    if ring is None:
        return Input(name, value, low, high, Basis.ASSUMED, "the ring of this output is not known")
    return Input(name, value, low, high, ring.basis, ring.source)


def _class_inputs(
    outlet: Outlet, offers: Sequence[Offer], served: ServedClass, rtt_ms: float
) -> list[Input]:
    if served.assumed:
        name = f"load of {served.name}"
        return [Input(name, 1.0, 0.0, 1.0, Basis.ASSUMED, "not stated: saturated, or idle")]
    inputs = []
    for group in served.groups:
        inputs.append(_packet_input(outlet, offers, served, group))
        if group.stated.tcp is not None:
            inputs += [_rtt_input(group, rtt_ms), _window_input(group)]
    return inputs


def _packet_input(
    outlet: Outlet, offers: Sequence[Offer], served: ServedClass, group: Group
) -> Input:
    statement = group.stated
    if statement.sizes:
        mean = sum(size.ip_bytes * size.share for size in statement.sizes)
        return exact(f"packet_bytes of {group.name}", mean, Basis.CONFIGURED, statement.source)
    packet = class_packet(outlet, offers, served.name)
    return replace(packet, name=f"packet_bytes in {served.name}")


def _rtt_input(group: Group, rtt_ms: float) -> Input:
    tcp, source = group.stated.tcp, group.stated.source
    if tcp is not None and tcp.rtt_low_ms is not None and tcp.rtt_high_ms is not None:
        low, high = tcp.rtt_low_ms, tcp.rtt_high_ms
        name = f"rtt_ms of {group.name}"
        return Input(name, (low * high) ** 0.5, low, high, Basis.CONFIGURED, source)
    low, high = (rtt_ms * ratio for ratio in _RTT_RATIOS)
    source = "not stated: a quarter to twice the value of the profile; the same for all flows"
    return Input("rtt_ms", rtt_ms, low, high, Basis.ASSUMED, source)


def _window_input(group: Group) -> Input:
    tcp = group.stated.tcp
    if tcp is not None and tcp.receiver_window_bytes is not None:
        stated = float(tcp.receiver_window_bytes)
        name = f"receiver_window_bytes of {group.name}"
        return exact(name, stated, Basis.CONFIGURED, group.stated.source)
    low, high = _WINDOW_BYTES
    source = "not stated: from 12 full packets to the largest window without scaling"
    return Input("receiver_window_bytes", high, low, high, Basis.ASSUMED, source)


def varied(inputs: Sequence[Input]) -> list[Input]:
    """Inputs that are intervals."""
    return [known for known in inputs if known.low < known.high]
