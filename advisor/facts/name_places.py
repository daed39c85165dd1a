"""Where a configuration defines and uses names: policies, classes, lists, settings, interfaces.

Columns are those of the text as typed: `raw` of a line, abbreviated or not.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from advisor.ios import pattern
from advisor.ios.grammar import rows_of
from advisor.ios.syntax import ConfigTree, Line
from advisor.ios.syntax.names import interface_name

INTERFACE: Final = "interface"
CLASS_MAP: Final = "class-map"
_CLASS, _POLICY, _MAP_CLASS = "class ", "policy-map ", "map-class"
_NO_NAMES: Final = ("class-default", "type")
_WORD: Final = re.compile(r"\S+")
_NEGATIONS: Final = ("no", "default")


class NamePlace(Struct, frozen=True):
    """A name of a kind on a line, from one column to another; `number` counts lines from 1."""

    kind: str
    name: str
    number: int
    start: int
    end: int
    is_definition: bool

    def is_same_name(self, other: "NamePlace") -> bool:
        return (self.kind, self.name) == (other.kind, other.name)


def _patterns(*sections: str) -> Mapping[str, re.Pattern[str]]:
    """The lines of each kind, as one pattern whose only group that matches is the name."""
    rows: dict[str, list[str]] = {}
    for section in sections:
        for kind, texts in rows_of(section).items():
            rows.setdefault(kind.lower().replace("_", "-"), []).extend(texts)
    return {kind: pattern("|".join(map("(?:{})".format, texts))) for kind, texts in rows.items()}


_DEFINED: Final = _patterns("defined", "defined-of-qos")
_NAMED: Final = _patterns("named", "named-of-qos")


def name_places(tree: ConfigTree) -> tuple[NamePlace, ...]:
    """Every name in the order of the text."""
    return tuple(_places(tree))


def _places(tree: ConfigTree) -> Iterator[NamePlace]:
    for top in tree.commands():
        if top.number:
            yield from _of_line(top, _DEFINED, is_definition=True)
        for line in top.walk():
            if line.is_command and line.number:
                if line.text.startswith(_CLASS) and line is not top:
                    yield from _of_class(line, top)
                else:
                    yield from _of_line(line, _NAMED, is_definition=False)


def _of_line(
    line: Line, patterns: Mapping[str, re.Pattern[str]], *, is_definition: bool
) -> Iterator[NamePlace]:
    text, at = _without_negation(line.text)
    for kind, known in patterns.items():
        found = known.match(text)
        if found is None or found.lastindex is None:
            continue
        name = found[found.lastindex]
        place = at + len(text[: found.start(found.lastindex)].split())
        span = _span(line, place, len(name.split()))
        if span is not None and name not in _NO_NAMES:
            name = interface_name(name) if kind == INTERFACE else name
            yield NamePlace(kind, name, line.number, *span, is_definition)


def _of_class(line: Line, top: Line) -> Iterator[NamePlace]:
    """The name behind `class`: a class-map in a policy-map, settings of a circuit elsewhere."""
    words = line.words
    kind = CLASS_MAP if top.text.startswith(_POLICY) else _MAP_CLASS
    span = _span(line, 1, 1)
    if span is not None and words[1] not in _NO_NAMES:
        yield NamePlace(kind, words[1], line.number, *span, is_definition=False)


def _without_negation(text: str) -> tuple[str, int]:
    first, _, rest = text.partition(" ")
    return (rest, 1) if first in _NEGATIONS and rest else (text, 0)


def _span(line: Line, place: int, words: int) -> tuple[int, int] | None:
    """Columns of some words of a line as typed; behind a prompt they are not known."""
    typed = list(_WORD.finditer(line.raw.partition("\n")[0]))
    last = place + words - 1
    if last >= len(typed) or typed[place][0] != line.words[place]:
        return None
    return typed[place].start(), typed[last].end()


_ANY_NAME: Final = "\uffff"  # stands for the name that is looked for
_BEHIND: Final = ("", " in", " 1")  # that some commands want behind a name


def kind_named(path: Sequence[str], words: Sequence[str]) -> str | None:
    """The kind of name that would stand behind the first words of a command; None where none does.

    >>> kind_named(["interface Serial0/0"], ["service-policy", "output"])
    'policy-map'
    """
    text = " ".join((*words, _ANY_NAME))
    if text == _CLASS + _ANY_NAME and path:
        return CLASS_MAP if path[0].startswith(_POLICY) else _MAP_CLASS
    for behind in _BEHIND:
        for kind, known in _NAMED.items():
            found = known.match(text + behind)
            if found is not None and found.lastindex and found[found.lastindex] == _ANY_NAME:
                return kind
    return None


def place_at(places: Iterable[NamePlace], number: int, column: int) -> NamePlace | None:
    """The name that stands at a column of a line."""
    return next(
        (item for item in places if item.number == number and item.start <= column <= item.end),
        None,
    )


def undefined_at(places: Iterable[NamePlace], numbers: range) -> Iterator[NamePlace]:
    """Names that some lines use and no line defines."""
    known = list(places)
    defined = {(item.kind, item.name) for item in known if item.is_definition}
    for item in known:
        if item.number in numbers and (item.kind, item.name) not in defined:
            yield item
