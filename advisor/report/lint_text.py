"""Findings with all that is known of them on a terminal, a line each, and folded in a comment."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

from advisor.ground.quantity import count, ends
from advisor.lint.findings import Finding, Level, Narrowed, Place, Remedy, Severity, Verdict
from advisor.report import all_printable
from advisor.report.coverage import (
    concise_skipped_lines,
    coverage_lines,
    outputs,
    skipped_lines,
    summary_line,
)
from advisor.report.document import (
    MOST_CHARACTERS,
    Block,
    CodeBlock,
    Fold,
    Items,
    Paragraph,
    as_markdown,
    escaped,
)
from advisor.report.findings import (
    cost,
    forecast_line,
    forecast_lines,
    given_lines,
    method_lines,
    narrowing_words,
    note_words,
    of_skipped_files,
    replaced,
    with_skipped_as_one,
)
from advisor.report.mask import masked
from advisor.report.terminal import PLAIN, RenderOptions, Style, Verbatim, columns_of, fitted

_LONGEST: Final = 160  # columns of an excerpt where the terminal does not say its width
_LEAST: Final = 20
_BEFORE: Final = 12  # characters that are shown before a mark that stands far to the right
_CUT: Final = "…"
_DEVICES: Final = 40  # of a report
_TABLE_ROWS: Final = 12  # of a table
_MARKS = {Severity.ERROR: "🛑", Severity.WARNING: "⚠️", Severity.INFO: "💡"}
_PLAIN = Style()
_MOST_LINES = 60  # of coverage, and of what was not judged
_LONGEST_LINE = 200  # characters of such a line


def render(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render findings in full, a table for each device, skipped objects, coverage and a summary.

    If quiet, only the findings.
    """
    style = options.style
    shown = all_printable(masked(verdict))
    findings = shown.standing
    blocks = [[*finding_lines(finding, style)] for finding in findings]
    if not options.is_quiet:
        blocks.append([*_device_tables(findings, style)])
        if shown.narrows is not None:
            blocks.append([narrowing_text(shown.narrows)])
        blocks.append([*skipped_lines(shown.skipped, style, is_verbose=True)])
        blocks.append([*_suppressed_lines(shown, style)])
        blocks.append([*coverage_lines(shown, style)])
        blocks.append([style.bold(summary_line(shown))])
    texts = [fitted(block, style.width) for block in blocks]
    return "\n".join(text for text in texts if text)


def narrowing_text(narrowed: Narrowed, most: int | None = None) -> str:
    """The inputs to state that would narrow a figure, best first."""
    words = "; and ".join(map(narrowing_words, narrowed.by[:most]))
    wide = f"{ends(narrowed.figure)} {narrowed.figure.unit}"
    return f"To narrow {wide} of {narrowed.rule} ({narrowed.device}), state {words}"


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


def finding_lines(finding: Finding, style: Style) -> Iterator[str]:
    """All that is known of a finding."""
    headline = style.rule(
        style.severity(f"{finding.severity}[{finding.rule}]", finding.severity), finding.rule
    )
    yield f"{headline} {style.bold(finding.name)} ({finding.confidence})"
    yield from excerpt_lines(finding, style)
    yield f"    {finding.message}"
    if finding.prediction is not None:
        lines = (*forecast_lines(finding.prediction), *given_lines(finding.prediction))
        yield from (f"    {line}" for line in lines)
    if finding.remedy is not None:
        yield from _remedy_lines(finding.remedy, style)


def _remedy_lines(remedy: Remedy, style: Style) -> Iterator[str]:
    if remedy.level is Level.MANUAL or not remedy.lines:
        yield f"    {style.bold('remedy')} (manual): {remedy.advice or 'see explain'}"
        return  # its advice names what is beyond a budget
    yield f"    {style.bold('remedy')} ({remedy.level}):"
    yield from (Verbatim(f"      {line}") for line in remedy.lines)
    if remedy.notes:
        yield f"      {remedy.notes}"
    yield from (f"    costs: {cost}" for cost in remedy.costs)
    yield "    rollback:"
    yield from (Verbatim(f"      {line}") for line in remedy.rollback)
    yield from (f"    proof: {line}" for line in remedy.proof)
    yield from (f"    verify: {check}" for check in remedy.verify)
    if remedy.merged:
        yield f"    in the plan of the device (advisor fix): {remedy.merged}"


def excerpt_lines(finding: Finding, style: Style) -> Iterator[str]:
    """The lines of each file, the first location marked: the words that the remedy replaces.

    All of the line is marked where the remedy does not replace it by another one. Text of the
    finding is printable already.
    """
    subject = f"{finding.device}: {finding.object}"
    if not finding.locations:
        yield f"   {style.frame('-->')} {subject}"
        return
    marked = finding.locations[0]
    by_file = sorted(finding.locations, key=lambda at: (at.file != marked.file, at.file, at.line))
    digits = max(len(str(at.line)) for at in finding.locations)
    most = _LONGEST if style.width is None else max(style.width - digits - len(" | "), _LEAST)
    bar = style.frame("|")
    yield f"{' ' * digits} {style.frame('-->')} {marked.file}:{marked.line}  {subject}"
    for file, places in groupby(by_file, key=lambda at: at.file):
        if file != marked.file:
            yield f"{' ' * digits} {style.frame(':::')} {file}"
        yield f"{' ' * digits} {bar}"
        for at in dict.fromkeys(places):
            start, end = _marked(finding, at)
            text, start, end = _window(at.text.rstrip(), start, end, most)
            yield Verbatim(f"{style.frame(f'{at.line:>{digits}} |')} {text}")
            if at == marked:
                mark = "^" * max(columns_of(text[start:end]), 1)
                space = " " * columns_of(text[:start])
                underline = style.severity(mark, finding.severity)
                yield Verbatim(f"{' ' * digits} {bar} {space}{underline}")
    yield f"{' ' * digits} {bar}"


def _marked(finding: Finding, at: Place) -> tuple[int, int]:
    """Start and end of the characters to mark."""
    change = replaced(finding)
    if change is not None and change.at == at:
        return change.start, change.end
    text = at.text.rstrip()
    return len(text) - len(text.lstrip()), len(text)


def _window(text: str, start: int, end: int, most: int) -> tuple[str, int, int]:
    """The part of a line that fits, with the start of the mark in it."""
    if len(text) <= most:
        return text, start, end
    first = 0 if start < most - 1 else start - _BEFORE
    head = _CUT if first else ""
    room = most - len(head)
    part = text[first:]
    if len(part) > room:
        part = part[: room - 1] + _CUT
    shift = first - len(head)
    return head + part, start - shift, min(end - shift, len(head + part))


def _device_tables(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """A table for each device of ranked findings: object, cost now and with the remedy, rules."""
    if not findings:
        return
    yield style.bold("By device")
    devices: dict[str, list[Finding]] = {}
    for finding in findings:
        devices.setdefault(finding.device, []).append(finding)
    shown = list(devices.items())[:_DEVICES]
    for device, found in shown:
        yield f"  {style.bold(device)}: {count(len(found), 'finding')}"
        yield from (f"    {line}" for line in _rows(found))
    left = [finding for found in list(devices.values())[_DEVICES:] for finding in found]
    if left:
        yield f"  {count(len(devices) - _DEVICES, 'more device')}: {_rules(left)}"


def _rows(findings: Iterable[Finding]) -> Iterator[str]:
    places: dict[str, list[Finding]] = {}
    for finding in findings:
        places.setdefault(finding.object.partition(" > ")[0], []).append(finding)
    cells = [
        (place, _cost(found), _rules(found)) for place, found in list(places.items())[:_TABLE_ROWS]
    ]
    widths = [max(len(row[column]) for row in cells) for column in (0, 1)]
    for place, gain, rules in cells:
        yield f"{place:<{widths[0]}}  {gain:<{widths[1]}}  {rules}"
    if len(places) > _TABLE_ROWS:
        left = [finding for found in list(places.values())[_TABLE_ROWS:] for finding in found]
        yield f"{count(len(places) - _TABLE_ROWS, 'more object')}: {_rules(left)}"


def _cost(findings: Sequence[Finding]) -> str:
    """The figure before and after the remedy that gains most."""
    forecasts = [finding.prediction for finding in findings if finding.prediction is not None]
    known = [forecast for forecast in forecasts if forecast.after is not None]
    return cost(max(known, key=lambda forecast: forecast.gain)) if known else ""


def _rules(findings: Iterable[Finding]) -> str:
    numbers = Counter(finding.rule for finding in findings)
    return ", ".join(f"{rule} ({total})" if total > 1 else rule for rule, total in numbers.items())


def render_concise(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render a line each: `file:line:column: severity RULE name: device: object: message`."""
    style = options.style
    shown = all_printable(masked(with_skipped_as_one(verdict)))
    return "".join(f"{_concise_line(finding, style)}\n" for finding in shown.standing)


def render_concise_part(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render the findings of a device as they come; files of other systems wait for the end."""
    return render_concise(of_skipped_files(verdict, is_wanted=False), options)


def render_concise_end(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render what waited."""
    return render_concise(of_skipped_files(verdict, is_wanted=True), options)


def render_statistics(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render a row for each rule: its findings, its devices, severity, id and name."""
    from advisor.report.json_report import rule_counts  # noqa: PLC0415 -- most runs count nothing

    style, shown = options.style, all_printable(masked(verdict))
    rows = rule_counts(shown)
    found = [count(row.findings, "finding") for row in rows]
    devices = [f"on {count(row.devices, 'device')}" for row in rows]
    widths = [max(map(len, column), default=0) for column in (found, devices)]
    lines = [
        f"{number:>{widths[0]}}  {on:<{widths[1]}}  "
        f"{style.severity(f'{row.severity:<7}', row.severity)}  {row.rule}  {row.name}"
        for number, on, row in zip(found, devices, rows, strict=True)
    ]
    lines += [] if options.is_quiet else [style.bold(summary_line(shown))]
    return fitted(lines, style.width)


def notes(verdict: Verdict, *, is_verbose: bool = False) -> Iterator[str]:
    """Lines on what is not judged, on the coverage, and the counts."""
    shown = all_printable(masked(verdict))
    yield from concise_skipped_lines(shown.skipped, is_verbose=is_verbose)
    yield from (f"{text}: {names}" if names else text for text, names in outputs(shown.devices))
    yield summary_line(shown)


def _concise_line(finding: Finding, style: Style) -> str:
    where = finding.device
    if finding.locations:
        at = finding.locations[0]
        where = f"{at.file}:{at.line}:{at.column or 1}"
    severity = style.severity(finding.severity, finding.severity)
    subject = f"{finding.device}: {finding.object}"
    return f"{where}: {severity} {finding.rule} {finding.name}: {subject}: {finding.message}"


def render_markdown(verdict: Verdict, options: RenderOptions = PLAIN) -> str:
    """Render a heading, a folded part for each finding, worst first, and what was read.

    Findings that do not fit are counted by severity.
    """
    shown = all_printable(masked(with_skipped_as_one(verdict)))
    end = "" if options.is_quiet else as_markdown(_about_the_run(shown))
    text = f"### advisor: {_headline(shown)}\n\n{escaped(summary_line(shown))}\n\n"
    left: list[Finding] = []
    for finding in shown.standing:
        more = as_markdown((_folded(finding),))
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


def _folded(finding: Finding) -> Fold:
    mark, at = _MARKS[finding.severity], finding.locations[:1]
    where = f" ({at[0].file}:{at[0].line})" if at else ""
    title = f"{finding.rule} {finding.device}: {finding.object}: {finding.message}"
    head = Paragraph(f"{finding.severity} {finding.name} ({finding.confidence}){where}")
    forecast = finding.prediction
    lines = () if forecast is None else (forecast_line(forecast), *method_lines(forecast))
    figures = map(Paragraph, lines)
    remedy = () if finding.remedy is None else _remedy_blocks(finding, finding.remedy)
    return Fold(f"{mark} {title}", (head, *figures, *remedy))


def _remedy_blocks(finding: Finding, remedy: Remedy) -> Iterator[Block]:
    if remedy.lines:
        yield from (Paragraph(f"Remedy ({remedy.level}):"), CodeBlock("", remedy.lines))
        yield from (Paragraph("Rollback:"), CodeBlock("", remedy.rollback))
    if notes := note_words(finding):
        yield Paragraph(f"{'Note' if remedy.lines else 'Remedy (manual)'}: {notes}")
    yield Items("", [f"costs: {cost}" for cost in remedy.costs])


def _about_the_run(verdict: Verdict) -> Iterator[Fold]:
    """Coverage, and what was not judged; a list that is too long is cut and said so."""
    for title, lines in (
        ("Coverage", list(coverage_lines(verdict, _PLAIN))[1:]),
        ("Not judged", list(skipped_lines(verdict.skipped, _PLAIN))[1:]),
    ):
        if lines:
            shown = lines[:_MOST_LINES]
            shown += [f"… and {len(lines) - len(shown)} lines more"] * (len(lines) > len(shown))
            cut = [
                line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]}…" for line in shown
            ]
            yield Fold(title, (CodeBlock("", cut),))
