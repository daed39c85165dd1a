"""The one mask of lines: of configurations, of terminal logs, and of what a report quotes."""

import re
from functools import lru_cache
from typing import Final

from advisor.capture.masking.exec import is_show, mask_command
from advisor.capture.masking.grammar import shown_words
from advisor.capture.masking.outputs import is_plain, mask_output
from advisor.capture.masking.shown import paged, segments
from advisor.capture.masking.words import BLOB, REMOVED

_WORD: Final = re.compile(r"\S+")
_PROMPT: Final = re.compile(
    r"(?=[^>#]*[>#])([A-Za-z][\w.-]{0,62}(?:\([\w+./ -]{0,60}\))?[>#][ \t]?)(.*)", re.DOTALL
)
_NOBODY: Final = "removed"  # in place of the name of a host
_MODE: Final = re.compile(r"\((?:config|cfg|conf-|vlan)")
_PRINTED: Final = re.compile(
    r"Building configuration\.*|Current configuration ?: \d{1,12} bytes"
    r"|Using \d{1,12} out of \d{1,12} bytes(?:, uncompressed size = \d{1,12} bytes)?"
    r"|Uncompressed configuration from \d{1,12} bytes to \d{1,12} bytes|\[OK\]|--More--"
    r"|Enter configuration commands, one per line\.  End with CNTL/Z\.|\^",
)
# What IOS, RANCID, Oxidized and this tool write into comments.
_ADVISOR: Final = re.compile(r"(\s*advisor:\s*[a-z-]{1,20}\s*(?:\[[A-Z0-9, *]{1,200}\])?)")
_TOLD: Final = re.compile(
    r"\s*(?:Last configuration change|NVRAM config last updated|No configuration change"
    r"|Chassis type|Image|CPU|Memory|Processor|Slot|Flash|BOOTLDR|Variable|Interface|Software"
    r"|Compiled|Layout:)",
    re.IGNORECASE,
)
_IN_BACKTICKS: Final = re.compile(r"`([^`]*)`")
_RANCID: Final = re.compile(r"\s*RANCID-CONTENT-TYPE: [a-z-]{1,20}\s*")
_CHASSIS: Final = re.compile(
    r"(\s*(?:Chassis type|Processor|CPU): ?)(?:cisco )?[\w-]{1,40}(?=$|[ ,])"
)
_LONGEST_LINE: Final = 4096  # of a longer one no more is looked at
_LONGEST_KEPT: Final = 160


def mask_line(line: str, hosts: frozenset[str] = frozenset()) -> str:
    """Return a line of a configuration without what may be a secret.

    What is known to be none stays: the words of the table of commands, numbers, addresses, and
    names where IOS takes names. The line is read as a terminal shows it.

    Parameters
    ----------
    line
        The line, without its end.
    hosts
        Devices that are known by name: a prompt of theirs stays with no command behind it, too.
        What else ends like a prompt may be a password that was typed.

    Examples
    --------
    >>> mask_line("enable secret 5 $1$mERr$hx5r")
    'enable secret <removed>'
    >>> mask_line("username bob privilege 15")
    'username <removed>'
    >>> mask_line("service-policy output KEY-APPS")
    'service-policy output KEY-APPS'
    >>> mask_line("service password-encryption"), mask_line("ena sec 0 xyz")
    ('service password-encryption', '<removed>')
    >>> mask_line("r1(config)#usern bob pass xyz")
    'r1(config)#<removed>'
    """
    return _remembered(line, hosts) if len(line) <= _LONGEST_KEPT else _masked(line, hosts)


@lru_cache(maxsize=4096)  # the same few lines stand under every interface
def _remembered(line: str, hosts: frozenset[str]) -> str:
    return _masked(line, hosts)


def _masked(line: str, hosts: frozenset[str]) -> str:
    parts = segments(line)
    if len(parts) > 1:
        return " ".join(_masked(segment, hosts) for segment, _ in parts)
    text = paged(line)
    body = text.strip()
    if not body:
        return text
    if body[0] == "!":
        return _comment(text)
    prompt = _PROMPT.fullmatch(text) if "#" in body or ">" in body else None
    if prompt is not None:
        return _prompted(prompt, hosts)
    if _PRINTED.fullmatch(body):
        return text
    return _command(text)


def is_prompt(text: str) -> bool:
    """Say whether a line, as it is shown, starts with a prompt."""
    return ("#" in text or ">" in text) and _PROMPT.fullmatch(text) is not None


def _command(text: str) -> str:
    """Keep the words of a command that the table lets stand."""
    found = [*_WORD.finditer(text)] if len(text) <= _LONGEST_LINE else _first_words(text)
    words = [word[0] for word in found]
    kept = shown_words(words)
    if kept == len(words) and len(text) <= _LONGEST_LINE:
        return BLOB.sub(REMOVED, text)
    if not kept:
        indent = text[: len(text) - len(text.lstrip())]
        return f"{indent}{REMOVED}"
    return f"{BLOB.sub(REMOVED, text[: found[kept - 1].end()])} {REMOVED}"


def _first_words(text: str) -> list[re.Match[str]]:
    return [*_WORD.finditer(text[:_LONGEST_LINE])][:-1]


def _prompted(found: re.Match[str], hosts: frozenset[str]) -> str:
    """A prompt and what was typed behind it: a configuration command, or an exec command."""
    prompt, command = found[1], found[2]
    if _MODE.search(prompt) and not command.startswith("do "):
        typed = _command(command) if command.strip() else command
    elif command.strip():
        typed = mask_command(command)
    else:
        typed = ""
    host = prompt.rstrip(" \t>#").partition("(")[0]
    if host in hosts or _MODE.search(prompt) or typed not in ("", REMOVED):
        return prompt + typed
    return prompt.replace(host, _NOBODY, 1) + typed  # readers still need it: an output ends there


def _comment(text: str) -> str:
    """What IOS, a backup tool or this one writes stays, but for who did it; the rest may be all."""
    at = text.index("!")
    mark, said = text[: at + 1], text[at + 1 :]
    if not said.strip("! \t-=*#"):
        return text
    if _RANCID.fullmatch(said):
        return text
    told = _ADVISOR.match(said)
    if told is not None:
        return text if told.end() == len(said) else f"{mark}{told[1]} {REMOVED}"
    if not _TOLD.match(said):
        return f"{mark} {REMOVED}"
    chassis = _CHASSIS.match(said)
    if chassis is not None:
        return mark + chassis[0] + mask_output(said[chassis.end() :])
    return mark + mask_output(said)


def mask_quoted_line(line: str) -> str:
    """Return a line that a report quotes, whatever it is of, without what may be a secret.

    Examples
    --------
    >>> mask_quoted_line("show ip sla statistics | include xyz")
    'show ip sla statistics | include <removed>'
    >>> mask_quoted_line("Serial0/0 is up, line protocol is up")
    'Serial0/0 is up, line protocol is up'
    """
    parts = segments(line)
    if len(parts) > 1:
        return " ".join(mask_quoted_line(segment) for segment, _ in parts)
    body = paged(line).strip()
    if is_show(body):
        return mask_command(body)
    if body[:1].isupper():  # IOS prints commands in small letters, and sentences in capitals
        return mask_output(line)
    masked = mask_line(line)
    return mask_output(line) if masked.strip() == REMOVED else masked


def typed_words(line: str) -> list[str]:
    """Return the words of a line that its mask takes out and that IOS does not know, longest first.

    Examples
    --------
    >>> typed_words("enable secret 5 xyzzy"), typed_words("bandwidth 512")
    (['xyzzy'], [])
    """
    masked = mask_quoted_line(line)
    text = paged(line)
    if masked == text:
        return []
    kept = set(masked.split())
    typed = {word for word in text.split() if word not in kept and not is_plain(word)}
    return sorted(typed, key=len, reverse=True)


def mask_quoted(text: str) -> str:
    """Return a sentence with the IOS lines that it quotes in backticks masked.

    Examples
    --------
    >>> mask_quoted("`enable secret 5 xyz` was refused")
    '`enable secret <removed>` was refused'
    """
    return _IN_BACKTICKS.sub(lambda quoted: f"`{mask_quoted_line(quoted[1])}`", text)
