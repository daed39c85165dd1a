"""Takes off the additions of a terminal log to an output, before anything reads the output.

Time stamps of the log, the pager, messages of the logger and hard wraps are no part of what a
command printed. Every reader of outputs and of configurations gets lines without them; the number
of each line stays.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from advisor.capture.clock import stamp_end
from advisor.capture.outputs import any_opening
from advisor.capture.pages import holds_capture, shared_name
from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.grammar import SUBCOMMANDS
from advisor.ios.syntax import TextLines, indentation, lines_of
from advisor.ios.syntax.modes import is_known_word
from advisor.ios.syntax.opaque import OpaqueReader
from advisor.ios.terminal import prompt_of, render, typed_text, without_pager

USUAL_COLUMNS: Final = 80  # the width that terminals and IOS (`terminal width`) have by default
_NARROWEST: Final = 40  # columns of a terminal that is looked at
_FEWEST_FULL: Final = 2  # different lines as long as the longest, in a terminal of another width
_BROKEN_SHARE: Final = 0.8  # of them that have a rest below: one may be as long by itself
_STAMPED_SHARE: Final = 0.8  # of the lines that say something, in a log that stamps all lines
_STAMPED_LINES: Final = 2

_TIME: Final = r"\d\d:\d\d:\d\d(?:\.\d{1,6})?"
_UPTIME: Final = r"(?:\d+[ywdh]\d+[wdhm]|\d{1,3}:\d\d:\d\d)"  # `service timestamps log uptime`
_NAME: Final = r"%[A-Z][A-Z0-9_]*-(?:[A-Z0-9_]+-)?\d-[A-Z0-9_]+:"
# `000123: *Mar  1 00:00:12.345 UTC: %LINK-3-UPDOWN: `, and lines of `debug` with the same time.
_LOGGED: Final = pattern(
    rf"""(?:\d{{1,10}}:\s)?
      (?: [*.]?(?:\d{{4}}\s)?[A-Z][a-z]{{2}}\s+\d{{1,2}}\s(?:\d{{4}}\s)?{_TIME}
          (?:\s[A-Z][\w+-]{{0,6}})?:(?:\s{_NAME}|\s|$)
        | (?:{_UPTIME}:\s)?{_NAME}
        | \[ [\d\ :,.-]+ \] \s \+\+\+ \s
      )""",
    re.VERBOSE | re.ASCII,
)
# A message that the logger wrote into a line that was being printed, or behind a prompt.
_GLUED: Final = pattern(
    rf"""(?:\d{{6}}:\s)?
      (?: [*.]?(?:\d{{4}}\s)?[A-Z][a-z]{{2}}\s+\d{{1,2}}\s(?:\d{{4}}\s)?{_TIME}
          (?:\s[A-Z][\w+-]{{0,6}})? | (?<!\d){_UPTIME} ):\s{_NAME}""",
    re.VERBOSE | re.ASCII,
)
# `reload in` tells each terminal how long it has, between rows of stars; `service config` what it
# did not find.
_NOTICE: Final = pattern(
    r"\*\*\*(?:\s--- SHUTDOWN [\w: ]{2,30} ---)?\s*$|%Error opening tftp://255\.255\.255\.255/"
)
_NOTICES: Final = ("*** --- SHUTDOWN", "%Error opening tftp://255.")
_MOST_LEAD: Final = 1  # blanks ahead of the rest of a line that a message cut
_TRACE: Final = pattern(r"-(?:Traceback|Process)= ")
_RESIDUE: Final = ("\b", "\x1b", "\a", "\ufeff", "More", "+++")
_LONE_RETURN: Final = pattern(r"\r(?!\n|\Z)")
_MESSAGE: Final = pattern(r"%[A-Z][A-Z0-9_]*-[A-Z0-9_-]*\d-[A-Z]")
_FIRST_OF_TIMES: Final = frozenset("[<(*.0123456789")
_MONTH: Final = len("Mar")
_TIME_AHEAD: Final = pattern(
    r"""(?: \[ | <\d | \(?\d{4}[-/]\d | \d\d[-/.](?:\d\d|[A-Z][a-z]{2})[-/.]\d{4}
      | (?:\d+:[ ])? (?: \(?\d\d:\d\d:\d\d | [*.]?(?:\d{4}[ ])?[A-Z][a-z]{2}[ ]+\d ) )""",
    re.VERBOSE,
)
_RULE_OR_COMMENT: Final = pattern(r"!|%(?![A-Z][A-Z0-9_-]*-\d-)|[-=*#+ ]+$")
_WORDS_OF_CONFIGS: Final = frozenset(word for words in SUBCOMMANDS.values() for word in words)
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
    columns = _columns(lines, free) if columns is None else columns
    if columns:
        _join_wrapped(lines, free, columns)
    for index in _broken_names(lines, free):
        lines[index], lines[index + 1] = lines[index] + lines[index + 1], ""
    if command is None or not command.startswith(LISTING_MESSAGES):
        lines = _without_messages(lines, free)
    ends = ("\n" if line.endswith("\n") else "" for line in split.lines)
    return "".join(line + end for line, end in zip(lines, ends, strict=True))


@derived
def _needs_work(split: TextLines) -> bool:
    """Whether any line may be another than the device printed: most texts have none."""
    text = split.text
    return (
        any(mark in text for mark in _RESIDUE + _NOTICES)
        or ("\r" in text and _LONE_RETURN.search(text) is not None)
        or ("%" in text and _MESSAGE.search(text) is not None)
        or any(map(_TIME_AHEAD.match, _may_be_stamped(split)))
        or split.width in (USUAL_COLUMNS, USUAL_COLUMNS + 1)
        or any(_widest_rows(split.lines, split.width + 1))
        or _may_be_broken(split)
    )


def _may_be_broken(split: TextLines) -> bool:
    """Whether different lines are as long as the longest, and one ends inside a word."""
    ends = split.width + 1 if split.width >= _NARROWEST else 0
    full = [row for row, line in enumerate(split.lines[:-1]) if len(line) == ends]
    return len(full) >= _FEWEST_FULL and any(
        rest.strip() and _breaks_word(split.lines[row].rstrip("\r\n"), rest)
        for row in full
        for rest in (split.lines[row + 1],)
    )


def _may_be_stamped(split: TextLines) -> Iterator[str]:
    """Lines that begin as a time does, in the first column."""
    lines = (split.lines[row] for row in split.starting_so(_begins_as_time))
    return (line for line in lines if not line[:1].isspace())


def _begins_as_time(word: str) -> bool:
    return word[:1] in _FIRST_OF_TIMES or (len(word) == _MONTH and word.istitle())


def wrap_columns(text: TextLines) -> int:
    """Columns at which the terminal of a log broke long lines; 0 where nothing tells of it."""
    return _columns(*_transcribed(text)) if _needs_work(text) else 0


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


def _without_messages(lines: Sequence[str], free: Collection[int]) -> list[str]:
    kept = [
        "" if index not in free and is_logged(line) else line for index, line in enumerate(lines)
    ]
    for index, line in enumerate(lines[:-1]):
        if line and not kept[index] and _goes_on(line, lines[index + 1]):
            kept[index + 1] = ""
    if any(notice in line for line in lines for notice in _NOTICES):
        kept = [
            "" if index not in free and _NOTICE.match(line) else line
            for index, line in enumerate(kept)
        ]
    for index in reversed(range(len(kept))):  # a rest may be cut again
        head = None if index in free else ahead_of_message(kept[index])
        if head is not None:
            kept[index] = head
            _join_rest(kept, lines, index)
    return kept


def _goes_on(message: str, behind: str) -> bool:
    """Whether a terminal broke a message at a blank, which it left at the end of the row."""
    is_broken = message.endswith(" ") and not message.endswith("  ")
    return is_broken and not behind[:1].isspace() and _may_be_rest(behind)


def ahead_of_message(line: str) -> str | None:
    """Return what stands in a line ahead of a message that the logger wrote into it.

    Nothing stands ahead of one behind a prompt: the console shows its prompt again.

    Returns
    -------
    str | None
        None where the line has no message inside.

    Examples
    --------
    >>> ahead_of_message(" mt*Mar  3 10:11:12.123: %LINK-3-UPDOWN: Interface Serial0/1, down")
    ' mt'
    >>> ahead_of_message("r1#*Mar  3 10:11:12.123: %SYS-5-CONFIG_I: Configured from console")
    ''
    """
    glued = _GLUED.search(line) if "%" in line else None
    if glued is None or not glued.start() or is_logged(line):
        return None
    head = line[: glued.start()]
    prompt = prompt_of(head)
    if prompt is None:
        return head
    return head if prompt.command and prompt.is_config else None if prompt.command else ""


def _join_rest(kept: list[str], lines: Sequence[str], index: int) -> None:
    """Join a line that a message cut with its rest, which stands behind the messages."""
    head = kept[index]
    behind = next((at for at in range(index + 1, len(lines)) if not is_logged(lines[at])), None)
    if behind is None or not head.strip() or not kept[behind].strip():
        return
    rest = kept[behind]
    lead = len(rest) - len(rest.lstrip())
    words = (head + rest).split(None, 1)
    is_command = words[0] in _WORDS_OF_CONFIGS or head.split(None, 1)[0] in _WORDS_OF_CONFIGS
    is_rest = is_command or _breaks_word(head, rest) or _may_break(head, rest)
    if lead <= _MOST_LEAD and is_rest and _may_be_rest(rest):
        kept[index], kept[behind] = head + rest, ""


def is_logged(line: str) -> bool:
    """Say whether a line is a message of the logger or of a debug, or a line of its trace."""
    return bool(logged_head(line))


def logged_head(line: str) -> str:
    """Return the number, the time and the name of a message; empty where a line is none.

    Examples
    --------
    >>> logged_head("1w2d: %SYS-5-CONFIG_I: Configured from console by bob")
    '1w2d: %SYS-5-CONFIG_I:'
    """
    match = _LOGGED.match(line) or _TRACE.match(line)
    return match[0].rstrip() if match is not None else ""


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


def _columns(lines: Sequence[str], free: Collection[int]) -> int:
    """Columns of the terminal that broke lines inside of words: the length of the longest; else 0.

    In a terminal of another width than most have, different lines are as long as the longest, and
    each has a rest below it.
    """
    width = max((len(line) for row, line in enumerate(lines) if row not in free), default=0)
    full = _full_rows(lines, free, width) if width >= _NARROWEST else ()
    rows = [row for row in full if lines[row + 1].strip()]
    rested = [row for row in rows if _may_be_rest(lines[row + 1])]
    if not any(_breaks_word(lines[row], lines[row + 1]) for row in rested):
        return 0
    if width == USUAL_COLUMNS:
        return width
    are_broken = len(rested) >= _BROKEN_SHARE * len(rows) and not any(
        ahead_of_message(lines[row]) for row in rows
    )
    return width if are_broken and len({lines[row] for row in rows}) >= _FEWEST_FULL else 0


def _join_wrapped(lines: list[str], free: Collection[int], columns: int) -> None:
    """Join lines that a terminal broke: the rest of a line goes back to its end.

    What begins as an output, a command or a comment is a line of its own.
    """
    start_of: dict[int, int] = {}
    full = [(row, lines[row], lines[row + 1]) for row in _full_rows(lines, free, columns)]
    for index, line, rest in full:
        if _may_be_rest(rest) and (_breaks_word(line, rest) or _may_break(line, rest)):
            start = start_of.get(index, index)
            lines[start] += rest
            lines[index + 1] = ""
            start_of[index + 1] = start


def _broken_names(lines: Sequence[str], free: Collection[int]) -> list[int]:
    """Rows of a narrow terminal that end inside a name, which the text has whole elsewhere."""
    width = max(map(len, lines), default=0)
    rows = [row for row in _widest_rows(lines, width) if row not in free]
    if not rows:
        return rows
    words = Counter(word for line in lines for word in line.split())
    joined = {row: lines[row].split()[-1] + lines[row + 1].split()[0] for row in rows}
    # The same line twice is a counter of an output; a name is defined and used.
    words.update(word for _, word in {(lines[row], word) for row, word in joined.items()})
    again = {word for word in joined.values() if words[word] > 1}
    return [row for row in rows if joined[row] in again and _may_be_rest(lines[row + 1])]


def _widest_rows(lines: Sequence[str], width: int) -> Iterator[int]:
    """Commands as wide as the widest row of a terminal, ahead of a word that begins no command."""
    if width < _NARROWEST:
        return
    for row in [row for row, line in enumerate(lines[:-1]) if len(line) == width]:
        rest = lines[row + 1]
        is_full = not lines[row].rstrip("\r\n")[-1:].isspace()
        is_word = rest[:1].strip() and rest[0] not in "!^" and len(rest.split()) == 1
        if is_full and is_word and is_known_word(lines[row]) and not is_known_word(rest):
            yield row


def _full_rows(lines: Sequence[str], free: Collection[int], width: int) -> Iterator[int]:
    for index, line in enumerate(lines[:-1]):
        is_free = index in free or index + 1 in free
        if len(line) == width and not is_free and not _RULE_OR_COMMENT.match(line):
            yield index


def _may_be_rest(rest: str) -> bool:
    """Whether a line may be the rest of the one ahead of it: nothing begins with it."""
    if not rest.strip() or _RULE_OR_COMMENT.match(rest) or prompt_of(rest) is not None:
        return False
    is_command = rest.split(None, 1)[0] in _WORDS_OF_CONFIGS
    return not (is_command or is_logged(rest) or any_opening().match(rest))


_NUMBERED: Final = re.compile(r"\s*([A-Za-z-]+)\d")


def _breaks_word(line: str, rest: str) -> bool:
    """Whether a line ends inside a word, a number or a bracket that the next one ends."""
    last, first = line[-1], rest[0]
    if last in "-_/.(:" and not line[-2].isalnum():
        return False  # a sign that stands alone, as for an empty column
    if first.islower():
        return last.isalpha() or last in "-_/."
    if first.isdigit():
        return last.isdigit() or last in "./-:("
    if first.isupper():
        return (last.isupper() or last in "-_/(") and not _are_rows(line, rest)
    return first in ",.;:)%/]-_" and not last.isspace()


def _are_rows(line: str, other: str) -> bool:
    """Whether two lines are rows of one table: both begin with interfaces of one kind."""
    names = [_NUMBERED.match(text) for text in (line, other)]
    return None not in names and len({name[1] for name in names if name}) == 1


def _may_break(line: str, rest: str) -> bool:
    """Whether a line may end ahead of a word or a number, where the terminal breaks lines."""
    if line[-1].isspace() or (rest[0].isdigit() and line[-1].isalpha()):
        return True
    if "  " in line.strip() and rest.startswith("  "):  # inside a row of a table
        return indentation(rest) != indentation(line)
    is_one_blank = rest[0] == " " and rest[1:2].strip() != ""
    return is_one_blank and (not rest[1].isupper() or is_logged(line))
