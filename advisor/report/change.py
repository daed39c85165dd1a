"""Comparisons in all formats, the worst first, and the states that they compare."""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor import __version__
from advisor.capture.masking import mask_quoted, mask_quoted_line
from advisor.ground.records import picked
from advisor.lint.change import Change, Comparison, Direction, FindingChange, PredictionChange
from advisor.lint.change.known_packets import KnownOrder, KnownSection
from advisor.lint.change.snapshot import (
    SNAPSHOT_SCHEMA,
    KnownClass,
    KnownConfig,
    KnownFigure,
    KnownFile,
    OutputWithoutFigures,
    Snapshot,
    Taken,
    WrongStatement,
    known_finding,
)
from advisor.report import all_printable
from advisor.report.change_words import (
    before_and_now,
    headline,
    headline_in_case,
    in_case,
    moved_words,
    summary,
)
from advisor.report.document import MOST_CHARACTERS, Page, Table, escaped, page_text
from advisor.report.json_report import encoded, line_of
from advisor.report.mask import mask_class, mask_path, masked, masked_group
from advisor.report.terminal import PLAIN, RenderOptions, Style, fitted

_LONGEST_CELL: Final = 400
_INCOMPLETE: Final = "one of both states was not read as a whole"

_MARK_DIGITS = 4


class _Columns(Struct, frozen=True):
    """The columns of the tables of a format, and the cells of a change in them."""

    predictions: tuple[str, ...]
    findings: tuple[str, ...]
    prediction: Callable[[PredictionChange], tuple[str, ...]]
    finding: Callable[[FindingChange], tuple[str, ...]]


def render(comparison: Comparison, options: RenderOptions = PLAIN) -> str:
    """Render what got worse, what else changed, and a summary; only what got worse if quiet."""
    style, shown = options.style, all_printable(comparison)
    worse = [*_lines(shown, style, counts=True)]
    lines = [style.bold("worse"), *worse] if worse else []
    if not options.is_quiet:
        rest = [*_lines(shown, style, counts=False)]
        lines += [style.bold("also changed"), *rest] if rest else []
        lines += (
            f"  no figures: {output.device}: {output.output}: {output.why}"
            for output in shown.without_figures
        )
        lines.append(style.bold(summary(shown)))
    return fitted(lines, style.width)


def _lines(comparison: Comparison, style: Style, *, counts: bool) -> Iterator[str]:
    predictions, findings = _counting(comparison, counts=counts)
    for prediction in predictions:
        yield from _prediction_lines(prediction, style)
    for finding in findings:
        yield from _finding_lines(finding, style)


def _counting(
    comparison: Comparison, *, counts: bool
) -> tuple[list[PredictionChange], list[FindingChange]]:
    """The changes that count as worse, or the others."""
    return (
        [prediction for prediction in comparison.predictions if prediction.counts is counts],
        [finding for finding in comparison.findings if finding.counts is counts],
    )


def _prediction_lines(change: PredictionChange, style: Style) -> Iterator[str]:
    is_said = change.counts or change.direction is Direction.NEITHER
    direction = "" if is_said else change.direction
    beside = ", ".join(filter(None, (in_case(change), direction)))
    said = f" ({beside})" if beside else ""
    yield f"  {change.device}: {style.bold(headline(change))}{said}"
    yield f"      {before_and_now(change)}"


def _finding_lines(change: FindingChange, style: Style) -> Iterator[str]:
    finding = change.finding
    rule = style.rule(
        style.severity(f"{finding.severity}[{finding.rule}]", finding.severity), finding.rule
    )
    yield f"  {change.change} {rule} {finding.device}: {finding.object}: {finding.name}"
    if change.change is Change.GONE:
        return
    if change.change is Change.MOVED:
        yield f"      {moved_words(change)}"
    yield f"      {finding.message}"
    if finding.place is not None:
        yield f"      {style.frame('-->')} {finding.place}"


def _tables(comparison: Comparison, columns: _Columns) -> Iterator[Table]:
    """The tables of what got worse, of what else changed, and of outputs without figures."""
    for counts, title in ((True, "Worse"), (False, "Also changed")):
        predictions, findings = _counting(comparison, counts=counts)
        for name, titles, rows in (
            ("predictions", columns.predictions, map(columns.prediction, predictions)),
            ("findings", columns.findings, map(columns.finding, findings)),
        ):
            anchor = f"{title.lower().replace(' ', '-')}-{name}"
            yield Table(anchor, f"{title}: {name}", "", titles, tuple(rows))
    without = tuple(
        (output.device, output.output, output.why) for output in comparison.without_figures
    )
    yield Table("without", "Without figures now", "", ("device", "output", "why"), without)


def _moved(change: FindingChange) -> tuple[str, ...]:
    return (moved_words(change),) if change.change is Change.MOVED else ()


def _compact_finding(change: FindingChange) -> tuple[str, ...]:
    finding = change.finding
    named = f"{change.change}: {finding.severity} {finding.rule} {finding.object}"
    words = finding.message if change.change is not Change.GONE else finding.name
    return (finding.device, named, "; ".join((*_moved(change), words)))


_COMPACT: Final = _Columns(
    ("device", "prediction", "before → now"),
    ("device", "finding", ""),
    lambda change: (change.device, headline_in_case(change), before_and_now(change)),
    _compact_finding,
)


def render_markdown(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """Headings and tables, the worst first; what does not fit is counted."""
    worse = comparison.is_worse
    text = f"### advisor: {'this change makes things worse' if worse else 'nothing got worse'}\n\n"
    text += f"{escaped(summary(comparison))}\n"
    left = 0
    for table in _tables(comparison, _COMPACT):
        head = _head(table)
        for cells in table.rows:
            row = f"| {' | '.join(escaped(_cut(cell)) for cell in cells)} |\n"
            if len(text) + len(head) + len(row) > MOST_CHARACTERS:
                left += 1
            else:
                text, head = text + head + row, ""
    if left:
        text += f"\n… and {left} more: run `advisor diff` for all.\n"
    return text


def _head(table: Table) -> str:
    title, *more = table.title.partition(":")
    columns = "|".join(f" {name} " if name else " " for name in table.columns)
    return f"\n**{title}**{''.join(more)}\n\n|{columns}|\n|{'---|' * len(table.columns)}\n"


def _cut(cell: str) -> str:
    return cell if len(cell) <= _LONGEST_CELL else f"{cell[:_LONGEST_CELL]}…"


def _wide_finding(change: FindingChange) -> tuple[str, ...]:
    finding = change.finding
    words = finding.message if change.change is not Change.GONE else ""
    said = "; ".join(filter(None, (*_moved(change), words)))
    rule, where = f"{finding.rule} {finding.name}", finding.place or ""
    return (finding.device, change.change, finding.severity, rule, finding.object, where, said)


def _wide_prediction(change: PredictionChange) -> tuple[str, ...]:
    case = "" if change.is_of_lines else change.case
    return (change.device, headline(change), case, before_and_now(change))


_WIDE: Final = _Columns(
    ("device", "what changes", "case", "before → now"),
    ("device", "change", "severity", "rule", "object", "where", "message"),
    _wide_prediction,
    _wide_finding,
)


def render_html(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """HTML text of a comparison."""
    shown = all_printable(comparison)
    title = "This change makes things worse" if comparison.is_worse else "Nothing got worse"
    parts = changed_tables(shown)
    incomplete = () if shown.complete else (_INCOMPLETE,)
    return page_text(Page(title, summary(shown), parts, incomplete))


def changed_tables(shown: Comparison) -> tuple[Table, ...]:
    """The tables of what changed, for pages; those without a row are left out."""
    return tuple(table for table in _tables(shown, _WIDE) if table.rows)


class DiffJson(Struct, frozen=True):
    """The top-level object of `diff --format json`; `worse` is what exit code 1 says.

    `classes_before` and `classes_now` have all figures of both states.
    """

    schema: int
    version: str
    complete: bool
    worse: bool
    findings: tuple[FindingChange, ...]
    predictions: tuple[PredictionChange, ...]
    without_figures: tuple[OutputWithoutFigures, ...]
    classes_before: tuple[KnownClass, ...] = ()
    classes_now: tuple[KnownClass, ...] = ()


def snapshot_of(taken: Taken) -> Snapshot:
    """The state of devices without secrets; findings that the user accepts are no part of it."""
    verdict = masked(taken.verdict)
    return Snapshot(
        SNAPSHOT_SCHEMA,
        __version__,
        verdict.complete,
        tuple(map(known_finding, verdict.standing)),
        tuple(map(_masked_class, taken.known.classes)),
        tuple(map(_masked_output, taken.known.without_figures)),
        tuple(map(WrongStatement, taken.misstated_sources, verdict.misstated)),
        tuple(KnownFile(read.device, read.file) for read in verdict.coverage if read.device),
        tuple(replace(known, path=mask_path(known.path)) for known in taken.known.objects),
        tuple(map(_masked_order, taken.known.orders)),
        tuple(map(_masked_section, taken.known.sections)),
        tuple(map(_masked_config, taken.known.configs)),
    )


def _masked_config(known: KnownConfig) -> KnownConfig:
    return replace(known, told=tuple((mask_path(place), line) for place, line in known.told))


def _masked_order(known: KnownOrder) -> KnownOrder:
    takers = (replace(taker, name=mask_class(taker.name)) for taker in known.takers)
    return replace(known, path=mask_path(known.path), takers=tuple(takers))


def _masked_section(known: KnownSection) -> KnownSection:
    kind, _, name = known.path.partition(" ")
    return replace(
        known, path=f"{kind} {mask_class(name)}", lines=tuple(map(_masked_line, known.lines))
    )


def _masked_line(line: str) -> str:
    """A line of a section without secrets; two that differ in what is masked stay two."""
    text = line.strip()
    indent, shown = line[: len(line) - len(line.lstrip())], mask_quoted_line(text)
    if shown == text or not indent:
        return f"{indent}{shown}"
    mark = sha256(text.encode()).hexdigest()[:_MARK_DIGITS]  # too short to tell the text
    return f"{indent}{shown} ({mark})"


def _masked_class(known: KnownClass) -> KnownClass:
    return replace(
        known,
        output=mask_path(known.output),
        class_name=mask_class(known.class_name),
        figures=tuple(map(_masked_figure, known.figures)),
    )


def _masked_figure(known: KnownFigure) -> KnownFigure:
    return known if known.group is None else replace(known, group=masked_group(known.group))


def _masked_output(output: OutputWithoutFigures) -> OutputWithoutFigures:
    return replace(output, output=mask_path(output.output), why=mask_quoted(output.why))


def render_json(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """Render the whole comparison; the shape is that of `schema.output_schemas`."""
    return encoded(diff_json(comparison))


def diff_json(comparison: Comparison) -> DiffJson:
    """The whole comparison in its public shape."""
    return picked(DiffJson, comparison, **_about(comparison))


def _about(comparison: Comparison) -> dict[str, int | str | bool]:
    return {
        "schema": SNAPSHOT_SCHEMA,
        "version": __version__,
        "worse": comparison.is_worse,
    }


class FindingChangeLine(FindingChange, frozen=True, tag_field="kind", tag="finding"):
    """A change of a finding, as `diff --format json` has it, and its kind."""


class PredictionChangeLine(PredictionChange, frozen=True, tag_field="kind", tag="prediction"):
    """A change of a prediction, as `diff --format json` has it, and its kind."""


class DiffLine(Struct, frozen=True, tag_field="kind", tag="summary"):
    """The last line: whether both states were read as a whole, and whether anything got worse."""

    schema: int
    version: str
    complete: bool
    worse: bool
    without_figures: tuple[OutputWithoutFigures, ...]


def render_json_lines(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """A line for each change, the worst first, and a last one on the whole."""
    lines: list[Struct] = [
        picked(PredictionChangeLine, change) for change in comparison.predictions
    ]
    lines += (picked(FindingChangeLine, change) for change in comparison.findings)
    lines.append(picked(DiffLine, comparison, **_about(comparison)))
    return "".join(map(line_of, lines))
