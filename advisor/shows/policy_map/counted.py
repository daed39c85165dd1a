"""`show policy-map interface` of IOS 12.0 to 15.x, before and with HQF, and of IOS XE."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, cast

from msgspec import Struct, field

from advisor.ios.syntax.tree import Location
from advisor.shows.indent import ShownLine, shown_lines
from advisor.shows.layout import LayoutError
from advisor.shows.policy_map.action_lines import ACTION_RULES
from advisor.shows.policy_map.draft import Draft, Rules, observed_class, priority_queue
from advisor.shows.policy_map.police_lines import POLICE_RULES
from advisor.shows.policy_map.queue_lines import QUEUE_RULES
from advisor.shows.policy_map.records import (
    ChildPolicy,
    Circuit,
    Direction,
    MatchKind,
    ObservedClass,
    ObservedPolicy,
    PriorityQueue,
)
from advisor.shows.policy_map.wred_lines import WRED_RULES

_OUTPUT: Final = "`show policy-map interface`"
_NOT_MQC: Final = f"{_OUTPUT}: a policy of type inspect, access-control or control queues nothing"

_RULES: Final = Rules(QUEUE_RULES, ACTION_RULES, POLICE_RULES, WRED_RULES)

_ID: Final = r"(?:\s*\([\d/]+\))?"
_SERVICE_POLICY: Final = re.compile(
    rf"Service-policy\s*+(?P<kind>[a-z][a-z-]*\s++)?(?P<direction>input|output)?\s*+:"
    rf"\s*(?P<name>\S+){_ID}",
    re.IGNORECASE,
)
_CLASS_MAP: Final = re.compile(
    rf"Class-map\s*:\s*(\S+)\s+\(match[- ](all|any)\){_ID}", re.IGNORECASE
)
_PRIORITY_QUEUE: Final = re.compile(r"queue stats for all priority classes:", re.IGNORECASE)
_COUNTED_IN: Final = re.compile(r"(Hardware|Software) Counters:", re.IGNORECASE)
# First letters of the lines above.
_STRUCTURE: Final = frozenset("SsCcQqHh")
_OTHER_KIND: Final = re.compile(r"Zone-pair\b.*|Policy Name\s+Bound To .*")
_INTERFACE: Final = re.compile(
    r"([A-Za-z][A-Za-z-]*(?:\d+[A-Za-z]+)*\s?\d+(?:[/.:]\d+)*)"
    r"(?:\s*:\s*(VC|DLCI|PVC|Service Group|Service Instance|EFP|bundle)\s+(\S+)(?:\s+-)?)?"
)
_MULTIPOINT: Final = re.compile(r"Interface (\S+\d) <--> (\S+)")
_CONTROL_PLANE: Final = re.compile(r"Control Plane(?: \S.*)?")


class _Open(Struct):
    """A policy while its classes are read; `column` is the column of its first line."""

    name: str
    column: int
    at: Location
    direction: Direction = "output"
    classes: list[ObservedClass] = field(default_factory=list)
    queues: list[PriorityQueue] = field(default_factory=list)
    draft: Draft | None = None
    in_hardware: bool | None = None

    def settle(self) -> None:
        """Finish the class or priority queue that is being read."""
        if self.draft is not None:
            if self.draft.name:
                self.classes.append(observed_class(self.draft))
            else:
                self.queues.append(priority_queue(self.draft))
            self.draft = None


class _Reading(Struct):
    """The place in the output: the interface and its open policies, from outer to inner."""

    file: str
    policies: list[ObservedPolicy] = field(default_factory=list)
    interface: str = ""
    circuit: Circuit | None = None
    header: ShownLine | None = None
    stack: list[_Open] = field(default_factory=list)

    def at(self, line: ShownLine) -> Location:
        return Location(self.file, line.number)

    def refuse(self, line: ShownLine, expected: str = _OUTPUT) -> LayoutError:
        return LayoutError(self.at(line), line.text, expected)

    def take(self, line: ShownLine) -> None:
        if line.text[0] in _STRUCTURE and self.structure(line):
            return
        draft = self.stack[-1].draft if self.stack else None
        is_known = draft is not None and _RULES.take(draft, line.text)
        if not is_known and not self.target(line):
            other_kind = _OTHER_KIND.fullmatch(line.text) is not None
            raise self.refuse(line, _NOT_MQC if other_kind else _OUTPUT)

    def structure(self, line: ShownLine) -> bool:
        """Take a line that begins a policy, a class or a priority queue."""
        match = _SERVICE_POLICY.fullmatch(line.text)
        if match is not None:
            self.service_policy(line, match)
        elif (match := _CLASS_MAP.fullmatch(line.text)) is not None:
            kind = cast("MatchKind", f"match-{match[2].lower()}")
            self.begin(line, Draft(self.at(line), match[1], kind))
        elif _PRIORITY_QUEUE.fullmatch(line.text):
            self.begin(line, Draft(self.at(line)))
        elif self.stack and (match := _COUNTED_IN.fullmatch(line.text)) is not None:
            self.stack[-1].in_hardware = match[1].lower() == "hardware"
        else:
            return False
        return True

    def service_policy(self, line: ShownLine, match: re.Match[str]) -> None:
        if (match["kind"] or "queueing").strip().lower() != "queueing":
            raise self.refuse(line, _NOT_MQC)
        opened = _Open(match["name"], line.column, self.at(line))
        if match["direction"] is not None:
            if not self.interface:
                raise self.refuse(line, f"{_OUTPUT}: no interface is named above")
            self.close()
            opened.direction = "input" if match["direction"].lower() == "input" else "output"
            self.header = None
            self.stack.append(opened)
            return
        self.close_children(line.column)
        parent = self.stack[-1].draft if self.stack else None
        if parent is None or not parent.name or parent.child is not None:
            raise self.refuse(line, f"{_OUTPUT}: there is no class above that holds this policy")
        self.stack.append(opened)

    def begin(self, line: ShownLine, draft: Draft) -> None:
        """Begin a class or a priority queue in the innermost policy with a smaller column."""
        if not self.stack:
            raise self.refuse(line, f"{_OUTPUT}: there is no Service-policy line above")
        self.close_children(line.column)
        policy = self.stack[-1]
        policy.settle()
        draft.in_hardware = policy.in_hardware
        policy.draft = draft

    def target(self, line: ShownLine) -> bool:
        """Take the line above a policy: an interface, a circuit of it, the control plane."""
        if _CONTROL_PLANE.fullmatch(line.text):
            name, circuit = line.text, None
        elif (match := _MULTIPOINT.fullmatch(line.text)) is not None:
            name, circuit = match[1], Circuit("peer", match[2])
        elif (match := _INTERFACE.fullmatch(line.text)) is not None:
            name, circuit = match[1], Circuit(match[2], match[3]) if match[2] else None
        else:
            return False
        self.close()
        self.require_policy()
        self.interface, self.circuit, self.header = name, circuit, line
        return True

    def require_policy(self) -> None:
        """Refuse an interface without a policy: IOS prints none, so the output was cut."""
        if self.header is not None:
            raise self.refuse(self.header, f"{_OUTPUT}: no Service-policy line follows")

    def close_children(self, column: int) -> None:
        """Close the child policies that end before a line at this column."""
        while len(self.stack) > 1 and column <= self.stack[-1].column:
            self.close_child()

    def close_child(self) -> None:
        child = self.stack.pop()
        child.settle()
        parent = self.stack[-1].draft
        if parent is not None:
            parent.child = ChildPolicy(
                child.name, tuple(child.classes), tuple(child.queues), child.at
            )

    def close(self) -> None:
        """Close the policy of the interface and all its child policies."""
        while len(self.stack) > 1:
            self.close_child()
        for policy in self.stack:
            policy.settle()
            self.policies.append(
                ObservedPolicy(
                    interface=self.interface,
                    circuit=self.circuit,
                    direction=policy.direction,
                    policy=policy.name,
                    classes=tuple(policy.classes),
                    priority_queues=tuple(policy.queues),
                    at=policy.at,
                )
            )
        self.stack.clear()


def read_policy_map_interface(
    text: str, file: str, first_line: int = 1
) -> tuple[ObservedPolicy, ...]:
    """Read the policies that `show policy-map interface` prints, with their counters.

    Parameters
    ----------
    text
        The output for one or for all interfaces; it may hold prompts and `--More--`.
    file, first_line
        Its file and the number of its first line, for the locations.

    Returns
    -------
    tuple[ObservedPolicy, ...]
        In the order of the output; empty only if the router printed nothing, because no policy
        is attached.

    Raises
    ------
    LayoutError
        At a line outside all known layouts, and if the lines above a policy or a class are
        missing.
    """
    reading = _Reading(file)
    for line in _joined(shown_lines(text, first_line)):
        reading.take(line)
    reading.close()
    reading.require_policy()
    return tuple(reading.policies)


_MATCH_REST: Final = re.compile(r"\(\d+\)(?: \w+ \(\d+\))*")
_NUMBERS: Final = re.compile(r"[\d/-]+")
# A row of a terminal and its overflow. A terminal does not break a longer line.
_LONGEST_LINE: Final = 240


def _broken(first: str, second: str) -> bool:
    """Whether a terminal of 80 columns broke one line into these two."""
    if len(first) > _LONGEST_LINE:
        return False
    if first[0] == "(":
        if ")" not in first:
            return "(" not in second and ")" in second
        return first[-1] == ")" and _NUMBERS.fullmatch(second) is not None
    if second[0] == "(":
        return first.startswith("Match") and _MATCH_REST.fullmatch(second) is not None
    return first.endswith("drops:") and _NUMBERS.fullmatch(second) is not None


def _joined(lines: Iterable[ShownLine]) -> Iterator[ShownLine]:
    last: ShownLine | None = None
    for line in lines:
        if last is not None:
            if _broken(last.text, line.text):
                last = last._replace(text=f"{last.text} {line.text}")
                continue
            yield last
        last = line
    if last is not None:
        yield last
