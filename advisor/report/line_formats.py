"""Findings for programs that take a line or a row each: spreadsheets, GitHub and GitLab."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from typing import Final

from advisor.lint.change.changes import Comparison
from advisor.lint.findings import Finding, Severity, Verdict
from advisor.quantity import plain
from advisor.report.change_words import PREDICTION, Notice, notices, summary
from advisor.report.coverage import summary_line
from advisor.report.findings import (
    file_of,
    files_by_device,
    fingerprints,
    relative_path,
    told_lines,
)
from advisor.report.json_report import encoded
from advisor.report.mask import masked
from advisor.report.printable import all_printable, safe
from advisor.report.terminal import PLAIN, RenderOptions

COLUMNS: Final = (
    *("device", "rule", "name", "severity", "confidence", "object", "file", "line", "message"),
    *("metric", "before", "before_low", "before_high", "before_bound"),
    *("after", "after_low", "after_high", "after_bound", "unit"),
    *("remedy", "lines", "rollback", "advice", "suppressed_by", "suppressed_reason"),
)

_LEVELS: Final[Mapping[str, str]] = {
    Severity.ERROR: "error",
    Severity.WARNING: "warning",
    Severity.INFO: "notice",
    PREDICTION: "warning",
}
_NEWLINE = "%0A"
_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}
_FIRST_LINE = 1  # of a finding about a file as a whole: the format wants a line


def render_csv(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render a row for each finding, suppressed ones too, below a row with the names of columns.

    The lines of a remedy stand in one cell, one below the other.
    """
    shown = all_printable(masked(verdict))
    text = StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows([safe(cell) for cell in _cells(finding)] for finding in shown.findings)
    return text.getvalue()


def _cells(finding: Finding) -> list[str]:
    at, accepted = finding.locations[:1], finding.suppressed
    remedy = finding.remedy
    return [
        finding.device,
        finding.rule,
        finding.name,
        finding.severity,
        finding.confidence,
        finding.object,
        at[0].file if at else "",
        str(at[0].line) if at else "",
        finding.message,
        *_figures(finding),
        "" if remedy is None else remedy.level,
        "" if remedy is None else "\n".join(remedy.lines),
        "" if remedy is None else "\n".join(remedy.rollback),
        "" if remedy is None else remedy.advice or "",
        "" if accepted is None else accepted.by,
        "" if accepted is None else accepted.reason or "",
    ]


def _figures(finding: Finding) -> list[str]:
    forecast = finding.prediction
    if forecast is None:
        return [""] * 10
    known = (forecast.before, forecast.after)
    cells = [
        "" if figure is None or value is None else plain(value)
        for figure in known
        for value in (
            (None,) * 4 if figure is None else (figure.value, figure.low, figure.high, figure.bound)
        )
    ]
    return [forecast.metric, *cells, forecast.before.unit]


def render_github(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render a command for each finding, worst first, then what the run lacks and the counts."""
    shown = all_printable(masked(verdict))
    lines = [_annotation(finding) for finding in shown.standing]
    lacking = {"title": "advisor, not complete"}
    lines += (command("warning", lacking, [why]) for why in shown.incomplete)
    if not options.is_quiet:
        lines.append(command("notice", {"title": "advisor"}, [summary_line(shown)]))
    return "".join(f"{line}\n" for line in lines)


def _annotation(finding: Finding) -> str:
    title = f"{finding.rule} {finding.name} ({finding.device}: {finding.object})"
    named = {**dict(_properties(finding)), "title": title}
    return command(_LEVELS[finding.severity], named, told_lines(finding))


def command(name: str, named: Mapping[str, str], lines: Iterable[str]) -> str:
    """One command with its properties, and its message of several lines."""
    properties = ",".join(f"{key}={_value(text)}" for key, text in named.items())
    return f"::{name} {properties}::{_NEWLINE.join(map(_data, lines))}"


def _properties(finding: Finding) -> Iterator[tuple[str, str]]:
    if not finding.locations:
        return
    at = finding.locations[0]
    yield "file", at.file
    if at.line:
        yield "line", str(at.line)
        if at.column is not None and at.end_column is not None:
            yield "col", str(at.column)
            yield "endColumn", str(at.end_column - 1)


def _data(text: str) -> str:
    """Text behind the command.

    >>> _data("100 %" + chr(10) + "::error")
    '100 %25%0A::error'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _value(text: str) -> str:
    """Value of a property of the command.

    >>> _value("a:b,c")
    'a%3Ab%2Cc'
    """
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def render_changes(comparison: Comparison, options: RenderOptions = PLAIN) -> str:
    """Render a command for each change that counts as worse and each new finding, then the counts.

    Predictions that count are warnings; what got better or is gone is in the counts alone.
    """
    shown = all_printable(comparison)
    lines = [_changed(notice) for notice in notices(shown) if notice.counts or notice.is_new]
    if not options.is_quiet:
        lines.append(command("notice", {"title": "advisor diff"}, [summary(shown)]))
    return "".join(f"{line}\n" for line in lines)


def _changed(notice: Notice) -> str:
    level = _LEVELS[notice.kind] if notice.counts else "notice"
    file, _, line = (notice.place or "").rpartition(":")
    place = {"file": file, "line": line} if file and line != "0" else {}
    return command(level, {**place, "title": notice.title}, notice.words)


def render_gitlab(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render the findings that nobody accepts; the format has no place for anything else."""
    shown = masked(verdict)
    files = files_by_device(shown)
    marks = fingerprints(shown.standing)
    return encoded(
        [
            _issue(finding, mark, file_of(finding, files))
            for finding, mark in zip(shown.standing, marks, strict=True)
        ]
    )


def _issue(finding: Finding, fingerprint: str, file: str) -> dict[str, object]:
    line = finding.locations[0].line if finding.locations else _FIRST_LINE
    return {
        "description": f"{finding.device}: {finding.object}: {finding.message}",
        "check_name": f"{finding.rule} {finding.name}",
        "fingerprint": fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": relative_path(file),
            "lines": {"begin": max(line, _FIRST_LINE)},
        },
    }
