"""What rules would have judged by, and which statements of the user a device answers to."""

from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from advisor.device.covered import DeviceCoverage, Wanted
from advisor.device.device import Device
from advisor.lint.cards import Rule
from advisor.lint.findings import Skipped
from advisor.outlet.offer import speaks_of
from advisor.outlet.outlet import outlets
from advisor.outlet.plain import OutputPoint, output_points
from advisor.settings.values import Settings, Traffic, Transactions

Statement: TypeAlias = Traffic | Transactions


def device_coverage(device: Device, rules: Sequence[Rule]) -> DeviceCoverage:
    """Commands captured of a device, and those that rules would have judged by."""
    captured = tuple(dict.fromkeys(each.command for each in device.seen.taken))
    wanting: dict[str, list[str]] = {}
    for rule in rules:
        for command in rule.check.wants:
            if not any(each.startswith(command) for each in captured):
                wanting.setdefault(command, []).append(rule.card.id)
    missing = tuple(Wanted(command, tuple(ids)) for command, ids in sorted(wanting.items()))
    return DeviceCoverage(device.name, captured, missing if device.is_ios else ())


def described_outputs(device: Device) -> tuple[OutputPoint, ...]:
    """Every output, with what queues there: those without a policy have no prediction."""
    return output_points(device)


def used(device: Device) -> tuple[Statement, ...]:
    """Statements of the user that this device answers to."""
    points = outlets(device) if device.traffic else ()
    named = [
        statement
        for statement in device.traffic
        if any(speaks_of(statement, outlet) for outlet in points)
    ]
    return (*named, *filter(None, (device.transactions,)))


def unused(settings: Settings, answered: Collection[Statement]) -> Iterator[Skipped]:
    """A word for each statement that no output, or no device, of the run answers to."""
    stated: tuple[Statement, ...] = (*settings.traffic, *settings.transactions)
    for statement in stated:
        if statement in answered:
            continue
        if isinstance(statement, Transactions):
            reason = "this [[traffic]] with peak_tps is of no device of the run: a misspelt name?"
            yield Skipped(statement.device, "traffic", statement.source, reason)
            continue
        said = f"interface {statement.interface}, class {statement.class_name}"
        reason = "this [[traffic]] names no class of any output: a misspelt name?"
        yield Skipped(statement.device, "traffic", f"{statement.source}: {said}", reason)
