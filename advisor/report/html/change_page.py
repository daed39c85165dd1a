"""The page of a comparison: what got worse first, each figure before and now."""

from collections.abc import Sequence
from typing import Final

from advisor.lint.change.changes import Change, Comparison, FindingChange, PredictionChange
from advisor.report.change_words import before_and_now, headline, moved_words, summary
from advisor.report.html.page import Page
from advisor.report.html.page import render as render_page
from advisor.report.html.parts import TablePart
from advisor.report.manner import Manner
from advisor.report.printable import all_printable

_PREDICTION: Final = ("device", "what changes", "case", "before → now")
_FINDING: Final = ("device", "change", "severity", "rule", "object", "where", "message")


def render(comparison: Comparison, manner: Manner) -> str:
    """HTML text of a comparison."""
    del manner
    shown = all_printable(comparison)
    words = "This change makes things worse" if comparison.is_worse else "Nothing got worse"
    incomplete = () if shown.complete else ("one of both states was not read as a whole",)
    parts = (
        *_parts(shown, counts=True, title="Worse"),
        *_parts(shown, counts=False, title="Also changed"),
        *_without(shown),
    )
    return render_page(Page(words, summary(shown), parts, incomplete))


def _parts(comparison: Comparison, *, counts: bool, title: str) -> Sequence[TablePart]:
    predictions = [each for each in comparison.predictions if each.counts is counts]
    findings = [each for each in comparison.findings if each.counts is counts]
    anchor = title.lower().replace(" ", "-")
    parts = []
    if predictions:
        rows = tuple(map(_prediction, predictions))
        name = f"{title}: predictions"
        parts.append(TablePart(f"{anchor}-predictions", name, "", _PREDICTION, rows))
    if findings:
        rows = tuple(map(_finding, findings))
        parts.append(TablePart(f"{anchor}-findings", f"{title}: findings", "", _FINDING, rows))
    return parts


def _prediction(change: PredictionChange) -> tuple[str, ...]:
    case = "" if change.takes is not None else change.case
    return (change.device, headline(change), case, before_and_now(change))


def _finding(change: FindingChange) -> tuple[str, ...]:
    finding = change.finding
    words = finding.message if change.change is not Change.GONE else ""
    moved = moved_words(change) if change.change is Change.MOVED else ""
    said = "; ".join(filter(None, (moved, words)))
    rule = f"{finding.rule} {finding.name}"
    where = finding.place or ""
    return (finding.device, change.change, finding.severity, rule, finding.object, where, said)


def _without(comparison: Comparison) -> Sequence[TablePart]:
    rows = tuple((each.device, each.output, each.why) for each in comparison.without_figures)
    if not rows:
        return ()
    columns = ("device", "output", "why")
    return (TablePart("without", "Without figures now", "", columns, rows),)
