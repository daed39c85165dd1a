"""Packets of an LLQ that one of its packets may meet."""

from msgspec import Struct

from advisor.theory.analytic.packets import Stream

_MOST_STREAMS = 60  # numeric: streams of one period beyond which the next ones change nothing


class Met(Struct, frozen=True):
    """Packets of the LLQ that a packet of stream `own` may meet, those of its own stream left out.

    `ms` is their mean time, `own_ms` that of the stream. `own_found` packets of the stream itself
    are still there while the ring is full, `own_on_wire` of them on the wire.
    """

    own: Stream
    others: tuple[Stream, ...]
    own_found: float = 0.0
    own_on_wire: float = 0.0

    @property
    def streams(self) -> tuple[Stream, ...]:
        return (self.own, *self.others)

    @property
    def per_ms(self) -> float:
        return self.own.others + sum(stream.per_ms for stream in self.others)

    @property
    def load(self) -> float:
        return self.own.others * self.own.ms + sum(stream.load for stream in self.others)

    @property
    def ms(self) -> float:
        return self.load / self.per_ms if self.per_ms else self.own.ms

    @property
    def sizes(self) -> list[tuple[float, float]]:
        rates = [self.own.others, *(stream.per_ms for stream in self.others)]
        return [
            (rate * weight, ms)
            for rate, stream in zip(rates, self.streams, strict=True)
            for weight, ms in stream.sizes
        ]

    @property
    def second_ms2(self) -> float:
        """Second moment of a packet's time."""
        total = sum(rate for rate, _ in self.sizes)
        second = sum(rate * ms**2 for rate, ms in self.sizes)
        return second / total if total else self.own.ms**2

    @property
    def units(self) -> float:
        return sum(stream.units for stream in self.streams) / len(self.streams)

    @property
    def before(self) -> float:
        """Packets per ms, each times those of its burst that are before it."""
        return sum(stream.per_ms * stream.before for stream in self.streams)

    @property
    def rates(self) -> list[float] | None:
        """Rates of 1, 2, … other streams of the period; None where others meet too, or many."""
        number, period_ms = self.own.number - 1, self.own.period_ms
        if self.others or period_ms is None or number > _MOST_STREAMS:
            return None
        return [(count + 1) / period_ms for count in range(number)]
