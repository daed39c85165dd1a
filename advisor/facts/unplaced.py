"""Values with their places renumbered: what states the same on other lines is equal then."""

from typing import TypeVar, cast

from msgspec import Struct
from msgspec.structs import replace

from advisor.ios.syntax.tree import Location
from advisor.quantity import Input
from advisor.questions import question

V = TypeVar("V")


@question(64)
def unplaced(value: V) -> V:
    """A value with its places renumbered; see `Unplaced`."""
    return Unplaced().of(value)


class Unplaced:
    """Renumbers the places of one value: its lines are the first, the second… that it names.

    Two places stay two, and an object that is found twice stays one: what is told apart by its line
    is still told apart. The words of an input are left out, which name lines too.

    >>> from advisor.facts.stated import Stated
    >>> Unplaced().of((Stated(5, Location("r1.cfg", 7)), Stated(6, Location("r1.cfg", 7))))
    (Stated(value=5, at=Location(file='', line=1)), Stated(value=6, at=Location(file='', line=1)))
    """

    def __init__(self) -> None:
        self._places: dict[Location, Location] = {}
        self._made: dict[int, object] = {}  # by the identity of parts of the value, which lives on

    def of(self, value: V) -> V:
        """The value, or a part of it, with its places renumbered."""
        if isinstance(value, Location):
            number = len(self._places) + 1
            return cast("V", self._places.setdefault(value, Location("", number)))
        if isinstance(value, Struct):
            if id(value) not in self._made:
                self._made[id(value)] = self._of_struct(value)
            return cast("V", self._made[id(value)])
        if isinstance(value, tuple) and value:
            return cast("V", tuple(map(self.of, value)))
        return value

    def _of_struct(self, value: Struct) -> Struct:
        changes: dict[str, object] = {"source": ""} if isinstance(value, Input) else {}
        for name in value.__struct_fields__:
            old = getattr(value, name)
            if isinstance(old, Struct | tuple):
                changes[name] = self.of(old)
        return replace(value, **changes) if changes else value
