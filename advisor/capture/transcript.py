"""Takes off the additions of a terminal log to an output, before anything reads the output.

Time stamps of the log, the pager, messages of the logger and hard wraps are no part of what a
command printed. Every reader of outputs and of configurations gets lines without them; the number
of each line stays.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from advisor.capture.broken_lines import (
    USUAL_COLUMNS,
    join_broken_names,
    join_broken_texts,
    join_wrapped,
    may_be_broken,
    may_hold_messages,
    terminal_columns,
    widest_rows,
    without_messages,
)
from advisor.capture.clock import stamp_end
from advisor.capture.pages import holds_capture, shared_name
from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.syntax import TextLines, lines_of
from advisor.ios.syntax.opaque import OpaqueReader
from advisor.ios.terminal import prompt_of, render, typed_text, without_pager

_STAMPED_SHARE: Final = 0.8  # of the lines that say something, in a log that stamps all lines
_STAMPED_LINES: Final = 2

_RESIDUE: Final = ("\b", "\x1b", "\a", "\ufeff", "More", "+++")
_LONE_RETURN: Final = pattern(r"\r(?!\n|\Z)")
_FIRST_OF_TIMES: Final = frozenset("[<(*.0123456789")
_MONTH: Final = len("Mar")
_TIME_AHEAD: Final = pattern(
    r"""(?: \[ | <\d | \(?\d{4}[-/]\d | \d\d[-/.](?:\d\d|[A-Z][a-z]{2})[-/.]\d{4}
      | (?:\d+:[ ])? (?: \(?\d\d:\d\d:\d\d | [*.]?(?:\d{4}[ ])?[A-Z][a-z]{2}[ ]+\d ) )""",
    re.VERBOSE,
)
LISTING_MESSAGES: Final = ("show logging", "debug")


def transcript(text: str, command: str | None = None, *, columns: int | None = None) -> str:
    r"""Return what a command printed, in as many lines.

    Banners, certificates and other blocks of free text lose time stamps and the pager alone.

    Parameters
    ----------
    text
        The text as it was logged.
    command
        The spelled-out command that printed it: the log itself keeps its messages.
    columns
        Where the terminal of the log broke long lines, 0 if it did not; None where the text itself
        has to tell.

    Examples
    --------
    >>> transcript("a1#sh ver\n*Mar  1 00:01:02.003: %SYS-5-CONFIG_I: by vty0\nCisco IOS\n")
    'a1#sh ver\n\nCisco IOS\n'
    """
    split = lines_of(text)
    if not ((columns and split.width >= columns) or _needs_work(split)):
        return text
    told, free = _transcribed(split)
    lines = list(told)
    columns = terminal_columns(lines, free) if columns is None else columns
    if columns:
        join_wrapped(lines, free, columns)
    join_broken_names(lines, free)
    join_broken_texts(lines, free)
    if command is None or not command.startswith(LISTING_MESSAGES):
        lines = without_messages(lines, free)
    ends = ("\n" if line.endswith("\n") else "" for line in split.lines)
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


@derived
def _needs_work(split: TextLines) -> bool:
    """Whether any line may be another than the device printed: most texts have none."""
    text = split.text
    return (
        any(mark in text for mark in _RESIDUE)
        or ("\r" in text and _LONE_RETURN.search(text) is not None)
        or may_hold_messages(text)
        or any(map(_TIME_AHEAD.match, _may_be_stamped(split)))
        or split.width in (USUAL_COLUMNS, USUAL_COLUMNS + 1)
        or any(widest_rows(split.lines, split.width + 1))
        or may_be_broken(split)
    )


def _may_be_stamped(split: TextLines) -> Iterator[str]:
    """Lines that begin as a time does, in the first column."""
    lines = (split.lines[row] for row in split.starting_so(_begins_as_time))
    return (line for line in lines if not line[:1].isspace())


def _begins_as_time(word: str) -> bool:
    return word[:1] in _FIRST_OF_TIMES or (len(word) == _MONTH and word.istitle())


def wrap_columns(text: TextLines) -> int:
    """Columns at which the terminal of a log broke long lines; 0 where nothing tells of it."""
    return terminal_columns(*_transcribed(text)) if _needs_work(text) else 0


@derived
def _transcribed(split: TextLines) -> tuple[tuple[str, ...], frozenset[int]]:
    """Return the lines of a log, without line ends, and which of them are free text."""
    lines = _without_stamps([line.rstrip("\r\n") for line in split.lines])
    lines = [_without_pager(line) for line in lines]
    opaque = OpaqueReader(lines)
    free: set[int] = set()
    for index, line in enumerate(lines):
        if index in free:
            continue
        body = opaque.body(index, typed_text(line))
        if body is not None and body.closed:
            free.update(range(index + 1, body.end))
        lines[index] = render(line)
    return tuple(lines), frozenset(free)


def _without_stamps(lines: Sequence[str]) -> list[str]:
    return [line[end:] for line, end in zip(lines, stamp_ends(lines), strict=True)]


def stamp_ends(lines: Sequence[str]) -> list[int]:
    """Columns behind the stamps of prompts, and of all lines where the log stamps all of them."""
    ends = [stamp_end(line) for line in lines]
    saying = [end for line, end in zip(lines, ends, strict=True) if line.strip()]
    stamped = sum(1 for end in saying if end)
    is_uniform = stamped >= max(_STAMPED_LINES, _STAMPED_SHARE * len(saying))
    if is_uniform:  # blanks behind the mark of every line are no margin of IOS
        rests = (line[end:] for line, end in zip(lines, ends, strict=True) if end)
        margins = (len(rest) - len(rest.lstrip(" ")) for rest in rests if rest.strip())
        margin = min(margins, default=0)
        ends = [end + margin if end else 0 for end in ends]
        ends = _behind_names(lines, ends)
    return [
        end if end and (is_uniform or _is_prompt(line[end:])) else 0
        for line, end in zip(lines, ends, strict=True)
    ]


def _behind_names(lines: Sequence[str], ends: Sequence[int]) -> list[int]:
    """Columns behind the name of a host or a program that stands behind each stamp."""
    rests = [line[end:] for line, end in zip(lines, ends, strict=True) if end]
    name = shared_name([rest for rest in rests if rest.strip()])
    if not name or not holds_capture(rest.removeprefix(name) for rest in rests):
        return list(ends)
    return [
        end + len(name) if end and line.startswith(name, end) else end
        for line, end in zip(lines, ends, strict=True)
    ]


def _is_prompt(line: str) -> bool:
    return prompt_of(without_pager(render(line))[0].strip()) is not None


def _without_pager(line: str) -> str:
    """Take the pager's prompt off a line; what it leaves of itself behind a short line, too."""
    if "ore" not in line:
        return line
    shown = render(line)
    rest, is_paged = without_pager(shown)
    if not (is_paged or without_pager(line)[1]):
        return line
    return rest if len(rest) >= USUAL_COLUMNS else rest.rstrip()
