"""What `rules` and `schema` do."""

from collections.abc import Sequence
from pathlib import Path

from advisor.cli import crash
from advisor.cli.errors import Code
from advisor.cli.output import check, emit, style_of
from advisor.cli.view import View
from advisor.cli.wrong_use import WrongUseError
from advisor.faults import Guard
from advisor.lint.card_proof import CardResult, prove_card
from advisor.lint.cards import catalogue
from advisor.lint.rulebook import rules_of
from advisor.lint.selection import matching
from advisor.quantity import count
from advisor.report import json_report
from advisor.report import rules as of_rules
from advisor.report.printable import printable
from advisor.settings.load import load_settings
from advisor.settings.scenario_schema import scenario_schema
from advisor.settings.values import Flags, Settings


def list_rules(flags: Flags, view: View) -> Code:
    """Print the catalogue, a line for each rule."""
    settings = load_settings(Path.cwd(), flags)
    known = rules_of(settings) if settings.rule_folders else catalogue()
    emit(of_rules.render_list(known, style_of(view)), None)
    return Code.CLEAN


def test_rules(only: Sequence[str], flags: Flags) -> Code:
    """Run the examples of the cards; without names those of the user's, if there are any."""
    rules = rules_of(_folders_of(flags))
    own = [rule.card.id for rule in rules if rule.is_own]
    ids = matching(rules, only or own or ["all"], "--rule")
    guard = Guard()
    results: list[CardResult] = []
    for rule in rules:
        if rule.card.id in ids:
            with guard.around("examples", rule.card.id):
                results.append(prove_card(rule, rules, Settings()))
    lines = [
        line
        for result in results
        for line in (
            f"{'ok  ' if result.ok else 'FAIL'}  {result.rule_id}",
            *_indented(result.broken),
        )
    ]
    lines += crash.reasons(guard.faults)
    failures = sum(not result.ok for result in results)
    lines.append(f"{count(len(results), 'card')}, {failures} failed")
    emit("".join(f"{line}\n" for line in lines), None)
    if guard.faults:
        return Code.INTERNAL
    return Code.FINDINGS if failures else Code.CLEAN


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {printable(line)}" for line in lines]


def rule_docs(flags: Flags, output: Path | None, reference: Path | None) -> Code:
    """Print the catalogue as Markdown, or compare a file with it; of the user's rules, if any."""
    rules = rules_of(_folders_of(flags))
    shown = tuple(rule for rule in rules if rule.is_own) or rules
    return _generated(of_rules.render_pages(shown), output, reference, "rules docs")


def _folders_of(flags: Flags) -> Settings:
    """Built-in settings with the folders of rules: examples and pages are not of one site."""
    stated = load_settings(Path.cwd(), flags)
    return Settings(rule_folders=stated.rule_folders, site=stated.site)


_SCENARIOS = "scenarios"  # the one input that has a schema


def schema(name: str | None, output: Path | None, reference: Path | None) -> Code:
    """Print the JSON Schema of scenario files, of one output or of all, or compare a file with it.

    Raises
    ------
    WrongUseError
        If no command prints such an output.
    """
    if name == _SCENARIOS:
        return _generated(json_report.encoded(scenario_schema()), output, reference, "schema")
    from advisor.report import schema as of_outputs  # noqa: PLC0415 -- loads what all commands load

    names = of_outputs.output_names()
    if name is not None and name not in names:
        known = ", ".join((*names, _SCENARIOS))
        raise WrongUseError(f"schema {name}: unknown; there are {known}")
    shape = of_outputs.output_schemas() if name is None else of_outputs.output_schema(name)
    return _generated(json_report.encoded(shape), output, reference, "schema")


def _generated(text: str, output: Path | None, reference: Path | None, command: str) -> Code:
    if reference is not None:
        return check(text, reference, f"advisor {command}")
    emit(text, output, "utf-8")
    return Code.CLEAN
