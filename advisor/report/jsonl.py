"""Findings as JSON Lines: one finding a line, when its device is judged; then what was read.

A reader that sees no line of the kind `summary` knows that the run did not come to its end.
"""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from advisor.device.covered import DeviceCoverage, FileCoverage
from advisor.lint.findings import Finding, Skipped, Verdict
from advisor.report.json_report import Summary, report_of, safe_json
from advisor.report.manner import Manner
from advisor.report.mask import masked_finding


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


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render all lines at once."""
    del manner
    return finding_lines(verdict.findings) + summary_text(verdict)


def finding_lines(findings: Iterable[Finding]) -> str:
    """A line for each finding, without secrets."""
    return "".join(_line(_tagged(masked_finding(finding))) for finding in findings)


def summary_text(verdict: Verdict) -> str:
    """The last line."""
    report = report_of(verdict)
    fields = {name: getattr(report, name) for name in SummaryLine.__struct_fields__}
    return _line(SummaryLine(**fields))


def _tagged(finding: Finding) -> FindingLine:
    return FindingLine(**{name: getattr(finding, name) for name in Finding.__struct_fields__})


def _line(record: Struct) -> str:
    return safe_json(msgspec.json.encode(record).decode("utf-8")) + "\n"
