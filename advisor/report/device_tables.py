"""Findings by device: a table for each, with what hurts most first."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from advisor.lint.findings import Finding
from advisor.quantity import count, number
from advisor.report.style import Style

_DEVICES: Final = 40  # of a report
_ROWS: Final = 12  # of a table


def table_lines(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    """A table for each device of ranked findings: object, cost now and with the remedy, rules."""
    if not findings:
        return
    yield style.bold("By device")
    devices: dict[str, list[Finding]] = {}
    for finding in findings:
        devices.setdefault(finding.device, []).append(finding)
    shown = list(devices.items())[:_DEVICES]
    for device, found in shown:
        yield f"  {style.bold(device)}: {count(len(found), 'finding')}"
        yield from (f"    {line}" for line in _rows(found))
    left = [each for found in list(devices.values())[_DEVICES:] for each in found]
    if left:
        yield f"  {count(len(devices) - _DEVICES, 'more device')}: {_rules(left)}"


def _rows(findings: Iterable[Finding]) -> Iterator[str]:
    places: dict[str, list[Finding]] = {}
    for finding in findings:
        places.setdefault(finding.object.partition(" > ")[0], []).append(finding)
    cells = [(place, _cost(found), _rules(found)) for place, found in list(places.items())[:_ROWS]]
    widths = [max(len(row[column]) for row in cells) for column in (0, 1)]
    for place, cost, rules in cells:
        yield f"{place:<{widths[0]}}  {cost:<{widths[1]}}  {rules}"
    if len(places) > _ROWS:
        left = [each for found in list(places.values())[_ROWS:] for each in found]
        yield f"{count(len(places) - _ROWS, 'more object')}: {_rules(left)}"


def _cost(findings: Sequence[Finding]) -> str:
    """What the remedy that gives back most gives back."""
    forecasts = [each.prediction for each in findings if each.prediction is not None]
    known = [each for each in forecasts if each.after is not None]
    if not known:
        return ""
    most = max(known, key=lambda each: each.gain)
    assert most.after is not None  # noqa: S101 -- for the type checker
    unit = f" {most.before.unit}".rstrip()
    return f"{number(most.before.value)} → {number(most.after.value)}{unit}"


def _rules(findings: Iterable[Finding]) -> str:
    numbers = Counter(each.rule for each in findings)
    return ", ".join(f"{rule} ({total})" if total > 1 else rule for rule, total in numbers.items())
