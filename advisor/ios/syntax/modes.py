"""Which command opens which configuration mode, and which words a mode knows.

IOS ignores indentation: the mode that the lines before a command open decides its meaning. The
rows of `grammar` say where a line belongs, not whether it is correct.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple

from advisor.ios.grammar import OPENERS, SUBCOMMANDS, rows_of
from advisor.ios.syntax.abbreviations import spelled_out

GLOBAL: Final = "global"

_ATTACH_WORDS: Final = 3


class WordPlace(StrEnum):
    """Where a command stands that begins with a word of two modes."""

    LOCAL = "local"  # in this mode only
    BOTH = "both"  # in this mode and in global configuration mode
    GLOBAL = "global"  # in global configuration mode only


# Accepted words of each place; a text is one of the signs `*`, `#` and `$`.
_Pattern = tuple[tuple[frozenset[str] | str, ...], str | None]
_ANY_WORD, _NUMBER, _END = "*", "#", "$"


class _Choices(NamedTuple):
    """The patterns of a first word, by its second word, the most specific first."""

    by_second: Mapping[str, tuple[_Pattern, ...]]
    other: tuple[_Pattern, ...]  # for every other second word, and for none


_Compiled = Mapping[str, _Choices]

_KNOWN_WORDS: Final = frozenset().union(*SUBCOMMANDS.values())
_GLOBAL_WORDS: Final = SUBCOMMANDS[GLOBAL]
_NEGATIONS: Final = ("no", "default")
_LOCAL_WORDS: Final = _KNOWN_WORDS - SUBCOMMANDS[GLOBAL] - {"quit", "show"}


def _specificity(pattern: _Pattern) -> tuple[int, int]:
    words, _ = pattern
    return len(words), sum(word not in (_ANY_WORD, _NUMBER) for word in words)


def _compiled(rows: Iterable[str]) -> _Compiled:
    by_word: dict[str, list[_Pattern]] = {}
    for row in rows:
        words, _, mode = row.partition(">")
        first, *following = words.split()
        signs = (_ANY_WORD, _NUMBER, _END)
        accepted = tuple(
            word if word in signs else frozenset(word.split("|")) for word in following
        )
        pattern = (accepted, None if mode.strip() == "-" else mode.strip())
        for word in first.split("|"):
            by_word.setdefault(word, []).append(pattern)
    return {
        word: _choices(sorted(patterns, key=_specificity, reverse=True))
        for word, patterns in by_word.items()
    }


def _choices(patterns: list[_Pattern]) -> _Choices:
    """Sort patterns by their second word; `ip` alone has more than a hundred."""
    by_second: dict[str, list[_Pattern]] = {}
    other: list[_Pattern] = []
    for pattern in patterns:
        words, _ = pattern
        if words and not isinstance(words[0], str):
            for word in words[0]:
                by_second.setdefault(word, other.copy()).append(pattern)
        else:
            for fitting in (other, *by_second.values()):
                fitting.append(pattern)
    return _Choices({word: tuple(fitting) for word, fitting in by_second.items()}, tuple(other))


_COMPILED: Final[Mapping[str, _Compiled]] = MappingProxyType(
    {mode: _compiled(rows) for mode, rows in OPENERS.items()}
)
_PLACED: Final[Mapping[str, _Compiled]] = MappingProxyType(
    {mode: _compiled(rows) for mode, rows in rows_of("places").items()}
)
# First words -> second words that make a command global, even if a mode knows its first word.
_PHRASES: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        first.strip(): frozenset(seconds.split())
        for first, _, seconds in (row.partition(">") for row in rows_of("phrases")[GLOBAL])
    }
)
_NOTHING: Final[_Compiled] = MappingProxyType({})
# First word -> its patterns in each mode that has a command of its own with this word.
_PLACED_BY_WORD: Final[Mapping[str, tuple[_Choices, ...]]] = MappingProxyType(
    {
        word: tuple(table[word] for table in _PLACED.values() if word in table)
        for word in frozenset().union(*_PLACED.values())
    }
)


def _first_fit(choices: _Choices, arguments: list[str]) -> str | None:
    by_second, patterns = choices
    if arguments:
        patterns = by_second.get(arguments[0], patterns)
    for pattern, place in patterns:
        if _fits(pattern, arguments):
            return place
    return None


def _fits(pattern: tuple[frozenset[str] | str, ...], words: list[str]) -> bool:
    count = len(words)
    for index, expected in enumerate(pattern):
        if expected == _END:
            return count == index
        if index >= count:
            return False
        if expected == _ANY_WORD:
            continue
        if expected == _NUMBER:
            if not words[index][0].isdigit():
                return False
        elif words[index] not in expected:
            return False
    return True


def opens_mode(mode: str, text: str) -> str | None:
    """Name the mode that a command opens.

    Parameters
    ----------
    mode
        The mode of the command; "global" at the top.
    text
        The command, without indentation.

    Returns
    -------
    str | None
        The name of the mode, a key of `SUBCOMMANDS`. None if the command opens no mode, and for
        its `no` and `default` forms.
    """
    openers = _COMPILED.get(mode)
    words = spelled_out(mode, text).split() if openers is not None else []
    if openers is None or not words:
        return None
    first = words[0]
    choices = openers.get(first)
    if choices is None:
        # A numbered class of a control policy starts with its number.
        choices = openers.get(_NUMBER) if first[0].isdigit() else None
        if choices is None:
            return None
    if first == "police" and "-action" in text:
        return None  # the one-line form names its actions itself
    return _first_fit(choices, words[1:])


def mode_within(path: Iterable[str]) -> str | None:
    """The mode that is open below nested commands; None where one of them opens none that is known.

    >>> mode_within(["policy-map WAN", "class VOICE"])
    'policy-map-class'
    """
    mode: str | None = GLOBAL
    for text in path:
        if mode is None:
            return None
        mode = opens_mode(mode, text)
    return mode


def is_global_word(text: str) -> bool:
    """Say whether the first word of a command exists in global configuration mode."""
    return _words(spelled_out(GLOBAL, text))[0] in SUBCOMMANDS[GLOBAL]


def knows(mode: str, text: str) -> bool:
    """Say whether a mode has the first word of a command, as it is typed."""
    return _words(text)[0] in SUBCOMMANDS.get(mode, frozenset())


def is_known_word(text: str) -> bool:
    """Say whether any mode has a command with this first word."""
    return _words(text)[0] in _KNOWN_WORDS


def is_global_command(text: str) -> bool:
    """Say whether the words of a command, not the first alone, prove that it is a global one."""
    return opens_mode(GLOBAL, text) is not None or _is_global_phrase(
        _words(spelled_out(GLOBAL, text))
    )


def claims(mode: str, text: str) -> bool:
    """Say whether a mode is known to have a command whose first word looks global."""
    return _place(mode, _words(spelled_out(mode, text))) in (WordPlace.LOCAL, WordPlace.BOTH)


@lru_cache(maxsize=1 << 14)  # an editor and a proof read each line again
def is_local(text: str) -> bool:
    """Say whether a command exists under some mode and not in global configuration mode."""
    first = text.partition(" ")[0]
    if first in _NEGATIONS:
        first = _words(text)[0]
    if first not in _GLOBAL_WORDS:
        return first in _LOCAL_WORDS
    tables = _PLACED_BY_WORD.get(first)
    if tables is None:
        return False
    arguments = _words(text)[1:]
    return any(_first_fit(choices, arguments) == WordPlace.LOCAL for choices in tables)


def _place(mode: str, words: list[str]) -> str | None:
    """Return where a command stands by the table; None where the table does not say."""
    choices = _PLACED.get(mode, _NOTHING).get(words[0])
    return None if choices is None else _first_fit(choices, words[1:])


def belongs(mode: str, text: str) -> bool:
    """Say whether a command without indentation can be a sub-command of a mode.

    If both the mode and global configuration know the first word (`ip`, `crypto`), the words after
    it decide. A line that starts with a number (an entry of an access list) is never global.
    """
    subcommands = SUBCOMMANDS.get(mode, frozenset())
    if text.startswith("default ") and "default" in subcommands:
        return True
    text = spelled_out(mode, text)
    words = _words(text)
    if words[0][:1].isdigit():
        return True
    place = _place(mode, words) if words[0] in subcommands else None
    if place is not None:
        return place != WordPlace.GLOBAL
    opens_here = opens_mode(mode, text) is not None
    if words[0] not in subcommands or (opens_mode(GLOBAL, text) and not opens_here):
        return False
    return mode == GLOBAL or not _is_global_phrase(words)


def _is_global_phrase(words: list[str]) -> bool:
    first, second, third = (*words, "", "")[:3]
    if second in _PHRASES.get(first, ()):
        return True
    if third in _PHRASES.get(f"{first} {second}", ()):
        return True
    # `crypto map NAME` and `ip nat inside` belong to an interface; with more words they are global.
    return (first == "crypto" or (first, second) == ("ip", "nat")) and len(words) > _ATTACH_WORDS


def _words(text: str) -> list[str]:
    """Split a command, without the `no` or `default` before it."""
    words = text.split()
    return words[1:] if len(words) > 1 and words[0] in _NEGATIONS else words or [""]
