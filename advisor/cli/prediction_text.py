"""Predictions of `advisor predict` for the terminal."""

from collections.abc import Iterator, Sequence

from advisor.report.printable import all_printable
from advisor.report.style import Style, figure
from advisor.report.text import input_text
from advisor.what_if import ClassPrediction


def render(predictions: Sequence[ClassPrediction], style: Style | None = None) -> str:
    """Delay, bound, jitter and ring advice of each class, with the inputs."""
    shown = (all_printable(each) for each in predictions)
    return "\n".join("\n".join(_lines(each, style or Style())) + "\n" for each in shown)


def _lines(of: ClassPrediction, style: Style) -> Iterator[str]:
    yield style.bold(f"{of.device}: {of.object} > class {of.class_name}")
    yield f"  regime  {of.regime}"
    yield f"  delay   {figure(of.mean)}"
    yield f"  jitter  {figure(of.jitter)}"
    if of.ring_advice is not None:
        yield f"  ring    {of.ring_advice}"
    yield from (f"  given   {input_text(each)}" for each in of.inputs)
