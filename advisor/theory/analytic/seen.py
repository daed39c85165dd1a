"""The system state that an arriving LLQ packet finds: wire, ring, and packets of its own stream.

Poisson packets find what is there at a random time (PASTA). A packet of a periodic stream finds no
other one of its stream, if it waits less than a period; n streams of a period meet with phases at
random, so one of them finds what n - 1 streams make at a random time.
"""

from collections.abc import Iterator
from math import ceil, exp, expm1, inf

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.analytic.number import (
    NumberLaw,
    completions,
    exceeds,
    number_law,
    periodic_numbers,
)
from advisor.theory.analytic.packets import Arrivals, Met, Mix, merged
from advisor.theory.ring import Ring, Size, units_held

_NEAR = 1e-9  # numeric
_NEVER = 1e-6  # numeric
_MOST_VOICES = 60  # numeric: LLQ packets in a ring of particles
MOST_NUMBERS = 400  # numeric: packets that the number law tells apart
_FORGOTTEN = 500.0  # numeric: relaxations in a period after which nothing is left


class Places(Struct, frozen=True):
    """A ring: its limit in packets or in particles.

    `beside_wire` is 1 where the packet on the wire has left the ring, else 0.
    """

    limit: int
    is_packets: bool = True
    beside_wire: int = 0

    @property
    def holds_one(self) -> bool:
        """Whether no packet waits in the ring."""
        return self.limit + self.beside_wire <= 1

    def taken(self, units: float, lower_units: float) -> float:
        """Places of lower packets that an LLQ packet of so many units takes."""
        return 1.0 if self.is_packets or self.holds_one else units / lower_units


class Seen(Struct, frozen=True):
    """The state that an arriving LLQ packet finds.

    `place_ms` is the time of lower packets in the place of one of the LLQ. `behind` are the packets
    behind the one on the wire, as long as lower ones: LLQ packets count for the places they take.
    With probability `full` all `places` are taken; `full_residual_ms` is
    that part of `residual_ms`, the rest of the packet on the wire. `lower_kinds` are packets a ms,
    or only their ratios, and times. `not_full` has the probability of 0, 1, … packets in a ring
    that is not full, and the mean rest on the wire with so many.
    """

    places: float
    place_ms: float
    residual_ms: float
    behind: float
    lower_kinds: tuple[tuple[float, float], ...]
    lower_residual_ms: float
    full: float = 1.0
    full_residual_ms: float = 0.0
    idle: float = 0.0
    not_full: tuple[tuple[float, float], ...] = ()
    mean_ms: float = 0.0  # of a packet in a ring that is not full
    variance_ms2: float = 0.0  # of these times
    counted: float = 1.0  # part of the time in which `behind` counts packets of the LLQ too
    lost: float = 0.0  # part of the lower packets that find their queues full
    all_ms: float = inf  # mean time of all work before the wire; the LLQ waits for no more

    @property
    def not_full_ms(self) -> float:
        """Part of the mean wait in which the ring is not full."""
        return sum(
            weight * (rest_ms + max(number - 1, 0) * self.mean_ms)
            for number, (weight, rest_ms) in enumerate(self.not_full)
        )


def seen_by(met: Met, lower: Mix, ring: Places, below: Arrivals | None, in_ring: float) -> Seen:
    """The state that a packet of `met.own` finds, with `in_ring` LLQ packets behind the wire.

    If `below` is None, a lower queue never empties, and packets of `lower` fill the ring.
    """
    places = places_of(met, lower, ring, in_ring)
    place_ms = ring.taken(met.units, lower.units) * lower.mean_ms
    if below is not None:
        return _below_saturation(met, places, place_ms, below)
    on_wire = min(met.load + met.own_on_wire, 1.0)
    lower_ms = (1 - on_wire) * lower.residual_ms
    residual_ms = lower_ms + met.load * met.second_ms2 / 2 / met.ms
    residual_ms += met.own_on_wire * met.own.ms / 2
    rate = max(1 - on_wire, _NEAR) / lower.mean_ms
    kinds = tuple((rate * kind.weight, kind.ms) for kind in lower.kinds)
    return Seen(places, place_ms, residual_ms, places - 1, kinds, lower_ms, 1.0, residual_ms)


def _below_saturation(met: Met, places: float, place_ms: float, below: Arrivals) -> Seen:
    """By the number law; the own stream slows the wire as far as it remembers a period.

    Beside periodic lower packets all of the LLQ slows it.
    """
    if below.periodic is not None:
        return _beside_periodic(met, places, place_ms, below, below.periodic)
    slower = 1 / (1 - _remembered(met, below))
    rows = [(weight * below.packets_per_ms, ms * slower) for weight, ms in below.sizes]
    services = merged([*rows, *((rate, ms * slower) for rate, ms in met.sizes)])
    per_ms = below.per_ms + met.per_ms
    bursts = {packets: part * below.per_ms / per_ms for packets, part in below.bursts}
    bursts[1] = bursts.get(1, 0.0) + met.per_ms / per_ms
    numbers = number_law(per_ms, bursts, services, _told_apart(below.limit + ceil(places)))
    mean_ms = sum(weight * ms for weight, ms in services) / slower
    second = sum(weight * (ms / slower) ** 2 for weight, ms in services)
    seen = _by_numbers(numbers, (places, place_ms), below, slower, (mean_ms, second))
    return _with_all_of_llq(met, numbers, seen, below, slower)


def _with_all_of_llq(
    met: Met, numbers: NumberLaw, seen: Seen, below: Arrivals, slower: float
) -> Seen:
    """The same, where full queues lose lower packets and none of the LLQ.

    With one place the lower queue is a queue of its own, whose packets take completion times.
    """
    llq_busy = min(met.load * slower, numbers.busy)
    busy, lost = numbers.busy, numbers.at[-1]
    if seen.places <= 1 and lost > _NEVER:
        lost = _lost_below(met, below, slower)
        busy = min(llq_busy + below.load * slower * (1 - lost), 1.0)
    lower_ms = (busy - llq_busy) * below.residual_ms
    residual_ms = lower_ms + (llq_busy * met.second_ms2 / 2 / met.ms if met.load else 0.0)
    ratio = residual_ms / seen.residual_ms
    return replace(
        seen,
        idle=1 - busy,
        lost=lost,
        residual_ms=residual_ms,
        lower_residual_ms=lower_ms,
        full_residual_ms=seen.full_residual_ms * ratio,
        not_full=tuple((weight, rest_ms * ratio) for weight, rest_ms in seen.not_full),
        all_ms=residual_ms + (numbers.mean - numbers.busy) * seen.mean_ms,
    )


def _lost_below(met: Met, below: Arrivals, slower: float) -> float:
    """Part of the lower packets that find their queue full, where one is sent or waits to be."""
    load = met.load * slower
    second_ms, third_ms = (
        sum(rate * (ms * slower) ** power for rate, ms in met.sizes) for power in (2, 3)
    )
    sizes = [(weight, ms * slower) for weight, ms in below.sizes]
    services = merged(completions(sizes, load, (second_ms, third_ms)))
    numbers = number_law(below.per_ms, dict(below.bursts), services, _told_apart(below.limit + 1))
    return 1 - min(numbers.passed_per_ms / below.packets_per_ms, 1.0)


def _told_apart(packets: int) -> int:
    return min(max(packets, 2), MOST_NUMBERS)


def _beside_periodic(
    met: Met, places: float, place_ms: float, below: Arrivals, periodic: tuple[int, float]
) -> Seen:
    streams, period_ms = periodic
    own = met.own
    own_load = own.ms / own.period_ms if own.period_ms is not None else 0.0
    slower = 1 / (1 - met.load - own_load)
    numbers = periodic_numbers(
        streams, period_ms, below.mean_ms * slower, _told_apart(ceil(places) + 1)
    )
    moments = (below.mean_ms, below.mean_ms**2)
    seen = _by_numbers(numbers, (places, place_ms), below, slower, moments)
    met_ms = met.load * met.second_ms2 / 2 / met.ms
    if places > 1:
        if own.period_ms is None:
            # They wait for each other, and for lower packets that wait for some of them.
            met_ms *= (1 + below.load * slower) * slower
        return replace(seen, residual_ms=seen.residual_ms + met_ms, counted=seen.full)
    # In the completion time of a lower packet, the wire also sends others of the LLQ.
    on_wire = 1 - met.load / (1 - own_load)
    return replace(
        seen,
        residual_ms=seen.residual_ms * on_wire + met_ms,
        lower_residual_ms=seen.lower_residual_ms * on_wire,
        full_residual_ms=seen.residual_ms * on_wire + met_ms,
        idle=seen.idle * (1 - met.load),
        lost=_lost_of_periodic(met, below, streams, period_ms / below.mean_ms / slower),
    )


def _lost_of_periodic(met: Met, below: Arrivals, streams: int, period: float) -> float:
    """How often streams of a period, or random work of the LLQ, fill a queue at most."""
    lost = exceeds(below.limit, streams, period)
    left = 1 - streams / period
    if left <= 0 or not met.load:
        return 1.0 if left <= 0 else lost
    return lost + exp(-2 * left * below.limit * below.mean_ms / met.second_ms2 / met.per_ms)


def _by_numbers(
    numbers: NumberLaw,
    ring: tuple[float, float],
    below: Arrivals,
    slower: float,
    moments: tuple[float, float],
) -> Seen:
    """The state found by the number law of packets, for a wire slowed by the factor `slower`."""
    (places, place_ms), (mean_ms, second) = ring, moments
    full, full_residual_ms = numbers.from_on(places)
    kinds = tuple((weight * below.packets_per_ms, ms) for weight, ms in below.sizes)
    return Seen(
        places,
        place_ms,
        numbers.all_residual_ms / slower,
        max(numbers.behind(places), 0.0),
        kinds,
        sum(rate * ms**2 for rate, ms in kinds) / 2 * slower,
        full,
        full_residual_ms / slower,
        numbers.at[0],
        tuple(_not_full(numbers, places, slower)),
        mean_ms,
        max(second - mean_ms**2, 0.0),
    )


def _not_full(numbers: NumberLaw, places: float, slower: float) -> Iterator[tuple[float, float]]:
    for number in range(min(ceil(places), len(numbers.at))):
        weight = numbers.at[number]
        yield weight, (numbers.residual_ms[number] / slower / weight if weight > _NEAR else 0.0)


def _remembered(met: Met, below: Arrivals) -> float:
    """Load of the own stream, as far as the work on the wire remembers one of its packets."""
    own = met.own
    if own.period_ms is None:
        return 0.0
    residual_ms = (below.second_ms + met.per_ms * met.second_ms2) / 2
    return remembered(own.ms, own.period_ms, met.load + below.load, residual_ms)


def remembered(own_ms: float, period_ms: float, load: float, residual_ms: float) -> float:
    """Load of a periodic stream, as far as the work on the wire remembers one of its packets.

    A packet more leaves its work until the wire is idle: in a mean time t = E[V] / (1 - rho), if
    the wire is busy at all. Over all earlier packets of a period T, with x = rho T / t, this is
    x / (exp(x) - 1) of the load. `load` and `residual_ms`, which is (1 - rho) E[V], are of all
    other packets.
    """
    own_load, idle = own_ms / period_ms, 1 - load
    if idle <= 0:
        return own_load
    forgets = load * period_ms * idle**2 / residual_ms if residual_ms else _FORGOTTEN
    if forgets <= _NEAR:
        return own_load
    return own_load * forgets / expm1(forgets) if forgets < _FORGOTTEN else 0.0


def places_alone(lower: Mix, ring: Places) -> float:
    """Places of the ring and the wire, which hold lower packets alone.

    A packet is let in while fewer units than the limit are used. Packets of one size fill it up to
    a whole number of them, those of several up to the mean overshoot.
    """
    sizes = [Size(kind.weight, kind.ms, kind.units) for kind in lower.kinds]
    return _places(lower, ring, units_held(Ring(ring.limit), sizes))


def places_of(met: Met, lower: Mix, ring: Places, in_ring: float) -> float:
    """The same, where LLQ packets in the ring take theirs of the places."""
    units = {kind.units for kind in lower.kinds}
    if ring.is_packets or ring.holds_one or len(units) > 1:
        return places_alone(lower, ring)
    (each,) = units
    held = 0.0
    for voices, part in _poisson(in_ring):
        taken = voices * met.units
        held += part * (taken + each * ceil(max(ring.limit - taken, 0.0) / each))
    return _places(lower, ring, held)


def _places(lower: Mix, ring: Places, held: float) -> float:
    if ring.is_packets or ring.holds_one:
        return float(ring.limit + ring.beside_wire)
    on_wire = 0.0 if ring.beside_wire else lower.units_on_wire
    return 1 + max(held - on_wire, 0.0) / lower.units


def _poisson(mean: float) -> Iterator[tuple[int, float]]:
    part = exp(-mean)
    for number in range(_MOST_VOICES):
        yield number, part
        part *= mean / (number + 1)
