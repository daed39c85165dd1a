"""A comparison as Markdown that fits a comment on a pull request."""

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.lint.change.changes import Change, Comparison, FindingChange, PredictionChange
from advisor.report.change_words import before_and_now, headline_in_case, moved_words, summary
from advisor.report.manner import Manner
from advisor.report.markdown import MOST_CHARACTERS, escaped

_LONGEST_CELL: Final = 400


def render(comparison: Comparison, manner: Manner | None = None) -> str:
    """Headings and tables, the worst first; what does not fit is counted."""
    del manner
    worse = comparison.is_worse
    text = f"### advisor: {'this change makes things worse' if worse else 'nothing got worse'}\n\n"
    text += f"{escaped(summary(comparison))}\n"
    left = 0
    for block in _blocks(comparison):
        head, rows = block[0], block[1:]
        if not rows:
            continue
        is_headed = False
        for row in rows:
            more = row if is_headed else head + row
            if len(text) + len(more) > MOST_CHARACTERS:
                left += 1
                continue
            text, is_headed = text + more, True
    if left:
        text += f"\n… and {left} more: run `advisor diff` for all.\n"
    return text


def _blocks(comparison: Comparison) -> Iterator[Sequence[str]]:
    head = "\n| device | {} | before → now |\n|---|---|---|\n"
    for counts in (True, False):
        title = "**Worse**" if counts else "**Also changed**"
        predictions = [each for each in comparison.predictions if each.counts is counts]
        findings = [each for each in comparison.findings if each.counts is counts]
        yield (
            f"\n{title}: predictions\n" + head.format("prediction"),
            *map(_prediction, predictions),
        )
        yield (
            f"\n{title}: findings\n\n| device | finding | |\n|---|---|---|\n",
            *map(_finding, findings),
        )
    yield (
        "\n**Without figures now**\n\n| device | output | why |\n|---|---|---|\n",
        *(_row(each.device, each.output, each.why) for each in comparison.without_figures),
    )


def _prediction(change: PredictionChange) -> str:
    return _row(change.device, headline_in_case(change), before_and_now(change))


def _finding(change: FindingChange) -> str:
    finding = change.finding
    named = f"{change.change}: {finding.severity} {finding.rule} {finding.object}"
    words = finding.message if change.change is not Change.GONE else finding.name
    if change.change is Change.MOVED:
        words = f"{moved_words(change)}; {words}"
    return _row(finding.device, named, words)


def _row(*cells: str) -> str:
    return f"| {' | '.join(escaped(_cut(cell)) for cell in cells)} |\n"


def _cut(cell: str) -> str:
    return cell if len(cell) <= _LONGEST_CELL else f"{cell[:_LONGEST_CELL]}…"
