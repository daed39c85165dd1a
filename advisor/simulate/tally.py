"""What one replication counts of one stream after the warm-up."""

from itertools import pairwise

from advisor.simulate.frames import Packet


class Tally:
    """Counts and delays of one stream's packets that arrive after the warm-up.

    Wire bytes are those sent after the warm-up, whenever the packet arrived. `place` is that of the
    stream's traffic in the scenario.
    """

    __slots__ = ("_warm_up_ms", "delays_ms", "dropped", "offered", "place", "wire_bytes")

    def __init__(self, place: int, warm_up_ms: float) -> None:
        self._warm_up_ms = warm_up_ms
        self.place = place
        self.delays_ms: list[float] = []
        self.offered = 0
        self.dropped = 0
        self.wire_bytes = 0

    def arrived(self, now_ms: float, *, taken: bool) -> None:
        """Count an arrival, and its drop."""
        if now_ms >= self._warm_up_ms:
            self.offered += 1
            if not taken:
                self.dropped += 1

    def sent(self, packet: Packet, now_ms: float) -> None:
        """Count a packet whose last bit has left."""
        if now_ms >= self._warm_up_ms:
            self.wire_bytes += packet.frame.wire_bytes
            if packet.arrival_ms >= self._warm_up_ms:
                self.delays_ms.append(now_ms - packet.arrival_ms)

    def variations_ms(self) -> list[float]:
        """Absolute differences of the delays of consecutive delivered packets."""
        return [abs(later - earlier) for earlier, later in pairwise(self.delays_ms)]
