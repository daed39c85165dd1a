"""Blocks whose body is not IOS grammar: banners, menus, macros, certificates, keys."""

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Final

from msgspec import Struct, field

from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.syntax import TextLines

# First letter of a command -> possible openers, for a test that costs almost nothing. IOS takes
# commands in letters of either case, and the first of them short.
_BY_FIRST_LETTER: Final = {
    "a": ("aaa authen",),
    "b": ("bann", "ban ", "ban\t", "busy-m"),  # and no `bandwidth`
    "c": ("certificate ",),
    "i": ("ip adm", "ip auth-p"),
    "k": ("key-string",),
    "l": ("login-m",),
    "m": ("menu ", "macro name "),
    "r": ("ref",),
    "v": ("vac",),
}
_STARTS: Final = tuple(start for starts in _BY_FIRST_LETTER.values() for start in starts)
_LONGEST_START: Final = max(map(len, _STARTS))
_LETTERS: Final = 3
OPENERS: Final = frozenset(
    "".join(letters)
    for start in _STARTS
    for letters in product(*({letter, letter.upper()} for letter in start[:_LETTERS]))
)
"""How a command that may open a block begins, in letters of either case."""
_IP: Final = "ip"


def _short(word: str, least: int) -> str:
    """A pattern of a keyword that may be cut short behind its first letters."""
    rest = "".join(f"(?:{re.escape(letter)}" for letter in word[least:])
    return re.escape(word[:least]) + rest + ")?" * (len(word) - least)


_BANNERS: Final = (
    *("exec", "incoming", "login", "motd", "prompt-timeout", "slip-ppp", "config-save", "text"),
)
# `ban 512` is the bandwidth of an interface: a short `banner` names its kind or a delimiter.
_BANNER: Final = _short("banner", 3)
_KIND: Final = "|".join(_short(kind, 1) for kind in _BANNERS)
_MESSAGES: Final = "|".join((
    _short("vacant-message", 3), _short("refuse-message", 3), _short("login-message", 7)
))  # fmt: skip
_OPENING: Final = rf"""(?: {_BANNER} \s+ (?:{_KIND}) \s
      | {_BANNER} (?= \s+ (?:\^C|[^\w\s"]) )
      | aaa \s+ {_short("authentication", 6)} \s+
        (?:{_short("banner", 1)}|{_short("fail-message", 1)}) \s
      | ip \s+ (?:{_short("admission", 3)}|{_short("auth-proxy", 6)}) \s+
        {_short("auth-proxy-banner", 12)} \s (?:\s*(?:ftp|http|telnet) \s)?
      | (?:{_MESSAGES}) \s
      | {_short("busy-message", 6)} \s+ \S+ \s
      | menu \s+ \S+ \s+ (?:{_short("title", 3)}|{_short("prompt", 3)}) \s
      ) \s*"""
_DELIMITED: Final = pattern(_OPENING + r"(?P<text>\S.*)", re.VERBOSE | re.DOTALL | re.IGNORECASE)
# The answer of IOS to a text typed at its prompt. It names the delimiter, and ends nothing.
_INSTRUCTION: Final = pattern(
    r"\s*Enter [\w ,]{1,60}\.? +End with the character '.{1,2}'\.?\s*", re.IGNORECASE
)
_HEX: Final = pattern(r"\s*[0-9A-Fa-f]{2,}(?:[ \t]+[0-9A-Fa-f]{2,})*\s*$")
_TYPED_CONTROL_C: Final = "^C"
_LAST_DELIMITER: Final = "\xff"  # IOS has no wider characters; this also bounds the searches


class Body(Struct, frozen=True):
    """The end of an opaque block.

    `end` is the index of the first line after it. `closed` is false if the text ends inside the
    block.
    """

    end: int
    closed: bool


class OpaqueReader(Struct):
    """Finds the end of opaque blocks in the lines of one text.

    It remembers the delimiters that do not occur again, so that a text with many openers is read
    in linear time.
    """

    lines: Sequence[str]
    _absent: set[str] = field(default_factory=set)

    def body(self, index: int, text: str) -> Body | None:
        """Find the end of the block that a command opens.

        Parameters
        ----------
        index
            Index of the command's line.
        text
            The command as IOS reads it.

        Returns
        -------
        Body | None
            None for an ordinary command.
        """
        start = text[:_LONGEST_START].lower()
        starts = _BY_FIRST_LETTER.get(start[:1])
        if starts is None or not start.startswith(starts):
            return None
        if start.startswith("certificate "):
            return self._until_quit(index) if self._is_hex(index + 1) else None
        if start.startswith("key-string"):
            return self._until_quit(index) if start == "key-string" else None
        if start.startswith("macro name "):
            return self._until(index, lambda line: line.strip() == "@")
        delimited = _DELIMITED.match(text)
        return None if delimited is None else self._delimited(index, delimited["text"])

    def _is_hex(self, index: int) -> bool:
        return index < len(self.lines) and _HEX.match(self.lines[index]) is not None

    def _until_quit(self, index: int) -> Body:
        return self._until(index, lambda line: line.rstrip().endswith(("quit", "exit")))

    def _until(self, index: int, closes: Callable[[str], bool]) -> Body:
        for number in range(index + 1, len(self.lines)):
            if closes(self.lines[number]):
                return Body(number + 1, closed=True)
        return Body(len(self.lines), closed=False)

    def _delimited(self, index: int, argument: str) -> Body | None:
        mark = delimiter(argument)
        if mark in argument[len(mark) :]:
            return Body(index + 1, closed=True)
        if mark not in self._absent and mark[0] <= _LAST_DELIMITER:
            for number in range(index + 1, len(self.lines)):
                line = self.lines[number]
                if mark not in line or is_instruction(line):
                    continue
                if _DELIMITED.match(line):
                    # It opens the block of another text: this one was cut.
                    return Body(len(self.lines), closed=False)
                return Body(number + 1, closed=True)
            self._absent.add(mark)
        if mark.isalnum() or mark > _LAST_DELIMITER:
            # A text without delimiter is more likely than a banner that swallows the file.
            return None
        return Body(len(self.lines), closed=False)


_VERSION: Final = re.compile(r"version \d+\.\d")
_HOSTNAME: Final = re.compile(r"(?:hostname|switchname) (\S+)\s*$")
_LAST: Final = re.compile(r"end\s*$")
_MOST_CUT: Final = 64  # in one text, so that time stays linear in its lines


@derived
def free_text(text: TextLines) -> Mapping[int, int]:
    """Find banners, certificates and other free text: the first row behind each, by its opener.

    What seems to be text of a banner and holds a whole configuration is none: the banner was cut,
    and the text goes on with another device. A block that the text ends in does not count.
    """
    opaque, ends = OpaqueReader(text.lines), {}
    behind = cut = 0
    for row in _openers(text):
        body = opaque.body(row, text.command(row)) if row >= behind else None
        if body is None or not body.closed:
            continue
        if cut < _MOST_CUT and _holds_config(text.lines[row + 1 : body.end]):
            cut += 1
            continue
        ends[row] = behind = body.end
    return ends


def outside_free_text(text: TextLines, rows: Sequence[int]) -> Sequence[int]:
    """Leave out the rows of free text, and those that open it; `rows` are in order."""
    ends = free_text(text)
    if not ends:
        return rows
    openers = list(ends)

    def is_outside(row: int) -> bool:
        place = bisect_right(openers, row)
        return not place or ends[openers[place - 1]] <= row

    return list(filter(is_outside, rows))


def _openers(text: TextLines) -> Sequence[int]:
    """The rows of commands that may open free text, in order."""
    words = [word for word in text.rows_of if word[:_LETTERS] in OPENERS]
    spaced = [word for word in text.rows_of if word.lower() == _IP]
    addressed = [
        row for row in text.starting(spaced) if text.bodies[row][: _LETTERS + 1].lower() == "ip a"
    ]
    typed = [row for row, command in text.typed.items() if command[:_LETTERS] in OPENERS]
    return sorted({*text.starting(words), *addressed, *typed})


def _holds_config(lines: Sequence[str]) -> bool:
    wanted = iter((_VERSION, _HOSTNAME, _LAST))
    pattern = next(wanted)
    for line in lines:
        if pattern.match(line):
            following = next(wanted, None)
            if following is None:
                return True
            pattern = following
    return False


def delimiter(argument: str) -> str:
    """Return what delimits a text that begins with it: a character, or a typed Control-C."""
    if argument.startswith(_TYPED_CONTROL_C) and not _is_caret_delimited(argument):
        return _TYPED_CONTROL_C
    return argument[0]


def is_instruction(line: str) -> bool:
    """Say whether a line is IOS's own, which asks for a text at the prompt.

    Examples
    --------
    >>> is_instruction("Enter TEXT message.  End with the character '#'.")
    True
    """
    return "End with" in line and _INSTRUCTION.fullmatch(line) is not None


def _is_caret_delimited(argument: str) -> bool:
    """Tell `^Core router^` from `^C`, a control character typed as two characters."""
    return len(argument) > len(_TYPED_CONTROL_C) and argument.endswith("^")
