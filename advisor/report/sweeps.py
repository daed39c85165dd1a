"""Sweeps of `predict`, of classes and of shares under WRED: tables, CSV, plots and pages."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from msgspec import Struct

from advisor.ground.quantity import Figure, count, number, plain
from advisor.predict.what_if.moves import with_unit
from advisor.predict.what_if.prediction import (
    ClassPrediction,
    Prediction,
    Unpredicted,
    UnstatedPrediction,
)
from advisor.predict.what_if.sweeps import Point, Setting, SharesPoint
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.report import all_printable, cell, printable
from advisor.report.document import Page, Plots, Table, markup, page_text
from advisor.report.json_report import encoded
from advisor.report.mask import mask_class, mask_path
from advisor.report.pictures import sweep_plots
from advisor.report.predictions import delay_cells, page_cells
from advisor.report.scenarios import group_cells
from advisor.report.terminal import (
    PLAIN,
    Column,
    Grid,
    RenderOptions,
    TableRow,
    TerminalCurve,
    drawn,
    fitted,
    table_lines,
)

_CSV_COLUMNS: Final = (
    *("device", "object", "class", "mean_ms", "mean_low_ms", "mean_high_ms"),
    *("p50_ms", "p95_ms", "p99_ms", "bound_ms", "jitter_ms", "loss_percent", "throughput_kbps"),
    *("method", "why"),
)
_FIGURES: Final = len(_CSV_COLUMNS) - 4  # with their method
_COLUMNS: Final = (
    Column("class", 0, is_text=True),
    *(Column("mean ms", 1), Column("p95", 3), Column("p99", 4), Column("worst case", 2)),
    *(Column("jitter", 5), Column("loss %", 6)),
)
_PAGE_COLUMNS: Final = (
    *("mean delay", "p95", "p99", "worst case", "jitter", "loss", "carries"),
    "method",
)
_WITHOUT_WRED: Final = "WRED and TCP are not in these figures: see --format full or json"


class Swept(Struct, frozen=True):
    """Predictions at each point of a sweep, and the budget of what is swept where it has one."""

    points: tuple[Point, ...]
    budget_ms: float | None = None


class SomePoint(Protocol):
    """A point of any sweep."""

    @property
    def settings(self) -> tuple[Setting, ...]: ...


_P = TypeVar("_P", bound=SomePoint)
_T = TypeVar("_T")


def csv_text(
    points: Sequence[_P], columns: Sequence[str], rows_of: Callable[[_P], Iterable[Sequence[str]]]
) -> str:
    """CSV text of a sweep: the settings of a point stand before each of its rows."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = [setting.key.replace("-", "_") for setting in points[0].settings] if points else []
    writer.writerow([*keys, *columns])
    for point in points:
        at = [plain(setting.value) for setting in point.settings]
        writer.writerows([*at, *row] for row in rows_of(point))
    return text.getvalue()


def by_later_settings(
    pairs: Sequence[tuple[_P, _T]],
) -> Iterator[tuple[str, list[tuple[_P, _T]]]]:
    """The points for each value of the second setting, with words that name the value."""
    for settings in dict.fromkeys(point.settings[1:] for point, _ in pairs):
        beside = "".join(f", {setting.key} {number(setting.value)}" for setting in settings)
        yield beside, [pair for pair in pairs if pair[0].settings[1:] == settings]


def render_json(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """Render all points as JSON."""
    return encoded(swept.points)


def predictions_csv(predictions: Sequence[Prediction], _options: RenderOptions = PLAIN) -> str:
    """A row for each class, as a sweep of one point."""
    return render_csv(Swept((Point((), tuple(predictions)),)))


def render_csv(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """A row for each class at each point; an unknown figure is an empty cell."""
    return csv_text(swept.points, _CSV_COLUMNS, lambda point: map(_csv_row, point.predictions))


def _csv_row(prediction: Prediction) -> list[str]:
    names = (prediction.device, prediction.object, prediction.class_name or "")
    return [*map(cell, names), *_csv_figures(prediction)]


def _csv_figures(prediction: Prediction) -> list[str]:
    if isinstance(prediction, Unpredicted):
        return [*[""] * _FIGURES, cell(prediction.why)]
    if isinstance(prediction, UnstatedPrediction):
        share = plain(prediction.share.value, 6)
        return [*[""] * (_FIGURES - 2), share, "", prediction.delay.reason]
    mean, p50, p95, p99 = prediction.mean, prediction.p50, prediction.p95, prediction.p99
    values = [mean.value, mean.low, mean.high, p50.value, p95.value, p99.value]
    known: list[float | None] = [*values]
    if prediction.never_empty:  # low and high are one packet and a full queue: no quantile is known
        known = [None, mean.low, mean.high, None, None, None]
    known += [prediction.bound_ms, prediction.jitter.value]
    optional = (prediction.loss, prediction.throughput)
    known += (None if part is None else part.value for part in optional)
    why = "" if prediction.wred is None else _WITHOUT_WRED
    cells = ("" if value is None else plain(value, 6) for value in known)
    return [*cells, prediction.method, why]


def render(swept: Swept, options: RenderOptions = PLAIN) -> str:
    """The classes of each output at each point; what has no figure is said once, below."""
    points, style = swept.points, options.style
    keys = (setting.key for setting in points[0].settings)
    columns = (*(Column(with_unit(key), 0) for key in keys), *_COLUMNS)
    blocks = []
    for output in _outputs(points):
        rows: list[TableRow] = []
        without: dict[str, list[str]] = {}
        for point in points:
            at = tuple(number(setting.value) for setting in point.settings)
            for prediction in _of_output(point, output):
                if isinstance(prediction, ClassPrediction):
                    rows.append(TableRow((*at, *_shown(prediction))))
                else:
                    without.setdefault(_why(prediction), []).append(", ".join(at))
        lines = [style.bold(printable(": ".join(output)))]
        lines += table_lines(columns, rows, style.width) if rows else ()
        for why, places in without.items():
            where = "" if len(places) == len(points) else f"at {'; '.join(places)}: "
            lines.append(f"  {where}{why}")
        blocks.append(fitted(lines, style.width))
    return "\n".join(blocks)


def _outputs(points: Sequence[Point]) -> Iterable[tuple[str, str]]:
    """Device and object of all outputs."""
    predictions = (prediction for point in points for prediction in point.predictions)
    return dict.fromkeys((prediction.device, prediction.object) for prediction in predictions)


def _of_output(point: Point, output: tuple[str, str]) -> Iterator[Prediction]:
    return (
        prediction
        for prediction in point.predictions
        if (prediction.device, prediction.object) == output
    )


def _why(prediction: UnstatedPrediction | Unpredicted) -> str:
    name = "" if prediction.class_name is None else f"{prediction.class_name}: "
    if isinstance(prediction, Unpredicted):
        return printable(f"{name}{prediction.why}")
    return printable(f"{name}unknown: {prediction.delay.reason}")


def _shown(prediction: ClassPrediction) -> tuple[str, ...]:
    bound = prediction.bound_ms
    return (
        printable(prediction.class_name),
        *delay_cells(prediction),
        "" if bound is None else number(bound),
        number(prediction.jitter.value),
        "" if prediction.loss is None else number(prediction.loss.value),
    )


def plot(swept: Swept, options: RenderOptions = PLAIN) -> str:
    """Mean, interval and bound of the first class of each output over the first setting.

    A second setting makes a plot for each of its values.
    """
    across, style = with_unit(swept.points[0].settings[0].key), options.style
    blocks = []
    for output in _outputs(swept.points):
        firsts = [(point, _first(point, output)) for point in swept.points]
        for beside, plotted in by_later_settings(firsts):
            pairs = [
                (point.settings[0].value, prediction)
                for point, prediction in plotted
                if prediction is not None
            ]
            if not pairs:
                continue
            first = pairs[0][1]
            title = printable(f"{': '.join(output)} > class {first.class_name}{beside}")
            curve = TerminalCurve(
                tuple(value for value, _ in pairs),
                tuple(prediction.mean for _, prediction in pairs),
                tuple(prediction.bound_ms for _, prediction in pairs),
                across=across,
                up="delay ms",
                budget=swept.budget_ms if first.kind == "priority" else None,
            )
            blocks.append("\n".join([style.bold(title), *drawn(curve, style.width)]) + "\n")
    return "\n".join(blocks)


def _first(point: Point, output: tuple[str, str]) -> ClassPrediction | None:
    known = (
        prediction
        for prediction in _of_output(point, output)
        if isinstance(prediction, ClassPrediction)
    )
    return next(known, None)


def render_svg(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """The plot of the first class that is predicted at several points; empty where none is."""
    return next(sweep_plots(swept.points, swept.budget_ms), "")


def render_html(swept: Swept, _options: RenderOptions = PLAIN) -> str:
    """HTML text of a sweep: a plot for each class over the first setting, and all figures."""
    shown = [all_printable(point) for point in swept.points]
    keys = [setting.key for setting in shown[0].settings]
    pictures = sweep_plots(shown, swept.budget_ms) if len(keys) == 1 else ()
    drawn_plots = tuple(map(markup, pictures))
    columns = (*map(with_unit, keys), "class", *_PAGE_COLUMNS)
    rows = [row for point in shown for row in _page_rows(point)]
    filled = [place for place in range(len(columns)) if any(row[place] for row in rows)]
    table = Table(
        "points",
        "Points",
        columns=tuple(columns[place] for place in filled),
        rows=tuple(tuple(row[place] for place in filled) for row in rows),
    )
    words = "The band is the interval of the mean; the dashed line is the bound."
    plots = (Plots("plots", "Delay", drawn_plots, words),) if drawn_plots else ()
    title = f"Sweep of {' and '.join(keys)}"
    return page_text(Page(title, count(len(shown), "point"), (*plots, table)))


def _page_rows(point: Point) -> Iterator[tuple[str, ...]]:
    at = tuple(plain(setting.value) for setting in point.settings)
    for prediction in point.predictions:
        if isinstance(prediction, ClassPrediction):
            name = f"{mask_path(prediction.object)} > {mask_class(prediction.class_name)}"
            yield (*at, name, *page_cells(prediction))


_HEIGHT, _WIDTH = 20, 64
_WHOLE: Final = 100.0
_SHARE_COLUMNS: Final = (
    *("device", "object", "class", "group", "flows"),
    *("share_percent", "share_low_percent", "share_high_percent", "flows_over_p_percent"),
    *("drop_percent", "drop_low_percent", "drop_high_percent"),
    *("delay_ms", "delay_low_ms", "delay_high_ms"),
    *("aqs_packets", "aqs_low_packets", "aqs_high_packets", "converged"),
)
_TABLE: Final = (
    *(Column("group", 0, is_text=True), Column("flows", 1)),
    *(Column("share %", 2), Column("share low-high", 6), Column("flows/p", 9)),
    *(Column("drops %", 3), Column("drops low-high", 8)),
    *(Column("delay ms", 4), Column("delay low-high", 7)),
)


def shares_csv(points: Sequence[SharesPoint], _options: RenderOptions = PLAIN) -> str:
    """A row for each group at each point."""
    return csv_text(points, _SHARE_COLUMNS, _csv_rows)


def _csv_rows(point: SharesPoint) -> Iterator[list[str]]:
    for known in point.classes:
        names = map(cell, (known.device, known.object, known.class_name))
        first, shares = [*names], known.shares
        last = [*_ends(shares.aqs), str(shares.converged)]
        yield from ([*first, *_csv_group(group), *last] for group in shares.groups)


def _csv_group(group: GroupShare) -> list[str]:
    rule = group.share_by_flows_over_p
    return [
        cell(group.name),
        "" if group.flows is None else str(group.flows),
        *_ends(group.share),
        "" if rule is None else plain(rule, 6),
        *_ends(group.drops),
        *_ends(group.delay),
    ]


def _ends(figure: Figure | None) -> list[str]:
    return (
        [""] * 3
        if figure is None
        else [plain(end, 6) for end in (figure.value, figure.low, figure.high)]
    )


def render_shares(points: Sequence[SharesPoint], options: RenderOptions = PLAIN) -> str:
    """A line for each group at each point, grouped by class."""
    style = options.style
    blocks = []
    for title, at_points in _by_class(points).items():
        keys = [setting.key for setting in points[0].settings]
        rows = [
            TableRow(
                (*(number(setting.value) for setting in point.settings), *group_cells(group)[:-1])
            )
            for point, shares in at_points
            for group in shares.groups
        ]
        columns = (*(Column(key, 0) for key in keys), *_TABLE)
        lines = table_lines(columns, rows, style.width)
        blocks.append(fitted((style.bold(title), *lines), style.width))
    return "\n".join(blocks)


def _by_class(points: Sequence[SharesPoint]) -> dict[str, list[tuple[SharesPoint, WredShares]]]:
    by_title: dict[str, list[tuple[SharesPoint, WredShares]]] = {}
    for point in points:
        for wred_class in point.classes:
            title = printable(
                f"{wred_class.device}: {wred_class.object} > class {wred_class.class_name}"
            )
            by_title.setdefault(title, []).append((point, wred_class.shares))
    return by_title


class _Curve(Struct, frozen=True):
    mark: str
    name: str
    shares: tuple[Figure, ...]


def plot_shares(points: Sequence[SharesPoint], options: RenderOptions = PLAIN) -> str:
    """Share of every group over the first setting, a letter for each group.

    A second setting makes a plot for each of its values.
    """
    blocks = []
    for title, at_points in _by_class(points).items():
        for beside, plotted in by_later_settings(at_points):
            values = tuple(point.settings[0].value for point, _ in plotted)
            lines = _plot_lines(_curves([shares for _, shares in plotted]), values)
            key = f"{' ' * 11}{points[0].settings[0].key}"
            blocks.append("\n".join([options.style.bold(title + beside), *lines, key]) + "\n")
    return "\n".join(blocks)


def _curves(shares_by_point: Sequence[WredShares]) -> list[_Curve]:
    curves: list[_Curve] = []
    for place, group in enumerate(shares_by_point[0].groups):
        shares = [shares.groups[place].share for shares in shares_by_point]
        figures = tuple(share for share in shares if share is not None)
        if len(figures) == len(shares):
            mark = chr(ord("A") + len(curves) % 26)
            curves.append(_Curve(mark, printable(group.name), figures))
    return curves


def _plot_lines(curves: Sequence[_Curve], values: Sequence[float]) -> Iterator[str]:
    grid = Grid(values, _WHOLE, _HEIGHT, _WIDTH)
    for curve in curves:
        for value, share in zip(values, curve.shares, strict=True):
            grid.fill(value, share, ":")
    for curve in curves:
        for value, share in zip(values, curve.shares, strict=True):
            grid.put(value, share.value, curve.mark)
    yield from grid.lines()
    yield f"{' ' * 10}+{'-' * (_WIDTH + 1)}"
    left, right = number(values[0]), number(values[-1])
    yield f"{' ' * 11}{left}{right.rjust(_WIDTH + 1 - len(left))}"
    names = ", ".join(f"{curve.mark} {curve.name}" for curve in curves)
    yield f"{' ' * 11}share of TCP in %: {names}, : interval"
