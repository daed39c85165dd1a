"""AF rows in the wrong order: packets marked to be dropped first are dropped last."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import WredQueue, described, row_command, wred_queues
from advisor.lint.checks.wrd.shared.watched import flows_of_class
from advisor.lint.findings import Confidence
from advisor.outlet.wred_rows import AF_CLASSES, DEFAULT_DENOMINATOR, WredRow
from advisor.quantity import Basis, plain

_ADVICE = "Give AFx1 the highest thresholds and denominator of its AF class, AFx3 the lowest"


class Evidence(Struct, frozen=True):
    """The first pair in the wrong order, how many more there are, and the rows put in order."""

    better: str  # "dscp af13 (30 to 60, 1 in 10)"
    worse: str
    rest: str  # "" or "; so are 2 more pairs"
    statements: tuple[str, ...]
    section: tuple[str, ...]


class _Pair(Struct, frozen=True):
    """Two rows of an AF class in the wrong order; `crossed`: the other is better in part too."""

    better: WredRow
    worse: WredRow
    crossed: bool


def _denominator(row: WredRow) -> int:
    return DEFAULT_DENOMINATOR if row.denominator is None else row.denominator


def _treatment(row: WredRow) -> tuple[float, float, int]:
    """Values that are better when higher: later first drop, later tail drop, fewer early drops."""
    return row.min_threshold, row.max_threshold, _denominator(row)


def _inverted(rows: list[WredRow]) -> Iterator[_Pair]:
    """Pairs in the wrong order; `rows` are in the order of their drop precedence."""
    for low, high in combinations(rows, 2):
        signs = [b - a for a, b in zip(_treatment(low), _treatment(high), strict=True)]
        if any(sign > 0 for sign in signs):
            yield _Pair(high, low, crossed=any(sign < 0 for sign in signs))


def _in_order(rows: list[WredRow]) -> Iterator[str]:
    """Commands that give the rows their own values in order; each keeps min under max.

    The values are sorted one by one: the k-th highest minimum is under the k-th highest maximum
    if this holds in every row.
    """
    columns = zip(*map(_treatment, rows), strict=True)
    ordered = zip(*(sorted(column, reverse=True) for column in columns), strict=True)
    for row, (low, high, denominator) in zip(rows, ordered, strict=True):
        if (low, high, denominator) != _treatment(row):
            yield row_command(row, low, high, int(denominator))


def _describe(row: WredRow) -> str:
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    thresholds = f"{plain(row.min_threshold)} to {plain(row.max_threshold)}{unit}"
    return f"{described(row)} ({thresholds}, 1 in {_denominator(row)})"


def _confidence(device: Device, pairs: list[_Pair]) -> Confidence:
    rows = [row for pair in pairs if not pair.crossed for row in (pair.better, pair.worse)]
    if rows and all(row.basis is Basis.CONFIGURED for row in rows):
        return Confidence.CERTAIN
    return Confidence.POSSIBLE if device.platform.doubts_defaults else Confidence.LIKELY


def _places(pairs: list[_Pair]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(row.at for pair in pairs for row in (pair.better, pair.worse)))


def _judge(device: Device, queue: WredQueue) -> Iterator[Hit[Evidence] | Skip]:
    by_code: Mapping[int | None, WredRow]
    by_code = {row.code: row for row in queue.rows if row.scheme == "dscp"}
    pairs: list[_Pair] = []
    commands: list[str] = []
    for codes in AF_CLASSES:
        rows = [by_code[code] for code in codes if code in by_code]
        if len({row.unit for row in rows}) > 1:
            labels = ", ".join(row.label for row in rows)
            yield Skip(queue.label, f"thresholds in different units: {labels}")
            continue
        if inverted := list(_inverted(rows)):
            pairs += inverted
            commands += _in_order(rows)
    if not pairs:
        return
    curable = queue.have_own_lines(row for pair in pairs for row in (pair.better, pair.worse))
    more = len(pairs) - 1
    yield Hit(
        queue.label,
        _places(pairs),
        Evidence(
            better=_describe(pairs[0].better),
            worse=_describe(pairs[0].worse),
            rest=f" (and {more} more of the AF rows)" if more else "",
            statements=tuple(commands),
            section=queue.section,
        ),
        _confidence(device, pairs),
        curable=curable,
        advice=None if curable else _ADVICE,
    )


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each queue where AFx2 or AFx3 is treated better than a lower drop precedence.

    Better in any of minimum, maximum, denominator; IP precedences have no order of drop.
    """
    del params
    for queue in wred_queues(device):
        if isinstance(queue, Skip):
            yield queue
        else:
            yield from _judge(device, queue)


CHECK = Check(NoParams, Evidence, find, watched=flows_of_class)
