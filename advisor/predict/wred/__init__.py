"""The request to WRED's model for an output: known numbers, and inputs that are intervals."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.facts.selectable import selectable_by_class
from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.model import UNSCALED_WINDOW_BYTES
from advisor.outlet.class_service import class_packet, wred_defaults
from advisor.outlet.offer import speaks_of
from advisor.outlet.operations import offers_at
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
    of_bundle,
    priority_input,
)
from advisor.predict.classes.corners import IDLE_RING
from advisor.settings import StatedTcp, Traffic
from advisor.theory.solution import MOST_LLQ_LOAD

_RTT_RATIOS = (0.25, 2.0)  # of the profile's round trip: the same region to another continent
_UNKNOWN_RING = (1, 4)  # packets
_LEAST_WINDOW_BYTES = 17_520  # stacks of the 1990s


class ServedClass(Struct, frozen=True):
    """One class with traffic: its groups, or its offers; without both a load is `assumed`."""

    name: str
    facts: PolicyClass | None
    groups: tuple[Group, ...]
    assumed: bool


class WredRequest(Struct, frozen=True):
    """One output with everything that the model needs; a bundle is one output with all its members.

    `inputs` are by their names. `of_groups` are those of a group, by its name: its packets, and of
    TCP the round trip and the window.
    """

    question: Question
    demand: Demand
    classes: tuple[ServedClass, ...]
    inputs: Mapping[str, Input]
    of_groups: Mapping[str, tuple[Input, ...]]

    @property
    def outlet(self) -> Outlet:
        return self.question.outlet


def wred_request(
    device: Device, outlet: Outlet, rtt_ms: float, flows: Mapping[str, int] | None = None
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
    flows : mapping or None
        Numbers of flows that a sweep moves, by the names of their groups.
    """
    stated = tuple(statement for statement in device.traffic if speaks_of(statement, outlet))
    stated = with_flows(stated, flows or {})
    offers = offers_at(device, outlet)
    question = of_bundle(Question(outlet, offers, device.platform))
    outlet = question.outlet
    if outlet.wire is None or outlet.encapsulation is None:
        return Unknown("the rate or the encapsulation of the output is not known")
    classes = _served(device, question, stated)
    if isinstance(classes, Unknown):
        return classes
    demand = demand_of(question)
    names = [policy_class.name for policy_class in outlet.llq_classes]
    names += [served.name for served in classes]
    unknown = scheduler_of(outlet, device.platform)[0].unknown_default(names)
    if unknown is None and llq_load(question, demand) > MOST_LLQ_LOAD:
        unknown = Unknown(f"the LLQ is offered more than {MOST_LLQ_LOAD:g} times the link")
    if unknown is not None:
        return unknown
    inputs = [*_llq_inputs(question, demand), _ring_input(outlet), *outlet.line_overhead_inputs]
    of_groups: dict[str, tuple[Input, ...]] = {}
    for served in classes:
        if served.assumed:
            name, source = f"load of {served.name}", "not stated: saturated, or idle"
            inputs.append(Input(name, 1.0, 0.0, 1.0, Basis.ASSUMED, source))
        for group in served.groups:
            of_groups[group.name] = tuple(_group_inputs(question, served, group, rtt_ms))
            inputs += of_groups[group.name]
    by_name = {known.name: known for known in inputs}
    return WredRequest(question, demand, classes, by_name, of_groups)


def _served(
    device: Device, question: Question, stated: Sequence[Traffic]
) -> tuple[ServedClass, ...] | Unknown:
    """Classes below the LLQ that are not idle, or why the row of a group is not known."""
    outlet, selectable = question.outlet, selectable_by_class(device.facts)
    offered = {offer.class_name: offer.packets_per_second for offer in reversed(question.offers)}
    priority = {policy_class.name for policy_class in outlet.llq_classes}
    classes: list[ServedClass] = []
    taken: set[str] = set()
    for name in class_names(outlet):
        if name in priority:
            continue
        facts = outlet.class_named(name)
        own = [statement for statement in stated if outlet.queue_of(statement.class_name) == name]
        defaults = wred_defaults(outlet, facts, device.platform)
        groups = groups_of(facts, tuple(filter(_sends, own)), selectable(name), defaults)
        if isinstance(groups, Unknown):
            return groups
        groups = tuple(
            replace(group, name=f"{group.name} ({name})") if group.name in taken else group
            for group in groups
        )
        taken |= {group.name for group in groups}
        is_idle = not groups and offered.get(name) == 0
        if not is_idle and all(statement.packets_per_second != 0 for statement in own):
            classes.append(ServedClass(name, facts, groups, not groups and name not in offered))
    return tuple(classes)


def _sends(statement: Traffic) -> bool:
    return statement.tcp is not None or bool(statement.packets_per_second and statement.sizes)


def _llq_inputs(question: Question, demand: Demand) -> Iterator[Input]:
    """Rates of the LLQ; one that is not known fills its `priority`, or is a sparse probe."""
    for offer in demand.offers:
        if offer.is_llq and offer.packets_per_second is not None:
            name = f"packets_per_second of {offer.class_name}"
            yield exact(name, offer.packets_per_second, offer.basis, offer.source)
        elif offer.is_llq:
            yield priority_input(question, offer.class_name)


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


def _group_inputs(
    question: Question, served: ServedClass, group: Group, rtt_ms: float
) -> Iterator[Input]:
    statement = group.stated
    if statement.sizes:
        mean = sum(size.ip_bytes * size.share for size in statement.sizes)
        yield exact(f"packet_bytes of {group.name}", mean, Basis.CONFIGURED, statement.source)
    else:
        packet = class_packet(question.outlet, question.offers, served.name)
        yield replace(packet, name=f"packet_bytes in {served.name}")
    if statement.tcp is not None:
        yield _rtt_input(group, statement.tcp, rtt_ms)
        yield _window_input(group, statement.tcp)


def _rtt_input(group: Group, tcp: StatedTcp, rtt_ms: float) -> Input:
    if tcp.rtt_low_ms is not None and tcp.rtt_high_ms is not None:
        low, high = tcp.rtt_low_ms, tcp.rtt_high_ms
        name, source = f"rtt_ms of {group.name}", group.stated.source
        return Input(name, (low * high) ** 0.5, low, high, Basis.CONFIGURED, source)
    low, high = (rtt_ms * ratio for ratio in _RTT_RATIOS)
    source = "not stated: a quarter to twice the value of the profile; the same for all flows"
    return Input("rtt_ms", rtt_ms, low, high, Basis.ASSUMED, source)


def _window_input(group: Group, tcp: StatedTcp) -> Input:
    if tcp.receiver_window_bytes is not None:
        stated = float(tcp.receiver_window_bytes)
        name = f"receiver_window_bytes of {group.name}"
        return exact(name, stated, Basis.CONFIGURED, group.stated.source)
    low, high = _LEAST_WINDOW_BYTES, UNSCALED_WINDOW_BYTES
    source = "not stated: from 12 full packets to the largest window without scaling"
    return Input("receiver_window_bytes", high, low, high, Basis.ASSUMED, source)
