"""What `fix` does."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from advisor.cli import crash
from advisor.cli.errors import Code, say
from advisor.cli.exit_code import NEVER
from advisor.cli.inputs import Inputs, first_folder
from advisor.cli.judge_jobs import exit_code
from advisor.cli.output import show
from advisor.cli.selection import matching, resolved
from advisor.cli.view import View
from advisor.device.device import Device
from advisor.device.reading import Source, read_devices
from advisor.faults import Guard
from advisor.ios.edit.apply import apply
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import Rule, load_rules
from advisor.lint.findings import Finding, Level, Remedy
from advisor.lint.judge import judge, sound, with_tree
from advisor.lint.prove import keys_of, remedy_of, review
from advisor.report import snippet
from advisor.settings.load import load_settings
from advisor.settings.values import Flags, Settings
from advisor.wording import count


def fix(
    paths: Sequence[str], flags: Flags, view: View, only: Sequence[str], level: str | None
) -> Code:
    """Print the remedies of what is found."""
    settings = load_settings(first_folder(paths), flags)
    rules = load_rules(settings.budgets)
    wanted = matching(rules, only or ["all"], "--rule")
    guard = Guard()
    inputs = Inputs(paths, guard)
    verdict = review(inputs, rules, resolved(rules, settings, flags), guard)
    inputs.warn(quiet=view.quiet)
    findings = [each for each in verdict.findings if _asked_for(each, wanted, level)]
    findings, edited = _in_order(inputs, findings, rules, settings, guard)
    failed = crash.reasons(guard.faults)
    for reason in failed:
        say(reason)
    verdict = replace(verdict, incomplete=(*failed, *verdict.incomplete, *inputs.declined))
    if view.form == "json":
        show(snippet.render_json(findings), view)
    elif view.form == "diff":
        show(snippet.render_diff(edited), view)
    else:
        show(snippet.render_ios(findings), view)
    if not view.quiet:
        pasted = snippet.pasted(findings)
        advised = len(findings) - pasted
        say(f"{count(pasted, 'remedy', 'remedies')} to paste, {advised} by hand")
    return exit_code(verdict, rules, NEVER, inputs, guard)


def _asked_for(finding: Finding, wanted: Sequence[str], level: str | None) -> bool:
    if finding.remedy is None or finding.rule not in wanted:
        return False
    levels = list(Level)
    return level is None or levels.index(finding.remedy.level) <= levels.index(Level(level))


def _in_order(
    sources: Iterable[Source],
    findings: Sequence[Finding],
    rules: Sequence[Rule],
    settings: Settings,
    guard: Guard,
) -> tuple[list[Finding], list[snippet.Edited]]:
    """The remedies of each device as they stand when pasted one after the other.

    Each is proven anew on the config with those before it, beside what other files show of the
    device; one whose finding an earlier remedy cures gives no lines.
    """
    ordered: list[Finding] = []
    edited: list[snippet.Edited] = []
    for reading in read_devices(sources, settings, guard):
        before = reading.device.facts.tree
        with guard.around(before.file):
            files = {before.file, *(each.file for each in reading.coverage)}
            mine = [each for each in findings if each.locations and each.locations[0].file in files]
            given, device = _pasted(reading.device, mine, sound(reading.device, rules, guard))
            ordered += given
            edited.append(snippet.Edited(before.file, before.text(), device.facts.tree.text()))
    placed = set(map(id, ordered))
    loose = [each for each in findings if not each.locations or each.remedy is None]
    return [*ordered, *(each for each in loose if id(each) not in placed)], edited


def _pasted(
    device: Device, findings: Sequence[Finding], rules: Sequence[Rule]
) -> tuple[list[Finding], Device]:
    """Remedies of one device one after the other, and the device with all of them."""
    pasted = []
    for finding in findings:
        given, device = _given(device, finding, rules)
        pasted.append(given)
    return pasted, device


def _given(device: Device, finding: Finding, rules: Sequence[Rule]) -> tuple[Finding, Device]:
    """A remedy proven anew after those before it, and the device with it."""
    if finding.remedy is None or not finding.remedy.lines:
        return finding, device
    hits = judge(device, rules)
    key = (finding.rule, finding.object)
    left = [(rule, hit) for rule, hit in hits.found if (rule.card.id, hit.object) == key]
    if not left:
        cured = Remedy(Level.MANUAL, advice="cured by a remedy above")
        return replace(finding, remedy=cured), device
    remedy = remedy_of(device, *left[0], rules, keys_of(hits.found))
    lines = parse_config("".join(f"{line}\n" for line in remedy.lines), "remedy")
    after = with_tree(device, apply(device.facts.tree, lines).tree) if remedy.lines else device
    return replace(finding, remedy=remedy), after
