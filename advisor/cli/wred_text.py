"""WRED of a class for the terminal: its groups, regimes and counters; sweeps of its shares."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.predict.quantity import Figure, Input
from advisor.predict.wred_seen import SeenRow
from advisor.predict.wred_shares import GroupShare, WredShares
from advisor.report.printable import printable
from advisor.report.style import Style, figure, number
from advisor.units import s_from_ms
from advisor.what_if import ClassPrediction
from advisor.what_if.sweep import Point
from advisor.what_if.wred import WredPrediction

_HEIGHT, _WIDTH = 20, 64
_WHOLE = 100.0
_HEAD = (
    "group",
    "flows",
    "share %",
    "low-high",
    "flows/p",
    "drops %",
    "low-high",
    "delay ms",
    "low-high",
    "row: min max denominator",
)
_SEEN_HEAD = ("row", "offered", "dropped %", "tail %", "curve %", "predicted %", "low-high")
_COLUMNS = (
    *("device", "object", "class", "group", "flows"),
    *("share_percent", "share_low_percent", "share_high_percent", "flows_over_p_percent"),
    *("drop_percent", "drop_low_percent", "drop_high_percent"),
    *("delay_ms", "delay_low_ms", "delay_high_ms"),
    *("aqs_packets", "aqs_low_packets", "aqs_high_packets", "converged"),
)


def lines(of: WredPrediction) -> Iterator[str]:
    """What is known of WRED in a class."""
    if of.shares is not None:
        yield from _shares(of.shares)
    elif of.why is not None:
        yield f"  WRED    {of.why}"
    if of.seen is not None:
        aqs = "not printed" if of.seen.aqs_packets is None else f"{of.seen.aqs_packets} packets"
        yield f"  counted average queue {aqs}; drops since the last clear ({of.seen.at})"
        groups = of.shares.groups if of.shares is not None else ()
        rows = [_SEEN_HEAD, *(_seen(row, groups) for row in of.seen.rows)]
        yield from _aligned(rows)


def given_inputs(predictions: Sequence[ClassPrediction]) -> Iterator[Input]:
    """Inputs of the classes of an output and of their shares, each once, these last."""
    found = [each.wred.shares for each in predictions if each.wred is not None]
    of_shares = [given for shares in found if shares is not None for given in shares.inputs]
    named = {given.name for given in of_shares}
    first = predictions[0].inputs if predictions else ()
    told = {"overhead_bytes"}  # beside the same of all classes
    told |= {f"packet_bytes in {each.class_name}" for each in predictions}
    yield from (given for given in first if given.name not in named)
    yield from (given for given in of_shares if given.name not in told or given.low < given.high)


def _shares(of: WredShares) -> Iterator[str]:
    if not of.converged:
        yield "  weak    the model did not converge: take the intervals only"
    for regime in of.regimes:
        perhaps = "" if regime.certain else "perhaps "
        yield f"  regime  {perhaps}{regime.name}: {regime.said}"
    if of.aqs is None or of.time_constant_ms is None:
        yield f"  queue   {figure(of.queue)}"
    else:
        constant_s = number(s_from_ms(of.time_constant_ms))
        yield f"  average {figure(of.aqs)} in the queue, time constant {constant_s} s"
    yield "  shares  of the bytes of all TCP; flows/p is the rule of thumb"
    yield from _aligned([_HEAD, *map(_group, of.groups)])


def _group(of: GroupShare) -> tuple[str, ...]:
    rule = of.share_by_flows_over_p
    return (
        of.name,
        "-" if of.flows is None else str(of.flows),
        *_cells(of.share),
        "-" if rule is None else number(rule),
        *_cells(of.drops),
        *_cells(of.delay),
        of.row,
    )


def _cells(of: Figure | None) -> tuple[str, str]:
    return ("-", "-") if of is None else (number(of.value), f"{number(of.low)}-{number(of.high)}")


def _seen(row: SeenRow, groups: Sequence[GroupShare]) -> tuple[str, ...]:
    predicted = next((g.drops for g in groups if g.code is not None and g.code == row.code), None)
    curve = row.curve_percent
    return (
        row.name,
        str(row.offered_packets),
        number(row.dropped_percent),
        number(row.tail_dropped_percent),
        "-" if curve is None else number(curve),
        *_cells(predicted),
    )


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield f"          {row[0].ljust(widths[0])}  {'  '.join(cells)}".rstrip()


def csv_rows(points: Sequence[Point]) -> str:
    """A row for each group at each point."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    keys = [each.key.replace("-", "_") for each in points[0].settings] if points else []
    writer.writerow([*keys, *_COLUMNS])
    for point in points:
        at = [f"{each.value:g}" for each in point.settings]
        for of, shares in _under_wred(point):
            names = [printable(name) for name in (of.device, of.object, of.class_name)]
            writer.writerows(
                [*at, *names, *_group_cells(group), *_ends(shares.aqs), str(shares.converged)]
                for group in shares.groups
            )
    return text.getvalue()


def _group_cells(of: GroupShare) -> list[str]:
    rule = of.share_by_flows_over_p
    return [
        printable(of.name),
        "" if of.flows is None else str(of.flows),
        *_ends(of.share),
        "" if rule is None else f"{rule:.6g}",
        *_ends(of.drops),
        *_ends(of.delay),
    ]


def _ends(of: Figure | None) -> list[str]:
    return [""] * 3 if of is None else [f"{end:.6g}" for end in (of.value, of.low, of.high)]


def has_shares(points: Sequence[Point]) -> bool:
    """Whether there is anything to show of a sweep."""
    return any(True for point in points for _ in _under_wred(point))


def _under_wred(point: Point) -> Iterator[tuple[ClassPrediction, WredShares]]:
    for each in point.predictions:
        wred = each.wred if isinstance(each, ClassPrediction) else None
        if isinstance(each, ClassPrediction) and wred is not None and wred.shares is not None:
            yield each, wred.shares


def table(points: Sequence[Point], style: Style) -> str:
    """A line for each group at each point, classes apart."""
    blocks = []
    for title, at_points in _by_class(points).items():
        keys = [each.key for each in points[0].settings]
        rows = [
            [*(number(each.value) for each in point.settings), *_group(group)[:-1]]
            for point, shares in at_points
            for group in shares.groups
        ]
        aligned = _aligned([[*keys, *_HEAD[:-1]], *rows])
        blocks.append("\n".join([style.bold(title), *aligned]) + "\n")
    return "\n".join(blocks)


def _by_class(points: Sequence[Point]) -> dict[str, list[tuple[Point, WredShares]]]:
    found: dict[str, list[tuple[Point, WredShares]]] = {}
    for point in points:
        for of, shares in _under_wred(point):
            title = printable(f"{of.device}: {of.object} > class {of.class_name}")
            found.setdefault(title, []).append((point, shares))
    return found


@dataclass(frozen=True, slots=True)
class _Curve:
    mark: str
    name: str
    shares: tuple[Figure, ...]


def plot(points: Sequence[Point], style: Style) -> str:
    """Share of every group over the first setting, a letter for each group.

    A second setting makes a plot for each of its values.
    """
    blocks = []
    for title, at_points in _by_class(points).items():
        for second in dict.fromkeys(point.settings[1:] for point, _ in at_points):
            mine = [(p, shares) for p, shares in at_points if p.settings[1:] == second]
            beside = "".join(f", {each.key} {number(each.value)}" for each in second)
            values = [point.settings[0].value for point, _ in mine]
            drawn = _drawn(_curves([shares for _, shares in mine]), values)
            legend = f"{' ' * 11}{points[0].settings[0].key}"
            blocks.append("\n".join([style.bold(title + beside), *drawn, legend]) + "\n")
    return "\n".join(blocks)


def _curves(found: Sequence[WredShares]) -> list[_Curve]:
    curves: list[_Curve] = []
    for place, group in enumerate(found[0].groups):
        shares = [shares.groups[place].share for shares in found]
        known = tuple(share for share in shares if share is not None)
        if len(known) == len(shares):
            mark = chr(ord("A") + len(curves) % 26)
            curves.append(_Curve(mark, printable(group.name), known))
    return curves


def _drawn(curves: Sequence[_Curve], values: Sequence[float]) -> Iterator[str]:
    left, right = values[0], values[-1]
    grid = [[" "] * (_WIDTH + 1) for _ in range(_HEIGHT + 1)]
    for curve in curves:
        for value, share in zip(values, curve.shares, strict=True):
            column = round(_WIDTH * (value - left) / (right - left)) if right > left else 0
            for row in range(_row(share.low), _row(share.high) + 1):
                if grid[row][column] == " ":
                    grid[row][column] = ":"
    for curve in curves:
        for value, share in zip(values, curve.shares, strict=True):
            column = round(_WIDTH * (value - left) / (right - left)) if right > left else 0
            grid[_row(share.value)][column] = curve.mark
    for row in range(_HEIGHT, -1, -1):
        label = number(_WHOLE * row / _HEIGHT) if row % 4 == 0 else ""
        yield f"{label:>9} |" + "".join(grid[row]).rstrip()
    yield " " * 10 + "+" + "-" * (_WIDTH + 1)
    yield " " * 11 + f"{number(left)}{number(right).rjust(_WIDTH + 1 - len(number(left)))}"
    names = ", ".join(f"{curve.mark} {curve.name}" for curve in curves)
    yield " " * 11 + f"share of TCP in %: {names}, : interval"


def _row(share_percent: float) -> int:
    return min(_HEIGHT, max(0, round(_HEIGHT * share_percent / _WHOLE)))
