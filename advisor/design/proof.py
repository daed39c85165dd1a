"""Designed lines, proven like a remedy: applied to a trial config, linted, rolled back."""

from collections.abc import Container, Sequence

from msgspec import Struct

from advisor.device.device import Device, with_tree
from advisor.ios import edit
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.edit.keys import meaning_of
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.modes import GLOBAL
from advisor.lint.accepted import why_may_lack
from advisor.lint.cards import Rule
from advisor.lint.findings import Severity
from advisor.lint.judge import Key, finding_of, judge
from advisor.lint.prove import must_be_taken, rollback_of
from advisor.lint.trial import APPLIED, RollbackError, Trial, UnprovenError, applied, snippet_of


class UnprovenDesignError(Exception):
    """The lines fail a step of their proof; the message says which."""


class NoWayBackError(UnprovenDesignError):
    """The lines replace text that could not come back."""


class ProvenLines(Struct, frozen=True):
    """Proven lines: the device with them attached, their rollback, and the steps of the proof.

    `remarks` say which commands the release may lack, and the findings that the caller lets pass;
    `let_pass` are the first, and those of a check which the caller names.
    """

    device: Device
    rollback: tuple[str, ...]
    statements: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    let_pass: tuple[str, ...] = ()


def prove_lines(
    trial: Device,
    lines: Sequence[str],
    attachment: Sequence[str],
    rules: Sequence[Rule],
    *,
    known: frozenset[Key] = frozenset(),
    refuses: Severity = Severity.INFO,
    lets_pass: Container[str] = (),
) -> ProvenLines:
    """Prove lines on a trial device.

    Parameters
    ----------
    trial
        The device before the lines.
    lines
        The design, as it is pasted.
    attachment
        Lines that put the policy in force for the lint; not part of the design.
    rules
        The catalogue.
    known
        Findings that the device had before.
    refuses
        The mildest severity of a new finding that refutes the design.
    lets_pass
        Checks whose findings refute nothing: what they find was given.

    Raises
    ------
    UnprovenDesignError
        If IOS would refuse a line, a rule finds a fault, or the rollback does not restore.
    """
    try:
        pasted = with_tree(trial, apply(trial.facts.tree, snippet_of(lines)).tree)
        must_be_taken(Trial(trial, pasted), lines)
        designed = with_tree(trial, applied(trial.facts.tree, lines))
        attached = with_tree(trial, applied(designed.facts.tree, attachment))
        rollback = rollback_of(trial, designed.facts.tree)
    except RollbackError as error:
        raise NoWayBackError(str(error)) from error
    except UnprovenError as error:
        raise UnprovenDesignError(str(error)) from error
    may_lack = why_may_lack(trial, lines)
    remarks = [may_lack] if may_lack else []
    passed = list(remarks)
    for rule, hit in judge(attached, rules).pairs:
        if (rule.card.id, hit.object) in known:
            continue
        finding = finding_of(attached.name, rule, hit, {})
        words = f"{rule.card.id} is found on {hit.object}: {finding.message}"
        if rule.card.check in lets_pass:
            passed.append(words)
        elif finding.severity.rank <= refuses.rank:
            raise UnprovenDesignError(words)
        remarks.append(words)
    clean = "finds a fault" if refuses is Severity.INFO else "gives a warning"
    statements = (
        f"{APPLIED} by a release that has all commands" if may_lack else APPLIED,
        f"linted: none of the {len(rules)} rules {clean}",
        "rolled back: the config is as before",
    )
    return ProvenLines(attached, rollback, statements, tuple(remarks), tuple(passed))


def needed(tree: ConfigTree, lines: Sequence[str]) -> tuple[str, ...]:
    """Drop the lines of a design that change nothing in a configuration.

    `no …` lines in a new section stay, as IOS may have the setting by default. A section head whose
    lines are all dropped is dropped too, if the resulting config is the same.
    """
    snippet = snippet_of(lines)
    edit = apply(tree, snippet)
    standing = {_section(line) for line in tree.commands()}
    new = {
        line.number
        for head in snippet.commands()
        if _section(head) not in standing
        for line in head.walk()
        if line.text.startswith("no ")
    }
    idle = {line.number for line in edit.unchanged} - new
    kept = [(number, line) for number, line in enumerate(lines, 1) if number not in idle]
    heads = {number for number, _ in kept if _has_body(lines, number - 1)}
    for place in reversed(range(len(kept))):
        texts = [line for _, line in kept]
        if kept[place][0] not in heads or _has_body(texts, place):
            continue
        shorter = kept[:place] + kept[place + 1 :]
        without = apply(tree, snippet_of([line for _, line in shorter]))
        if same_config(without.tree, edit.tree):
            kept = shorter
    return tuple(line for _, line in kept)


def _section(line: Line) -> edit.Key:
    """The section that a top-level line enters."""
    return meaning_of(GLOBAL, line.text).key


def _has_body(lines: Sequence[str], place: int) -> bool:
    """Whether the next line is under this one."""
    return place + 1 < len(lines) and _depth(lines[place + 1]) > _depth(lines[place])


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
