"""The order of drop of AF rows: AFx1 last, AFx3 first."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from advisor.outlet.wred_rows import AF_CLASSES, DEFAULT_DENOMINATOR, WredRow


class Inverted(Struct, frozen=True):
    """Two rows of an AF class in the wrong order; `crossed`: the other is better in part too."""

    better: WredRow
    worse: WredRow
    crossed: bool


def denominator_of(row: WredRow) -> int:
    return DEFAULT_DENOMINATOR if row.denominator is None else row.denominator


def treatment(row: WredRow) -> tuple[float, float, int]:
    """Values that are better when higher: later first drop, later tail drop, fewer early drops."""
    return row.min_threshold, row.max_threshold, denominator_of(row)


def af_rows(rows: Sequence[WredRow]) -> Iterator[list[WredRow]]:
    """The rows of each AF class, in the order of their drop precedence."""
    by_code = {row.code: row for row in rows if row.scheme == "dscp"}
    for codes in AF_CLASSES:
        yield [by_code[code] for code in codes if code in by_code]


def inverted(rows: Sequence[WredRow]) -> Iterator[Inverted]:
    """Pairs in the wrong order; `rows` are in the order of their drop precedence."""
    for low, high in combinations(rows, 2):
        signs = [b - a for a, b in zip(treatment(low), treatment(high), strict=True)]
        if any(sign > 0 for sign in signs):
            yield Inverted(high, low, crossed=any(sign < 0 for sign in signs))


def in_order(rows: Sequence[WredRow]) -> tuple[WredRow, ...]:
    """AF rows with their own values in order; each keeps min under max, other rows stay.

    The values are sorted one by one: the k-th highest minimum is under the k-th highest maximum
    if this holds in every row.
    """
    moved: dict[WredRow, WredRow] = {}
    for af in af_rows(rows):
        if len({row.unit for row in af}) > 1 or not any(True for _ in inverted(af)):
            continue
        columns = zip(*map(treatment, af), strict=True)
        ordered = zip(*(sorted(column, reverse=True) for column in columns), strict=True)
        for row, (low, high, denominator) in zip(af, ordered, strict=True):
            if (low, high, denominator) != treatment(row):
                moved[row] = replace(
                    row, min_threshold=low, max_threshold=high, denominator=int(denominator)
                )
    return tuple(moved.get(row, row) for row in rows)
