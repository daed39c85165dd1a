"""Shared parts of the WRED checks: classes to judge, and rows as commands."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, PolicyMap, Unit, Wred
from advisor.facts.selectable import selectable_by_class
from advisor.outlet.class_limit import defaults_under, limit_of_class
from advisor.outlet.queue_limit import LimitKind, QueueLimit
from advisor.outlet.wred_rows import WredRow, exponent_of, wred_rows
from advisor.quantity import Basis, Figure, plain

_MOST_LABELS = 3


class WredClass(Struct, frozen=True):
    """A class with WRED: its object path, the lines that enter it, the rows it can meet."""

    label: str
    section: tuple[str, ...]
    rows: tuple[WredRow, ...]
    unknown: tuple[str, ...]  # rows in force whose default values are not known
    unnamed: tuple[WredRow, ...]  # rows of other codes that packets may have
    unnamed_unknown: tuple[str, ...]
    shared_lines: frozenset[int]  # lines that set the rows of several codes at once
    policy: PolicyMap
    policy_class: PolicyClass
    wred: Wred
    limit: QueueLimit  # in force
    exponent: int | None  # weight in force; None where the platform's default is not known

    @property
    def default_limit_packets(self) -> float | None:
        """Queue-limit by default in packets; None where one is configured or it is not known."""
        is_default = self.limit.kind is LimitKind.DEFAULT
        return self.limit.packets if is_default else None

    def have_own_lines(self, rows: Iterable[WredRow]) -> bool:
        """Whether each of these rows can be set without setting others."""
        return self.shared_lines.isdisjoint(row.at.line for row in rows)


def wred_classes(device: Device) -> Iterator[WredClass]:
    """Classes with WRED; not those with `priority`, where IOS refuses WRED as a whole."""
    classes = [
        (policy, policy_class, policy_class.wred)
        for policy in device.facts.policy_maps
        for policy_class in policy.classes
        if policy_class.wred is not None and policy_class.priority is None
    ]
    if not classes:
        return
    selectable = selectable_by_class(device.facts)
    for policy, policy_class, wred in classes:
        shared = frozenset(row.at.line for row in wred.profiles if row.may_span)
        limit = limit_of_class(device, policy, policy_class)
        defaults = defaults_under(limit, device.platform)
        class_rows = wred_rows(wred, selectable(policy_class.name), defaults)
        section = (f"policy-map {policy.name}", f"class {policy_class.name}")
        yield WredClass(
            " > ".join(section),
            section,
            class_rows.rows,
            class_rows.unknown,
            class_rows.unnamed,
            class_rows.unnamed_unknown,
            shared,
            policy,
            policy_class,
            wred,
            limit,
            exponent_of(wred, device.platform),
        )


def row_command(
    row: WredRow, min_threshold: float, max_threshold: float, denominator: int | None
) -> str:
    """Command of a row, in the row's unit, with other values.

    IOS's unit is packets and has no word; a denominator of None is left to IOS.
    """
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    thresholds = f"{plain(min_threshold)}{unit} {plain(max_threshold)}{unit}"
    last = "" if denominator is None else f" {denominator}"
    return f"random-detect {row.label} {thresholds}{last}"


def described(row: WredRow) -> str:
    """Label of a row, with its basis where IOS chooses the thresholds."""
    words = {Basis.DEFAULT: " by default", Basis.ASSUMED: " by an assumed default"}
    return f"{row.label}{words.get(row.basis, '')}"


def why_order_changes(
    wred_class: WredClass, moves: Sequence[tuple[WredRow, WredRow]]
) -> str | None:
    """Why new thresholds change the order in which the packets of the class are dropped.

    Parameters
    ----------
    wred_class : WredClass
        All its rows count, the unnamed ones too: packets may meet them.
    moves : sequence of (WredRow, WredRow)
        Rows as they are and as they will be; the other rows of the class stay.

    Returns
    -------
    str or None
        None if no row that has another's threshold or more falls below it.
    """
    moved = [row for row, _ in moves]
    if all(_thresholds(row) == _thresholds(after) for row, after in moves):
        return None
    missing = (*wred_class.unknown, *wred_class.unnamed_unknown)
    if missing:
        labels = ", ".join(missing[:_MOST_LABELS])
        more = f" and {len(missing) - _MOST_LABELS} more" if len(missing) > _MOST_LABELS else ""
        return (
            f"the class can carry {labels}{more}, whose default thresholds are not known: give "
            "each code that the class carries a row of its own, in the order of the drops"
        )
    kept = [row for row in (*wred_class.rows, *wred_class.unnamed) if row not in moved]
    rows = [*moves, *((row, row) for row in kept)]
    broken = next((other for move in moves for other in rows if _is_passed(move, other)), None)
    if broken is None:
        return None
    row = broken[0]
    return (
        f"packets of {row.label} can enter the class, and its row {plain(row.min_threshold)} to "
        f"{plain(row.max_threshold)} ({row.basis}) has to change too, or the order of the drops "
        "changes: match the codes of the class by name, or enter a row for each code it carries"
    )


def _thresholds(row: WredRow) -> tuple[float, float, Unit]:
    return row.min_threshold, row.max_threshold, row.unit


def _is_passed(move: tuple[WredRow, WredRow], other: tuple[WredRow, WredRow]) -> bool:
    """Whether one of two rows falls below the other in minimum or maximum, or may do so."""
    if move[0].unit is not other[0].unit:
        return True
    pairs = [
        (
            row.min_threshold - beside.min_threshold,
            row.max_threshold - beside.max_threshold,
        )
        for row, beside in zip(move, other, strict=True)
    ]
    return any(
        (before >= 0 and after < 0) or (before <= 0 and after > 0)
        for before, after in zip(*pairs, strict=True)
    )


def span(figure: Figure) -> str:
    """Range of a figure in whole units, one number where its ends print the same.

    >>> span(Figure(30.0, 23.4, 46.9, "ms")), span(Figure(23.4, 23.4, 23.4, "ms"))
    ('23-47', '23')
    """
    low, high = f"{figure.low:.0f}", f"{figure.high:.0f}"
    return low if low == high else f"{low}-{high}"
