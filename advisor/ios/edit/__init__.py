"""Which command replaces which: the words of a command that name its setting."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from advisor.ios.grammar import rows_of

Key = tuple[str, ...]

INTERFACE: Final = "interface"
PVC: Final = "pvc"
POLICY_MAP: Final = "policy-map"
POLICY_CLASS: Final = "policy-map-class"
CLASS_MAP: Final = "class-map"
ACCESS_LIST: Final = "access-list"
CLASS_DEFAULT: Final[Key] = ("class", "class-default")

Row = tuple[tuple[str, ...], Key | None]


def _settings(section: str) -> Mapping[str, Mapping[str, tuple[Row, ...]]]:
    """Rows of each mode by their first word, the longest first."""
    tables: dict[str, dict[str, list[Row]]] = {}
    for mode, texts in rows_of(section).items():
        rows = tables.setdefault(mode, {})
        for text in texts:
            words, _, shared = text.partition(">")
            tokens = tuple(words.split())
            for word in tokens[0].lstrip("=").split("|"):
                rows.setdefault(word, []).append((tokens, tuple(shared.split()) or None))
    return {
        mode: {
            word: tuple(sorted(rows, key=lambda row: len(row[0]), reverse=True))
            for word, rows in table.items()
        }
        for mode, table in tables.items()
    }


def _keys(section: str) -> Mapping[str, frozenset[Key]]:
    return {
        mode: frozenset(tuple(row.split()) for row in rows)
        for mode, rows in rows_of(section).items()
    }


def _spelled(rows: Iterable[str]) -> Mapping[Key, Key]:
    pairs = (row.partition(">") for row in rows)
    return {tuple(old.split()): tuple(known.split()) for old, _, known in pairs}


ROWS: Final = MappingProxyType(_settings("settings"))
FAMILIES: Final = MappingProxyType(_settings("families"))
ON_BY_DEFAULT: Final = MappingProxyType(_keys("on"))
STORED_EITHER_WAY: Final = MappingProxyType(_keys("either"))
OFF_BY_DEFAULT: Final = MappingProxyType(_keys("off"))
SPELLINGS: Final = MappingProxyType(
    {mode: _spelled(rows) for mode, rows in rows_of("spellings").items()}
)
