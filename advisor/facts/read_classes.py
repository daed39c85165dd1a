"""`class-map` sections to ClassMap; class-maps with a `type` belong to other features."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from msgspec import Struct, field

from advisor.facts.policy import ClassMap, Match
from advisor.facts.read_words import GrammarError, Ledger, Words, meanings, named_reader, read_typed
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import dscp_code, interface_name, precedence_code

_MAX_QOS_GROUP, _MAX_CODE, _MAX_LENGTH, _MAX_PORT = 1023, 7, 65535, 65535
_MOST_CODES = 8  # values that one `match` line takes


class ClassMapDraft(Struct):
    """A class-map while its sections are read."""

    name: str
    at: Location
    match_all: bool = True
    matches: dict[str, Match] = field(default_factory=dict)

    def freeze(self) -> ClassMap:
        return ClassMap(self.name, self.match_all, tuple(self.matches.values()), self.at)


def read_class_map(line: Line, drafts: dict[str, ClassMapDraft], ledger: Ledger) -> None:
    """Read one `class-map` section into `drafts`; a second section of the name adds to it."""
    if read_typed(line, "", ledger):
        return
    draft = ledger.read(line, "", partial(_read_head, drafts))
    if draft is not None:
        under, read = f"class-map {draft.name}", partial(_read_member, draft)
        for child in line.commands():
            ledger.read(child, under, read)


def class_map_of(line: Line, ledger: Ledger) -> ClassMap | None:
    """The class-map of one section, as a show output prints it."""
    drafts: dict[str, ClassMapDraft] = {}
    read_class_map(line, drafts, ledger)
    return next((draft.freeze() for draft in drafts.values()), None)


_CODE: Final = re.compile(r"\s\(\d+\)(?=\s|$)")


def without_code(criterion: str) -> str:
    """A criterion as a configuration has it: outputs print the number behind a name.

    >>> without_code("ip dscp ef (46)  af31 (26)")
    'ip dscp ef af31'
    """
    return " ".join(_CODE.sub("", criterion).split())


def _read_head(drafts: dict[str, ClassMapDraft], words: Words) -> ClassMapDraft:
    words.take()
    mode = words.accept("match-all", "match-any")
    name = " ".join((words.take(), *words.rest()))
    draft = drafts.setdefault(name, ClassMapDraft(name, words.at))
    if mode is not None:
        draft.match_all = mode == "match-all"
    return draft


def _read_member(draft: ClassMapDraft, words: Words) -> None:
    if words.expect("match", "description", "rename", "exit") != "match":
        words.rest()
        return
    match = _read_match(words)
    if words.negated:
        draft.matches.pop(match.text, None)
    else:
        draft.matches[match.text] = match


def _read_match(words: Words) -> Match:
    text = " ".join(words.words[words.position - 1 :])
    negated = words.accept("not") is not None
    keyword = words.take().lower()
    # `match ip dscp` and `match dscp` differ in IPv6 only.
    if keyword == "ip":
        keyword = words.expect("dscp", "precedence", "rtp")
    kind, read = _KINDS.get(keyword, (None, None))
    if kind is None or read is None:
        raise GrammarError(f"match {keyword}")
    values = read(words)
    words.end()
    return Match(kind, values, negated, words.at, text)


def _codes(words: Words, code: Callable[[str], int | None]) -> tuple[str, ...]:
    codes = words.rest()
    numbers = [code(word) for word in codes]
    if None in numbers or not 0 < len(numbers) <= _MOST_CODES:
        raise GrammarError(f"{' '.join(codes)}: not a code")
    return tuple(str(number) for number in numbers)


def dscp(words: Words) -> tuple[str, ...]:
    return _codes(words, dscp_code)


def precedence(words: Words) -> tuple[str, ...]:
    return _codes(words, precedence_code)


def cos(words: Words) -> tuple[str, ...]:
    words.accept("inner")
    return _numbers(words)


def _numbers(words: Words) -> tuple[str, ...]:
    values = [str(words.whole(0, _MAX_CODE))]
    while words.peek() is not None:
        values.append(str(words.whole(0, _MAX_CODE)))
    return tuple(values)


def experimental(words: Words) -> tuple[str, ...]:
    words.expect("experimental")
    words.accept("topmost")
    return _numbers(words)


def access_group(words: Words) -> tuple[str, ...]:
    words.accept("name")
    return (words.take(),)


def one(words: Words) -> tuple[str, ...]:
    return (words.take(),)


def some(words: Words) -> tuple[str, ...]:
    return (words.take(), *words.rest())


def no_words(words: Words) -> tuple[str, ...]:
    words.end()
    return ()


def rtp(words: Words) -> tuple[str, ...]:
    return (str(words.whole(0, _MAX_PORT)), str(words.whole(0, _MAX_PORT)))


def packet_length(words: Words) -> tuple[str, ...]:
    words.expect("length")
    values: list[str] = []
    while (bound := words.accept("min", "max")) is not None:
        values += [bound, str(words.whole(0, _MAX_LENGTH))]
    if not values:
        raise GrammarError("match packet length without min or max")
    return tuple(values)


def qos_group(words: Words) -> tuple[str, ...]:
    return (str(words.whole(0, _MAX_QOS_GROUP)),)


def input_interface(words: Words) -> tuple[str, ...]:
    return (interface_name(" ".join((words.take(), *words.rest()))),)


def other(words: Words) -> tuple[str, ...]:
    return (words.lower[words.position - 1], *words.rest())


_KINDS: Final = {
    keyword: (meaning.split()[0], named_reader(meaning.split()[1]))
    for keyword, meaning in meanings("class-map")
}
