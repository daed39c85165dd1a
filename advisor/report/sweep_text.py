"""Sweeps of `advisor predict`: table, CSV and a plot of plain characters."""

import csv
import io
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from advisor.predict.what_if import ClassPrediction
from advisor.predict.what_if.moves import with_unit
from advisor.predict.what_if.prediction import Prediction, Unpredicted, UnstatedPrediction
from advisor.predict.what_if.sweep import Point
from advisor.quantity import Figure, number, plain
from advisor.report.json_report import encoded
from advisor.report.prediction_text import span
from advisor.report.printable import cell, printable
from advisor.report.terminal import (
    PLAIN,
    Column,
    Curve,
    RenderOptions,
    Row,
    drawn,
    fitted,
    table_lines,
)

_CSV_COLUMNS = (
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
_COLUMNS: Final = (
    Column("class", 0, is_text=True),
    Column("mean ms", 1),
    Column("p95", 3),
    Column("p99", 4),
    Column("bound", 2),
    Column("jitter", 5),
    Column("loss %", 6),
)


_WITHOUT_WRED = "WRED and TCP are not in these figures: see --format full or json"


class Swept(Struct, frozen=True):
    """Predictions at each point of a sweep, and the budget of what is swept where it has one."""

    points: tuple[Point, ...]
    budget_ms: float | None = None


def render_json(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """Render all points as JSON."""
    return encoded(swept.points)


def predictions_csv(predictions: Sequence[Prediction], options: RenderOptions = PLAIN) -> str:
    """A row for each class, as a sweep of one point."""
    return render_csv(Swept((Point((), tuple(predictions)),)), options)


def render_csv(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """A row for each class at each point; an unknown figure is an empty cell."""
    points = swept.points
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = [setting.key.replace("-", "_") for setting in points[0].settings] if points else []
    writer.writerow([*keys, *_CSV_COLUMNS])
    for point in points:
        at = [plain(setting.value) for setting in point.settings]
        for prediction in point.predictions:
            names = [
                cell(name)
                for name in (prediction.device, prediction.object, prediction.class_name or "")
            ]
            writer.writerow([*at, *names, *_cells(prediction)])
    return text.getvalue()


def _cells(prediction: Prediction) -> list[str]:
    if isinstance(prediction, Unpredicted):
        return [""] * (len(_CSV_COLUMNS) - 4) + [cell(prediction.why)]
    if isinstance(prediction, UnstatedPrediction):
        known = [*[None] * 9, prediction.share.value]
        return [*_texts(known), prediction.delay.reason]
    middle = [prediction.p50.value, prediction.p95.value, prediction.p99.value]
    figures = [prediction.mean.value, prediction.mean.low, prediction.mean.high, *middle]
    if prediction.never_empty:  # low and high are one packet and a full queue: no quantile is known
        figures = [None, prediction.mean.low, prediction.mean.high, None, None, None]  # type: ignore[list-item]
    optional = [
        prediction.bound_ms,
        prediction.jitter.value,
        _value(prediction.loss),
        _value(prediction.throughput),
    ]
    why = "" if prediction.wred is None else _WITHOUT_WRED
    return [*_texts([*figures, *optional]), why]


def _texts(values: Sequence[float | None]) -> list[str]:
    return ["" if value is None else plain(value, 6) for value in values]


def _value(figure: Figure | None) -> float | None:
    return None if figure is None else figure.value


def render(swept: Swept, options: RenderOptions = PLAIN) -> str:
    """The classes of each output at each point; what has no figure is said once, below."""
    points, style = swept.points, options.style
    blocks = []
    keys = tuple(setting.key for setting in points[0].settings)
    columns = (*(Column(with_unit(key), 0) for key in keys), *_COLUMNS)
    for device, name in _outputs(points):
        rows: list[Row] = []
        without: dict[str, list[str]] = {}
        for point in points:
            at = tuple(number(setting.value) for setting in point.settings)
            for prediction in point.predictions:
                if (prediction.device, prediction.object) != (device, name):
                    continue
                if isinstance(prediction, ClassPrediction):
                    rows.append(Row((*at, *_shown(prediction))))
                else:
                    without.setdefault(_why(prediction), []).append(", ".join(at))
        lines = [style.bold(printable(f"{device}: {name}"))]
        lines += table_lines(columns, rows, style.width) if rows else ()
        for why, places in without.items():
            where = "" if len(places) == len(points) else f"at {'; '.join(places)}: "
            lines.append(f"  {where}{why}")
        blocks.append(fitted(lines, style.width))
    return "\n".join(blocks)


def _why(prediction: UnstatedPrediction | Unpredicted) -> str:
    name = "" if prediction.class_name is None else f"{prediction.class_name}: "
    if isinstance(prediction, Unpredicted):
        return printable(f"{name}{prediction.why}")
    return printable(f"{name}unknown: {prediction.delay.reason}")


def _outputs(points: Sequence[Point]) -> list[tuple[str, str]]:
    names = (
        (prediction.device, prediction.object)
        for point in points
        for prediction in point.predictions
    )
    return list(dict.fromkeys(names))


def _shown(prediction: ClassPrediction) -> tuple[str, ...]:
    quantiles = [prediction.p95, prediction.p99]
    ends = ["", ""] if prediction.never_empty else [number(each.value) for each in quantiles]
    bound = prediction.bound_ms
    return (
        printable(prediction.class_name),
        span(prediction.mean, bare=prediction.never_empty),
        *ends,
        "" if bound is None else number(bound),
        number(prediction.jitter.value),
        "" if prediction.loss is None else number(prediction.loss.value),
    )


def plot(swept: Swept, options: RenderOptions = PLAIN) -> str:
    """Mean, interval and bound of the first class of each output over the first setting.

    A second setting makes a plot for each of its values.
    """
    points, budget_ms, style = swept.points, swept.budget_ms, options.style
    blocks = []
    for device, name in _outputs(points):
        for settings in dict.fromkeys(point.settings[1:] for point in points):
            plotted = [point for point in points if point.settings[1:] == settings]
            predictions = [_first(point, device, name) for point in plotted]
            pairs = [(p, f) for p, f in zip(plotted, predictions, strict=True) if f is not None]
            if not pairs:
                continue
            at = "".join(f", {setting.key} {number(setting.value)}" for setting in settings)
            first = pairs[0][1]
            title = printable(f"{device}: {name} > class {first.class_name}{at}")
            curve = Curve(
                tuple(point.settings[0].value for point, _ in pairs),
                tuple(prediction.mean for _, prediction in pairs),
                tuple(prediction.bound_ms for _, prediction in pairs),
                across=with_unit(points[0].settings[0].key),
                up="delay ms",
                budget=budget_ms if first.kind == "priority" else None,
            )
            lines = drawn(curve, style.width)
            blocks.append("\n".join([style.bold(title), *lines]) + "\n")
    return "\n".join(blocks)


def _first(point: Point, device: str, name: str) -> ClassPrediction | None:
    predictions = (
        prediction
        for prediction in point.predictions
        if isinstance(prediction, ClassPrediction)
        and (prediction.device, prediction.object) == (device, name)
    )
    return next(predictions, None)
