"""Classes that hold the wrong packets, or packets that are in the wrong class."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Side
from advisor.facts.packet_set import ALL_DSCPS, Box
from advisor.facts.policy import CLASS_DEFAULT, PolicyMap
from advisor.facts.traffic_kinds import (
    EF,
    SIGNALLING_DSCPS,
    VOICE_DSCPS,
    TrafficKind,
    is_of_any_address,
    may_be_signalling,
    may_be_voice,
    traffic_of,
    words_of,
)
from advisor.ground.quantity import first_of
from advisor.ground.questions import derived
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import dscp_code
from advisor.lint.checks.base import Found, Hit, LoadParams, Skip
from advisor.lint.checks.llq import (
    MarkedBulk,
    Reaching,
    marked_bulk,
    marks,
    reaching,
    turns_away,
)
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.congestion import congestion_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out

# Voice that a class without priority serves: it waits behind data.


class VoiceElsewhere(Struct, frozen=True):
    """The class that serves voice, and what shows that its packets are voice."""

    policy_map: str
    class_name: str
    sign: str  # "match dscp ef", "set ip dscp ef"


def find_voice_not_in_llq(device: Device) -> Found[VoiceElsewhere]:
    """Yield a hit for each class without priority, of a policy that queues, that serves voice.

    Voice by its match or its own marking, not where the class only turns it away; what the device
    itself marks EF on input, where no class of the output takes EF. One finding for a policy-map.
    """
    seen: set[str] = set()
    for outlet in policies_out(device):
        policy = outlet.queueing
        if policy.name in seen or not any(queue_class.queues for queue_class in policy.classes):
            continue
        seen.add(policy.name)
        members = tuple(reaching(device, policy))
        found = has_llq = False
        for member in members:
            has_llq = has_llq or (member.policy_class.priority is not None and _has_voice(member))
            sign = _sign(member, by_ports=not has_llq)
            if sign is not None:
                found, places = True, (member.policy_class.at, outlet.at)
                label = policy.path_of(member.policy_class.name)
                line = device.facts.unread_line(label, "priority")
                if line is not None:
                    yield Skip(
                        label, f"whether it has priority is not known: {line.at} is not understood"
                    )
                else:
                    yield _voice_elsewhere(outlet, member.policy_class.name, sign, places)
        if not found:
            yield from _left_to_default(device, outlet, members)


def _has_voice(member: Reaching) -> bool:
    return any(traffic_of(box) is TrafficKind.VOICE for box in member.boxes or ())


def _sign(member: Reaching, *, by_ports: bool) -> str | None:
    """Find the sign that a class without priority serves voice; None where there is none.

    `by_ports`: RTP is voice. Where the LLQ has taken voice before, the RTP that is left is not.
    """
    policy_class = member.policy_class
    if policy_class.priority is not None or policy_class.child is not None or member.broken:
        return None
    if turns_away(policy_class):
        return None
    boxes = member.boxes or ()
    voice = [box for box in boxes if _is_voice(box, by_ports=by_ports)]
    if voice:
        return f"match {words_of(voice[0], TrafficKind.VOICE)}"
    for marked in policy_class.sets:
        words = marked.value.split()
        if words[0] == "dscp" and dscp_code(words[-1]) == EF:
            return f"set {marked.value}"
    return None


def _is_voice(box: Box, *, by_ports: bool) -> bool:
    is_marked = EF in box.dscps and box.dscps <= VOICE_DSCPS
    return is_marked or (
        by_ports and box.dscps == ALL_DSCPS and traffic_of(box) is TrafficKind.VOICE
    )


@derived
def _ef_marked_at(device: Device) -> Location | None:
    marked = marks(device.facts, Side.INPUT)
    return next((mark.at for mark in marked if EF in mark.dscps), None)


def _left_to_default(
    device: Device, outlet: Outlet, members: tuple[Reaching, ...]
) -> Found[VoiceElsewhere]:
    """EF that the device marks itself and that no class of the output takes."""
    marked_at = _ef_marked_at(device)
    if marked_at is None:
        return
    default = outlet.queueing.class_by_name.get(CLASS_DEFAULT)
    if default is not None and default.child is not None:
        return
    label = outlet.queueing.path_of(CLASS_DEFAULT)
    if any(member.boxes is None for member in members):
        yield Skip(label, "what its class-maps match is not read in full")
    elif not any(EF in box.dscps for member in members for box in member.boxes or ()):
        at = default.at if default is not None else outlet.queueing.at
        yield _voice_elsewhere(
            outlet, CLASS_DEFAULT, "EF, which this device marks", (at, marked_at)
        )


def _voice_elsewhere(
    outlet: Outlet, class_name: str, sign: str, at: tuple[Location, ...]
) -> Hit[VoiceElsewhere]:
    evidence = VoiceElsewhere(outlet.queueing.name, class_name, sign)
    return Hit(outlet.queueing.path_of(class_name), at, evidence, Confidence.LIKELY)


# A priority class that admits more than voice: its own packets delay the voice in it.

_BESIDE_VOICE = (TrafficKind.SIGNALLING, TrafficKind.VIDEO)
_NO_VOICE = "no voice"
_WITH_VOICE = "its packets are in the queue before those of voice"
_AHEAD_OF_ALL = "whoever sends them is served before all other classes, up to the rate of the class"


class BulkInLlq(Struct, frozen=True):
    """The class and the packets that do not belong into it."""

    policy_map: str
    class_name: str
    admitted: str  # "TCP port 80", "dscp af11 and 2 more"
    kind: str  # "bulk data", "signalling", "video"
    effect: str  # what its packets do to others


def find_bulk_in_llq(device: Device) -> Found[BulkInLlq]:
    """Yield a hit for each priority class with bulk data, with others beside voice, or no voice.

    Packets that an earlier class takes do not count. A class whose access list does not exist is
    not judged.
    """
    for policy in device.facts.policy_maps:
        if all(policy_class.priority is None for policy_class in policy.classes):
            continue
        for member in reaching(device, policy):
            if member.policy_class.priority is None or member.broken:
                continue
            label = policy.path_of(member.policy_class.name)
            if member.boxes is None:
                yield Skip(label, "what its class-map matches is not read in full")
            else:
                yield from _judged(device, label, policy, member, member.boxes)


def _judged(
    device: Device, label: str, policy: PolicyMap, member: Reaching, boxes: tuple[Box, ...]
) -> Iterator[Hit[BulkInLlq]]:
    kinds: list[tuple[TrafficKind | None, Box]] = [(traffic_of(box), box) for box in boxes]
    others: list[tuple[TrafficKind | None, Box]]
    bulk = [box for kind, box in kinds if kind is TrafficKind.BULK]
    class_map = device.facts.class_map(member.policy_class.name)
    at = (member.policy_class.at, *((class_map.at,) if class_map is not None else ()))
    if bulk:
        sure = any(box.protocol is not None or is_of_any_address(box) for box in bulk)
        words = [words_of(box, TrafficKind.BULK) for box in bulk]
        confidence = Confidence.LIKELY if sure else Confidence.POSSIBLE
        yield Hit(label, at, _evidence(policy, member, "bulk data", words), confidence)
        return
    marked = _marked_as(device, boxes)
    if marked is not None:
        words = [f"what class {marked.class_name} of {marked.policy} marks"]
        is_likely = marked.is_rest or marked.class_name != CLASS_DEFAULT
        confidence = Confidence.LIKELY if is_likely else Confidence.POSSIBLE
        evidence = _evidence(policy, member, "bulk data", words)
        yield Hit(label, (*at, marked.at), evidence, confidence)
        return
    if any(kind is TrafficKind.VOICE for kind, _ in kinds):
        others = [(kind, box) for kind, box in kinds if kind in _BESIDE_VOICE]
        effect = _WITH_VOICE
    else:
        others = [(kind, box) for kind, box in kinds if not may_be_voice(box)]
        effect = _AHEAD_OF_ALL
    if others and (effect is _WITH_VOICE or len(others) == len(kinds)):
        names = " and ".join(dict.fromkeys(str(kind or _NO_VOICE) for kind, _ in others))
        shown = [words_of(box, kind) for kind, box in others]
        evidence = _evidence(policy, member, names, shown, effect)
        yield Hit(label, at, evidence, Confidence.LIKELY, severity=Severity.INFO)


def _marked_as(device: Device, boxes: tuple[Box, ...]) -> MarkedBulk | None:
    """Bulk data that the device itself marks with a DSCP that these boxes take."""
    taken = frozenset(code for box in boxes if box.dscps != ALL_DSCPS for code in box.dscps)
    return next((mark for mark in marked_bulk(device) if mark.dscps & taken), None)


def _evidence(
    policy: PolicyMap, member: Reaching, kind: str, words: list[str], effect: str = _WITH_VOICE
) -> BulkInLlq:
    admitted = first_of(list(dict.fromkeys(words)))
    return BulkInLlq(policy.name, member.policy_class.name, admitted, kind, effect)


# Call signalling in the best-effort class of a congested link: calls are set up late, or not.


class OpenSignalling(Struct, frozen=True):
    """The policy, the signs of congestion, and why there is signalling."""

    policy_map: str
    signs: str
    because: str


def find_signalling_unprotected(device: Device, params: LoadParams) -> Found[OpenSignalling]:
    """Yield a hit for each congested output with voice in its LLQ and no class for signalling.

    Signalling is there where the device marks it, or where voice is: calls are set up by it. A
    class that takes CS3, AF31, its ports or its protocols protects it.
    """
    marked = any(mark.dscps & SIGNALLING_DSCPS for mark in marks(device.facts))
    for outlet in policies_out(device):
        congestion = congestion_of(device.seen, outlet, params.load_percent)
        if congestion is None:
            continue
        members = tuple(reaching(device, outlet.queueing))
        if not marked and not any(map(_is_voice_queue, members)):
            continue
        if any(member.boxes is None for member in members):
            yield Skip(outlet.policy_label, "which class takes signalling is not known")
        elif not _is_protected(outlet, members):
            because = "this device marks it" if marked else "its LLQ has voice"
            yield Hit(
                outlet.policy_label,
                (outlet.queueing.at, congestion.at),
                OpenSignalling(outlet.queueing.name, congestion.signs, because),
                Confidence.LIKELY if marked else Confidence.POSSIBLE,
            )


def _is_voice_queue(member: Reaching) -> bool:
    is_llq = member.policy_class.priority is not None
    return is_llq and any(traffic_of(box) is TrafficKind.VOICE for box in member.boxes or ())


def _is_protected(outlet: Outlet, members: tuple[Reaching, ...]) -> bool:
    """Whether a class with a queue of its own takes signalling, or may: by ports or addresses."""
    default = outlet.queueing.class_by_name.get(CLASS_DEFAULT)
    if default is not None and default.child is not None:
        return True
    boxes = [
        box
        for member in members
        if outlet.queue_of(member.policy_class.name) != CLASS_DEFAULT
        for box in member.boxes or ()
    ]
    return any(map(may_be_signalling, boxes))
