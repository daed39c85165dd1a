"""Exec commands, as they are typed at a prompt: words of IOS stay, arguments of people go."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final

from advisor.capture.commands import WORDS, known_words, spell_out
from advisor.capture.masking.outputs import tells_secret
from advisor.capture.masking.words import (
    BLOB,
    REMOVED,
    is_address,
    is_interface,
    is_name,
    is_near,
    is_number,
)
from advisor.ios import pattern
from advisor.ios.grammar import SUBCOMMANDS
from advisor.ios.terminal import is_exec_command

# Hops from device to device: where they lead stays, who logs in and with what goes.

# The commands that hop, each with the letters that tell it from others.
_COMMANDS: Final[Mapping[str, int]] = {"telnet": 3, "ssh": 3, "rlogin": 3, "connect": 4}
# Options whose values are no secrets.
_SHOWN: Final[Mapping[str, Callable[[str], bool]]] = {
    "-p": is_number,
    "-v": is_number,
    "-vrf": is_name,
    "/vrf": is_name,
    "/source-interface": is_interface,
}
_HIDDEN: Final = frozenset(("-l", "-c", "-m", "-o", "-i", "-F", "-b", "-J", "-L", "-R", "/encrypt"))
_HOST: Final = pattern(r"[\w.:-]{1,80}")
# A hop from a Unix host; behind `#` and `>` commands are typed at the prompt of a device.
_UNIX: Final = pattern(
    r"(?:[^\s#>$%]{0,80}[$%]|[^#>$%\n]{0,80}[\s\]~:\\][#>$%]|[^\x00-\x7f]) ?(?=(?:ssh|telnet) )"
)
_NOBODY: Final = "removed$ "
_LONGEST_PORT: Final = 5  # digits
_TO: Final = r"[\w.:-]{1,80}"
_ADDRESS: Final = r"[\da-fA-F.:]{2,39}"
# Lines that IOS and Unix print of a hop. Whatever answers to a name is a host.
_PRINTED: Final = pattern(
    rf"""Trying[ ]{_TO}(?:,[ ]\d{{1,5}})?(?:[ ]?\({_ADDRESS}(?:,[ ]\d{{1,5}})?\))?
            [ ]{{0,3}}\.\.\.[ ]?Open
      | Trying[ ]{_ADDRESS}(?:,[ ]\d{{1,5}})?[ ]{{0,3}}\.\.\.
      | Connected[ ]to[ ]{_TO}
      | \[Resuming[ ]connection[ ]\d{{1,3}}[ ]to[ ]{_TO}[ ]{{0,3}}(?:\.\.\.)?[ ]?\]?
      | \[?Connection[ ](?:to[ ]{_TO}[ ])?closed(?:[ ]by[ ](?:foreign|remote)[ ]host)?\.?\]?
      | \[?Connection[ ]closed[ ]by[ ]{_ADDRESS}(?:[ ]port[ ]\d{{1,5}})?
      | Closing[ ]connection[ ]to[ ]{_ADDRESS}[ ]\[confirm\]
      | Escape[ ]character[ ]is[ ]'\^\S'\.
      | ([=*\#-])\1{{2,}}[ ]\d{{1,3}}(?:\.\d{{1,3}}){{3}}[ ]\1{{3,}}
      | User[ ]Access[ ]Verification | Username: | Password:
    """,
    re.VERBOSE,
)
_ASKED: Final = "Username:"
_ASKED_OF: Final = pattern(rf"\(?\S{{1,64}}@({_TO})('s password:|\) Password:)")  # by OpenSSH
_SPAWN: Final = "spawn "  # of Expect
_SIGNS: Final = (
    *("Trying", "onnect", "Escape", "User", "assword:", "ssh ", "telnet ", "login ", "== ", "-- "),
    *("** ", "## "),
)


def mask_hop_line(text: str) -> str | None:
    """Return a line of a hop without who logs in; None for a line of another kind.

    What is typed behind `Password:` makes the line one of another kind.

    Examples
    --------
    >>> mask_hop_line("Trying 192.0.2.5 ... Open"), mask_hop_line("Username: bob")
    ('Trying 192.0.2.5 ... Open', 'Username: <removed>')
    >>> mask_hop_line("bob@jump:~$ ssh bob@192.0.2.5"), mask_hop_line("Password: xyz")
    ('removed$ ssh <removed>@192.0.2.5', None)
    """
    if not any(sign in text for sign in _SIGNS):
        return None
    line = text.strip()
    if _PRINTED.fullmatch(line) is not None and BLOB.search(line) is None:
        return text
    if line.startswith(_ASKED):
        return f"{_ASKED} {REMOVED}"
    asked = _ASKED_OF.fullmatch(line)
    if asked is not None:
        return f"{'(' if asked[2].startswith(')') else ''}{REMOVED}@{asked[1]}{asked[2]}"
    if line.startswith(_SPAWN):
        spawned = masked_hop(line.split()[1:] or [""])
        return None if spawned is None else f"{_SPAWN}{spawned}"
    at_unix = _UNIX.match(line)
    hop = None if at_unix is None else masked_hop(line[at_unix.end() :].split())
    return None if hop is None else f"{_NOBODY}{hop}"


def masked_hop(words: Sequence[str]) -> str | None:
    """Return a command that hops without what may be a secret; None for any other command.

    Examples
    --------
    >>> masked_hop(["telnet", "192.0.2.5", "2001"]), masked_hop(["ssh", "-l", "bob", "r2"])
    ('telnet 192.0.2.5 2001', 'ssh -l <removed> r2')
    """
    head = words[0].lower()
    is_hop = any(len(head) >= least and full.startswith(head) for full, least in _COMMANDS.items())
    return " ".join((words[0], *_arguments(words[1:]))) if is_hop else None


def _arguments(words: Sequence[str]) -> Iterator[str]:
    """Options, the host and its port; from the first other word on all goes."""
    rest = iter(words)
    host = None
    for word in rest:
        if word in _SHOWN or word in _HIDDEN:
            value = next(rest, None)
            yield word
            if value is not None:
                yield value if word in _SHOWN and _SHOWN[word](value) else REMOVED
        elif host is None and (target := _target(word)) is not None:
            host = target
            yield target
        elif host is not None and is_number(word) and len(word) <= _LONGEST_PORT:
            yield word
        else:
            yield REMOVED
            return


def _target(word: str) -> str | None:
    """The host of a hop, without the user ahead of it."""
    user, at, host = word.rpartition("@")
    if _HOST.fullmatch(host) is None or not is_name(host) or host.startswith("-"):
        return None
    return f"{REMOVED}@{host}" if at and user else host


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
    "clear ip nat translation": "*".__eq__,
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
# Words that people look for in an output; a pattern of other words may be a secret.
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
