"""The request to WRED's model for an output: known numbers, and inputs that are intervals."""

from collections.abc import Mapping, Sequence
from math import ceil

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass
from advisor.facts.selectable import selectable_by_class
from advisor.outlet.class_limit import wred_defaults
from advisor.outlet.class_packet import class_packet
from advisor.outlet.offer import Offer, offers_of, speaks_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.wred_groups import Group, groups_of, with_flows
from advisor.predict.classes.demand import Question, class_names
from advisor.quantity import Basis, Input, Unknown, exact
from advisor.settings.values import Traffic
from advisor.theory.wire import wire_bytes
from advisor.units import bps_from_bytes, ms_from_s

_RTT_RATIOS = (0.25, 2.0)  # of the profile's round trip: the same region to another continent
_WINDOW_BYTES = (17_520, 65_535)  # stacks of the 1990s; the most without window scaling, RFC 7323


class WredMoves(Struct, frozen=True):
    """Settings that a sweep moves: the lowest minimum threshold in packets, flows of groups."""

    min_packets: float | None = None
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
    """One output with everything that the model needs; `inputs` by their names."""

    device: Device
    question: Question
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
    offers = _of_all_members(outlet, offers_of(replace(outlet, members=1), stated_traffic(device)))
    question = Question(outlet, offers, device.platform)
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
            statement for statement in stated if statement.class_name == name and _sends(statement)
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
            statement.class_name == name and _is_nothing(statement) for statement in stated
        )
        if not idle:
            classes.append(ServedClass(name, facts, groups, offer))
    scheduler = scheduler_of(outlet, device.platform)[0]
    llq = scheduler.unknown_default([served.name for served in classes]) or _llq_input(question)
    if isinstance(llq, Unknown):
        return llq
    inputs = [llq, _ring_input(outlet, shaped=question.line_bps < question.wire_bps)]
    inputs += outlet.line_overhead_inputs
    for served in classes:
        inputs += _class_inputs(outlet, offers, served, rtt_ms)
    return WredRequest(
        device, question, tuple(classes), {known.name: known for known in inputs}, moves
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


def _llq_input(question: Question) -> Input | Unknown:
    """Rate that the LLQ takes of the line: its offer, else from nothing to its `priority`."""
    outlet, framing = question.outlet, question.outlet.encapsulation
    overhead_bytes = outlet.line_framing(framing.high).overhead_bytes if framing else 0
    low_bps = high_bps = 0.0
    known = True
    for policy_class in outlet.llq_classes:
        offers = [offer for offer in question.offers if offer.class_name == policy_class.name]
        rates = [_line_bps(offer, overhead_bytes) for offer in offers]
        if rates and None not in rates:
            total = sum(rate for rate in rates if rate is not None)
            low_bps, high_bps = low_bps + total, high_bps + total
            continue
        priority_bps = outlet.llq_rate_bps(policy_class)
        if priority_bps is None:
            return Unknown(f"the rate of priority class {policy_class.name} is not known: state it")
        known = False
        high_bps += priority_bps
    if high_bps >= bottleneck_bps(question):
        return Unknown("the LLQ is offered the whole line")
    source = "stated or measured" if known else "from nothing to its whole priority rate"
    basis = Basis.CONFIGURED if known else Basis.ASSUMED
    return Input("llq_bps", (low_bps + high_bps) / 2, low_bps, high_bps, basis, source)


def _of_all_members(outlet: Outlet, offers: tuple[Offer, ...]) -> tuple[Offer, ...]:
    """Offers to the whole bundle: the flows are of it, and what was measured is of one member."""
    return tuple(
        replace(offer, packets_per_second=offer.packets_per_second * outlet.members)
        if offer.basis is Basis.MEASURED and offer.packets_per_second is not None
        else offer
        for offer in offers
    )


def bottleneck_bps(question: Question) -> float:
    """Rate that all flows share: of all members of a bundle, unless a shaper is slower."""
    together = question.outlet.bundle_wire
    if together is not None and question.line_bps >= question.wire_bps:
        return together.value
    return question.line_bps


def _line_bps(offer: Offer, overhead_bytes: int) -> float | None:
    if offer.packets_per_second is None:
        return None
    if offer.packets_per_second == 0:
        return 0.0
    return bps_from_bytes(
        offer.mean_ip_bytes + overhead_bytes, ms_from_s(1 / offer.packets_per_second)
    )


def _ring_input(outlet: Outlet, *, shaped: bool) -> Input:
    """Packets of the ring with the one on the wire; full-size packets if it counts particles."""
    ring, name = outlet.ring, "ring_packets"
    if shaped or outlet.ring_idle:
        return exact(name, 1.0, Basis.ASSUMED, "a shaper keeps the ring nearly empty")
    if ring is None:
        return Input(name, 2.0, 1.0, 4.0, Basis.ASSUMED, "the ring of this output is not known")
    members = outlet.members
    counts = []
    for kind in ring.types:
        frame = outlet.encapsulation.high if outlet.encapsulation else None
        units = kind.units(outlet.largest_ip_bytes, frame) if frame else 1
        counts += [
            (ceil(limit / units) + kind.beside_wire) * members
            for limit in (ring.limit_low, ring.limit_high)
        ]
    low, high = max(float(min(counts)), 1.0), max(float(max(counts)), 1.0)
    return Input(name, (low * high) ** 0.5, low, high, ring.basis, ring.source)


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


def line_size(ip_bytes: float, request: WredRequest) -> float:
    """Bytes of a packet that fill the line: on the wire in the larger framing, or of a shaper."""
    outlet = request.outlet
    if outlet.encapsulation is None:
        return ip_bytes
    return wire_bytes(round(ip_bytes), outlet.line_framing(outlet.encapsulation.high))


def varied(inputs: Sequence[Input]) -> list[Input]:
    """Inputs that are intervals."""
    return [known for known in inputs if known.low < known.high]
