"""Findings that the user accepts: comments of configurations, and `[[suppress]]` tables."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.records import picked
from advisor.ios.syntax import ConfigTree, Line, LineKind, Location
from advisor.ios.syntax.reader import WORD, directive_of, without_directive
from advisor.lint.cards import Rule, is_named
from advisor.lint.checks.base import Hit
from advisor.lint.checks.sup import Expired, Unused
from advisor.lint.findings import (
    Confidence,
    Finding,
    Honoured,
    Idle,
    Level,
    ObjectKind,
    Place,
    Remedy,
    Said,
    Suppressed,
)
from advisor.lint.judge import finding_of
from advisor.settings import Settings, StatedSuppression
from advisor.settings.document import nearest
from advisor.settings.tables import NO_REASON

# Comments of a configuration that suppress findings: `! advisor: ignore[TXR001] reason`.

_MOST_RULES = 50  # in one comment: more are no work of a person
# A word with digits ends the reason, or is like a date in it.
_UNTIL = re.compile(
    r"(?<!\S)until\s+(?P<date>[\d<]\S*(?=\s*$)|\d+[-./]\d+[-./]\d+(?![^\s,;.)]))[,;.)]?",
    re.ASCII | re.IGNORECASE,
)
_HOW = "write ! advisor: ignore[TXR001] reason until 2027-01-31"


class InlineSuppression(Struct, frozen=True):
    """A comment that suppresses what is found on some lines.

    `shown` is the comment without its reason, `rules` are ids, names or prefixes as written. It
    holds from line `first` to `last`: those of the command that it stands behind, or of the next
    one, with the section that it opens. `path` are the lines that lead to that command. `fault`
    says why it is not understood: then it suppresses nothing. It holds until the end of `until`.
    """

    at: Location
    shown: str
    path: tuple[str, ...]
    first: int
    last: int
    rules: tuple[str, ...] = ()
    reason: str | None = None
    until: date | None = None
    fault: str | None = None


class _Said(Struct, frozen=True):
    rules: tuple[str, ...] = ()
    reason: str | None = None
    until: date | None = None
    fault: str | None = None


def inline_suppressions(tree: ConfigTree) -> Iterator[InlineSuppression]:
    """The comments of a configuration, in their order."""
    waiting: list[tuple[Line, str]] = []  # comments without a command yet
    for line, path in _with_paths(tree):
        if line.kind is LineKind.COMMENT:
            said = directive_of(line.text)
            if said is not None:
                waiting.append((line, said))
        elif line.is_command:
            directives = [*waiting]
            if line.kind is LineKind.COMMAND and (said := without_directive(line.raw.strip())[1]):
                directives.append((line, said))
            for comment, words in directives:
                yield _suppression(tree, comment, words, line, path)
            waiting = []
    for comment, words in waiting:
        yield _suppression(tree, comment, words, comment, ())


def _with_paths(tree: ConfigTree) -> Iterator[tuple[Line, tuple[str, ...]]]:
    """Every line with the commands that lead to it and itself; iterative, as depth has no limit."""
    stack: list[tuple[Line, tuple[str, ...]]] = [(line, ()) for line in reversed(tree.lines)]
    while stack:
        line, above = stack.pop()
        path = (*above, line.text)
        yield line, path
        stack += [(child, path) for child in reversed(line.children)]


def _suppression(
    tree: ConfigTree, comment: Line, words: str, command: Line, path: tuple[str, ...]
) -> InlineSuppression:
    said = _said(words)
    last = max(line.number for line in command.walk())
    if command is comment:
        said = _Said(fault="no command follows it") if not path else said
    return picked(
        InlineSuppression,
        said,
        at=tree.at(comment),
        shown=f"! {WORD} ignore[{', '.join(said.rules)}]",
        path=path,
        first=command.number,
        last=last,
    )


def _said(words: str) -> _Said:
    verb, opened, rest = words.partition("[")
    listed, closed, reason = rest.partition("]")
    rules = tuple(word for word in listed.replace(",", " ").split() if word)
    if verb.strip() != "ignore" or not opened or not closed or not rules:
        return _Said(fault=f"it is not understood: {_HOW}")
    if len(rules) > _MOST_RULES:
        return _Said(fault=f"it names more than {_MOST_RULES} rules")
    reason = reason.strip()
    if reason == NO_REASON:
        return _Said(fault=f"its reason is still `{NO_REASON}`: write why it is accepted")
    dated = _UNTIL.search(reason)
    if dated is None:
        return _Said(rules, reason or None)
    try:
        until = date.fromisoformat(dated["date"])
    except ValueError:
        return _Said(fault=f"{dated['date']} is no date like 2027-01-31")
    others = f"{reason[: dated.start()].rstrip()} {reason[dated.end() :].lstrip()}".strip()
    return _Said(rules, others or None, until)


# Findings that comments and tables accept, and those about comments and tables without effect.

UNUSED: Final = "SUP001"
EXPIRED: Final = "SUP002"
ABOUT_SUPPRESSIONS: Final = (UNUSED, EXPIRED)
_STEP: Final = " > "


class _Lines(Struct, frozen=True):
    """The lines that a comment is about."""

    file: str
    first: int
    last: int

    def holds(self, finding: Finding) -> bool:
        return any(
            place.file == self.file and self.first <= place.line <= self.last
            for place in finding.locations
        )


class _Objects(Struct, frozen=True):
    """The objects that a table is about: globs of the first steps of their paths."""

    path: str

    def holds(self, finding: Finding) -> bool:
        return leads_to(self.path, finding.object)


class _Suppression(Struct, frozen=True):
    """One word of a comment or of a table, the ids of its rules, and how a report names it."""

    word: str
    rules: frozenset[str]
    about: _Lines | _Objects
    fault: str | None
    words: str
    accepted: Suppressed
    device: str
    object: str
    object_kind: ObjectKind
    place: Place

    @property
    def key(self) -> str:
        return f"{self.accepted.by} {self.word}"

    def has_expired(self, today: date | None) -> bool:
        until = self.accepted.until
        return until is not None and today is not None and until < today

    def holds(self, finding: Finding) -> bool:
        return finding.rule in self.rules and self.about.holds(finding)


def leads_to(path: str, object_path: str) -> bool:
    """Whether globs are the first steps of the path of an object; empty: of any."""
    if not path:
        return True
    globs, own = path.lower().split(_STEP), object_path.lower().split(_STEP)
    return len(globs) <= len(own) and all(map(fnmatchcase, own, globs))


def honoured(
    device: Device,
    said: Said,
    rules: Sequence[Rule],
    selected: Sequence[Rule],
    settings: Settings,
) -> Honoured:
    """Suppress findings of a device, and say which suppressions have no effect.

    Parameters
    ----------
    device
        The device that was judged.
    said
        Findings and skips of the device.
    rules
        The catalogue, which names of rules are looked for in.
    selected
        Rules that were asked for: nothing can be found of others.
    settings
        Settings in force, with the tables and the day.
    """
    known = (*_comments(device, rules), *_tables(device, rules, settings.suppress))
    in_force = [item for item in known if not item.fault and not item.has_expired(settings.today)]
    findings: list[Finding] = []
    used: dict[str, None] = {}
    for finding in said.findings:
        holding = [item for item in in_force if item.holds(finding)]
        used.update((item.key, None) for item in holding)
        suppressed = holding[0].accepted if holding else None
        findings.append(replace(finding, suppressed=suppressed) if suppressed else finding)
    judged = {rule.card.id: rule for rule in selected}
    unsure = {skip.rule for skip in said.skipped}
    idle = [
        _said_of(item, judged[rule_id], evidence)
        for item in known
        if item.key not in used
        and (evidence := _without_effect(item, judged, unsure, settings.today)) is not None
        and (rule_id := EXPIRED if isinstance(evidence, Expired) else UNUSED) in judged
    ]
    return Honoured(tuple(findings), tuple(used), tuple(idle))


def _comments(device: Device, rules: Sequence[Rule]) -> Iterator[_Suppression]:
    """Comments stand first: they are nearer to what they are about."""
    for comment in inline_suppressions(device.facts.tree):
        for word in comment.rules or ("",):
            ids = _ids(word, rules)
            yield _Suppression(
                word,
                ids,
                _Lines(comment.at.file, comment.first, comment.last),
                comment.fault or (None if ids else _unknown(word, rules)),
                f"ignore[{word}]" if word else "the comment",
                Suppressed(str(comment.at), comment.reason, comment.until),
                device.name,
                _STEP.join(comment.path) or f"the end of {comment.at.file}",
                ObjectKind.SECTIONS if comment.path else ObjectKind.NAME,
                Place(comment.at.file, comment.at.line, comment.shown),
            )


def _tables(
    device: Device, rules: Sequence[Rule], tables: Iterable[StatedSuppression]
) -> Iterator[_Suppression]:
    for table in tables:
        if not fnmatchcase(device.name, table.device):
            continue
        for word in table.rules:
            ids = _ids(word, rules)
            yield _Suppression(
                word,
                ids,
                _Objects(table.object),
                None if ids else _unknown(word, rules),
                f"the suppression of {word}",
                Suppressed(table.source, table.reason, table.until),
                table.device,
                f"suppression of {word}, {table.object or 'any object'}",
                ObjectKind.NAME,
                Place(table.file, table.line, ""),
            )


def _ids(word: str, rules: Sequence[Rule]) -> frozenset[str]:
    return frozenset(rule.card.id for rule in rules if word and is_named(rule, word))


def _unknown(word: str, rules: Sequence[Rule]) -> str:
    """Say why a word names no rule."""
    advice = nearest(word, [rule.card.id for rule in rules])
    return f"no rule is called {word}" + (f"; {advice}" if advice.startswith("did") else "")


def _without_effect(
    suppression: _Suppression,
    judged: Mapping[str, Rule],
    unsure: Iterable[str],
    today: date | None,
) -> Unused | Expired | None:
    """Why a suppression has none; None where its rules were not all judged."""
    if suppression.fault is not None:
        return Unused(suppression.words, suppression.fault)
    if suppression.has_expired(today):
        return Expired(suppression.words, str(suppression.accepted.until))
    if not suppression.rules <= judged.keys() or not suppression.rules.isdisjoint(unsure):
        return None
    return Unused(suppression.words, "nothing is found there")


def _said_of(suppression: _Suppression, rule: Rule, evidence: Unused | Expired) -> Idle:
    hit = Hit(suppression.object, (), evidence, Confidence.CERTAIN)
    finding = replace(
        finding_of(suppression.device, rule, hit, {}),
        locations=(suppression.place,),
        remedy=Remedy(Level.MANUAL, advice=rule.card.no_remedy),
        object_kind=suppression.object_kind,
    )
    is_certain = suppression.fault is not None or rule.card.id == EXPIRED
    return Idle(suppression.key, finding, is_certain)
