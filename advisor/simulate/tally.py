"""What one replication counts of one stream in the measured time."""

from itertools import pairwise

from advisor.simulate.duration import Duration
from advisor.simulate.frames import Packet


class Tally:
    """Counts and delays of one stream's packets that arrive in the measured time.

    Wire bytes are those sent in the measured time, whenever the packet arrived. `place` is that of
    the stream's traffic in the scenario.
    """

    __slots__ = ("_from_ms", "_to_ms", "delays_ms", "dropped", "offered", "place", "wire_bytes")

    def __init__(self, place: int, duration: Duration) -> None:
        self._from_ms = duration.warm_up_ms
        self._to_ms = duration.warm_up_ms + duration.measured_ms
        self.place = place
        self.delays_ms: list[float] = []
        self.offered = 0
        self.dropped = 0
        self.wire_bytes = 0

    def arrived(self, now_ms: float, *, taken: bool) -> None:
        """Count an arrival, and its drop."""
        if self._from_ms <= now_ms < self._to_ms:
            self.offered += 1
            if not taken:
                self.dropped += 1

    def sent(self, packet: Packet, now_ms: float) -> None:
        """Count a packet whose last bit has left."""
        if self._from_ms <= now_ms < self._to_ms:
            self.wire_bytes += packet.frame.wire_bytes
        if self._from_ms <= packet.arrival_ms < self._to_ms:
            self.delays_ms.append(now_ms - packet.arrival_ms)

    def variations_ms(self) -> list[float]:
        """Absolute differences of the delays of consecutive delivered packets."""
        return [abs(later - earlier) for earlier, later in pairwise(self.delays_ms)]
