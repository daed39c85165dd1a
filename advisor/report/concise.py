"""One line for each finding, for editors and grep."""

from advisor.lint.findings import Finding, Verdict
from advisor.report.coverage import concise_skipped_lines, outputs, summary_line
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.style import Style


def render(
    verdict: Verdict,
    style: Style | None = None,
    *,
    quiet: bool = False,
    is_verbose: bool = False,
) -> str:
    """Render `file:line: severity RULE name: message` lines.

    Unless `quiet`, what is not judged and the coverage follow.
    """
    style = style or Style()
    shown = all_printable(masked(verdict))
    lines = [_line(finding, style) for finding in shown.standing]
    if not quiet:
        lines += concise_skipped_lines(shown.skipped, is_verbose=is_verbose)
        lines += (f"{text}: {names}" if names else text for text, names in outputs(shown.devices))
        lines.append(summary_line(shown))
    return "".join(f"{line}\n" for line in lines)


def _line(finding: Finding, style: Style) -> str:
    where = finding.device
    if finding.locations:
        where = f"{finding.locations[0].file}:{finding.locations[0].line}"
    severity = style.severity(finding.severity, finding.severity)
    return f"{where}: {severity} {finding.rule} {finding.name}: {finding.message}"
