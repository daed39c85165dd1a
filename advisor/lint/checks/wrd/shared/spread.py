"""Denominators that tell equal AF rows apart, by drop precedence."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from advisor.outlet.wred_rows import AF_CLASSES, WredRow
from advisor.quantity import Basis

# Test of WRED for Bottleneck Link: 10, 20 and 50 % at the maximum for AFx1, AFx2, AFx3.
_DENOMINATORS: Final = (10, 5, 2)


def spread_by_drop(rows: Sequence[WredRow]) -> tuple[WredRow, ...] | None:
    """Rows with the denominator of their drop precedence.

    None where a row is not of AF, IOS chose it, or all have one drop precedence.
    """
    drops: dict[int | None, int] = {
        code: place for codes in AF_CLASSES for place, code in enumerate(codes)
    }
    places = [drops.get(row.code) if row.scheme == "dscp" else None for row in rows]
    known = [place for place in places if place is not None]
    all_configured = all(row.basis is Basis.CONFIGURED for row in rows)
    if len(known) < len(rows) or len(set(known)) == 1 or not all_configured:
        return None
    return tuple(
        replace(row, denominator=_DENOMINATORS[place])
        for row, place in zip(rows, known, strict=True)
    )
