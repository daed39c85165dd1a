"""What was read, what was not judged for lack of what, and the last line of a report.

What many files or devices share is said once, with the first few of their names.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from advisor.capture.commands import asked
from advisor.device.covered import DeviceCoverage, FileCoverage
from advisor.lint.findings import Severity, Skipped, Verdict
from advisor.report.style import Style
from advisor.wording import count

_SHOWN_NAMES = 4
_SHOWN_REASONS = 3
_ALIKE = 8  # as many files of a kind, or sets of outputs, are listed one by one


def first_of(names: Sequence[str]) -> str:
    """The first names, and how many more there are.

    >>> first_of(["r1", "r2", "r3", "r4", "r5", "r6"])
    'r1, r2, r3, r4 and 2 more'
    """
    more = len(names) - _SHOWN_NAMES
    return ", ".join(names[:_SHOWN_NAMES]) + (f" and {more} more" if more > 0 else "")


def skipped_lines(skipped: tuple[Skipped, ...], style: Style) -> Iterator[str]:
    """Rules that could not be judged, grouped by rule and reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in skipped:
        groups.setdefault((each.rule, each.reason), []).append(f"{each.device}: {each.object}")
    if groups:
        yield style.bold("Not judged")
    for (rule, reason), objects in sorted(groups.items()):
        yield f"  {rule}  {reason}"
        yield f"          {first_of(objects)}"


def coverage_lines(verdict: Verdict, style: Style) -> Iterator[str]:
    """What was understood of each file, what is assumed, and which outputs are there or not."""
    if verdict.coverage or verdict.devices:
        yield style.bold("Coverage")
    kinds: dict[str, list[FileCoverage]] = {}
    for each in verdict.coverage:
        kinds.setdefault(_kind(each), []).append(each)
    for kind, files in kinds.items():
        yield from _file_lines(kind, files)
    said = _unjudged(verdict.coverage)
    for each in verdict.coverage:
        for assumption in each.assumed:
            said.setdefault(f"assumed: {assumption}", []).append(each.file)
    for text, names in (*_shared(said, len(verdict.coverage), "files"), *outputs(verdict.devices)):
        yield f"  {text}"
        if names:
            yield f"      {names}"


def _file_lines(kind: str, files: Sequence[FileCoverage]) -> Iterator[str]:
    """Files of one kind: many that are wholly understood in one line, the others one by one."""
    whole = [each for each in files if each.qos_lines_understood == each.qos_lines]
    if len(whole) > _ALIKE:
        qos = sum(each.qos_lines for each in whole)
        lines = count(sum(each.lines for each in whole), "line")
        yield f"  {count(len(whole), 'file')}: {kind}, {lines}; {_qos(qos, qos)}"
        files = [each for each in files if each.qos_lines_understood != each.qos_lines]
    for each in files:
        device = f" ({each.device})" if each.device not in {None, each.file} else ""
        qos_text = _qos(each.qos_lines_understood, each.qos_lines)
        yield f"  {each.file}{device}: {kind}, {count(each.lines, 'line')}; {qos_text}"


def _unjudged(files: Sequence[FileCoverage]) -> dict[str, list[str]]:
    """What no rule judges, with its lines in all files, and the names of these."""
    lines: dict[str, int] = {}
    names: dict[str, list[str]] = {}
    for each in files:
        for of in each.unjudged:
            lines[of.what] = lines.get(of.what, 0) + of.lines
            names.setdefault(of.what, []).append(each.file)
    return {
        f"not judged yet: {what} ({count(lines[what], 'line')})": named
        for what, named in names.items()
    }


def _kind(coverage: FileCoverage) -> str:
    return f"{coverage.taken_for or 'not recognised'}{', a draft' if coverage.is_draft else ''}"


def _qos(understood: int, of: int) -> str:
    return f"QoS lines understood: {understood} of {of}" if of else "no QoS lines"


def outputs(devices: Sequence[DeviceCoverage]) -> Iterator[tuple[str, str]]:
    """Which show outputs are there, which rules lack one, and the names of the devices.

    The names are empty where there is one device alone.
    """
    captured: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    for each in devices:
        names = dict.fromkeys(str(asked(command).output or command) for command in each.captured)
        if names:
            captured.setdefault(f"captured: {', '.join(names)}", []).append(each.device)
        for wanted in each.missing:
            text = f"missing: {wanted.command}, for {', '.join(wanted.rules)}"
            missing.setdefault(text, []).append(each.device)
    yield from islice(_shared(captured, len(devices), "devices"), _ALIKE)
    if (more := len(captured) - _ALIKE) > 0:
        yield f"captured: {count(more, 'other set')} of outputs", ""
    yield from _shared(missing, len(devices), "devices")


def _shared(said: dict[str, list[str]], of: int, what: str) -> Iterator[tuple[str, str]]:
    for text, names in said.items():
        shown = f"all {of} {what}" if len(names) == of else first_of(names)
        yield text, shown if of > 1 else ""


def counted(verdict: Verdict) -> dict[Severity, int]:
    """Findings of each severity."""
    found = [finding.severity for finding in verdict.findings]
    return {severity: found.count(severity) for severity in Severity}


def summary_line(verdict: Verdict) -> str:
    """Files, lines, coverage, findings, and whether that is all."""
    files = verdict.coverage
    by_severity = counted(verdict)
    understood = sum(each.qos_lines_understood for each in files)
    parts = (
        count(len(files), "file"),
        count(sum(each.lines for each in files), "line"),
        f"QoS lines understood {understood} of {sum(each.qos_lines for each in files)}",
    )
    found = (
        count(by_severity[Severity.ERROR], "error"),
        count(by_severity[Severity.WARNING], "warning"),
        f"{by_severity[Severity.INFO]} info",
        f"{len(verdict.skipped)} not judged",
    )
    return f"{', '.join(parts)}: {', '.join(found)}; {_complete(verdict)}"


def _complete(verdict: Verdict) -> str:
    if verdict.complete:
        return "complete"
    more = len(verdict.incomplete) - _SHOWN_REASONS
    reasons = "; ".join(verdict.incomplete[:_SHOWN_REASONS])
    return f"incomplete: {reasons}" + (f"; and {more} more" if more > 0 else "")
