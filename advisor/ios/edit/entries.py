"""Entries of a named access-list: their sequence numbers, and the place of a new entry."""

from bisect import bisect_left
from typing import Final

from advisor.ios.edit.places import Command, Places
from advisor.ios.edit.sections import Node, Section
from advisor.units import whole_or_none

STEP: Final = 10  # IOS numbers entries 10, 20, 30 … if the config does not


def _number(text: str) -> int | None:
    first = text.split(None, 1)[0]
    return whole_or_none(first) if first[0].isdigit() else None


class Entries:
    """The entries of one list by sequence number."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.numbers: list[int] = []
        self.nodes: dict[int, Node] = {}
        section.read()
        self.printed = False  # the config shows the numbers
        last = 0
        for nodes in section.index.values():
            for node in nodes:
                stated = _number(node.text)
                self.printed = self.printed or stated is not None
                last = last + STEP if stated is None else stated
                self._keep(last, node)

    def _keep(self, number: int, node: Node) -> None:
        if number not in self.nodes:
            self.numbers.insert(bisect_left(self.numbers, number), number)
        self.nodes[number] = node

    def named_by(self, text: str) -> list[Node]:
        """The entry that `no TEXT` removes by its sequence number."""
        number = _number(text)
        node = None if number is None else self.nodes.get(number)
        return [node] if node is not None and node.present else []

    def write(self, places: Places, command: Command) -> str | None:
        """Add an entry; the text says why IOS would refuse it."""
        stated = _number(command.text)
        holder = None if stated is None else self.nodes.get(stated)
        if holder is not None and holder.present:
            return f"sequence number {stated} is taken"  # IOS: % Duplicate sequence number
        number = stated if stated is not None else (self.numbers[-1] if self.numbers else 0) + STEP
        bare = " ".join(command.text.split()[1:]) if stated is not None else command.text
        if not self.nodes:
            self.printed = stated is not None
        text = f"{number} {bare}" if self.printed else bare
        at = bisect_left(self.numbers, number)
        before = next((self.nodes[later] for later in self.numbers[at : at + 1]), None)
        stored = Command(command.line, text, command.meaning)
        self._keep(number, places.write(self.section, stored, before))
        return None
