"""Which rules of the catalogue are asked for, and which devices of a run."""

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase

from advisor.faults import AdvisorError
from advisor.lint.cards import Entry, is_named
from advisor.settings.document import nearest
from advisor.settings.values import Settings


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


def is_asked_for(device: str, settings: Settings) -> bool:
    """Whether a device is to be reported."""
    return not settings.devices or any(fnmatchcase(device, name) for name in settings.devices)


def without_device(
    asked: Sequence[str], judged: Sequence[str], left_out: Sequence[str]
) -> Iterator[str]:
    """A word for each name or glob that no device of a run has."""
    for name in absent_names(asked, judged):
        yield f"--device {name}: no device of the run; {nearest(name, [*judged, *left_out])}"


def absent_names(asked: Sequence[str], judged: Sequence[str]) -> tuple[str, ...]:
    """Names and globs that no device of a run has."""
    return tuple(name for name in asked if not any(fnmatchcase(device, name) for device in judged))
