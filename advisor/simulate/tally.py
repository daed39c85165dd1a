"""Counters of one stream in the measured time of one replication."""

from advisor.simulate.duration import Duration
from advisor.simulate.frames import Packet


class Tally:
    """Counts and delays of one stream.

    Delays are those of packets that arrive in the measured time. Wire bytes, and the differences
    between the delays of consecutive delivered packets, are those of packets that are sent in it.
    `place` is the index of the stream's traffic in the scenario.
    """

    __slots__ = (
        "_from_ms",
        "_last_delay_ms",
        "_to_ms",
        "delays_ms",
        "dropped",
        "offered",
        "place",
        "variations_ms",
        "wire_bytes",
    )

    def __init__(self, place: int, duration: Duration) -> None:
        self._from_ms = duration.warm_up_ms
        self._to_ms = duration.warm_up_ms + duration.measured_ms
        self._last_delay_ms: float | None = None
        self.place = place
        self.delays_ms: list[float] = []
        self.variations_ms: list[float] = []
        self.offered = 0
        self.dropped = 0
        self.wire_bytes = 0

    def arrived(self, now_ms: float) -> None:
        """Count an arrival."""
        if self._from_ms <= now_ms < self._to_ms:
            self.offered += 1

    def lost(self, packet: Packet) -> None:
        """Count the drop of a packet, at its arrival or later."""
        if self._from_ms <= packet.arrival_ms < self._to_ms:
            self.dropped += 1

    def sent(self, packet: Packet, now_ms: float) -> None:
        """Count a packet whose last bit has left."""
        arrival_ms = packet.arrival_ms
        delay_ms = now_ms - arrival_ms
        if self._from_ms <= now_ms < self._to_ms:
            self.wire_bytes += packet.frame.wire_bytes
            if self._last_delay_ms is not None:
                self.variations_ms.append(abs(delay_ms - self._last_delay_ms))
        self._last_delay_ms = delay_ms
        if self._from_ms <= arrival_ms < self._to_ms:
            self.delays_ms.append(delay_ms)
