"""One line for each finding, for editors and grep."""

from collections.abc import Iterator

from advisor.lint.findings import Finding, Verdict
from advisor.report.coverage import concise_skipped_lines, outputs, summary_line
from advisor.report.manner import Manner
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.style import Style


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render `file:line: severity RULE name: message` lines, and nothing else."""
    style = (manner or Manner()).style
    shown = all_printable(masked(verdict))
    return "".join(f"{_line(finding, style)}\n" for finding in shown.standing)


def notes(verdict: Verdict, *, is_verbose: bool = False) -> Iterator[str]:
    """Lines on what is not judged, on the coverage, and the counts."""
    shown = all_printable(masked(verdict))
    yield from concise_skipped_lines(shown.skipped, is_verbose=is_verbose)
    yield from (f"{text}: {names}" if names else text for text, names in outputs(shown.devices))
    yield summary_line(shown)


def _line(finding: Finding, style: Style) -> str:
    where = finding.device
    if finding.locations:
        where = f"{finding.locations[0].file}:{finding.locations[0].line}"
    severity = style.severity(finding.severity, finding.severity)
    return f"{where}: {severity} {finding.rule} {finding.name}: {finding.message}"
