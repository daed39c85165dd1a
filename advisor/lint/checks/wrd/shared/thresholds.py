"""Hits of the checks that compare the two thresholds of a row: one hit per queue."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.policy import Unit
from advisor.lint.checks.base import Hit
from advisor.lint.checks.wrd.shared.rows import (
    WredQueue,
    described,
    row_command,
    why_order_changes,
)
from advisor.lint.findings import Confidence
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import plain

_SMALLEST_MAX = 3  # below it no whole number over 0 is under half
_ADVICE = "Raise the maximum threshold, then set the minimum to a third of it"


class Evidence(Struct, frozen=True):
    """The first pair of thresholds that is wrong, its rows, the other pairs; the commands."""

    min_threshold: str  # with its unit, if that is not packets
    max_threshold: str
    rows: str  # "precedence 3, precedence 4"
    rest: str  # "" or "; also 28 of 40 (dscp af12)"
    advice: str  # a third of the first pair's maximum
    statements: tuple[str, ...]
    section: tuple[str, ...]


def _third(row: WredRow) -> int | None:
    return round(row.max_threshold / 3) if row.max_threshold >= _SMALLEST_MAX else None


def _scaled(queue: WredQueue, wrong: tuple[WredRow, ...]) -> list[tuple[WredRow, int]]:
    """New minimum of each wrong row, and of rows of the same maximum that would be above it."""
    scaled = []
    for row in queue.rows:
        together = [other for other in wrong if other.max_threshold == row.max_threshold]
        third = _third(row)
        if not together or third is None:
            continue
        if row not in wrong and row.min_threshold <= third:
            continue
        highest = max(other.min_threshold for other in together)
        share = min(1.0, row.min_threshold / highest)
        scaled.append((row, max(1, round(third * share))))
    return scaled


def _with_unit(value: float, unit: Unit) -> str:
    return plain(value) if unit is Unit.PACKETS else f"{plain(value)} {unit}"


def _labels(rows: Iterable[WredRow]) -> str:
    return ", ".join(map(described, rows))


def hit_for_rows(
    queue: WredQueue, rows: tuple[WredRow, ...], confidence: Confidence
) -> Hit[Evidence]:
    """One hit for rows of a queue; the remedy sets the minimum to a third of the maximum.

    Rows of the queue with the same maximum are scaled with them if they would be above, so
    that a lower drop precedence keeps the higher minimum. Maximum, denominator and unit stay.
    There are no lines if a maximum has no whole number under half of it, a line sets several
    codes at once, or the new minimum would fall below that of a row that stays.
    """
    pairs: dict[tuple[str, str], list[WredRow]] = {}
    for row in rows:
        pair = _with_unit(row.min_threshold, row.unit), _with_unit(row.max_threshold, row.unit)
        pairs.setdefault(pair, []).append(row)
    (first, first_rows), *other_pairs = pairs.items()
    rest = ", ".join(
        f"{low} of {high} ({_labels(pair_rows)})" for (low, high), pair_rows in other_pairs
    )
    scaled = _scaled(queue, rows)
    commands = (row_command(row, low, row.max_threshold, row.denominator) for row, low in scaled)
    third = _third(first_rows[0])
    moved = tuple(row for row, _ in scaled)
    has_lines = all(_third(row) is not None for row in rows) and queue.have_own_lines(moved)
    why_not: str | None = _ADVICE
    if has_lines:
        moves = [(row, replace(row, min_threshold=low)) for row, low in scaled]
        why_not = why_order_changes(queue, moves)
    return Hit(
        queue.label,
        tuple(dict.fromkeys(row.at for row in rows)),
        Evidence(
            min_threshold=first[0],
            max_threshold=first[1],
            rows=_labels(first_rows),
            rest=f"; also {rest}" if rest else "",
            advice=_with_unit(third, first_rows[0].unit) if third is not None else "none in whole",
            statements=tuple(commands),
            section=queue.section,
        ),
        confidence,
        curable=why_not is None,
        advice=why_not,
    )
