"""What the WRED checks share: classes to judge, and rows as commands."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from advisor.facts.policy import Unit
from advisor.facts.selectable import selectable_by_class
from advisor.predict.wred_rows import WredRow, wred_rows
from advisor.snapshot import Device


@dataclass(frozen=True, slots=True)
class WredClass:
    """A class with WRED: its object path, the lines that enter it, the rows it can meet."""

    label: str
    section: tuple[str, ...]
    rows: tuple[WredRow, ...]
    unknown: tuple[str, ...]  # rows in force whose default values are not known


def wred_classes(device: Device) -> Iterator[WredClass]:
    """Classes with WRED; not those with `priority`, where IOS refuses WRED as a whole."""
    selectable = selectable_by_class(device.facts)
    for policy in device.facts.policy_maps:
        for each in policy.classes:
            if each.wred is None or each.priority is not None:
                continue
            known = wred_rows(each.wred, selectable(each.name), device.train.generation)
            section = (f"policy-map {policy.name}", f"class {each.name}")
            yield WredClass(" > ".join(section), section, known.rows, known.unknown)


def number(value: float) -> str:
    """A threshold as IOS prints it.

    >>> number(15.0), number(1_000_000.0)
    ('15', '1000000')
    """
    return f"{value:.15g}"


def row_command(
    row: WredRow, min_threshold: float, max_threshold: float, denominator: int | None
) -> str:
    """Command of a row, in the row's unit, with other values.

    IOS's unit is packets and has no word; a denominator of None is left to IOS.
    """
    unit = "" if row.unit is Unit.PACKETS else f" {row.unit}"
    thresholds = f"{number(min_threshold)}{unit} {number(max_threshold)}{unit}"
    last = "" if denominator is None else f" {denominator}"
    return f"random-detect {row.label} {thresholds}{last}"


def have_own_lines(device: Device, rows: Iterable[WredRow]) -> bool:
    """Whether each row has a line of its own: a `minimum-thresh` line sets several codes."""
    numbers = {row.at.line for row in rows}
    return not any(
        line.number in numbers and "minimum-thresh" in line.text
        for line in device.facts.tree.walk()
    )
