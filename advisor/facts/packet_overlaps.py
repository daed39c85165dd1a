"""Which boxes of a growing set overlap a box, without comparing it with all of them."""

from msgspec import Struct

from advisor.facts.packet_set import Box, disjoint

_Shape = tuple[int, int]  # wildcards of source and destination
_Bases = tuple[int, int]


class _Group(Struct):
    """Boxes of one shape, and tables of them by the bits that boxes of another shape fix too."""

    boxes: list[Box]
    tables: dict[_Shape, dict[_Bases, list[Box]]]


class Overlaps:
    """Boxes in the order in which they were added; finds those that share packets with a box.

    Addresses that overlap agree in the bits that both fix. So one table for each pair of shapes
    finds them: the cost grows with the number of different wildcards, not with that of boxes.
    """

    def __init__(self) -> None:
        self._groups: dict[_Shape, _Group] = {}

    def add(self, box: Box) -> None:
        """Add one more box."""
        shape = (box.source.wildcard, box.destination.wildcard)
        group = self._groups.setdefault(shape, _Group([], {}))
        group.boxes.append(box)
        for other, table in group.tables.items():
            table.setdefault(_bases(box, shape, other), []).append(box)

    def of(self, box: Box) -> list[Box]:
        """The boxes that may share packets with this one: none of them is surely disjoint."""
        shape = (box.source.wildcard, box.destination.wildcard)
        found = []
        for own, group in self._groups.items():
            table = group.tables.get(shape)
            if table is None:
                table = group.tables[shape] = {}
                for member in group.boxes:
                    table.setdefault(_bases(member, own, shape), []).append(member)
            candidates = table.get(_bases(box, own, shape), ())
            found += [each for each in candidates if not disjoint(box, each)]
        return found


def _bases(box: Box, shape: _Shape, other: _Shape) -> _Bases:
    """Addresses of a box in the bits that boxes of both shapes fix."""
    return (
        box.source.base & ~(shape[0] | other[0]),
        box.destination.base & ~(shape[1] | other[1]),
    )
