"""Delays behind a shaper of all traffic, while a lower class always has packets waiting.

On the *line*, a wire of the shaper's rate in the bytes that it counts, tokens are times: `Bc` is
`Tc`. Lower packets follow each other on it, and the tokens that are left when the next one has too
few, the `level`, are a place in that packet, as even as that of a renewal process: uniform from
what the packet before left, over the time of the next. A packet of the LLQ takes its tokens from
the level. If they are not there, it waits for them: to the next `Tc`, or as they come. What a `Tc`
lets pass at once stands on the wire and in the ring.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import comb, exp, floor, sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import ms_from_s
from advisor.model import Refill, Shaper
from advisor.theory.analytic.number import wait_parts
from advisor.theory.analytic.packets import Pairs, Stream, merged
from advisor.theory.analytic.result import Law, Part, Terms, Values, stretched

_STEPS = 32  # numeric: of the time between two Tc
_NEAR = 1e-9  # numeric
_RARE = 1e-5  # numeric: numbers of packets that are left out
_ROUNDS = 3  # numeric: of packets that wait for a Tc, and lengthen its burst
_GEOMETRIC = 8  # numeric: packets of a queue that are told apart


class Level(Struct, frozen=True):
    """Tokens that are left: uniform over `width_ms` from `least_ms`; `part` of the time."""

    part: float
    least_ms: float
    width_ms: float

    def below(self, ms: float) -> float:
        """How often there are fewer than so many."""
        return min(max((ms - self.least_ms) / self.width_ms, 0.0), 1.0)


class Wire(Struct, frozen=True):
    """The wire behind a shaper: times of lower packets, places of ring and wire, the LLQ's load."""

    sizes: tuple[tuple[float, float], ...]
    places: int
    llq_load: float

    @property
    def mean_ms(self) -> float:
        return sum(weight * ms for weight, ms in self.sizes)

    @property
    def residual_ms(self) -> float:
        """Mean rest of a packet that is being sent."""
        return sum(weight * ms**2 for weight, ms in self.sizes) / 2 / self.mean_ms


class Line(Struct, frozen=True):
    """The shaper as a line: lower packets, LLQ streams, depth of the bucket, Tc (0: smooth)."""

    sizes: tuple[tuple[float, float], ...]
    streams: tuple[Stream, ...]
    depth_ms: float
    step_ms: float
    wire: Wire

    @property
    def llq_load(self) -> float:
        return sum(stream.load for stream in self.streams)

    @property
    def packets(self) -> float:
        """Lower packets in a Tc."""
        return self.step_ms * (1 - self.llq_load) / self.mean_ms

    @property
    def mean_ms(self) -> float:
        return sum(weight * ms for weight, ms in self.sizes)

    @property
    def levels(self) -> list[Level]:
        """A packet longer than the bucket passes when that is full, and leaves a debt."""
        return [
            Level(weight * ms / self.mean_ms, min(ms, self.depth_ms) - ms, ms)
            for weight, ms in self.sizes
        ]


def line_of_tokens(shaper: Shaper, sizes: Pairs, streams: Sequence[Stream], wire: Wire) -> Line:
    """The line of a shaper, from lower packets and LLQ streams in its times."""
    bits = shaper.committed_bits + shaper.excess_bits
    step_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    return Line(merged(sizes), tuple(streams), ms_from_s(bits / shaper.rate_bps), step_ms, wire)


class ShapedDelay(Struct, frozen=True):
    """Delay of a class: terms of its mean, its law, the numbers of the formula.

    `ends_ms` are the means of packets that come at the best and at the worst place of a Tc.
    """

    terms: Terms
    law: Law
    values: Values
    ends_ms: tuple[float, float]


class _Waits(Struct, frozen=True):
    """Waits for tokens, and for the wire; others do not wait. `most_ms` is the longest mean."""

    tokens: tuple[Part, ...]
    wire: tuple[Part, ...]
    most_ms: float = 0.0

    def mean_ms(self, weight: float) -> float:
        """Mean of these waits, of packets of this weight that wait or not."""
        waits = (*self.tokens, *self.wire)
        return sum(part.weight * (part.begin_ms + part.width_ms / 2) for part in waits) / weight


def llq_delay(line: Line, own: Stream, own_wire_ms: float) -> ShapedDelay:
    """Delay of a class of the LLQ; `own_wire_ms` is the mean time of its packet on the wire."""
    waits = _stepped(line, own, own_wire_ms) if line.step_ms else _smooth(line, own)
    lacking, waited_ms = _weight_and_mean(waits.tokens)
    busy, ahead_ms = _weight_and_mean(waits.wire)
    terms = Terms(0.0, busy * ahead_ms, own_wire_ms, lacking * waited_ms)
    none = Part(max(1 - lacking - busy, 0.0), 0.0, 0.0, 0.0)
    law = Law((none, *waits.tokens, *waits.wire)).later(own_wire_ms)
    values = (("p", lacking), ("w", waited_ms), ("q", busy), ("r", ahead_ms), ("s", own_wire_ms))
    most_ms = max(waits.most_ms, terms.mean_ms - own_wire_ms)
    return ShapedDelay(terms, law, values, (own_wire_ms, own_wire_ms + most_ms))


def _weight_and_mean(parts: Iterable[Part]) -> tuple[float, float]:
    rows = [(part.weight, part.begin_ms + part.width_ms / 2) for part in parts]
    weight = sum(part for part, _ in rows)
    return weight, sum(part * ms for part, ms in rows) / weight if weight else 0.0


# Tokens that come once in a Tc.


def _stepped(line: Line, own: Stream, own_wire_ms: float) -> _Waits:
    """Waits in all of a Tc; packets that wait for tokens go first in the next one."""
    waits, waiting_ms = _Waits((), ()), 0.0
    for _ in range(_ROUNDS):
        tokens: list[Part] = []
        wire: list[Part] = []
        most_ms = 0.0
        for share, packets, levels in _branches(line):
            sent_ms = packets * line.wire.mean_ms + waiting_ms
            burst_ms = min(sent_ms / (1 - line.wire.llq_load), line.step_ms)
            of_tc = _TokenStep(line, own, own_wire_ms, burst_ms, share, tuple(levels))
            slices = list(of_tc.slices())
            wire += of_tc.full
            for each in slices:
                tokens += each.tokens
                wire += each.wire
            most_ms += share * max(each.mean_ms(of_tc.slice_weight) for each in slices)
        waits = _Waits(tuple(tokens), tuple(wire), most_ms)
        waiting_ms = _weight_and_mean(tokens)[0] * line.step_ms * line.wire.llq_load
    return waits


def _branches(line: Line) -> Iterator[tuple[float, int, list[Level]]]:
    """How often so many lower packets pass at the begin of a Tc, and the levels that they leave.

    Of one size, the low levels are those after one packet more.
    """
    few = floor(line.packets)
    more = line.packets - few
    for share, packets in ((1 - more, few), (more, few + 1)):
        levels = line.levels
        if share < _NEAR:
            continue
        if len(levels) == 1:
            (level,) = levels
            least_ms = level.least_ms + (more * level.width_ms if packets == few else 0.0)
            levels = [Level(1.0, least_ms, share * level.width_ms)]
        yield share, packets, levels


class _TokenStep(Struct, frozen=True):
    """A Tc at whose begin the wire is busy for `burst_ms`, and the levels that it leaves."""

    line: Line
    own: Stream
    own_wire_ms: float
    burst_ms: float
    share: float
    levels: tuple[Level, ...]

    @property
    def entered_ms(self) -> float:
        """When the last lower packet of the burst has entered the ring."""
        wire = self.line.wire
        return max(self.burst_ms - wire.places * wire.mean_ms, 0.0)

    @property
    def full(self) -> tuple[Part, ...]:
        """Waits of packets that come while lower ones wait for a place in the ring."""
        wire = self.line.wire
        weight = self.share * self.entered_ms / self.line.step_ms
        return (Part(weight, (wire.places - 1) * wire.mean_ms, 0.0, 2 * wire.residual_ms),)

    @property
    def slice_weight(self) -> float:
        """Part of the packets that comes in a slice."""
        return self.share * (1 - self.entered_ms / self.line.step_ms) / _STEPS

    def slices(self) -> Iterator[_Waits]:
        """Waits of packets that come later, by the time at which they come."""
        tc_ms, entered_ms = self.line.step_ms, self.entered_ms
        width_ms, weight = (tc_ms - entered_ms) / _STEPS, self.slice_weight
        for step in range(_STEPS):
            begin_ms = entered_ms + step * width_ms
            end_ms = begin_ms + width_ms
            rows = self._lacking(begin_ms + width_ms / 2 - entered_ms)
            tokens = tuple(
                Part(weight * part, number * tc_ms - end_ms + behind_ms / part, 0.0, width_ms)
                for number, (part, behind_ms) in rows.items()
            )
            passed = weight * max(1 - sum(part for part, _ in rows.values()), 0.0)
            left_ms = max(self.burst_ms - end_ms, 0.0)
            is_busy = self.burst_ms > begin_ms
            wire = Part(passed * is_busy, left_ms, 0.0, min(width_ms, self.burst_ms))
            yield _Waits(tokens, (wire,))

    def _lacking(self, passed_ms: float) -> dict[int, tuple[float, float]]:
        """By the number of Tc that bring the tokens: how often, and times of calls ahead by then.

        Half of the packets that came before wait too, in the mean.
        """
        line, own = self.line, self.own
        rows: dict[int, tuple[float, float]] = {}
        for probability, packets, taken_ms in _ahead(line, own, passed_ms):
            needed_ms = min(own.ms, line.depth_ms) + taken_ms
            number, lacking = 1, _lacking(self.levels, needed_ms)
            while lacking > _RARE:
                after = _lacking(self.levels, needed_ms - number * line.step_ms)
                part = probability * (lacking - after)
                weight, behind_ms = rows.get(number, (0.0, 0.0))
                behind_ms += part * packets / 2 * self.own_wire_ms
                rows[number] = (weight + part, behind_ms)
                number, lacking = number + 1, after
        return {number: row for number, row in rows.items() if row[0] > _NEAR}


def _lacking(levels: Iterable[Level], needed_ms: float) -> float:
    return sum(level.part * level.below(needed_ms) for level in levels)


def _ahead(line: Line, own: Stream, passed_ms: float) -> Iterator[tuple[float, int, float]]:
    """Packets of the LLQ that came before in this Tc: probability, number, tokens of them."""
    others = [stream for stream in line.streams if stream is not own]
    rate = sum(stream.per_ms for stream in others) + own.per_ms * (own.period_ms is None)
    load = sum(stream.load for stream in others) + own.load * (own.period_ms is None)
    calls = _calls(own, passed_ms) if own.period_ms is not None else [(1.0, 0)]
    for probability, met in _poisson(rate * passed_ms):
        for part, number in calls:
            taken_ms = met * load / rate if met else 0.0
            yield probability * part, met + number, taken_ms + number * own.ms


def _poisson(mean: float) -> Iterator[tuple[float, int]]:
    least = max(int(mean - 5 * sqrt(mean)), 0)
    part, number = exp(-mean), 0
    while number < least or part > _RARE or number <= mean:
        if number >= least:
            yield part, number
        number += 1
        part *= mean / number


def _calls(own: Stream, passed_ms: float) -> list[tuple[float, int]]:
    """Earlier packets of calls: the own one, and of each other one or not one more."""
    whole, rest = divmod(passed_ms / (own.period_ms or passed_ms), 1.0)
    others, before = own.number - 1, int(whole) * own.number
    return [
        (comb(others, more) * rest**more * (1 - rest) ** (others - more), before + more)
        for more in range(others + 1)
    ]


# Tokens that come as time goes.


def _smooth(line: Line, own: Stream) -> _Waits:
    """Waits for tokens that come as time goes, and for the lower packet on the wire.

    The level grows from what a lower packet left, less what the LLQ takes: it is the level without
    an LLQ, less the unfinished work of the LLQ alone on the line, both independent (the transform
    of the level is the product of theirs). A packet waits for its own tokens and that work, less
    the level; and for the wire, if that is longer.
    """
    tokens: list[Part] = []
    wire: list[Part] = []
    for work, level, (weight, busy_ms) in product(_work(line, own), line.levels, line.wire.sizes):
        needed_ms = min(own.ms, line.depth_ms) + work.begin_ms - level.least_ms
        longest_ms = max(needed_ms, busy_ms)
        width_ms = min(longest_ms, level.width_ms)
        often = work.weight * level.part * weight * width_ms / level.width_ms
        part = Part(often, longest_ms - width_ms, work.deviation_ms, width_ms)
        (tokens if needed_ms >= busy_ms else wire).append(part)
    return _Waits(tuple(tokens), tuple(wire))


def _work(line: Line, own: Stream) -> Iterator[Part]:
    """Unfinished work of the LLQ alone on the line, without the packet itself."""
    others = [stream for stream in line.streams if stream is not own]
    if own.period_ms is not None and not others:
        for part in wait_parts(own.number - 1, own.period_ms, own.ms):
            yield replace(part, begin_ms=part.begin_ms + part.width_ms / 2, width_ms=0.0)
        return
    load = line.llq_load
    residual_ms = sum(stream.moment_ms(2) for stream in line.streams) / 2 / load
    share = 1.0
    for number in range(_GEOMETRIC):
        weight = share if number == _GEOMETRIC - 1 else share * (1 - load)
        deviation_ms = sqrt(number / 3) * residual_ms
        yield Part(weight, number * residual_ms, deviation_ms, 0.0)
        share *= load


# A class whose queue never empties.


def backlog_delay(
    line: Line, kept: float, share: float, own: tuple[float, float], variance_ms2: float
) -> ShapedDelay:
    """Delay of a class that keeps `kept` packets, and gets this share of the line.

    Little's law on its queue, then the packets that a Tc lets pass before it, up to a full ring.

    Parameters
    ----------
    line : Line
        The shaper.
    kept : float
        Packets that wait.
    share : float
        Its part of the line.
    own : pair of float
        Mean times of its packet on the line and on the wire.
    variance_ms2 : float
        Variance of the time in which the queue sends them all.
    """
    line_ms, wire_ms = own
    queue_ms, ring_ms = kept * line_ms / share, _in_ring_ms(line)
    terms = Terms(0.0, ring_ms, wire_ms, queue_ms)
    times_ms = [terms.mean_ms]
    if line.step_ms:
        later = kept * line.packets * line_ms / share / line.step_ms
        times_ms = [wire_ms + ms for ms in _between_tcs(line, later)]
    deviation_ms = sqrt(variance_ms2)
    parts = [Part(1 / len(times_ms), ms, deviation_ms, 0.0) for ms in times_ms]
    values = (("k", kept), ("l", line_ms), ("c", share), ("r", ring_ms), ("s", wire_ms))
    ends_ms = (terms.mean_ms, terms.mean_ms)
    return ShapedDelay(terms, stretched(parts, terms.mean_ms), values, ends_ms)


def _between_tcs(line: Line, later: float) -> list[float]:
    """Times from the entry of a lower packet in the ring to when one so many `later` is sent.

    Those of a Tc enter at once, as far as the ring has places, and are sent one after the other.
    """
    packets, wire, times_ms = line.packets, line.wire, []
    for step in range(_STEPS):
        first = packets * (step + 0.5) / _STEPS
        tcs, last = divmod(first + later, packets)
        entered_ms = max(int(first) - wire.places + 1, 0) * wire.mean_ms
        times_ms.append(tcs * line.step_ms + int(last) * wire.mean_ms - entered_ms)
    return times_ms


def _in_ring_ms(line: Line) -> float:
    """Mean wait of a lower packet in the ring, among those that a Tc lets pass at once."""
    if not line.step_ms:
        return 0.0
    few = floor(line.packets)
    more, waits = line.packets - few, 0.0
    for share, packets in ((1 - more, few), (more, few + 1)):
        inside = min(packets, line.wire.places)
        ahead = inside * (inside - 1) / 2 + (packets - inside) * (line.wire.places - 1)
        waits += share * ahead
    return waits / line.packets * line.wire.mean_ms
