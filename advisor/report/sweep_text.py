"""Sweeps of `advisor predict`: table, CSV and a plot of plain characters."""

import csv
import io
from collections.abc import Iterator, Sequence

from advisor.predict.what_if import ClassPrediction, Unpredicted
from advisor.predict.what_if.sweep import Point
from advisor.quantity import Figure
from advisor.report.printable import printable
from advisor.report.style import Style
from advisor.report.terminal_plot import Curve, drawn
from advisor.wording import number

_FORMULA = ("=", "+", "-", "@")  # what a spreadsheet would run
_COLUMNS = (
    "device",
    "object",
    "class",
    "mean_ms",
    "mean_low_ms",
    "mean_high_ms",
    "p50_ms",
    "p95_ms",
    "p99_ms",
    "bound_ms",
    "jitter_ms",
    "loss_percent",
    "throughput_kbps",
    "why",
)
_SHOWN = ("class", "mean ms", "low", "high", "p95 ms", "p99 ms", "bound", "jitter", "loss %")


_WITHOUT_WRED = "WRED and TCP are not in these figures: see --format full or json"


def csv_rows(points: Sequence[Point]) -> str:
    """A row for each class at each point; an unknown figure is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = [each.key.replace("-", "_") for each in points[0].settings] if points else []
    writer.writerow([*keys, *_COLUMNS])
    for point in points:
        at = [f"{each.value:g}" for each in point.settings]
        for of in point.predictions:
            names = [cell(name) for name in (of.device, of.object, of.class_name or "")]
            writer.writerow([*at, *names, *_cells(of)])
    return text.getvalue()


def _cells(of: ClassPrediction | Unpredicted) -> list[str]:
    if isinstance(of, Unpredicted):
        return [""] * (len(_COLUMNS) - 4) + [cell(of.why)]
    middle = [of.p50.value, of.p95.value, of.p99.value]
    figures = [of.mean.value, of.mean.low, of.mean.high, *middle]
    if of.never_empty:  # low and high are one packet and a full queue: nothing is between them
        figures = [None, of.mean.low, of.mean.high, None, None, None]  # type: ignore[list-item]
    optional = [of.bound_ms, of.jitter.value, _value(of.loss), _value(of.throughput)]
    why = "" if of.wred is None else _WITHOUT_WRED
    return ["" if each is None else f"{each:.6g}" for each in (*figures, *optional)] + [why]


def _value(of: Figure | None) -> float | None:
    return None if of is None else of.value


def cell(text: str) -> str:
    """Text as a cell that no spreadsheet runs."""
    shown = printable(text)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown


def table(points: Sequence[Point], style: Style) -> str:
    """A line for each class at each point, outputs apart."""
    blocks = []
    for device, name in _outputs(points):
        keys = [each.key for each in points[0].settings]
        rows = [[*keys, *_SHOWN]]
        for point in points:
            at = [number(each.value) for each in point.settings]
            mine = (
                each for each in point.predictions if (each.device, each.object) == (device, name)
            )
            rows += ([*at, *_shown(each)] for each in mine)
        title = style.bold(printable(f"{device}: {name}"))
        blocks.append("\n".join([title, *_aligned(rows)]) + "\n")
    return "\n".join(blocks)


def _outputs(points: Sequence[Point]) -> list[tuple[str, str]]:
    found = ((each.device, each.object) for point in points for each in point.predictions)
    return list(dict.fromkeys(found))


def _shown(of: ClassPrediction | Unpredicted) -> list[str]:
    name = printable(of.class_name or "-")
    if isinstance(of, Unpredicted):
        return [name, printable(of.why)]
    figures = [of.mean.value, of.mean.low, of.mean.high, of.p95.value, of.p99.value]
    if of.never_empty:
        figures = [None, of.mean.low, of.mean.high, None, None]  # type: ignore[list-item]
    optional = [of.bound_ms, of.jitter.value, _value(of.loss)]
    return [name, *("-" if each is None else number(each) for each in (*figures, *optional))]


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    wide = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(len(row[i]) for row in wide) for i in range(len(rows[0]))]
    for row in rows:
        cells = (cell.rjust(width) for cell, width in zip(row, widths, strict=False))
        yield "  " + "  ".join(cells).rstrip()


def plot(points: Sequence[Point], style: Style) -> str:
    """Mean, interval and bound of the first class of each output over the first setting.

    A second setting makes a plot for each of its values.
    """
    blocks = []
    for device, name in _outputs(points):
        for second in dict.fromkeys(point.settings[1:] for point in points):
            mine = [point for point in points if point.settings[1:] == second]
            found = [_first(point, device, name) for point in mine]
            known = [(p, f) for p, f in zip(mine, found, strict=True) if f is not None]
            if not known:
                continue
            at = "".join(f", {each.key} {number(each.value)}" for each in second)
            first = known[0][1]
            title = printable(f"{device}: {name} > class {first.class_name}{at}")
            curve = Curve(
                tuple(point.settings[0].value for point, _ in known),
                tuple(each.mean for _, each in known),
                tuple(each.bound_ms for _, each in known),
                across=points[0].settings[0].key,
                up="delay in ms",
            )
            lines = drawn(curve)
            blocks.append("\n".join([style.bold(title), *lines]) + "\n")
    return "\n".join(blocks)


def _first(point: Point, device: str, name: str) -> ClassPrediction | None:
    found = (
        each
        for each in point.predictions
        if isinstance(each, ClassPrediction) and (each.device, each.object) == (device, name)
    )
    return next(found, None)
