"""What the commands on rules, `schema` and `config show` do."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from advisor import api
from advisor.assets import asset_dir
from advisor.cli import endings
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import ListRules, NewRule, RuleDocs, Schema, ShowConfig, TestRules
from advisor.cli.options import flags_of, view_of
from advisor.cli.output import check, emit, style_of
from advisor.cli.process import Code
from advisor.faults import Guard
from advisor.lint.card_proof import CardResult, prove_card
from advisor.lint.cards import catalogue
from advisor.lint.rulebook import of_device, resolved, rules_of
from advisor.lint.selection import matching
from advisor.quantity import count
from advisor.report import json_report, settings_text
from advisor.report import rules as of_rules
from advisor.report.printable import printable
from advisor.settings.read_scenarios import scenario_schema
from advisor.settings.values import Settings

_TITLE: Final = re.compile(r"([A-Z]{1,6}[0-9]{3})-([a-z0-9]+(?:-[a-z0-9]+)*)")
_TEST: Final = "test_rules.py"


def list_rules(options: ListRules) -> Code:
    """Print the catalogue, a line for each rule."""
    settings = api.settings_of(flags_of(options))
    known = rules_of(settings) if settings.rule_folders else catalogue()
    emit(of_rules.render_list(known, style_of(view_of(options))), None)
    return Code.CLEAN


def test_rules(options: TestRules) -> Code:
    """Run the examples of the cards; without names those of the user's, if there are any."""
    rules = rules_of(_folders_of(options))
    own = [rule.card.id for rule in rules if rule.is_own]
    ids = matching(rules, options.only or own or ["all"], "--rule")
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
    lines += endings.reasons(guard.faults)
    failures = sum(not result.ok for result in results)
    lines.append(f"{count(len(results), 'card')}, {failures} failed")
    emit("".join(f"{line}\n" for line in lines), None)
    if guard.faults:
        return Code.INTERNAL
    return Code.FINDINGS if failures else Code.CLEAN


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {printable(line)}" for line in lines]


def rule_docs(options: RuleDocs) -> Code:
    """Print the catalogue as Markdown, or compare a file with it; of the user's rules, if any."""
    rules = rules_of(_folders_of(options))
    shown = tuple(rule for rule in rules if rule.is_own) or rules
    return _generated(of_rules.render_pages(shown), options.output, options.reference, "rules docs")


def _folders_of(options: Struct) -> Settings:
    """Built-in settings with the folders of rules: examples and pages are not of one site."""
    stated = api.settings_of(flags_of(options))
    return Settings(rule_folders=stated.rule_folders, site=stated.site)


_SCENARIOS = "scenarios"  # the one input that has a schema


def schema(options: Schema) -> Code:
    """Print the JSON Schema of scenario files, of one output or of all, or compare a file with it.

    Raises
    ------
    WrongUseError
        If no command prints such an output.
    """
    name, output, reference = options.name, options.output, options.reference
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


def show_config(options: ShowConfig) -> Code:
    """Print the settings in force, for all devices or for one."""
    settings = api.settings_of(flags_of(options))
    rules = rules_of(settings)
    resolved(rules, settings)  # what cannot be used is said here, too
    if options.device is not None:
        of_rules, settings = of_device(rules, settings, options.device)
        rules = tuple(of_rules)
    emit(settings_text.render(settings, rules if options.verbose else ()), None)
    return Code.CLEAN


def new_rule(options: NewRule) -> Code:
    """Write the files of a rule; none that exists is touched.

    Raises
    ------
    WrongUseError
        If the name is not like one, is taken, or a file exists.
    """
    from advisor.checks import broken_promises  # noqa: PLC0415 -- it runs tests

    title, folder = options.title, options.folder
    if (match := _TITLE.fullmatch(title)) is None:
        example = "X001-no-cdp-on-wan: capitals and three digits, then a name in small letters"
        raise WrongUseError(printable(f"rules new {title}: write it like {example}"))
    id_, name = match.groups()
    for entry in catalogue():
        if entry.card.id == id_ or entry.card.name == name:
            raise WrongUseError(f"rules new {title}: {entry.card.id} {entry.card.name} is ours")
    files = dict(_files(id_, name, folder, is_declared=options.is_declared))
    for path in files:
        if path.exists() and path.name != _TEST:
            raise WrongUseError(printable(f"rules new {title}: {path} exists"))
    for path, text in files.items():
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            emit(text, path)
            emit(f"{printable(str(path))}\n", None)
    broken = broken_promises(folder)
    emit("".join(f"{printable(line)}\n" for line in broken), None)
    emit(f"try it: advisor rules test --rules {printable(str(folder))}\n", None)
    return Code.FINDINGS if broken else Code.CLEAN


def _files(id_: str, name: str, folder: Path, *, is_declared: bool) -> Iterator[tuple[Path, str]]:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    environment = Environment(  # noqa: S701 -- TOML, Python and IOS, not HTML
        loader=FileSystemLoader(asset_dir("templates") / "new-rule"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    kind = "declared" if is_declared else "python"

    def text(template: str) -> str:
        return environment.get_template(template).render(id=id_, name=name)

    yield folder / f"{id_}-{name}.toml", text(f"{kind}/card.toml.j2")
    if not is_declared:
        yield folder / f"{name.replace('-', '_')}.py", text(f"{kind}/check.py.j2")
    yield folder / "templates/remedy" / f"{name}.j2", text(f"{kind}/remedy.j2.j2")
    yield folder / _TEST, text("test.py.j2")
