"""The full report: a finding reads like a good compiler error."""

from collections.abc import Iterator

from advisor.lint.findings import Finding, Forecast, Level, Longest, Remedy, Verdict
from advisor.quantity import Input, count, figure, number
from advisor.report.coverage import coverage_lines, skipped_lines, summary_line
from advisor.report.device_tables import table_lines
from advisor.report.excerpt import excerpt_lines
from advisor.report.manner import Manner
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.remedy_words import forecast_line
from advisor.report.style import Style
from advisor.report.wrapping import Verbatim, fitted

_MOST_TOLD = 20  # findings that are told in full


def render(verdict: Verdict, manner: Manner | None = None) -> str:
    """Render findings, a table for each device, skipped objects, coverage and a summary.

    If quiet, only the findings, all of them. If verbose, all findings are told in full and all
    skipped objects are named; else the first ones.
    """
    manner = manner or Manner()
    style, is_verbose = manner.style, manner.is_verbose
    shown = all_printable(masked(verdict))
    findings = shown.standing
    told = findings if manner.is_quiet or is_verbose else findings[:_MOST_TOLD]
    blocks = [[*_finding_lines(finding, style)] for finding in told]
    if not manner.is_quiet:
        if len(told) < len(findings):
            more = count(len(findings) - len(told), "more finding")
            blocks.append([f"{more}: in the tables below; -v tells them in full"])
        blocks.append([*table_lines(findings, style)])
        blocks.append([*skipped_lines(shown.skipped, style, is_verbose=is_verbose)])
        blocks.append([*_suppressed_lines(shown, style)] if is_verbose else [])
        blocks.append([*coverage_lines(shown, style)])
        blocks.append([style.bold(summary_line(shown))])
    texts = [fitted(block, style.width) for block in blocks]
    return "\n".join(text for text in texts if text)


def _suppressed_lines(verdict: Verdict, style: Style) -> Iterator[str]:
    for finding in verdict.suppressed:
        accepted = finding.suppressed
        assert accepted is not None  # noqa: S101 -- for the type checker
        until = f" until {accepted.until}" if accepted.until else ""
        why = f": {accepted.reason}" if accepted.reason else ""
        yield (
            f"{style.bold('suppressed')} {finding.rule} {finding.device}: {finding.object}, "
            f"by {accepted.by}{until}{why}"
        )


def _finding_lines(finding: Finding, style: Style) -> Iterator[str]:
    headline = style.severity(f"{finding.severity}[{finding.rule}]", finding.severity)
    yield f"{headline} {style.bold(finding.name)} ({finding.confidence})"
    yield from excerpt_lines(finding, style)
    yield f"    {finding.message}"
    if finding.prediction is not None:
        lines = (*forecast_lines(finding.prediction), *given_lines(finding.prediction))
        yield from (f"    {line}" for line in lines)
    if finding.remedy is not None:
        yield from _remedy_lines(finding.remedy, style)
    yield f"    explain: advisor explain {finding.rule}"


def forecast_lines(forecast: Forecast) -> Iterator[str]:
    """A figure now and with the remedy, and its bounds, a line each."""
    yield forecast_line(forecast)
    if forecast.improvement is not None:
        yield f"improvement: {figure(forecast.improvement)}"
    bounds = {"ring_bound": forecast.ring_bound_ms, "class_bound": forecast.class_bound_ms}
    said = [f"{name} {_longest(known)}" for name, known in bounds.items() if known is not None]
    if said:
        yield f"at most: {', '.join(said)}"


def given_lines(forecast: Forecast) -> Iterator[str]:
    """The inputs of a figure, a line each."""
    return (f"given: {input_text(entry)}" for entry in forecast.inputs)


def _longest(known: Longest) -> str:
    before, after = (
        "none" if end is None else f"{number(end)} ms" for end in (known.before, known.after)
    )
    return before if known.after is None else f"{before} → {after}"


def input_text(entry: Input) -> str:
    """One input of a prediction with its basis and its source."""
    interval = ""
    if (low := number(entry.low)) != (high := number(entry.high)):
        interval = f" ({low} to {high})"
    source = f", {entry.source}" if entry.source else ""
    return f"{entry.name} {number(entry.value)}{interval} ({entry.basis}{source})"


def _remedy_lines(remedy: Remedy, style: Style) -> Iterator[str]:
    if remedy.level is Level.MANUAL or not remedy.lines:
        yield f"    {style.bold('remedy')} (manual): {remedy.advice or 'see explain'}"
        return  # its advice names what is beyond a budget
    yield f"    {style.bold('remedy')} ({remedy.level}):"
    yield from (Verbatim(f"      {line}") for line in remedy.lines)
    if remedy.advice:
        yield f"      {remedy.advice}"
    yield from (f"    costs: {cost}" for cost in remedy.costs)
    yield "    rollback:"
    yield from (Verbatim(f"      {line}") for line in remedy.rollback)
    yield from (f"    proof: {line}" for line in remedy.proof)
    yield from (f"    verify: {check}" for check in remedy.verify)
    if remedy.merged:
        yield f"    in the plan of the device (advisor fix): {remedy.merged}"
