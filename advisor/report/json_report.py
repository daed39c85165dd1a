"""Results as JSON: the verdict as a whole, or a line for each finding."""

import re
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from advisor import __version__
from advisor.device.coverage import DeviceCoverage, FileCoverage
from advisor.ground.records import picked
from advisor.lint.findings import Finding, Narrowed, Severity, Skipped, Verdict
from advisor.report.coverage import counted
from advisor.report.mask import masked, masked_finding
from advisor.report.terminal import PLAIN, RenderOptions

SCHEMA_VERSION = 1
# JSON does not escape these characters, but a terminal that shows the report may obey them.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


class Summary(Struct, frozen=True):
    """Counts of the inputs and of the findings; suppressed ones are counted by themselves."""

    files: int
    lines: int
    qos_lines: int
    qos_lines_understood: int
    error: int
    warning: int
    info: int
    skipped: int
    suppressed: int


class Report(Struct, frozen=True):
    """The top-level object of `--format json`; `schema` grows when a field changes its meaning."""

    schema: int
    version: str
    complete: bool
    incomplete: tuple[str, ...]
    summary: Summary
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    coverage: tuple[FileCoverage, ...]
    devices: tuple[DeviceCoverage, ...]
    narrows: Narrowed | None


def report_of(verdict: Verdict) -> Report:
    """Return the top-level object, without secrets."""
    shown = masked(verdict)
    return picked(
        Report, shown, schema=SCHEMA_VERSION, version=__version__, summary=summary_of(shown)
    )


def summary_of(verdict: Verdict) -> Summary:
    """Counts of a verdict."""
    files, numbers = verdict.coverage, counted(verdict.standing)
    return Summary(
        len(files),
        sum(file.lines for file in files),
        sum(file.qos_lines for file in files),
        sum(file.qos_lines_understood for file in files),
        numbers[Severity.ERROR],
        numbers[Severity.WARNING],
        numbers[Severity.INFO],
        len(verdict.skipped),
        len(verdict.suppressed),
    )


def encoded(value: object) -> str:
    """Indented JSON of Structs, safe to print, with a line break at its end."""
    text = msgspec.json.format(msgspec.json.encode(value), indent=2).decode("utf-8")
    return safe_json(text) + "\n"


def render_struct(value: object, _options: RenderOptions = PLAIN) -> str:
    """Render a result whose Structs are its shape in JSON."""
    return encoded(value)


def safe_json(text: str) -> str:
    """JSON whose characters no terminal obeys."""
    return _UNPRINTABLE.sub(lambda char: f"\\u{ord(char[0]):04x}", text)


def render(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render the whole verdict; the shape is that of `schema.output_schemas`."""
    return encoded(report_of(verdict))


class RuleCount(Struct, frozen=True):
    """Findings of a rule that stand, and the number of devices that have one."""

    rule: str
    name: str
    severity: Severity
    findings: int
    devices: int


def rule_counts(verdict: Verdict) -> tuple[RuleCount, ...]:
    """The rules that found something, errors first, then by the number of findings."""
    by_rule: dict[str, list[Finding]] = {}
    for finding in verdict.standing:
        by_rule.setdefault(finding.rule, []).append(finding)
    counts = [_rule_count(found) for found in by_rule.values()]
    return tuple(sorted(counts, key=lambda row: (row.severity.rank, -row.findings, row.rule)))


def _rule_count(found: Sequence[Finding]) -> RuleCount:
    worst = min(found, key=lambda finding: finding.severity.rank)
    devices = {finding.device for finding in found}
    return picked(RuleCount, worst, findings=len(found), devices=len(devices))


def render_statistics(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render the counts of each rule."""
    return encoded(rule_counts(verdict))


class FindingLine(Finding, frozen=True, tag_field="kind", tag="finding"):
    """A finding, as `lint --format json` has it, and its kind."""


class SummaryLine(Struct, frozen=True, tag_field="kind", tag="summary"):
    """The last line: the report of `lint --format json` without its findings."""

    schema: int
    version: str
    complete: bool
    incomplete: tuple[str, ...]
    summary: Summary
    skipped: tuple[Skipped, ...]
    coverage: tuple[FileCoverage, ...]
    devices: tuple[DeviceCoverage, ...]
    narrows: Narrowed | None


def render_lines(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render all lines at once."""
    return render_finding_lines(verdict) + render_summary_line(verdict)


def render_finding_lines(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render a line for each finding."""
    shown = map(masked_finding, verdict.findings)
    return "".join(line_of(picked(FindingLine, finding)) for finding in shown)


def render_summary_line(verdict: Verdict, _options: RenderOptions = PLAIN) -> str:
    """Render the last line."""
    return line_of(picked(SummaryLine, report_of(verdict)))


def line_of(record: Struct) -> str:
    """One line of JSON, safe to print."""
    return safe_json(msgspec.json.encode(record).decode("utf-8")) + "\n"
