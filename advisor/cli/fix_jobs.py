"""What `fix` does."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from advisor.cards.card import CardError, load_rules
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import NEVER
from advisor.cli.inputs import Inputs, first_folder
from advisor.cli.judge_jobs import exit_code
from advisor.cli.output import show
from advisor.cli.selection import matching, resolved
from advisor.cli.view import View
from advisor.cli.wrong_use import says_what_is_wrong
from advisor.findings import Finding, Level
from advisor.ios.edit import apply
from advisor.ios.reader import parse_config
from advisor.prove import review
from advisor.reading import Source, read_source
from advisor.report import snippet
from advisor.report.style import count
from advisor.settings import Flags, Settings, SettingsError
from advisor.settings_file import load_settings


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
    return exit_code(verdict, rules, NEVER, inputs)


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
