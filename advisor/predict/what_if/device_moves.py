"""Moves of what a policy states and of calls: the device with other facts, or other traffic."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts import Stated
from advisor.facts.interface import FrameRelayCircuit, Interface
from advisor.facts.policy import (
    CLASS_DEFAULT,
    PolicyClass,
    PolicyMap,
    Priority,
    QueueLimit,
    Shape,
    Unit,
    Wred,
    WredProfile,
)
from advisor.ground.quantity import Basis, Unknown, rate_text
from advisor.ground.records import picked
from advisor.ground.units import bps_from_kbps, kbps_from_bps
from advisor.ios.syntax import Location
from advisor.outlet.class_bandwidth import admission_of
from advisor.outlet.offer import is_for
from advisor.outlet.operations import stated_calls
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.wred_rows import Group
from advisor.predict.what_if import InputError
from advisor.predict.wred import wred_request
from advisor.predict.wred.input_ends import lowest_min
from advisor.settings import PacketShare, Traffic

WRED_MIN: Final = "wred-min"  # the lowest minimum threshold, all thresholds in proportion
CALLS: Final = "calls"
PACKET: Final = "packet"  # IP bytes of the packets of all classes without priority
_ANY_RTT_MS: Final = 1.0  # thresholds do not follow from it

DeviceMove = Callable[[Device, Outlet, float, str], Device]


def again(device: Device, outlet: Outlet) -> Outlet:
    """The same output on a device that was moved.

    Raises
    ------
    InputError
        If the device has it no more.
    """
    for item in outlets(device):
        if item.label == outlet.label:
            return item
    raise InputError("the output is not there any more")


def _edited(
    device: Device, policy: PolicyMap, edit: Callable[[PolicyClass], PolicyClass]
) -> Device:
    """The device with the classes of one of its policies edited."""
    facts = device.facts
    edited = replace(policy, classes=tuple(map(edit, policy.classes)))
    policies = tuple(
        edited if policy_map.name == policy.name else policy_map for policy_map in facts.policy_maps
    )
    return replace(device, facts=replace(facts, policy_maps=policies))


def _move_priority(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """`priority N` of the first priority class, with the default burst of that rate."""
    if not outlet.llq_classes:
        raise InputError("priority: no class of this output has it")
    first = outlet.llq_classes[0]

    def edit(each: PolicyClass) -> PolicyClass:
        if each.name != first.name or each.priority is None:
            return each
        stated = Priority(Unit.KBPS, value, None, each.priority.level, Location(source, 0))
        return replace(each, priority=stated)

    moved = _edited(device, outlet.queueing, edit)
    _refuse_not_admitted(device, outlet, moved, f"{source} {value:g}")
    return moved


def _refuse_not_admitted(device: Device, outlet: Outlet, moved: Device, words: str) -> None:
    """Refuse reservations that IOS does not take; those of a device that has more stay.

    Raises
    ------
    InputError
        If the moved policy reserves more than IOS admits, and more than before.
    """
    before = admission_of(outlet, device.platform)
    after = admission_of(again(moved, outlet), moved.platform)
    if isinstance(before, Unknown) or isinstance(after, Unknown):
        return
    if after.reserved_bps > max(after.reservable_bps, before.reserved_bps):
        reserved, most = (
            rate_text(kbps_from_bps(bps)) for bps in (after.reserved_bps, after.reservable_bps)
        )
        raise InputError(
            f"{words}: IOS admits {most} kb/s ({after.why}), and the policy would reserve "
            f"{reserved}"
        )


def _move_queue_limit(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """`queue-limit N` of every class without priority and without conversations of its own."""

    def takes_it(each: PolicyClass) -> bool:
        fair = each.fair_queue is not None and each.fair_queue.value
        return each.priority is None and not fair

    if not any(map(takes_it, outlet.queueing.classes)):
        raise InputError("queue-limit: no class of this output takes it")

    def edit(each: PolicyClass) -> PolicyClass:
        if not takes_it(each):
            return each
        return replace(each, queue_limit=QueueLimit(value, Unit.PACKETS, Location(source, 0)))

    return _edited(device, outlet.queueing, edit)


def _move_shape(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """`shape average R` in kb/s, with the Bc and Be of IOS, where a shaper of a policy stands.

    Else the CIR of Frame Relay traffic shaping: its Bc and Be are lines of their own.
    """
    rate_bps = bps_from_kbps(value)
    if _is_of_circuit(outlet):
        cir_bps = Stated(rate_bps, Location(source, 0))
        return _with_circuit(device, outlet, lambda circuit: replace(circuit, cir_bps=cir_bps))

    def edit(shape: Shape) -> Shape:
        at = Location(source, 0)
        return Shape(shape.mode, rate_bps, None, None, None, at, account=shape.account)

    return _with_shape(device, outlet, edit, "shape")


def _move_bc(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """The Bc of the shaper, in bits."""
    if _is_of_circuit(outlet):
        bc_bits = Stated(round(value), Location(source, 0))
        return _with_circuit(device, outlet, lambda circuit: replace(circuit, bc_bits=bc_bits))

    def edit(shape: Shape) -> Shape:
        return replace(shape, bc_bits=round(value), bc_ms=None, at=Location(source, 0))

    return _with_shape(device, outlet, edit, "bc")


def _is_of_circuit(outlet: Outlet) -> bool:
    """Whether Frame Relay traffic shaping is the shaper of an output."""
    return outlet.shape is None and outlet.is_frame_relay_shaped and outlet.shaper_bps is not None


def _with_circuit(
    device: Device,
    outlet: Outlet,
    change: Callable[[FrameRelayCircuit], FrameRelayCircuit],
) -> Device:
    def edit(interface: Interface) -> Interface:
        circuits = (
            change(circuit) if str(circuit.dlci) == outlet.circuit else circuit
            for circuit in interface.circuits
        )
        return replace(interface, circuits=tuple(circuits))

    interfaces = tuple(
        edit(item) if item.name == outlet.attached_to else item for item in device.facts.interfaces
    )
    return replace(device, facts=replace(device.facts, interfaces=interfaces))


def _with_shape(
    device: Device, outlet: Outlet, change: Callable[[Shape], Shape], key: str
) -> Device:
    stated = outlet.shape
    if stated is None:
        raise InputError(f"{key}: no policy shapes this output")

    def edit(each: PolicyClass) -> PolicyClass:
        if each.shape is None or each.shape.at != stated.at:
            return each
        return replace(each, shape=change(each.shape))

    for policy in device.facts.policy_maps:
        if any(row.shape is not None and row.shape.at == stated.at for row in policy.classes):
            return _edited(device, policy, edit)
    raise InputError(f"{key}: no policy shapes this output")


def _move_wred_min(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """The lowest minimum threshold that a TCP group meets, in packets: all rows in proportion.

    A group that meets a row of IOS gets that row, as a line would state it.
    """
    request = wred_request(device, outlet, _ANY_RTT_MS)
    served = () if isinstance(request, Unknown) else request.classes
    moved: dict[str, Wred] = {}
    for member in served:
        wred = None if member.facts is None else member.facts.wred
        lowest = 0.0 if isinstance(request, Unknown) else lowest_min(request, member)
        if wred is not None and lowest > 0:
            moved[member.name] = _scaled(wred, member.groups, value / lowest, Location(source, 0))
    if not moved:
        raise InputError(f"{WRED_MIN}: no class has TCP groups: state them in [[traffic]]")

    def edit(each: PolicyClass) -> PolicyClass:
        return replace(each, wred=moved[each.name]) if each.name in moved else each

    return _edited(device, outlet.queueing, edit)


def _scaled(wred: Wred, groups: tuple[Group, ...], ratio: float, at: Location) -> Wred:
    """All rows of a class with thresholds in proportion; a row that groups share stands once."""
    rows = {(row.scheme, row.key): row for row in wred.profiles}
    for row in (group.row for group in groups):
        if row is not None and row.basis is not Basis.CONFIGURED:
            rows[row.scheme, row.key] = picked(
                WredProfile, row, mark_probability_denominator=row.denominator, at=at
            )
    scaled = (
        replace(
            row,
            min_threshold=row.min_threshold * ratio,
            max_threshold=row.max_threshold * ratio,
            at=at,
        )
        for row in rows.values()
    )
    return replace(wred, profiles=tuple(scaled))


def _move_calls(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """N calls in the first priority class: packets as stated there, else those of G.729.

    They stand in place of what was stated or measured of the class.
    """
    if not outlet.llq_classes:
        raise InputError("calls: no class of this output has priority")
    name, calls = outlet.llq_classes[0].name, round(value)
    own = [item for item in device.traffic if item.class_name == name and is_for(item, outlet)]
    like = next((item for item in own if item.packets_per_second and item.streams), None)
    others = tuple(item for item in device.traffic if item not in own)
    return replace(device, traffic=(*others, stated_calls(outlet, name, calls, like, source)))


def _move_packets(device: Device, outlet: Outlet, value: float, source: str) -> Device:
    """Packets of one size in every class without priority, at the stated rate in kb/s."""
    sizes = (PacketShare(round(value), 1.0),)
    priority = {each.name for each in outlet.llq_classes}
    lower = {each.name for each in outlet.queueing.classes} | {CLASS_DEFAULT}
    moved = tuple(
        _in_packets(each, sizes, source)
        if each.class_name in lower - priority and is_for(each, outlet)
        else each
        for each in device.traffic
    )
    told = {each.class_name for each in device.traffic if is_for(each, outlet)}
    stated = (
        Traffic("*", outlet.attached_to, name, sizes, None, 1, "poisson", source, is_moved=True)
        for name in sorted(lower - priority - told)
    )
    return replace(device, traffic=(*moved, *stated))


def _in_packets(stated: Traffic, sizes: tuple[PacketShare, ...], source: str) -> Traffic:
    rate, (size,) = stated.packets_per_second, sizes
    if rate is not None and stated.sizes:
        rate *= sum(each.ip_bytes * each.share for each in stated.sizes) / size.ip_bytes
    return replace(stated, sizes=sizes, packets_per_second=rate, source=source, is_moved=True)


# The rate comes first: a share of it may be what the others start from.
DEVICE_MOVES: Final[dict[str, DeviceMove]] = {
    "shape": _move_shape,
    "bc": _move_bc,
    "priority": _move_priority,
    "queue-limit": _move_queue_limit,
    WRED_MIN: _move_wred_min,
    CALLS: _move_calls,
    PACKET: _move_packets,
}
