"""Voice that no LLQ takes: marked anew before it, never counted in it, on a link without one."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device, is_surely_missing, why_not_known
from advisor.facts.attachments import Attached, attachments
from advisor.facts.interface import Attachment, Interface, Side
from advisor.facts.packet_set import ALL_DSCPS, Box
from advisor.facts.policy import CLASS_DEFAULT, PolicyMap
from advisor.facts.traffic_kinds import EF, VOICE_DSCPS, TrafficKind, may_be_voice, traffic_of
from advisor.ground.quantity import count, rate_words
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_name
from advisor.lint.checks.base import Found, Hit, Skip, rows_of
from advisor.lint.checks.llq import marks, marks_of, may_mark_otherwise, reaching
from advisor.lint.checks.llq.classified import find_voice_not_in_llq
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.measured import SeenClass, seen_classes
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.outlets import policies_out, queueing_out
from advisor.outlet.plain import E1_BPS, plain_places

# Voice that an input policy marks with a code that the LLQ does not take.

_NO_ENTRIES: Final = ("Loopback", "Null")  # no packet of another device comes in there
_LEAST_SERVED: Final = 24  # CS3; below are the codes of bulk data


class RemarkedVoice(Struct, frozen=True):
    """The class that marks on input, and the codes that the LLQ takes."""

    class_name: str
    policy_map: str
    packets: str  # "voice", "all packets, voice too,"
    marking: str  # "dscp cs5"
    wanted: str  # "dscp ef"


class _Remark(Struct, frozen=True):
    policy: PolicyMap
    class_name: str
    codes: frozenset[int]
    at: Location
    is_of_voice: bool


class _Astray(Struct, frozen=True):
    """Packets that the LLQ of a policy-map takes, and an input policy that marks them anew."""

    queueing: str
    wanted: frozenset[int]
    remark: _Remark


def find_voice_remarked_before_llq(device: Device) -> Found[RemarkedVoice]:
    """Yield a hit for each input class that takes voice away from the LLQ of an output.

    A class of voice that gets another code than bulk data is one. Marking down keeps false
    markings out, so it is one only where no interface lets the codes of the LLQ in.
    """
    seen: set[Location] = set()
    for astray in _astray(device):
        if astray.remark.at not in seen:  # an output is enough: the voice of all is lost alike
            seen.add(astray.remark.at)
            yield _remarked(astray.remark, astray.wanted)


@derived
def _astray(device: Device) -> tuple[_Astray, ...]:
    return tuple(
        _Astray(outlet.queueing.name, wanted, remark)
        for outlet in policies_out(device)
        if (wanted := _codes(device, outlet.queueing)) & VOICE_DSCPS
        for remark in _remarks(device, outlet, wanted)
    )


def _codes(device: Device, queueing: PolicyMap) -> frozenset[int]:
    """DSCPs of priority classes that take packets by them alone; empty where one may take others"""
    members = [item for item in reaching(device, queueing) if item.policy_class.priority]
    if any(member.boxes is None or member.broken for member in members):
        return frozenset()
    return named_codes([box for member in members for box in member.boxes or ()])


def _remarks(device: Device, outlet: Outlet, wanted: frozenset[int]) -> Iterator[_Remark]:
    main = _main(outlet.interface)
    inputs = [item for item in _inputs(device) if main != _main(item.interface)]
    if not inputs:
        return
    closed = {item.interface.name for item in inputs if not _lets_in(device, item, wanted)}
    ways_in = _entries(device, main) | {item.interface.name for item in inputs}
    is_closed = ways_in <= closed and not may_mark_otherwise(device.facts)
    for attached in inputs:
        found = list(_of_policy(device, attached, wanted))
        for remark in [item for item in found if item.is_of_voice] or found:
            is_marked_down = all(code < _LEAST_SERVED for code in remark.codes)
            if is_closed or (remark.is_of_voice and not is_marked_down):
                yield remark


@derived
def _inputs(device: Device) -> tuple[Attached, ...]:
    return tuple(
        item
        for item in attachments(device.facts)
        if item.attachment.direction is Side.INPUT and not item.interface.shutdown
    )


def _main(interface: Interface) -> str:
    return interface.parent or interface.name


def _entries(device: Device, way_out: str) -> frozenset[str]:
    """Interfaces that packets for an output come in by."""
    return frozenset(
        interface.name
        for interface in device.facts.interfaces
        if not interface.shutdown
        and (interface.ip_address is not None or interface.bridge_group is not None)
        and interface.type not in _NO_ENTRIES
        and _main(interface) != way_out
    )


def _of_policy(device: Device, attached: Attached, wanted: frozenset[int]) -> Iterator[_Remark]:
    """The classes that mark voice, or what they take at all, with codes that are not wanted."""
    policy = device.facts.policy_map(attached.attachment.policy)
    if policy is None:
        return
    boxes_by_name = {item.policy_class.name: item.boxes for item in reaching(device, policy)}
    for policy_class in policy.classes:
        written = list(marks_of(policy_class))
        codes = frozenset(code for mark in written for code in mark.dscps)
        if not codes or codes & wanted:
            continue
        boxes = boxes_by_name.get(policy_class.name) or ()
        is_of_voice = any(traffic_of(box) is TrafficKind.VOICE for box in boxes)
        if policy_class.is_default or is_of_voice:
            yield _Remark(policy, policy_class.name, codes, written[0].at, is_of_voice)


def _lets_in(device: Device, attached: Attached, wanted: frozenset[int]) -> bool:
    """Whether a packet may come in by an input policy with one of these codes."""
    policy = device.facts.policy_map(attached.attachment.policy)
    if policy is None or device.facts.unread_of_policy(policy.name):
        return True
    boxes_by_name = {item.policy_class.name: item.boxes for item in reaching(device, policy)}
    for policy_class in policy.classes:
        boxes = boxes_by_name.get(policy_class.name)
        codes = frozenset(code for mark in marks_of(policy_class) for code in mark.dscps)
        is_kept = not codes and (
            boxes is None or any(box.dscps & wanted and may_be_voice(box) for box in boxes)
        )
        if not policy_class.drops and (policy_class.child or codes & wanted or is_kept):
            return True
    return CLASS_DEFAULT not in policy.class_by_name


def _remarked(remark: _Remark, wanted: frozenset[int]) -> Hit[RemarkedVoice]:
    return Hit(
        remark.policy.path_of(remark.class_name),
        (remark.at,),
        RemarkedVoice(
            remark.class_name,
            remark.policy.name,
            "voice" if remark.is_of_voice else "all packets, voice too,",
            _words(remark.codes),
            _words(wanted),
        ),
        Confidence.LIKELY,
    )


def named_codes(boxes: Sequence[Box]) -> frozenset[int]:
    """DSCPs of a class that takes packets by them alone; empty where it takes others too."""
    if any(box.dscps == ALL_DSCPS for box in boxes):
        return frozenset()
    return frozenset(code for box in boxes for code in box.dscps)


def _words(codes: frozenset[int]) -> str:
    first = min(codes)
    if (
        codes == frozenset(range(first, first + _PRECEDENCE_CODES))
        and not first % _PRECEDENCE_CODES
    ):
        return f"precedence {first // _PRECEDENCE_CODES}"
    return f"dscp {', '.join(dscp_name(code) for code in sorted(codes))}"


# An LLQ by DSCP on a device that marks no such packet: it relies on what others mark.


class UpstreamMarking(Struct, frozen=True):
    """The class and the codes that nothing in the device marks."""

    policy_map: str
    class_name: str
    codes: str  # "dscp ef", "precedence 5"


_PRECEDENCE_CODES = 8


def find_llq_relies_on_upstream_marking(device: Device) -> Found[UpstreamMarking]:
    """Yield a hit for each priority class that takes packets only by codes nobody here marks.

    Telephony of the router, policy routing, CAR and ports that trust may mark anything: with one of
    them nothing is found. DLSw+ marks any precedence, and nothing else. Voice that an input policy
    marks anew has a finding of its own.
    """
    if may_mark_otherwise(device.facts):
        return
    marked = frozenset(code for mark in marks(device.facts) for code in mark.dscps)
    if device.facts.dlsw.local_peer is not None:
        marked |= frozenset(range(0, len(ALL_DSCPS), _PRECEDENCE_CODES))
    unknown = why_not_known(device)
    astray = frozenset(item.queueing for item in _astray(device))
    for policy in queueing_out(device):
        for member in reaching(device, policy):
            policy_class = member.policy_class
            if policy_class.priority is None or member.broken:
                continue
            label = policy.path_of(policy_class.name)
            if member.boxes is None:
                yield Skip(label, "what its class-map matches is not read in full")
                continue
            codes = named_codes(member.boxes)
            is_remarked = policy.name in astray and codes & VOICE_DSCPS
            if not codes or codes & marked or is_remarked:
                continue
            if unknown is not None:
                yield Skip(label, unknown)
                continue
            yield Hit(
                label,
                (policy_class.at,),
                UpstreamMarking(policy.name, policy_class.name, _words(codes)),
                Confidence.CERTAIN if is_surely_missing(device, ()) else Confidence.POSSIBLE,
            )


# An LLQ that counted no packet while the other classes of its policy carried load.


class NothingCountedParams(Struct, frozen=True):
    """Packets of the other classes from which the link counts as loaded."""

    other_packets: int


class NothingCounted(Struct, frozen=True):
    """The priority classes without a packet, and what the other classes counted."""

    policy_map: str
    classes: str
    others: str  # "12000 packets"


def find_priority_class_counts_nothing(
    device: Device, params: NothingCountedParams
) -> Found[NothingCounted]:
    """Yield a hit for each counted policy whose priority classes took nothing of a load."""
    policies: dict[tuple[str, str | None, str], list[SeenClass]] = {}
    for seen_class in seen_classes(device.seen):
        place = seen_class.interface, seen_class.circuit, seen_class.policy
        policies.setdefault(place, []).append(seen_class)
    for (_, _, policy), classes in policies.items():
        llq = [item for item in classes if item.seen.priority is not None]
        counted = {_packets(item) for item in llq}
        others = sum(_packets(item) or 0 for item in classes if item.seen.priority is None)
        is_software = not any(item.seen.in_hardware for item in classes)
        if counted == {0} and others >= params.other_packets and is_software:
            names = ", ".join(item.seen.name for item in llq)
            yield Hit(
                llq[0].label,
                (llq[0].seen.at,),
                NothingCounted(policy, names, count(others, "packet")),
                Confidence.LIKELY,
            )


def _packets(seen_class: SeenClass) -> int | None:
    """Packets that a class counted; None where they are not printed."""
    seen = seen_class.seen.seen
    return seen.packets if seen is not None else None


# A slow link of a device with telephony, and no LLQ on it.

_TELEPHONY: Final = tuple(tuple(row.split(" > ")) for row in rows_of("telephony"))
_VOICE_VLAN: Final = "switchport voice vlan"
_UNCLASSED: Final = (Queueing.FIFO, Queueing.FAIR_QUEUE, Queueing.CIRCUIT, Queueing.UNKNOWN)
_WAN_TYPES: Final = ("ATM", "Multilink", "Serial")


class NoLlq(Struct, frozen=True):
    """The slow output, its rate, and the sign that voice goes by the device."""

    place: str
    rate: str
    because: str


class _Sign(Struct, frozen=True):
    words: str
    at: Location


def find_slow_voice_link_without_llq(device: Device) -> Found[NoLlq]:
    """Yield a hit for each output up to E1 without an LLQ, of a device that has voice.

    What serves voice by a class without priority is LLQ009's. Beside an LLQ of another output
    voice may never go this way: the hit is information then.
    """
    sign = _sign(device)
    if sign is None:
        return
    told = {
        hit.evidence.policy_map for hit in find_voice_not_in_llq(device) if isinstance(hit, Hit)
    }
    has_llq = any(outlet.llq_classes for outlet in policies_out(device))
    for label, rate_bps, at in _outputs_without_llq(device, told):
        if rate_bps is None:
            yield Skip(label, "the rate of the link is not known")
        elif rate_bps <= E1_BPS:
            yield Hit(
                label,
                (at, sign.at),
                NoLlq(label, rate_words(kbps_from_bps(rate_bps)), sign.words),
                Confidence.POSSIBLE if has_llq else Confidence.LIKELY,
                severity=Severity.INFO if has_llq else None,
            )


def _outputs_without_llq(
    device: Device, told: set[str]
) -> Iterator[tuple[str, float | None, Location]]:
    """Label, rate and line of the outputs of a WAN that have no LLQ."""
    for place in plain_places(device):
        point, home = place.point, place.circuit or place.pvc or place.interface
        is_wan = place.interface.type in _WAN_TYPES
        if is_wan and point.queueing in _UNCLASSED and not _names_output(home.policies):
            yield point.object_path, point.wire_bps, point.at
    for outlet in policies_out(device):
        is_judged = outlet.queueing.name not in told and not outlet.has_unread_lines
        if is_judged and outlet.interface.type in _WAN_TYPES and not outlet.llq_classes:
            link = outlet.link
            yield outlet.policy_label, link.value if link is not None else None, outlet.at


def _names_output(policies: tuple[Attachment, ...]) -> bool:
    """Whether a policy is named for output: it is not defined, or does not queue."""
    return any(policy.direction is Side.OUTPUT for policy in policies)


@derived
def _sign(device: Device) -> _Sign | None:
    """The first line that shows voice in a device; None where none does."""
    facts = device.facts
    peer = next((peer for peer in facts.dial_peers if not peer.is_shutdown), None)
    if peer is not None:
        return _Sign(f"dial-peer {peer.tag} carries calls over IP", peer.at)
    mark = next((mark for mark in marks(facts, Side.INPUT) if EF in mark.dscps), None)
    if mark is not None:
        return _Sign("it marks packets of its input EF", mark.at)
    if not facts.tree.may_hold(_VOICE_VLAN, *(head for head, _ in _TELEPHONY)):
        return None
    for line in facts.tree.walk():
        text = line.text.lower()
        if not line.is_command:
            continue
        if text.startswith(_VOICE_VLAN):
            return _Sign("it has a voice VLAN", facts.tree.at(line))
        for head, words in _TELEPHONY:
            if text.startswith(head):
                return _Sign(words.format(line.text), facts.tree.at(line))
    return None
