"""Commands of IOS, mode by mode, and signs of other systems: the rows of the files of this folder.

`global.txt` explains the notation.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from advisor import assets

_FOLDER: Final = Path(__file__).parent
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
