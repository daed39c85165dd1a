"""An output of many blocks: an unknown line costs the block that it stands in, not the output."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from msgspec import Struct

from advisor.shows.indent import ShownLine
from advisor.shows.layout import Declined, LayoutError, Part, Reading, declined
from advisor.shows.output import Output
from advisor.units import NumeralError

Record = TypeVar("Record")


class Block(Struct, frozen=True):
    """The lines from one head to the next. `name` is what its head names."""

    name: str
    head: ShownLine
    lines: tuple[ShownLine, ...]


class Blocks(Struct, frozen=True):
    """An output in blocks; `before` are the lines above the first one."""

    before: tuple[ShownLine, ...]
    blocks: tuple[Block, ...]


def blocks_of(lines: Iterable[ShownLine], name_of: Callable[[ShownLine], str | None]) -> Blocks:
    """Cut lines at the heads of blocks.

    Parameters
    ----------
    lines
        Lines of an output.
    name_of
        The name in a line that is the head of a block; None for any other line.
    """
    before: list[ShownLine] = []
    blocks: list[tuple[str, ShownLine, list[ShownLine]]] = []
    for line in lines:
        name = name_of(line)
        if name is not None:
            blocks.append((name, line, []))
        else:
            (blocks[-1][2] if blocks else before).append(line)
    return Blocks(tuple(before), tuple(Block(name, head, tuple(own)) for name, head, own in blocks))


def read_blocks(
    output: Output, part: Part, blocks: Blocks, read: Callable[[Block], Record]
) -> Reading[Record]:
    """Read the blocks of an output. One that `read` refuses is declined, and the others are read.

    An unknown line may be the head of an unknown block, so no line after it belongs to the block
    above: the lines up to the next head are passed over.

    Raises
    ------
    LayoutError
        If no block begins.
    """
    if not blocks.blocks:
        raise output.unknown(blocks.before[0]) if blocks.before else output.nothing()
    records: list[Record] = []
    parts = list(_unknown_lines(output, blocks.before))
    for block in blocks.blocks:
        start = output.at(block.head)
        try:
            records.append(read(block))
        except LayoutError as error:
            parts.append(declined(part, block.name, start, error))
        except NumeralError as error:
            beyond = output.beyond((block.head, *block.lines), error)
            parts.append(declined(part, block.name, start, beyond))
    return Reading(tuple(records), tuple(parts))


def _unknown_lines(output: Output, lines: Iterable[ShownLine]) -> Iterator[Declined]:
    for line in lines:
        yield declined(Part.LINES, "", output.at(line), output.unknown(line))
