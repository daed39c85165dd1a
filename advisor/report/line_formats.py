"""Findings for programs that take a line, a row or a test case each."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import StringIO
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from advisor.ground.quantity import Figure, plain
from advisor.lint.change import Change, Comparison, FindingChange, PredictionChange
from advisor.lint.findings import Finding, Severity, Skipped, Verdict
from advisor.report import all_printable, safe
from advisor.report.change_words import (
    PREDICTION,
    Notice,
    before_and_now,
    headline,
    notices,
    summary,
)
from advisor.report.coverage import summary_line
from advisor.report.findings import (
    file_of,
    files_by_device,
    fingerprints,
    note_words,
    of_skipped_files,
    relative_path,
    told_lines,
    with_skipped_as_one,
)
from advisor.report.json_report import encoded
from advisor.report.mask import masked
from advisor.report.terminal import PLAIN, RenderOptions

# Findings and changes as JUnit XML: a suite of test cases for each device.

_COUNTS: Final = {"failures": "failure", "errors": "error", "skipped": "skipped"}

_RUN = "run"  # the suite of what the run lacks


def suite_of(name: str, cases: Iterable[Element]) -> Element:
    """A suite of test cases, each with a name of its own: a server keeps one case of a name."""
    suite = Element("testsuite", name=name)
    suite.extend(cases)
    _tell_apart(list(suite))
    _count(suite)
    return suite


def document(suites: Iterable[Element]) -> str:
    """The text of a document."""
    root = Element("testsuites", name="advisor")
    root.extend(suites)
    _count(root)
    indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, "unicode")}\n'


def _tell_apart(cases: Sequence[Element]) -> None:
    """Cases of one name get their file and line, and those of one line a number."""
    total = Counter(case.get("name") for case in cases)
    for case in cases:
        name, file, line = case.get("name", ""), case.get("file"), case.get("line")
        if total[name] > 1 and file is not None:
            case.set("name", f"{name} ({file if line is None else f'{file}:{line}'})")
    seen: Counter[str] = Counter()
    for case in cases:
        name = case.get("name", "")
        seen[name] += 1
        if seen[name] > 1:
            case.set("name", f"{name} ({seen[name]})")


def _count(element: Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, tag in _COUNTS.items():
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))


def render_junit(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render the suites of all devices, and one of the run.

    A finding that fails the run is a failure; a milder one passes with its words as output. What
    the user accepts and what is not judged is skipped. What the run lacks is an error.
    """
    shown = all_printable(masked(verdict))
    files = files_by_device(shown)
    cases = {device: [_device_case(device)] for device in _devices(shown)}
    for finding in shown.findings:
        cases[finding.device].append(_finding_case(finding, options, file_of(finding, files)))
    for skip in shown.skipped:
        cases[skip.device].append(_not_judged(skip))
    suites = [suite_of(device, found) for device, found in cases.items()]
    return document([*suites, suite_of(_RUN, [_run_case(shown)])])


def _devices(verdict: Verdict) -> Iterable[str]:
    """Names of all devices, in the order of the findings, then of the inputs."""
    said = [finding.device for finding in verdict.findings]
    said += (skip.device for skip in verdict.skipped)
    said += (device.device for device in verdict.devices)
    return dict.fromkeys(said)


def _device_case(device: str) -> Element:
    """A case that passes: a device without findings is seen too."""
    return Element("testcase", classname=device, name="read")


def _finding_case(finding: Finding, options: RenderOptions, file: str) -> Element:
    name = f"{finding.rule} {finding.name}: {finding.object}"
    case = Element("testcase", classname=finding.device, name=name, file=file)
    if finding.locations and finding.locations[0].line:
        case.set("line", str(finding.locations[0].line))
    told = "\n".join(told_lines(finding))
    accepted = finding.suppressed
    if accepted is not None:
        why = f"accepted by {accepted.by}" + (f": {accepted.reason}" if accepted.reason else "")
        SubElement(case, "skipped", message=why)
    elif options.fails(finding):
        failure = SubElement(case, "failure", message=finding.message, type=finding.severity)
        failure.text = told
    else:
        SubElement(case, "system-out").text = f"{finding.severity}: {told}"
    return case


def _not_judged(skip: Skipped) -> Element:
    case = Element("testcase", classname=skip.device, name=f"{skip.rule}: {skip.object}")
    SubElement(case, "skipped", message=f"not judged: {skip.reason}")
    return case


def _run_case(verdict: Verdict) -> Element:
    case = Element("testcase", classname=_RUN, name="complete")
    if verdict.incomplete:
        error = SubElement(case, "error", message=verdict.incomplete[0], type="incomplete")
        error.text = "\n".join(verdict.incomplete)
    SubElement(case, "system-out").text = summary_line(verdict)
    return case


def render_junit_changes(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """Render a suite for each device with changes, and one of the comparison as a whole."""
    shown = all_printable(comparison)
    cases: dict[str, list[Element]] = {}
    for notice in notices(shown):
        cases.setdefault(notice.device, []).append(_changed_case(notice))
    suites = [suite_of(device, found) for device, found in cases.items()]
    return document([*suites, suite_of("diff", _comparison_cases(shown))])


def _changed_case(notice: Notice) -> Element:
    case = Element("testcase", classname=notice.device, name=notice.name)
    words = "; ".join(notice.words)
    if notice.counts:
        SubElement(case, "failure", message=words, type=notice.kind).text = words
    else:
        SubElement(case, "system-out").text = words
    return case


def _comparison_cases(comparison: Comparison) -> Iterator[Element]:
    case = Element("testcase", classname="diff", name="complete")
    if not comparison.complete:
        words = "one of both states was not read as a whole"
        SubElement(case, "error", message=words, type="incomplete").text = words
    SubElement(case, "system-out").text = summary(comparison)
    yield case
    for output in comparison.without_figures:
        case = Element("testcase", classname=output.device, name=f"no figures: {output.output}")
        SubElement(case, "skipped", message=output.why)
        yield case


# Findings for programs that take a line or a row each: spreadsheets, GitHub and GitLab.

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
    return render_csv_head(verdict) + render_csv_rows(verdict)


def render_csv_head(_verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render the names of the columns."""
    return _csv_text([COLUMNS])


def render_csv_rows(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render a row for each finding."""
    shown = all_printable(masked(verdict))
    return _csv_text(map(_cells, shown.findings))


def _csv_text(rows: Iterable[Sequence[str]]) -> str:
    text = StringIO(newline="")
    csv.writer(text).writerows([safe(cell) for cell in row] for row in rows)
    return text.getvalue()


CHANGE_COLUMNS: Final = (
    *("kind", "change", "direction", "counts", "device", "object", "object_before"),
    *("rule", "severity", "case", "metric", "group"),
    *("before", "before_low", "before_high", "before_bound"),
    *("now", "now_low", "now_high", "now_bound", "unit", "p95_before", "p95_now", "words"),
)


def render_csv_changes(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """Render a row for each change, the worst first, below a row with the names of columns."""
    shown = all_printable(comparison)
    rows = (*map(_prediction_cells, shown.predictions), *map(_finding_cells, shown.findings))
    return _csv_text((CHANGE_COLUMNS, *rows))


def _prediction_cells(change: PredictionChange) -> list[str]:
    named = (change.output_before, None, None, change.case, change.metric, change.group)
    return [
        *(PREDICTION, change.change, change.direction, str(change.counts).lower()),
        *(change.device, f"{change.output} > class {change.class_name}"),
        *(name or "" for name in named),
        *_both_figures(change.before, change.now),
        *("" if p95 is None else plain(p95.value) for p95 in (change.p95_before, change.p95_now)),
        f"{headline(change)}: {before_and_now(change)}",
    ]


def _finding_cells(change: FindingChange) -> list[str]:
    finding = change.finding
    is_gone = change.change is Change.GONE
    before, now = (finding.figure, None) if is_gone else (change.figure_before, finding.figure)
    return [
        *("finding", change.change, change.direction, str(change.counts).lower()),
        *(finding.device, finding.object, change.object_before or "", finding.rule),
        *(finding.severity, "", finding.metric or "", ""),
        *_both_figures(before, now),
        *("", "", finding.message),
    ]


def _both_figures(before: Figure | None, now: Figure | None) -> list[str]:
    """Both figures with their ends, and their unit."""
    known = before or now
    return [*_ends(before), *_ends(now), "" if known is None else known.unit]


def _ends(figure: Figure | None) -> list[str]:
    if figure is None:
        return [""] * 4
    values = (figure.value, figure.low, figure.high, figure.bound)
    return ["" if value is None else plain(value) for value in values]


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
        note_words(finding),
        "" if accepted is None else accepted.by,
        "" if accepted is None else accepted.reason or "",
    ]


def _figures(finding: Finding) -> list[str]:
    forecast = finding.prediction
    if forecast is None:
        return [""] * 10
    return [forecast.metric, *_both_figures(forecast.before, forecast.after)]


def render_github(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render a command for each finding, worst first, then what the run lacks and the counts."""
    return render_annotations(verdict) + render_github_end(verdict, options)


def render_annotations(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render the findings as they come; files of other systems wait for the end."""
    return _annotations(of_skipped_files(verdict, is_wanted=False))


def render_github_end(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render what waited, what the run lacks, and the counts."""
    lacking = {"title": "advisor, not complete"}
    shown = all_printable(masked(verdict))
    lines = [command("warning", lacking, [why]) for why in shown.incomplete]
    if not options.is_quiet:
        said = summary_line(with_skipped_as_one(shown))
        lines.append(command("notice", {"title": "advisor"}, [said]))
    waited = _annotations(with_skipped_as_one(of_skipped_files(verdict, is_wanted=True)))
    return waited + "".join(f"{line}\n" for line in lines)


def _annotations(verdict: Verdict) -> str:
    shown = all_printable(masked(verdict))
    return "".join(f"{_annotation(finding)}\n" for finding in shown.standing)


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
    yield "file", relative_path(at.file)
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
