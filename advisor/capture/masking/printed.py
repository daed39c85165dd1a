"""Decides which words and lines of a show output IOS printed itself, so that masking keeps them.

A line of an output that begins as no known row may hold text that a person typed, even a secret:
it is masked. The rows are in `printed.txt`, whose head explains the notation; the words are in
`printed_words.txt`.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from advisor.capture.masking.words import REMOVED, is_address, is_interface
from advisor.capture.outputs import OUTPUTS

_FOLDER: Final = Path(__file__).parent


def _rows_of(file: str) -> list[str]:
    """The rows of a file of this folder, without its comments."""
    rows = (_FOLDER / file).read_text("utf-8").splitlines()
    return [row for row in rows if row and not row.startswith(";;")]


_ROWS_OF_RECORDS: Final = tuple(row for output in OUTPUTS for row in output.prints)
OUTPUT_WORDS: Final = frozenset((
    *" ".join(_rows_of("printed_words.txt")).split(),
    *(word.lower() for row in _ROWS_OF_RECORDS for word in re.findall(r"\w+", row)),
))  # fmt: skip


# Which lines begin as IOS begins the lines of the outputs that are read here.

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


class _MaskNode(Struct):
    """A node of the trie of rows: the possible next words; `is_end`: a row ends here."""

    words: dict[str, "_MaskNode"] = field(default_factory=dict)
    starts: dict[str, "_MaskNode"] = field(default_factory=dict)
    shapes: dict[str, "_MaskNode"] = field(default_factory=dict)
    is_end: bool = False

    @property
    def below(self) -> Iterator["_MaskNode"]:
        """Yield all children: a masked word may have been any of them."""
        for then in (self.words, self.starts, self.shapes):
            yield from then.values()


@lru_cache(maxsize=8192)
def is_printed(line: str) -> bool:
    """Say whether a line, as a terminal shows it, begins with a known row of an output.

    Examples
    --------
    >>> is_printed("  5 minute input rate 12000 bits/sec"), is_printed("ena sec 0 84736251")
    (True, False)
    """
    if len(line) > _LONGEST_LINE:
        return False
    words = line.split(None, _LONGEST_ROW)[:_LONGEST_ROW]
    return words[:1] != [REMOVED] and _runs(_rows(), words)


def _runs(node: _MaskNode, words: Sequence[str]) -> bool:
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
def _rows() -> _MaskNode:
    root = _MaskNode()
    for row in (*_rows_of("printed.txt"), *_ROWS_OF_RECORDS):
        _plant(root, row.split()[:_LONGEST_ROW])
    return root


def _plant(node: _MaskNode, words: Sequence[str]) -> None:
    if not words:
        node.is_end = True
        return
    for word in words[0].split("|"):
        then = node.shapes if word in _SHAPES else node.words
        start = word
        if word not in _SHAPES and len(word) > 1 and word.endswith("*"):
            then, start = node.starts, word[:-1]
        _plant(then.setdefault(start, _MaskNode()), words[1:])
