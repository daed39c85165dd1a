"""Designed lines, proven like a remedy: applied to a trial config, linted, rolled back."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.device.device import Device, with_tree
from advisor.ios.edit.apply import apply
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree
from advisor.lint.cards import Rule
from advisor.lint.judge import finding_of, judge
from advisor.wording import count


class UnprovenDesignError(Exception):
    """The lines do not hold what they were designed for; the message says at which step."""


class ProvenLines(Struct, frozen=True):
    """Lines that hold: the device with them attached, what takes them back, and what was done."""

    device: Device
    rollback: tuple[str, ...]
    statements: tuple[str, ...]


def prove_lines(
    trial: Device, lines: Sequence[str], attachment: Sequence[str], rules: Sequence[Rule]
) -> ProvenLines:
    """Carry lines through their proof on a device of their own.

    `attachment` puts the policy in force for the lint; it is no part of the design.

    Raises
    ------
    UnprovenDesignError
        If IOS would refuse a line, a rule finds something, or the rollback does not restore.
    """
    before = trial.facts.tree
    applied = _applied(before, lines)
    attached = with_tree(trial, _applied(applied, attachment))
    for rule, hit in judge(attached, rules).found:
        said = finding_of(attached, rule, hit, {}).message
        raise UnprovenDesignError(f"{rule.card.id} is found on {hit.object}: {said}")
    rollback = undo_commands(before, applied)
    if rollback is None:
        raise UnprovenDesignError("no rollback restores the config line for line")
    statements = (
        f"applied: {count(len(lines), 'line')}, none refused",
        f"linted: clean of all {len(rules)} rules",
        "rolled back: the config is what it was",
    )
    return ProvenLines(attached, rollback, statements)


def _applied(tree: ConfigTree, lines: Sequence[str]) -> ConfigTree:
    applied = apply(tree, parse_config("".join(f"{line}\n" for line in lines), "design"))
    if applied.refused:
        refusal = applied.refused[0]
        raise UnprovenDesignError(f"IOS would refuse `{refusal.text}`: {refusal.reason}")
    return applied.tree
