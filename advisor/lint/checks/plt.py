"""Checks of what a platform has, refuses, or is not judged for."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.coverage import switch_lines
from advisor.device.device import Device
from advisor.device.platform import FamilyName
from advisor.device.platforms.commands import is_from
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Interface, Side
from advisor.facts.policy import PolicyClass, PolicyMap, Unit
from advisor.ground.quantity import count
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.parts import policy_queues

# Commands that IOS XE or a switch does not have, or that QFP refuses.

_ABSENT = "Cisco's models of IOS XE 16.6 to 26.1 do not have this command"
_REMOVED = "IOS XE 3.2S removed the queueing commands of interfaces"
_CONVERT = "convert `bandwidth` to `bandwidth remaining`, or take the child policy out"
_LEAF_ONLY = "a class with `bandwidth` is a leaf on QFP: it takes no child policy that queues"
_PORT_QUEUES = "its ports have queues of their own, and an output policy of it does not queue"
_PORT_QUEUED: Final = ("c2960", "c3560", "c3750")  # recalled: facts on Catalyst output policies
_SRR = "set the port queues: `srr-queue bandwidth share` and `priority-queue out`"
_BY_MARKING: Final = ("c3850",)  # sourced: facts on its output policies
_MARKING_ALONE = "a 3850 queues by DSCP, precedence, CoS or QoS group, not by access list or NBAR"
_MARK_FIRST = "mark the packets where they come in, and match the marking in the output policy"
_NOT_MARKING: Final = frozenset({"access-group", "protocol"})
_VIPS_ALONE: Final = (12, 1)  # from 12.1(5)T: Cisco document 18660
_BLOCKED = "from 12.1(5)T on the VIPs of a 7500 shape, and the command is blocked"
_DEFAULT = "before HQF (12.4(20)T) it is of class-default alone, and IOS refuses it in a class"
_FIFO = "take it out: without it the class is a FIFO of its `bandwidth`, or upgrade to HQF"
_BY_POLICY = "shape in a policy-map of the map-class, class-default with the LLQ nested in it"
_AVERAGE_ALONE = "Cisco's models of IOS XE 16.6 to 26.1 have `shape average` alone"
_AVERAGE = "state `shape average`; what `shape peak` sends is its rate times 1 + Be/Bc"
_METRO: Final = "me-"  # ME-C3750: its enhanced ports take hierarchical policies


class AbsentCommand(Struct, frozen=True):
    """The command, and why the platform does not have it."""

    command: str
    platform: str
    because: str


class _Command(Struct, frozen=True):
    """A command, its place, and whether a document says that it is refused."""

    object: str
    at: Location
    command: str
    because: str
    is_refused: bool = False
    advice: str | None = None  # in place of the card's
    refused: Location | None = None  # the one line that IOS refuses: what rests on it is void


def find_command_not_of_platform(device: Device) -> Found[AbsentCommand]:
    """Yield a hit for each command that IOS XE or a switch does not have.

    What follows only from the absence of a command in the models, or is recalled, is `info` and
    `possible`.
    """
    captured = device.facts.tree.is_capture
    of_xe = (*_of_interfaces(device), *_of_classes(device)) if device.platform.is_xe else ()
    of_classic = (*_of_7500(device), *_of_pre_hqf(device))
    for command in (*of_xe, *of_classic, *_of_port_queues(device), *_of_marked_queues(device)):
        is_refused = command.is_refused or command.refused is not None
        sure = is_refused and not captured and not device.platform.assumed
        yield Hit(
            command.object,
            (command.at,),
            AbsentCommand(command.command, device.platform.title, command.because),
            Confidence.LIKELY if sure else Confidence.POSSIBLE,
            severity=None if is_refused else Severity.INFO,
            curable=False,
            advice=command.advice,
            refused=(command.refused,) if command.refused is not None else (),
        )


def _of_interfaces(device: Device) -> Iterator[_Command]:
    for interface in device.facts.interfaces:
        yield from _of_interface(interface)


def _of_interface(interface: Interface) -> Iterator[_Command]:
    label = f"interface {interface.name}"
    homes = [(label, interface.tx_ring_limit)]
    homes += [(f"{label} > {pvc.label}", pvc.tx_ring_limit) for pvc in interface.pvcs]
    for place, ring in homes:
        if ring is not None:
            yield _Command(place, ring.at, f"tx-ring-limit {ring.value}", _ABSENT)
    wred = interface.random_detect
    if wred is not None and wred.value:
        yield _Command(label, wred.at, "random-detect", _ABSENT)
    for line in interface.legacy_queueing:
        yield _Command(label, line.at, line.value.partition(" ")[0], _REMOVED)


def _of_7500(device: Device) -> Iterator[_Command]:
    """Frame Relay traffic shaping, which the route processor of a 7500 no longer does."""
    platform = device.platform
    if not platform.may_be_distributed or not is_from(platform.release_name, _VIPS_ALONE):
        return
    for interface in device.facts.interfaces:
        shaping = interface.frame_relay_traffic_shaping
        if shaping is not None and shaping.value:
            label, command = f"interface {interface.name}", "frame-relay traffic-shaping"
            at = shaping.at
            yield _Command(label, at, command, _BLOCKED, advice=_BY_POLICY, refused=at)


def _of_pre_hqf(device: Device) -> Iterator[_Command]:
    """Fair queueing inside a class: before HQF only class-default and VIPs have it."""
    platform = device.platform
    is_classic = platform.is_pre_hqf and platform.has_classic_defaults
    if not is_classic or platform.may_be_distributed:
        return
    for policy, queue_class in device.facts.policy_classes:
        fair = queue_class.fair_queue
        if fair is not None and fair.value and not queue_class.is_default:
            label = policy.path_of(queue_class.name)
            at = fair.at
            yield _Command(label, at, "fair-queue", _DEFAULT, advice=_FIFO, refused=at)


def _of_classes(device: Device) -> Iterator[_Command]:
    for policy, policy_class in device.facts.policy_classes:
        label = policy.path_of(policy_class.name)
        shape, stated = policy_class.shape, policy_class.bandwidth
        if shape is not None and shape.mode == "peak":
            yield _Command(label, shape.at, "shape peak", _AVERAGE_ALONE, advice=_AVERAGE)
        if stated is None or not device.platform.is_qfp:
            continue
        if _is_rate(stated.unit) and _child_queues(device, policy_class):
            child = policy_class.child
            refused = child.at if child is not None else None
            yield _Command(
                label, stated.at, "bandwidth", _LEAF_ONLY, advice=_CONVERT, refused=refused
            )


def _of_port_queues(device: Device) -> Iterator[_Command]:
    """Output policies that queue, on switches whose ports schedule by themselves."""
    if not _is_model(device, _PORT_QUEUED):
        return
    for attached, policy in _output_policies(device):
        if policy_queues(device.facts, policy):
            to, command = attached.attachment, f"service-policy output {policy.name}"
            yield _Command(attached.label, to.at, command, _PORT_QUEUES, advice=_SRR)


def _of_marked_queues(device: Device) -> Iterator[_Command]:
    """Classes that queue by more than a marking, on switches that queue by markings alone."""
    if not _is_model(device, _BY_MARKING):
        return
    attached = {policy.name: policy for _, policy in _output_policies(device)}
    for policy in attached.values():
        for policy_class in policy.classes:
            if policy_class.queues and _NOT_MARKING & _match_kinds(device, policy_class.name):
                yield _Command(
                    policy.path_of(policy_class.name),
                    policy_class.at,
                    f"class {policy_class.name}",
                    _MARKING_ALONE,
                    is_refused=True,
                    advice=_MARK_FIRST,
                )


def _match_kinds(device: Device, class_name: str) -> set[str]:
    """Kinds of the `match` lines of a class, those of the class-maps that it names included."""
    kinds: set[str] = set()
    to_read, done = [class_name], set[str]()
    while to_read:
        name = to_read.pop()
        class_map = device.facts.class_map(name)
        if class_map is None or name in done:
            continue
        done.add(name)
        for match in class_map.matches:
            kinds.add(match.kind)
            to_read += match.values if match.kind == "class-map" else ()
    return kinds


def _is_model(device: Device, names: Sequence[str]) -> bool:
    model = (device.platform.model_name or "").lower()
    return not model.startswith(_METRO) and any(name in model for name in names)


def _output_policies(device: Device) -> Iterator[tuple[Attached, PolicyMap]]:
    for attached in attachments(device.facts):
        policy = device.facts.policy_map(attached.attachment.policy)
        if policy is not None and attached.attachment.direction is Side.OUTPUT:
            yield attached, policy


def _is_rate(unit: Unit) -> bool:
    return unit in (Unit.KBPS, Unit.PERCENT)


def _child_queues(device: Device, policy_class: PolicyClass) -> bool:
    name = policy_class.child
    child = device.facts.policy_map(name.value) if name is not None else None
    return child is not None and policy_queues(device.facts, child)


# QoS of a platform that the catalogue judges in part or not at all: counted and kept.

_NOT_JUDGED: Final[Mapping[FamilyName, str]] = MappingProxyType(
    {
        "mls-switch": "its QoS is not judged",
        "other": "its QoS is not judged",
        "mqc-switch": "its default queue limits, WRED rows and queue memory are not known",
        "xe-without-qfp": "its default queue limits, WRED rows and scheduler are not known",
        "distributed": "its distributed queueing has defaults of its own, which are not known",
        "lab": "its transmit rings and times mean nothing for a router and are not judged",
    }
)


class UnjudgedPlatform(Struct, frozen=True):
    """The family, what is not judged there, and the lines that were kept."""

    platform: str
    limits: str
    lines: str  # "7 of 11 QoS lines", as coverage counts them, and counters of ports
    shown_by: str


def find_platform_not_judged(device: Device) -> Found[UnjudgedPlatform]:
    """Yield one hit for a device with QoS on a platform that is not judged in full."""
    lines = device.facts.qos_lines_seen
    family = device.platform.family_name
    if not lines or family is None or family not in _NOT_JUDGED:
        return
    first = next(iter(switch_lines(device)), None)
    policies = device.facts.policy_maps
    at = first.at if first is not None else None
    if at is None and policies:
        at = policies[0].at
    shown_by = device.platform.decides_family
    evidence = UnjudgedPlatform(
        platform=device.platform.title,
        limits=_NOT_JUDGED[family],
        lines=f"{device.facts.qos_lines_understood} of {count(lines, 'QoS line')}{_ports(device)}",
        shown_by=str(shown_by),
    )
    place = at or Location(device.facts.tree.file, 1)
    yield Hit("device", (place,), evidence, Confidence.CERTAIN)


def _ports(device: Device) -> str:
    """The ports whose counters an output shows, and what their queues dropped."""
    ports = device.seen.switch_ports
    if not ports:
        return ""
    dropped = count(sum(port.dropped_packets for port in ports), "dropped packet")
    return f" and the counters of {count(len(ports), 'port')} with {dropped}"
