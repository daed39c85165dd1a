"""Mean delay, law and jitter of an LLQ packet behind a transmit ring, by Little's law.

A packet waits for the rest R of the packet on the wire, for the B packets behind that in the ring,
and for Q packets of its own queue. Of the B, K are of the LLQ. Little's law on the LLQ, without the
packet that is being sent, says K + Q = lambda W. So with times s_v and s_l on the wire

    W = R + (B - K) s_l + K s_v + Q s_v = (R + B s_l + Q s_l) / (1 + lambda (s_l - s_v)).

Full ring: B = N - 1 + b, where b is 1 if the packet on the wire has left the ring, else 0. Below
saturation the number law of M/G/1 gives B. With N + b = 1, B = K = 0 and W = R / (1 - rho) (A.
Cobham, Oper. Res. 2 (1954)); without limit, Q = 0 and W is that of Pollaczek and Khinchine. Q waits
for the places that are taken before it: Q = lambda (r + Q s), r the part of R in which the ring is
full, s the mean time of a place.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.analytic.law import Waiting, found_of_own, full_parts, law_of
from advisor.theory.analytic.number import wait_ms
from advisor.theory.analytic.packets import Arrivals, Met, Mix, Stream
from advisor.theory.analytic.result import Law, Terms, Values, stretched
from advisor.theory.analytic.seen import Places, Seen, seen_by

_ROUNDS = 30  # numeric: of a fixed point
_NEAR = 1e-6  # numeric: relative change at which it is found
_JITTERS = 8  # numeric: steps in which a jitter is divided
_MOST_LOAD = 0.999  # numeric: of the LLQ in the places of a ring


class RingDelay(Struct, frozen=True):
    """Delay of an LLQ packet: terms of its mean, and its law.

    `full` is how often the ring is full, `own_found` how many earlier packets of its stream a
    packet then finds, `places` the packets that the ring holds, `in_ring` those of the LLQ; `lost`
    is the part of the lower packets that find their queues full. `values` are the numbers of the
    formula.
    """

    terms: Terms
    law: Law
    full: float
    own_found: float
    places: float
    in_ring: float
    lost: float
    values: Values


def ring_delay(
    own: Stream, llq: Sequence[Stream], lower: Mix, ring: Places, below: Arrivals | None
) -> RingDelay:
    """Delay of the packets of `own`, a stream of the LLQ.

    Parameters
    ----------
    own : Stream
        The stream.
    llq : sequence of Stream
        All streams of the LLQ.
    lower : Mix
        Pieces of lower packets in the ring.
    ring : Places
        The ring.
    below : Arrivals or None
        The lower packets; None where one of their queues never empties.
    """
    met = Met(own, tuple(stream for stream in llq if stream is not own))
    seen = seen_by(met, lower, ring, below, 0.0)
    waiting = _waiting(met, lower, seen, ring)
    for _ in range(_ROUNDS):
        before_ms, before = waiting.ms, met
        met = _with_own(met, lower, seen, waiting)
        if met == before and ring.is_packets:
            break  # it finds none of its own: nothing else changes what it sees
        if below is None or not ring.is_packets:
            seen = seen_by(met, lower, ring, below, waiting.in_ring)
        after = _waiting(met, lower, seen, ring)
        waiting = replace(after, in_ring=(after.in_ring + waiting.in_ring) / 2)
        if abs(waiting.ms - before_ms) <= _NEAR * (waiting.ms + own.ms):
            break
    queue_ms = min(waiting.queue_ms, waiting.ms)
    terms = Terms(queue_ms + own.before * own.ms, waiting.ms - queue_ms, own.ms)
    law = law_of(met, lower, seen, waiting)
    law = stretched(law.parts, terms.mean_ms)
    values = _values(met, lower, seen, waiting)
    found, lost = met.own_found, seen.lost
    return RingDelay(terms, law, seen.full, found, seen.places, waiting.in_ring, lost, values)


def _values(met: Met, lower: Mix, seen: Seen, waiting: Waiting) -> Values:
    """The numbers of W = R + B s_l - K (s_p - s_v) + Q s_v, with s_p the mean time of a place.

    K is what the other numbers leave.
    """
    own_ms = met.own.ms * (1 + met.own.before)
    behind = seen.behind if seen.behind > _NEAR else 0.0  # rounding error of one place
    work_ms = seen.residual_ms + behind * lower.mean_ms + waiting.queued * met.ms
    shorter_ms = seen.place_ms - met.ms
    in_ring, queued = 0.0, waiting.queued
    if behind:
        in_ring = (work_ms - waiting.ms) / shorter_ms if shorter_ms else waiting.in_ring
    else:
        queued += (waiting.ms - work_ms) / met.ms
    return (
        ("R", seen.residual_ms),
        ("B", behind),
        ("s_l", lower.mean_ms),
        ("K", max(in_ring, 0.0)),
        ("s_p", seen.place_ms),
        ("s_v", met.ms),
        ("Q", queued),
        ("s", own_ms),
        ("lambda", sum(stream.per_ms for stream in met.streams)),
    )


def _with_own(met: Met, lower: Mix, seen: Seen, waiting: Waiting) -> Met:
    """The met packets with those of the own stream, by the law of the wait in a full ring."""
    own = met.own
    if own.period_ms is None:
        return met
    found, on_wire = found_of_own(full_parts(met, lower, seen, waiting), own)
    found, on_wire = (found + met.own_found) / 2, (on_wire + met.own_on_wire) / 2
    return replace(met, own_found=found, own_on_wire=on_wire)


def _waiting(met: Met, lower: Mix, seen: Seen, ring: Places) -> Waiting:
    """Little's law on the LLQ, in the ring and before it: the formula above, with its own packets.

    Packets of the own stream and of its burst wait ahead. Each LLQ packet is shorter than a place
    by s_p - s_v, so W = R + B s_l + Q s_p - (s_p - s_v) (own + burst + lambda W).
    """
    own_waiting = max(met.own_found - met.own_on_wire, 0.0) * seen.full
    if ring.holds_one:
        return _of_one_place(met, seen, own_waiting)
    shorter_ms = seen.place_ms - met.ms
    queue_ms, queued = _queue(met, lower, seen, shorter_ms)
    queued += _own_queued(met, seen, own_waiting)
    burst_packets = met.before * met.own.ms
    waited_ms = seen.residual_ms + seen.behind * lower.mean_ms + queued * seen.place_ms
    waited_ms -= shorter_ms * (own_waiting + burst_packets)
    taken = 1 + met.per_ms * shorter_ms * seen.counted
    if waited_ms > seen.all_ms * taken and not met.before:
        over_ms = waited_ms - seen.all_ms * taken
        queued = max(queued - over_ms / seen.place_ms, 0.0)
        waited_ms = seen.all_ms * taken
    waited_ms = max(waited_ms / taken, 0.0)
    found = met.per_ms * waited_ms + burst_packets + own_waiting
    return Waiting(waited_ms, queue_ms, queued, max(found - queued, 0.0))


def _of_one_place(met: Met, seen: Seen, own_queued: float) -> Waiting:
    """All that wait are in the queue (A. Cobham, Oper. Res. 2 (1954)).

    Of n streams of one period, a packet meets n - 1, and each of these n - 2.
    """
    waited_ms = wait_ms(seen.residual_ms + met.before * met.ms**2, met.load)
    if met.rates is not None:
        waited_ms = seen.residual_ms
        for per_ms in met.rates:
            waited_ms = seen.residual_ms + per_ms * waited_ms * met.ms
    waited_ms += own_queued * met.own.ms
    return Waiting(waited_ms, waited_ms, met.per_ms * waited_ms, 0.0)


def _queue(met: Met, lower: Mix, seen: Seen, shorter_ms: float) -> tuple[float, float]:
    """Mean wait for a place of the ring, and packets that wait for one: Q = lambda (r + Q s).

    r is `full_residual_ms`, s is `place_ms`: a place that is left is taken by a lower packet, or by
    one of the LLQ in its share of the places. A burst brings packets that wait for each other.
    """
    share = met.per_ms * lower.mean_ms / (1 + met.per_ms * shorter_ms)  # of the LLQ in places
    place_ms = lower.mean_ms - min(share, 1.0) * (lower.mean_ms - met.ms)
    if met.rates is not None:
        queued, waited_ms = 0.0, seen.full_residual_ms
        for per_ms in met.rates:  # what the last of so many streams finds, from the first on
            queued = per_ms * waited_ms
            waited_ms = seen.full_residual_ms + queued * place_ms
        return waited_ms, queued
    brought_ms = met.before * place_ms * seen.full / met.per_ms
    load = min(met.per_ms * place_ms, _MOST_LOAD)
    waited_ms = wait_ms(seen.full_residual_ms + brought_ms, load)
    return waited_ms, met.per_ms * waited_ms


def _own_queued(met: Met, seen: Seen, own_waiting: float) -> float:
    """Packets of the own stream that still wait for a place.

    A periodic stream sends one each period, so it meets those that came while the packet on the
    wire was sent. That time is spread evenly from 0 to `longest_ms`, in proportion to the packet.
    """
    if met.own.period_ms is None or own_waiting <= 0:
        return 0.0
    mean_ms = seen.full_residual_ms / seen.full
    second = sum(weight * ms**2 for weight, ms in seen.lower_kinds)
    first = sum(weight * ms for weight, ms in seen.lower_kinds)
    found = 0.0
    for weight, ms in seen.lower_kinds:
        longest_ms = ms * 2 * mean_ms * first / second
        periods = range(1, int(longest_ms / met.own.period_ms) + 1)
        rests = sum(1 - period * met.own.period_ms / longest_ms for period in periods)
        found += weight * ms / first * rests
    return min(found * seen.full, own_waiting)


def turned_ms(moved_ms: float, slot_ms: float, jitter_ms: float) -> float:
    """Mean difference of the residuals at two phases of a slot, `moved_ms` and a jitter apart."""
    steps = range(1 - _JITTERS, _JITTERS)
    weights = [_JITTERS - abs(step) for step in steps]
    parts = [((moved_ms + jitter_ms * step / _JITTERS) / slot_ms) % 1.0 for step in steps]
    turned = sum(
        weight * 2 * part * (1 - part) for weight, part in zip(weights, parts, strict=True)
    )
    return slot_ms * turned / sum(weights)
