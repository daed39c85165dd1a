"""Says why the verdict on a file is incomplete: what was cut, was not read or is not understood."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final

from advisor.capture.commands import command_parts
from advisor.capture.masking import mask_captured, mask_quoted_line
from advisor.capture.outputs import CLOCK, PRIVILEGE, outputs
from advisor.device.device import (
    CLASS_MAP,
    Device,
    unread_policies,
    why_cut,
    why_head_lost,
    why_may_be_defined,
)
from advisor.facts.config import Facts, Unread
from advisor.ios.grammar import JUDGED
from advisor.ios.syntax import Location, Problem, ProblemKind
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.names import interface_name
from advisor.shows.observations import Observations, TakenOutput
from advisor.shows.policy_map import ChildPolicy, ObservedPolicy

_TIMES = (CLOCK, PRIVILEGE)  # taken from the sections, not by a reader
_STATION: Final = re.compile(r"[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}")
_SAID: Final = {
    ProblemKind.MISPLACED: "stands outside of its section (interface, class) and is not judged",
    ProblemKind.CONFLICT: "marks a merge that is not resolved: the lines around it are not judged",
    ProblemKind.UNPLACED: "is not known, and without indentation its section is not known either",
}
_SHOWN_LINES: Final = 8

_MAY_HOLD_IOS: Final = (Dialect.NOT_A_CONFIG, Dialect.EMPTY, Dialect.MARKED_UP)


def why_incomplete(device: Device, file: str) -> Iterator[str]:
    """Reasons why the verdict on a file is incomplete."""
    is_hidden = device.dialect is Dialect.MARKED_UP  # what it says is there, and not readable
    if device.is_skipped and device.dialect not in _MAY_HOLD_IOS:
        return
    if is_hidden or not (device.is_ios or device.is_skipped):
        yield f"{file}: {device.dialect.value}, not judged"
    for problem in device.facts.tree.problems:
        if problem.is_cut:
            cut_inside = problem.kind is ProblemKind.UNTERMINATED  # a banner may hold anything
            said = (
                f"cut inside `{mask_quoted_line(problem.detail)}`" if cut_inside else problem.detail
            )
            yield f"{file}:{problem.number}: {said}"
    yield from _outside(device.facts.tree.problems, file)
    yield from _of_unread(device, file)
    yield from _of_entries(device, file)
    yield from (f"{file}: {gap}" for gap in device.gaps)
    yield from _without_policies(device, file)
    yield from _circular(device)
    yield from not_understood(device.seen)
    yield from ends_early(device)
    if not device.facts.tree.lines:
        yield from filtered_alone(device.seen.taken, file)


def filtered_alone(outputs_of_file: Collection[TakenOutput], file: str) -> Iterator[str]:
    """Say that a file holds only what filters left of outputs, which may be of QoS."""
    is_read = any(taken.is_read or taken.command in _TIMES for taken in outputs_of_file)
    if is_read or not all(taken.understood for taken in outputs_of_file):
        return
    commands = dict.fromkeys(
        mask_captured(taken.command)
        for taken in outputs_of_file
        if _is_filtered_of_qos(taken.command) and not taken.counts
    )
    if commands:
        yield f"{file}: {', '.join(commands)}: filtered, not read"


def _is_filtered_of_qos(command: str) -> bool:
    parts = command_parts(command)
    return parts.line_filter is not None and parts.output in outputs()


def _without_policies(device: Device, file: str) -> Iterator[str]:
    """Say where a policy, or settings that may attach one, are not in the text."""
    unread = unread_policies(device)
    if unread and why_cut(device) is None:
        first, more = unread[0], f", nor that of {len(unread) - 1} more" if len(unread) > 1 else ""
        yield (
            f"{file}: policy-map {first.policy} of {first.label} is not in this text{more}: "
            "what it does there is not judged; give the whole configuration"
        )
    yield from _without_class_maps(device, file)
    for use in device.facts.section_uses:
        heads = (f"{use.kind} ",)
        defined = [name for kind, name in device.facts.sections if kind is use.kind]
        if use.name not in defined and (
            why_may_be_defined(device, use.name, heads)
            or why_head_lost(device, use.name, heads, defined)
        ):
            yield (
                f"{file}: {use.kind} {use.name} of {use.label} is not in this text: "
                "what it brings there is not judged; give the whole configuration"
            )


def _without_class_maps(device: Device, file: str) -> Iterator[str]:
    """Say which class lost its class-map with the head of the text."""
    defined = {class_map.name for class_map in device.facts.class_maps}
    for policy, queue_class in device.facts.policy_classes:
        name = queue_class.name
        if queue_class.is_default or name in defined:
            continue
        if why_head_lost(device, name, (CLASS_MAP,), defined) is not None:
            yield (
                f"{file}: class-map {name} of policy-map {policy.name} is not in this text: "
                "the packets of the class are not judged; give the whole configuration"
            )
            return


def _circular(device: Device) -> Iterator[str]:
    """Say which policies hold themselves: IOS refuses the line that closes the circle."""
    children = {
        policy.name: [
            queue_class.child for queue_class in policy.classes if queue_class.child is not None
        ]
        for policy in device.facts.policy_maps
    }
    for name, own in children.items():
        held, waiting = set[str](), [*own]
        while waiting:
            child = waiting.pop()
            if child.value == name:
                yield (
                    f"{child.at}: policy-map {name} holds itself: IOS refuses this "
                    "`service-policy`, and the policy is not judged as nested"
                )
                break
            if child.value not in held:
                held.add(child.value)
                waiting += children.get(child.value, ())


def _outside(problems: Iterable[Problem], file: str) -> Iterator[str]:
    """Say which lines stand outside of the section they belong to; no rule judges them."""
    for kind, said in _SAID.items():
        lines = [problem for problem in problems if problem.kind is kind]
        if lines:
            quoted = mask_quoted_line(lines[0].detail)
            also = _others([line.number for line in lines])
            yield f"{file}:{lines[0].number}: `{quoted}` {said}{also}"


def _of_unread(device: Device, file: str) -> Iterator[str]:
    """Say which lines would change the verdict if they were understood (PRS001 names them all)."""
    said = {problem.number: problem.kind for problem in device.facts.tree.problems}
    if ProblemKind.CONFLICT in said.values():
        return
    lines = [line for line in device.facts.unread if _may_count(line) and line.at.line not in said]
    if lines:
        quoted = mask_quoted_line(lines[0].text)
        also = _others([line.at.line for line in lines])
        quoted = f"`{quoted}`{lines[0].range_words}"
        yield f"{file}:{lines[0].at.line}: {quoted} is not understood, and is not judged{also}"


# Words of entries that are known and match what no field says; IPv6 and MAC lists have them, too.
_KNOWN_OF_ENTRIES: Final = frozenset(
    ("object-group", "addrgroup", "portgroup", "time-range", "reflect", "evaluate", "dynamic")
)


def _of_entries(device: Device, file: str) -> Iterator[str]:
    """Say which entries of the lists that classes match end early, or hold a word of none."""
    facts = device.facts
    named = {
        value
        for class_map in facts.class_maps
        for match in class_map.matches
        if match.kind == "access-group"
        for value in match.values
    }
    lists = (facts.access_list(name) for name in sorted(named))
    entries = [
        entry
        for access_list in lists
        if access_list is not None
        for entry in access_list.entries
        if not entry.understood and entry.at.line and _is_of_ipv4(entry.text)
    ]
    if entries:
        quoted = mask_quoted_line(entries[0].text)
        also = _others([entry.at.line for entry in entries])
        yield (
            f"{file}:{entries[0].at.line}: `{quoted}` is not understood: what the classes of its "
            f"list match is not judged{also}"
        )


def _is_of_ipv4(text: str) -> bool:
    """Whether an entry has no word that only lists of other kinds have."""
    words = text.lower().split()
    if not _KNOWN_OF_ENTRIES.isdisjoint(words) or "ipv6" in words:
        return False
    return not any(":" in word or _STATION.fullmatch(word) for word in words)


def _may_count(line: Unread) -> bool:
    """Whether a line is, or nearly is, a command that is judged."""
    words = (word for word in line.text.lower().split() if not word.isdecimal())
    command = next((word for word in words if word not in ("no", "default")), "")
    doubt = line.doubt
    nearest = doubt.keywords if doubt is not None else ()
    is_first = doubt is not None and doubt.word.lower() == command
    return not JUDGED.isdisjoint(nearest if is_first else (command, *nearest))


def _others(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return ""
    shown = ", ".join(str(line) for line in lines[1 : _SHOWN_LINES + 1])
    more = len(lines) - 1 - _SHOWN_LINES
    return f"; likewise lines {shown}" + (f" and {more} more" if more > 0 else "")


def not_understood(seen: Observations) -> Iterator[str]:
    """Outputs that no reader understood, parts of outputs, and the figures that filters left."""
    superseded = _filtered_ahead_of_whole(seen.taken)
    for taken in seen.taken:
        yield from taken.not_understood
        if taken.counts and taken.at not in superseded:
            yield (
                f"{taken.at}: {taken.said}; its figures are not judged, take it without the filter"
            )


def ends_early(device: Device) -> Iterator[str]:
    """Say which counters end ahead of what the configuration has in their class: a cut hides it."""
    for policy in device.seen.policies:
        is_last = policy is device.seen.policies[-1]
        yield from _ends_early(device.facts, policy, is_last=is_last)
    yield from _circuits_without_policies(device)


def _circuits_without_policies(device: Device) -> Iterator[str]:
    """Say which circuits end behind their shaper, ahead of the policy of their map-class."""
    seen = {
        (interface_name(policy.interface), policy.circuit.number)
        for policy in device.seen.policies
        if policy.circuit is not None
    }
    for shown in device.seen.shaped:
        name = interface_name(shown.interface)
        port = device.facts.interface(name)
        has_shaper = shown.status is not None and shown.is_active is not None
        if port is None or not has_shaper or (name, shown.circuit) in seen:
            continue
        for circuit in port.circuits:
            stated = next((each for each in circuit.policies if each.direction == "output"), None)
            if str(circuit.dlci) == shown.circuit and stated is not None:
                yield (
                    f"{shown.at}: `show frame-relay pvc` shows DLCI {shown.circuit} of {name} "
                    f"without `service-policy output {stated.policy}`: cut, or of another state; "
                    "what is missing is not judged"
                )


def _ends_early(
    facts: Facts, shown: ObservedPolicy | ChildPolicy, *, is_last: bool
) -> Iterator[str]:
    policy = facts.policy_map(shown.policy)
    if policy is None or shown.unread:
        return
    for counted in shown.classes:
        stated = policy.class_by_name.get(counted.name)
        if stated is None or counted.in_hardware is not None:
            continue
        is_end = is_last and counted is shown.classes[-1]
        if stated.child is not None and counted.child is not None:
            yield from _ends_early(facts, counted.child, is_last=is_end)
            continue
        missing = f"`service-policy {stated.child.value}`" if stated.child is not None else None
        if missing is None and is_end and stated.queues and not counted.has_queue:
            missing = "its queue"
        if missing is not None:
            yield (
                f"{counted.at}: `show policy-map interface` shows class {counted.name} of "
                f"{policy.name} without {missing}: cut, or of another state; what is missing is "
                "not judged"
            )


def _filtered_ahead_of_whole(outputs_of_device: Sequence[TakenOutput]) -> Collection[Location]:
    """Places of what filters left of outputs that were taken as a whole later on."""
    whole: set[tuple[str | None, tuple[str, ...]]] = set()
    superseded = set()
    for taken in reversed(outputs_of_device):
        parts = command_parts(taken.command)
        if taken.is_read:
            whole.add((parts.output, parts.arguments))
        elif whole & {(parts.output, ()), (parts.output, parts.arguments)}:
            superseded.add(taken.at)
    return superseded
