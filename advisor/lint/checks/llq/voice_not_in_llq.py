"""Voice that a class without priority serves: it waits behind data."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Direction
from advisor.facts.packet_set import ALL_DSCPS, Box
from advisor.facts.policy import CLASS_DEFAULT, PolicyClass
from advisor.ios.syntax.names import dscp_code
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.llq.shared.marking import marks
from advisor.lint.checks.llq.shared.reaching import Reaching, reaching
from advisor.lint.checks.llq.shared.traffic import (
    EF,
    VOICE_DSCPS,
    Traffic,
    traffic_of,
    turns_away,
    words_of,
)
from advisor.lint.findings import Confidence
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out


class Evidence(Struct, frozen=True):
    """The class that serves voice, and what shows that its packets are voice."""

    policy_map: str
    class_name: str
    sign: str  # "match dscp ef", "set ip dscp ef"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each class without priority, of a policy that queues, that serves voice.

    Voice by its match or its own marking, not where the class only turns it away; what the device
    itself marks EF on input, where no class of the output takes EF. One finding for a policy-map.
    """
    del params
    seen: set[str] = set()
    for outlet in policies_out(device):
        policy = outlet.queueing
        if policy.name in seen or not any(each.queues for each in policy.classes):
            continue
        seen.add(policy.name)
        members = tuple(reaching(device, policy))
        found = has_llq = False
        for member in members:
            has_llq = has_llq or (member.policy_class.priority is not None and _has_voice(member))
            sign = _sign(member, by_ports=not has_llq)
            if sign is not None:
                found = True
                label = _label(outlet, member.policy_class.name)
                line = device.facts.unread_line(label, "priority")
                if line is not None:
                    yield Skip(
                        label, f"whether it has priority is not known: {line.at} is not understood"
                    )
                else:
                    yield _hit(outlet, member.policy_class, sign)
        if not found:
            yield from _left_to_default(device, outlet, members)


def _has_voice(member: Reaching) -> bool:
    return any(traffic_of(box) is Traffic.VOICE for box in member.boxes or ())


def _sign(member: Reaching, *, by_ports: bool) -> str | None:
    """What shows that a class without priority serves voice; None where nothing does.

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
        return f"match {words_of(voice[0], Traffic.VOICE)}"
    for marked in policy_class.sets:
        words = marked.value.split()
        if words[0] == "dscp" and dscp_code(words[-1]) == EF:
            return f"set {marked.value}"
    return None


def _is_voice(box: Box, *, by_ports: bool) -> bool:
    is_marked = EF in box.dscps and box.dscps <= VOICE_DSCPS
    return is_marked or (by_ports and box.dscps == ALL_DSCPS and traffic_of(box) is Traffic.VOICE)


def _ef_marked_at(device: Device) -> Location | None:
    marked = marks(device.facts, Direction.INPUT)
    return next((mark.at for mark in marked if EF in mark.dscps), None)


def _left_to_default(
    device: Device, outlet: Outlet, members: tuple[Reaching, ...]
) -> Iterator[Hit[Evidence] | Skip]:
    """EF that the device marks itself and that no class of the output takes."""
    marked_at = device.derived(_ef_marked_at)
    if marked_at is None:
        return
    default = next((each for each in outlet.queueing.classes if each.is_default), None)
    if default is not None and default.child is not None:
        return
    label = _label(outlet, CLASS_DEFAULT)
    if any(member.boxes is None for member in members):
        yield Skip(label, "what its class-maps match is not read in full")
    elif not any(EF in box.dscps for member in members for box in member.boxes or ()):
        at = default.at if default is not None else outlet.queueing.at
        yield _made(outlet, CLASS_DEFAULT, "EF, which this device marks", (at, marked_at))


def _hit(outlet: Outlet, policy_class: PolicyClass, sign: str) -> Hit[Evidence]:
    return _made(outlet, policy_class.name, sign, (policy_class.at, outlet.at))


def _made(outlet: Outlet, class_name: str, sign: str, at: tuple[Location, ...]) -> Hit[Evidence]:
    evidence = Evidence(outlet.queueing.name, class_name, sign)
    return Hit(_label(outlet, class_name), at, evidence, Confidence.LIKELY)


def _label(outlet: Outlet, class_name: str) -> str:
    return f"policy-map {outlet.queueing.name} > class {class_name}"


CHECK = Check(NoParams, Evidence, find)
