"""Rules for the lines of a class: a row of `lines.txt` and the function that reads its match."""

import re
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Final, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.grammar import layout
from advisor.shows.policy_map.draft import ClassPart, Draft, number

Take = Callable[[Draft, re.Match[str]], None]


class LineRule(Struct, frozen=True):
    """A line of a class: its pattern and what it adds. With `part` it applies in that part only."""

    pattern: re.Pattern[str]
    take: Take
    part: ClassPart | None


_LETTERS: Final = re.compile(r"[A-Za-z][A-Za-z-]*")
_DIGIT: Final = re.compile(r"-?\d")


class Rules:
    """Rules, indexed by the first word of their lines."""

    def __init__(self, *sections: str) -> None:
        self._by_first: dict[str, list[LineRule]] = {}
        for section in sections:
            for row in layout("shows/policy_map/lines.txt").sections[section]:
                words, _, part = row.words.partition(" in ")
                pattern = re.compile(row.pattern, re.IGNORECASE)
                rule = LineRule(pattern, _take(row.meaning), ClassPart[part] if part else None)
                for first in words.split():
                    self._by_first.setdefault(first, []).append(rule)

    def take(self, draft: Draft, text: str) -> bool:
        """Add a line to a draft; False if no rule knows the line."""
        letters = _LETTERS.match(text)
        first = letters[0].lower() if letters else "0" if _DIGIT.match(text) else text[0]
        for rule in self._by_first.get(first, ()):
            if rule.part is None or rule.part is draft.part:
                match = rule.pattern.fullmatch(text)
                if match is not None:
                    rule.take(draft, match)
                    return True
        return False


rules_of = cache(Rules)


def _take(meaning: str) -> Take:
    """The function that a row names."""
    word, _, rest = meaning.partition(" ")
    if word == "skip":
        return _skip
    if word == "begin":
        return into(None, ClassPart[rest])
    if word == "counted":
        return _counted(rest.split(", "))
    if word == "into":
        field, *parts = rest.removesuffix(" ecn").split()
        known = {"ecn": True} if rest.endswith(" ecn") else {}
        return into(field, ClassPart[parts[0]] if parts else None, **known)
    module, _, name = word.partition(".")
    take: Take = getattr(import_module(f"advisor.shows.policy_map.{module}"), name)
    return take


def _skip(_draft: Draft, _match: re.Match[str]) -> None:
    """Skip a known line without figures: a heading, a column title."""


def into(field: str | None, begins: ClassPart | None = None, **known: object) -> Take:
    """A line whose named groups are the figures of a record of the class, under their names."""
    kinds = get_args(get_type_hints(Draft)[field]) if field else ()
    record = next((kind for kind in kinds if kind is not NoneType), None)

    def take(draft: Draft, match: re.Match[str]) -> None:
        draft.part = draft.part if begins is None else begins
        if field is None or record is None:
            return
        printed: dict[str, str | None] = {}
        for group, digits in match.groupdict().items():
            figure = group.rstrip("_")
            printed[figure] = printed.get(figure) or digits
        figures = {figure: number(digits) for figure, digits in printed.items()}
        setattr(draft, field, replace(getattr(draft, field) or record(), **figures, **known))

    return take


def _counted(labels: list[str]) -> Take:
    """A line whose groups are counters with these labels."""

    def take(draft: Draft, match: re.Match[str]) -> None:
        draft.counters.update(zip(labels, map(number, match.groups()), strict=True))

    return take
