"""What was read, what was not judged, and the last line of a report."""

from collections.abc import Iterator

from advisor.findings import FileCoverage, Severity, Skipped, Verdict
from advisor.report.style import Style, count

_SHOWN_OBJECTS = 4
_SHOWN_REASONS = 3


def skipped_lines(skipped: tuple[Skipped, ...], style: Style) -> Iterator[str]:
    """Rules that could not be judged, grouped by rule and reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for each in skipped:
        groups.setdefault((each.rule, each.reason), []).append(f"{each.device}: {each.object}")
    if groups:
        yield style.bold("Not judged")
    for (rule, reason), objects in sorted(groups.items()):
        more = len(objects) - _SHOWN_OBJECTS
        shown = ", ".join(objects[:_SHOWN_OBJECTS]) + (f" and {more} more" if more > 0 else "")
        yield f"  {rule}  {reason}"
        yield f"          {shown}"


def coverage_lines(coverage: tuple[FileCoverage, ...], style: Style) -> Iterator[str]:
    """What was understood of each file."""
    if coverage:
        yield style.bold("Coverage")
    for each in coverage:
        device = f" ({each.device})" if each.device not in {None, each.file} else ""
        draft = ", a draft" if each.is_draft else ""
        kind = f"{each.taken_for}{draft}, {count(each.lines, 'line')}"
        yield f"  {each.file}{device}: {kind}; {_qos(each)}"
        if each.unjudged:
            unjudged = (f"{of.what} ({count(of.lines, 'line')})" for of in each.unjudged)
            yield f"      not judged yet: {', '.join(unjudged)}"
        for assumption in each.assumed:
            yield f"      assumed: {assumption}"


def _qos(coverage: FileCoverage) -> str:
    if not coverage.qos_lines:
        return "no QoS lines"
    return f"QoS lines understood: {coverage.qos_lines_understood} of {coverage.qos_lines}"


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
