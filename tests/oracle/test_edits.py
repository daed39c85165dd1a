"""The same net lines of an edit and of its way back as hier_config, but for a written list.

hier_config computes the commands of remediation and rollback from the configuration before and
after an edit. Its reading of them is compared with what the editor says of the edit: the plan of
each composed fixture, and made-up edits of made-up configs. Runs in the oracle's environment; see .ci/run.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from msgspec import Struct

from advisor.device.inputs import Inputs
from advisor.ground.faults import Guard
from advisor.ios.edit.apply import apply
from advisor.ios.edit.undo import undo_commands
from advisor.ios.syntax import ConfigTree, Line, LineKind
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import load_rules
from advisor.lint.plan import RemedySelection, plan_run
from advisor.settings import Settings
from tests.ios.test_edit_properties import config_texts, edit_texts
from tests.support.runs import FIXTURES

hier_config = pytest.importorskip("hier_config", reason="needs the oracle's own environment")

pytestmark = pytest.mark.oracle

GENERATED = 300
LEAST_EQUAL_RATIO = 0.95
MOST_KINDS = 10

# No command makes or removes a physical interface.
PORTS = "interface Serial0/0\ninterface FastEthernet0/0\n"

Lineage = tuple[str, ...]


class Edit(Struct, frozen=True):
    """A config before and after an edit, and the config that the rollback leads back to."""

    name: str
    before: ConfigTree
    after: ConfigTree
    restored: ConfigTree


class DifferenceKind(Struct, frozen=True):
    """Net lines in which the two differ, as patterns, and why."""

    name: str
    reason: str
    lines: tuple[re.Pattern[str], ...]


@cache
def kinds() -> tuple[DifferenceKind, ...]:
    with (Path(__file__).parent / "edit_differences.toml").open("rb") as file:
        entries = tomllib.load(file)["kind"]
    return tuple(
        DifferenceKind(
            each["name"], each["reason"], tuple(re.compile(line) for line in each["lines"])
        )
        for each in entries
    )


def edit_of(name: str, before: ConfigTree, commands: str) -> Edit:
    after = apply(before, parse_config(commands, "edit")).tree
    back = undo_commands(before, after)
    assert back is not None, name
    restored = apply(after, parse_config("".join(f"{line}\n" for line in back), "rollback")).tree
    return Edit(name, before, after, restored)


def edits_of_fixtures() -> Iterator[Edit]:
    rules = load_rules(Settings().budgets)
    everything = RemedySelection(tuple(rule.card.id for rule in rules))
    configs = FIXTURES / "configs"
    sources = Inputs([str(configs / "composed"), *map(str, sorted(configs.glob("*.ios")))])
    for plan in plan_run(sources, rules, Settings(), everything, Guard()).devices:
        if plan.edited is not None and plan.steps:
            before = parse_config(plan.edited.before, plan.file)
            yield edit_of(Path(plan.file).name, before, "\n".join((*plan.lines, "")))


def generated_edits() -> list[Edit]:
    made: list[Edit] = []

    @settings(
        max_examples=GENERATED,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(config_texts(), edit_texts())
    def make(text: str, commands: str) -> None:
        # Given to a bare router: it prints one line of a setting, and the text may have two
        before = apply(parse_config(PORTS, "r1.ios"), parse_config(text, "text")).tree
        made.append(edit_of(f"generated {len(made)}", before, commands))

    make()
    return made


@cache
def edits() -> tuple[Edit, ...]:
    return (*edits_of_fixtures(), *generated_edits())


def indented(lines: Sequence[Line], depth: int = 0) -> Iterator[str]:
    """Lines by depth in the tree: hier_config nests by indentation only."""
    for line in lines:
        if line.is_command:
            yield line.raw.rstrip() if line.kind is LineKind.OPAQUE else " " * depth + line.text
            yield from indented(line.children, depth + 1)


def our_paths(lines: Sequence[Line], path: Lineage = ()) -> Iterator[Lineage]:
    for line in lines:
        if line.is_command:
            yield (*path, line.text)
            yield from our_paths(line.children, (*path, line.text))


def our_net(source: ConfigTree, target: ConfigTree) -> set[str]:
    before, after = Counter(our_paths(source.lines)), Counter(our_paths(target.lines))
    return {*signed("+", after - before), *signed("-", before - after)}


def signed(sign: str, paths: Counter[Lineage]) -> Iterator[str]:
    return (f"{sign} {' > '.join(path)}" for path in paths)


def their_tree(tree: ConfigTree) -> Any:
    """A tree of hier_config with every line: no substitution and no rule of replacement.

    A replaced line is then a removed and an added one, as in a comparison of lines.
    """
    options = {
        **hier_config.options.options_for("ios"),
        "idempotent_commands": [],
        "per_line_sub": [],
    }
    # "ios" as the name of the system drops the remarks of access lists and numbers the entries
    config = hier_config.HConfig(host=hier_config.Host("r1", "generic", options))
    config.load_from_string("".join(f"{line}\n" for line in indented(tree.lines)))
    return config


def their_net(source: ConfigTree, target: ConfigTree) -> set[str]:
    """The net lines of hier_config's commands from one config to the other."""
    before, after = their_tree(source), their_tree(target)
    added, removed = read_commands(before.config_to_get_to(after), before, after, ())
    return {*signed("+", added - removed), *signed("-", removed - added)}


def read_commands(
    commands: Any, before: Any, after: Any, path: Lineage
) -> tuple[Counter[Lineage], Counter[Lineage]]:
    """Added and removed lines of commands; `no` removes the line with all that is under it."""
    added: Counter[Lineage] = Counter()
    removed: Counter[Lineage] = Counter()
    olds, news = by_text(before), by_text(after)
    for command in commands.children:
        text: str = command.text
        other = text.removeprefix("no ") if text.startswith("no ") else f"no {text}"
        if other in olds and other not in news:
            removed.update(their_paths(olds[other], (*path, other)))
        if text in news:
            added.update([(*path, text)] if text not in olds else [])
            inner = read_commands(command, olds.get(text), news[text], (*path, text))
            added += inner[0]
            removed += inner[1]
    return added, removed


def by_text(node: Any) -> dict[str, Any]:
    return {} if node is None else {child.text: child for child in node.children}


def their_paths(node: Any, path: Lineage) -> Iterator[Lineage]:
    yield path
    for child in node.children:
        yield from their_paths(child, (*path, child.text))


@cache
def differences() -> dict[str, frozenset[str]]:
    """Signed lines, by edit, that only one of the two has in its remediation or rollback."""
    found = {}
    for edit in edits():
        try:
            ways = [
                ("remediation", our_net(edit.before, edit.after), edit.before, edit.after),
                ("rollback", our_net(edit.after, edit.restored), edit.after, edit.before),
            ]
            lines = [
                f"{way} {who} {line}"
                for way, ours, source, target in ways
                for theirs in (their_net(source, target),)
                for who, only in (("ours", ours - theirs), ("theirs", theirs - ours))
                for line in only
            ]
        except AssertionError as refusal:  # hier_config's way to refuse a text
            lines = [f"refused: {refusal}"]
        found[edit.name] = frozenset(lines)
    return found


def kind_of(line: str) -> str | None:
    return next(
        (kind.name for kind in kinds() if any(each.fullmatch(line) for each in kind.lines)), None
    )


def test_the_edits_are_those_of_fixtures_with_a_plan_and_three_hundred_made_up_ones() -> None:
    made_up = [edit for edit in edits() if edit.name.startswith("generated")]

    assert len(made_up) == GENERATED
    assert len(edits()) - len(made_up) > 20


def test_most_edits_change_something() -> None:
    changing = [edit for edit in edits() if our_net(edit.before, edit.after)]

    assert len(changing) > len(edits()) / 2


def test_net_lines_of_remediation_and_rollback_are_those_of_hier_config() -> None:
    equal = [name for name, lines in differences().items() if not lines]

    assert len(equal) / len(edits()) >= LEAST_EQUAL_RATIO


def test_every_other_line_is_of_a_listed_kind() -> None:
    unlisted = {
        name: sorted(line for line in lines if kind_of(line) is None)
        for name, lines in differences().items()
    }

    assert {name: lines for name, lines in unlisted.items() if lines} == {}


def test_every_listed_kind_occurs_and_has_a_reason() -> None:
    met = {kind_of(line) for lines in differences().values() for line in lines}

    assert {kind.name for kind in kinds()} <= met, "a kind does not occur any more: strike it"
    assert len(kinds()) <= MOST_KINDS
    assert all(len(kind.reason) > 20 for kind in kinds())
