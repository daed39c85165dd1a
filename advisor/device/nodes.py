"""A tree of named values, each with the line that states it: what `inspect` shows."""

from typing import TypeAlias

from msgspec import Struct

from advisor.ios.syntax.tree import Location

Scalar: TypeAlias = str | int | float | bool | None


class Leaf(Struct, frozen=True):
    """One value; `at` is the line that states it, None where its record has one."""

    value: Scalar
    at: Location | None = None


class Record(Struct, frozen=True):
    """Named values, in their order."""

    members: tuple[tuple[str, "Node"], ...]
    at: Location | None = None


class Many(Struct, frozen=True):
    """Values of one kind, in the order of the text."""

    items: tuple["Node", ...]


Node: TypeAlias = Leaf | Record | Many
