"""Findings as a code quality report of GitLab.

Source: GitLab Docs, "Code Quality", code quality report format.
"""

from msgspec import Struct

from advisor.lint.findings import Finding, Severity, Verdict
from advisor.report.fingerprint import fingerprints
from advisor.report.json_report import encoded
from advisor.report.manner import Manner
from advisor.report.mask import masked
from advisor.report.relative import relative_path
from advisor.report.where import file_of, files_by_device

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}
_FIRST_LINE = 1  # of a finding about a file as a whole: the format wants a line


class Lines(Struct, frozen=True):
    """The line of a finding."""

    begin: int


class Place(Struct, frozen=True):
    """A file of the repository, and a line of it."""

    path: str
    lines: Lines


class Issue(Struct, frozen=True):
    """An entry of the report."""

    description: str
    check_name: str
    fingerprint: str
    severity: str
    location: Place


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render the findings that nobody accepts; the format has no place for anything else."""
    del manner
    shown = masked(verdict)
    files = files_by_device(shown)
    marks = fingerprints(shown.standing)
    return encoded(
        [
            _issue(finding, mark, file_of(finding, files))
            for finding, mark in zip(shown.standing, marks, strict=True)
        ]
    )


def _issue(finding: Finding, fingerprint: str, file: str) -> Issue:
    line = finding.locations[0].line if finding.locations else _FIRST_LINE
    return Issue(
        f"{finding.device}: {finding.object}: {finding.message}",
        f"{finding.rule} {finding.name}",
        fingerprint,
        _SEVERITIES[finding.severity],
        Place(relative_path(file), Lines(max(line, _FIRST_LINE))),
    )
