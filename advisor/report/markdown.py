"""Text and commands in Markdown, so that nothing in them is markup."""

from collections.abc import Iterator, Sequence
from typing import Final

from advisor.report.printable import printable

MOST_CHARACTERS: Final = 60_000  # GitHub takes 65,536 in a comment
UNMENTIONED: Final = "@\u200b"  # a name behind an @ would be told of the comment
_FENCE = "```"


def block(lines: Sequence[str]) -> Iterator[str]:
    """A fenced block; lines to paste hold no line break, and so cannot end it by themselves."""
    yield f"{_FENCE}text"
    yield from (line.replace(_FENCE, "") if line.strip().startswith(_FENCE) else line
                for line in lines)  # fmt: skip
    yield _FENCE
    yield ""


def escaped(words: str) -> str:
    """Text of a config or of a message, that no character of it is markup."""
    shown = printable(words)
    for char in "\\`*_[]<>|":
        shown = shown.replace(char, f"\\{char}")
    return shown.replace("@", UNMENTIONED)


def section(title: str, items: Sequence[str]) -> Iterator[str]:
    """A heading with a list; nothing where the list is empty."""
    if items:
        yield f"## {title}"
        yield ""
        yield from (f"- {escaped(item)}" for item in items)
        yield ""
