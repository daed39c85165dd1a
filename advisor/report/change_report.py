"""Snapshots and their differences as JSON, without secrets."""

from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from advisor import __version__
from advisor.capture.masking import mask_quoted, mask_quoted_line
from advisor.lint.change.changes import (
    Comparison,
    FindingChange,
    PredictionChange,
)
from advisor.lint.change.known_packets import KnownOrder, KnownSection
from advisor.lint.change.snapshot import (
    SNAPSHOT_SCHEMA,
    KnownClass,
    KnownFigure,
    KnownFile,
    OutputWithoutFigures,
    Snapshot,
    Taken,
    WrongStatement,
    known_finding,
)
from advisor.report.json_report import encoded
from advisor.report.mask import mask_class, mask_path, masked, masked_group
from advisor.report.terminal import PLAIN, RenderOptions

_MARK_DIGITS = 4


class DiffJson(Struct, frozen=True):
    """The top-level object of `diff --format json`; `worse` is what exit code 1 says."""

    schema: int
    version: str
    complete: bool
    worse: bool
    findings: tuple[FindingChange, ...]
    predictions: tuple[PredictionChange, ...]
    without_figures: tuple[OutputWithoutFigures, ...]


def snapshot_of(taken: Taken) -> Snapshot:
    """The state of devices without secrets; findings that the user accepts are no part of it."""
    verdict = masked(taken.verdict)
    return Snapshot(
        SNAPSHOT_SCHEMA,
        __version__,
        verdict.complete,
        tuple(map(known_finding, verdict.standing)),
        tuple(map(_class, taken.classes)),
        tuple(map(_without_figures, taken.without_figures)),
        tuple(map(WrongStatement, taken.misstated_sources, verdict.misstated)),
        tuple(KnownFile(read.device, read.file) for read in verdict.coverage if read.device),
        tuple(replace(known, path=mask_path(known.path)) for known in taken.objects),
        tuple(map(_order, taken.orders)),
        tuple(map(_section, taken.sections)),
    )


def _order(known: KnownOrder) -> KnownOrder:
    takers = (replace(each, name=mask_class(each.name)) for each in known.takers)
    return replace(known, path=mask_path(known.path), takers=tuple(takers))


def _section(known: KnownSection) -> KnownSection:
    kind, _, name = known.path.partition(" ")
    return replace(known, path=f"{kind} {mask_class(name)}", lines=tuple(map(_line, known.lines)))


def _line(line: str) -> str:
    """A line of a section without secrets; two that differ in what is masked stay two."""
    text = line.strip()
    indent, shown = line[: len(line) - len(line.lstrip())], mask_quoted_line(text)
    if shown == text or not indent:
        return f"{indent}{shown}"
    mark = sha256(text.encode()).hexdigest()[:_MARK_DIGITS]  # too short to tell the text
    return f"{indent}{shown} ({mark})"


def _class(known: KnownClass) -> KnownClass:
    return replace(
        known,
        output=mask_path(known.output),
        class_name=mask_class(known.class_name),
        figures=tuple(map(_figure, known.figures)),
    )


def _figure(known: KnownFigure) -> KnownFigure:
    return known if known.group is None else replace(known, group=masked_group(known.group))


def _without_figures(output: OutputWithoutFigures) -> OutputWithoutFigures:
    return replace(output, output=mask_path(output.output), why=mask_quoted(output.why))


def render(comparison: Comparison, _options: RenderOptions = PLAIN) -> str:
    """Render the whole comparison; the shape is that of `schema.output_schemas`."""
    return encoded(
        DiffJson(
            SNAPSHOT_SCHEMA,
            __version__,
            comparison.complete,
            comparison.is_worse,
            comparison.findings,
            comparison.predictions,
            comparison.without_figures,
        )
    )
