"""Exec commands, as they are typed at a prompt: words of IOS stay, arguments of people go."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from advisor.capture.masking.hops import masked_hop
from advisor.capture.masking.outputs import tells_secret
from advisor.capture.masking.words import (
    REMOVED,
    is_address,
    is_interface,
    is_name,
    is_near,
    is_number,
)
from advisor.ios.exec.commands import WORDS, known_words, spell_out
from advisor.ios.exec.prompts import is_exec_command
from advisor.ios.syntax.words import SUBCOMMANDS

_WORD: Final = re.compile(r"\S+")
_SHORTEST: Final = 2
_LONG_WORD: Final = 7  # letters of a keyword whose misspelling is no other word
_LONGEST_HEAD: Final = 40
_BAR: Final = "|"
_FILTERS: Final = frozenset(
    (_BAR, "include", "exclude", "begin", "section", "count", "inc", "i", "b")
)
# The commands that take one argument that is no secret, and its shape.
_TAKEN: Final[Mapping[str, Callable[[str], bool]]] = {
    "terminal length": is_number,
    "terminal width": is_number,
    "clear counters": is_interface,
    "resume": is_number,
    "disconnect": is_number,
}
_NAMED: Final = frozenset(("policy-map", "class-map", "class", "access-lists", "access-list"))
_ARGUMENTS: Final = """
    brief detail details all input output class name type queueing inspect history sorted
    5sec 1min 5min summary statistics aggregated configuration cef user vrf
"""
_MORE_WORDS: Final = frozenset(_ARGUMENTS.split())
_STARTS: Final = frozenset(
    word[:length] for word in (*WORDS, *_MORE_WORDS) for length in range(_SHORTEST, len(word) + 1)
)
# What people look for in an output; a pattern of other words may be a secret.
_SOUGHT: Final = """
    access bandwidth bytes class class-map collisions conform controller cpu crc depth drop drops
    dropped error errors exceed five fragment input interface interfaces jitter line load
    loss match mean offered output overruns packet packets peer peers policy policy-map priority
    protocol queue queueing rate reliability ring rtt service service-policy shape
    total tx-ring utilization violate
"""
_PATTERN_WORDS: Final = frozenset(_SOUGHT.split())
_IN_PATTERNS: Final = re.compile(r"[|^_().*+?$\[\]\\\"]+|(?<=\w):")
_CONFIG_WORDS: Final = frozenset(word for words in SUBCOMMANDS.values() for word in words)


def is_show(text: str) -> bool:
    """Say whether a text is a show command, whole or abbreviated."""
    word = text.split(None, 1)[0].lower() if text.strip() else ""
    return len(word) >= _SHORTEST and "show".startswith(word)


def mask_command(text: str) -> str:
    """Return an exec command without arguments that are no words of IOS.

    Examples
    --------
    >>> mask_command("show run | i key xyz"), mask_command("sh int s0/1")
    ('show run | i key <removed>', 'sh int s0/1')
    >>> mask_command("show run | include 84736251"), mask_command("clear line 84736251")
    ('show run | include <removed>', 'clear <removed>')
    >>> mask_command("show policy-map interface | include drops|^ *Class")
    'show policy-map interface | include drops|^ *Class'
    >>> mask_command("test aaa group tacacs+ bob xyz legacy"), mask_command("xyz")
    ('test <removed>', '<removed>')
    >>> mask_command("ssh -l bob 192.0.2.5"), mask_command("telnet 192.0.2.5 xyz")
    ('ssh -l <removed> 192.0.2.5', 'telnet 192.0.2.5 <removed>')
    """
    word_matches = [*_WORD.finditer(text)]
    if not word_matches:
        return text
    head = word_matches[0][0].lower()
    if len(head) > _LONGEST_HEAD or not is_exec_command(head):
        return REMOVED
    words = [word[0] for word in word_matches]
    hop = masked_hop(words)
    if hop is not None:
        return text[: word_matches[0].start()] + hop
    kept = _shown_of_show(words) if is_show(head) else _shown_of_other(words)
    end = word_matches[kept - 1].end()
    return text if kept == len(word_matches) else f"{text[:end]} {REMOVED}"


def mask_captured(text: str) -> str:
    """Return what a part of a capture is called: a show command masked, words of this tool as is.

    Examples
    --------
    >>> mask_captured("show run | i key xyz"), mask_captured("Cisco IOS configuration")
    ('show run | i key <removed>', 'Cisco IOS configuration')
    """
    return mask_command(text) if text.startswith("show ") else text


def _shown_of_show(words: Sequence[str]) -> int:
    """Count the words of a show command that may be shown: behind a bar keywords alone."""
    name_next, is_filter = False, False
    for count, word in enumerate(words[1:], 1):
        lower = word.lower()
        if is_filter and _is_pattern(lower):
            continue
        is_filter = is_filter or lower == _BAR
        is_argument = not is_filter and (_is_shape(lower) or (name_next and is_name(word)))
        if not (_is_word(lower) or is_argument):
            return count
        name_next = lower in _NAMED
        if tells_secret(lower):
            return count + 1
    return len(words)


def _shown_of_other(words: Sequence[str]) -> int:
    """Count the words of another exec command that may be shown; its arguments may be secrets."""
    known = max(known_words(words), 1)
    takes = _TAKEN.get(spell_out(" ".join(words[:known])))
    if takes is not None and len(words) == known + 1 and takes(words[known].lower()):
        return known + 1
    return known


def _is_word(lower: str) -> bool:
    return lower in _STARTS or lower in _FILTERS or lower in _CONFIG_WORDS or _is_slip(lower)


def _is_pattern(lower: str) -> bool:
    """Whether a pattern is of words that people look for in outputs: `drops|Class`, `^Serial`."""
    parts = [part for part in _IN_PATTERNS.split(lower) if part]
    return len(lower) <= _LONGEST_HEAD and all(
        part in _PATTERN_WORDS or (part.isalpha() and is_interface(part)) for part in parts
    )


@lru_cache(maxsize=4096)
def _is_slip(lower: str) -> bool:
    """Whether a word is a longer keyword with one letter too many, too few or wrong."""
    if len(lower) < _LONG_WORD - 1 or not lower.replace("-", "").isalpha():
        return False
    return any(len(word) >= _LONG_WORD and is_near(lower, word, 1) for word in WORDS)


def _is_shape(lower: str) -> bool:
    return is_number(lower) or is_address(lower) or is_interface(lower)
