"""What `lint` and `fix` do. Imported when they run, so that `--help` starts at once."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.cards.card import CardError, Rule, load_rules
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import NEVER, code_of
from advisor.cli.inputs import Inputs, first_folder
from advisor.cli.output import show, style_of
from advisor.cli.selection import matching, resolved
from advisor.cli.view import View
from advisor.cli.wrong_use import says_what_is_wrong
from advisor.findings import Finding, Level, Severity, Verdict
from advisor.ios.edit import apply
from advisor.ios.reader import parse_config
from advisor.prove import review
from advisor.reading import Source, read_source
from advisor.report import concise, json_report, snippet, text
from advisor.report.style import count
from advisor.settings import Flags, Settings, SettingsError
from advisor.settings_file import load_settings


@says_what_is_wrong(SettingsError, CardError)
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
    show(_report(shown, view), view)
    return _code(verdict, rules, settings.fail_on, inputs)


def _shown(verdict: Verdict, mildest: Severity) -> Verdict:
    findings = tuple(each for each in verdict.findings if each.severity.rank <= mildest.rank)
    return replace(verdict, findings=findings)


def _reviewed(inputs: Inputs, rules: Sequence[Rule], settings: Settings) -> Verdict:
    verdict = review(inputs, rules, settings)
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


@says_what_is_wrong(SettingsError, CardError)
def fix(
    paths: Sequence[str], flags: Flags, view: View, only: Sequence[str], level: str | None
) -> Code:
    """Print the remedies of what is found."""
    settings = load_settings(first_folder(paths), flags)
    rules = load_rules(settings.budgets)
    wanted = matching(rules, only or ["all"], "--rule")
    inputs = Inputs(paths)
    verdict = review(inputs, rules, resolved(rules, settings, flags))
    inputs.warn(quiet=view.quiet)
    verdict = replace(verdict, incomplete=(*verdict.incomplete, *inputs.declined))
    findings = [each for each in verdict.findings if _asked_for(each, wanted, level)]
    if view.form == "json":
        show(snippet.render_json(findings), view)
    elif view.form == "diff":
        show(snippet.render_diff(_edits(inputs, findings, settings)), view)
    else:
        show(snippet.render_ios(findings), view)
    if not view.quiet:
        say(count(len(findings), "remedy", "remedies"))
    return _code(verdict, rules, NEVER, inputs)


def _asked_for(finding: Finding, wanted: Sequence[str], level: str | None) -> bool:
    if finding.remedy is None or finding.rule not in wanted:
        return False
    levels = list(Level)
    return level is None or levels.index(finding.remedy.level) <= levels.index(Level(level))


def _edits(
    sources: Iterable[Source], findings: Sequence[Finding], settings: Settings
) -> list[snippet.Edited]:
    """Give the remedies of each file to its config, one after the other."""
    edited = []
    for source in sources:
        before = after = read_source(source, settings).device.facts.tree
        for finding in findings:
            if finding.remedy is None or finding.locations[:1] == ():
                continue
            if finding.locations[0].file == before.file:
                lines = "".join(f"{line}\n" for line in finding.remedy.lines)
                applied = apply(after, parse_config(lines, "remedy"))
                after = after if applied.refused else applied.tree
        edited.append(snippet.Edited(before.file, before.text(), after.text()))
    return edited
