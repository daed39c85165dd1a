"""Checks of what was read."""

from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Unread
from advisor.ios.syntax import Location, Problem, ProblemKind
from advisor.lint.checks.base import Found, Hit
from advisor.lint.findings import Confidence, Severity

E = TypeVar("E")

# A file that is not an IOS configuration: it is recognised and skipped, never half-parsed.


class OtherFile(Struct, frozen=True):
    """Kind of the file, and the number of the line that shows it, if a line does.

    The line itself is never shown: such a file may be anything, for example a list of passwords.
    """

    dialect: str
    mark: str


def find_not_ios(device: Device) -> Found[OtherFile]:
    """Yield one hit for a file that is something else."""
    if device.is_ios:
        return
    file = device.facts.tree.file
    mark = f" (as line {device.evidence_line} shows)" if device.evidence else ""
    evidence = OtherFile(device.dialect.value, mark)
    at = Location(file, device.evidence_line)
    severity = Severity.INFO if device.is_skipped else None
    yield Hit(f"file {file}", (at,), evidence, Confidence.CERTAIN, severity=severity)


# Lines of QoS and DLSw+ sections that the grammar does not know: nothing was judged by them.


class UnreadLines(Struct, frozen=True):
    """The section and its lines that were not understood."""

    under: str
    count: int
    lines: str  # in backquotes, with the range or the keywords that IOS takes instead


def find_qos_line_not_understood(device: Device) -> Found[UnreadLines]:
    """Yield a hit for each section with lines that were not understood, with all these lines."""
    sections: dict[str, list[Unread]] = {}
    for line in device.facts.unread:
        sections.setdefault(line.under, []).append(line)
    for section, lines in sections.items():
        quoted = ", ".join(map(_quoted, lines))
        yield Hit(
            section or "configuration",
            tuple(line.at for line in lines),
            UnreadLines(section or "the configuration", len(lines), quoted),
            Confidence.CERTAIN,
        )


def _quoted(line: Unread) -> str:
    if line.takes is not None or line.doubt is None:
        return f"`{line.text}`{line.range_words}"
    kind = "ambiguous" if line.doubt.ambiguous else "nearest keyword"
    return f"`{line.text}` ({kind}: {' or '.join(line.doubt.keywords)})"


# An error that IOS printed inside a capture: a command was refused or cut short.


class RejectedCommands(Struct, frozen=True):
    """How many errors IOS printed, and the first of them."""

    count: int
    first: str


def find_rejected_command_in_capture(device: Device) -> Found[RejectedCommands]:
    """Yield one hit with the lines of all errors that IOS printed."""
    tree = device.facts.tree
    rejected = [problem for problem in tree.problems if problem.kind is ProblemKind.REJECTED]
    if rejected:
        yield _hit(device, rejected, RejectedCommands(len(rejected), rejected[0].detail))


def _hit(device: Device, problems: Sequence[Problem], evidence: E) -> Hit[E]:
    file = device.facts.tree.file
    at = tuple(Location(file, problem.number) for problem in problems)
    return Hit("configuration", at, evidence, Confidence.CERTAIN)


# A configuration that was cut: the lost part is not judged.


class CutConfig(Struct, frozen=True):
    """The signs of the cut."""

    signs: str


def _sign(problem: Problem) -> str:
    if problem.kind is ProblemKind.UNTERMINATED:
        return f"`{problem.detail}` never ends"
    return problem.detail


def find_truncated_config(device: Device) -> Found[CutConfig]:
    """Yield one hit if the text is cut inside a banner, has no `end`, or is far too short."""
    tree = device.facts.tree
    cut = [problem for problem in tree.problems if problem.is_cut]
    if cut:
        yield _hit(device, cut, CutConfig("; ".join(map(_sign, cut))))
