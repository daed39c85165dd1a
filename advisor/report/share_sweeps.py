"""Sweeps of shares under WRED: table, CSV and a plot of plain characters."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.predict.what_if.sweeps import SharesPoint
from advisor.predict.wred.shares import GroupShare, WredShares
from advisor.quantity import Figure, number, plain
from advisor.report import cell, printable
from advisor.report.scenarios import group_cells
from advisor.report.sweeps import by_later_settings, csv_text
from advisor.report.terminal import (
    PLAIN,
    Column,
    Grid,
    RenderOptions,
    TableRow,
    fitted,
    table_lines,
)

_HEIGHT, _WIDTH = 20, 64
_WHOLE: Final = 100.0
_COLUMNS: Final = (
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


def render_csv(points: Sequence[SharesPoint], _options: RenderOptions = PLAIN) -> str:
    """A row for each group at each point."""
    return csv_text(points, _COLUMNS, _csv_rows)


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


def render(points: Sequence[SharesPoint], options: RenderOptions = PLAIN) -> str:
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


def plot(points: Sequence[SharesPoint], options: RenderOptions = PLAIN) -> str:
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
