"""Shared parts of the WRED checks: classes to judge, and rows as commands."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import PolicyClass, PolicyMap, Unit, Wred
from advisor.facts.selectable import selectable_by_class
from advisor.outlet.class_limit import defaults_under, limit_of_class
from advisor.outlet.queue_limit import LimitKind, QueueLimit
from advisor.outlet.wred_rows import WredRow, exponent_of, wred_rows
from advisor.quantity import Figure, plain


class WredClass(Struct, frozen=True):
    """A class with WRED: its object path, the lines that enter it, the rows it can meet."""

    label: str
    section: tuple[str, ...]
    rows: tuple[WredRow, ...]
    unknown: tuple[str, ...]  # rows in force whose default values are not known
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


def span(figure: Figure) -> str:
    """Range of a figure in whole units, one number where its ends print the same.

    >>> span(Figure(30.0, 23.4, 46.9, "ms")), span(Figure(23.4, 23.4, 23.4, "ms"))
    ('23-47', '23')
    """
    low, high = f"{figure.low:.0f}", f"{figure.high:.0f}"
    return low if low == high else f"{low}-{high}"
