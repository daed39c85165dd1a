"""A comparison as workflow commands of GitHub Actions: what a change makes worse, on its lines."""

from collections.abc import Mapping

from advisor.lint.change.changes import Change, Comparison, FindingChange, PredictionChange
from advisor.report.change_words import before_and_now, headline, moved_words, summary
from advisor.report.github import COMMANDS, command
from advisor.report.manner import Manner
from advisor.report.printable import all_printable


def render(comparison: Comparison, manner: Manner | None = None) -> str:
    """Render a command for each change that counts as worse and each new finding, then the counts.

    Predictions that count are warnings; what got better or is gone is in the counts alone.
    """
    manner = manner or Manner()
    shown = all_printable(comparison)
    lines = [_prediction(each) for each in shown.predictions if each.counts]
    lines += (_finding(each) for each in shown.findings if each.counts or _is_new(each))
    if not manner.is_quiet:
        lines.append(command("notice", {"title": "advisor diff"}, [summary(shown)]))
    return "".join(f"{line}\n" for line in lines)


def _is_new(change: FindingChange) -> bool:
    return change.change is Change.ADDED


def _prediction(change: PredictionChange) -> str:
    title = f"{change.device}: {headline(change)}"
    return command("warning", {"title": title}, [before_and_now(change)])


def _finding(change: FindingChange) -> str:
    finding = change.finding
    title = f"{change.change}: {finding.rule} {finding.name} ({finding.device}: {finding.object})"
    moved = [moved_words(change)] if change.change is Change.MOVED else []
    level = COMMANDS[finding.severity] if change.counts else "notice"
    return command(level, {**_place(finding.place), "title": title}, [*moved, finding.message])


def _place(place: str | None) -> Mapping[str, str]:
    """The file and the line of FILE:LINE."""
    file, _, line = (place or "").rpartition(":")
    return {"file": file, "line": line} if file and line != "0" else {}
