"""Where a text that holds several configurations starts with the next one."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from advisor.ios.exec.prompts import typed_text
from advisor.ios.patterns import pattern
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.opaque import OpaqueReader
from advisor.ios.syntax.scan import physical_lines

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
_HEADS: Final = ("version ", "hostname ", "switchname ")
_FEWEST_HEADS: Final = 2
_LAST: Final = re.compile(r"end\s*$")
_GOES_ON: Final = re.compile(r"config |end\s*$")  # each section of FortiOS ends with `end`
# Sections of a configuration, which stand behind its `hostname`.
_BODY: Final = ("interface ", "policy-map ", "class-map ", "router ", "line ", "access-list ")
_MOST_CUT: Final = 64  # in one file, so that time stays linear in its lines
# What IOS and backups write ahead of a configuration.
_AHEAD: Final = re.compile(
    r"""!|$|Building\ configuration|Current\ configuration|Using\ \d|Uncompressed\ configuration
      |Load\ for\ five\ secs|Time\ source\ is|No\ time\ source""",
    re.VERBOSE,
)


def config_starts(lines: Sequence[str], *, behind_output: bool = False) -> Iterator[int]:
    """Yield the first line of each configuration behind the first, or behind a show output.

    A second `version` line starts one, and so do another `hostname`, any line behind `end` and a
    line that only another system has, with the comments and the lines of IOS ahead of it. Lines of
    banners and certificates do not count.
    """
    heads = sum(line.startswith(_HEADS + _FOREIGN_HEADS) for line in lines)
    if heads + behind_output < _FEWEST_HEADS and not _has_text_behind_end(lines):
        return
    start = 0
    seen = _Seen(has_ended=behind_output)
    for index, text in _commands(lines):
        head = seen.head_of_next(text, index)
        if head is None and seen.has_text and _IOS_VERSION.match(text):
            first = _with_name_ahead(lines, index, start)
            head = first if _is_foreign("".join(lines[start:first])) else None
        if head is not None:
            start = _with_lines_ahead(lines, head, start)
            yield start
            seen = _Seen()
        seen.take(text, index)


@lru_cache(maxsize=2)  # several questions of one reading ask for it, one text after the other
def hostname_of(text: str) -> str | None:
    r"""Name that a configuration gives last; of what is typed at a prompt, too.

    Examples
    --------
    >>> hostname_of("hostname r1\nbanner motd ^C\nhostname r2\n^C\n")
    'r1'
    """
    if not any(head in text for head in _HEADS):
        return None
    names = [
        host[1].strip('"')
        for _, command in _commands(physical_lines(text), is_typed=True)
        if (host := _HOSTNAME.match(command)) is not None
    ]
    return names[-1] if names else None


def foreign_hostname_of(text: str) -> str | None:
    r"""Name that a configuration of another system gives.

    Examples
    --------
    >>> foreign_hostname_of("system {\n    host-name jun1;\n}\n")
    'jun1'
    """
    name = _FOREIGN_NAME.search(text)
    return name[1].strip('"') if name is not None else None


def _commands(lines: Sequence[str], *, is_typed: bool = False) -> Iterator[tuple[int, str]]:
    """Commands of the first column, outside of banners; `is_typed` without their prompts."""
    free = FreeText(lines)
    resume = 0
    for index, line in enumerate(lines):
        if index < resume:
            continue
        typed = typed_text(line)
        end = free.end(index, typed)
        if end is not None:
            resume = end
        elif not line[:1].isspace():
            yield index, typed if is_typed else line.rstrip()


class FreeText:
    """Finds the ends of banners, certificates and other free text in the lines of a file.

    What seems to be text of a banner and holds a whole configuration is none: the banner was cut,
    and the file goes on with another device.
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._opaque = OpaqueReader(lines)
        self._cut = 0

    def end(self, index: int, typed: str) -> int | None:
        """First line behind the text that a command opens; None where it opens none."""
        body = self._opaque.body(index, typed)
        if body is None or not body.closed:
            return None
        if self._cut < _MOST_CUT and _holds_config(self._lines[index + 1 : body.end]):
            self._cut += 1
            return None
        return body.end


def _has_text_behind_end(lines: Sequence[str]) -> bool:
    last = next((row for row, line in enumerate(lines) if _LAST.match(line)), len(lines))
    return any(_AHEAD.match(line.strip()) is None for line in lines[last + 1 :])


def _is_foreign(text: str) -> bool:
    return identify(text).dialect not in (Dialect.IOS, Dialect.NOT_A_CONFIG, Dialect.EMPTY)


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


class _Seen(Struct):
    """What was seen of one configuration so far: its name, the line of its release, its end.

    `system` is the group of the lines of another system that were seen, `signs` are these lines.
    """

    name: str | None = None
    version_at: int | None = None
    is_version_of_next: bool = False  # so far: behind a name, and only head lines behind it
    has_ended: bool = False
    is_closed: bool = False  # by `end`
    has_text: bool = False
    system: str | None = None
    signs: tuple[str, ...] = ()

    def head_of_next(self, text: str, index: int) -> int | None:
        """First line of the next configuration, where a line is not of this one."""
        sign = _FOREIGN.match(text)
        if sign is not None:
            is_next = sign.lastgroup != self.system or sign[0] in self.signs
            return index if self.has_text and is_next else None
        if self.system == "braces" and (_VERSION.match(text) or _HOSTNAME.match(text)):
            return index
        if _VERSION.match(text):
            is_first = self.version_at is None and not self.has_ended
            return None if is_first else index
        host = _HOSTNAME.match(text)
        is_other = self.name is not None and host is not None and host[1] != self.name
        if self.is_closed and not (_AHEAD.match(text) or _GOES_ON.match(text)):
            return index
        if host is None or not (self.has_ended or is_other):
            return None
        return self.version_at if self.is_version_of_next else index

    def take(self, text: str, index: int) -> None:
        sign = _FOREIGN.match(text)
        if sign is not None:
            self.system = sign.lastgroup
            self.signs += (sign[0],)
        self.has_text = self.has_text or _AHEAD.match(text) is None
        if _VERSION.match(text):
            self.version_at = index
            self.is_version_of_next = self.name is not None
        elif text.startswith(_BODY):
            self.is_version_of_next = False
        host = _HOSTNAME.match(text)
        self.name = host[1] if host is not None else self.name
        self.is_closed = self.is_closed or _LAST.match(text) is not None
        self.has_ended = self.has_ended or self.is_closed


def _with_name_ahead(lines: Sequence[str], index: int, start: int) -> int:
    """The `hostname` that stands right ahead of a release, else the release itself."""
    name = _with_lines_ahead(lines, index, start) - 1
    return name if name > start and _HOSTNAME.match(lines[name]) else index


def _with_lines_ahead(lines: Sequence[str], index: int, start: int) -> int:
    """First of the comments and lines of IOS that stand ahead of a line."""
    head = index
    while head - 1 > start and _AHEAD.match(lines[head - 1].strip()):
        head -= 1
    return head
