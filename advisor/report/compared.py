"""Measured beside predicted, in words and tables: window, direction, verdict, explanation."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from advisor.ground.quantity import Figure, Input, count, figure, number
from advisor.predict.comparison import Compared, SampledRate
from advisor.predict.what_if.compared import (
    NotComparable,
    Off,
    PredictionFault,
    TooWide,
    Verdict,
    Way,
    Window,
    WindowKind,
    Within,
)
from advisor.report import all_printable
from advisor.report.document import Table
from advisor.report.mask import mask_path
from advisor.report.terminal import Style, fitted


def compared_text(rows: Sequence[Compared], rates: Sequence[SampledRate], style: Style) -> str:
    """Measured beside predicted, class by class; then the rates of two samples."""
    lines: list[str] = []
    if rows:
        lines.append(style.bold("Predicted and measured"))
    shown = [all_printable(row) for row in rows]
    for (device, name, class_name), group in groupby(
        shown, key=lambda row: (row.device, row.object, row.class_name)
    ):
        lines.append(
            f"  {device}: {name}" + (f" > class {class_name}" if class_name is not None else "")
        )
        lines += (f"    {line}" for row in group for line in compared_lines(row))
    if rates:
        lines += ["", style.bold("Rates between two samples")]
    lines += (_rate(all_printable(rate)) for rate in rates)
    return fitted(lines, style.width)


def compared_lines(row: Compared) -> Iterator[str]:
    """One measurement beside its prediction; below it, what explains a difference."""
    predicted = f", predicted {figure(row.predicted)}" if row.predicted is not None else ""
    beside = f"{_seen(row)}{predicted}{_given_words(row.given)}"
    yield f"{row.metric} ({where_words(row)}): {beside}: {_words(row.verdict)}"
    yield from (f"  {reason}" for reason in row.explains)


def measured_lines(rows: Sequence[Compared]) -> Iterator[str]:
    """Measurements beside the figures of one class, for a report that shows these figures."""
    for row in rows:
        first, *more = compared_lines(row)
        yield f"measured beside it: {first}"
        yield from more


def _seen(row: Compared) -> str:
    return "nothing measured" if row.measured is None else f"measured {_figure(row.measured)}"


def _figure(measured: Figure) -> str:
    return figure(measured, about="")


def where_words(row: Compared) -> str:
    """The direction and the window of a measurement.

    The name of a figure of a probe has its direction.
    """
    way = [row.way.value] if row.way in (Way.OUTPUT, Way.INPUT) else []
    return ", ".join((*way, *_window_words(row.window)))


_UNITS: Final = {WindowKind.OPERATION: "packet", WindowKind.AGGREGATED: "packet"}


def _window_words(window: Window) -> Iterator[str]:
    over = "" if window.seconds is None else _time(window.seconds)
    match window.kind:
        case WindowKind.AVERAGE:
            yield f"{over} average" if over else window.kind.value
        case WindowKind.SAMPLES:
            yield f"{over} {window.kind.value}".strip()
        case WindowKind.COUNTED:
            yield f"{window.kind.value} {over} ago" if over else window.kind.value
        case _:
            yield window.kind.value
    if window.samples is not None and window.kind in _UNITS:
        yield count(window.samples, _UNITS[window.kind])
    if window.failures:
        total = window.failures + (window.successes or 0)
        yield f"{window.failures} of {count(total, 'operation')} without an answer"


def _time(seconds: float) -> str:
    """A time as IOS says it: `30 s`, `5 min`."""
    whole_min = seconds / 60
    return f"{number(whole_min)} min" if whole_min.is_integer() else f"{number(seconds)} s"


_GIVEN: Final = {
    "calls": "{} calls in progress",
    "fps": "{} frames/s",
    "packets_per_second": "{} packets/s",
    "mean_ip_bytes": "{}-byte packets",
    "ip_bytes": "probes of {} bytes",
}


def _given_words(given: Sequence[Input]) -> str:
    """The measured traffic that the prediction was made of."""
    parts = [_GIVEN[known.name.partition(" of ")[0]].format(number(known.value)) for known in given]
    return f" from {', '.join(parts)}" if parts else ""


def _words(verdict: Verdict) -> str:
    """Verdict on a prediction beside its measured value."""
    match verdict:
        case Within():
            return "within"
        case Off(by, unit, percent):
            if unit == "%":
                return f"off by {_signed(by)} points"
            of_predicted = "" if percent is None else f", {_signed(percent)} %"
            return f"off by {_signed(by)} {unit}{of_predicted}"
        case TooWide():
            return "interval too wide to judge"
        case NotComparable(why):
            return f"not comparable: {why}"
        case PredictionFault(why):
            return f"no valid prediction: {why}"


def _signed(value: float) -> str:
    return f"{'-' if value < 0 else '+'}{number(abs(value))}"


def _rate(rate: SampledRate) -> str:
    name = rate.object + (f" > class {rate.class_name}" if rate.class_name else "")
    parts = [
        (rate.packets_per_s, "packets/s"),
        (rate.kbps, "kb/s"),
        (rate.drops_per_s, "drops/s"),
    ]
    figures = ", ".join(f"{number(value)} {unit}" for value, unit in parts if value is not None)
    shown = figures or "counters went backwards"
    remark = f": {rate.remark}" if rate.remark else ""
    return f"  {rate.device}: {name}: {shown} (over {number(rate.over_s)} s){remark}"


def compared_tables(rows: Sequence[Compared]) -> Iterator[Table]:
    """The table of a page, and of Markdown."""
    if rows:
        columns = (
            *("device", "output", "class", "figure", "direction and window"),
            *("measured", "predicted", "verdict"),
        )
        yield Table(
            "compared",
            "Predicted and measured",
            "A prediction is within, off by, or too wide to judge by what was measured.",
            columns,
            tuple(_cells(all_printable(row)) for row in rows),
        )


def _cells(row: Compared) -> tuple[str, ...]:
    name = "" if row.class_name is None else mask_path(f"class {row.class_name}")
    predicted = "" if row.predicted is None else figure(row.predicted) + _given_words(row.given)
    said = "; ".join((_words(row.verdict), *row.explains))
    seen = "nothing" if row.measured is None else _figure(row.measured)
    place, where = mask_path(row.object), where_words(row)
    return (row.device, place, name, row.metric, where, seen, predicted, said)
