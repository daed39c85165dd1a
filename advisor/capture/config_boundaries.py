"""Boundaries of the configurations in one text: the row where each next one starts."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.syntax import TextLines
from advisor.ios.syntax.detect import Dialect, identity_of
from advisor.ios.syntax.opaque import free_text, outside_free_text

_VERSION: Final = re.compile(r"version \d+\.\d")
_IOS_VERSION: Final = re.compile(r"version 1[0-7]\.\d+\s*$")
_HOSTNAME: Final = re.compile(r"(?:hostname|switchname) (\S+)\s*$")
# Lines near the start of a configuration of another system that IOS never has.
_FOREIGN: Final = pattern(
    r"""(?P<braces> \#\#\ Last\ (?:changed|commit):? | version\ [^ ;]+; | system\ \{
        | set\ version\ | set\ system\ host-name\  | \#config-version= )
      | (?P<asa> :\ Saved$ | ASA\ Version\ \d )""",
    re.VERBOSE,
)
_FOREIGN_HEADS: Final = (
    *("## Last ", "system {", "set version ", "set system ", "#config-version="),
    *(": Saved", "ASA Version "),
)
_FOREIGN_NAME: Final = pattern(
    r"^[ \t]*(?:set system )?(?:host-name|(?:set )?hostname) (\S+?);?\s*$", re.MULTILINE
)
_NAMING: Final = ("hostname", "switchname")
_HEADS: Final = ("version ", "hostname ", "switchname ")
_FIRST_WORDS: Final = ("version", "##", "system", "set", ":", "ASA", *_NAMING)
_FORTIOS: Final = "#config-version="
_FEWEST_HEADS: Final = 2
_LAST: Final = "end"
_GOES_ON: Final = "config "  # each section of FortiOS ends with `end`
# Sections of a configuration, which come after its `hostname`.
_BODY: Final = ("interface", "policy-map", "class-map", "router", "line", "access-list")
_BODY_HEADS: Final = tuple(f"{word} " for word in _BODY)
# Lines that IOS and backups write ahead of a configuration; a bare prompt ends the one ahead.
_AHEAD: Final = re.compile(
    r"""!|$|Building\ configuration|Current\ configuration|Using\ \d|Uncompressed\ configuration
      |Load\ for\ five\ secs|Time\ source\ is|No\ time\ source
      |[A-Za-z][\w.()/:@~-]{0,63}+[#>]\s*+$""",
    re.VERBOSE,
)


def config_starts(text: TextLines, *, after_output: bool = False) -> Iterator[int]:
    """Yield the first row of each configuration after the first one, or after a show output.

    A second `version` line starts one, and so do another `hostname`, any line after `end` and a
    line that only another system has, with the comments and the lines of IOS ahead of it. Lines of
    banners and certificates do not count.
    """
    words = [word for word in text.rows_of if word in _FIRST_WORDS or word.startswith(_FORTIOS)]
    rows = text.starting(words)
    heads = sum(text.lines[row].startswith(_HEADS + _FOREIGN_HEADS) for row in rows)
    if heads + after_output < _FEWEST_HEADS and not _has_text_after_end(text):
        return
    start = 0
    seen = _ConfigSigns(has_ended=after_output)
    for row in _with_rows_after_end(text, _commands(text, text.starting((*words, _LAST)))):
        line = text.lines[row].rstrip()
        head = seen.head_of_next(text, line, row)
        if head is None and _IOS_VERSION.match(line) and seen.is_after_text(text, row):
            first = _with_name_ahead(text.lines, row, start)
            head = first if _is_foreign(text.part(start, first)) else None
        if head is not None:
            start = _with_lines_ahead(text.lines, head, start)
            yield start
            seen = _ConfigSigns(has_text=True)
        seen.take(line, row)


@derived
def hostname_of(text: TextLines) -> str | None:
    r"""Name that a configuration, or what is typed at prompts, gives last.

    Examples
    --------
    >>> from advisor.ios.syntax import lines_of
    >>> hostname_of(lines_of("hostname r1\nbanner motd ^C\nhostname r2\n^C\n"))
    'r1'
    """
    for row in reversed(_commands(text, text.at_prompts_or(_NAMING))):
        host = _HOSTNAME.match(text.command(row))
        if host is not None:
            return host[1].strip('"')
    return None


def foreign_hostname_of(text: str) -> str | None:
    r"""Name that a configuration of another system gives.

    Examples
    --------
    >>> foreign_hostname_of("system {\n    host-name jun1;\n}\n")
    'jun1'
    """
    name = _FOREIGN_NAME.search(text)
    return name[1].strip('"') if name is not None else None


def _commands(text: TextLines, rows: Sequence[int]) -> Sequence[int]:
    """Those of the rows that hold a command in the first column, outside of free text."""
    rows = [row for row in rows if not text.lines[row][:1].isspace()]
    return outside_free_text(text, rows) if rows else rows


def _has_text_after_end(text: TextLines) -> bool:
    lasts = (row for row in text.rows_of.get(_LAST, ()) if text.lines[row].rstrip() == _LAST)
    first = next(lasts, len(text.lines))
    return any(_AHEAD.match(body) is None for body in text.bodies[first + 1 :])


def _with_rows_after_end(text: TextLines, rows: Sequence[int]) -> Sequence[int]:
    """The rows, and those of the first commands after each `end`, which start anew there."""
    ends = [row for row in rows if text.lines[row].rstrip() == _LAST]
    behind = {row for end in ends if (row := _after_end(text, end)) is not None}
    return sorted({*rows, *behind}) if behind else rows


def _after_end(text: TextLines, end: int) -> int | None:
    """Row of the first command after an `end` that starts anew; None if `end` comes first again."""
    for row in _texts_from(text, end + 1):
        line = text.lines[row].rstrip()
        if line == _LAST:
            return None
        if not _goes_on(line):
            return row
    return None


def _goes_on(line: str) -> bool:
    return line.startswith(_GOES_ON)


@derived
def _first_text(text: TextLines) -> int | None:
    return next(_texts_from(text, 0), None)


def _texts_from(text: TextLines, first: int) -> Iterator[int]:
    """Rows of the commands of a configuration from a row on, without what IOS writes ahead."""
    ends, behind = free_text(text), first
    for row in range(first, len(text.lines)):
        line = text.lines[row]
        if row < behind or line[:1].isspace():
            continue
        if row in ends:
            behind = ends[row]
        elif _AHEAD.match(line.rstrip()) is None:
            yield row


def _is_foreign(text: TextLines) -> bool:
    dialect = identity_of(text).dialect
    return dialect not in (Dialect.IOS, Dialect.NOT_A_CONFIG, Dialect.EMPTY)


class _ConfigSigns(Struct):
    """Signs of one configuration so far: its name, the line of its release, its end.

    `system` is the group of the lines of another system that were seen, `signs` are these lines.
    """

    name: str | None = None
    version_at: int | None = None
    is_version_after_name: bool = False
    has_ended: bool = (
        False  # by `end`, or what is before it is a show output: a name starts the next
    )
    is_closed: bool = False  # by `end`: any command starts the next
    has_text: bool = False  # it began with a line of a configuration
    system: str | None = None
    signs: tuple[str, ...] = ()

    def head_of_next(self, text: TextLines, line: str, row: int) -> int | None:
        """First row of the next configuration; None where the line still belongs to this one.

        The next one starts at the second of each pair, in the order of the branches:

        - `version 12.4`, then `## Last commit: ...`: the head of another system.
        - `system {`, then `hostname r2`: IOS after another system.
        - `version 12.4`, then `version 15.1`.
        - `end`, then `interface Serial0`: any command after `end`.
        - `hostname r1`, then `hostname r2`; a `version` between the two belongs to r2.
        """
        sign = _FOREIGN.match(line)
        if sign is not None:
            is_next = sign.lastgroup != self.system or sign[0] in self.signs
            return row if is_next and self.is_after_text(text, row) else None
        if self.system == "braces" and (_VERSION.match(line) or _HOSTNAME.match(line)):
            return row
        if _VERSION.match(line):
            is_first = self.version_at is None and not self.has_ended
            return None if is_first else row
        host = _HOSTNAME.match(line)
        is_other = self.name is not None and host is not None and host[1] != self.name
        if self.is_closed and line != _LAST and not _AHEAD.match(line) and not _goes_on(line):
            return row
        if host is None or not (self.has_ended or is_other):
            return None
        return self.version_at if self._is_version_of_next(text, row) else row

    def _is_version_of_next(self, text: TextLines, row: int) -> bool:
        """Whether `version` follows the name, without a section between it and `row`."""
        version = self.version_at
        if version is None or not self.is_version_after_name:
            return False
        between = [place for place in text.starting(_BODY) if version < place < row]
        commands = (text.lines[place] for place in _commands(text, between))
        return not any(command.startswith(_BODY_HEADS) for command in commands)

    def is_after_text(self, text: TextLines, row: int) -> bool:
        """Whether a line of this configuration comes before a row."""
        if self.has_text:
            return True
        first = _first_text(text)
        return first is not None and first < row

    def take(self, line: str, row: int) -> None:
        sign = _FOREIGN.match(line)
        if sign is not None:
            self.system = sign.lastgroup
            self.signs += (sign[0],)
        if _VERSION.match(line):
            self.version_at = row
            self.is_version_after_name = self.name is not None
        elif (host := _HOSTNAME.match(line)) is not None:
            self.name = host[1]
        self.is_closed = self.is_closed or line == _LAST
        self.has_ended = self.has_ended or self.is_closed


def _with_name_ahead(lines: Sequence[str], row: int, start: int) -> int:
    """The `hostname` that stands right ahead of a release, else the release itself."""
    name = _with_lines_ahead(lines, row, start) - 1
    return name if name > start and _HOSTNAME.match(lines[name]) else row


def _with_lines_ahead(lines: Sequence[str], row: int, start: int) -> int:
    """First of the comments and lines of IOS that stand ahead of a line."""
    head = row
    while head - 1 > start and _AHEAD.match(lines[head - 1].strip()):
        head -= 1
    return head
