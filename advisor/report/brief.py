"""The short report of a run: a finding in eight lines, what to do first, what was read in one line.

The verbose report (`lint_text`) and `advisor explain` hold the inputs, proofs and rollbacks.
"""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from advisor.ground.quantity import count
from advisor.lint.findings import (
    Cost,
    Finding,
    Forecast,
    Remedy,
    Severity,
    Skipped,
    Verdict,
)
from advisor.report import all_printable, lint_text
from advisor.report.coverage import first_of, summary_line
from advisor.report.findings import (
    beside_words,
    by_hand_words,
    effect_words,
    files_by_device,
    forecast_line,
    joint_words,
    kind_of,
    most_shortened,
    sequel_words,
    with_skipped_as_one,
)
from advisor.report.first_steps import DO_FIRST, first_steps, path_word
from advisor.report.mask import masked
from advisor.report.terminal import (
    PLAIN,
    RenderOptions,
    Style,
    Verbatim,
    columns_of,
    fitted,
    wrapped,
)

MOST_LINES: Final = 8  # of a finding
_MOST_TOLD: Final = 20  # findings
_MOST_PLACES: Final = 6
_MOST_PASTED: Final = 4  # lines of a remedy; a longer one is named
_MOST_OF_MESSAGE, _MOST_OF_FIGURE, _MOST_OF_ADVICE, _MOST_OF_STEP = 3, 2, 2, 6
_TOLD_INPUTS, _MOST_OF_NARROWING = 2, 4
_MOST_RULES: Final = 12
_REASONS: Final = 3
_MOST_NOTES: Final = 12  # lines
_FEW: Final = 3
_LONGEST: Final = 200  # columns of a line where the terminal does not say its width
_CUT: Final = "…"
_MOST_SIGNS: Final = 4  # in a column: marks on letters and colour take none


def render(verdict: Verdict, options: RenderOptions) -> str:
    """Render the first findings, what to do first, and a line on what was read.

    If quiet, only the findings, all of them. If verbose, the report that holds everything.
    """
    if options.is_verbose:
        return lint_text.render(verdict, options)
    style = options.style
    shown = all_printable(masked(with_skipped_as_one(verdict)))
    findings = [finding for finding in shown.standing if not is_note(finding)]
    groups = _alike(findings)
    told = groups if options.is_quiet else groups[:_MOST_TOLD]
    files = files_by_device(shown)
    own = {rule.card.id: rule.file for rule in options.rules if rule.is_own}
    blocks = [list(_finding_lines(group, files, own, style)) for group in told]
    notes = list(_note_lines(filter(is_note, shown.standing), style))
    blocks.append(notes if options.is_quiet else _few(notes))
    if not options.is_quiet:
        left = [finding for group in groups[len(told) :] for finding in group]
        blocks.append(list(_more_lines(left)))
        blocks.append(list(_step_lines(first_steps(findings, files), style)))
        blocks.append(list(_narrowing_lines(shown, style)))
        blocks.append([*_platforms(shown), *_not_judged(shown)])
        blocks.append([style.bold(f"{summary_line(shown)}{_outputs_missing(shown)}")])
    return "\n".join(fitted(block, style.width) for block in blocks if block)


def _alike(findings: Iterable[Finding]) -> list[list[Finding]]:
    """Findings of a device that differ in their place alone, together where the first stands."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        forecast, remedy = finding.prediction, finding.remedy
        figures = None if forecast is None else (forecast.before, forecast.after)
        cure = None if remedy is None else (remedy.level, len(remedy.lines), remedy.advice)
        head = finding.device, finding.rule, finding.severity, finding.confidence
        costs = () if remedy is None else remedy.costs
        key = (*head, finding.message, figures, cure, tuple(map(str, costs)), finding.void_by)
        groups.setdefault(key, []).append(finding)
    return list(groups.values())


def _finding_lines(
    alike: Sequence[Finding], files: Mapping[str, str], own: Mapping[str, str], style: Style
) -> Iterator[str]:
    """At most eight lines: what is wrong, where, what it costs, and what to paste.

    `own` are the cards of the user by their ids: commands about them name the folder.
    """
    finding, *others = alike
    headline = style.rule(
        style.severity(f"{kind_of(finding)}[{finding.rule}]", finding.severity), finding.rule
    )
    is_plain = finding.confidence == "certain" or finding.is_to_check
    sure = "" if is_plain else f" ({finding.confidence})"
    message = list(wrapped((f"{headline}{sure} {finding.message}",), style.width))
    middle: list[str] = [Verbatim(_place_line(finding, style))]
    if others:
        places = first_of([_other_place(other, finding) for other in others], _MOST_PLACES)
        middle.append(Verbatim(_cut(f"  also {places}", style)))
    if finding.prediction is not None:
        figure = _figure_words(finding, finding.prediction)
        middle += _at_most(_MOST_OF_FIGURE, f"  {figure}", style)
    room = MOST_LINES - len(middle)
    is_one_place = all(other.key == finding.key for other in others)
    path, most = path_word(finding, files), _MOST_PASTED if is_one_place else 0
    if card := own.get(finding.rule):
        path = f"{path} --rules {shlex.quote(str(Path(card).parent))}"
    then = _at_most(_MOST_OF_FIGURE, f"  {sequel_words(finding)}", style) if finding.then else []
    room -= len(then)
    end = remedy_lines(finding, path, room - min(len(message), 2), style, most_pasted=most)
    end[-1:-1] = then
    yield from _first(message, max(1, min(_MOST_OF_MESSAGE, room - len(end))), style)
    yield from (*middle, *end)


def _figure_words(finding: Finding, forecast: Forecast) -> str:
    """The figure of a finding, and what was measured where that is another one."""
    effect, told = most_shortened(finding), forecast_line(forecast)
    is_own = effect is not None and effect.before == forecast.before and effect.counted
    return f"{told}; {effect.counted}" if effect is not None and is_own else told


def _other_place(other: Finding, first: Finding) -> str:
    """The object of a finding, or its line where it is of the same name in another file."""
    if other.object != first.object or not other.locations:
        return other.object
    return f"{other.locations[0].file}:{other.locations[0].line}"


def is_note(finding: Finding) -> bool:
    """Whether a finding is only to know: it costs nothing that is known, and no lines change it."""
    is_info = finding.severity is Severity.INFO and finding.prediction is None
    return is_info and not finding.lines


def _note_lines(notes: Iterable[Finding], style: Style) -> Iterator[str]:
    """Information, a line for each rule of a device."""
    by_rule: dict[tuple[str, str], list[Finding]] = {}
    for finding in notes:
        by_rule.setdefault((finding.device, finding.rule), []).append(finding)
    for (device, rule), (first, *others) in by_rule.items():
        more = f"; {count(len(others), 'more place')}" if others else ""
        head = style.rule(style.severity(f"info[{rule}]", Severity.INFO), rule)
        yield from _at_most(_MOST_OF_FIGURE, f"{head} {device}: {first.message}{more}", style)


def _few(lines: list[str]) -> list[str]:
    left = len(lines) - _MOST_NOTES
    more = [f"{count(left, 'more line')} of information: -v"] if left > 0 else []
    return [*lines[:_MOST_NOTES], *more]


def _place_line(finding: Finding, style: Style) -> str:
    subject = f"{finding.device}: {finding.object}"
    if not finding.locations:
        return _cut(f"  {style.frame('-->')} {subject}", style)
    marked = finding.locations[0]
    line = f"  {style.frame('-->')} {marked.file}:{marked.line}: {marked.text.strip()}"
    return _cut(f"{line}  ({subject})", style)


def remedy_lines(
    finding: Finding,
    path: str,
    room: int = MOST_LINES,
    style: Style = PLAIN.style,
    *,
    most_pasted: int = _MOST_PASTED,
) -> list[str]:
    """The lines to paste where they fit, else how many they are and what prints them."""
    remedy = finding.remedy
    explain = f"advisor explain {finding.rule} {path}"
    more = list(wrapped((f"  more: {explain}",), style.width))
    if remedy is None:
        return more
    if not remedy.lines:
        advice = f"  {by_hand_words(finding)}: {remedy.advice}"
        return [*(_at_most(_MOST_OF_ADVICE, advice, style) if remedy.advice else ()), *more]
    beside = _note_words(finding, remedy)
    note = _at_most(_MOST_OF_ADVICE, f"  note: {beside}", style) if beside else []
    head = list(wrapped((f"  paste ({remedy.level}; more: {explain}):",), style.width))
    if len(remedy.lines) <= min(most_pasted, room - len(head) - len(note)):
        return [*head, *(Verbatim(f"    {line}") for line in remedy.lines), *note]
    lines = count(len(remedy.lines), "line") if most_pasted else "lines for each"
    command = f"advisor fix {path} --rule {finding.rule}"
    paste = list(wrapped((f"  {lines} to paste ({remedy.level}): {command}",), style.width))
    left = max(room - len(paste) - len(more), 1)
    return [*paste, *note[:left], *more]


def _note_words(finding: Finding, remedy: Remedy) -> str:
    """The gain and the cost of a paste, and the demand of a link with two ends; "" without any."""
    forecast, shortened = finding.prediction, most_shortened(finding)
    is_told = shortened is None or (forecast is not None and forecast.before == shortened.before)
    gains = [] if shortened is None or is_told else [effect_words(shortened)]
    gains += filter(None, (joint_words(finding),))
    gains += filter(None, (beside_words(finding),))
    costs = [f"costs {first_of(list(map(_cost_words, remedy.costs)))}"] if remedy.costs else []
    ends = [remedy.advice] if remedy.advice else []
    stops = [f"interrupts: {remedy.interrupts}"] if remedy.interrupts else []
    return "; ".join((*gains, *ends, *costs, *stops))


def _cost_words(cost: Cost) -> str:
    return str(cost) if cost.figure is None else effect_words(cost.figure)


def _at_most(most: int, text: str, style: Style) -> list[str]:
    return _first(list(wrapped((text,), style.width)), most, style)


def _first(lines: list[str], most: int, style: Style) -> list[str]:
    """The first lines of a text; the last one ends with a sign where more follow."""
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], _cut(f"{lines[most - 1]} {_CUT}", style)]


def _cut(line: str, style: Style) -> str:
    """A line that fits the terminal; a sign stands for what does not."""
    width = style.width or _LONGEST
    if columns_of(line) <= width:
        return line
    line = line[: _MOST_SIGNS * width]  # a line may have a million characters
    while columns_of(line) >= width:
        line = line[:-1]
    return f"{line}{_CUT}"


def _more_lines(left: Sequence[Finding]) -> Iterator[str]:
    if left:
        rules = Counter(finding.rule for finding in left).most_common()
        named = ", ".join(f"{rule} {total}" for rule, total in rules[:_MOST_RULES])
        if len(rules) > _MOST_RULES:
            named += f" and {count(len(rules) - _MOST_RULES, 'other rule')}"
        more = count(len(left), "more finding")
        yield f"{more}: {named}; -v shows them, --format concise lists them"


def _step_lines(steps: Sequence[str], style: Style) -> Iterator[str]:
    if steps:
        yield style.bold(DO_FIRST)
    for place, step in enumerate(steps, 1):
        yield from _at_most(_MOST_OF_STEP, f"  {place}. {step}", style)


def _narrowing_lines(verdict: Verdict, style: Style) -> Iterator[str]:
    """The inputs to state that narrow the first interval of the report most."""
    if verdict.narrows is not None:
        text = lint_text.narrowing_text(verdict.narrows, _TOLD_INPUTS)
        yield from _at_most(_MOST_OF_NARROWING, text, style)


def _platforms(verdict: Verdict) -> Iterator[str]:
    """Name each decision on a platform, where the files are few."""
    if len(verdict.coverage) <= _FEW:
        words = (words for file in verdict.coverage for words in file.platform)
        yield from dict.fromkeys(words)


def _not_judged(verdict: Verdict) -> Iterator[str]:
    """Why rules could not be judged, a line for each reason: the most frequent ones."""
    by_reason: dict[str, list[Skipped]] = {}
    for skipped in verdict.skipped:
        by_reason.setdefault(skipped.reason, []).append(skipped)
    reasons = sorted(by_reason.items(), key=lambda item: -len(item[1]))
    for reason, skips in reasons[:_REASONS]:
        rules = first_of(sorted({skip.rule for skip in skips}), _MOST_RULES)
        places = first_of(list(dict.fromkeys(f"{skip.device}: {skip.object}" for skip in skips)), 2)
        yield f"not judged: {rules}: {reason}  ({places})"
    if len(reasons) > _REASONS:
        yield f"not judged for {count(len(reasons) - _REASONS, 'other reason')}: -v"


def _outputs_missing(verdict: Verdict) -> str:
    commands = {lack.command for device in verdict.devices for lack in device.missing}
    missing = f"{count(len(commands), 'show output')} that rules need missing; " if commands else ""
    return f"; {missing}-v: what was read, assumed, missing" if verdict.coverage else ""
