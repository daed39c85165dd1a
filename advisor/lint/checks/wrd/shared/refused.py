"""Combinations with WRED that IOS refuses, by generation and release."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.attachments import attachments
from advisor.facts.interface import Direction, Interface
from advisor.facts.policy import PolicyClass, Wred
from advisor.ios.syntax.tree import Location
from advisor.outlet.parts import policy_queues

_OF_CODES = ("precedence", "dscp")
_FIRST_TRAINS = ("12.0", "12.1")
_LISTS = ("priority-group", "custom-queue-list")
_GIVE_RATE = "give the class `bandwidth` (or `fair-queue`), or remove `random-detect` from it"
_ONE_SCHEME = "enter `no random-detect`, then `random-detect` with rows of one scheme"
_NO_ECN = "remove `random-detect ecn`: 12.2(8)T is the first release that has it"
_FAIR_FIRST = "enter `no random-detect`, then `fair-queue`, then `random-detect`"


class Refused(Struct, frozen=True):
    """A combination; `always`: in every generation. `advice` replaces the card's.

    `lines` are those that IOS does not take: the policy, where it comes after the WRED of its port.
    """

    combination: str
    at: tuple[Location, ...]
    always: bool
    advice: str | None = None
    lines: tuple[Location, ...] = ()


def refused_in_class(device: Device, policy_class: PolicyClass) -> Refused | None:
    """The first combination of a class with WRED that IOS refuses; None if IOS accepts it.

    Sources: Cisco LLQ feature module (priority); Cisco IOS 12.2 QoS guide (bandwidth). No document
    is at hand for the refusals of 12.0 and 12.1 and of rows of both schemes.
    """
    wred = policy_class.wred
    if wred is None:
        return None
    refused = _refused_beside(device, policy_class, wred)
    return None if refused is None else replace(refused, lines=_lines_of(wred))


def _lines_of(wred: Wred) -> tuple[Location, ...]:
    settings = (each.at for each in (wred.exponent, wred.ecn) if each is not None)
    return (wred.at, *(row.at for row in wred.profiles), *settings)


def _refused_beside(device: Device, policy_class: PolicyClass, wred: Wred) -> Refused | None:
    if policy_class.priority is not None:
        return Refused(
            "`priority` in the same class", (wred.at, policy_class.priority.at), always=True
        )
    if _mixed(wred):
        lines = tuple(dict.fromkeys(row.at for row in wred.profiles))
        combination = "rows of precedence and of DSCP in one class"
        return Refused(combination, lines, always=True, advice=_ONE_SCHEME)
    if not device.platform.is_pre_hqf:
        return None
    fair = policy_class.fair_queue is not None and policy_class.fair_queue.value
    rated = policy_class.bandwidth is not None or policy_class.shape is not None or fair
    if not rated and not policy_class.is_default:
        combination = "neither `bandwidth` nor `fair-queue` in the class"
        return Refused(combination, (wred.at,), always=False, advice=_GIVE_RATE)
    return _refused_by_first_trains(device, policy_class, wred)


def _refused_by_first_trains(
    device: Device, policy_class: PolicyClass, wred: Wred
) -> Refused | None:
    release = device.platform.release_name
    if release is None or not release.startswith(_FIRST_TRAINS):
        return None
    fair = policy_class.fair_queue
    if fair is not None and fair.value and wred.at.line < fair.at.line:
        lines = (wred.at, fair.at)
        return Refused("`fair-queue` entered after it", lines, always=False, advice=_FAIR_FIRST)
    if wred.ecn is not None and wred.ecn.value:
        return Refused("`random-detect ecn`", (wred.ecn.at,), always=False, advice=_NO_ECN)
    return None


def _mixed(wred: Wred) -> bool:
    """Whether rows are of another scheme than the class, or of both schemes."""
    schemes = {row.scheme for row in wred.profiles} | {wred.scheme}
    return schemes.issuperset(_OF_CODES)


def refused_on_interfaces(device: Device) -> Iterator[tuple[str, Refused]]:
    """Object path and combination of each interface with both its own WRED and other queueing.

    IOS XE is not judged. A policy that queues is judged only before HQF.
    Source: Cisco IOS 15M&T guide, Configuring WRED (no PQ, CQ or WFQ on RSP-based interfaces).
    """
    if device.platform.is_xe:
        return
    beside_policy = dict(_beside_policies(device))
    may_be_distributed = device.platform.may_be_distributed
    for interface in device.facts.interfaces:
        on = interface.random_detect
        if on is None or not on.value:
            continue
        other = beside_policy.get(interface.name) or _other_queueing(interface)
        if other is not None and not may_be_distributed:
            rows = () if interface.wred is None else _lines_of(interface.wred)
            is_first = interface.name in beside_policy and on.at.line < other[1].line
            lines = (other[1],) if is_first else (on.at, *rows)
            yield (
                f"interface {interface.name}",
                Refused(other[0], (on.at, other[1]), always=False, lines=lines),
            )


def _beside_policies(device: Device) -> Iterator[tuple[str, tuple[str, Location]]]:
    if not device.platform.is_pre_hqf:
        return
    for attached in attachments(device.facts):
        name = attached.interface.name
        policy = device.facts.policy_map(attached.attachment.policy)
        whole = attached.section == (f"interface {name}",)
        if attached.attachment.direction is not Direction.OUTPUT or policy is None or not whole:
            continue
        if policy_queues(device.facts, policy):
            combination = f"policy-map {policy.name}, which queues, on the same interface"
            yield name, (combination, attached.attachment.at)


def _other_queueing(interface: Interface) -> tuple[str, Location] | None:
    fair = interface.fair_queue
    if fair is not None and fair.value:
        return "`fair-queue` on the same interface", fair.at
    for statement in interface.legacy_queueing:
        word = statement.value.split()[0]
        if word in _LISTS:
            return f"`{word}` on the same interface", statement.at
    return None
