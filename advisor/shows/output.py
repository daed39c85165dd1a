"""One show output while it is read: its lines, its figures, and parts that stay unread."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from io import StringIO
from typing import Final, Generic, NamedTuple, TypeVar, get_args, get_type_hints

from msgspec import Struct

from advisor.capture.masking import mask_output_line
from advisor.ground.assets import asset_dir
from advisor.ground.units import NumeralError, decimal, whole
from advisor.ios.syntax import Location, indentation
from advisor.ios.terminal import prompt_of

# Lines of a show output as a terminal shows them, with their indentation.
#
# The lines around an output are removed: prompts and typed commands, the load and time lines of
# IOS XE, comments of a fixture. What a log adds, the capture takes off.

_AROUND: Final = re.compile(
    r"!|sho?w? \S|Load for five secs|Time source is|No time source|Building configuration"
)


class ShownLine(NamedTuple):
    """One line that is not blank: its stripped text, its column, its number in the file."""

    text: str
    column: int
    number: int


def shown_lines(text: str, first_line: int = 1) -> Iterator[ShownLine]:
    r"""Yield the lines of an output, without blank lines and the lines around it.

    Parameters
    ----------
    text
        The output as the device printed it, the prompt included.
    first_line
        Number that the first line of `text` has in its file.

    Examples
    --------
    >>> list(shown_lines("a1#sh pol int\r\n  Class-map: x\r\n"))
    [ShownLine(text='Class-map: x', column=2, number=2)]
    """
    for number, line in enumerate(text.split("\n"), first_line):
        body = line.strip()
        if not body or _AROUND.match(body):
            continue
        if ("#" in body or ">" in body) and prompt_of(body) is not None:
            continue
        yield ShownLine(body, indentation(line), number)


# Parts of a show output that a reader understood, and the others.

Record = TypeVar("Record")
Made = TypeVar("Made", bound=Struct)


class LayoutError(Exception):
    """A show output has a line that its reader does not know.

    A reader never takes an unknown layout for an empty output: it reports that it does not
    understand the output, or the part of it with that line. The line may hold a password. `text`
    is the line as it stands; the words of the error quote it masked, so that no caller can forget
    the mask.
    """

    def __init__(self, at: Location, text: str, expected: str) -> None:
        line = mask_output_line(text.strip())
        super().__init__(f"{at}: {line!r} is not the layout of {expected}")
        self.at = at
        self.text = text
        self.expected = expected


class CutError(LayoutError):
    """A show output ends before the last line that IOS prints; `at` and `text` are its last one."""

    def __init__(self, at: Location, text: str, expected: str, missing: str) -> None:
        super().__init__(at, text, expected)
        self.args = (f"{at}: {expected} ends before {missing}",)


class OutputPart(StrEnum):
    """Kinds of parts of a show output."""

    LINES = "lines"  # that belong to no other part
    INTERFACE = "interface"
    CONTROLLER = "controller"
    CIRCUIT = "circuit"
    CLASS = "class"
    POLICY = "policy-map"
    OPERATION = "operation"
    PEER = "peer"
    NEIGHBOR = "neighbor"
    MODULE = "module"
    BUNDLE = "bundle"
    BUFFERS = "buffer pool"
    CALL = "call"
    ROW = "row"
    SECTION = "section"


class Declined(Struct, frozen=True):
    """A part of an output that is not understood: nothing of it is known, not even its absences.

    `name` is the name of the interface, class or operation, empty where it has none. `start` is its
    first line, `at` the line that is not understood, and `said` the words of the error, masked.
    `is_cut` where all lines are understood and the output ends inside the part.
    """

    part: OutputPart
    name: str
    start: Location
    at: Location
    said: str
    is_cut: bool = False

    def __str__(self) -> str:
        """Name the line and the part that it costs."""
        if self.part is OutputPart.LINES:
            return self.said
        fault = "cut" if self.is_cut else "not understood"
        return f"{self.said}: {fault}: {self.label}, line {self.start.line}"

    @property
    def label(self) -> str:
        """The kind and the name of the part."""
        return f"{self.part} {self.name}".rstrip()


def declined(part: OutputPart, name: str, start: Location, error: LayoutError) -> Declined:
    """The part that a line of an unknown layout costs."""
    return Declined(part, name, start, error.at, str(error), isinstance(error, CutError))


class OutputReading(Struct, Generic[Record], frozen=True):
    """The parts of an output that are understood, and those that are not, each in its order."""

    records: tuple[Record, ...]
    declined: tuple[Declined, ...] = ()


# One show output while it is read: its lines, and the errors that point to a line.

_SHOWN_DIGITS: Final = 30  # of a number that is too long


def shown_digits(text: str) -> str:
    """A number that is too long to be one, cut."""
    return f"{text[:_SHOWN_DIGITS]}…" if len(text) > _SHOWN_DIGITS else text


class Output(Struct, frozen=True):
    """The output of a command, its place in the file, and the name of the expected layout."""

    text: str
    file: str
    first_line: int
    expected: str

    def lines(self) -> Iterator[ShownLine]:
        """Lines that the command printed: no prompt, echo or comment."""
        yield from shown_lines(self.text, self.first_line)

    def at(self, line: ShownLine) -> Location:
        return Location(self.file, line.number)

    def unknown(self, line: ShownLine) -> LayoutError:
        """Error for a line that does not fit the expected layout."""
        return LayoutError(self.at(line), line.text, self.expected)

    def beyond(self, lines: Iterable[ShownLine], error: NumeralError) -> LayoutError:
        """Error for the line with a number that no counter holds."""
        lines = tuple(lines)
        line = next((line for line in lines if error.text in line.text), lines[0])
        return LayoutError(self.at(line), shown_digits(error.text), self.expected)

    @property
    def typed(self) -> str | None:
        """The command typed at a prompt in the text; None if the text has no prompt."""
        return _typed_in(self.text)

    @property
    def is_filtered(self) -> bool:
        """Whether a filter was typed after the command: lines may be missing anywhere."""
        return "|" in (self.typed or "")

    def ends(self, last: ShownLine, missing: str) -> CutError:
        """Error for an output whose last line is not the last one that IOS prints."""
        return CutError(self.at(last), last.text, self.expected, missing)

    def nothing(self) -> LayoutError:
        """Error for an output without any expected line."""
        return LayoutError(Location(self.file, self.first_line), "", self.expected)


@lru_cache(maxsize=4)  # each part of an output asks it
def _typed_in(text: str) -> str | None:
    for row in text.splitlines():
        prompt = prompt_of(row.strip()) if "#" in row or ">" in row else None
        if prompt is not None and prompt.command:
            return prompt.command
    return None


# Lines that each state named facts: what their expressions find, by name.


def present(match: re.Match[str]) -> dict[str, str]:
    """The groups of a match that took part in it, without space around them."""
    return {key: text.strip() for key, text in match.groupdict().items() if text is not None}


def take_facts(
    text: str,
    fields: dict[str, str],
    patterns: Iterable[re.Pattern[str]],
    unused: re.Pattern[str] | None = None,
) -> bool:
    """Add the facts of a line to `fields`; whether the line is understood, or of no use."""
    for pattern in patterns:
        match = pattern.fullmatch(text)
        if match is not None:
            fields.update(present(match))
            return True
    return unused is not None and unused.match(text) is not None


def figures_of(
    fields: Mapping[str, str], labels: Sequence[str], figures: Sequence[str]
) -> dict[str, str] | None:
    """Figures under the fields of their labels; None where a label is not known, or too many."""
    if len(labels) != len(figures) or not all(label in fields for label in labels):
        return None
    return {fields[label]: figure for label, figure in zip(labels, figures, strict=True)}


# Numbers as show outputs print them: counters, fractions of 255, ages.

_FULL_SCALE: Final = 255  # IOS prints reliability and load as a fraction of 255
_CLOCK = re.compile(r"(\d+):(\d\d):(\d\d)")
_AGE_UNIT = re.compile(r"(?<!\d)(\d+)([ywdhm])")
_UNIT_S: Final = {"y": 31_536_000, "w": 604_800, "d": 86_400, "h": 3600, "m": 60}


def count(text: str | None) -> int | None:
    """Counter value; None if it is missing or has wrapped into a negative number.

    >>> count("17"), count("-1431655766"), count(None)
    (17, None, None)
    """
    if text is None:
        return None
    value = whole(text)
    return value if value >= 0 else None


def figure(text: str | None) -> float | None:
    """A number that may have a fraction; None if it is missing."""
    return None if text is None else decimal(text)


def ratio(text: str | None) -> float | None:
    """Ratio of a figure out of 255.

    >>> ratio("51"), ratio(None)
    (0.2, None)
    """
    return None if text is None else whole(text) / _FULL_SCALE


def age_s(text: str | None) -> int | None:
    """Seconds of an age: `01:10:00`, `1d19h`, `2w3d`; None for `never`.

    IOS cuts the two-unit forms to whole hours, days or weeks.

    >>> age_s("01:10:00"), age_s("1d19h"), age_s("never")
    (4200, 154800, None)
    """
    if text is None:
        return None
    clock = _CLOCK.fullmatch(text)
    if clock is not None:
        hours, minutes, seconds = (whole(part) for part in clock.groups())
        return hours * _UNIT_S["h"] + minutes * _UNIT_S["m"] + seconds
    units = _AGE_UNIT.findall(text)
    return sum(whole(number) * _UNIT_S[unit] for number, unit in units) if units else None


def record_of(kind: type[Made], fields: Mapping[str, str], **others: object) -> Made:
    """A record of what a reader found under the names of its fields: numbers, and texts.

    `others` are the fields that are more than that.
    """
    readers = number_readers(kind)
    texts = {name: fields.get(name) for name in kind.__struct_fields__ if name not in others}
    found = {name: readers[name](text) if name in readers else text for name, text in texts.items()}
    return kind(**found, **others)


@cache
def number_readers(kind: type[Struct]) -> Mapping[str, Callable[[str | None], float | None]]:
    """The fields of a record that hold numbers, each with the function that reads one."""
    return {
        name: read
        for name, hint in get_type_hints(kind).items()
        for number, read in ((int, count), (float, figure))
        if number in (hint, *get_args(hint))
    }


# An output of many blocks: an unknown line costs the block that it stands in, not the output.


class Block(Struct, frozen=True):
    """The lines from one head to the next. `match` is that of its head, `name` what this names."""

    name: str
    head: ShownLine
    match: re.Match[str]
    lines: tuple[ShownLine, ...]


class Blocks(Struct, frozen=True):
    """An output in blocks; `before` are the lines above the first one."""

    before: tuple[ShownLine, ...]
    blocks: tuple[Block, ...]


def first_group(match: re.Match[str]) -> str:
    """The name in the head of a block: its first group that took part."""
    return next(text for text in match.groups() if text is not None)


def blocks_of(
    lines: Iterable[ShownLine],
    *heads: re.Pattern[str],
    name: Callable[[re.Match[str]], str] = first_group,
) -> Blocks:
    """Cut lines at the heads of blocks.

    Parameters
    ----------
    lines
        Lines of an output.
    heads
        The lines that begin a block.
    name
        The name of a block, by the match of its head.
    """
    before: list[ShownLine] = []
    blocks: list[tuple[re.Match[str], ShownLine, list[ShownLine]]] = []
    for line in lines:
        match = next(filter(None, (head.fullmatch(line.text) for head in heads)), None)
        if match is not None:
            blocks.append((match, line, []))
        else:
            (blocks[-1][2] if blocks else before).append(line)
    return Blocks(
        tuple(before),
        tuple(Block(name(match), head, match, tuple(own)) for match, head, own in blocks),
    )


def read_blocks(
    output: Output, part: OutputPart, blocks: Blocks, read: Callable[[Block], Record]
) -> OutputReading[Record]:
    """Read the blocks of an output. One that `read` refuses is declined, and the others are read.

    An unknown line may be the head of an unknown block, so no line after it belongs to the block
    above: the lines up to the next head are passed over.

    Raises
    ------
    LayoutError
        If no block begins.
    """
    if not blocks.blocks:
        raise output.unknown(blocks.before[0]) if blocks.before else output.nothing()
    records: list[Record] = []
    parts = list(_unknown_lines(output, blocks.before))
    for block in blocks.blocks:
        start = output.at(block.head)
        try:
            records.append(read(block))
        except LayoutError as error:
            parts.append(declined(part, block.name, start, error))
        except NumeralError as error:
            beyond = output.beyond((block.head, *block.lines), error)
            parts.append(declined(part, block.name, start, beyond))
    return OutputReading(tuple(records), tuple(parts))


def _unknown_lines(output: Output, lines: Iterable[ShownLine]) -> Iterator[Declined]:
    for line in lines:
        yield declined(OutputPart.LINES, "", output.at(line), output.unknown(line))


# Flat tables of show outputs, by the TextFSM templates in templates/show.

Row = tuple[dict[str, str], ShownLine]


@lru_cache
def _template(name: str) -> str:
    return (asset_dir("templates") / "show" / f"{name}.textfsm").read_text(encoding="utf-8")


def read_table(
    template: str,
    output: Output,
    lines: Iterable[ShownLine],
    read: Callable[[Row], Record],
) -> OutputReading[Record]:
    """Records of a table. A line that is no row of it, or that `read` refuses, is declined.

    Parameters
    ----------
    template
        Name of a file in templates/show without its suffix. The template sees stripped lines
        and must end in `^. -> Error`.
    output, lines
        The output, and the lines of it that make the table.
    read
        Makes the record of a row, with the line that completes the row.

    Raises
    ------
    LayoutError
        If no line is a row, and at the first line that is unknown where its head is expected: the
        columns below an unknown head are not known.
    """
    import textfsm  # type: ignore[import-untyped]  # noqa: PLC0415 - costs start-up time

    machine = textfsm.TextFSM(StringIO(_template(template)))
    header: list[str] = machine.header
    row_count = 0
    records: list[Record] = []
    errors: list[LayoutError] = []
    for line in lines:
        try:
            # Line by line, because TextFSM does not report the line at which it stops.
            rows = machine.ParseText(line.text, eof=False)[row_count:]
            row_count += len(rows)
            records += (read((dict(zip(header, values, strict=True)), line)) for values in rows)
        except textfsm.TextFSMError:
            errors.append(output.unknown(line))
        except LayoutError as error:
            errors.append(error)
        except NumeralError as error:
            errors.append(output.beyond((line,), error))
    if errors and not row_count:
        raise errors[0]
    return OutputReading(
        tuple(records), tuple(declined(OutputPart.ROW, "", error.at, error) for error in errors)
    )
