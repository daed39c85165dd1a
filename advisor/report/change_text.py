"""A comparison for the terminal, the worst first."""

from collections.abc import Iterator

from advisor.lint.change.changes import (
    Change,
    Comparison,
    Direction,
    FindingChange,
    PredictionChange,
)
from advisor.report.change_words import before_and_now, headline, in_case, moved_words, summary
from advisor.report.manner import Manner
from advisor.report.printable import all_printable
from advisor.report.style import Style
from advisor.report.wrapping import fitted


def render(comparison: Comparison, manner: Manner | None = None) -> str:
    """Render what got worse, what else changed, and a summary; only what got worse if quiet."""
    manner = manner or Manner()
    style = manner.style
    shown = all_printable(comparison)
    worse = [*_blocks(shown, style, counts=True)]
    lines = [style.bold("worse"), *worse] if worse else []
    if not manner.is_quiet:
        rest = [*_blocks(shown, style, counts=False)]
        lines += [style.bold("also changed"), *rest] if rest else []
        lines += (
            f"  no figures: {each.device}: {each.output}: {each.why}"
            for each in shown.without_figures
        )
        lines.append(style.bold(summary(shown)))
    return fitted(lines, style.width)


def _blocks(comparison: Comparison, style: Style, *, counts: bool) -> Iterator[str]:
    for prediction in comparison.predictions:
        if prediction.counts is counts:
            yield from _prediction(prediction, style)
    for finding in comparison.findings:
        if finding.counts is counts:
            yield from _finding(finding, style)


def _prediction(change: PredictionChange, style: Style) -> Iterator[str]:
    is_said = change.counts or change.direction is Direction.NEITHER
    direction = "" if is_said else change.direction
    beside = ", ".join(filter(None, (in_case(change), direction)))
    said = f" ({beside})" if beside else ""
    yield f"  {change.device}: {style.bold(headline(change))}{said}"
    yield f"      {before_and_now(change)}"


def _finding(change: FindingChange, style: Style) -> Iterator[str]:
    finding = change.finding
    rule = style.severity(f"{finding.severity}[{finding.rule}]", finding.severity)
    yield f"  {change.change} {rule} {finding.device}: {finding.object}: {finding.name}"
    if change.change is Change.GONE:
        return
    if change.change is Change.MOVED:
        yield f"      {moved_words(change)}"
    yield f"      {finding.message}"
    if finding.place is not None:
        yield f"      {style.frame('-->')} {finding.place}"
