"""Counts the leading words of a command that masking may show, from the table `commands.txt`.

The head of that file explains its notation. A word that no row allows, and all words behind it, are
masked. Abbreviated and misspelt keywords are tried in full.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.masking.words import (
    is_address,
    is_hex,
    is_image,
    is_interface,
    is_name,
    is_near,
    is_number,
)
from advisor.ios.grammar import SUBCOMMANDS
from advisor.ios.syntax.abbreviations import doubt_about, spelled_out
from advisor.ios.terminal import is_exec_command

_SHORTEST: Final = 3  # letters of a first word that is taken for an abbreviation
_WITH_PATTERNS: Final = ["match", "protocol"]  # a pattern of an URL or a host may follow
# Modes whose commands hold no secrets: their abbreviations are read.
_ABBREVIATED: Final = (
    *("global", "interface", "policy-map", "policy-map-class", "class-map", "pvc", "map-class"),
    *("frame-relay-dlci", "access-list"),
)
_LETTERS: Final = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_MOST_WRONG: Final = 2  # letters of a misspelt keyword
# QoS keywords that no keyword of a secret resembles: up to 7 digits behind them are shown.
_OF_A_FIGURE: Final = frozenset(
    (
        "bandwidth",
        "priority",
        "queue-limit",
        "hold-queue",
        "tx-ring-limit",
        "max-reserved-bandwidth",
    )
)
_FIGURE: Final = re.compile(r"[0-9]{1,7}")
_NEGATIONS: Final = ("no", "default")
_FILE: Final = Path(__file__).with_name("commands.txt")
_SHAPES: Final[Mapping[str, Callable[[str], bool]]] = {
    "#": is_number,
    "&": is_hex,
    "@": is_address,
    "%": is_interface,
    "~": is_image,
}
_NUMBERED: Final = ("permit", "deny", "remark", "class", "evaluate", "description")
_FIRST_WORDS: Final = frozenset(word for words in SUBCOMMANDS.values() for word in words)
# First words, in any mode, of commands whose arguments are secrets or somebody's text.
_HIDDEN_HEADS: Final = """
    anonymous-id ao area-password authentication authentication-key authenticate automate-tester
    auth-key base-dn bind challenge-password chat-script cipher client client-key community
    credential credentials crypto-key cryptographic-algorithm database digest domain-password
    enable encryption enrollment hash identity key key-hash key-server key-string master-key
    message-digest-key mka otp pac passphrase passwd password path pin pmk pre-shared-key proxy
    psk rekey sak salt sap secret secret-key security seed server-key server-private session-key
    shared-key shared-secret snmp-server string token trust-key tunnel-key url user user-name
    username user-password wep-key wpa-psk xauth
"""
_HIDDEN: Final = tuple(_HIDDEN_HEADS.split())


@lru_cache(maxsize=1024)
def begins_command(word: str) -> bool:
    """Say whether a command of any mode may start with a word, abbreviated or misspelt.

    Examples
    --------
    >>> begins_command("usernme"), begins_command("frame-r"), begins_command("Fancy")
    (True, True, False)
    """
    lower = word.lower()
    if is_exec_command(lower):
        return True
    heads = _heads()
    at = bisect_left(heads, lower)
    is_start = at < len(heads) and heads[at].startswith(lower)
    # One wrong letter leaves the first letter or the last one as it is.
    return is_start or any(is_near(lower, head, 1) for head in _heads_that_end(lower))


@cache
def _heads() -> Sequence[str]:
    return sorted({*_table(), *_FIRST_WORDS, *_HIDDEN, *_NEGATIONS})


def _heads_that_end(word: str) -> Iterator[str]:
    """Heads of about the length of a word, with its first letter or with its last one."""
    for length in range(len(word) - 1, len(word) + 2):
        for end in ((length, word[:1], ""), (length, "", word[-1:])):
            yield from _heads_by_end().get(end, ())


@cache
def _heads_by_end() -> Mapping[tuple[int, str, str], Sequence[str]]:
    by_end: dict[tuple[int, str, str], list[str]] = {}
    for head in _heads():
        for end in ((len(head), head[0], ""), (len(head), "", head[-1])):
            by_end.setdefault(end, []).append(head)
    return by_end


class _Then(Enum):
    """The part of a command that may be shown behind a word of a row."""

    MORE = "the other words of the row"
    A_NAME = "one name, then the other words"
    NOTHING = "nothing that may be shown"


class _MaskRow(Struct, frozen=True):
    """One row of the table: the words that start it, and what may follow them."""

    head: tuple[str, ...]
    words: Mapping[str, _Then]
    shapes: tuple[Callable[[str], bool], ...]
    takes_name: bool


def shown_words(words: Sequence[str]) -> int:
    """Count the words of a command, from its first, that may be shown.

    Parameters
    ----------
    words
        The words as they stand, a leading `no` among them.

    Examples
    --------
    >>> shown_words("no ip address 192.0.2.1 255.255.255.0".split())
    5
    >>> shown_words("enable secret 5 xyz".split()), shown_words("xyz 5".split())
    (2, 0)
    >>> shown_words("ser-pol out EDGE".split()), shown_words("ena sec 0 xyz".split())
    (3, 0)
    >>> shown_words("tx-ring-limt 10 x".split()), shown_words("no servce-policy x".split())
    (2, 2)
    """
    shown = _shown(words)
    if shown == len(words):
        return shown
    shown = max(shown, *(_shown_in_full(mode, words) for mode in _ABBREVIATED))
    position = max(shown, 1 if len(words) > 1 and words[0].lower() in _NEGATIONS else 0)
    meant = _meant(words, position)
    if meant is None:
        return shown
    position += 1
    if meant in _OF_A_FIGURE and position < len(words) and _FIGURE.fullmatch(words[position]):
        return position + 1
    return position


def _meant(words: Sequence[str], position: int) -> str | None:
    """The keyword that a misspelt word, with one or two wrong letters, stands for; else None."""
    if position >= len(words) or _LETTERS.fullmatch(words[position]) is None:
        return None
    text = " ".join(words)
    doubts = (doubt_about(mode, text) for mode in _ABBREVIATED)
    return next(
        (
            doubt.keywords[0]
            for doubt in doubts
            if doubt is not None
            and not doubt.ambiguous
            and words.index(doubt.word) == position
            and is_near(doubt.word.lower(), doubt.keywords[0], _MOST_WRONG)
        ),
        None,
    )


def _shown_in_full(mode: str, words: Sequence[str]) -> int:
    """Count the words that may be shown if the abbreviated keywords of a mode are spelled out."""
    start = 1 if len(words) > 1 and words[0].lower() in _NEGATIONS else 0
    first = words[start] if words else ""
    if len(first) < _SHORTEST and first.lower() not in _FIRST_WORDS:
        return 0
    full = spelled_out(mode, " ".join(words)).split()
    if full == list(words):
        return 0
    shown = _shown(full, may_be_secret=_may_be_secret(first, full[start]))
    return min(shown, start + 2) if full[start : start + 2] == _WITH_PATTERNS else shown


@cache
def _may_be_secret(word: str, full: str) -> bool:
    """Whether an abbreviation may also mean a command with a secret in another mode."""
    short = word.lower()
    return short != full and any(secret.startswith(short) for secret in _HIDDEN)


def _shown(words: Sequence[str], *, may_be_secret: bool = False) -> int:
    lower = [word.lower() for word in words[: _longest_head() + 1]]
    start = 1 if len(lower) > 1 and lower[0] in _NEGATIONS else 0
    first = lower[start] if len(lower) > start else ""
    if is_number(first) and len(lower) > start + 1 and lower[start + 1] in _NUMBERED:
        start += 1
        first = lower[start]
    for row in _table().get(first, ()):
        if tuple(lower[start : start + len(row.head)]) == row.head:
            behind = lower[start + len(row.head) :][:1]
            is_doubtful = may_be_secret and len(row.head) == 1 and not row.words.keys() & {*behind}
            shown = replace(row, shapes=(), takes_name=False) if is_doubtful else row
            return _walk(shown, words, start + len(row.head))
    return start + 1 if first in _FIRST_WORDS else 0


def _walk(row: _MaskRow, words: Sequence[str], position: int) -> int:
    if row.takes_name and position < len(words) and words[position].lower() not in row.words:
        if not is_name(words[position]):
            return position
        position += 1
    while position < len(words):
        word = words[position]
        then = row.words.get(word.lower())
        if then is None and not any(is_shape(word) for is_shape in row.shapes):
            return position
        position += 1
        if then is _Then.NOTHING:
            return position
        if then is _Then.A_NAME and position < len(words):
            if not is_name(words[position]):
                return position
            position += 1
    return position


@cache
def _table() -> Mapping[str, tuple[_MaskRow, ...]]:
    table: dict[str, list[_MaskRow]] = {}
    groups: dict[str, list[str]] = {}
    for entry in _entries(_FILE.read_text("utf-8")):
        head, _, items = entry.partition(" :")
        spelt = [word for item in items.split() for word in groups.get(item, [item])]
        if head.startswith("$"):
            groups[head] = spelt
        else:
            row = _row(tuple(head.split()), spelt)
            table.setdefault(row.head[0], []).append(row)
    return {
        word: tuple(sorted(rows, key=lambda row: len(row.head), reverse=True))
        for word, rows in table.items()
    }


@cache
def _longest_head() -> int:
    return max(len(row.head) for rows in _table().values() for row in rows) + 2


def _entries(text: str) -> list[str]:
    """Rows of the table, each on one line; comments start with two semicolons."""
    entries: list[str] = []
    for line in text.splitlines():
        if line.startswith(" "):
            entries[-1] += line
        elif line and not line.startswith(";;"):
            entries.append(line)
    return entries


def _row(head: tuple[str, ...], items: Sequence[str]) -> _MaskRow:
    words: dict[str, _Then] = {}
    for item in items:
        if item.endswith("="):
            words[item[:-1].lower()] = _Then.A_NAME
        elif item.endswith("!"):
            words[item[:-1].lower()] = _Then.NOTHING
        elif item not in _SHAPES and item != "*":
            words.setdefault(item.lower(), _Then.MORE)
    shapes = tuple(shape for item, shape in _SHAPES.items() if item in items)
    return _MaskRow(head, words, shapes, "*" in items)
