"""Minimum thresholds as a third of their maximum."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from advisor.outlet.wred_rows import WredRow

_SMALLEST_MAX: Final = 3  # below it no whole number over 0 is under half


def is_over_half(row: WredRow) -> bool:
    """Whether the minimum is half of the maximum or more."""
    return row.min_threshold >= row.max_threshold / 2


def third(row: WredRow) -> int | None:
    """A third of the maximum; None where no whole number over 0 is under half of it."""
    return round(row.max_threshold / 3) if row.max_threshold >= _SMALLEST_MAX else None


def with_thirds(rows: Sequence[WredRow]) -> tuple[WredRow, ...]:
    """Rows over half with a third of the maximum, and rows of the same maximum scaled with them.

    So a lower drop precedence keeps the higher minimum. Maximum, denominator and unit stay.
    """
    wrong = [row for row in rows if is_over_half(row)]
    scaled = []
    for row in rows:
        together = [other for other in wrong if other.max_threshold == row.max_threshold]
        low = third(row)
        stays = row not in wrong and (low is None or row.min_threshold <= low)
        if not together or low is None or stays:
            scaled.append(row)
            continue
        highest = max(other.min_threshold for other in together)
        share = min(1.0, row.min_threshold / highest)
        scaled.append(replace(row, min_threshold=max(1, round(low * share))))
    return tuple(scaled)
