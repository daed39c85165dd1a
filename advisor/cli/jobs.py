"""What each command does. Imported by a command when it runs, so that `--help` starts at once."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec, TypeVar

from advisor.audit import Source, read_source
from advisor.card_proof import prove_cards
from advisor.cards.card import CardError, Rule, load_rules
from advisor.cli import prediction_text
from advisor.cli.errors import Code, WrongUseError, say
from advisor.cli.exit_code import NEVER, code_of
from advisor.cli.inputs import STDIN, Inputs, first_folder
from advisor.cli.output import check, emit, style_of
from advisor.cli.selection import matching, resolved
from advisor.cli.view import View
from advisor.findings import Finding, Level, Severity, Verdict
from advisor.ios.edit import apply
from advisor.ios.reader import parse_config
from advisor.prove import review
from advisor.report import (
    concise,
    json_report,
    rule_pages,
    rule_text,
    settings_text,
    snippet,
    text,
)
from advisor.report.printable import printable
from advisor.report.style import count
from advisor.settings import Budgets, Flags, Settings, SettingsError
from advisor.settings_file import load_settings
from advisor.what_if import InputError, predict_sources

P = ParamSpec("P")
R = TypeVar("R")


def _says_what_is_wrong(job: Callable[P, R]) -> Callable[P, R]:
    """Let the errors that a user can do something about end as wrong use."""

    @functools.wraps(job)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return job(*args, **kwargs)
        except (SettingsError, InputError, CardError) as error:
            raise WrongUseError(printable(str(error))) from error

    return wrapped


@_says_what_is_wrong
def lint(paths: Sequence[str], flags: Flags, view: View) -> Code:
    """Judge files and print the report."""
    settings = load_settings(first_folder(paths), flags)
    rules = load_rules(settings.budgets)
    inputs = Inputs(paths)
    verdict = _reviewed(inputs, rules, resolved(rules, settings, flags))
    shown = _shown(verdict, Severity(view.severity))
    inputs.warn(quiet=view.quiet)
    if hidden := len(verdict.findings) - len(shown.findings):
        say(f"{count(hidden, 'finding')} below {view.severity} not shown")
    _emit(_report(shown, view), view)
    return _code(verdict, rules, settings.fail_on, inputs)


def _shown(verdict: Verdict, mildest: Severity) -> Verdict:
    findings = tuple(each for each in verdict.findings if each.severity.rank <= mildest.rank)
    return replace(verdict, findings=findings)


def _reviewed(inputs: Inputs, rules: Sequence[Rule], settings: Settings) -> Verdict:
    verdict = review(inputs.sources(), rules, settings)
    unread = (*inputs.unreadable, *inputs.declined)
    return replace(verdict, incomplete=(*verdict.incomplete, *unread))


def _code(verdict: Verdict, rules: Sequence[Rule], fail_on: str, inputs: Inputs) -> Code:
    incomplete = [rule.card.id for rule in rules if rule.card.incomplete]
    return code_of(verdict, incomplete, fail_on, bad_path=bool(inputs.unreadable))


def _report(verdict: Verdict, view: View) -> str:
    if view.form == "json":
        return json_report.render(verdict)
    render = concise.render if view.form == "concise" else text.render
    return render(verdict, style_of(view), quiet=view.quiet)


def _emit(report: str, view: View) -> None:
    emit(report, view.output, "utf-8" if view.form == "json" else None)


@_says_what_is_wrong
def fix(
    paths: Sequence[str], flags: Flags, view: View, only: Sequence[str], level: str | None
) -> Code:
    """Print the remedies of what is found."""
    settings = load_settings(first_folder(paths), flags)
    rules = load_rules(settings.budgets)
    wanted = matching(rules, only or ["all"], "--rule")
    inputs = Inputs(paths)
    sources = list(inputs.sources())
    verdict = review(sources, rules, resolved(rules, settings, flags))
    inputs.warn(quiet=view.quiet)
    verdict = replace(verdict, incomplete=(*verdict.incomplete, *inputs.declined))
    findings = [each for each in verdict.findings if _asked_for(each, wanted, level)]
    if view.form == "json":
        _emit(snippet.render_json(findings), view)
    elif view.form == "diff":
        _emit(snippet.render_diff(_edits(sources, findings, settings)), view)
    else:
        _emit(snippet.render_ios(findings), view)
    if not view.quiet:
        say(count(len(findings), "remedy", "remedies"))
    return _code(verdict, rules, NEVER, inputs)


def _asked_for(finding: Finding, wanted: Sequence[str], level: str | None) -> bool:
    if finding.remedy is None or finding.rule not in wanted:
        return False
    levels = list(Level)
    return level is None or levels.index(finding.remedy.level) <= levels.index(Level(level))


def _edits(
    sources: Sequence[Source], findings: Sequence[Finding], settings: Settings
) -> list[snippet.Edited]:
    """Give the remedies of each file to its config, one after the other."""
    edited = []
    for source in sources:
        before = after = read_source(source, settings).device.facts.tree
        for finding in findings:
            if finding.remedy is None or finding.locations[:1] == ():
                continue
            if finding.locations[0].file == source.name:
                lines = "".join(f"{line}\n" for line in finding.remedy.lines)
                applied = apply(after, parse_config(lines, "remedy"))
                after = after if applied.refused else applied.tree
        edited.append(snippet.Edited(source.name, before.text(), after.text()))
    return edited


@_says_what_is_wrong
def predict(
    path: str, flags: Flags, view: View, interface: str | None, overrides: Sequence[str]
) -> Code:
    """Print the predictions of one file."""
    moved = _key_values(overrides)
    settings = load_settings(first_folder([path]), flags)
    if path != STDIN and Path(path).is_dir():
        raise WrongUseError(f"{path}: is a folder; predict takes one file")
    inputs = Inputs([path])
    sources = list(inputs.sources())
    if not sources:
        raise WrongUseError("; ".join((*inputs.unreadable, *inputs.declined)))
    if len(sources) > 1:
        raise WrongUseError(f"{path}: names {len(sources)} files; predict takes one")
    predictions = predict_sources(sources[0], settings, interface, moved)
    as_json = view.form == "json"
    _emit(
        json_report.encoded(predictions)
        if as_json
        else prediction_text.render(predictions, style_of(view)),
        view,
    )
    return Code.CLEAN


def _key_values(overrides: Sequence[str]) -> Mapping[str, str]:
    moved: dict[str, str] = {}
    for each in overrides:
        key, equals, value = each.partition("=")
        if not equals:
            raise WrongUseError(f"--set {each}: write KEY=VALUE, like tx-ring-limit=5")
        moved[key.strip()] = value.strip()
    return moved


@_says_what_is_wrong
def explain(name: str, flags: Flags, view: View) -> Code:
    """Print why a rule exists, with the parameters in force."""
    rules = load_rules(load_settings(Path.cwd(), flags).budgets)
    ids = matching(rules, [name], "explain")
    chosen = [rule for rule in rules if rule.card.id in ids]
    emit("\n".join(rule_text.render_explanation(rule, style_of(view)) for rule in chosen), None)
    return Code.CLEAN


@_says_what_is_wrong
def list_rules(view: View) -> Code:
    """Print the catalogue, a line for each rule."""
    rules = load_rules(Budgets())
    emit(rule_text.render_list(rules, style_of(view)), None)
    return Code.CLEAN


@_says_what_is_wrong
def test_rules(only: Sequence[str]) -> Code:
    """Run the examples of the cards."""
    rules = load_rules(Budgets())
    wanted = matching(rules, only or ["all"], "--rule")
    results = [each for each in prove_cards(rules, Settings()) if each.rule_id in wanted]
    lines = [
        line
        for each in results
        for line in (f"{'ok  ' if each.ok else 'FAIL'}  {each.rule_id}", *_indented(each.broken))
    ]
    failed = sum(not each.ok for each in results)
    lines.append(f"{count(len(results), 'card')}, {failed} failed")
    emit("".join(f"{line}\n" for line in lines), None)
    return Code.FINDINGS if failed else Code.CLEAN


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"        {printable(line)}" for line in lines]


@_says_what_is_wrong
def rule_docs(output: Path | None, against: Path | None) -> Code:
    """Print the catalogue as Markdown, or compare a file with it."""
    return _generated(rule_pages.render(load_rules(Budgets())), output, against, "rules docs")


def schema(output: Path | None, against: Path | None) -> Code:
    """Print the JSON Schema of the report, or compare a file with it."""
    text_of_schema = json_report.encoded(json_report.report_schema())
    return _generated(text_of_schema, output, against, "schema")


def _generated(text_now: str, output: Path | None, against: Path | None, command: str) -> Code:
    if against is not None:
        return check(text_now, against, f"advisor {command}")
    emit(text_now, output, "utf-8")
    return Code.CLEAN


@_says_what_is_wrong
def show_settings(flags: Flags) -> Code:
    """Print the settings in force."""
    settings = load_settings(Path.cwd(), flags)
    emit(settings_text.render(settings), None)
    return Code.CLEAN
