"""A report as blocks, made once for each kind of result; each backend renders the same blocks.

Terminals take `as_text`, Markdown `as_markdown`; a page takes tables and plots as its parts. Where
a format has words of its own, the maker of the document asks for its `Medium`.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum, auto
from typing import Final, TypeAlias

from msgspec import Struct

from advisor.report.printable import printable
from advisor.report.terminal import PLAIN, RenderOptions, Style, Verbatim, fitted

MOST_CHARACTERS: Final = 60_000  # GitHub takes 65,536 in a comment
UNMENTIONED: Final = "@\u200b"  # a name behind an @ would be told of the comment
_FENCE: Final = "```"


class Medium(Enum):
    """What a document is made for."""

    TERMINAL = auto()
    MARKDOWN = auto()
    PAGE = auto()


class Heading(Struct, frozen=True):
    """The title of what follows, up to the next one of its level."""

    text: str
    level: int = 1


class Paragraph(Struct, frozen=True):
    """Words."""

    text: str


class Named(Struct, frozen=True):
    """A statement about something whose name stands out: in bold, or as what is typed."""

    name: str
    text: str
    mark: str = "**"


class Items(Struct, frozen=True):
    """Statements under a title; nothing where there is none.

    A terminal shows `lead` before each of them. With a word as the lead, it shows no title.
    """

    title: str
    items: Sequence[str | Named]
    lead: str = "  "

    @property
    def names_itself(self) -> bool:
        return bool(self.lead.strip())


class Snippet(Struct, frozen=True):
    """Lines to paste, or an excerpt, under a title: they stay as they are."""

    title: str
    lines: Sequence[str]


class Gap(Struct, frozen=True):
    """An empty line of a terminal."""


class Table(Struct, frozen=True):
    """A table with a title and words above it."""

    anchor: str
    title: str
    words: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    template: str = "table.html.j2"


class Plots(Struct, frozen=True):
    """Plots as SVG beside each other, with a title and words above them."""

    anchor: str
    title: str
    plots: tuple[str, ...]
    words: str = ""
    template: str = "plots.html.j2"


Block: TypeAlias = Heading | Paragraph | Items | Snippet | Gap | Table


def as_text(blocks: Iterable[Block], options: RenderOptions = PLAIN) -> str:
    """The blocks for a terminal; those that have no words of their own there are left out."""
    return fitted(_text_lines(blocks, options.style), options.style.width)


def _text_lines(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(text):
                yield style.bold(text)
            case Paragraph(text):
                yield text
            case Gap():
                yield ""
            case Items(title, items) if items:
                yield from () if block.names_itself else (style.bold(title),)
                yield from (f"{block.lead}{_plain(item)}" for item in items)
            case Snippet(title, lines):
                yield style.bold(title)
                yield from map(Verbatim, lines)
            case _:
                pass


def as_markdown(blocks: Iterable[Block]) -> str:
    """The blocks as Markdown in which nothing of their words is markup."""
    return "".join(f"{line}\n" for block in blocks for line in _markdown_lines(block))


def _markdown_lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            yield from (f"{'#' * level} {escaped(text)}", "")
        case Paragraph(text):
            yield from (escaped(text), "")
        case Items(title, items) if items:
            yield from _titled(title)
            yield from (f"- {_marked(item)}" for item in items)
            yield ""
        case Snippet(title, lines):
            yield from _titled(title)
            yield from fenced(lines)
        case Table() if block.rows:
            yield from _titled(block.title)
            yield from markdown_table(block.columns, block.rows)
            yield ""
        case _:
            pass


def _plain(item: str | Named) -> str:
    return item if isinstance(item, str) else f"{item.name} {item.text}"


def _marked(item: str | Named) -> str:
    if isinstance(item, str):
        return escaped(item)
    return f"{item.mark}{item.name}{item.mark} {escaped(item.text)}"


def _titled(title: str) -> tuple[str, ...]:
    return (f"## {title}", "") if title else ()


def markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; an empty cell stays one."""
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"|{'|'.join(f' {escaped(cell)} ' if cell else ' ' for cell in row)}|"


def fenced(lines: Sequence[str]) -> Iterator[str]:
    """A fenced block; lines to paste hold no line break, and so cannot end it by themselves."""
    yield f"{_FENCE}text"
    for line in lines:
        yield line.replace(_FENCE, "") if line.strip().startswith(_FENCE) else line
    yield _FENCE
    yield ""


def escaped(words: str) -> str:
    """Text of a config or of a message, in which no character is markup."""
    shown = printable(words)
    for char in "\\`*_[]<>|":
        shown = shown.replace(char, f"\\{char}")
    return shown.replace("@", UNMENTIONED)
