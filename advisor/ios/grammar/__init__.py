"""Words of IOS as data: its commands, mode by mode, in this folder, and layouts of its outputs.

`global.txt` explains the notation of the commands, a comment below that of the layouts.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.ground import assets

_FOLDER: Final = Path(__file__).parent
_ADVISOR: Final = _FOLDER.parents[1]
_FILES: Final = (
    *("global", "interface", "qos", "circuits", "routing", "voice", "services"),
    *("exec", "names"),
)
_GROUP: Final = "@"

Rows = Mapping[str, tuple[str, ...]]


def headed_rows(file: str) -> dict[str, list[str]]:
    """Rows of a file of this folder under their headings."""
    return assets.headed_rows(_FOLDER / f"{file}.txt")


def _spelled(text: str, groups: Mapping[str, list[str]], between: str) -> str:
    """A text with the words of its groups."""
    return " ".join(
        between.join(_spelled(" ".join(groups[word]), groups, " ").split())
        if word.startswith(_GROUP)
        else word
        for word in text.split()
    )


def _row(text: str, groups: Mapping[str, list[str]]) -> str:
    """A row without names of groups: alternatives before `>`, a list of words behind it."""
    if _GROUP not in text:
        return text
    before, sign, behind = text.partition(">")
    return f"{_spelled(before, groups, '|')} {sign} {_spelled(behind, groups, ' ')}".strip()


def _sections() -> dict[str, dict[str, tuple[str, ...]]]:
    sections: dict[str, dict[str, tuple[str, ...]]] = {}
    headed = [(heading, rows) for file in _FILES for heading, rows in headed_rows(file).items()]
    groups = {heading: rows for heading, rows in headed if heading.startswith(_GROUP)}
    for heading, texts in headed:
        modes, _, section = heading.partition(": ")
        rows = tuple(_row(text, groups) for text in texts)
        for mode in modes.split() if section else ():
            by_mode = sections.setdefault(section, {})
            by_mode[mode] = (*by_mode.get(mode, ()), *rows)
    return sections


_SECTIONS: Final = _sections()
_SHARED: Final = frozenset({"exit"})  # known to every mode


def rows_of(section: str) -> Rows:
    """Rows of a section, mode by mode."""
    return MappingProxyType(_SECTIONS[section])


def words_of(section: str) -> Mapping[str, frozenset[str]]:
    """Words of a section, mode by mode."""
    return {mode: frozenset(" ".join(rows).split()) for mode, rows in rows_of(section).items()}


SUBCOMMANDS: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {mode: _SHARED | words for mode, words in words_of("words").items()}
)
KEYWORDS: Final = rows_of("keywords")
OPENERS: Final = rows_of("opens")
OTHER_FAMILIES: Final = words_of("other-families")
OLD_SPELLINGS: Final = words_of("old-spellings")["any"]
JUDGED: Final = words_of("judged")["any"]


# Layouts: the lines that IOS prints, in text files beside their readers.
#
# The notation of a file:
#
#     # a comment
#     {N} = -?\d{1,20}               a named part: stands in patterns as {N}, or alone
#     section:
#         first words > meaning      a line: how it begins, and what its reader does with it
#             pattern                the line as a whole
#         label > field              or a label that IOS prints, and the field that takes its value
#     section|
#         pattern                    or patterns, one a row
#
# A row that is indented further goes on without a blank. Words ahead of `>` may fill several rows.

_PART: Final = re.compile(r"\{[A-Z_]+\}")
_NO_FLAGS: Final = re.RegexFlag(0)
_ROW, _FURTHER = " " * 4, " " * 8


class LayoutRow(Struct):
    """A line, a label or a pattern: what stands ahead of `>` and behind it, and the pattern."""

    words: str
    meaning: str = ""
    pattern: str = ""


class Layout(Struct, frozen=True):
    """The named parts of a file, and its rows by section."""

    parts: dict[str, LayoutRow]
    sections: dict[str, list[LayoutRow]]

    def part(self, name: str, flags: re.RegexFlag = _NO_FLAGS) -> re.Pattern[str]:
        """The pattern of a part."""
        return re.compile(self.parts[f"{{{name}}}"].pattern, flags)

    def patterns(
        self, section: str, flags: re.RegexFlag = _NO_FLAGS
    ) -> Mapping[str, re.Pattern[str]]:
        """The patterns of a section, by what stands ahead of `>` or by themselves."""
        return {row.words: re.compile(row.pattern, flags) for row in self.sections[section]}

    def any_of(self, section: str, flags: re.RegexFlag = _NO_FLAGS) -> re.Pattern[str]:
        r"""One pattern for all of a section; a blank in it is any space, as `\s`."""
        return re.compile(self.alternatives(section).replace(" ", r"\s"), flags)

    def alternatives(self, section: str) -> str:
        """The patterns of a section as the alternatives of a group."""
        return "|".join(row.pattern for row in self.sections[section])

    def fields(self, section: str) -> Mapping[str, str]:
        """The field of each label; empty where its value has no use."""
        return {row.words: row.meaning for row in self.sections[section]}


@cache
def layout(file: str) -> Layout:
    """Read a layout; `file` is a path below `advisor`."""
    found = Layout({}, {})
    rows: list[LayoutRow] = []
    words: list[str] = []
    holds_patterns = False
    for line in (_ADVISOR / file).read_text(encoding="utf-8").splitlines():
        body = line.strip()
        if not body or body.startswith("# "):
            continue
        if line.startswith(_FURTHER):
            rows[-1].pattern += _with_parts(line[len(_FURTHER) :], found.parts)
        elif line.startswith("{"):
            name, _, pattern = body.partition(" = ")
            rows = [LayoutRow(name, pattern=_with_parts(pattern, found.parts))]
            found.parts[name] = rows[0]
        elif not line.startswith(_ROW):
            holds_patterns = body.endswith("|")
            rows = found.sections.setdefault(body[:-1], [])
        elif holds_patterns:
            rows.append(LayoutRow(body, pattern=_with_parts(body, found.parts)))
        else:
            ahead, sign, meaning = body.partition(" >")
            words.append(ahead)
            if sign:
                rows.append(LayoutRow(" ".join(words), meaning.strip()))
                words = []
    return found


def _with_parts(pattern: str, parts: Mapping[str, LayoutRow]) -> str:
    return _PART.sub(lambda name: parts[name[0]].pattern, pattern)
