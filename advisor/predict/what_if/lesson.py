"""The lesson of `advisor demo`: voice behind rings of all lengths, predicted and simulated."""

from collections.abc import Callable, Sequence
from math import ceil, floor, inf
from typing import Final

from msgspec import Struct

from advisor.ground.quantity import Figure, count, number
from advisor.ground.units import (
    BITS_PER_BYTE,
    bps_from_kbps,
    kbps_from_bps,
    ms_from_s,
    serialization_ms,
)
from advisor.model import (
    Framing,
    Interface,
    Periodic,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.settings.traffic_keys import VoicePacket
from advisor.simulate import DelayEstimates, Estimate, simulate_delays
from advisor.theory.solution import ClassResult
from advisor.theory.solver import solve

_VOICE: Final = "voice"
_OVERHEAD_BYTES: Final = 8  # PPP with its flags
_DATA_BYTES: Final = 1500
_PACKETS: Final = 20_000  # of a ring, at least
_FULL_RINGS: Final = 5  # of data, that the wire sends in a replication, at least
_REPLICATIONS: Final = 10
_BINS: Final = 48
_MOST_LOAD: Final = 2.0  # times the link: the simulation is too short for the few that get through
_ROUNDING: Final = 1e-6  # of a simulated delay against its bound, relative


class NoLessonError(ValueError):
    """The calls are far more than the link carries, or none of their packets gets through."""


class Lesson(Struct, frozen=True):
    """A link with calls in its LLQ, while data of 1500 bytes always wait."""

    rate_kbps: float = 512.0
    calls: int = 3
    codec: str = "g729"
    rings: tuple[int, ...] = tuple(range(1, 41))
    seed: int = 1

    @property
    def data_ms(self) -> float:
        """Serialization delay in ms of a packet of data."""
        return serialization_ms(_DATA_BYTES + _OVERHEAD_BYTES, bps_from_kbps(self.rate_kbps))


class LessonPoint(Struct, frozen=True):
    """Voice behind a ring of a length; times in ms.

    `mean` with its bound is the model's, by its `method`: a formula, or "sampled" by its kernel.
    The other figures are those of the simulation, `low_ms` to
    `high_ms` the 95 % confidence interval of its mean. `agrees` says that the intervals of both
    means meet, and that no packet waited longer than the bound. `counts` are the
    packets in bins of `bin_ms`. `loss_ratio` is the model's: of calls that need more than the link.
    """

    ring: int
    mean: Figure
    method: str
    simulated_ms: float
    low_ms: float
    high_ms: float
    p99_ms: float
    longest_ms: float
    agrees: bool
    bin_ms: float
    counts: tuple[int, ...]
    loss_ratio: float


def lesson(
    asked: Lesson, packet: VoicePacket, tell: Callable[[int, int], None]
) -> tuple[LessonPoint, ...]:
    """Predict and simulate every ring; `tell` hears how many are done.

    Raises
    ------
    NoLessonError
        If the calls need more than twice the link, or no packet of voice gets through.
    """
    needed_kbps = _wire_kbps(asked, packet)
    if needed_kbps > _MOST_LOAD * asked.rate_kbps:
        raise NoLessonError(
            f"{count(asked.calls, 'call')} of {asked.codec} need {number(needed_kbps)} kb/s, more "
            f"than {_MOST_LOAD:g} times the link of {number(asked.rate_kbps)} kb/s"
        )
    points = []
    for done, ring in enumerate(asked.rings, start=1):
        line = _line(asked, packet, ring)
        predicted, _ = solve(line).classes
        result, delays = simulate_delays(
            line, _packets(asked, packet, ring), _REPLICATIONS, asked.seed
        )
        measured, _ = result.classes
        if measured.delay is None or not 0 < predicted.delay.mean_ms < inf:
            raise NoLessonError(f"tx-ring-limit {ring}: no packet of voice gets through")
        points.append(_point(ring, predicted, measured.delay, delays[_VOICE]))
        tell(done, len(asked.rings))
    return tuple(points)


def _point(
    ring: int, row: ClassResult, delay: DelayEstimates, delays_ms: Sequence[float]
) -> LessonPoint:
    low, high = _interval(delay.mean_ms)
    value_ms = row.delay.mean_ms
    high_ms = row.high.mean_ms if row.high.mean_ms < inf else value_ms
    mean = Figure(value_ms, row.low.mean_ms, high_ms, "ms", row.bound_ms)
    meets = mean.low <= high and low <= mean.high
    is_bounded = row.bound_ms is None or delay.max_ms <= row.bound_ms * (1 + _ROUNDING)
    bin_ms = max(delays_ms[-1], row.bound_ms or 0.0) / _BINS
    return LessonPoint(
        ring,
        mean,
        row.method,
        delay.mean_ms.value,
        low,
        high,
        delay.p99_ms.value,
        delay.max_ms,
        meets and is_bounded,
        bin_ms,
        _counted(delays_ms, bin_ms),
        row.loss_ratio,
    )


def _interval(estimate: Estimate) -> tuple[float, float]:
    half = estimate.half_width or 0.0
    return estimate.value - half, estimate.value + half


def _counted(delays_ms: Sequence[float], bin_ms: float) -> tuple[int, ...]:
    counts = [0] * _BINS
    for delay_ms in delays_ms:
        counts[min(floor(delay_ms / bin_ms), _BINS - 1)] += 1
    return tuple(counts)


def _packets(asked: Lesson, packet: VoicePacket, ring: int) -> int:
    """Packets to simulate: a long ring on a slow link forgets its first filling late."""
    data_ms = asked.data_ms
    per_ms = asked.calls / packet.packet_ms + 1 / data_ms
    return max(_PACKETS, ceil(_REPLICATIONS * _FULL_RINGS * ring * data_ms * per_ms))


def _wire_kbps(asked: Lesson, packet: VoicePacket) -> float:
    bits = (packet.ip_bytes + _OVERHEAD_BYTES) * BITS_PER_BYTE
    return kbps_from_bps(asked.calls * bits * ms_from_s(1.0) / packet.packet_ms)


def _line(asked: Lesson, packet: VoicePacket, ring: int) -> Interface:
    voice = Queue(_VOICE, QueueKind.PRIORITY)
    data = Queue("data", QueueKind.CLASS_DEFAULT)
    calls = Periodic(ms_from_s(1.0) / packet.packet_ms, jitter_ms=1.0)
    sizes = (SizeMix(((size, 1.0),)) for size in (packet.ip_bytes, _DATA_BYTES))
    return Interface(
        bps_from_kbps(asked.rate_kbps),
        Framing(_OVERHEAD_BYTES),
        TxRing(ring),
        (voice, data),
        (
            Traffic(voice.name, voice.name, calls, next(sizes), asked.calls),
            Traffic(data.name, data.name, Saturated(16), next(sizes)),
        ),
    )
