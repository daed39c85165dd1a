"""Designed lines, proven like a remedy: applied to a trial config, linted, rolled back."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.device.device import Device, with_tree
from advisor.ios.edit.undo import undo_commands
from advisor.lint.cards import Rule
from advisor.lint.judge import finding_of, judge
from advisor.lint.trial import UnprovenError, applied, statement_of


class UnprovenDesignError(Exception):
    """The lines fail a step of their proof; the message says which."""


class ProvenLines(Struct, frozen=True):
    """Proven lines: the device with them attached, their rollback, and the steps of the proof."""

    device: Device
    rollback: tuple[str, ...]
    statements: tuple[str, ...]


def prove_lines(
    trial: Device, lines: Sequence[str], attachment: Sequence[str], rules: Sequence[Rule]
) -> ProvenLines:
    """Prove lines on a trial device.

    `attachment` puts the policy in force for the lint; it is not part of the design.

    Raises
    ------
    UnprovenDesignError
        If IOS would refuse a line, a rule finds a fault, or the rollback does not restore.
    """
    tree = trial.facts.tree
    try:
        designed = applied(tree, lines)
        attached = with_tree(trial, applied(designed, attachment))
    except UnprovenError as error:
        raise UnprovenDesignError(str(error)) from error
    for rule, hit in judge(attached, rules).found:
        message = finding_of(attached, rule, hit, {}).message
        raise UnprovenDesignError(f"{rule.card.id} is found on {hit.object}: {message}")
    rollback = undo_commands(tree, designed)
    if rollback is None:
        raise UnprovenDesignError("no rollback restores the config line for line")
    statements = (
        statement_of(lines),
        f"linted: clean of all {len(rules)} rules",
        "rolled back: the config is what it was",
    )
    return ProvenLines(attached, rollback, statements)
