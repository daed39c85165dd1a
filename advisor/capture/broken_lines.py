"""Puts together the lines that a message of the logger cut, or that a terminal broke.

A message of the logger is no part of what a command printed. What stood behind it, or in the next
row of the terminal, goes back to the line that it belongs to.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Final

from advisor.capture.commands import WORDS, known_words
from advisor.capture.outputs import any_opening
from advisor.ios import pattern
from advisor.ios.grammar import KEYWORDS, SUBCOMMANDS
from advisor.ios.syntax import TextLines, indentation
from advisor.ios.syntax.modes import GLOBAL, is_known_word, opens_mode
from advisor.ios.terminal import prompt_of, typed_text

USUAL_COLUMNS: Final = 80  # the width that terminals and IOS (`terminal width`) have by default
_NARROWEST: Final = 40  # columns of a terminal that is looked at
_FEWEST_FULL: Final = 2  # different lines as long as the longest, in a terminal of another width
_BROKEN_SHARE: Final = 0.8  # of them that have a rest below: one may be as long by itself

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
_ENDS_OF_MESSAGES: Final = ("state to up", "state to down")
_NOTICE: Final = pattern(
    r"\*\*\*(?:\s--- SHUTDOWN [\w: ]{2,30} ---)?\s*$|%Error opening tftp://255\.255\.255\.255/"
)
_NOTICES: Final = ("*** --- SHUTDOWN", "%Error opening tftp://255.")
_MOST_CUTS: Final = 4  # of one line
_MOST_LEAD: Final = 1  # blanks ahead of the rest of a line that a message cut
# Words stand behind the release of IOS: a line that ends ahead of them is broken.
_BROKEN_RELEASE: Final = pattern(
    r", Version [^\s,]{0,30}\r?\n(?!Cisco |IOS )[^\s:]{1,30},? .{0,60}SOFTWARE"
)
_RELEASE: Final = ", Version "
_DESCRIPTION: Final = "description"
_TRACE: Final = pattern(r"-(?:Traceback|Process)= ")
_MESSAGE: Final = pattern(r"%[A-Z][A-Z0-9_]*-[A-Z0-9_-]*\d-[A-Z]")
_NUMBERED: Final = re.compile(r"\s*([A-Za-z-]+)\d")
_CELLS: Final = 4  # of the start of a row, by which it is told from the rest of another
_FEWEST_FIGURES: Final = 2  # among them
_WORD: Final = "a"
_RULE_OR_COMMENT: Final = pattern(r"!|%(?![A-Z][A-Z0-9_-]*-\d-)|[-=*#+ ]{2,}$")
_WORDS_OF_CONFIGS: Final = frozenset(word for words in SUBCOMMANDS.values() for word in words)


def without_messages(lines: Sequence[str], free: Collection[int]) -> list[str]:
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
            _join_rest(kept, lines, index, is_glued=True)
    _join_cut_commands(kept, lines, free)
    return kept


def _join_cut_commands(kept: list[str], lines: Sequence[str], free: Collection[int]) -> None:
    """Join commands with their rests where messages alone stand between the two."""
    are_logged = [row not in free and is_logged(line) for row, line in enumerate(lines)]
    if not any(are_logged):
        return
    are_commands = _below_commands(kept, free)
    for row in range(len(lines) - 1):
        if are_commands[row] and are_logged[row + 1] and kept[row].strip():
            cuts = range(_MOST_CUTS)
            all(_join_rest(kept, lines, row, is_glued=False) for _ in cuts)


def _below_commands(lines: Sequence[str], free: Collection[int]) -> Sequence[bool]:
    """For each row whether it is a line of a configuration: below a command in the first column."""
    told: list[bool] = []
    is_command = False
    for row, line in enumerate(lines):
        if line[:1].strip() and row not in free and line[0] != "!":
            text = typed_text(line)
            is_command = text[:1].islower() and is_known_word(text)
            is_command = is_command or prompt_of(line) is not None
        told.append(is_command and row not in free)
    return told


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
    return head if prompt is None or prompt.command else ""


def _join_rest(kept: list[str], lines: Sequence[str], index: int, *, is_glued: bool) -> bool:
    """Join a line that a message cut with its rest, which stands behind the messages."""
    head = kept[index]
    behind = _row_behind(kept, lines, index)
    if behind is None or not head.strip() or not _is_rest(head, kept[behind], is_glued=is_glued):
        return False
    kept[index], kept[behind] = head + kept[behind], ""
    return True


def _row_behind(kept: Sequence[str], lines: Sequence[str], index: int) -> int | None:
    """The first row behind a line and its messages; None where it is blank."""
    for row in range(index + 1, len(lines)):
        if lines[row].strip() and not kept[row].strip():
            continue  # it was joined, or is the rest of a message
        if not is_logged(lines[row]):
            return row if kept[row].strip() else None
    return None


def _is_rest(head: str, rest: str, *, is_glued: bool) -> bool:
    lead = len(rest) - len(rest.lstrip())
    if lead > _MOST_LEAD or prompt_of(rest) is not None:
        return False
    prompt = prompt_of(head)
    if prompt is not None and not prompt.is_config:
        return _is_rest_of_typed(prompt.command, rest)
    if not is_glued:
        return _is_rest_of_command(typed_text(head), head, rest)
    words = (head + rest).split(None, 1)
    is_command = words[0] in _WORDS_OF_CONFIGS or head.split(None, 1)[0] in _WORDS_OF_CONFIGS
    is_rest = is_command or _breaks_word(head, rest) or _may_break(head, rest)
    return is_rest and _may_be_rest(rest)


def _is_rest_of_typed(typed: str, rest: str) -> bool:
    """Whether a line ends a word of an exec command, or the name of an interface."""
    ahead, behind = typed.split(), rest.split()
    if not rest[:1].isspace() and (typed[-1] in "/." or rest[0] == "/"):
        return len(behind) == 1
    glued = [*ahead[:-1], ahead[-1] + behind[0], *behind[1:]]
    whole = [*ahead, *behind] if rest[:1].isspace() else glued
    return known_words(whole) == len(whole) and whole[len(whole) - len(behind)] in WORDS


def _is_rest_of_command(command: str, head: str, rest: str) -> bool:
    """Whether a line goes on with a command of a configuration: no command begins as it does."""
    if not command or command[0] == "!" or _RULE_OR_COMMENT.match(rest.lstrip()):
        return False
    word = rest.split(maxsplit=1)[0]
    if command[-1] == "-" and not rest[:1].isspace():
        return True
    if not may_be_no_command(rest) or any_opening().match(rest):
        return False
    if rest[:1].isspace():
        is_section = head[:1].isspace() or opens_mode(GLOBAL, command) is not None
        return not word[0].islower() or not is_section
    is_value = not word[0].islower() or any(map(str.isdigit, word))
    return is_value or (command.rsplit(maxsplit=1)[-1] + word) in _keywords()


def may_be_no_command(line: str) -> bool:
    """Whether no command of a configuration begins as a line does.

    >>> may_be_no_command("56"), may_be_no_command("10 permit ip any any"), may_be_no_command("LD")
    (True, False, True)
    """
    words = line.split(None, 2)
    if words[0][:1].isdigit() and len(words) > 1:
        return not is_known_word(words[1])
    return not is_known_word(line) or words == ["default"]


@cache
def _keywords() -> frozenset[str]:
    rows = (row.replace(">", " ").replace("|", " ") for rows in KEYWORDS.values() for row in rows)
    return frozenset(word for row in rows for word in row.split())


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


def terminal_columns(lines: Sequence[str], free: Collection[int]) -> int:
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


def join_wrapped(lines: list[str], free: Collection[int], columns: int) -> None:
    """Join lines that a terminal broke: the rest of a line goes back to its end.

    What begins as an output, a command or a comment is a line of its own.
    """
    start_of: dict[int, int] = {}
    full = [(row, lines[row], lines[row + 1]) for row in _full_rows(lines, free, columns)]
    for index, line, rest in full:
        if not _may_be_rest(rest) or (is_logged(line) and line.endswith(_ENDS_OF_MESSAGES)):
            continue
        start = start_of.get(index, index)
        is_broken = _breaks_word(line, rest) or _may_break(line, rest)
        if is_broken and not _are_rows(lines[start], rest):
            lines[start] += rest
            lines[index + 1] = ""
            start_of[index + 1] = start


def join_broken_names(lines: list[str], free: Collection[int]) -> None:
    """Join rows of a narrow terminal that end inside a name, which the text has whole elsewhere."""
    width = max(map(len, lines), default=0)
    rows = [row for row in widest_rows(lines, width) if row not in free]
    if not rows:
        return
    words = Counter(word for line in lines for word in line.split())
    joined = {row: lines[row].split()[-1] + lines[row + 1].split()[0] for row in rows}
    # The same line twice is a counter of an output; a name is defined and used.
    words.update(word for _, word in {(lines[row], word) for row, word in joined.items()})
    for row in rows:
        if words[joined[row]] > 1 and _may_be_rest(lines[row + 1]):
            lines[row], lines[row + 1] = lines[row] + lines[row + 1], ""


def widest_rows(lines: Sequence[str], width: int) -> Iterator[int]:
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
    """Whether two lines are rows of one table.

    Both begin with interfaces of one kind, or with words, numbers and shares in one order.
    """
    names = [_NUMBERED.match(text) for text in (line, other)]
    if None not in names and len({name[1] for name in names if name}) == 1:
        return True
    shapes = [
        [_shape(word) for word in text.split(None, _CELLS)[:_CELLS]] for text in (line, other)
    ]
    is_same = shapes[0] == shapes[1] and len(shapes[0]) == _CELLS
    return is_same and sum(shape != _WORD for shape in shapes[0]) >= _FEWEST_FIGURES


def _shape(word: str) -> str:
    """The kind of a cell: a word, a number, or what stands behind a number."""
    if not word[0].isdigit():
        return _WORD
    return word.lstrip("0123456789.,:")[:1] or "0"


def _may_break(line: str, rest: str) -> bool:
    """Whether a line may end ahead of a word or a number, where the terminal breaks lines."""
    if line[-1].isspace() or (rest[0].isdigit() and line[-1].isalpha()):
        return True
    if "  " in line.strip() and rest.startswith("  "):  # inside a row of a table
        return indentation(rest) != indentation(line)
    is_one_blank = rest[0] == " " and rest[1:2].strip() != ""
    return is_one_blank and (not rest[1].isupper() or is_logged(line))


def join_broken_texts(lines: list[str], free: Collection[int]) -> None:
    """Join a release of IOS, or a long description, with the rest below it, at any column."""
    for row, line in enumerate(lines[:-1]):
        rest = lines[row + 1]
        is_release = _RELEASE in line and _BROKEN_RELEASE.search(f"{line}\n{rest}") is not None
        if is_release or (row not in free and _is_broken_description(line, rest)):
            lines[row], lines[row + 1] = line + rest, ""


def _is_broken_description(line: str, rest: str) -> bool:
    is_long = len(line.rstrip()) >= _NARROWEST and line.lstrip().startswith(_DESCRIPTION)
    is_rest = is_long and line[:1].isspace() and bool(rest[:1].strip())
    return is_rest and _may_be_rest(rest) and may_be_no_command(rest)


def may_hold_messages(text: str) -> bool:
    """Whether a text may hold a message of the logger, or what `reload in` tells a terminal."""
    has_notice = any(notice in text for notice in _NOTICES)
    return has_notice or ("%" in text and _MESSAGE.search(text) is not None)


def may_be_broken(split: TextLines) -> bool:
    """Whether a release is broken, or lines as long as the longest are, one inside a word."""
    descriptions = (
        row for row in split.rows_of.get(_DESCRIPTION, ()) if row + 1 < len(split.lines)
    )
    if any(_is_broken_description(split.lines[row], split.lines[row + 1]) for row in descriptions):
        return True
    if _RELEASE in split.text and _BROKEN_RELEASE.search(split.text):
        return True
    ends = split.width + 1 if split.width >= _NARROWEST else 0
    full = [row for row, line in enumerate(split.lines[:-1]) if len(line) == ends]
    return len(full) >= _FEWEST_FULL and any(
        rest.strip() and _breaks_word(split.lines[row].rstrip("\r\n"), rest)
        for row in full
        for rest in (split.lines[row + 1],)
    )
