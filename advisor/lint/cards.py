"""A rule card: TOML in rules/, bound to its check on load."""

import string
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import JUDGED_FAMILIES, FamilyName
from advisor.ground.assets import asset_dir, keep, read_kept
from advisor.ground.data import DataError, decoded, toml_of
from advisor.ground.faults import AdvisorError
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck
from advisor.lint.declared import Declared
from advisor.lint.findings import Level, ObjectKind, Severity
from advisor.settings import Budgets, Settings

if TYPE_CHECKING:
    from advisor.lint.site import SiteTemplates


ALL: Final = "all"  # in place of the name of a rule


class CardError(AdvisorError):
    """A card cannot be used; the message names the file and the key."""


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text that the rule finds, the lines that cure it, and what then is clean.

    `good` may be left out where `remedy` is given: then `bad` with the remedy applied must be
    clean. `beside` are texts of other devices of the run, `settings` is what the user states, as
    advisor.toml has it.
    """

    bad: str
    good: str | None = None
    remedy: str | None = None
    beside: tuple[str, ...] = ()
    settings: str | None = None


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The words of a rule. `message` may name only fields of the check's evidence."""

    id: str
    name: str
    severity: Severity
    title: str
    message: str
    why: str
    sources: tuple[str, ...] = ()
    example: tuple[Example, ...] = ()
    check: str = ""  # or `declared`
    wants: tuple[str, ...] = ()  # show commands that it needs to judge
    measured: bool = False  # finds what an output measured: no witness of the time after a change
    solved: bool = False  # the model solves its figures: an editor is told them last
    contradiction: bool = False  # outputs are of another state: no line of a config cures it
    objects: ObjectKind = ObjectKind.SECTIONS  # what the objects of its findings are named by
    declared: Declared | None = None
    since: str = ""
    level: Level | None = None
    remedy: str | None = None  # template in templates/remedy
    interrupts: str | None = None  # what the lines interrupt: said where they need a window
    no_remedy: str | None = None  # why there are no lines to paste
    harm: str = ""  # what users feel of it; where it is told, no remedy may bring it about
    incomplete: bool = False  # says "incomplete": counts for exit code 3, not 1
    families: tuple[FamilyName, ...] = JUDGED_FAMILIES  # where the rule holds
    params: dict[str, Any] = {}

    @property
    def told(self) -> set[str]:
        """The fields of the evidence that the message tells."""
        fields = string.Formatter().parse(self.message)
        names = (name for _, name, _, _ in fields if name is not None)
        return {name.partition(".")[0].partition("[")[0] for name in names}


class CatalogueEntry(Struct, frozen=True):
    """A card of the catalogue and its file, by family and name."""

    card: Card
    file: str


# With a dict: the check and its parameters are made once and kept.
class Rule(CatalogueEntry, frozen=True, dict=True):
    """A card with what is in force for it; its check is imported when somebody asks for it.

    `severity` is the card's, or what the user states in its place; `is_on` is false where the user
    turns the rule off. `stated` are the parameters that the card or the user states; a parameter
    that is named like a budget and not stated has the value of `budgets`. `site` has templates that
    come before ours. `bound` is the check of a rule that has its own. `is_own` is true of a rule of
    the user: it may judge by names, so that no two interfaces are alike to it.
    """

    budgets: Budgets
    stated: Mapping[str, Any]
    severity: Severity
    is_on: bool = True
    site: "SiteTemplates | None" = None
    bound: AnyCheck | None = None
    is_own: bool = False

    @cached_property
    def family(self) -> str:
        """The family of the card: the folder of its file."""
        return self.file.partition("/")[0]

    @cached_property
    def check(self) -> AnyCheck:
        """The check of the card."""
        return CHECKS[self.card.check] if self.bound is None else self.bound

    @cached_property
    def params(self) -> Any:  # noqa: ANN401 -- the Struct that the check names
        """The parameters in force.

        Raises
        ------
        CardError
            If one does not exist, is missing, or is not of its type.
        """
        return _params(self)

    @property
    def wants(self) -> tuple[str, ...]:
        """Show commands whose output the rule reads."""
        return self.card.wants if self.bound is None else (*self.card.wants, *self.bound.wants)

    def with_params(self, **stated: Any) -> "Rule":  # noqa: ANN401 -- of the types of the check
        """The rule with some parameters in the place of those in force."""
        return replace(self, stated={**self.stated, **stated})


def _fields(struct: type[msgspec.Struct]) -> set[str]:
    return set(struct.__struct_fields__)


def _refuse_unknown(file: str, key: str, names: set[str], allowed: set[str]) -> None:
    for name in sorted(names - allowed):
        raise CardError(
            f"{file}: unknown {name} in {key}; it takes {', '.join(sorted(allowed)) or 'none'}"
        )


def rule_of(entry: CatalogueEntry, budgets: Budgets) -> Rule:
    """The rule of a card; nothing is imported or looked at."""
    return Rule(entry.card, entry.file, budgets, entry.card.params, entry.card.severity)


def bind(entry: CatalogueEntry, budgets: Budgets, checks: Mapping[str, AnyCheck] = CHECKS) -> Rule:
    """Bind a card to its check, which is imported for it, and look whether they fit.

    Raises
    ------
    CardError
        If the check, a parameter or a name in the message does not exist, a parameter is missing,
        or the card gives neither `remedy` (with `level`, and `interrupts` where that is
        needs-window) nor `no_remedy`, or both.
    """
    card, file = entry.card, entry.file
    check = checks.get(card.check)
    if check is None:
        raise CardError(f"{file} check: no check is called {card.check!r}")
    rule = replace(rule_of(entry, budgets), bound=None if checks is CHECKS else check)
    _refuse_unknown(file, "[params]", set(card.params), _fields(check.params))
    _refuse_unknown(file, "message", card.told, _fields(check.evidence))
    _params(rule)
    if (card.remedy is None) == (card.no_remedy is None):
        raise CardError(f"{file}: give either remedy or no_remedy, not both")
    if card.remedy is not None and card.level is None:
        raise CardError(f"{file}: a remedy needs a level")
    if card.level is Level.NEEDS_WINDOW and card.interrupts is None:
        raise CardError(f"{file}: a remedy that needs a window says what it interrupts")
    return rule


def _params(rule: Rule) -> Any:  # noqa: ANN401 -- the Struct that the check names
    kind, file = rule.check.params, rule.file
    names = _fields(kind)
    in_force = {name: getattr(rule.budgets, name) for name in names & _fields(Budgets)}
    in_force |= rule.stated
    if missing := names - in_force.keys():
        raise CardError(f"{file} [params]: {', '.join(sorted(missing))} is missing")
    try:
        return msgspec.convert(in_force, kind)
    except msgspec.ValidationError as error:
        raise CardError(f"{file} [params]: {error}") from error


def _table(path: Path, text: bytes) -> dict[str, Any]:
    try:
        return toml_of(decoded(text, str(path)), str(path))
    except DataError as error:
        raise CardError(str(error)) from error


def _card(path: Path, table: dict[str, Any]) -> Card:
    try:
        return msgspec.convert(table, Card)
    except msgspec.ValidationError as error:
        raise CardError(f"{path}: {error}") from error


def catalogue(folder: Path | None = None) -> tuple[CatalogueEntry, ...]:
    """All cards of a folder (the shipped one by default), in the order of their ids.

    No check is imported.

    Raises
    ------
    CardError
        If a card is wrong in itself, or two cards share an id or a name.
    """
    paths = sorted((folder or asset_dir("rules")).glob("*/*.toml"))
    texts = [path.read_bytes() for path in paths]
    kept = _kept_tables(texts) if folder is None else None
    tables = kept or [_table(path, text) for path, text in zip(paths, texts, strict=True)]
    entries = [
        CatalogueEntry(_card(path, table), f"{path.parent.name}/{path.name}")
        for path, table in zip(paths, tables, strict=True)
    ]
    if folder is None and kept is None:
        keep(_KEPT, _key(texts) + msgspec.msgpack.encode(tables))
    refuse_twice(entries)
    return tuple(sorted(entries, key=lambda entry: entry.card.id))


def refuse_twice(entries: Iterable[CatalogueEntry]) -> None:
    """Check that each id and each name is of one card.

    Raises
    ------
    CardError
        If two cards share one.
    """
    seen: dict[str, str] = {}
    for entry in entries:
        for key in (entry.card.id, entry.card.name):
            if key in seen:
                raise CardError(f"{entry.file}: {key} is already used by {seen[key]}")
            seen[key] = entry.file


_KEPT: Final = "cards"


def _kept_tables(texts: Sequence[bytes]) -> Sequence[dict[str, Any]] | None:
    """Tables of these very texts as they were read last; to read TOML takes fifty times as long."""
    kept, key = read_kept(_KEPT), _key(texts)
    if kept is None or not kept.startswith(key):
        return None
    tables: Sequence[dict[str, Any]] = msgspec.msgpack.decode(kept[len(key) :])
    return tables


def _key(texts: Sequence[bytes]) -> bytes:
    return sha256(b"\0".join(texts)).digest()  # no TOML has a NUL


def load_rules(budgets: Budgets, folder: Path | None = None) -> tuple[Rule, ...]:
    """All rules of a folder (the shipped one by default), in the order of their ids.

    Raises
    ------
    CardError
        If a card is wrong, or two cards share an id or a name.
    CheckError
        If the file of a check holds none.
    """
    make = rule_of if folder is None else bind  # the tests bind the cards that are shipped
    return tuple(make(entry, budgets) for entry in catalogue(folder))


def wanted_commands(rules: Iterable[Rule]) -> frozenset[str]:
    """Commands whose output the rules read."""
    return frozenset(command for rule in rules for command in rule.wants)


def is_named(rule: CatalogueEntry, word: str) -> bool:
    """Whether a word names a rule: its id or name, or how either begins; or all rules."""
    prefix = word.lower()
    names = (rule.card.id.lower(), rule.card.name)
    return prefix == ALL or (bool(prefix) and any(name.startswith(prefix) for name in names))


def is_selected(rule: Rule, settings: Settings) -> bool:
    """Whether settings ask for a rule: by id, name or prefix; what is ignored wins."""
    if not (settings.select or settings.ignore):
        return rule.is_on

    def named(by: str) -> bool:
        return rule.card.id.startswith(by.upper()) or rule.card.name == by

    is_named = not settings.select or any(named(by) for by in settings.select)
    return rule.is_on and is_named and not any(named(by) for by in settings.ignore)
