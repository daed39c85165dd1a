"""Findings and the longest predicted delay of each device over days: table, CSV, JSON and plot."""

import csv
from collections.abc import Iterator, Sequence
from datetime import date
from io import StringIO
from typing import Final

from msgspec import Struct

from advisor.ground.quantity import Figure, cell, count, number, plain
from advisor.lint.change.snapshot import Case, KnownClass, Snapshot
from advisor.lint.findings import Metric, Severity
from advisor.report import printable, safe
from advisor.report.json_report import encoded
from advisor.report.terminal import (
    PLAIN,
    Column,
    RenderOptions,
    TableRow,
    TerminalCurve,
    drawn,
    table_lines,
)

_DIGITS: Final = 5
_COLUMNS: Final = (
    *(Column("day", 0, is_text=True), Column("errors", 2), Column("warnings", 3)),
    *(Column("info", 5), Column("delay (ms)", 1), Column("of", 4, is_text=True)),
)


class TrendPoint(Struct, frozen=True):
    """A device on a day: its findings, and its longest mean delay while lower classes are full.

    `delay` is in ms; None where no class of the device has a predicted delay. A verdict that is not
    `complete` may lack findings.
    """

    day: date
    device: str
    errors: int
    warnings: int
    info: int
    delay: Figure | None
    output: str | None
    class_name: str | None
    complete: bool


def trend_points(day: date, snapshot: Snapshot) -> Iterator[TrendPoint]:
    """The points of a day, one for each device."""
    parts = (snapshot.files, snapshot.findings, snapshot.classes)
    unnamed = {item.file for item in snapshot.files}  # of other systems, too
    devices = {item.device for part in parts for item in part} - unnamed
    for device in sorted(devices):
        severities = [item.severity for item in snapshot.findings if item.device == device]
        delays = list(_delays(known for known in snapshot.classes if known.device == device))
        longest = max(delays, key=lambda item: item[1].value, default=None)
        errors, warnings, info = map(severities.count, Severity)
        delay = None if longest is None else longest[1]
        output, name = (
            (None, None) if longest is None else (longest[0].output, longest[0].class_name)
        )
        is_whole = snapshot.complete
        yield TrendPoint(day, device, errors, warnings, info, delay, output, name, is_whole)


def _delays(classes: Iterator[KnownClass]) -> Iterator[tuple[KnownClass, Figure]]:
    for known in classes:
        for metric in known.figures:
            if known.case is Case.CONGESTED and metric.metric is Metric.DELAY:
                yield known, metric.figure


def render(points: Sequence[TrendPoint], options: RenderOptions = PLAIN) -> str:
    """Render a table for each device, and how its first and last day differ."""
    blocks = []
    for device, own in _by_device(points).items():
        rows = [TableRow(_cells(point)) for point in own]
        head = f"{options.style.bold(printable(device))}: {_change(own)}"
        blocks.append("\n".join((head, *table_lines(_COLUMNS, rows, options.style.width))))
    days = {point.day for point in points}
    end = f"{count(len(blocks), 'device')}, {count(len(days), 'day')}"
    return "\n\n".join((*blocks, end)) + "\n"


def _by_device(points: Sequence[TrendPoint]) -> dict[str, list[TrendPoint]]:
    devices: dict[str, list[TrendPoint]] = {}
    for point in sorted(points, key=lambda point: (point.device, point.day)):
        devices.setdefault(point.device, []).append(point)
    return devices


def _cells(point: TrendPoint) -> tuple[str, ...]:
    incomplete = "" if point.complete else " (incomplete)"
    place = "" if point.output is None else f"{point.class_name} of {point.output}"
    return (
        f"{point.day}{incomplete}",
        *map(str, (point.errors, point.warnings, point.info)),
        "" if point.delay is None else cell(point.delay),
        printable(place),
    )


def _change(own: Sequence[TrendPoint]) -> str:
    first, last = own[0], own[-1]
    counts = [point.errors + point.warnings for point in (first, last)]
    words = f"errors and warnings {counts[0]} → {counts[1]}"
    if first.delay is None or last.delay is None:
        return words
    return f"{words}, delay {number(first.delay.value)} → {number(last.delay.value)} ms"


def render_csv(points: Sequence[TrendPoint], _options: RenderOptions = PLAIN) -> str:
    """Render a row for each device and day; a spreadsheet takes no cell for a formula."""
    text = StringIO()
    writer = csv.writer(text)
    limits = ("delay_ms", "low_ms", "high_ms")
    counts = ("errors", "warnings", "info")
    writer.writerow(("day", "device", *counts, *limits, "output", "class", "complete"))
    for point in points:
        delay = point.delay
        figures = () if delay is None else (delay.value, delay.low, delay.high)
        numbers = tuple(plain(value, _DIGITS) for value in figures) or ("",) * 3
        writer.writerow((
            *(point.day, safe(point.device), point.errors, point.warnings, point.info, *numbers),
            *(safe(point.output or ""), safe(point.class_name or ""), str(point.complete).lower()),
        ))  # fmt: skip
    return text.getvalue()


def render_json(points: Sequence[TrendPoint], _options: RenderOptions = PLAIN) -> str:
    """Array of points."""
    return encoded(tuple(points))


def plot(points: Sequence[TrendPoint], options: RenderOptions = PLAIN) -> str:
    """Render the delay of each device over its days; a device without two delays is named."""
    blocks = []
    for device, own in _by_device(points).items():
        known = [(point.day, point.delay) for point in own if point.delay is not None]
        if len({day for day, _ in known}) < 2:  # noqa: PLR2004 -- a line has two ends
            blocks.append(f"{printable(device)}: no delay on two days\n")
            continue
        curve = TerminalCurve(
            tuple(float((day - known[0][0]).days) for day, _ in known),
            tuple(figure for _, figure in known),
            (None,) * len(known),
            f"days since {known[0][0]}",
            "ms",
        )
        lines = drawn(curve, options.style.width)
        blocks.append("".join(f"{line}\n" for line in (printable(device), *lines)))
    return "\n".join(blocks)
