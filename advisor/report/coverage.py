"""Coverage: what was read, what was not judged and why, and the last line of a report.

A fact that many files or devices share is printed once, with the first few of their names.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from advisor.capture.commands import command_parts
from advisor.device.coverage import DeviceCoverage, FileCoverage
from advisor.ground.quantity import count
from advisor.lint.findings import Finding, Severity, Skipped, Verdict
from advisor.report.terminal import Style

_SHOWN_NAMES = 4
_SHOWN_REASONS = 3
_ALIKE = 8  # up to this number, files of a kind or sets of outputs are listed one by one
_DRAFT: Final = ", a draft (nothing in it shows that a device printed it)"


def first_of(names: Sequence[str], most: int = _SHOWN_NAMES) -> str:
    """The first names, and how many more there are.

    >>> first_of(["r1", "r2", "r3", "r4", "r5", "r6"])
    'r1, r2, r3, r4 and 2 more'
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def skipped_lines(
    skipped: tuple[Skipped, ...], style: Style, *, is_verbose: bool = False
) -> Iterator[str]:
    """Rules that could not be judged, by rule and reason; all objects only if verbose."""
    if skipped:
        yield style.bold("Not judged")
    for rule, reason, objects in skipped_groups(skipped):
        yield f"  {rule}  {reason}"
        yield f"          {', '.join(objects) if is_verbose else first_of(objects)}"


def concise_skipped_lines(
    skipped: tuple[Skipped, ...], *, is_verbose: bool = False
) -> Iterator[str]:
    """The same, one line for each rule and reason."""
    for rule, reason, objects in skipped_groups(skipped):
        named = ", ".join(objects) if is_verbose else first_of(objects)
        yield f"not judged: {rule}: {reason}: {named}"


def skipped_groups(skipped: tuple[Skipped, ...]) -> Iterator[tuple[str, str, list[str]]]:
    """Rule, reason and objects of what was not judged."""
    groups: dict[tuple[str, str], list[str]] = {}
    for skip in skipped:
        groups.setdefault((skip.rule, skip.reason), []).append(f"{skip.device}: {skip.object}")
    for (rule, reason), objects in sorted(groups.items()):
        yield rule, reason, objects


def coverage_lines(verdict: Verdict, style: Style) -> Iterator[str]:
    """The understood lines of each file, the assumptions, and the outputs present or missing."""
    if verdict.coverage or verdict.devices:
        yield style.bold("Coverage")
    kinds: dict[str, list[FileCoverage]] = {}
    for file in verdict.coverage:
        kinds.setdefault(_kind(file), []).append(file)
    for kind, files in kinds.items():
        yield from _file_lines(kind, files)
    for text, names in (*facts_of_files(verdict.coverage), *outputs(verdict.devices)):
        yield f"  {text}"
        if names:
            yield f"      {names}"


def facts_of_files(files: Sequence[FileCoverage]) -> Iterator[tuple[str, str]]:
    """Yield unjudged objects, the platform and assumptions, with the names of the files.

    The names are empty if there is only one file.
    """
    names_by_text = _unjudged(files)
    for file in files:
        for words in file.platform:
            names_by_text.setdefault(words, []).append(file.file)
        for assumption in file.assumed:
            names_by_text.setdefault(f"assumed: {assumption}", []).append(file.file)
    return _shared(names_by_text, len(files), "files")


def _file_lines(kind: str, files: Sequence[FileCoverage]) -> Iterator[str]:
    """Files of one kind: many fully understood files in one line, the others one by one."""
    whole = [file for file in files if file.qos_lines_understood == file.qos_lines]
    if len(whole) > _ALIKE:
        qos = sum(file.qos_lines for file in whole)
        lines = count(sum(file.lines for file in whole), "line")
        yield f"  {count(len(whole), 'file')}: {kind}, {lines}; {_qos(qos, qos)}"
        files = [file for file in files if file.qos_lines_understood != file.qos_lines]
    for file in files:
        device = f" ({file.device})" if file.device not in {None, file.file} else ""
        qos_text = _qos(file.qos_lines_understood, file.qos_lines)
        yield f"  {file.file}{device}: {kind}, {count(file.lines, 'line')}; {qos_text}"


def _unjudged(files: Sequence[FileCoverage]) -> dict[str, list[str]]:
    """Sections that no rule judges, with their lines in all files, and the names of the files."""
    lines: dict[str, int] = {}
    names: dict[str, list[str]] = {}
    for file in files:
        for unjudged in file.unjudged:
            lines[unjudged.what] = lines.get(unjudged.what, 0) + unjudged.lines
            names.setdefault(unjudged.what, []).append(file.file)
    return {
        f"not judged yet: {kind} ({count(lines[kind], 'line')})": kind_names
        for kind, kind_names in names.items()
    }


def _kind(coverage: FileCoverage) -> str:
    return f"{coverage.taken_for or 'not recognised'}{_DRAFT if coverage.is_draft else ''}"


def _qos(understood: int, total: int) -> str:
    return f"QoS lines understood: {understood} of {total}" if total else "no QoS lines"


def outputs(devices: Sequence[DeviceCoverage]) -> Iterator[tuple[str, str]]:
    """Show outputs that are present, those that rules lack, and the names of the devices.

    The names are empty if there is only one device.
    """
    captured: dict[str, list[str]] = {}
    missing: dict[str, list[str]] = {}
    for device in devices:
        names = dict.fromkeys(
            str(command_parts(command).output or command) for command in device.captured
        )
        if names:
            captured.setdefault(f"captured: {', '.join(names)}", []).append(device.device)
        for lack in device.missing:
            text = f"missing: {lack.command}, for {', '.join(lack.rules)}"
            missing.setdefault(text, []).append(device.device)
    yield from islice(_shared(captured, len(devices), "devices"), _ALIKE)
    if (more := len(captured) - _ALIKE) > 0:
        yield f"captured: {count(more, 'other set')} of outputs", ""
    yield from _shared(missing, len(devices), "devices")


def _shared(
    names_by_text: dict[str, list[str]], total: int, noun: str
) -> Iterator[tuple[str, str]]:
    for text, names in names_by_text.items():
        words = f"all {total} {noun}" if len(names) == total else first_of(names)
        yield text, words if total > 1 else ""


def counted(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Findings of each severity."""
    severities = [finding.severity for finding in findings]
    return {severity: severities.count(severity) for severity in Severity}


def distinct(findings: Iterable[Finding]) -> list[Finding]:
    """Findings, once each: several files of one device may say the same of it."""
    first: dict[object, Finding] = {}
    for finding in findings:
        first.setdefault((finding.key, finding.message), finding)
    return list(first.values())


def severity_words(findings: Iterable[Finding]) -> tuple[str, str, str]:
    """Counts in words: errors with those only to check, warnings, and information."""
    known = distinct(findings)
    by_severity, checks = counted(known), sum(finding.is_to_check for finding in known)
    errors = count(by_severity[Severity.ERROR] - checks, "error")
    more = f", {checks} to check" if checks else ""
    warnings = count(by_severity[Severity.WARNING], "warning")
    return f"{errors}{more}", warnings, f"{by_severity[Severity.INFO]} info"


def summary_line(verdict: Verdict) -> str:
    """Files, lines, coverage, findings, and whether the verdict is complete."""
    files = verdict.coverage
    names = [known.device for known in verdict.devices]
    is_repeated = len(set(names)) < len(names)
    understood = sum(file.qos_lines_understood for file in files)
    qos_lines = sum(file.qos_lines for file in files)
    no_qos = "" if qos_lines or verdict.findings else " (no QoS here: no rule applied)"
    parts = (
        count(len({file.file for file in files}), "file"),
        *([count(len(set(names)), "device")] if is_repeated else []),
        count(sum(file.lines for file in files), "line"),
        f"QoS lines understood {understood} of {qos_lines}{no_qos}",
    )
    counts = (
        *severity_words(verdict.standing),
        f"{len(verdict.skipped)} not judged",
        *([f"{len(verdict.suppressed)} suppressed"] if verdict.suppressed else []),
    )
    return f"{', '.join(parts)}: {', '.join(counts)}; {_complete(verdict)}"


def _complete(verdict: Verdict) -> str:
    if verdict.complete:
        return "complete"
    more = len(verdict.incomplete) - _SHOWN_REASONS
    reasons = "; ".join(verdict.incomplete[:_SHOWN_REASONS])
    return f"incomplete: {reasons}" + (f"; and {more} more" if more > 0 else "")
