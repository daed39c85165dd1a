"""Number of packets on a wire and before it: M/G/1 with bursts and a limit, and nD/D/1.

Arrivals are Poisson, each brings one or several packets; service times are those of a mix. Between
"at most j" and "more than j" as many departures lead down as up, so the law follows from j = 0 by
sums of positive terms. Source: L. Takács, Introduction to the Theory of Queues (1962); the cuts
are those of V. Ramaswami, Stochastic Models 4 (1988).

Among periodic streams of one period and one size a packet sees the work of the others at a random
time, because phases are uniform. Source: J. Roberts, J. Virtamo, IEEE Trans. Commun. 39 (1991)
298-303, by a theorem of V. Benes.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import ceil, comb, exp, floor, sqrt
from operator import mul, sub

from msgspec import Struct

from advisor.ground.questions import question
from advisor.theory.analytic.packets import Arrivals, merged
from advisor.theory.analytic.result import Part

KINDS = 3  # numeric: kinds of packets on the wire that are told apart
_HUGE = 1e200  # numeric: the law is scaled before a float overflows
_NEAR = 1e-9  # numeric
_AT_ONCE = 64  # numeric: limits are rounded up to a multiple, and share one computation
_RARE = 1e-14  # numeric: of a Poisson law that is left out
_STEPS = 8  # numeric: points of the distribution within the time of one packet
_LEAST = 1e-7  # numeric: probability of the tail that is cut off

Pairs = Sequence[tuple[float, float]]  # weight, time in ms


def wait_ms(residual_ms: float, load: float) -> float:
    """Mean wait behind random work of this load, which finds a residual on the wire: R / (1 - rho).

    Of all work, and all of the residual, this is the formula of Pollaczek and Khinchine. Of the
    highest class of a priority queue, and the residual of all classes, it is that of A. Cobham
    (Oper. Res. 2 (1954) 70-76); the next class waits behind this wait by the load of the first.

    >>> wait_ms(6.0, 0.5)
    12.0
    """
    return residual_ms / (1 - load)


def completions(
    sizes: Pairs, load: float, random: tuple[float, float]
) -> list[tuple[float, float]]:
    """Completion times, in which a packet and the random work above it are sent.

    The third moment keeps the lesser time above that of the packet alone, however large the packets
    above it are: they come seldom then, and each takes long.

    Parameters
    ----------
    sizes : sequence of pairs
        Weights, and times in ms of the packets alone.
    load : float
        That of the work above them.
    random : pair
        Second and third moments of the times of its packets, of all that come at random in a ms.

    Returns
    -------
    list of pairs
        Two times for each packet, with the first three cumulants of its completion time.
    """
    room, (second_ms, third_ms) = 1 - load, random
    if not second_ms:
        return [(weight, ms / room) for weight, ms in sizes]
    rows = []
    for weight, ms in sizes:
        variance_ms2 = ms * second_ms / room**3
        third_ms3 = ms * (third_ms / room**4 + 3 * second_ms**2 / room**5)
        deviation_ms = sqrt(variance_ms2)
        half = third_ms3 / variance_ms2 / deviation_ms / 2  # of the skewness
        odds = (sqrt(half**2 + 1) - half) ** 2  # of the longer time
        long = odds / (1 + odds)
        rows += [
            (weight * (1 - long), ms / room - deviation_ms * sqrt(odds)),
            (weight * long, ms / room + deviation_ms / sqrt(odds)),
        ]
    return rows


def rests_of(kinds: Pairs, mean_ms: float) -> list[Part]:
    """Rest of a packet on the wire, each kind as often as it is there, with this mean."""
    on_wire = merged([(weight * ms, ms) for weight, ms in kinds], KINDS)
    ratio = 2 * mean_ms / sum(weight * ms for weight, ms in on_wire)
    return [Part(weight, 0.0, 0.0, ms * ratio) for weight, ms in on_wire]


class NumberLaw(Struct, frozen=True):
    """Law of the number of packets at a random time.

    `at` are the probabilities of 0, 1, … packets, the last that of the limit. `residual_ms` are the
    parts of the mean rest of the packet on the wire with so many there; all of them are
    `all_residual_ms`. `starts` are the probabilities of 0, 1, … packets when one begins to be sent.
    """

    at: tuple[float, ...]
    residual_ms: tuple[float, ...]
    all_residual_ms: float
    busy: float
    passed_per_ms: float
    starts: tuple[float, ...] = ()

    @property
    def mean(self) -> float:
        """Mean number of packets."""
        return sum(number * part for number, part in enumerate(self.at))

    def behind(self, places: float) -> float:
        """Mean packets behind the one on the wire, of at most `places` packets in all."""
        return sum(min(number, places) * part for number, part in enumerate(self.at)) - self.busy

    def from_on(self, places: float) -> tuple[float, float]:
        """Probability of at least so many packets, and the residual in ms with as many there.

        Between two whole numbers of places both are interpolated.
        """
        whole = int(places)
        part = places - whole
        ends = [self._from_on(whole), self._from_on(whole + 1)] if part else [self._from_on(whole)]
        full = [(1 - part) * ends[0][i] + (part * ends[1][i] if part else 0) for i in (0, 1)]
        return full[0], full[1]

    def _from_on(self, places: int) -> tuple[float, float]:
        below = sum(self.residual_ms[:places])
        return sum(self.at[places:]), max(self.all_residual_ms - below, 0.0)


def number_law(per_ms: float, bursts: Mapping[int, float], services: Pairs, most: int) -> NumberLaw:
    """Distribution of the number of packets, limited to `most` with the one on the wire.

    Parameters
    ----------
    per_ms : float
        Arrivals per ms, each one burst.
    bursts : mapping
        Packets of a burst and its probability.
    services : sequence of pairs
        Weights, adding up to 1, and times in ms.
    most : int
        Limit; 2 or more.
    """
    mean_ms = sum(weight * ms for weight, ms in services)
    load = per_ms * mean_ms * sum(packets * part for packets, part in bursts.items())
    reach = _AT_ONCE * ceil(most / _AT_ONCE) if load < 1 else most  # above, the first ones vanish
    cuts = _cuts_of(per_ms, tuple(bursts.items()), tuple(services), reach)
    whole = sum(cuts.left[:most])
    starts = [part / whole for part in (*cuts.starts[:most], 0.0)]
    starts[most] = sum(part for packets, part in bursts.items() if packets >= most) * (
        cuts.left[0] / whole
    )
    cycle_ms = mean_ms + cuts.left[0] / whole / per_ms
    at = [cuts.left[0] / whole / per_ms / cycle_ms]
    at += [part / whole / cycle_ms for part in cuts.at_ms[1:most]]
    at.append(max(1 - sum(at), 0.0))
    second = sum(weight * ms**2 for weight, ms in services)
    return NumberLaw(
        tuple(at),
        tuple(part / whole / cycle_ms for part in cuts.residual_ms[:most]),
        second / 2 / cycle_ms,
        mean_ms / cycle_ms,
        1 / cycle_ms,
        tuple(starts),
    )


class _Cuts(Struct, frozen=True):
    """The law of 0, 1, … packets up to a factor, which the limit alone decides.

    Any limit has the same ratios: an interface with any ring has the same cuts.
    """

    left: list[float]
    starts: list[float]
    at_ms: list[float]
    residual_ms: list[float]


@question(64)
def _cuts_of(
    per_ms: float, bursts: tuple[tuple[int, float], ...], services: Pairs, most: int
) -> _Cuts:
    by_packets = dict(bursts)
    counts, times, rests = _arrivals(per_ms, by_packets, services, most + 1)
    left = _left_behind(by_packets, counts, most)
    starts = [0.0, *left[1:]]
    for packets, part in bursts:
        if packets < most:
            starts[packets] += left[0] * part
    at_ms, residual_ms = [0.0], [0.0]
    for number in range(1, most):
        before = starts[number:0:-1]
        at_ms.append(sum(map(mul, before, times)))
        residual_ms.append(sum(map(mul, before, rests)))
    return _Cuts(left, starts, at_ms, residual_ms)


def found_full(numbers: NumberLaw, others: Arrivals, services: Pairs, period_ms: float) -> float:
    """How often a packet of a periodic stream finds the limit reached.

    In the part of a service that has passed others come at random, and one of the own stream in
    each whole period.

    Parameters
    ----------
    numbers : NumberLaw
        Law of the number of all packets.
    others : Arrivals
        All packets but those of the stream.
    services : sequence of pairs
        Weights, adding up to 1, and times in ms of all packets.
    period_ms : float
        That of the stream.
    """
    most = len(numbers.at) - 1
    longest_ms = max(ms for _, ms in services)
    ended, below_ms = [0.0] * (most + 2), 0.0
    for own in range(min(ceil(longest_ms / period_ms), most)):
        passed = [(weight, min(ms, (own + 1) * period_ms)) for weight, ms in services]
        _, times, _ = _arrivals(others.per_ms, dict(others.bursts), passed, most + 1)
        inside = list(map(sub, times, ended))
        below_ms += sum(
            sum(map(mul, numbers.starts[number:0:-1], inside)) for number in range(1, most - own)
        )
        ended = times
    mean_ms = sum(weight * ms for weight, ms in services)
    return numbers.busy * max(1 - below_ms / mean_ms, 0.0)


def _left_behind(bursts: Mapping[int, float], counts: Sequence[float], most: int) -> list[float]:
    """How often a departing packet leaves 0, 1, … packets, up to `most - 1`; not normed."""
    total = sum(counts)
    reach = [total - below for below in accumulate(counts, initial=0.0)]  # at least so many
    beyond = max(1 - total, 0.0)
    reach = [min(max(part + beyond, 0.0), 1.0) for part in reach]
    left = [1.0]
    for number in range(most - 1):
        up = left[0] * sum(
            part * (reach[number + 2 - packets] if packets < number + 2 else 1.0)
            for packets, part in bursts.items()
        )
        up += sum(map(mul, left[:0:-1], reach[2:]))
        left.append(up / counts[0])
        if left[-1] > _HUGE:
            left = [part / _HUGE for part in left]
    return left


def _arrivals(
    per_ms: float, bursts: Mapping[int, float], services: Pairs, most: int
) -> tuple[list[float], list[float], list[float]]:
    """Probability of 0, 1, … packets that come in a service, ms with so many, rest at them.

    A Poisson number of bursts; `ms` is the mean time in the service at which so many have come,
    `rest` the mean rest of the service then.
    """
    longest = per_ms * max(ms for _, ms in services)
    number = int(longest + 9 * sqrt(longest) + 12)
    probability, times, rests = ([0.0] * (number + 1) for _ in range(3))
    for weight, ms in services:
        poisson = [exp(-per_ms * ms)]
        for count in range(1, number + 30):
            poisson.append(poisson[-1] * per_ms * ms / count)
        at_ms = [part / per_ms for part in _beyond(poisson)]
        rest = [part / per_ms for part in _beyond(at_ms)]
        for count in range(number + 1):
            probability[count] += weight * poisson[count]
            times[count] += weight * at_ms[count]
            rests[count] += weight * rest[count]
    if list(bursts) == [1]:
        filled = [row[: most + 1] + [0.0] * (most - number) for row in (probability, times, rests)]
        return filled[0], filled[1], filled[2]
    return _of_bursts(bursts, (probability, times, rests), most)


def _beyond(values: Sequence[float]) -> list[float]:
    """Sums of all values after each."""
    sums = [*accumulate(reversed(values[1:]), initial=0.0)]
    return sums[::-1]


def _of_bursts(
    bursts: Mapping[int, float],
    rows: tuple[list[float], list[float], list[float]],
    most: int,
) -> tuple[list[float], list[float], list[float]]:
    """The rows for packets, from those for bursts."""
    packets = [[0.0] * (most + 1) for _ in rows]
    several = {0: 1.0}  # packets of so many bursts
    for count in range(len(rows[0])):
        if not several or rows[0][count] + rows[1][count] < _RARE:
            break
        for number, part in several.items():
            for row, into in zip(rows, packets, strict=True):
                into[number] += part * row[count]
        more: dict[int, float] = {}
        for number, part in several.items():
            for burst, share in bursts.items():
                if number + burst <= most:
                    more[number + burst] = more.get(number + burst, 0.0) + part * share
        several = more
    return packets[0], packets[1], packets[2]


def exceeds(work: float, streams: int, period: float) -> float:
    """Probability that the unfinished work exceeds `work`; work and period are in packet times.

    >>> round(exceeds(0.0, 1, 4.0), 6)
    0.25
    """
    if work >= streams or not streams:
        return 0.0
    total = 0.0
    for number in range(floor(work) + 1, streams + 1):
        share = (number - work) / period
        if share > 1:
            break
        before = comb(streams, number) * share**number * (1 - share) ** (streams - number)
        total += before * (period - streams + work) / (period - number + work)
    return min(max(total, 0.0), 1.0)


def wait_parts(streams: int, period_ms: float, packet_ms: float) -> Iterator[Part]:
    """Distribution of the wait behind `streams` other streams, whose load is below 1."""
    period = period_ms / packet_ms
    above = exceeds(0.0, streams, period)
    yield Part(1 - above, 0.0, 0.0, 0.0)
    step = 0
    while above > _LEAST:
        step += 1
        after = exceeds(step / _STEPS, streams, period)
        begin_ms = (step - 1) / _STEPS * packet_ms
        yield Part(max(above - after, 0.0), begin_ms, 0.0, packet_ms / _STEPS)
        above = after


def periodic_numbers(streams: int, period_ms: float, packet_ms: float, most: int) -> NumberLaw:
    """Distribution of the number of packets in the system, for a load below 1.

    Its last entry is the probability of `most` packets or more. With each number stands the mean
    remaining time of the packet on the wire, integrated by the trapezoidal rule.
    """
    period = period_ms / packet_ms
    least = [exceeds(number, streams, period) for number in range(most + 1)]
    at, rests = [1 - least[0]], [0.0]
    for number in range(1, most):
        inside = [exceeds(number - 1 + step / _STEPS, streams, period) for step in range(1, _STEPS)]
        mean = (least[number - 1] + least[number] + 2 * sum(inside)) / 2 / _STEPS
        at.append(max(least[number - 1] - least[number], 0.0))
        rests.append(max(mean - least[number], 0.0) * packet_ms)
    at.append(max(1 - sum(at), 0.0))
    load = streams / period
    return NumberLaw(tuple(at), tuple(rests), load * packet_ms / 2, load, streams / period_ms)
