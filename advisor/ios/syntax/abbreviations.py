"""Commands in full words: IOS takes any unambiguous abbreviation of a keyword, and prints none.

Abbreviations are completed once, before anything reads or edits a line. Where a word fits two
keywords, as `p` under a class, IOS refuses the command: the words from there on stay as typed.
Source: Cisco IOS Configuration Fundamentals, "Using the Command-Line Interface". That the parts of
a hyphenated keyword may be shortened (`ser-pol`) is recalled.
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache, cached_property, lru_cache
from typing import Final

from msgspec import Struct

from advisor.ios.grammar import (
    JUDGED,
    KEYWORDS,
    OLD_SPELLINGS,
    OPENERS,
    OTHER_FAMILIES,
    SUBCOMMANDS,
    rows_of,
)
from advisor.ios.syntax.names import TYPES, interface_type, unknown_type

_WHOLE: Final = frozenset(word for words in SUBCOMMANDS.values() for word in words)
_NEGATIONS: Final = ("no", "default")
_PRINTED: Final = {"dot1q": "dot1Q", "dot1ad": "dot1AD"}  # all others are lower case
_ARGUMENT: Final = "*"
_ANYWHERE: Final = ">"
_WORD: Final = re.compile(r"\S+")
_CLOSE_RATIO: Final = 0.8  # of equal letters: a typing error changes one or two
_SHORTEST_MISSPELT: Final = 3
_LETTERS_AN_ERROR: Final = 4  # a word of so many letters may have one too many or too few
_LONGEST_KEYWORD: Final = 40
_MOST_PARTS: Final = 3  # of a keyword with hyphens: tx-ring-limit

_PROTOCOLS: Final = [row.split()[0] for row in rows_of("protocols")["ip"]]


class Doubt(Struct, frozen=True):
    """A word of a command that is no keyword: those that it is nearest to, or short for."""

    word: str
    keywords: tuple[str, ...]
    ambiguous: bool


class _Node(dict[str, "_Node"]):
    """Keywords that may follow, with what follows each; `anywhere` may stand among arguments."""

    anywhere: frozenset[str] = frozenset()
    is_read: bool = False  # a row leads here
    opens: bool = False  # a mode of its own

    @property
    def goes_on(self) -> bool:
        """Whether keywords may follow."""
        return bool(self or self.anywhere)

    @cached_property
    def _by_letter(self) -> dict[str, list[str]]:
        by_letter: dict[str, list[str]] = {}
        for keyword in self:
            by_letter.setdefault(keyword[0], []).append(keyword)
        return by_letter

    def fits(self, word: str) -> tuple[str, ...]:
        """Keywords that a word may be short for."""
        return _fits(word, self._by_letter.get(word[:1], ()))


@cache
def _root(mode: str) -> _Node:
    root = _Node()
    for word in SUBCOMMANDS.get(mode, frozenset()) - OTHER_FAMILIES.get(mode, frozenset()):
        root[word] = _Node()
    for row in OPENERS.get(mode, ()):
        for word in row.split()[0].split("|"):
            root.setdefault(word, _Node()).opens = True
    root.pop("#", None)
    for row in KEYWORDS.get(mode, ()):
        path, _, anywhere = row.partition(_ANYWHERE)
        nodes = [root]
        for choices in path.split():
            nodes = [
                node.setdefault(word, _Node()) for node in nodes for word in choices.split("|")
            ]
            for node in nodes:
                node.is_read = True
        for node in nodes:
            node.anywhere = node.anywhere | frozenset(anywhere.split())
    return root


def stays_in(mode: str, text: str) -> bool:
    """Whether a command certainly opens no mode: what is indented below it is of its own mode.

    >>> stays_in("interface", "encapsulation ppp"), stays_in("interface", "service instance 1 ethernet")
    (True, False)
    """  # noqa: E501 - one example
    words = text.split(None, 2)
    word = words[1] if words[0] in _NEGATIONS and len(words) > 1 else words[0]
    node = _root(mode).get(word)
    return node is not None and node.is_read and not node.opens


def spelled_out(mode: str, text: str) -> str:
    """A command of a mode with its keywords in full.

    >>> spelled_out("interface", "ser-pol out VOICE"), spelled_out("policy-map-class", "prio perc 30")
    ('service-policy output VOICE', 'priority percent 30')
    >>> spelled_out("interface", "tx 5"), spelled_out("interface", "description band 5")
    ('tx 5', 'description band 5')
    """  # noqa: E501 - one example
    return text if _is_whole(mode, text) else _spelled_out(mode, text)


@lru_cache(maxsize=1 << 16)  # a proof reads each line again; a hub has two lines of its own a port
def _is_whole(mode: str, text: str) -> bool:
    """Whether a command has its keywords in full: all but a few have."""
    node, words = _root(mode), text.split()
    start = 1 if len(words) > 1 and words[0] in _NEGATIONS else 0
    last = len(words) - 1
    for place, word in enumerate(words[start:], start):
        if not node:
            return True
        inner = node.get(word)
        may_be_argument = place == last or not word[0].isalpha()  # a name at the end, a number
        if inner is None and may_be_argument and word.lower() not in node:
            inner = node.get(_ARGUMENT)
            if inner is not None and place < last and not inner.goes_on:
                return False  # a word too many
        if inner is None:
            return False
        if inner.anywhere:
            behind = words[place + 1 :]
            return all(word in inner.anywhere or not word[0].isalpha() for word in behind)
        node = inner
    return True


def next_keywords(mode: str, words: Sequence[str]) -> tuple[str, ...]:
    """Keywords that may follow the first words of a command of a mode; those that are read first.

    >>> next_keywords("interface", ["ser-pol"])[:4]
    ('history', 'input', 'output', 'type')
    """
    node, started = _root(mode), [word.lower() for word in words]
    if started[:1] and started[0] in _NEGATIONS:
        started = started[1:]
    for word in started:
        keyword = _keyword(node, word, is_last=False)
        if keyword is None:
            return ()
        node = node[keyword]
        if node.anywhere:
            return tuple(sorted(node.anywhere))
    return tuple(sorted(node.keys() - {_ARGUMENT}, key=lambda word: (not node[word].is_read, word)))


def is_abbreviated(mode: str, word: str) -> bool:
    """Whether a word is short for one first keyword of a mode.

    >>> is_abbreviated("global", "int"), is_abbreviated("global", "interface")
    (True, False)
    """
    return spelled_out(mode, f"{word} x").split()[0].lower() != word.lower()


@lru_cache(maxsize=1 << 14)
def _spelled_out(mode: str, text: str) -> str:
    spans = list(_WORD.finditer(text))
    full, _ = _completed(mode, [span[0] for span in spans])
    pieces, end = [], 0
    for span, word in zip(spans, full, strict=True):
        pieces += [text[end : span.start()], word]
        end = span.end()
    return "".join((*pieces, text[end:]))


@lru_cache(maxsize=1 << 16)  # a proof reads each line again
def doubt_about(mode: str, text: str) -> Doubt | None:
    """The word that keeps a command from being one that is read; None if all its keywords are.

    A word is in doubt if it may be short for several keywords, or is nearly one. A word that is
    like none of them belongs to a command that nothing here reads.
    """
    words = text.split()
    if _is_whole(mode, text):
        starts = _first_parts(mode).intersection(words[:2])
        return _blank_for_hyphen(mode, words) if starts else None
    _, unread = _completed(mode, words)
    return (_doubt_of(*unread) if unread else None) or _blank_for_hyphen(mode, words)


@cache
def _first_parts(mode: str) -> frozenset[str]:
    """Return the parts before a hyphen of read keywords, unless a read keyword is just that."""
    root = _root(mode)
    parts = (word.partition("-")[0] for word in root if "-" in word and root[word].is_read)
    return frozenset(part for part in parts if part in root and not root[part].is_read)


def _blank_for_hyphen(mode: str, words: list[str]) -> Doubt | None:
    """Doubt about a keyword whose hyphens were typed as blanks, like `service policy`."""
    node = _root(mode)
    start = 1 if words[0].lower() in _NEGATIONS else 0
    first = [word.lower() for word in words[start : start + _MOST_PARTS]]
    if not first or (first[0] in node and node[first[0]].is_read):
        return None
    for parts in range(len(first), 1, -1):
        keyword = "-".join(first[:parts])
        if keyword in node and (node[keyword].is_read or node[keyword].opens):
            return Doubt(words[start], (keyword,), ambiguous=False)
    return None


def _completed(mode: str, words: list[str]) -> tuple[list[str], tuple[_Node, str] | None]:
    """Words with their keywords in full, and the word that is no keyword of its node."""
    node, unread = _root(mode), None
    full = list(words)
    start = 1 if len(words) > 1 and words[0].lower() in _NEGATIONS else 0
    if start:
        full[0] = words[0].lower()
    if _is_of_another_mode(mode, words[start:]):
        return full, None
    for position in range(start, len(words)):
        if not node:
            break
        word, is_last = words[position], position == len(words) - 1
        keyword = _keyword(node, word, is_last=is_last)
        if keyword is None:
            unread = node, word
            break
        if keyword == _ARGUMENT and not is_last and not node[_ARGUMENT].goes_on:
            # A name ends the command: with a word behind it, it was meant for a keyword.
            unread = node, word
        if keyword != _ARGUMENT:
            full[position] = _PRINTED.get(keyword, keyword)
        node = node[keyword]
        if node.anywhere:
            full[position + 1 :] = [
                _short_for(later, node.anywhere) for later in words[position + 1 :]
            ]
            break
    return full, unread


def _is_of_another_mode(mode: str, words: list[str]) -> bool:
    """Whether a text without indentation may mean a command of another mode by these words.

    That mode is global configuration, and in global configuration any mode. IOS tries the mode
    that is open first: if the second word is a keyword behind the one that the first word is short
    for, the command is of this mode.
    """
    node = _root(mode)
    first, second = (*(word.lower() for word in words[:2]), "", "")[:2]
    if first in node or first not in (_WHOLE if mode == "global" else SUBCOMMANDS["global"]):
        return False
    inner = [node[keyword] for keyword in node.fits(first) if node[keyword].is_read]
    return len(inner) != 1 or second in ("", _ARGUMENT) or not inner[0].fits(second)


def _keyword(node: _Node, word: str, *, is_last: bool) -> str | None:
    """The keyword of a node that a word is, or `*`; None if it is neither."""
    lower = word.lower()
    if lower in node:
        return lower
    takes_any = _ARGUMENT in node
    if takes_any and is_last:
        return _ARGUMENT  # a name must follow the keyword that it might be short for
    fits = node.fits(lower)
    fits = tuple(keyword for keyword in fits if keyword not in OLD_SPELLINGS) or fits
    is_read = any(node[keyword].is_read for keyword in fits)
    if len(fits) == 1 and (is_read or node[fits[0]].opens):
        return fits[0]
    return _ARGUMENT if takes_any else None


def _doubt_of(node: _Node, word: str) -> Doubt | None:
    """Keywords of a node that a word may be short for, else the one that it is nearest to."""
    lower = word.lower()
    fits = node.fits(lower)
    fits = tuple(keyword for keyword in fits if keyword not in OLD_SPELLINGS) or fits
    if fits:
        is_read = any(node[keyword].is_read for keyword in fits)
        return Doubt(word, tuple(sorted(fits)), ambiguous=True) if is_read else None
    near = _nearest(lower, [keyword for keyword in node if node[keyword].is_read])
    near = near or _without_blank(lower, node)
    return Doubt(word, (near,), ambiguous=False) if near else None


@lru_cache(maxsize=1 << 14)
def doubt_about_type(name: str) -> Doubt | None:
    """Doubt about the name of an interface whose type is nearly one that IOS has."""
    near = _nearest(unknown_type(name), [known.lower() for known in TYPES])
    return Doubt(name, (interface_type(near),), ambiguous=False) if near else None


@lru_cache(maxsize=1 << 12)
def doubt_about_protocol(name: str) -> Doubt | None:
    """Doubt about the protocol of an entry of an access list."""
    lower = name.lower()
    if any(known.startswith(lower) for known in _PROTOCOLS):
        return None
    near = _nearest(lower, _PROTOCOLS)
    return Doubt(name, (near,), ambiguous=False) if near else None


def _short_for(word: str, keywords: frozenset[str]) -> str:
    fits = _fits(word, keywords) if word not in keywords else ()
    return fits[0] if len(fits) == 1 else word


def _fits(word: str, keywords: Iterable[str]) -> tuple[str, ...]:
    """Keywords that a word may be short for: whole beginnings first, else part by part."""
    if not word[:1].isalpha():
        return ()
    whole = tuple(keyword for keyword in keywords if keyword.startswith(word))
    if whole or "-" not in word:
        return whole
    typed = word.split("-")
    return tuple(keyword for keyword in keywords if _fits_by_parts(typed, keyword))


def _fits_by_parts(typed: list[str], keyword: str) -> bool:
    parts = keyword.split("-")
    if any(short == part[:-1] for short, part in zip(typed[:-1], parts, strict=False)):
        return False  # nobody saves one letter: `clas-map` is misspelt
    return len(typed) == len(parts) and all(
        short and part.startswith(short) for short, part in zip(typed, parts, strict=True)
    )


def _without_blank(word: str, node: _Node) -> str | None:
    """The keyword that a word begins with, where the blank behind it, or behind `no`, is lost."""
    rest = word.removeprefix(_NEGATIONS[0])
    if rest != word and rest in JUDGED.intersection(node):
        return rest
    return max(
        (keyword for keyword in JUDGED.intersection(node) if word.startswith(keyword)),
        key=len,
        default=None,
    )


def _nearest(word: str, keywords: list[str]) -> str | None:
    """The keyword that a word is a typing error of."""
    if not _SHORTEST_MISSPELT <= len(word) <= _LONGEST_KEYWORD or not word[0].isalpha():
        return None
    if word.rstrip("0123456789") in keywords:
        return None  # IOS takes `Virtual-Template1` for `virtual-template 1`
    for keyword in keywords:
        if len(keyword) == len(word) and sorted(keyword) == sorted(word):
            return keyword  # two letters in the wrong order
    matches = [
        (SequenceMatcher(None, word, keyword, autojunk=False), keyword)
        for keyword in keywords
        if abs(len(keyword) - len(word)) <= max(1, len(word) // _LETTERS_AN_ERROR)
    ]
    # A quick ratio is never less than the ratio itself.
    close = (pair for pair in matches if pair[0].quick_ratio() >= _CLOSE_RATIO)
    best = max(((match.ratio(), keyword) for match, keyword in close), default=(0.0, ""))
    return best[1] if best[0] >= _CLOSE_RATIO else None
