"""Rules of users: a folder with cards, and beside them checks and templates."""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.assets import asset_dir
from advisor.ground.bounded import entries_below, read_regular
from advisor.lint.cards import Card, CardError, CatalogueEntry, Rule, bind, catalogue, refuse_twice
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck
from advisor.lint.declared import Declared, declared_check
from advisor.lint.own_checks import check_of_file, installed_check
from advisor.lint.site import SiteTemplate, SiteTemplates, checked, templates_of
from advisor.settings import Budgets, RuleFolder, Settings
from advisor.settings.document import document_of

_ID: Final = re.compile(r"[A-Z]{1,6}[0-9]{3}")
_NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_PLAIN_FIELDS: Final = re.compile(r"(?:[^{}]|\{\{|\}\}|\{[a-z][a-z0-9_]*\})*")
_SETTINGS_FILES: Final = frozenset(("advisor.toml", "pyproject.toml"))
_LARGEST_CARD_BYTES: Final = 250_000  # with the configurations of its examples
_MOST_FILES: Final = 20_000
_MOST_CARDS: Final = 1_000
_LONGEST_WORDS: Final = 2_000
_MOST_FIELDS: Final = 20
_MOST_GLOBS: Final = 100
_LONGEST_GLOB: Final = 200
DECLARED: Final = ""  # in place of the name of a check


class OwnRules(Struct, frozen=True):
    """The rules of all folders, with the templates that fill them and some of ours."""

    rules: tuple[Rule, ...]
    site: SiteTemplates


def own_rules(settings: Settings) -> OwnRules:
    """Load the folders of rules that the user names; the later of two templates counts.

    Raises
    ------
    CardError
        If a folder holds neither card nor template, or a card is wrong. The message names file,
        line and key.
    SettingsError
        If a card is no TOML, or has a wrong key or value.
    TemplateFaultError
        If a template cannot be used.
    TemplateBoundError
        If a template takes too much to compile.
    """
    rules: list[Rule] = []
    templates: dict[str, SiteTemplate] = {}
    for folder in settings.rule_folders:
        cards = list(_cards(folder))
        remedies = frozenset(card.remedy for _, card in cards if card.remedy is not None)
        own = list(templates_of(folder.path, remedies))
        if not cards and not own:
            raise CardError(f"{folder.source}: {folder.path} holds no card and no template")
        templates.update((item.name, item) for item in own)
        rules += (_rule(path, card, settings.budgets) for path, card in cards)
    site = checked(SiteTemplates(tuple(templates.values()), settings.site))
    for rule in rules:
        _refuse_missing_template(rule, site)
    return OwnRules(tuple(replace(rule, site=site) for rule in rules), site)


def merged(ours: Sequence[Rule], own: OwnRules) -> tuple[Rule, ...]:
    """Our rules and those of the user, in the order of their ids.

    Raises
    ------
    CardError
        If two have the same id or name.
    """
    site = own.site if own.site.templates else None
    rules = [*(replace(rule, site=site) if site else rule for rule in ours), *own.rules]
    refuse_twice(rules)
    return tuple(sorted(rules, key=lambda rule: rule.card.id))


def _cards(folder: RuleFolder) -> Iterator[tuple[Path, Card]]:
    if not folder.path.is_dir():
        raise CardError(f"{folder.source}: {folder.path} is no folder")
    for number, path in enumerate(sorted(_card_files(folder.path)), start=1):
        if number > _MOST_CARDS:
            raise CardError(f"{folder.source}: {folder.path} holds more than {_MOST_CARDS} cards")
        document = document_of(_text(path), str(path))
        card = document.whole(Card)
        for key, wrong in _wrong(card):
            raise CardError(f"{path}:{document.line_of(tuple(key.split('.')))}: {key}: {wrong}")
        yield path, card


def _card_files(folder: Path) -> Iterator[Path]:
    """Files of cards in a folder, and in the folders in it."""
    try:
        for entry in entries_below(folder, _MOST_FILES, depth=2):
            if entry.name.endswith(".toml") and entry.name not in _SETTINGS_FILES:
                yield Path(entry.path)
    except OSError as error:
        raise CardError(f"{folder}: {error.strerror}: is it a folder of rules?") from error


def _text(path: Path) -> str:
    try:
        return read_regular(path, _LARGEST_CARD_BYTES, follows_link=False).decode("utf-8-sig")
    except OSError as error:
        raise CardError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise CardError(f"{path}: is not UTF-8 at byte {error.start}") from error


def _wrong(card: Card) -> Iterator[tuple[str, str]]:
    """Keys of a card of a user that cannot be used, each with the reason."""
    if not _ID.fullmatch(card.id):
        yield "id", f"{card.id!r} is not like X001: capitals and three digits"
    if not _NAME.fullmatch(card.name):
        yield "name", f"{card.name!r} is not like no-cdp-on-wan: small letters, digits and hyphens"
    if (card.check == DECLARED) == (card.declared is None):
        yield "check", "give either check or [declared]"
    if card.declared is not None and not (card.declared.must or card.declared.must_not):
        yield "declared", "it needs must or must_not"
    if card.declared is not None and not all(map(str.strip, _globs(card.declared))):
        yield "declared", "a pattern is blank"
    if not _PLAIN_FIELDS.fullmatch(card.message):
        yield "message", "fields are plain names, like {section}"
    yield from _oversized(card)


def _oversized(card: Card) -> Iterator[tuple[str, str]]:
    """Keys whose values would make work or text without bounds."""
    for key, text in (("message", card.message), ("title", card.title)):
        if len(text) > _LONGEST_WORDS or text.count("{") > _MOST_FIELDS:
            yield key, f"has more than {_LONGEST_WORDS} characters or {_MOST_FIELDS} fields"
    globs = [] if card.declared is None else list(_globs(card.declared))
    if len(globs) > _MOST_GLOBS or any(len(glob) > _LONGEST_GLOB for glob in globs):
        yield (
            "declared",
            f"has more than {_MOST_GLOBS} patterns, or one of more than {_LONGEST_GLOB} characters",
        )
    for key, value in card.params.items():
        if isinstance(value, int | float) and value < 0:
            yield f"params.{key}", "expected a number from 0 upwards"


def _globs(declared: Declared) -> Iterator[str]:
    yield from (*declared.having, *declared.lacking, *declared.must, *declared.must_not)
    yield from declared.section.split(" > ") if declared.section else ()


def _rule(path: Path, card: Card, budgets: Budgets) -> Rule:
    check = _check(path, card)
    if check is not None and card.check in CHECKS and check is CHECKS[card.check]:
        ours = next(entry.card for entry in catalogue() if entry.card.check == card.check)
        card = replace(card, wants=(*card.wants, *ours.wants))
    checks: Mapping[str, AnyCheck] = {} if check is None else {card.check: check}
    return replace(bind(CatalogueEntry(card, str(path)), budgets, checks), is_own=True)


def _check(path: Path, card: Card) -> AnyCheck | None:
    if card.declared is not None:
        return declared_check(card.declared)
    file = path.with_name(f"{card.check.replace('-', '_')}.py")
    if file.is_file():
        return check_of_file(file)
    if card.check in CHECKS:
        return CHECKS[card.check]
    installed = installed_check(card.check)
    if installed is None:
        beside = f"there is no {file.name} beside it"
        raise CardError(f"{path} check: no check is called {card.check!r}, and {beside}")
    return installed


def _refuse_missing_template(rule: Rule, site: SiteTemplates) -> None:
    remedy = rule.card.remedy
    if remedy is None or site.has(f"remedy/{remedy}"):
        return
    if not (asset_dir("templates") / "remedy" / remedy).is_file():
        raise CardError(f"{rule.file} remedy: there is no templates/remedy/{remedy}")
