"""The card prover: each example of a card keeps its promises. For our cards and for users'."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.index import index_of
from advisor.device.reading import Source, read_source
from advisor.device.sources import SourcesInMemory
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config
from advisor.lint.cards import Example, Rule
from advisor.lint.findings import Said
from advisor.lint.judge import finding_of, judge, keys_of
from advisor.lint.prove import prove
from advisor.lint.rulebook import rules_of
from advisor.lint.suppressions import ABOUT_SUPPRESSIONS, honoured
from advisor.lint.trial import Standard, UnprovenError
from advisor.settings import RuleFolder, Settings, SettingsError
from advisor.settings.file import settings_of_text


class CardResult(Struct, frozen=True):
    """Whether the examples of a card hold; `broken` says which promise does not."""

    rule_id: str
    broken: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.broken


def prove_card(rule: Rule, rules: Sequence[Rule], settings: Settings) -> CardResult:
    """Bad is found, good is clean, the remedy is as the card says and cures, rollback restores.

    `rules` is also the catalogue that the remedy must not break.
    """
    broken = [
        f"example {number}: {promise}"
        for number, example in enumerate(rule.card.example, start=1)
        for promise in _broken(rule, example, rules, settings)
    ]
    if not rule.card.example:
        broken.append("the card has no example")
    return CardResult(rule.card.id, tuple(broken))


def broken_promises(folder: Path) -> tuple[str, ...]:
    """Promises of the examples in a folder of rules that do not hold; for a test of the rules.

    Raises
    ------
    AdvisorError
        If a card, a check or a template cannot be used.

    Examples
    --------
    >>> broken_promises(Path("docs/examples/rules"))
    ()
    """
    settings = Settings(rule_folders=(RuleFolder(folder, str(folder)),))
    rules = rules_of(settings)
    results = [prove_card(rule, rules, settings) for rule in rules if rule.is_own]
    return tuple(f"{result.rule_id}: {said}" for result in results for said in result.broken)


def _broken(rule: Rule, example: Example, rules: Sequence[Rule], settings: Settings) -> list[str]:
    try:
        if example.settings is not None:
            settings = settings_of_text(example.settings)
    except SettingsError as wrong:
        return [f"its settings are not understood: {wrong}"]
    bad = _read(example.bad, example, settings)
    hits = [hit for _, hit in judge(bad, [rule]).pairs]
    found = len(hits) + _of_suppressions(bad, rule, rules, settings)
    promises = []
    if found != 1:
        promises.append(f"bad must be found once, is found {found} times")
    if example.good is not None and not _is_clean(rule, example, rules, settings):
        promises.append("good is not clean")
    if example.remedy is None or len(hits) != 1:
        return promises
    known = keys_of(judge(bad, rules).pairs)
    try:
        proven = prove(bad, rule, hits[0], Standard(rules, known, settings.budgets))
    except UnprovenError as failure:
        return [*promises, f"the remedy does not hold: {failure}"]
    if proven.lines != _commands(example.remedy):
        promises.append(f"the remedy is {' / '.join(proven.lines)}")
    cured = proven.trial.after.facts.tree
    if example.good is not None and not same_config(cured, _tree(example.good)):
        promises.append("the remedy does not turn bad into good")
    restored = apply(cured, _tree("\n".join(proven.rollback) + "\n")).tree
    if not same_config(restored, bad.facts.tree):
        promises.append("the rollback does not restore bad")
    return promises


def _is_clean(rule: Rule, example: Example, rules: Sequence[Rule], settings: Settings) -> bool:
    good = _read(example.good or "", example, settings)
    return not judge(good, [rule]).pairs and not _of_suppressions(good, rule, rules, settings)


def _of_suppressions(device: Device, rule: Rule, rules: Sequence[Rule], settings: Settings) -> int:
    """How often a rule about suppressions is broken, by the findings of all rules."""
    if rule.card.id not in ABOUT_SUPPRESSIONS:
        return 0
    hits = judge(device, rules)
    findings = tuple(finding_of(device.name, one, hit, {}) for one, hit in hits.pairs)
    on_a_day = replace(settings, today=settings.today or date.max)
    said = honoured(device, Said(findings, hits.skipped), rules, rules, on_a_day)
    return sum(idle.finding.rule == rule.card.id for idle in said.idle)


def _read(text: str, example: Example, settings: Settings) -> Device:
    """Read the device of an example, among those that stand beside it."""
    source = _source("example", text)
    beside = [_source(f"beside {number}", text) for number, text in enumerate(example.beside, 1)]
    index = index_of(SourcesInMemory((source, *beside)), settings)
    return read_source(source, settings, index.fleet).device


def _source(name: str, text: str) -> Source:
    return Source(name, text.lstrip("\n").encode())


def _tree(text: str) -> ConfigTree:
    return parse_config(text.lstrip("\n"), "example")


def _commands(text: str) -> tuple[str, ...]:
    return tuple(line.rstrip() for line in text.split("\n") if line.strip())
