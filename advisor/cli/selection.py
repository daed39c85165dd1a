"""Which rules of the catalogue run: ids, names, and prefixes of either."""

from collections.abc import Sequence

from advisor.cards.card import Rule
from advisor.cli.errors import WrongUseError
from advisor.settings import Settings
from advisor.settings_file import Flags, where
from advisor.settings_file.document import nearest

_ALL = "all"


def words(values: Sequence[str]) -> tuple[str, ...]:
    """Words of a flag that may be repeated and may hold commas."""
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def _named(rule: Rule, word: str) -> bool:
    wanted = word.lower()
    return wanted == _ALL or any(
        each.startswith(wanted) for each in (rule.card.id.lower(), rule.card.name)
    )


def matching(rules: Sequence[Rule], names: Sequence[str], origin: str) -> tuple[Rule, ...]:
    """Rules that the names mean.

    Raises
    ------
    WrongUseError
        If a name means no rule; says the nearest, and `origin`: the flag or the file and line.
    """
    for name in names:
        if not any(_named(rule, name) for rule in rules):
            known = [each for rule in rules for each in (rule.card.id, rule.card.name)]
            advice = nearest(name, known)
            if not advice.startswith("did"):
                advice = "`advisor rules list` shows all"
            raise WrongUseError(f"{origin}: no rule {name!r}; {advice}")
    return tuple(rule for rule in rules if any(_named(rule, name) for name in names))


def chosen(rules: Sequence[Rule], settings: Settings, flags: Flags) -> tuple[Rule, ...]:
    """Rules in force: those selected (all, where none is), less those ignored."""
    selected, ignored = tuple(rules), frozenset[str]()
    if settings.select:
        origin = "--select" if flags.select else f"{where(settings.file, 'select')} select"
        selected = matching(rules, settings.select, origin)
    if settings.ignore:
        origin = "--ignore" if flags.ignore else f"{where(settings.file, 'ignore')} ignore"
        out = matching(rules, settings.ignore, origin)
        ignored = frozenset(rule.card.id for rule in out)
    return tuple(rule for rule in selected if rule.card.id not in ignored)
