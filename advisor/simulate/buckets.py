"""Token buckets: policers that drop, shapers that make packets wait."""

from math import ceil, floor
from random import Random

from advisor.settings.scenario import Link, Shape
from advisor.simulate.frames import Frame, cells_bytes
from advisor.units import bits_from_bytes, bps_from_kbps, bytes_in_ms, ms_from_s

_ROUNDING_BITS = 0.5  # packets are whole bits: what is missing below it is rounding
_ROUNDING_TICKS = 1e-9


class Policer:
    """Token bucket that is full at the start and meters the packets it is shown."""

    def __init__(self, rate_kbps: float, burst_bytes: float) -> None:
        self._bytes_per_ms = bytes_in_ms(bps_from_kbps(rate_kbps), 1.0)
        self._burst_bytes = self._tokens_bytes = burst_bytes
        self._filled_ms = 0.0

    def conforms(self, now_ms: float, frame_bytes: int) -> bool:
        """Take the packet's tokens, if there are enough."""
        refill_bytes = (now_ms - self._filled_ms) * self._bytes_per_ms
        self._tokens_bytes = min(self._burst_bytes, self._tokens_bytes + refill_bytes)
        self._filled_ms = now_ms
        if self._tokens_bytes < frame_bytes:
            return False
        self._tokens_bytes -= frame_bytes
        return True


class Shaper:
    """Token bucket of Bc + Be bits, full at the start; tokens come per Tc or as time goes.

    A packet above the depth passes when the bucket is full, and leaves a debt. While a packet is
    held (`hold`), tokens above the depth are not lost: the shaper keeps its rate.
    """

    __slots__ = (
        "_bits_per_ms",
        "_committed_bits",
        "_counted_bits",
        "_depth_bits",
        "_filled_ms",
        "_holds",
        "_interval_ms",
        "_overhead_bytes",
        "_phase_ms",
        "_shape",
        "_ticks",
        "_tokens_bits",
    )

    def __init__(self, shape: Shape, link: Link, random: Random) -> None:
        self._shape = shape
        overhead_bytes = shape.counted_l2_bytes_per_packet
        self._overhead_bytes = (
            link.l2_overhead_bytes_per_packet if overhead_bytes is None else overhead_bytes
        )
        self._bits_per_ms = bps_from_kbps(shape.rate_kbps) / ms_from_s(1)
        self._committed_bits = shape.committed_burst_bits
        self._depth_bits = shape.committed_burst_bits + shape.excess_burst_bits
        self._interval_ms = shape.committed_burst_bits / self._bits_per_ms
        self._tokens_bits = self._depth_bits
        self._counted_bits: dict[int, float] = {}
        self._filled_ms = 0.0
        self._holds = False
        self._phase_ms = self._interval_ms * random.random()  # of the timer, which is not known
        self._ticks = 0  # of the timer, until `_filled_ms`

    def ready_ms(self, frame: Frame, now_ms: float) -> float:
        """When the packet may pass if nothing passes before it; not before `now_ms`."""
        self._refill(now_ms)
        missing_bits = min(self._bits(frame), self._depth_bits) - self._tokens_bits
        if missing_bits < _ROUNDING_BITS:
            return now_ms
        if self._shape.refill == "smooth":
            return now_ms + missing_bits / self._bits_per_ms
        ticks = ceil((missing_bits - _ROUNDING_BITS) / self._committed_bits)
        return self._phase_ms + (self._ticks - 1 + ticks) * self._interval_ms

    def hold(self) -> None:
        """Note that a packet waits for tokens since the last `ready_ms`."""
        self._holds = True

    def take(self, frame: Frame) -> None:
        """Let the packet pass, at the time of the last `ready_ms`."""
        self._tokens_bits -= self._bits(frame)
        self._holds = False

    def _refill(self, now_ms: float) -> None:
        if self._shape.refill == "smooth":
            new_bits = (now_ms - self._filled_ms) * self._bits_per_ms
            self._filled_ms = now_ms
        else:
            since_first = (now_ms - self._phase_ms) / self._interval_ms
            ticks = max(0, floor(since_first + _ROUNDING_TICKS) + 1)
            new_bits = (ticks - self._ticks) * self._committed_bits
            self._ticks = ticks
        self._tokens_bits += new_bits
        if not self._holds:
            self._tokens_bits = min(self._depth_bits, self._tokens_bits)

    def _bits(self, frame: Frame) -> float:
        bits = self._counted_bits.get(frame.ip_bytes)
        if bits is None:
            counted_bytes = max(1, frame.ip_bytes + self._overhead_bytes)
            if self._shape.counts_cells:
                counted_bytes = cells_bytes(counted_bytes)
            bits = self._counted_bits[frame.ip_bytes] = bits_from_bytes(counted_bytes)
        return bits
