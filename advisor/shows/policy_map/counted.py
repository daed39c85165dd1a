"""`show policy-map interface` of IOS 12.0 to 15.x, before and with HQF, and of IOS XE."""

import re
from collections.abc import Iterable, Iterator
from typing import Final, cast

from msgspec import Struct, field

from advisor.ground.units import NumeralError
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Declined,
    LayoutError,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    declined,
)
from advisor.shows.policy_map import Circuit, MatchKind, ObservedPolicy, target_of
from advisor.shows.policy_map.draft import CLASS_DEFAULT, NO_COLUMN, Draft, OpenPolicy, rules_of

# Lines of `show policy-map interface` that a terminal of 80 columns broke in two.

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


def joined(lines: Iterable[ShownLine]) -> Iterator[ShownLine]:
    """The lines as IOS wrote them, before a terminal broke them."""
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


_OUTPUT: Final = "`show policy-map interface`"
_NOT_MQC: Final = f"{_OUTPUT}: a policy of type inspect, access-control or control queues nothing"

_SECTIONS: Final = ("shared", "queue", "actions", "police", "wred")

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
_PRIORITY_CLASSES: Final = "queue of the priority classes"
_COUNTED_IN: Final = re.compile(r"(Hardware|Software) Counters:", re.IGNORECASE)
_AGE: Final = re.compile(r"Counters last updated\b.*", re.IGNORECASE)  # at the head of a policy
_STARTS: Final = (_CLASS_MAP, _PRIORITY_QUEUE, _COUNTED_IN)
# First letters of the lines above.
_STRUCTURE: Final = frozenset("SsCcQqHh")
# Headings, and figures ahead of the drops: IOS prints something below each of them.
_UNFINISHED: Final = re.compile(
    r"(?:Weighted Fair )?Queueing|Flow Based Fair Queueing|Strict Priority|police:|QoS Set"
    r"|Traffic Shaping|Output Queue\s*:\s*Conversation\s*\d+|Maximum Number of Hashed Queues.*"
    r"|queue limit \d.*|\(pkts matched/bytes matched\).*|Target/Average\b.*|Adapt\s+Queue\b.*"
    r"|(?:Rate\s+Limit|Active\s+Depth|Mean queue depth|class\s+Transmitted|pkts/bytes)\b.*",
    re.IGNORECASE,
)
_OTHER_KIND: Final = re.compile(r"Zone-pair\b.*|Policy Name\s+Bound To .*")


_FLAT: Final = f"{_OUTPUT}: the indentation is lost, and no class-default ends this policy"


class _PolicyReading(Struct):
    """The place in the output: the interface and its open policies, from outer to inner.

    `lost_at` is the column of a part that is not understood: what begins right of it belongs to
    that part. `is_doubtful` where that part may be another interface.
    """

    output: Output
    policies: list[ObservedPolicy] = field(default_factory=list)
    declined: list[Declined] = field(default_factory=list)
    first_error: LayoutError | None = None
    interface: str = ""
    circuit: Circuit | None = None
    header: ShownLine | None = None
    header_column: int = 0
    stack: list[OpenPolicy] = field(default_factory=list)
    lost_at: int | None = None
    is_doubtful: bool = False

    def refuse(self, line: ShownLine, expected: str = _OUTPUT) -> LayoutError:
        return LayoutError(self.output.at(line), line.text, expected)

    def decline(self, part: OutputPart, name: str, start: Location, error: LayoutError) -> None:
        self.first_error = self.first_error or error
        self.declined.append(declined(part, name, start, error))

    def take_all(self, lines: Iterable[ShownLine]) -> None:
        last: ShownLine | None = None
        for last in joined(lines):
            self.take(last)
        if last is not None:
            self.end(last)

    def take(self, line: ShownLine) -> None:
        if self.lost_at is not None and not self.resumes(line):
            return
        try:
            self.understand(line)
        except LayoutError as error:
            self.lose(line, error)
        except NumeralError as error:
            self.lose(line, self.output.beyond((line,), error))

    def understand(self, line: ShownLine) -> None:
        if line.text[0] in _STRUCTURE and self.structure(line):
            return
        draft = self.stack[-1].draft if self.stack else None
        if draft is not None:
            draft.line_at = self.output.at(line)
        is_known = draft is not None and rules_of(*_SECTIONS).take(draft, line.text)
        if not is_known and not self.target(line):
            other_kind = _OTHER_KIND.fullmatch(line.text) is not None
            raise self.refuse(line, _NOT_MQC if other_kind else _OUTPUT)

    def lose(self, line: ShownLine, error: LayoutError) -> None:
        """Decline the class or policy that an unknown line stands in, and what begins below it."""
        self.close_children(line.column)
        policy = self.stack[-1] if self.stack else None
        self.lost_at = line.column
        if policy is None:
            self.lose_above(line, error)
        elif policy.draft is None:
            self.decline(OutputPart.POLICY, policy.name, policy.at, error)
            policy.lose(("",))
        else:
            name, start = policy.draft.name, policy.draft.at
            self.decline(OutputPart.CLASS, name or _PRIORITY_CLASSES, start, error)
            policy.lose((name,))
            self.lost_at = min(line.column, max(policy.class_column, 0))
        # The next lines may belong to an interface whose name is the unknown line.
        self.is_doubtful |= line.column <= self.header_column

    def lose_above(self, line: ShownLine, error: LayoutError) -> None:
        """Decline what stands outside all policies: a policy, a class, or a line."""
        policy, observed = _SERVICE_POLICY.fullmatch(line.text), _CLASS_MAP.fullmatch(line.text)
        part = OutputPart.POLICY if policy else OutputPart.CLASS if observed else OutputPart.LINES
        name = policy["name"] if policy else observed[1] if observed else ""
        self.decline(part, name, error.at, error)

    def resumes(self, line: ShownLine) -> bool:
        """Whether a line begins a part outside the one that is not understood."""
        policy = _SERVICE_POLICY.fullmatch(line.text)
        lost_at = self.lost_at or 0
        is_target = target_of(line) and line.column <= max(lost_at, self.header_column)
        starts = policy or any(start.fullmatch(line.text) for start in _STARTS)
        is_outside = bool(starts) and line.column <= lost_at
        if policy is not None and policy["direction"] is None:
            if is_outside:
                # Flat: the classes below may be of this nested policy or of its parent.
                self.lost_at = NO_COLUMN
            return False
        if policy is not None and (self.is_doubtful or not is_outside):
            self.close()
            error = self.refuse(line, f"{_OUTPUT}: the interface above is not understood")
            self.decline(OutputPart.POLICY, policy["name"], error.at, error)
            self.lost_at = NO_COLUMN
            return False
        if is_outside or is_target:
            self.lost_at = None
            return True
        return False

    def structure(self, line: ShownLine) -> bool:
        """Take a line that begins a policy, a class or a priority queue."""
        match = _SERVICE_POLICY.fullmatch(line.text)
        if match is not None:
            self.service_policy(line, match)
        elif (match := _CLASS_MAP.fullmatch(line.text)) is not None:
            kind = cast("MatchKind", f"match-{match[2].lower()}")
            self.begin(line, Draft(match[1], kind, self.output.at(line)))
        elif _PRIORITY_QUEUE.fullmatch(line.text):
            self.begin(line, Draft("", "match-all", self.output.at(line)))
        elif self.stack and (match := _COUNTED_IN.fullmatch(line.text)) is not None:
            self.stack[-1].in_hardware = match[1].lower() == "hardware"
        else:
            return _AGE.fullmatch(line.text) is not None
        return True

    def service_policy(self, line: ShownLine, match: re.Match[str]) -> None:
        if match["direction"] is not None:
            self.close()
            self.header = None
        if (match["kind"] or "queueing").strip().lower() != "queueing":
            raise self.refuse(line, _NOT_MQC)
        opened = OpenPolicy(match["name"], line.column, self.output.at(line))
        if match["direction"] is not None:
            if not self.interface:
                raise self.refuse(line, f"{_OUTPUT}: no interface is named above")
            opened.direction = "input" if match["direction"].lower() == "input" else "output"
        else:
            self.close_children(line.column)
            above = self.stack[-1] if self.stack else None
            parent = above.draft if above is not None else None
            if above is None or parent is None or not parent.name or parent.child is not None:
                expected = f"{_OUTPUT}: there is no class above that holds this policy"
                raise self.refuse(line, expected)
            opened.is_flat = line.column <= above.class_column
            above.had_flat_child |= opened.is_flat
        self.stack.append(opened)

    def begin(self, line: ShownLine, draft: Draft) -> None:
        """Begin a class or a priority queue in the innermost policy with a smaller column.

        Where the indentation is lost, a nested policy ends with its class-default.
        """
        if not self.stack:
            raise self.refuse(line, f"{_OUTPUT}: there is no Service-policy line above")
        self.close_children(line.column)
        while len(self.stack) > 1 and self.stack[-1].is_flat and self.stack[-1].has_default:
            self.close_child()
        policy = self.stack[-1]
        if policy.had_flat_child and policy.has_default:
            raise self.refuse(line, _FLAT)
        if policy.class_column not in (NO_COLUMN, line.column) and not (
            policy.column < line.column < policy.class_column
        ):
            raise self.refuse(line, f"{_OUTPUT}: no Service-policy line above holds this class")
        policy.begin(draft, line.column)

    def target(self, line: ShownLine) -> bool:
        """Take the line above a policy: an interface, a circuit of it, the control plane."""
        target = target_of(line)
        if target is None or (self.stack and line.column > self.stack[0].column):
            return False
        self.close()
        self.require_policy()
        self.interface, self.circuit = target
        self.header, self.header_column, self.is_doubtful = line, line.column, False
        return True

    def require_policy(self) -> None:
        """Decline an interface without a policy: IOS prints none, so the output was cut."""
        if self.header is not None:
            error = self.refuse(self.header, f"{_OUTPUT}: no Service-policy line follows")
            self.decline(OutputPart.INTERFACE, self.header.text, error.at, error)

    def close_children(self, column: int) -> None:
        """Close the nested policies that end before a line at this column."""
        while (
            len(self.stack) > 1 and not self.stack[-1].is_flat and column <= self.stack[-1].column
        ):
            self.close_child()

    def close_child(self) -> None:
        child, above = self.stack.pop(), self.stack[-1]
        if above.draft is None:
            return
        if child.is_flat and not child.has_default and CLASS_DEFAULT not in child.unread:
            error = LayoutError(child.at, f"Service-policy : {child.name}", _FLAT)
            if not above.has_default:  # what stands below may be of the policy above
                self.decline(OutputPart.CLASS, above.draft.name, above.draft.at, error)
                above.lose((above.draft.name, *child.class_names))
                return
            self.decline(OutputPart.POLICY, child.name, child.at, error)
            child.unread.append(CLASS_DEFAULT)
        above.draft.child = child.child()

    def end(self, last: ShownLine) -> None:
        """Close everything. Policies without class-default, which IOS prints last, were cut."""
        if re.search(r"\bcl(?:a|as|ass)?\b|\|", self.output.typed or "") is None:
            self.note_cut(last)
        self.close()
        self.require_policy()

    def note_cut(self, last: ShownLine) -> None:
        """Decline a class without criteria or figures, and policies without class-default."""
        inner = self.stack[-1] if self.stack else None
        if inner is None:
            return
        is_unfinished = _UNFINISHED.fullmatch(last.text) is not None
        if (
            inner.draft is not None
            and inner.draft.name
            and (is_unfinished or not inner.draft.matches)
        ):
            missing = "what this heading counts" if is_unfinished else "its line of Match"
            error = self.output.ends(last, missing)
            self.decline(OutputPart.CLASS, inner.draft.name, inner.draft.at, error)
            inner.lose((inner.draft.name,))
        cut = [policy for policy in self.stack if not policy.has_default]
        if cut:
            error = self.output.ends(last, CLASS_DEFAULT)
            self.decline(OutputPart.POLICY, cut[-1].name, cut[-1].at, error)
        for policy in cut:
            policy.unread.append(CLASS_DEFAULT)

    def close(self) -> None:
        """Close the policy of the interface and all its nested policies."""
        while len(self.stack) > 1:
            self.close_child()
        self.policies += (policy.attached(self.interface, self.circuit) for policy in self.stack)
        self.stack.clear()


def read_policy_map_interface(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ObservedPolicy]:
    """Read the policies that `show policy-map interface` prints, with their counters.

    An unknown line costs the class that it stands in. Where it may be the head of a nested policy,
    of a policy or of an interface, it costs what stands below it, up to the next line of its level.
    Where the indentation is lost, a nested policy ends with its class-default; without one the
    class that holds it is declined, and no class of it is taken for one of its parent, unless that
    class is class-default, behind which IOS prints none of the parent.

    Parameters
    ----------
    text
        The output for one or for all interfaces; it may hold prompts and `--More--`.
    file, first_line
        Its file and the number of its first line, for the locations.

    Returns
    -------
    Reading[ObservedPolicy]
        In the order of the output; without records only if the router printed nothing, because
        no policy is attached.

    Raises
    ------
    LayoutError
        If no policy of an interface is understood.
    """
    output = Output(text, file, first_line, _OUTPUT)
    reading = _PolicyReading(output)
    reading.take_all(output.lines())
    if reading.first_error is not None and not reading.policies:
        raise reading.first_error
    return OutputReading(tuple(reading.policies), tuple(reading.declined))


def read_policies_at(
    output: Output, lines: Iterable[ShownLine], interface: str, circuit: Circuit
) -> OutputReading[ObservedPolicy]:
    """The policies in the lines that another output prints of a circuit, with their counters."""
    reading = _PolicyReading(output, interface=interface, circuit=circuit)
    reading.take_all(lines)
    return OutputReading(tuple(reading.policies), tuple(reading.declined))
