"""Packets of an interface as the formulas take them: streams of an LLQ, mixes in a ring."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from advisor.ground.units import s_from_ms
from advisor.model import Bursts, Periodic
from advisor.theory.flows import Flow, batch_of

Pairs = Sequence[tuple[float, float]]  # weight, time in ms
Pieces = tuple[tuple[float, int], ...]  # time on the wire and ring units of each fragment

MOST_KINDS = 6  # numeric: times on the wire that are told apart; neighbours are merged
MS_PER_S = 1000.0  # a definition
_MOST_STREAMS = 60  # numeric: streams of one period beyond which the next ones change nothing
MOST_OVERLAP = 0.05  # of the time in which a probe sends its trains


class Kind(Struct, frozen=True):
    """Packets, or fragments, of one time on the wire and one number of ring units."""

    weight: float
    ms: float
    units: int


class Mix(Struct, frozen=True):
    """Packets that follow each other in a ring, drawn independently; weights add up to 1."""

    kinds: tuple[Kind, ...]

    @property
    def mean_ms(self) -> float:
        return sum(kind.weight * kind.ms for kind in self.kinds)

    @property
    def second_ms2(self) -> float:
        return sum(kind.weight * kind.ms**2 for kind in self.kinds)

    @property
    def variance_ms2(self) -> float:
        """Variance of the time of as many packets as fill a ring, divided by their number.

        Where a ring counts particles, large packets leave room for fewer others.
        """
        ms_per_unit = self.mean_ms / self.units
        return sum(kind.weight * (kind.ms - ms_per_unit * kind.units) ** 2 for kind in self.kinds)

    @property
    def residual_ms(self) -> float:
        """Mean rest of a packet that is being sent."""
        return self.second_ms2 / 2 / self.mean_ms

    @property
    def units(self) -> float:
        return sum(kind.weight * kind.units for kind in self.kinds)

    @property
    def units_on_wire(self) -> float:
        """Mean units of the packet that is being sent."""
        return sum(kind.weight * kind.ms * kind.units for kind in self.kinds) / self.mean_ms

    @property
    def longest_ms(self) -> float:
        return max(kind.ms for kind in self.kinds)


def mix_of(parts: Sequence[tuple[Flow, float]]) -> Mix:
    """Pieces of flows that send so many packets each; the unit of the numbers does not matter."""
    rates: dict[tuple[float, int], float] = {}
    for flow, packets in parts:
        for weight, times, units in zip(flow.weights, flow.piece_ms, flow.piece_units, strict=True):
            for piece in zip(times, units, strict=True):
                rates[piece] = rates.get(piece, 0.0) + weight * packets
    total = sum(rates.values())
    kinds = tuple(Kind(rate / total, ms, units) for (ms, units), rate in sorted(rates.items()))
    return Mix(kinds)


def merged(pairs: Pairs, most: int = MOST_KINDS) -> tuple[tuple[float, float], ...]:
    """Weights and times, so few that neighbours are merged at their means; weights become 1."""
    total = sum(weight for weight, _ in pairs)
    rows = sorted((ms, weight / total) for weight, ms in pairs if weight > 0)
    while len(rows) > most:
        costs = [
            (after[0] - before[0]) ** 2 * before[1] * after[1] / (before[1] + after[1])
            for before, after in pairwise(rows)
        ]
        place = costs.index(min(costs))
        (first, much), (second, more) = rows[place : place + 2]
        rows[place : place + 2] = [((first * much + second * more) / (much + more), much + more)]
    return tuple((weight, ms) for ms, weight in rows)


class Stream(Struct, frozen=True):
    """Packets of one class of an LLQ as a packet of the LLQ meets them.

    `per_ms` packets of all `number` streams, `burst` at once; `period_ms` of a periodic source, or
    between the `train` packets of a probe that sends so many and pauses.
    """

    per_ms: float
    ms: float
    sizes: tuple[tuple[float, float], ...]
    units: float
    burst: int = 1
    period_ms: float | None = None
    number: int = 1
    train: int | None = None

    @property
    def load(self) -> float:
        return self.per_ms * self.ms

    def moment_ms(self, power: int) -> float:
        """Moment of a packet's time, of all that come in a ms."""
        return self.per_ms * sum(weight * ms**power for weight, ms in self.sizes)

    @property
    def others(self) -> float:
        """Packets per ms of all streams but one."""
        if self.period_ms is None:
            return self.per_ms
        return max(self.number - 1, 0) / self.period_ms

    @property
    def before(self) -> float:
        """Mean packets of the same burst before one of its packets."""
        return (self.burst - 1) / 2


def stream_of(flow: Flow) -> Stream:
    """A class of the LLQ as a stream."""
    arrival, train = flow.traffic.arrival, None
    period_ms = MS_PER_S / arrival.packets_per_s if isinstance(arrival, Periodic) else None
    if isinstance(arrival, Bursts) and is_train(flow):
        period_ms, train = arrival.spacing_ms, arrival.packets_per_burst
    return Stream(
        flow.rate_per_ms,
        flow.mean_ms,
        tuple(zip(flow.weights, flow.times_ms, strict=True)),
        sum(weight * units for weight, units in zip(flow.weights, flow.units, strict=True)),
        batch_of(flow),
        period_ms,
        flow.traffic.streams,
        train,
    )


def is_train(flow: Flow) -> bool:
    """Whether a flow is one stream of trains that hardly overlap, as a probe sends them."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, Bursts) or flow.traffic.streams > 1:
        return False
    lasts_s = s_from_ms(arrival.packets_per_burst * arrival.spacing_ms)
    return arrival.spacing_ms > flow.mean_ms and arrival.bursts_per_s * lasts_s < MOST_OVERLAP


class Met(Struct, frozen=True):
    """Packets of the LLQ that a packet of stream `own` may meet: of other streams and other calls.

    `ms` is their mean time. `own_found` packets of the stream itself
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


class Arrivals(Struct, frozen=True):
    """Packets that do not fill the wire: bursts as a Poisson process, or periodic streams.

    `bursts` are numbers of packets and probabilities, `sizes` weights and times of a packet or
    piece. The queues before the ring hold `limit` packets. `periodic`, instead, are so many streams
    with this period in ms, each packet alone.
    """

    per_ms: float
    bursts: tuple[tuple[int, float], ...]
    sizes: tuple[tuple[float, float], ...]
    limit: int = 0
    periodic: tuple[int, float] | None = None

    @property
    def burst(self) -> float:
        """Mean packets of a burst."""
        return sum(packets * part for packets, part in self.bursts)

    @property
    def packets_per_ms(self) -> float:
        return self.per_ms * self.burst

    @property
    def mean_ms(self) -> float:
        """Mean time of a packet."""
        return sum(weight * ms for weight, ms in self.sizes)

    @property
    def load(self) -> float:
        return self.packets_per_ms * self.mean_ms

    @property
    def residual_ms(self) -> float:
        """Mean rest of a packet that is being sent."""
        return sum(weight * ms**2 for weight, ms in self.sizes) / 2 / self.mean_ms

    @property
    def second_ms(self) -> float:
        """Second moment of the work of a burst, of all that come in a ms."""
        variance = sum(weight * ms**2 for weight, ms in self.sizes) - self.mean_ms**2
        bursts = sum(part * packets**2 for packets, part in self.bursts)
        return self.per_ms * bursts * self.mean_ms**2 + self.packets_per_ms * variance


def arrivals_of(flows: Sequence[tuple[Flow, float]], limit: int = 0) -> Arrivals:
    """Flows with rates in packets per ms as one; bursts that come at once stay together."""
    bursts: dict[int, float] = {}
    sizes: dict[float, float] = {}
    for flow, rate in flows:
        burst = batch_of(flow)
        for weight, times in zip(flow.weights, flow.piece_ms, strict=True):
            packets = len(times) * burst
            bursts[packets] = bursts.get(packets, 0.0) + weight * rate / burst
            for ms in times:
                sizes[ms] = sizes.get(ms, 0.0) + weight * rate
    per_ms, all_pieces = sum(bursts.values()), sum(sizes.values())
    return Arrivals(
        per_ms,
        tuple((packets, rate / per_ms) for packets, rate in sorted(bursts.items())),
        tuple((rate / all_pieces, ms) for ms, rate in sorted(sizes.items())),
        limit,
    )


def packets_of(flows: Sequence[Flow]) -> Arrivals:
    """Flows with their rates as one, of whole packets."""
    sizes: dict[float, float] = {}
    bursts: dict[int, float] = {}
    for flow in flows:
        burst = batch_of(flow)
        bursts[burst] = bursts.get(burst, 0.0) + flow.rate_per_ms / burst
        for weight, ms in zip(flow.weights, flow.times_ms, strict=True):
            sizes[ms] = sizes.get(ms, 0.0) + weight * flow.rate_per_ms
    per_ms, packets = sum(bursts.values()), sum(sizes.values())
    return Arrivals(
        per_ms,
        tuple((number, rate / per_ms) for number, rate in sorted(bursts.items())),
        tuple((rate / packets, ms) for ms, rate in sorted(sizes.items())),
    )
