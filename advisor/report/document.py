"""A report as blocks, made once for each kind of result; each backend renders the same blocks.

Terminals take `as_text`, Markdown `as_markdown`; a page takes tables and plots as its parts. Where
a format has words of its own, the maker of the document asks for its `Medium`.
"""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from functools import cache
from hashlib import sha256
from html import escape
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import msgspec
from msgspec import Struct

from advisor import __version__
from advisor.ground import assets
from advisor.report import printable
from advisor.report.terminal import PLAIN, RenderOptions, Style, Verbatim, fitted

if TYPE_CHECKING:
    from markupsafe import Markup


MOST_CHARACTERS: Final = 60_000  # GitHub takes 65,536 in a comment
UNMENTIONED: Final = "@\u200b"  # a name behind an @ would be told of the comment
_FENCE: Final = "```"

_FOLDER: Final = "report"
# These could end a script or start another one; JSON reads the escapes as the same characters.
_UNSAFE_IN_SCRIPT: Final = re.compile("[<>&\u2028\u2029]")
FOOTER: Final = (
    f"advisor {__version__}. A delay is a mean with its interval, and the bound that no packet may "
    "exceed. Text that might be a secret is masked. This file loads nothing from a network."
)


class Medium(Enum):
    """The kind of reader that a document is made for."""

    TERMINAL = auto()
    MARKDOWN = auto()


class Title(Struct, frozen=True):
    """The title of what follows, up to the next one of its level."""

    text: str
    level: int = 1


class Paragraph(Struct, frozen=True):
    """Words."""

    text: str


class NamedItem(Struct, frozen=True):
    """A statement about something whose name stands out: in bold, or as what is typed."""

    name: str
    text: str
    mark: str = "**"


class Items(Struct, frozen=True):
    """Statements under a title; nothing where there is none.

    A terminal shows `lead` before each of them. With a word as the lead, it shows no title.
    """

    title: str
    items: Sequence[str | NamedItem]
    lead: str = "  "

    @property
    def names_itself(self) -> bool:
        return bool(self.lead.strip())


class CodeBlock(Struct, frozen=True):
    """Lines to paste, or an excerpt, under a title: they stay as they are."""

    title: str
    lines: Sequence[str]


class Fold(Struct, frozen=True):
    """Blocks that stand folded below their summary in a comment."""

    summary: str
    blocks: tuple["Block", ...]


class BlankLine(Struct, frozen=True):
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


Block: TypeAlias = Title | Paragraph | Items | CodeBlock | Fold | BlankLine | Table


def as_text(blocks: Iterable[Block], options: RenderOptions = PLAIN) -> str:
    """The blocks for a terminal; those that have no words of their own there are left out."""
    return fitted(_text_lines(blocks, options.style), options.style.width)


def _text_lines(blocks: Iterable[Block], style: Style) -> Iterator[str]:
    for block in blocks:
        match block:
            case Title(text):
                yield style.bold(text)
            case Paragraph(text):
                yield text
            case BlankLine():
                yield ""
            case Items(title, items) if items:
                yield from () if block.names_itself or not title else (style.bold(title),)
                yield from (f"{block.lead}{_plain(item)}" for item in items)
            case CodeBlock(title, lines):
                yield from () if not title else (style.bold(title),)
                yield from map(Verbatim, lines)
            case _:
                pass


def as_markdown(blocks: Iterable[Block]) -> str:
    """The blocks as Markdown in which nothing of their words is markup."""
    return "".join(f"{line}\n" for block in blocks for line in _markdown_lines(block))


def _markdown_lines(block: Block) -> Iterator[str]:
    match block:
        case Title(text, level):
            yield from (f"{'#' * level} {escaped(text)}", "")
        case Paragraph(text):
            yield from (escaped(text), "")
        case Items(title, items) if items:
            yield from _titled(title)
            yield from (f"- {_marked(item)}" for item in items)
            yield ""
        case CodeBlock(title, lines):
            yield from _titled(title)
            yield from _fenced(lines)
        case Fold(summary, blocks):
            title = escape(summary.replace("@", UNMENTIONED))
            yield from ("<details>", f"<summary>{title}</summary>", "")
            yield from (line for inner in blocks for line in _markdown_lines(inner))
            yield from ("</details>", "")
        case Table() if block.rows:
            yield from _titled(block.title)
            yield from _markdown_table(block.columns, block.rows)
            yield ""
        case _:
            pass


def _plain(item: str | NamedItem) -> str:
    return item if isinstance(item, str) else f"{item.name} {item.text}"


def _marked(item: str | NamedItem) -> str:
    if isinstance(item, str):
        return escaped(item)
    return f"{item.mark}{item.name}{item.mark} {escaped(item.text)}"


def _titled(title: str) -> tuple[str, ...]:
    return (f"## {title}", "") if title else ()


def _markdown_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; an empty cell stays one."""
    yield f"| {' | '.join(columns)} |"
    yield f"| {' | '.join('---' for _ in columns)} |"
    for row in rows:
        yield f"|{'|'.join(f' {escaped(cell)} ' if cell else ' ' for cell in row)}|"


def _fenced(lines: Sequence[str]) -> Iterator[str]:
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


class PagePart(Struct, frozen=True):
    """A part of a page: its template, and what that shows."""

    template: str
    shown: Mapping[str, object]


class More(Struct, frozen=True):
    """Parts that the page puts in when they are needed.

    `devices` are the articles of devices by their anchors, `owners` the anchors of the devices in
    which those of findings stand, `rows` all rows of the table of findings.
    """

    devices: Mapping[str, str] = {}
    owners: Mapping[str, str] = {}
    rows: tuple[Struct, ...] = ()


class Page(Struct, frozen=True):
    """A page: each part is a Struct with the name of its `template` and what that shows."""

    title: str
    summary: str
    parts: tuple[Struct, ...]
    incomplete: tuple[str, ...] = ()
    more: More = More()
    footer: str = FOOTER


def page_text(page: Page) -> str:
    """HTML text of a page."""
    css, script = asset("report.css"), f"{asset('shared.js')}\n{asset('report.js')}"
    policy = "; ".join(
        (
            "default-src 'none'",
            f"style-src '{_hash(css)}'",
            f"script-src '{_hash(script)}'",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    more = msgspec.json.encode(page.more).decode("utf-8")
    safe_more = _UNSAFE_IN_SCRIPT.sub(lambda char: f"\\u{ord(char[0]):04x}", more)
    return filled(
        "page.html.j2",
        page=page,
        policy=policy,
        css=markup(css),
        script=markup(script),
        more=markup(safe_more),
    )


def filled(template: str, **values: Any) -> str:  # noqa: ANN401 -- whatever a template shows
    """HTML text of a template in templates/report; every value is escaped unless it is markup."""
    return assets.filled(f"{_FOLDER}/{template}", **values)


def markup(text: str) -> "Markup":
    """Text that is HTML or SVG already, made by this package of escaped values."""
    from markupsafe import Markup  # noqa: PLC0415

    return Markup(text)  # noqa: S704 -- see above


@cache
def asset(name: str) -> str:
    """Text of a file beside the templates; without a line break at its end."""
    return (assets.asset_dir("templates") / _FOLDER / name).read_text("utf-8").rstrip("\n")


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
