"""Findings as Markdown that fits a comment on a pull request; each finding folds."""

from collections.abc import Iterable, Iterator
from html import escape

from advisor.lint.findings import Finding, Remedy, Severity, Verdict
from advisor.quantity import count
from advisor.report.coverage import coverage_lines, skipped_lines, summary_line
from advisor.report.document import MOST_CHARACTERS, UNMENTIONED, escaped
from advisor.report.document import fenced as block
from advisor.report.findings import forecast_line
from advisor.report.mask import masked
from advisor.report.printable import all_printable
from advisor.report.terminal import PLAIN, RenderOptions, Style

_MARKS = {Severity.ERROR: "🛑", Severity.WARNING: "⚠️", Severity.INFO: "💡"}
_PLAIN = Style()
_MOST_LINES = 60  # of coverage, and of what was not judged
_LONGEST = 200  # characters of such a line


def render(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render a heading, a folded part for each finding, worst first, and what was read.

    Findings that do not fit are counted by severity.
    """
    shown = all_printable(masked(verdict))
    end = "" if options.is_quiet else "".join(_about_the_run(shown))
    text = f"### advisor: {_headline(shown)}\n\n{escaped(summary_line(shown))}\n\n"
    left: list[Finding] = []
    for finding in shown.standing:
        more = "\n".join(_finding_lines(finding)) + "\n"
        if left or len(text) + len(more) + len(end) > MOST_CHARACTERS:
            left.append(finding)
        else:
            text += more
    if left:
        text += f"… and {_counted(left)}: too long for a comment; run `advisor lint` for all.\n\n"
    return text + end


def _headline(verdict: Verdict) -> str:
    if verdict.standing:
        return _counted(verdict.standing)
    return "no findings" if verdict.complete else "no findings, and not all was read"


def _counted(findings: Iterable[Finding]) -> str:
    severities = [finding.severity for finding in findings]
    numbers = {severity: severities.count(severity) for severity in Severity}
    named = [
        (numbers[Severity.ERROR], count(numbers[Severity.ERROR], "error")),
        (numbers[Severity.WARNING], count(numbers[Severity.WARNING], "warning")),
        (numbers[Severity.INFO], f"{numbers[Severity.INFO]} info"),
    ]
    return ", ".join(words for number, words in named if number)


def _finding_lines(finding: Finding) -> Iterator[str]:
    yield "<details>"
    mark, at = _MARKS[finding.severity], finding.locations[:1]
    where = f" ({at[0].file}:{at[0].line})" if at else ""
    title = f"{finding.rule} {finding.device}: {finding.object}: {finding.message}"
    yield f"<summary>{mark} {escape(title.replace('@', UNMENTIONED))}</summary>"
    yield ""
    yield f"{escaped(f'{finding.severity} {finding.name} ({finding.confidence}){where}')}"
    yield ""
    if finding.prediction is not None:
        yield escaped(forecast_line(finding.prediction))
        yield ""
    if finding.remedy is not None:
        yield from _remedy_lines(finding.remedy)
    yield "</details>"
    yield ""


def _remedy_lines(remedy: Remedy) -> Iterator[str]:
    if remedy.lines:
        yield f"Remedy ({remedy.level}):"
        yield ""
        yield from block(remedy.lines)
        yield "Rollback:"
        yield ""
        yield from block(remedy.rollback)
    if remedy.advice:
        yield f"{'Note' if remedy.lines else 'Remedy (manual)'}: {escaped(remedy.advice)}"
        yield ""
    for cost in remedy.costs:
        yield f"- costs: {escaped(str(cost))}"
    if remedy.costs:
        yield ""


def _about_the_run(verdict: Verdict) -> Iterator[str]:
    """Coverage, and what was not judged, folded; a list that is too long is cut and said so."""
    for title, lines in (
        ("Coverage", list(coverage_lines(verdict, _PLAIN))[1:]),
        ("Not judged", list(skipped_lines(verdict.skipped, _PLAIN))[1:]),
    ):
        if lines:
            shown = lines[:_MOST_LINES]
            shown += [f"… and {len(lines) - len(shown)} lines more"] * (len(lines) > len(shown))
            cut = [line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…" for line in shown]
            yield f"<details>\n<summary>{title}</summary>\n\n"
            yield "\n".join(block(cut))
            yield "\n</details>\n\n"
