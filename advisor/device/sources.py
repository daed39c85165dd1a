"""Inputs of a run that can be read more than once."""

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from msgspec import Struct

from advisor.device.reading import Source


@runtime_checkable
class Sources(Protocol):
    """Inputs of a run: iterated in order, and each read again by its place in that order."""

    def __iter__(self) -> Iterator[Source]:
        """Read each input once."""
        ...

    def load(self, place: int) -> Source | None:
        """Read one input again; None where it no longer exists."""
        ...


class Kept(Struct, frozen=True):
    """Inputs that are in memory."""

    sources: tuple[Source, ...]

    def __iter__(self) -> Iterator[Source]:
        return iter(self.sources)

    def load(self, place: int) -> Source | None:
        return self.sources[place]


def sources_of(sources: Iterable[Source]) -> Sources:
    """Inputs that can be read again; what can be iterated only is kept in memory."""
    return sources if isinstance(sources, Sources) else Kept(tuple(sources))
