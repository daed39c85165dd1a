"""Which command opens which configuration mode, and which words a mode knows.

IOS ignores indentation: the mode that the lines before a command open decides its meaning. The
tables of `openers` and `words` are not a grammar: they say where a line belongs, not whether it
is correct.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from advisor.ios.syntax.abbreviations import spelled_out
from advisor.ios.syntax.global_words import GLOBAL_PHRASES
from advisor.ios.syntax.openers import OPENERS
from advisor.ios.syntax.words import SUBCOMMANDS

__all__ = ["GLOBAL", "SUBCOMMANDS", "belongs", "is_global_word", "knows", "opens_mode"]

GLOBAL: Final = "global"

_ATTACH_WORDS: Final = 3

_Pattern = tuple[tuple[str, ...], str | None]


# mode -> first words of sub-commands there that open a mode in global configuration.
_LOCAL: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        "address-family": frozenset({"table-map"}),
        "router": frozenset({"table-map"}),
        "service-instance": frozenset({"bridge-domain"}),
        "template": frozenset({"vlan"}),
        "topology": frozenset({"table-map"}),
        "vfi": frozenset({"bridge-domain"}),
    }
)


def _specificity(pattern: _Pattern) -> tuple[int, int]:
    words, _ = pattern
    return len(words), sum(word not in ("*", "#") for word in words)


def _compiled(table: str) -> Mapping[str, tuple[_Pattern, ...]]:
    by_word: dict[str, list[_Pattern]] = {}
    for line in table.strip().splitlines():
        words, _, mode = line.partition(">")
        first, *following = words.split()
        pattern = (tuple(following), None if mode.strip() == "-" else mode.strip())
        for word in first.split("|"):
            by_word.setdefault(word, []).append(pattern)
    return {
        word: tuple(sorted(patterns, key=_specificity, reverse=True))
        for word, patterns in by_word.items()
    }


_COMPILED: Final[Mapping[str, Mapping[str, tuple[_Pattern, ...]]]] = MappingProxyType(
    {mode: _compiled(table) for mode, table in OPENERS.items()}
)


def _fits(pattern: tuple[str, ...], words: list[str]) -> bool:
    if pattern and pattern[-1] == "$":
        return not words
    if len(words) < len(pattern):
        return False
    return all(
        expected in ("*", word)
        or (expected == "#" and word[0].isdigit())
        or ("|" in expected and word in expected.split("|"))
        for expected, word in zip(pattern, words, strict=False)
    )


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
    patterns = openers.get(first)
    if patterns is None:
        # A numbered class of a control policy starts with its number.
        patterns = openers.get("#") if first[0].isdigit() else None
        if patterns is None:
            return None
    if first == "police" and "-action" in text:
        return None  # the one-line form names its actions itself
    arguments = words[1:]
    for pattern, opened in patterns:
        if _fits(pattern, arguments):
            return opened
    return None


def is_global_word(text: str) -> bool:
    """Say whether the first word of a command exists in global configuration mode."""
    return _words(spelled_out(GLOBAL, text))[0] in SUBCOMMANDS[GLOBAL]


def knows(mode: str, text: str) -> bool:
    """Say whether a mode has the first word of a command, as it is typed."""
    return _words(text)[0] in SUBCOMMANDS.get(mode, frozenset())


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
    if words[0] not in subcommands or (opens_mode(GLOBAL, text) and not _is_local(mode, text)):
        return False
    return mode == GLOBAL or not _is_global_phrase(words)


def _is_local(mode: str, text: str) -> bool:
    """Say whether a command that could open a mode globally has another meaning in a mode."""
    return opens_mode(mode, text) is not None or text.split(None, 1)[0] in _LOCAL.get(mode, ())


def _is_global_phrase(words: list[str]) -> bool:
    first, second, third = (*words, "", "")[:3]
    if second in GLOBAL_PHRASES.get(first, ()):
        return True
    if third in GLOBAL_PHRASES.get(f"{first} {second}", ()):
        return True
    # `crypto map NAME` and `ip nat inside` belong to an interface; with more words they are global.
    return (first == "crypto" or (first, second) == ("ip", "nat")) and len(words) > _ATTACH_WORDS


def _words(text: str) -> list[str]:
    """Split a command, without the `no` or `default` before it."""
    words = text.split()
    return words[1:] if len(words) > 1 and words[0] in ("no", "default") else words or [""]
