"""Hits of the checks that compare the two thresholds of a row: one hit per queue."""

from collections.abc import Iterable

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.lint.checks.base import Hit
from advisor.lint.checks.wrd.shared.cure import Stage
from advisor.lint.checks.wrd.shared.decision import cure_of
from advisor.lint.checks.wrd.shared.halves import third
from advisor.lint.checks.wrd.shared.rows import WredQueue, described
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import plain


class Evidence(Struct, frozen=True):
    """The first pair of thresholds that is wrong, its rows, the other pairs; the commands."""

    min_threshold: str  # with its unit, if that is not packets
    max_threshold: str
    rows: str  # "precedence 3, precedence 4"
    rest: str  # "" or "; also 28 of 40 (dscp af12)"
    advice: str  # a third of the first pair's maximum
    wred: WredSetting


def _with_unit(value: float, unit: Unit) -> str:
    return plain(value) if unit is Unit.PACKETS else f"{plain(value)} {unit}"


def _labels(rows: Iterable[WredRow]) -> str:
    return ", ".join(map(described, rows))


def hit_for_rows(
    device: Device,
    queue: WredQueue,
    rows: tuple[WredRow, ...],
    confidence: Confidence,
    severity: Severity | None = None,
) -> Hit[Evidence]:
    """One hit for rows of a queue; its lines are those of the decision on the queue."""
    pairs: dict[tuple[str, str], list[WredRow]] = {}
    for row in rows:
        pair = _with_unit(row.min_threshold, row.unit), _with_unit(row.max_threshold, row.unit)
        pairs.setdefault(pair, []).append(row)
    (first, first_rows), *other_pairs = pairs.items()
    rest = ", ".join(
        f"{low} of {high} ({_labels(pair_rows)})" for (low, high), pair_rows in other_pairs
    )
    advised, cure = third(first_rows[0]), cure_of(device, queue)
    return Hit(
        queue.label,
        tuple(dict.fromkeys(row.at for row in rows)),
        Evidence(
            min_threshold=first[0],
            max_threshold=first[1],
            rows=_labels(first_rows),
            rest=f"; also {rest}" if rest else "",
            advice=_with_unit(advised, first_rows[0].unit) if advised else "none in whole",
            wred=cure.setting,
        ),
        confidence,
        severity=severity,
        level=cure.level,
        curable=cure.why_not(Stage.HALVES) is None,
        advice=cure.why_not(Stage.HALVES),
    )
