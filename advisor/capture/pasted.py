"""Text as people paste it: margins, quote marks, line numbers and notes are taken off.

A ticket, a mail or a wiki puts them around the lines of a capture. What is left has as many lines,
and each keeps its number.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Final

from advisor.capture.clock import stamp_end
from advisor.capture.pages import (
    holds_capture,
    is_command,
    is_sign,
    leave_out,
    may_be_page,
    shared_name,
    shared_start,
    without_page,
)
from advisor.ground.units import whole_or_none
from advisor.ios.syntax import indentation
from advisor.ios.syntax.reader import WORD
from advisor.ios.terminal import has_other_blanks, is_binary, text_of

# Notes that people write behind the lines of a capture: `<-- too small?`, `// why`, `! old`.

# Looked for in every file, so it has to be cheap: a search for bytes ahead of one for a pattern.
_NOTE_MARKS: Final = (*(b" <", b"\t<", b" //", b"\t//", b" !", b"\t!", b" #", b"\t#"), b"**")
_NOTED: Final = re.compile(rb"[^\s!#][ \t]++(?:<-|<==|//|!|##|#[ ])|(?<!\*)\*\*[A-Za-z0-9]")

# An arrow to the left; `<->` and `<-->` stand between two names, `hrpc <- response` is a process,
# `<--- More --->` a pager.
_ARROW: Final = re.compile(r"(?<!\s)\s++<(?:-{2,}|={2,})(?![-=>]|[ ]?[Mm]ore[ ]?-).*$")
_REMARK: Final = re.compile(rf"(?<!\s)\s++(?:<-(?![->])|//|!(?!\s*{WORD})|\#\#|\#\s).*$")
_COMMENTS_OF_JOINED: Final = re.compile(r"\s!\s.*\s!\s")
_BOLD: Final = re.compile(r"(?<!\*)\*\*(?!sh)([A-Za-z0-9][^*]*)\*\*(?!\*)")
# IOS takes what follows as text, or as a part of a secret.
_FREE_TEXT: Final = re.compile(
    r"\b(?:description|remark|password|secret|key|key-string|banner|alias|authentication)\b",
    re.IGNORECASE,
)


def may_hold_notes(payload: bytes) -> bool:
    """Whether a file has a mark that a note begins with, behind other text."""
    return any(mark in payload for mark in _NOTE_MARKS) and _NOTED.search(payload) is not None


def without_note(line: str) -> str:
    """Take the note off that stands behind a line, and what sets a part of it in bold.

    Free text and what may be a secret stay: their words may look like a note.

    >>> without_note(" priority 128   <-- too small?"), without_note(" tx-ring-limit 12 // carrier")
    (' priority 128', ' tx-ring-limit 12')
    >>> without_note(" priority 128 <-- more than the calls need")
    ' priority 128'
    >>> without_note(" **priority 128**"), without_note(" description to HQ <-- main // old")
    (' priority 128', ' description to HQ <-- main // old')
    """
    if "**" in line:
        line = _BOLD.sub(r"\1", line)
    note = _ARROW.search(line)
    if note is None and is_command(line) and _COMMENTS_OF_JOINED.search(line) is None:
        note = _REMARK.search(line)
    if note is None:
        return line
    said = line[: note.start()]
    is_text = not said or _FREE_TEXT.search(said) is not None or said.count('"') % 2
    return line if is_text else said


_MOST_LAYERS: Final = 4  # a quote of a quote with line numbers and a margin
_FEWEST_LINES: Final = 2  # that are set off by the same mark
_FEWEST_BLANKS: Final = 2  # of a margin inside a text; IOS itself indents by one

# Characters that may stand ahead of a capture: looked for in every file, so it has to be cheap.
_FIRST_LINE: Final = re.compile(
    rb"\s*?^[ \t]*(?:[ \t>|+]|\xe2[\x94\x95]|[\[(L]?\d+[ \t:.|)\]])", re.MULTILINE
)
_LOOK_BYTES: Final = 2048
_LOOK_LINES: Final = 6
_HEADS_INSIDE: Final = tuple(mark + b"interface " for mark in (b" ", b"\t", b">", b":", b"|", b")"))
_PROMPTS_INSIDE: Final = (b"#sh", b">sh", b"# sh")
_INSIDE: Final = re.compile(
    rb"^(?:[ \t]{2}|\t|[ ]?[>|]|[ ]*\d+[ \t:.|)\]]).*?(?:[#>][ ]?sho?w?[ ]|interface[ ][A-Za-z])",
    re.MULTILINE,
)
_BARS: Final = str.maketrans("│┃║", "|||")
_RULE: Final = re.compile(r"\s*+[+|┌└├╔╚╠][-=─━═+|:┬┴┼╦╩╬ ]{3,}+[┐┘┤╗╝╣]?\s*$")
_QUOTE: Final = re.compile(r"[ \t]{0,3}[>|](?: |$)|[ \t]{0,3}>(?=[> \t])")
_TIGHT_QUOTE: Final = re.compile(r"[ \t]{0,3}[>|]")
_DEEPER: Final = re.compile(r"^(?:[ \t]?>)++[ \t]?")  # marks of a quote of a quote
_ROW: Final = re.compile(r"[ \t]{0,3}\|.*\|[ \t]*$")
_ROW_END: Final = re.compile(r"(?<![ \t])[ \t]*\|[ \t]*$")
_NUMBER: Final = re.compile(
    r"^[ \t]*+[\[(L]?(\d{1,7})(?:[ ]:(?:[ ]|$)|[:.|)\]][ \t]?|[ ]{1,2}|\t|$)"
)
_COMMENTS: Final = ("!", "#", "-", "<")
_MARKS: Final = frozenset(" \t\r>|0123456789:.)]")
_END_MARKS: Final = frozenset(" \t|")


def plain_payload(payload: bytes) -> bytes:
    r"""Bytes of a text without what a paste adds ahead of its lines; a binary file as it is.

    >>> plain_payload(b"    r1#show version\n    Cisco IOS Software\n")
    b'r1#show version\nCisco IOS Software\n'
    >>> plain_payload(b"hostname r1\ninterface Serial0\n mtu 1500\n")
    b'hostname r1\ninterface Serial0\n mtu 1500\n'
    """
    has_blanks = has_other_blanks(payload)
    if not (has_blanks or _may_be_pasted(payload)) or is_binary(payload):
        return payload
    text = text_of(payload)
    plain = plain_text(text)
    return payload if plain == text and not has_blanks else plain.encode()


def _may_be_pasted(payload: bytes) -> bool:
    if may_hold_notes(payload):
        return True
    if _FIRST_LINE.match(payload) or may_be_page(payload):
        return True
    if _begin_alike(payload):
        return True
    is_likely = any(mark in payload for mark in _PROMPTS_INSIDE + _HEADS_INSIDE)
    return is_likely and _INSIDE.search(payload) is not None


def _begin_alike(payload: bytes) -> bool:
    """Whether the first lines of a file and its last one begin with the same letters."""
    first = payload[:_LOOK_BYTES].decode("latin-1").split("\n", _LOOK_LINES)[:_LOOK_LINES]
    last = payload[-_LOOK_BYTES:].decode("latin-1").rstrip().rpartition("\n")[2]
    return bool(shared_start([line for line in (*first, last) if line.strip()]))


def plain_text(text: str) -> str:
    """Text without margins, quote marks, line numbers, fences and notes, in as many lines."""
    ends = text.split("\n")
    lines = without_page([line.rstrip("\r") for line in ends])
    for _ in range(_MOST_LAYERS):
        layer = _without_layer(lines)
        if layer == lines:
            break
        lines = layer
    lines = [without_note(line) for line in lines]
    returned = (line[len(line.rstrip("\r")) :] for line in ends)
    return "\n".join(line + end for line, end in zip(lines, returned, strict=True))


def pasted_again(clean: str, plain: str, pasted: str) -> str:
    """Put the marks of a paste back ahead of the lines of a text that was changed without them."""
    each = zip(clean.split("\n"), plain.split("\n"), pasted.split("\n"), strict=True)
    return "\n".join(_marked(line, before, after) for line, after, before in each)


def _marked(line: str, pasted: str, plain: str) -> str:
    is_left = plain.strip("\r") and plain in pasted
    lead, _, end = pasted.partition(plain) if is_left else (pasted, "", "")
    return f"{lead if set(lead) <= _MARKS else ''}{line}{end if set(end) <= _END_MARKS else ''}"


def _without_layer(lines: list[str]) -> list[str]:
    for unmarked in (_unquoted, _unnumbered, _unnamed, _dedented):
        plain = unmarked(lines)
        if plain != lines:
            return plain
    return lines


def _unquoted(lines: list[str]) -> list[str]:
    """Take quote marks off: of all lines, or of a run of them that holds a capture."""
    if any(map(_RULE.match, lines)):
        rows = ["" if _RULE.match(line) else line.translate(_BARS) for line in lines]
        lines = rows if all(map(_ROW.match, filter(str.strip, rows))) else lines
    saying = [line for line in lines if line.strip()]
    if len(saying) >= _FEWEST_LINES and all(_TIGHT_QUOTE.match(line) for line in saying):
        mark = _QUOTE if all(_QUOTE.match(line) for line in saying) else _TIGHT_QUOTE
        return _without_marks(lines, mark)
    return _in_runs(lines, _is_quoted, lambda run: _without_marks(run, _QUOTE))


def _without_marks(lines: Sequence[str], mark: re.Pattern[str]) -> list[str]:
    """Take a mark off the start of lines, and off their ends where it closes a row of a table."""
    if all(_ROW.match(line) for line in lines if line.strip()):
        lines = [_ROW_END.sub("", line) for line in lines]
    return [mark.sub("", line, count=1) for line in lines]


def _is_quoted(line: str) -> bool:
    return _QUOTE.match(line) is not None


def _unnumbered(lines: list[str]) -> list[str]:
    """Take line numbers off: each of a run is one more than that of the line ahead of it."""
    firsts = list(_first_numbers(lines))
    plain = list(lines)
    for first, run in groupby(range(len(lines)), firsts.__getitem__):
        rows = list(run)
        bare = [_NUMBER.sub("", lines[row], count=1) for row in rows]
        is_whole = len(rows) == len(lines)
        is_run = first is not None and sum(bool(lines[row].strip()) for row in rows) > 1
        if is_run and (holds_capture(bare) or (is_whole and any(map(is_sign, bare)))):
            plain[rows[0] : rows[-1] + 1] = bare
    return plain


def _first_numbers(lines: Sequence[str]) -> Iterator[int | None]:
    """Number that the first line would have, by the number of each; a blank line has the last."""
    first = None
    for row, line in enumerate(lines):
        if line.strip():
            number = _NUMBER.match(line)
            at = whole_or_none(number[1]) if number is not None else None
            first = None if at is None else at - row
        yield first


def _unnamed(lines: list[str]) -> list[str]:
    """Take off what all lines begin with: the name of a host or of a program, or a mark.

    Not the mark of a comment, of what an editor took away, nor a time stamp.
    """
    saying = [line for line in lines if line.strip()]
    name = shared_name(saying)
    if not name or name.strip() in _COMMENTS or stamp_end(name):
        return lines
    bare = [line.removeprefix(name) for line in lines]
    return bare if holds_capture(_dedented(_unnumbered(bare))) else lines


def _dedented(lines: list[str]) -> list[str]:
    """Take a margin off: of all lines, or of a run of them that holds a capture."""
    saying = [line for line in lines if line.strip()]
    if saying and all(line[0].isspace() for line in saying):
        return _without_margin(lines)
    return _in_runs(lines, _is_indented, _without_margin)


def _is_indented(line: str) -> bool:
    return not line.strip() or indentation(line) >= _FEWEST_BLANKS


def _without_margin(lines: Sequence[str]) -> list[str]:
    margin = min((indentation(line) for line in lines if line.strip()), default=0)
    return [_without_columns(line, margin) for line in lines]


def _without_columns(line: str, margin: int) -> str:
    if not line.strip():
        return ""
    rest = line.lstrip()
    lead = line[: len(line) - len(rest)]
    if "\t" not in lead:
        return line[margin:]
    columns = indentation(line) - margin
    return " " * columns + rest


def _in_runs(
    lines: list[str], is_marked: Callable[[str], bool], unmarked: Callable[[list[str]], list[str]]
) -> list[str]:
    """Take marks off the runs of marked lines that hold a capture; other lines stay."""
    plain: list[str] = []
    prose: list[int] = []
    is_set_off = False
    for is_run, run in groupby(lines, is_marked):
        part = list(run)
        bare = unmarked(part) if is_run and len(part) >= _FEWEST_LINES else part
        holds = bare is not part and holds_capture(_DEEPER.sub("", line) for line in bare)
        is_set_off = is_set_off or holds
        prose += () if holds else range(len(plain), len(plain) + len(part))
        plain += bare if holds else part
    if is_set_off:
        leave_out(plain, list(_paragraphs(lines, prose)))
    return plain


def _paragraphs(lines: Sequence[str], prose: Sequence[int]) -> Iterator[int]:
    """Rows of prose that stand apart: below a blank line, as no rest of a broken line does."""
    is_apart = False
    for ahead, row in zip([-1, *prose], prose, strict=False):
        is_below_blank = row == 0 or not lines[row - 1].strip()
        is_apart = is_below_blank or (is_apart and ahead == row - 1)
        if is_apart:
            yield row
