"""Which rules of the catalogue are asked for: ids, names, and prefixes of either."""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.faults import AdvisorError
from advisor.lint.cards import ALL, Entry, is_named
from advisor.settings.document import nearest
from advisor.settings.load import where
from advisor.settings.values import Flags, Settings


class SelectionError(AdvisorError):
    """A name means no rule, or no rule is left; the message says where it stands."""


def matching(rules: Sequence[Entry], names: Sequence[str], origin: str) -> tuple[str, ...]:
    """Ids of the rules that the names mean.

    Raises
    ------
    SelectionError
        If a name means no rule; says the nearest, and `origin`: the flag or the file and line.
    """
    for name in names:
        if not any(is_named(rule, name) for rule in rules):
            candidates = [
                candidate for rule in rules for candidate in (rule.card.id, rule.card.name)
            ]
            advice = nearest(name, candidates)
            if not advice.startswith("did"):
                advice = "`advisor rules list` shows all"
            raise SelectionError(f"{origin}: no rule {name!r}; {advice}")
    return tuple(rule.card.id for rule in rules if any(is_named(rule, name) for name in names))


def resolved(rules: Sequence[Entry], settings: Settings, flags: Flags) -> Settings:
    """Settings with names and prefixes resolved to the ids of the rules in force.

    Raises
    ------
    SelectionError
        If a name means no rule, or no rule is left.
    """
    for table in settings.suppress:
        matching(rules, table.rules, f"{table.source}: [[suppress]] rule")
    if not settings.select and not settings.ignore:
        return settings
    select = "--select" if flags.select else f"{where(settings.file, 'select')} select"
    ignore = "--ignore" if flags.ignore else f"{where(settings.file, 'ignore')} ignore"
    ignored = matching(rules, settings.ignore, ignore)
    selected = matching(rules, settings.select or [ALL], select)
    remainder = tuple(id_ for id_ in selected if id_ not in ignored)
    if not remainder:
        raise SelectionError(f"{ignore}: no rule is left to run")
    return replace(settings, select=remainder, ignore=())
