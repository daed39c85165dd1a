"""Counters of a replication, and estimates with confidence intervals from several."""

from collections.abc import Sequence
from itertools import chain
from math import ceil, sqrt
from statistics import NormalDist, fmean, stdev

from msgspec import Struct, field

from advisor.ground.units import bps_from_bytes
from advisor.simulate.packets import ArrivedPacket

# Counters of one stream in the measured time of one replication.


class Tally(Struct, eq=False):
    """Counts and delays of one stream.

    Delays are those of packets that arrive in the measured time. Wire bytes, and the differences
    between the delays of consecutive delivered packets, are those of packets that are sent in it.
    `place` is the index of its traffic.
    """

    place: int
    from_ms: float  # of the measured time
    to_ms: float
    delays_ms: list[float] = field(default_factory=list)
    variations_ms: list[float] = field(default_factory=list)
    offered: int = 0
    dropped: int = 0
    wire_bytes: int = 0
    _last_delay_ms: float | None = None

    def arrived(self, now_ms: float) -> None:
        """Count an arrival."""
        if self.from_ms <= now_ms < self.to_ms:
            self.offered += 1

    def lost(self, packet: ArrivedPacket) -> None:
        """Count the drop of a packet, at its arrival or later."""
        if self.from_ms <= packet.arrival_ms < self.to_ms:
            self.dropped += 1

    def sent(self, packet: ArrivedPacket, now_ms: float) -> None:
        """Count a packet whose last bit has left."""
        arrival_ms = packet.arrival_ms
        delay_ms = now_ms - arrival_ms
        if self.from_ms <= now_ms < self.to_ms:
            self.wire_bytes += packet.frame.wire_bytes
            if self._last_delay_ms is not None:
                self.variations_ms.append(abs(delay_ms - self._last_delay_ms))
        self._last_delay_ms = delay_ms
        if self.from_ms <= arrival_ms < self.to_ms:
            self.delays_ms.append(delay_ms)


def pooled(tallies: Sequence[Tally]) -> Tally:
    """The tallies of one class's streams in one replication as one; the shortest delay first."""
    first = tallies[0]
    return Tally(
        first.place,
        first.from_ms,
        first.to_ms,
        sorted(chain.from_iterable(tally.delays_ms for tally in tallies)),
        list(chain.from_iterable(tally.variations_ms for tally in tallies)),
        sum(tally.offered for tally in tallies),
        sum(tally.dropped for tally in tallies),
        sum(tally.wire_bytes for tally in tallies),
    )


# From tallies of replications to estimates with confidence intervals.


class Estimate(Struct, frozen=True):
    """A value, and the half-width of its 95 % confidence interval over replications.

    The half-width is None where fewer than two replications could be compared.
    """

    value: float
    half_width: float | None


class DelayEstimates(Struct, frozen=True):
    """Delay from arrival to last bit on the wire, of delivered packets pooled over replications.

    `ipdv_ms` is the mean, `ipdv_max_ms` the largest difference between the delays of consecutive
    delivered packets of one stream; None where no stream has delivered two.
    """

    mean_ms: Estimate
    p50_ms: Estimate
    p95_ms: Estimate
    p99_ms: Estimate
    max_ms: float
    ipdv_ms: Estimate | None
    ipdv_max_ms: float | None


class ClassSummary(Struct, frozen=True):
    """Result of one class of traffic. None: nothing was delivered, or nothing was offered.

    A saturated class has no offered rate: it follows the link. `tcp_share_ratio` is the class's
    part of the wire bytes of all TCP classes.
    """

    class_name: str
    delivered_packets: int
    delay: DelayEstimates | None
    loss_ratio: Estimate | None
    throughput_wire_bps: Estimate
    tcp_share_ratio: Estimate | None = None


def summarise(
    class_name: str,
    replications: Sequence[Tally],
    measured_ms: float,
    tcp_bytes: Sequence[int] | None,
) -> ClassSummary:
    """Estimates of one class.

    Parameters
    ----------
    class_name : str
        Name of the class.
    replications : Sequence[Tally]
        Its tallies, one for each replication.
    measured_ms : float
        Time that each replication measured.
    tcp_bytes : Sequence[int] | None
        Wire bytes of all TCP classes in each replication; None: this class is not TCP.
    """
    offered = sum(tallies.offered for tallies in replications)
    dropped = sum(tallies.dropped for tallies in replications)
    sent_bytes = [tallies.wire_bytes for tallies in replications]
    rates_bps = [bps_from_bytes(wire_bytes, measured_ms) for wire_bytes in sent_bytes]
    delays_ms = [tallies.delays_ms for tallies in replications]
    return ClassSummary(
        class_name,
        sum(map(len, delays_ms)),
        _delay(delays_ms, [tallies.variations_ms for tallies in replications]),
        _estimate(
            dropped / offered,
            [tallies.dropped / tallies.offered for tallies in replications if tallies.offered],
        )
        if offered
        else None,
        _estimate(fmean(rates_bps), rates_bps),
        _share(sent_bytes, tcp_bytes),
    )


def _share(sent_bytes: Sequence[int], tcp_bytes: Sequence[int] | None) -> Estimate | None:
    if tcp_bytes is None or not all(tcp_bytes):
        return None
    shares = [flow_bytes / total for flow_bytes, total in zip(sent_bytes, tcp_bytes, strict=True)]
    return _estimate(sum(sent_bytes) / sum(tcp_bytes), shares)


def _delay(
    delays_ms: Sequence[list[float]], variations_ms: Sequence[list[float]]
) -> DelayEstimates | None:
    pooled_ms = sorted(chain.from_iterable(delays_ms))
    if not pooled_ms:
        return None
    sampled_ms = [delays for delays in delays_ms if delays]

    def at(level: float) -> Estimate:
        return _estimate(
            percentile(pooled_ms, level), [percentile(delays, level) for delays in sampled_ms]
        )

    differences_ms = list(chain.from_iterable(variations_ms))
    ipdv_ms = [fmean(variations) for variations in variations_ms if variations]
    return DelayEstimates(
        mean_ms=_estimate(fmean(pooled_ms), [fmean(delays) for delays in sampled_ms]),
        p50_ms=at(0.50),
        p95_ms=at(0.95),
        p99_ms=at(0.99),
        max_ms=pooled_ms[-1],
        ipdv_ms=_estimate(fmean(differences_ms), ipdv_ms) if differences_ms else None,
        ipdv_max_ms=max(differences_ms, default=None),
    )


def percentile(values: Sequence[float], level: float) -> float:
    """Smallest sample with at least `level` of the samples at or below it.

    >>> percentile([1.0, 2.0, 3.0, 4.0], 0.5)
    2.0
    """
    # 0.95 * 20 is 19.000000000000004 in places: a hair above a whole number is that number
    return values[max(0, ceil(level * len(values) - 1e-9) - 1)]


def _estimate(value: float, by_replication: Sequence[float]) -> Estimate:
    count = len(by_replication)
    if count < 2:  # noqa: PLR2004 - one value has no spread
        return Estimate(value, None)
    return Estimate(value, student_t(count - 1) * stdev(by_replication) / sqrt(count))


# Two-sided 95 % points of Student's t, 1 to 10 degrees of freedom. Source: any table of t.
_STUDENT_T = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


def student_t(degrees: int) -> float:
    """Two-sided 95 % point of Student's t distribution.

    Above 10 degrees of freedom by the expansion around the normal quantile, within 0.001.
    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.

    >>> round(student_t(19), 3)
    2.093
    """
    if degrees <= len(_STUDENT_T):
        return _STUDENT_T[degrees - 1]
    quantile = NormalDist().inv_cdf(0.975)
    first = (quantile**3 + quantile) / 4
    second = (5 * quantile**5 + 16 * quantile**3 + 3 * quantile) / 96
    return quantile + first / degrees + second / degrees**2
