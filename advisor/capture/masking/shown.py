"""Text as a terminal would show it: segments between line ends, without what hides a word."""

import re
import unicodedata
from typing import Final

from advisor.ios.exec.prompts import split_prompt
from advisor.ios.exec.terminal import render, without_pager

# Every line end of `str.splitlines`; CR LF is one.
_END: Final = re.compile("\r++\n?|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_PAGER: Final = " --More-- "
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
