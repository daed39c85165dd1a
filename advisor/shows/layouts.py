r"""Layouts of show outputs: the lines that IOS prints, in the files `lines.txt` beside the readers.

The notation of a file:

    # a comment
    {N} = -?\d{1,20}              a part of patterns, which stands in them as {N}
    section:
        first words > meaning      a line: how it begins, and what its reader does with it
            pattern                the line as a whole; a further row goes on without a blank
        label > field              or a label that IOS prints, and the field that takes its value

Words ahead of `>` may fill several rows.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

_FOLDER: Final = Path(__file__).parent
_PART: Final = re.compile(r"\{[A-Z_]+\}")
_ROW, _PATTERN = " " * 4, " " * 8


class LayoutRow(Struct, frozen=True):
    """A line or a label: what stands ahead of `>` and behind it, and its pattern."""

    words: str
    meaning: str
    pattern: str = ""

    @property
    def fields(self) -> tuple[str, str | None]:
        """The label and its field; None where it has no use."""
        return self.words, self.meaning or None


@cache
def layout(file: str) -> Mapping[str, tuple[LayoutRow, ...]]:
    """The rows of a layout, section by section; `file` is a path below this folder."""
    parts: dict[str, str] = {}
    sections: dict[str, list[LayoutRow]] = {}
    words: list[str] = []
    rows: list[LayoutRow] = []

    def spelled(pattern: str) -> str:
        return _PART.sub(lambda name: parts[name[0]], pattern)

    for line in (_FOLDER / file).read_text(encoding="utf-8").splitlines():
        body = line.strip()
        if not body or body.startswith("# "):
            continue
        if line.startswith(_PATTERN):
            row = rows.pop()
            rows.append(LayoutRow(row.words, row.meaning, row.pattern + spelled(body)))
        elif line.startswith(_ROW):
            ahead, sign, meaning = body.partition(" >")
            words.append(ahead)
            if sign:
                rows.append(LayoutRow(" ".join(words), meaning.strip()))
                words = []
        elif line.startswith("{"):
            name, _, pattern = body.partition(" = ")
            parts[name] = spelled(pattern)
        else:
            rows = sections.setdefault(body.removesuffix(":"), [])
    return {name: tuple(rows) for name, rows in sections.items()}
