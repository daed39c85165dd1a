"""Inputs of a run that can be read more than once."""

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from msgspec import Struct, field

from advisor.device.source import Source, device_sources


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


class PerDevice(Struct):
    """Inputs of a run, a file of several devices once for each of them.

    The parts of one file are kept, those of the file that was read last.
    """

    sources: Sources
    # Place of a file, and of a part in it; None for a file of one device.
    _places: list[tuple[int, int | None]] = field(default_factory=list)
    _last: tuple[int, tuple[Source, ...]] | None = None

    def __iter__(self) -> Iterator[Source]:
        self._places.clear()
        for place, source in enumerate(self.sources):
            parts = device_sources(source)
            is_whole = len(parts) == 1 and parts[0] is source
            self._places += ((place, None if is_whole else at) for at in range(len(parts)))
            yield from parts

    def load(self, place: int) -> Source | None:
        outer, number = self._places[place]
        if number is None:
            return self.sources.load(outer)
        if self._last is None or self._last[0] != outer:
            source = self.sources.load(outer)
            self._last = (outer, () if source is None else device_sources(source))
        parts = self._last[1]
        return parts[number] if number < len(parts) else None


def sources_of(sources: Iterable[Source]) -> Sources:
    """Inputs of one device each that can be read again; what can be iterated only is kept."""
    if isinstance(sources, PerDevice):
        return sources
    return PerDevice(sources if isinstance(sources, Sources) else Kept(tuple(sources)))
