"""Figures of a line for an editor, in Markdown, and the delay behind an output."""

from collections.abc import Iterator, Sequence

from advisor.ground.quantity import count, figure, number
from advisor.ground.wording import load_words
from advisor.predict.what_if.figures_at import FiguresAt, LineFigures
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.report import all_printable
from advisor.report.document import Block, CodeBlock, Items, Paragraph, Table, Title, as_markdown
from advisor.report.predictions import mean_words, with_unit

_COLUMNS = ("class", "mean delay", "p99", "worst case", "loss", "method")
_LEVEL = 4


def hover_text(figures: LineFigures) -> str:
    """The figures of a line: classes of its outputs, then formulas with their numbers."""
    return as_markdown(_blocks(all_printable(figures)))


def delay_label(predictions: Sequence[Prediction]) -> str | None:
    """The delay behind an output in a few words: of its first priority class, else of any."""
    for prediction in predictions:
        if not isinstance(prediction, UnstatedPrediction) and prediction.congested is not None:
            return f"{prediction.class_name} {figure(prediction.congested.mean)}"
    known = (item for item in predictions if isinstance(item, ClassPrediction))
    first = next(known, None)
    return None if first is None else f"{first.class_name} {mean_words(first)}"


def _blocks(figures: LineFigures) -> Iterator[Block]:
    for output in figures.outputs:
        yield Title(output.object, _LEVEL)
        yield from _classes(output.classes)
        yield from _formulas(output)
    if figures.more:
        yield Paragraph(f"and {count(figures.more, 'output')} more that it is about")


def _classes(predictions: Sequence[Prediction]) -> Iterator[Block]:
    yield Items("", tuple(_said(predictions)))
    rows = [_row(item) for item in predictions if isinstance(item, ClassPrediction)]
    if rows:
        yield Table("classes", "", columns=_COLUMNS, rows=tuple(rows))


def _said(predictions: Sequence[Prediction]) -> Iterator[str]:
    """The case that lint judges, and why a class has no figures."""
    for item in predictions:
        name = f"{item.class_name}: " if item.class_name is not None else ""
        if isinstance(item, Unpredicted):
            yield f"{name}no figures: {item.why}"
        elif isinstance(item, UnstatedPrediction):
            share = figure(item.share_percent)
            yield f"{name}delay unknown, {item.delay.reason}; gets {share} while packets wait"
        if not isinstance(item, UnstatedPrediction) and item.congested is not None:
            case = item.congested
            ring = case.ring_bound_ms
            by_ring = "" if ring is None else f"; the ring alone delays by up to {number(ring)} ms"
            yield (
                f"{name}{figure(case.mean)} with the lower classes {load_words(case.lower)}"
                f"{by_ring}; method: {case.method}"
            )


def _row(item: ClassPrediction) -> tuple[str, ...]:
    return (
        item.class_name,
        mean_words(item),
        "" if item.never_empty else with_unit(item.p99),
        "" if item.bound_ms is None else f"{number(item.bound_ms)} ms",
        "" if item.loss is None else figure(item.loss),
        item.method,
    )


def _formulas(output: FiguresAt) -> Iterator[Block]:
    for item in output.formulas:
        yield Paragraph(f"{item.formula.name}: {item.formula.title}")
        yield CodeBlock("", (item.formula.formula, *item.lines))
