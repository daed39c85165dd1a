"""Jobs of `inspect`, `redact`, `schema`, `config show` and the commands on rules."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict

from advisor import api
from advisor.cli import endings
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import (
    InitConfig,
    Inspect,
    ListRules,
    NewRule,
    Redact,
    RuleDocs,
    Schema,
    ShowConfig,
    TestRules,
)
from advisor.cli.options import (
    check,
    emit,
    flags_of,
    render_options_of,
    say_what_is_not_read,
    show,
    style_of,
    view_of,
)
from advisor.cli.process import Code, say
from advisor.device.coverage import FileCoverage, nothing_judged
from advisor.device.index import read_devices
from advisor.device.inputs import Inputs
from advisor.device.inspection import Record, inspect_device, inspect_output, parts, without_secrets
from advisor.device.reading import Reading, Source
from advisor.ground.assets import filled
from advisor.ground.bounded import LARGEST_BYTES, read_file
from advisor.ground.faults import Guard
from advisor.ground.quantity import count
from advisor.lint.card_proof import CardResult, broken_promises, prove_card
from advisor.lint.cards import catalogue, load_rules
from advisor.lint.coverage import described_outputs, device_coverage, wanted_by
from advisor.lint.rulebook import (
    is_asked_for,
    matching,
    of_device,
    resolved,
    rules_of,
    without_device,
)
from advisor.report import json_report, printable, settings_text
from advisor.report import rules as of_rules
from advisor.report.formats import INSPECTIONS
from advisor.report.inspection_text import no_such_output
from advisor.settings import PROFILES, Budgets, Settings
from advisor.settings.read_scenarios import scenario_schema
from advisor.settings.tables import unknown_profile

# Jobs that print what was read of devices and run no rule.


def inspect(options: Inspect) -> Code:
    """Print what was understood of each device, or of its outputs of one command.

    Raises
    ------
    WrongUseError
        If no device has a name that is asked for, or none has the output.
    """
    command = options.command
    wanted = wanted_by(load_rules(Budgets()))
    records: list[Record] = []
    captured: dict[str, None] = {}

    def look(reading: Reading) -> None:
        coverage = device_coverage(reading.device, wanted)
        captured.update(dict.fromkeys(coverage.captured))
        if command is None:
            points = described_outputs(reading.device)
            records.append(inspect_device(reading, coverage.missing, points))
        elif (record := inspect_output(reading, command)) is not None:
            records.append(record)

    view = view_of(options)
    code = _look_at_each(options, look)
    if command is not None and not records and code is not Code.INTERNAL:
        raise WrongUseError(no_such_output(command, captured))
    show(INSPECTIONS.render(records, view.form, render_options_of(view)), view)
    return code


def say_parts(sources: Iterable[Source], guard: Guard) -> None:
    """Say on standard error what each part of the inputs was taken for."""
    for source in sources:
        with guard.around(source.name):
            for part in parts(source):
                say(printable(part.said))


def _look_at_each(options: Inspect, look: Callable[[Reading], None]) -> Code:
    """Call `look` with each device that is asked for.

    Returns the exit code that the inputs and the devices give.
    """
    stated = api.settings_of(flags_of(options), options.paths)
    settings = Settings(platforms=stated.platforms, rates=stated.rates, devices=stated.devices)
    guard = Guard()
    inputs = Inputs(options.paths, guard, stated.exclude)
    incomplete = False
    names: list[str] = []
    files: list[FileCoverage] = []
    for reading in read_devices(inputs, settings, guard):
        names.append(reading.device.name)
        files += reading.coverage
        if not is_asked_for(reading.device.name, settings):
            continue
        incomplete = incomplete or bool(reading.incomplete)
        with guard.around(reading.device.facts.tree.file):
            look(reading)
    say_what_is_not_read(inputs, view_of(options))
    failed = endings.report_faults(guard.faults)
    for reason in failed:
        say(reason)
    absent = next(without_device(settings.devices, names, ()), None)
    if absent is not None:
        raise WrongUseError(printable(absent))
    if failed:
        return Code.INTERNAL
    if inputs.unreadable:
        return Code.WRONG_USE
    for reason in nothing_judged(files):
        say(reason)
        incomplete = True
    return Code.INCOMPLETE if incomplete or inputs.declined else Code.CLEAN


def redact(options: Redact) -> Code:
    """Print a file without secrets.

    Raises
    ------
    WrongUseError
        If it cannot be read.
    """
    path = options.path
    try:
        payload = read_file(path, LARGEST_BYTES)
    except OSError as error:
        raise WrongUseError(f"{path}: cannot be read: {error.strerror}") from None
    emit(without_secrets(payload, path), options.output, "utf-8")
    return Code.CLEAN


# Jobs of the commands on rules, of `schema` and of `config show`.

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
    lines += endings.report_faults(guard.faults)
    failures = sum(not result.ok for result in results)
    lines.append(f"{count(len(results), 'card')}, {failures} failed")
    emit("".join(f"{line}\n" for line in lines), None)
    if guard.faults:
        return Code.INTERNAL
    return Code.FINDINGS if failures else Code.CLEAN


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {printable(line)}" for line in lines]


def rule_docs(options: RuleDocs) -> Code:
    """Print the catalogue as Markdown, or compare a file with it; only the user's rules, if any."""
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
        own, settings = of_device(rules, settings, options.device)
        rules = tuple(own)
    emit(settings_text.render(settings, rules if options.verbose else ()), None)
    return Code.CLEAN


def init_config(options: InitConfig) -> Code:
    """Write a settings file whose values are those of a profile.

    Raises
    ------
    WrongUseError
        If the file exists.
    SettingsError
        If there is no such profile.
    """
    output = options.output
    if output is not None and output.exists():
        raise WrongUseError(printable(f"config init: {output} exists; name another by --output"))
    profile = options.profile or Settings().profile
    if profile not in PROFILES:
        raise unknown_profile(profile, PROFILES)
    budgets = [row for row in asdict(PROFILES[profile]).items() if row[1] is not None]
    text = filled(
        "settings/advisor.toml.j2", profile=profile, profiles=list(PROFILES), budgets=budgets
    )
    emit(text, output)
    if output is not None:
        emit(f"{printable(str(output))} written\n", None)
    return Code.CLEAN


def new_rule(options: NewRule) -> Code:
    """Write the files of a rule; none that exists is touched.

    Raises
    ------
    WrongUseError
        If the name is not like one, is taken, or a file exists.
    """
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
    kind = "declared" if is_declared else "python"

    def text(template: str) -> str:
        return filled(f"new-rule/{template}", id=id_, name=name)

    yield folder / f"{id_}-{name}.toml", text(f"{kind}/card.toml.j2")
    if not is_declared:
        yield folder / f"{name.replace('-', '_')}.py", text(f"{kind}/check.py.j2")
    yield folder / "templates/remedy" / f"{name}.j2", text(f"{kind}/remedy.j2.j2")
    yield folder / _TEST, text("test.py.j2")
