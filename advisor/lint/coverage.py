"""What rules would have judged by, and which statements of the user a device answers to."""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from advisor.device.coverage import DeviceCoverage, Wanted
from advisor.device.device import Device
from advisor.lint.cards import Rule
from advisor.lint.findings import ObjectKind, Skipped
from advisor.settings.values import Settings, Traffic, Transactions

if TYPE_CHECKING:
    from advisor.outlet.plain import OutputPoint
    from advisor.outlet.statements import Misstated

Statement: TypeAlias = Traffic | Transactions

TRAFFIC: Final = "traffic"  # stands in place of a rule where a statement is not used
_NO_DEVICE: Final = "this [[traffic]] is of no device whose whole configuration is in the run"


def device_coverage(device: Device, rules: Sequence[Rule]) -> DeviceCoverage:
    """Commands captured of a device, and those that rules would have judged by.

    What `| count` or `| redirect` left of an output is none.
    """
    taken = device.seen.taken
    whole = [part.command for part in taken if part.is_read or "|" not in part.command]
    captured = tuple(dict.fromkeys(whole))
    wanting: dict[str, list[str]] = {}
    for rule in rules if device.is_ios else ():
        for command in rule.wants:
            if not any(name.startswith(command) for name in whole):
                wanting.setdefault(command, []).append(rule.card.id)
    missing = tuple(Wanted(command, tuple(ids)) for command, ids in sorted(wanting.items()))
    return DeviceCoverage(device.name, captured, missing)


def described_outputs(device: Device) -> "tuple[OutputPoint, ...]":
    """Every output, with what queues there: those without a policy have no prediction."""
    from advisor.outlet.plain import output_points  # noqa: PLC0415 -- a lint does without

    return output_points(device)


def used(device: Device) -> tuple[Statement, ...]:
    """Statements of the user that this device answers to."""
    if not device.traffic:
        return tuple(filter(None, (device.transactions,)))
    from advisor.outlet.statements import answered_by  # noqa: PLC0415 -- most runs state nothing

    return (*answered_by(device), *filter(None, (device.transactions,)))


def unused(
    settings: Settings, answered: Collection[Statement], wrong: Collection["Misstated"]
) -> Iterator[Skipped]:
    """A word for each statement that no output, or no device, of the run answers to."""
    reasons = {misstated.statement: misstated.said for misstated in wrong}
    stated: tuple[Statement, ...] = (*settings.traffic, *settings.transactions)
    for statement in stated:
        if statement in answered:
            continue
        if isinstance(statement, Transactions):
            yield _skipped(statement.device, f"{statement.source}: peak_tps", _NO_DEVICE)
            continue
        named = f"interface {statement.interface}, class {statement.class_name}"
        if statement in reasons:
            yield _skipped(statement.device, named, reasons[statement])
        else:
            yield _skipped(statement.device, f"{statement.source}: {named}", _NO_DEVICE)


def _skipped(device: str, statement: str, reason: str) -> Skipped:
    return Skipped(device, TRAFFIC, statement, reason, ObjectKind.NAME)
