"""A configuration as this reader nests it, beside ciscoconfparse2's parse of the same text.

Every line of the text that is neither blank nor a comment is compared: whether it is a command,
which command it stands under, and its words.
"""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from advisor.device.second_parser import MissingExtraError, parsed
from advisor.ios.syntax import ConfigTree, Line, LineKind, physical_lines
from tests.oracle.second_reasons import TOP, Judge, Reason, Row


class Difference(Struct, frozen=True):
    """A line in which the two differ.

    `number` is its line in the file. `kind` is what it is here; a line of the body of a block is
    OPAQUE. `ours` and `theirs` are the lines that it stands under, None at the top.
    """

    reason: Reason
    number: int
    kind: LineKind
    ours: int | None
    theirs: int | None


class Opinion(Struct, frozen=True):
    """What the comparison of one configuration finds.

    `lines` were compared; `equal_lines` of them stand under the same line with the same words.
    `sections` are the lines that have lines below them in either parse; `equal_sections` have the
    same ones in both. `failure` names the error where ciscoconfparse2 does not read the text: then
    nothing was compared.
    """

    lines: int = 0
    equal_lines: int = 0
    sections: int = 0
    equal_sections: int = 0
    differences: tuple[Difference, ...] = ()
    failure: str | None = None


class _Theirs(Struct, frozen=True):
    """A line of ciscoconfparse2: the number of what it stands under, TOP if nothing, its words."""

    parent: int
    text: str


def second_opinion(tree: ConfigTree) -> Opinion:
    """Compare a tree that was read from a text with ciscoconfparse2's parse of that text.

    Raises
    ------
    MissingExtraError
        If ciscoconfparse2 is not installed.
    """
    rows = dict(_rows(tree.lines))
    try:
        theirs = _their_lines(tree)
    except MissingExtraError:
        raise
    except Exception as error:  # noqa: BLE001 -- on some texts it fails, with errors of any kind
        return Opinion(failure=type(error).__name__)
    compared = {number: row for number, row in rows.items() if row.is_compared}
    has_sections = any(line.children for line in tree.lines)
    judge = Judge(rows, tree.flat or not has_sections)
    differences = tuple(
        difference
        for number, row in compared.items()
        for difference in _difference(number, row, theirs[number], judge)
    )
    ours = _sections({number: row.parent for number, row in compared.items() if row.is_command})
    others = _sections({number: theirs[number].parent for number in compared})
    heads = ours.keys() | others.keys()
    return Opinion(
        lines=len(compared),
        equal_lines=len(compared) - len(differences),
        sections=len(heads),
        equal_sections=sum(ours.get(head) == others.get(head) for head in heads),
        differences=differences,
    )


def _rows(lines: Sequence[Line]) -> Iterator[tuple[int, Row]]:
    """Physical lines by number; iterative, so depth has no limit."""
    stack = [(line, TOP) for line in reversed(lines)]
    while stack:
        line, parent = stack.pop()
        head, *body = physical_lines(line.raw)
        yield line.number, Row(line, head, parent)
        for place, raw in enumerate(body, start=1):
            yield line.number + place, Row(line, raw, line.number, is_body=True)
        stack.extend((child, line.number) for child in reversed(line.children))


def _their_lines(tree: ConfigTree) -> dict[int, _Theirs]:
    """Lines of ciscoconfparse2 by the number that they have in the file."""
    if not tree.lines:
        return {}
    first = tree.lines[0].number
    text = [line.rstrip("\r\n") for line in physical_lines(tree.text())]
    return {
        first + line.linenum: _Theirs(
            TOP if line.parent is line else first + line.parent.linenum, line.text.strip()
        )
        for line in parsed(text).objs
    }


def _difference(number: int, row: Row, theirs: _Theirs, judge: Judge) -> Iterator[Difference]:
    """The difference in a line, if there is one: what it is, else its place, else its words."""
    if not row.is_command:
        reason = judge.not_a_command(row)
    elif theirs.parent != row.parent:
        reason = judge.other_place(row, theirs.parent)
    elif theirs.text != row.line.text:
        reason = judge.other_words(row)
    else:
        return
    yield Difference(reason, number, row.line.kind, row.parent or None, theirs.parent or None)


def _sections(parents: Mapping[int, int]) -> dict[int, list[int]]:
    """Lines below each line that has some."""
    below: dict[int, list[int]] = {}
    for number, parent in parents.items():
        if parent != TOP:
            below.setdefault(parent, []).append(number)
    return below
