"""Words of a command by their shape, in text as a terminal would show it."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase, digits, punctuation
from typing import Final

from advisor.ios import pattern
from advisor.ios.syntax.names import begins_a_type, interface_type
from advisor.ios.terminal import render, split_prompt, without_pager

# Text as a terminal would show it: segments between line ends, without what hides a word.

# Every line end of `str.splitlines`; CR LF is one.
_END: Final = re.compile("\r++\n?|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_PAGER: Final = "--More-- "
_CONTROL_C: Final = "\x03"  # delimits banners; IOS shows it as two characters
_MARKS_AND_HIDDEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me")


def segments(text: str) -> list[tuple[str, str]]:
    """Cut a text at every line end.

    Returns
    -------
    list[tuple[str, str]]
        Each segment with the line end behind it, which is empty at the end of the text. Joined
        they are the text.
    """
    parts: list[tuple[str, str]] = []
    position = 0
    for end in _END.finditer(text):
        parts.append((text[position : end.start()], end[0]))
        position = end.end()
    if position < len(text):
        parts.append((text[position:], ""))
    return parts


def shown(segment: str) -> str:
    r"""Return a segment as it is read on a screen, in plain blanks and letters.

    Examples
    --------
    >>> shown("ena\bable se\u200bcret"), shown("\x1b[1mkey\x1b[0m"), shown("\uff4bey\xa0x")
    ('enable secret', 'key', 'key x')
    """
    if segment.isascii() and (segment.isprintable() or segment.replace("\t", "").isprintable()):
        return segment
    text = render(segment.replace(_CONTROL_C, "^C"))
    text = unicodedata.normalize("NFKC", text)
    return "".join(_plain(char) for char in text)


def _plain(char: str) -> str:
    if char.isascii():
        return char if char.isprintable() or char == "\t" else ""
    category = unicodedata.category(char)
    if category.startswith("Z"):
        return " "
    return "" if category in _MARKS_AND_HIDDEN else char


def paged(segment: str) -> str:
    """Return a segment as it is shown, without the pager's prompt ahead of it."""
    return without_pager(shown(segment))[0] if "ore" in segment else shown(segment)


def pager_left(segment: str) -> str:
    """Return the pager's prompt where a segment ends at it or at a device's prompt behind it.

    Readers tell by it that an output was left there; elsewhere it hides the line that it stands
    ahead of.
    """
    if "ore" not in segment:
        return ""
    behind, is_paged = without_pager(shown(segment))
    if not behind.strip():
        return _PAGER if is_paged else ""
    is_wiped = without_pager(segment)[1]  # IOS prints its prompt over the pager's
    return _PAGER if (is_paged or is_wiped) and split_prompt(behind) else ""


# Kinds of a word of a command by its shape: a number, an address, an interface, an image.

REMOVED: Final = "<removed>"
_MASKS: Final = (REMOVED, "<secret hidden>", "<configuration removed>")  # ours, RANCID, Oxidized


def is_masked(text: str) -> bool:
    """Whether redaction, ours or that of a backup tool, took a part of a text away."""
    return "<" in text and any(mask in text for mask in _MASKS)


_LONGEST_WORD: Final = 200  # a setting of IOS is shorter; what is longer is not looked at
_LONGEST_NAME: Final = 64

_NUMBER: Final = pattern(
    r"0x[0-9a-f]{1,4}|-?\d{1,12}(?:[.,:/-]\d{1,12}){0,24}[kmg]?|\d{1,2}\.\d{1,2}\([\d.]{1,5}\)?\w{0,6}",
    re.ASCII | re.IGNORECASE,
)
_ADDRESS: Final = pattern(
    r"(?:ipv4:)?\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,3})?|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}"
    r"|(?=[^:]*:[^:]*:)[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?:/\d{1,3})?",
    re.ASCII | re.IGNORECASE,
)
_INTERFACE: Final = pattern(
    r"((?:Virtual-)?Dot11Radio|[A-Za-z][A-Za-z-]{0,30})"
    r"(?:\d{1,5}(?:[./:,-](?:\d{1,8}|ima\d{1,2}|wic\d)){0,8})?",
    re.ASCII | re.IGNORECASE,
)
_HEX: Final = pattern(r"[0-9a-f]{1,8}", re.ASCII | re.IGNORECASE)
# AutoQoS numbers bundles of its own: Multilink2001100117.
_LONG_NUMBERED: Final = pattern(
    r"(?:Multilink|Tunnel|Dialer|Loopback|Virtual-(?:Template|Access|PPP)|Port-channel|Group-Async"
    r"|MFR|BVI|Vlan)\d{6,10}(?:\.\d{1,8})?",
    re.ASCII | re.IGNORECASE,
)
_IMAGE: Final = pattern(
    r"(?:(?:flash|slot|disk|bootflash|usbflash|sup-bootdisk|harddisk|bootdisk|nvram|system)\d?:/?)?"
    r"(?:[\w./()-]{1,100}\.(?:bin|pkg|conf|spa|img)"
    r"|[a-z]{1,4}\d{0,4}[a-z]{0,4}-[a-z0-9_]{1,30}-mz?(?:\.\d{3}-[\w.-]{1,20})?)",
    re.ASCII | re.IGNORECASE,
)
# Hashes of type 5, 8 and 9, words of certificates, long hex and Base64.
BLOB: Final = pattern(
    r"\$\w{1,4}\$\S*|\b(?:[0-9A-Fa-f]{8}[ \t]+){3,}[0-9A-Fa-f]*|(?<![0-9A-Fa-f])[0-9A-Fa-f]{16,}"
    r"|[A-Za-z0-9+/]{40,}={0,2}"
)
_NOT_IN_A_NAME: Final = pattern(r"[<>\"'`?\\]|^\|$|://|:[^:@]*@|\$\w{1,4}\$")


@lru_cache(maxsize=4096)
def is_number(word: str) -> bool:
    """Say whether a word is a number, a range, a version or a time, of a length that IOS takes."""
    return len(word) <= _LONGEST_WORD and _NUMBER.fullmatch(word) is not None


@lru_cache(maxsize=4096)
def is_address(word: str) -> bool:
    """Say whether a word is an IPv4, IPv6 or MAC address."""
    return len(word) <= _LONGEST_WORD and _ADDRESS.fullmatch(word) is not None


@lru_cache(maxsize=4096)
def is_interface(word: str) -> bool:
    """Say whether a word is a name of an interface, abbreviated or not, or a whole type of one."""
    if _LONG_NUMBERED.fullmatch(word) is not None:
        return True
    match = _INTERFACE.fullmatch(word) if len(word) <= _LONGEST_NAME else None
    if match is None:
        return False
    written, unit = match[1].lower(), word[len(match[1]) :]
    # a type that is not known comes back as it was written, one that is known in its own letters
    known = interface_type(written, unit)
    if not unit:
        return known.lower() == written and interface_type(written.upper()) == known
    return (
        known != written
        or interface_type(written.upper(), unit) == known
        or ("/" in unit and begins_a_type(written))  # `a0/1/0` is of one of two types
    )


def is_hex(word: str) -> bool:
    """Say whether a word is a station, an XID or another figure of up to eight hex digits."""
    return _HEX.fullmatch(word) is not None


def is_image(word: str) -> bool:
    """Say whether a word is the file name of an image, on a local file system."""
    return len(word) <= _LONGEST_WORD and _IMAGE.fullmatch(word) is not None


def is_name(word: str) -> bool:
    """Say whether a word may be a name that IOS gives to an object: no hash, no URL, no login."""
    return (
        len(word) <= _LONGEST_NAME
        and _NOT_IN_A_NAME.search(word) is None
        and BLOB.search(word) is None
    )


def is_near(word: str, keyword: str, most: int) -> bool:
    """Say whether so few letters must be changed, added or left out to make a keyword of a word.

    Examples
    --------
    >>> is_near("runing-config", "running-config", 1), is_near("xyzzy", "running", 1)
    (True, False)
    """
    if abs(len(word) - len(keyword)) > most:
        return False  # each letter too many costs one: a long word is not compared
    row = list(range(len(keyword) + 1))
    for at, letter in enumerate(word, 1):
        ahead = row
        row = [at]
        for column, wanted in enumerate(keyword, 1):
            changed = ahead[column - 1] + (letter != wanted)
            row.append(min(changed, ahead[column] + 1, row[-1] + 1))
    return row[-1] <= most


# Words of a line that its reader demands: keywords stay, what it takes as any text goes.

_WORD: Final = re.compile(r"\S+")
_RUN: Final = re.compile(rf"{REMOVED}|[^\W\d_]+|\d+|_|[^\w(),:;]")  # what stands around words stays
_TURNS: Final = ((ascii_lowercase, 13), (ascii_uppercase, 13), (digits, 5), (punctuation, 7))
_OTHER_SIGNS: Final = {
    sign: signs[(at + turn) % len(signs)] for signs, turn in _TURNS for at, sign in enumerate(signs)
}


def with_demanded(
    text: str,
    is_hidden: Sequence[bool],
    accepts: Callable[[str], bool],
    *,
    is_output: bool = True,
) -> str | None:
    """Return a line whose hidden words are masked, except those that its reader demands.

    Letters, a number or a sign are demanded if the reader refuses the line with others in their
    place, and with another last one: so they are of a keyword of the reader, which no secret is.

    Parameters
    ----------
    text
        A line that the reader accepts.
    is_hidden
        For each word, whether it may be a secret.
    accepts
        Whether the reader takes a line.
    is_output
        Whether the line is of an output: there `x` and `0` may stand where no mark is taken.
        In a configuration they would be values, and a keyword with one wrong letter is still near.

    Returns
    -------
    str | None
        None if the reader takes no line without the hidden words.

    Examples
    --------
    >>> is_bound = re.compile("Interface is bound to .*").match
    >>> with_demanded("Interface is bound to tiger", [True] * 5, lambda s: bool(is_bound(s)))
    'Interface is bound to <removed>'
    """
    free: list[tuple[int, int]] = []
    other = text  # with other letters in all that is free so far: one of two may be demanded
    for word, hides in zip(_WORD.finditer(text), is_hidden, strict=True):
        runs = [run.span() for run in _RUN.finditer(text, *word.span()) if run[0] != REMOVED]
        for start, end in runs if hides else ():
            changed = _changed(other, start, end, accepts, last=is_output)
            if changed is None:
                continue
            other = changed
            joins = bool(free) and free[-1][1] == start
            free.append((free.pop()[0] if joins else start, end))
    masked = other
    for start, end in reversed(free):
        stand_in = "0" if text[start:end].isdigit() else "x"
        marks = (REMOVED, stand_in) if is_output else (REMOVED,)
        choices = [f"{masked[:start]}{mark}{masked[end:]}" for mark in marks]
        accepted = [*filter(accepts, choices)]
        if not accepted:
            return None
        masked = accepted[0]
    return masked if accepts(masked) else None


def _changed(
    text: str, start: int, end: int, accepts: Callable[[str], bool], *, last: bool
) -> str | None:
    """A line that is accepted with other signs in a part, or another last one; else None."""
    others = "".join(_OTHER_SIGNS.get(sign, "x") for sign in text[start:end])
    ends_otherwise = (text[start : end - 1] + others[-1],) if last else ()
    for letters in (others, *ends_otherwise, "x" * (end - start)):
        changed = f"{text[:start]}{letters}{text[end:]}"
        if accepts(changed):
            return changed
    return None
