"""Texts of several lines that hold no commands: banners, certificates, keys, macros."""

import re
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct, field

from advisor.capture.masking.line import mask_line
from advisor.capture.masking.words import REMOVED
from advisor.ios.patterns import pattern
from advisor.ios.syntax.opaque import delimiter, is_instruction

# Commands and kinds of banners may be abbreviated, in any letters, behind any prompt.
_PROMPT: Final = r"(?:[A-Za-z0-9][\w.\-/:@+~]{0,253}\([\w+./ -]{0,60}\)#\s*)?"
_KIND: Final = (
    r"(?:e\w{0,7}|i\w{0,8}|l\w{0,6}|m\w{0,6}|p[\w-]{0,20}|s[\w-]{0,20}|c[\w-]{0,20}|t\w{0,3})"
)
_DELIMITED: Final = pattern(
    rf"\s*{_PROMPT}(?:bann(?:e|er)?\s+(?:{_KIND}\s+)?|ban\s+(?:{_KIND}\s+|(?=\^C|[^\w\s]))"
    r"|aaa\s+authen\w*\s+(?:ban\w*|fail-\w*)\s+|vac\w*-m\w*\s+|ref\w*-m\w*\s+|busy-m\w*\s+\S+\s+"
    r"|ip\s+(?:adm\w*|auth-p\w*)\s+auth-proxy-b\w*\s+(?:\w+\s+)?"
    r"|log\w{0,9}-m\w*\s+|menu\s+\S+\s+(?:tit\w*|pro\w*)\s+)(?=\S)",
    re.IGNORECASE | re.ASCII,
)
_CERTIFICATE: Final = pattern(r"\s*certificate\s", re.IGNORECASE)
_KEY: Final = pattern(r"\s*key-string\s*$", re.IGNORECASE)
_MACRO: Final = pattern(rf"\s*{_PROMPT}macro\s+name\s", re.IGNORECASE)
_PEM: Final = "-----BEGIN "
_END_OF_PEM: Final = "-----END "
# The name of a menu, the host of a busy message.
_HOST_OR_NAME: Final = pattern(r"(?<=menu )\S+|(?<=busy-message )\S+", re.IGNORECASE)
_HEX: Final = pattern(r"\s*[0-9A-Fa-f]{2,}(?:[ \t]+[0-9A-Fa-f]{2,})*\s*$")
_HEX_DIGIT: Final = pattern(r"[0-9A-Fa-f]")
_ENDS: Final = ("quit", "exit")
_OPENS: Final = pattern(
    r"ban|aaa|vac|ref|busy|menu|cert|key-|macro|-----|auth-proxy-b|log\w{0,9}-m", re.IGNORECASE
)


class Bodies(Struct):
    """Finds the bodies in the lines of one text, each as a terminal shows it.

    It remembers the ends that do not come again, so that a text full of openers is read in
    linear time.
    """

    lines: Sequence[str]
    _absent: set[str] = field(default_factory=set)

    def masked(self, index: int) -> list[str] | None:
        """Return the lines of the body that a line opens, masked; None where it opens none."""
        line = self.lines[index]
        if _OPENS.search(line) is None:
            return None
        delimited = _DELIMITED.match(line)
        if delimited is not None:
            return self._delimited(index, delimited.end())
        kind = self._kind(index, line)
        return None if kind is None else self._until(index, kind)

    def _kind(self, index: int, line: str) -> "_Kind | None":
        if _CERTIFICATE.match(line) and self._is_hex(index + 1):
            return _HEX_KIND
        if _KEY.match(line):
            return _KEY_KIND
        if _MACRO.match(line):
            return _MACRO_KIND
        return _PEM_KIND if _PEM in line else None

    def _is_hex(self, index: int) -> bool:
        return index < len(self.lines) and _HEX.match(self.lines[index]) is not None

    def _delimited(self, index: int, start: int) -> list[str] | None:
        head, rest = self.lines[index][:start], self.lines[index][start:].rstrip()
        mark = delimiter(rest)
        inner = rest[len(mark) :]
        opening = f"{_HOST_OR_NAME.sub(REMOVED, head)}{mark}"
        removed = "" if mark in REMOVED else REMOVED  # a text must end where it ended
        if mark in inner:
            return [f"{opening}{removed}{mark}"]
        opening += removed if inner.strip() else ""
        end = self._end(index, mark)
        if end is None:
            if mark.isalnum():
                return [f"{head.rstrip()} {REMOVED}"]
            return [opening, *(removed for _ in self.lines[index + 1 :])]
        return [opening, *(removed for _ in range(index + 1, end)), f"{removed}{mark}"]

    def _end(self, index: int, mark: str) -> int | None:
        """Index of the line below that holds a mark."""
        if mark not in self._absent:
            for number in range(index + 1, len(self.lines)):
                if mark in self.lines[number] and not is_instruction(self.lines[number]):
                    return number
            self._absent.add(mark)
        return None

    def _until(self, index: int, kind: "_Kind") -> list[str]:
        """Mask the lines up to the one that closes the body, or to the end of the text."""
        masked = [mask_line(self.lines[index])]
        for line in islice(self.lines, index + 1, None):
            masked.append(kind.masked(line))
            if kind.closes(line):
                break
        return masked


def _is_quit(line: str) -> bool:
    return line.rstrip().endswith(_ENDS)


def _hex_line(line: str) -> str:
    """A certificate stays one, of zeros: its lines tell where it ends."""
    bare = line.rstrip()
    if bare.strip() in _ENDS:
        return line
    end = "quit" if bare.endswith("quit") else ""
    digits = bare.removesuffix(end)
    return (
        _HEX_DIGIT.sub("0", digits) + end if _HEX.match(digits) else f"  {REMOVED} {end}".rstrip()
    )


def _key_line(line: str) -> str:
    bare = line.rstrip()
    if bare.strip() in _ENDS:
        return line
    end = next((word for word in _ENDS if bare.endswith(word)), "")
    return f"  {REMOVED} {end}".rstrip()


def _macro_line(line: str) -> str:
    return line if line.strip() == "@" else REMOVED


class _Kind(Struct, frozen=True):
    """How the lines of a body are masked, and which is its last."""

    closes: Callable[[str], bool]
    masked: Callable[[str], str]


_HEX_KIND: Final = _Kind(_is_quit, _hex_line)
_KEY_KIND: Final = _Kind(_is_quit, _key_line)
_MACRO_KIND: Final = _Kind(lambda line: line.strip() == "@", _macro_line)
_PEM_KIND: Final = _Kind(lambda line: _END_OF_PEM in line, lambda _: REMOVED)
