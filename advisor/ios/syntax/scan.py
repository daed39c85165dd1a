"""First pass over a text: the kind of each physical line, before any nesting."""

import re
from collections import deque
from itertools import islice
from typing import Final

from msgspec import Struct, field

from advisor.ground.units import whole
from advisor.ios import pattern
from advisor.ios.syntax import LineKind, Problem, ProblemKind, TextLines, indentation, lines_of
from advisor.ios.syntax.opaque import OPENERS, OpaqueReader
from advisor.ios.terminal import Prompt, has_residue, prompt_of, render, without_pager

# Commands start with these; they need a second look only if a prompt may precede them.
_PLAIN: Final = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")

_PRINTED: Final = pattern(
    r"""Building \s configuration | Current \s configuration \s? : | Using \s \d+ \s out \s of
      | Uncompressed \s configuration \s from | Load \s for \s five \s secs | Time \s source \s is
      | No \s time \s source""",
    re.VERBOSE,
)
_OTHER_NOISE: Final = pattern(
    r"""Enter \s configuration \s commands | Press \s RETURN | \[OK\] | \^$ | \^Z$ | %
      | (?:\d+:\s)? [*.]? [A-Z][a-z]{2} \s+ \d+ \s [\d:.] .* : \s %[A-Z]""",
    re.VERBOSE,
)
_LEFT_BY_KEY: Final = "^Z"
_REJECTION: Final = pattern(
    r"%\s*(?:Invalid|Incomplete|Ambiguous|Unrecognized|Unknown|Bad)\b", re.IGNORECASE
)
_BACKUP_HEADER: Final = pattern(
    r"!\s?(?:RANCID-CONTENT-TYPE|Chassis type:|Image: \w+:|Memory: |Processor ID:)"
)
_HEADER_ROWS: Final = 40
# Text that IOS computes or dates by itself: nobody types it. Templates keep `boot-start-marker`.
_PRINTED_INSIDE: Final = pattern(
    r"""^[ ]?ntp [ ] clock-period [ ]
      | ^![ ]? (?:Last [ ] configuration [ ] change [ ] at | NVRAM [ ] config [ ] last [ ] updated
        | No [ ] configuration [ ] change [ ] since [ ] last [ ] restart) \b""",
    re.VERBOSE,
)
_COMMENTED: Final = ("!", "!Last", "!NVRAM", "!No")
_DECLARED_BYTES: Final = pattern(r"Current configuration ?: ([0-9]{1,12}) bytes")


class Scan(Struct):
    """The lines of a text in parallel columns, one row for each `Line` of the later tree.

    These are columns and not objects, because a tree of frozen lines is built from its leaves.
    `config_prompts` maps a row to the mode in its prompt. `declared_bytes` is the row of
    `Current configuration` and its number. `unterminated` says that the text ends in an opaque
    block.
    """

    texts: list[str] = field(default_factory=list)
    raws: list[str] = field(default_factory=list)
    kinds: list[LineKind] = field(default_factory=list)
    columns: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    config_prompts: dict[int, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    declared_bytes: tuple[int, int] | None = None
    unterminated: bool = False
    is_capture: bool = False


def scan_text(text: str, first_line: int) -> Scan:
    """Classify every physical line of a text and join opaque blocks into one row."""
    scan = Scan()
    split = lines_of(text)
    lines = split.lines
    opaque = OpaqueReader(lines)
    residue, tabs = has_residue(text), "\t" in text
    command, blank, comment = LineKind.COMMAND, LineKind.BLANK, LineKind.COMMENT
    add_text, add_raw, add_kind = scan.texts.append, scan.raws.append, scan.kinds.append
    add_column, add_number = scan.columns.append, scan.numbers.append
    rows = iter(enumerate(zip(lines, split.bodies, strict=True)))
    for index, (raw, stripped) in rows:
        body, column = stripped, 0
        if residue and has_residue(raw):
            kind, body, column = _look(scan, render(raw), first_line + index)
        elif not body:
            kind = blank
        else:
            if body[0] != raw[0]:
                column = indentation(raw) if tabs else len(raw) - len(raw.lstrip())
            if body[0] in _PLAIN and (column or ("#" not in body and ">" not in body)):
                kind = command
            elif body[0] == "!":
                kind = comment
            else:
                kind, body, column = _look(scan, raw, first_line + index)
        block_text = raw
        if kind is command and body[:3] in OPENERS:
            block = opaque.body(index, body)
            if block is not None:
                kind, block_text = LineKind.OPAQUE, "".join(lines[index : block.end])
                deque(islice(rows, block.end - index - 1), maxlen=0)
                if not block.closed:
                    scan.unterminated = True
                    _report(scan, ProblemKind.UNTERMINATED, first_line + index, body)
        add_text(body)
        add_raw(block_text)
        add_kind(kind)
        add_column(column)
        add_number(first_line + index)
    scan.is_capture = scan.is_capture or _is_backup(scan) or _has_printed_line(split)
    return scan


def _has_printed_line(text: TextLines) -> bool:
    """Whether IOS wrote a line of its own between the commands."""
    rows = text.starting(("ntp",))
    said = [row for row in text.starting(_COMMENTED) if text.bodies[row] != "!"]
    return any(_PRINTED_INSIDE.match(text.lines[row]) for row in (*rows, *said))


def _is_backup(scan: Scan) -> bool:
    said = (line for line in scan.texts[:_HEADER_ROWS] if line[:1] == "!" != line)
    return any(map(_BACKUP_HEADER.match, said))


def _report(scan: Scan, kind: ProblemKind, number: int, detail: str) -> None:
    scan.problems.append(Problem(kind, number, detail))


def _look(scan: Scan, line: str, number: int) -> tuple[LineKind, str, int]:
    """Classify a rendered line that may be more than a command."""
    line, paged = without_pager(line)
    body = line.strip()
    column = indentation(line) if body else 0
    if not body:
        return (LineKind.NOISE if paged else LineKind.BLANK), ("--More--" if paged else ""), 0
    if not column:
        prompt = prompt_of(body)
        if prompt is not None:
            return _typed(scan, prompt, body)
        if _PRINTED.match(body):
            return _header(scan, body)
    if _OTHER_NOISE.match(body):
        _note_rejection(scan, body, number)
        return LineKind.NOISE, body, column
    return (LineKind.COMMENT if body[0] == "!" else LineKind.COMMAND), body, column


def _typed(scan: Scan, prompt: Prompt, body: str) -> tuple[LineKind, str, int]:
    """Take the command typed at a configuration prompt; other prompts are noise."""
    scan.is_capture = True
    is_no_command = prompt.command in ("", _LEFT_BY_KEY) or prompt.command.startswith("do ")
    if not prompt.is_config or is_no_command:
        return LineKind.NOISE, body, 0
    scan.config_prompts[len(scan.texts)] = prompt.mode
    kind = LineKind.COMMENT if prompt.command[0] == "!" else LineKind.COMMAND
    return kind, prompt.command, 0


def _header(scan: Scan, body: str) -> tuple[LineKind, str, int]:
    """Note a line that IOS prints before a configuration."""
    scan.is_capture = True
    declared = _DECLARED_BYTES.match(body)
    if declared is not None:
        scan.declared_bytes = len(scan.texts), whole(declared[1])
    return LineKind.NOISE, body, 0


def _note_rejection(scan: Scan, body: str, number: int) -> None:
    """Report an error that IOS printed; the command before it is not in the configuration."""
    if not _REJECTION.match(body):
        return
    row = len(scan.texts) - 1
    while row >= 0 and (scan.kinds[row] is LineKind.BLANK or scan.texts[row] == "^"):
        row -= 1
    rejected = ""
    if row >= 0 and scan.kinds[row] is LineKind.COMMAND:
        rejected = scan.texts[row]
        scan.kinds[row] = LineKind.NOISE
    elif row >= 0 and scan.kinds[row] is LineKind.NOISE:
        prompt = prompt_of(scan.texts[row])
        rejected = prompt.command if prompt is not None else ""
    _report(scan, ProblemKind.REJECTED, number, rejected or body)
