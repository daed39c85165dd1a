"""The one mask of lines: of configurations, of terminal logs, and of what a report quotes."""

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final

from advisor.capture.broken_lines import is_logged
from advisor.capture.clock import without_stamp
from advisor.capture.masking.exec import is_show, mask_command
from advisor.capture.masking.grammar import begins_command, shown_words
from advisor.capture.masking.outputs import (
    is_graph,
    is_ios_word,
    is_plain,
    is_sentence,
    mask_output,
    tells_secret,
)
from advisor.capture.masking.printed import is_printed
from advisor.capture.masking.words import BLOB, REMOVED, paged, segments
from advisor.capture.outputs import CPU_HISTORY
from advisor.capture.sections import is_refusal
from advisor.ground.assets import asset_dir
from advisor.ios import pattern
from advisor.ios.grammar import JUDGED
from advisor.ios.syntax.reader import WORD, says_omitted, without_directive
from advisor.ios.terminal import Prompt, split_prompt

_WORD: Final = pattern(r"\S+")
_NOBODY: Final = "removed"  # in place of the name of a host
_LOGIN: Final = pattern(r":[^:@]*@")
_DO: Final = "do "
_PRINTED: Final = pattern(
    r"Building configuration\.*|Current configuration ?: \d{1,12} bytes"
    r"|Using \d{1,12} out of \d{1,12} bytes(?:, uncompressed size = \d{1,12} bytes)?"
    r"|Uncompressed configuration from \d{1,12} bytes to \d{1,12} bytes|\[OK\]|--More--"
    r"|Enter configuration commands, one per line\.  End with CNTL/Z\.|\^"
    r"|% ?Invalid input detected at '\^' marker\.|% ?Incomplete command\."
    r"|Command authorization failed\.",
)
# Comments that IOS, RANCID, Oxidized and this tool write.
_ADVISOR: Final = pattern(r"(\s*advisor:\s*[a-z-]{1,20}\s*)(?:\[([^\[\]]{1,1000})\])?")
_RULE: Final = pattern(r"[^\s,]+")
_RULE_ID: Final = pattern(r"[A-Z0-9*]{1,20}|[A-Za-z]{3}\d{3}\*?", re.ASCII)
_UNTIL: Final = pattern(
    r"(?<!\S)until\s{1,9}(?:(?P<date>\d{1,4}[-./]\d{1,2}[-./]\d{1,4})(?![^\s,;.)])|\d\S{0,99}\s{0,9}$)",
    re.IGNORECASE | re.ASCII,
)
_TOLD: Final = pattern(
    r"\s*(?:Last configuration change|NVRAM config last updated|No configuration change"
    r"|Chassis type|Image|CPU|Memory|Processor|Slot|Flash|BOOTLDR|Variable|Interface|Software"
    r"|Compiled|Layout:)",
    re.IGNORECASE,
)
_PLACEHOLDERS: Final = frozenset(("N", "R", "PEAK", "SUSTAINED", "RATE", "*"))
_IN_BACKTICKS: Final = pattern(r"`([^`]*)`")
_RANCID: Final = pattern(r"\s*RANCID-CONTENT-TYPE: [a-z-]{1,20}\s*")
_CHASSIS: Final = pattern(
    r"\s*(?:(?:Chassis type|Processor|CPU): ?(?:cisco )?[\w-]{1,40}(?=$|[ ,])"
    r"|Slot \S{1,8} [\w ,/-]{0,40}?type VIP[\w-]{0,10}(?=$|[ ,]))",
)
_LONGEST_LINE: Final = 4096  # of a longer one no more is looked at
_LONGEST_KEPT: Final = 160
_FEWEST_LETTERS: Final = 8  # of a keyword that is no part of another word by chance
_KEYWORDS: Final = sorted(word for word in JUDGED if "-" in word or len(word) >= _FEWEST_LETTERS)
_GLUED: Final = pattern(f"(?:{'|'.join(map(re.escape, reversed(_KEYWORDS)))})(?=\\S)")
_SIGNS_ALONE: Final = pattern(r"(?:\^[A-Z]|[^\w\s])+", re.ASCII)


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
    if not body or says_omitted(body):
        return text
    if body[0] == "!":
        return _comment(text)
    prompt = _prompt(text)
    if prompt is not None:
        return _prompted(*prompt, hosts)
    if _PRINTED.fullmatch(body):
        return text
    return _command(text)


def is_prompt(text: str) -> bool:
    """Say whether a line, as it is shown, starts with a prompt."""
    return _prompt(text) is not None


def _prompt(text: str) -> tuple[str, Prompt] | None:
    """Split off the prompt ahead of a typed command, with a time that a terminal stamped on it."""
    if "#" not in text and ">" not in text:
        return None
    rest = without_stamp(text)[0].lstrip(" \t")  # a log may be pasted indented
    split = split_prompt(rest)
    return None if split is None else (text[: len(text) - len(rest)] + split[0], split[1])


def _command(text: str) -> str:
    """Keep the words of a command that the table lets stand, and a comment to this tool behind."""
    if WORD in text:
        command, said = without_directive(text.strip())
        if said is not None:
            at = text.index("!", text.index(command) + len(command))
            typed = text[:at].rstrip()
            return f"{_command(typed)}{text[len(typed) : at]}{_comment(text[at:])}"
    word_matches = [*_WORD.finditer(text)] if len(text) <= _LONGEST_LINE else _first_words(text)
    words = [word[0] for word in word_matches]
    kept = shown_words(words)
    if kept == len(words) and len(text) <= _LONGEST_LINE:
        return BLOB.sub(REMOVED, text)
    if not kept:
        indent = text[: len(text) - len(text.lstrip())]
        return f"{indent}{REMOVED}"
    return f"{BLOB.sub(REMOVED, text[: word_matches[kept - 1].end()])} {REMOVED}"


def _first_words(text: str) -> list[re.Match[str]]:
    return [*_WORD.finditer(text[:_LONGEST_LINE])][:-1]


def _prompted(head: str, prompt: Prompt, hosts: frozenset[str]) -> str:
    """A prompt and what was typed behind it: a configuration command, or an exec command."""
    command = prompt.command
    if not command.strip():
        typed = command if prompt.is_config else ""
    elif not prompt.is_config:
        typed = mask_command(command)
    elif command.lstrip().startswith("!"):
        typed = _comment(command)
    elif command.startswith(_DO):
        typed = _DO + mask_command(command.removeprefix(_DO))
    else:
        typed = _command(command)
    is_known = prompt.host in hosts or prompt.is_config or typed not in ("", REMOVED)
    if is_known and _LOGIN.search(prompt.host) is None:
        return head + typed
    # readers still need a prompt: an output ends there
    return head.replace(prompt.host, _NOBODY, 1) + typed


def _comment(text: str) -> str:
    """Keep what IOS, a backup tool or this tool writes, without the author; remove all else."""
    at = text.index("!")
    mark, said = text[: at + 1], text[at + 1 :]
    if not said.strip("! \t-=*#"):
        return text
    if _RANCID.fullmatch(said):
        return text
    told = _ADVISOR.match(said)
    if told is not None:
        reason = said[told.end() :]
        day = _UNTIL.search(reason)  # without it the comment would hold for good
        until = "" if day is None else f" until {day['date'] or REMOVED}"
        rules = "" if told[2] is None else f"[{_RULE.sub(_rule, told[2])}]"
        return f"{mark}{told[1]}{rules}" + (f" {REMOVED}{until}" if reason.strip() else reason)
    if not _TOLD.match(said):
        return f"{mark} {REMOVED}"
    chassis = _CHASSIS.match(said)
    if chassis is not None:
        return mark + chassis[0] + mask_output(said[chassis.end() :])
    return mark + mask_output(said)


def _rule(named: re.Match[str]) -> str:
    """A rule as a comment names it: its id, its name, or what either begins with."""
    word = named[0]
    is_rule = _RULE_ID.fullmatch(word) or word.lower().rstrip("*") in _rules()
    return word if is_rule else REMOVED


@cache
def _rules() -> frozenset[str]:
    """Names of the rules that are shipped, and the letters that their ids begin with."""
    cards = [path.stem.lower() for path in asset_dir("rules").glob("*/*.toml")]
    return frozenset(part for card in cards for part in (card[:3], card.partition("-")[2]))


def mask_quoted_line(line: str) -> str:
    """Return a line that a report quotes, whatever it is of, without what may be a secret.

    Examples
    --------
    >>> mask_quoted_line("show ip sla statistics | include xyz")
    'show ip sla statistics | include <removed>'
    >>> mask_quoted_line("Serial0/0 is up, line protocol is up")
    'Serial0/0 is up, line protocol is up'

    What is whole once a blank or a hyphen stands where it belongs is shown as it was typed:

    >>> mask_quoted_line("encapsulationppp"), mask_quoted_line("service_policy output WAN")
    ('encapsulationppp', 'service_policy output WAN')
    >>> mask_quoted_line("passwordxyz"), mask_quoted_line("classified")
    ('<removed>', '<removed>')
    """
    parts = segments(line)
    if len(parts) > 1:
        return " ".join(mask_quoted_line(segment) for segment, _ in parts)
    text = paged(line).strip()
    if is_show(text):
        return mask_command(text)
    masked = mask_shown(line)
    if masked.strip() != REMOVED or len(text) > _LONGEST_KEPT:
        return masked
    meant = _as_meant(text)
    return text if meant is not None and mask_line(meant) == meant else mask_command(text)


def _as_meant(text: str) -> str | None:
    """A line with the blank that its keyword lost, or with hyphens for underscores."""
    if "_" in text.partition(" ")[0]:
        return text.replace("_", "-")
    glued = _GLUED.match(text)
    return None if glued is None else f"{glued[0]} {text[glued.end() :].lstrip('-')}"


def mask_output_line(line: str) -> str:
    """Return a line that stands inside an output and that its reader does not know.

    Signs alone stay, and a sentence of words that IOS prints, which no setting starts with. Where
    the first word starts no command of IOS, the words of IOS and numbers stay.

    Examples
    --------
    >>> mask_output_line("Counters last updated 00:00:07 ago"), mask_output_line("^C")
    ('Counters last updated 00:00:07 ago', '^C')
    >>> mask_output_line("Fancy counter 55/77 of packets"), mask_output_line("0x4D sequence, 0x50")
    ('<removed> counter 55/77 of packets', '0x4D sequence, 0x50')
    >>> mask_output_line("Counters of xyzzy"), mask_output_line("babbles")
    ('<removed>', '<removed>')
    """
    masked = mask_quoted_line(line)
    text = paged(line).strip()
    if masked.strip() != REMOVED or len(text) > _LONGEST_KEPT:
        return masked
    if _SIGNS_ALONE.fullmatch(text) or is_sentence(text):
        return text
    return mask_output(text) if _is_of_output(text) else masked


def _is_of_output(text: str) -> bool:
    """Whether a line that starts like no command has a number beside a word that IOS prints."""
    words = text.split()
    first = next((word for word in words if not word[0].isdigit()), "")
    is_command = not first.endswith((",", ":")) and begins_command(first)
    if is_command or any(tells_secret(word.lower()) for word in words):
        return False
    return any(
        (is_ios_word(word) and other[0].isdigit()) or (is_ios_word(other) and word[0].isdigit())
        for word, other in pairwise(words)
    )


def mask_shown(line: str, layout: str | None = None, hosts: frozenset[str] = frozenset()) -> str:
    """Return a line that stands in a show output without what may be a secret.

    What IOS does not print there is masked as a command: the text may be a configuration that was
    taken for something else.

    Parameters
    ----------
    line
        The line, without its end.
    layout
        The command that printed it, where that is known.
    hosts
        Devices that are known by name, as for `mask_line`.

    Examples
    --------
    >>> mask_shown("5 minute input rate 12000 bits/sec"), mask_shown("area-password 84736251")
    ('5 minute input rate 12000 bits/sec', 'area-password <removed>')
    """
    text = paged(line)
    if layout == CPU_HISTORY and is_graph(text):
        return text
    masked = mask_line(line, hosts)
    if masked == text or is_prompt(text):
        return masked
    is_ios = is_printed(text) or is_logged(text) or is_refusal(text.strip())
    return mask_output(line) if is_ios else masked


def typed_words(line: str) -> list[str]:
    """Return the words of a line that its mask takes out and that IOS does not know, longest first.

    Examples
    --------
    >>> typed_words("enable secret 5 xyzzy"), typed_words("bandwidth 512")
    (['xyzzy'], [])
    """
    typed = {word for word in removed_words(line) if not is_plain(word)}
    return sorted(typed, key=len, reverse=True)


def removed_words(line: str) -> frozenset[str]:
    """Return the words of a line that its mask takes out, numbers and words of IOS among them.

    Examples
    --------
    >>> sorted(removed_words("area-password 84736251 level"))
    ['84736251', 'level']
    """
    masked = mask_quoted_line(line)
    text = paged(line)
    return frozenset() if masked == text else frozenset(text.split()) - set(masked.split())


def mask_quoted(text: str) -> str:
    """Return a sentence with the IOS lines that it quotes in backticks masked.

    Examples
    --------
    >>> mask_quoted("`enable secret 5 xyz` was refused")
    '`enable secret <removed>` was refused'
    """
    return _IN_BACKTICKS.sub(lambda quoted: f"`{_quoted_line(quoted[1])}`", text)


def _quoted_line(line: str) -> str:
    """Mask a quoted line; one of advice has a placeholder where a figure belongs."""
    masked = mask_quoted_line(line)
    removed = frozenset() if masked == line else removed_words(line)
    return line if removed and removed <= _PLACEHOLDERS else masked
