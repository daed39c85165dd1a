"""Which lines begin as IOS begins the lines of the outputs that are read here."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from advisor.capture.masking.words import REMOVED, is_address, is_interface

_FILE: Final = Path(__file__).with_name("printed.txt")
_LONGEST_LINE: Final = 1024  # IOS prints none that is longer
_LONGEST_ROW: Final = 6
_END: Final = "$"
_EDGES: Final = "(),:;"
_NUMBER: Final = re.compile(
    r"[*.(\[]?(?:0x[0-9A-Fa-f]{1,8}|-?[0-9A-F]?\d[\d./:,()%*-]{0,60}[a-zA-Z%]{0,5})[)\],:]{0,2}",
    re.ASCII,
)


_SHORT_NUMBER: Final = re.compile(r"\(?\d{1,2}\)?|\d{1,9}/\d{1,9}", re.ASCII)


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def _is_interface(word: str) -> bool:
    bare = word.strip(_EDGES)
    return any(char.isdigit() for char in bare) and is_interface(bare)


def _is_address(word: str) -> bool:
    return is_address(word.partition("(")[0].strip(_EDGES))


_SHAPES: Final[Mapping[str, Callable[[str], bool]]] = {
    "#": _is_number,
    "%": _is_interface,
    "@": _is_address,
    "&": lambda word: _SHORT_NUMBER.fullmatch(word) is not None,  # the rest of a wrapped line
    "?": bool,
}


class _Node(Struct):
    """What may come next behind the words of a row; a row that is through has an end here."""

    words: dict[str, "_Node"] = field(default_factory=dict)
    starts: dict[str, "_Node"] = field(default_factory=dict)
    shapes: dict[str, "_Node"] = field(default_factory=dict)
    is_end: bool = False

    @property
    def below(self) -> Iterator["_Node"]:
        """What may stand behind a word that a mask took out."""
        for then in (self.words, self.starts, self.shapes):
            yield from then.values()


@lru_cache(maxsize=8192)
def is_printed(line: str) -> bool:
    """Say whether a line, as a terminal shows it, begins as IOS begins one of an output.

    Examples
    --------
    >>> is_printed("  5 minute input rate 12000 bits/sec"), is_printed("ena sec 0 84736251")
    (True, False)
    """
    if len(line) > _LONGEST_LINE:
        return False
    words = line.split(None, _LONGEST_ROW)[:_LONGEST_ROW]
    return words[:1] != [REMOVED] and _runs(_rows(), words)


def _runs(node: _Node, words: Sequence[str]) -> bool:
    if node.is_end:
        return True
    if not words:
        return _END in node.words
    word, rest = words[0], words[1:]
    exact = node.words.get(word)
    return (
        (exact is not None and _runs(exact, rest))
        or any(word.startswith(start) and _runs(then, rest) for start, then in node.starts.items())
        or any(_SHAPES[shape](word) and _runs(then, rest) for shape, then in node.shapes.items())
        or (word.strip(_EDGES) == REMOVED and any(_runs(then, rest) for then in node.below))
    )


@cache
def _rows() -> _Node:
    root = _Node()
    for row in _FILE.read_text("utf-8").splitlines():
        if row and not row.startswith(";;"):
            _plant(root, row.split())
    return root


def _plant(node: _Node, words: Sequence[str]) -> None:
    if not words:
        node.is_end = True
        return
    for word in words[0].split("|"):
        then = node.shapes if word in _SHAPES else node.words
        start = word
        if word not in _SHAPES and len(word) > 1 and word.endswith("*"):
            then, start = node.starts, word[:-1]
        _plant(then.setdefault(start, _Node()), words[1:])
