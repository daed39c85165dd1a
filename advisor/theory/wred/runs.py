"""Replications of an interface with TCP flows, until shares, delays and losses are known.

Windows take seconds to settle whatever the rate, so a replication runs in time. Its length follows
the number of packets, never the clock of the machine: the same numbers give the same answer.
"""

from collections.abc import Sequence
from math import sqrt

from msgspec import Struct

from advisor.ground.units import s_from_ms
from advisor.model import Interface, Tcp, Traffic
from advisor.theory.kernel import machine
from advisor.theory.kernel.threads import Measured
from advisor.theory.wred import numbers_of_wred, packet_wire_ms, shaped_ratio

BATCHES = 4  # of a replication, one after the other
_T = {16: 2.131, 32: 2.040, 48: 2.012}  # Student's, for 95 %, by the batches
_START_WITHIN_MS = 5_000.0  # flows begin one after the other
# Time that windows take to settle: no less and no more than these.
_WARM_LEAST_MS, _WARM_MOST_MS = 10_000.0, 60_000.0
_LEAST_MS = 5_000.0  # of a batch: several timeouts
# Half-widths of 95 % at which the rounds end: of a share, relative of a delay, of a loss ratio.
_KNOWN_SHARE, _KNOWN_DELAY, _KNOWN_LOSS = 0.015, 0.04, 0.2
_RARE_LOSS = 0.002  # numeric: a loss ratio below it need not be known as well
_LEAST_SHARE = 1e-6  # numeric: of the link, of a group that counts
_GROUP_NUMBERS, _QUEUE_NUMBERS = len(Measured.__struct_fields__), 4


class Effort(Struct, frozen=True):
    """How long an interface is run. Replications of a round; packets of each, and of its batches.

    The warm-up has `warm_packets`, and on a fast line as many as come in 10 s, up to
    `warm_most_packets`. A batch of the first round has `packets`, and on a fast line as many as
    come in 5 s, up to `most_packets`; each round is twice as long as the last.
    """

    replications: int
    warm_packets: int
    warm_most_packets: int
    packets: int
    most_packets: int
    rounds: int


FULL = Effort(4, 12_500, 100_000, 6_250, 50_000, rounds=3)
# An end of an unknown input: its own interval is wider, and no digit of it is printed as a value.
BRIEF = Effort(4, 4_000, 10_000, 3_500, 5_000, rounds=1)


class GroupCounts(Struct, frozen=True):
    """A group in one replication: packets offered, dropped, sent; their delays, time on wire."""

    offered: float
    tail_dropped: float
    dropped: float
    sent: float
    delay_ms: float
    work_ms: float


class QueueCounts(Struct, frozen=True):
    """A queue in one replication: mean packets; the average that arrivals saw, squared, above max.

    `above_ratio` is the part of the arrivals that found the average above every maximum threshold.
    """

    packets: float
    average_packets: float
    average_squared: float
    above_ratio: float


class Batch(Struct, frozen=True):
    """Counts of one batch in its measured time; groups in the order of the traffic."""

    measured_ms: float
    groups: tuple[GroupCounts, ...]
    queues: tuple[QueueCounts, ...]


class RatioEstimate(Struct, frozen=True):
    """A ratio with the half-width of its 95 % confidence interval."""

    value: float
    half_width: float


def ratio(parts: Sequence[float], wholes: Sequence[float]) -> RatioEstimate:
    """Ratio of two sums over independent replications, with its confidence interval.

    The variance is that of the residuals (W. Cochran, Sampling Techniques, 1977, section 6.4).

    >>> ratio([1.0] * 16, [2.0] * 16)
    RatioEstimate(value=0.5, half_width=0.0)
    """
    whole, count = sum(wholes), len(wholes)
    if whole <= 0:
        return RatioEstimate(0.0, 0.0)
    value = sum(parts) / whole
    squares = sum((part - value * all_) ** 2 for part, all_ in zip(parts, wholes, strict=True))
    deviation = sqrt(squares * count / (count - 1)) / whole
    return RatioEstimate(value, _T[count] * deviation)


def replications(interface: Interface, effort: Effort) -> tuple[Batch, ...]:
    """Batches of replications of the interface, until all figures are precise, or a limit is met.

    Each round has longer replications than the last, with seeds of their own; they are the same
    for all interfaces.
    """
    traffic, queues = interface.traffic, len(interface.queues)
    count = machine.load(numbers_of_wred(interface))
    machine.call("closed_read_interface", count, len(traffic), queues)
    per_ms = _packets_per_ms(interface)
    warm_ms = min(max(effort.warm_packets / per_ms, _WARM_LEAST_MS), _WARM_MOST_MS)
    warm_ms = min(warm_ms, effort.warm_most_packets / per_ms)
    least_ms = min(_LEAST_MS, effort.most_packets / per_ms)
    start_ms = min(_START_WITHIN_MS, warm_ms / 2)
    seen: list[Batch] = []
    for longer in range(effort.rounds):
        batch_ms = max(effort.packets / per_ms, least_ms) * 2**longer
        for index in range(effort.replications):
            machine.call("closed_begin", effort.replications * longer + index, start_ms, warm_ms)
            seen += [_batch(batch_ms, len(traffic), queues) for _ in range(BATCHES)]
        if _are_known(seen, traffic):
            break
    return tuple(seen)


def _batch(measured_ms: float, groups: int, queues: int) -> Batch:
    place = machine.call("closed_measure", measured_ms)
    numbers = machine.read(place, groups * (_GROUP_NUMBERS + 1) + queues * _QUEUE_NUMBERS)
    rows = [numbers[index * _GROUP_NUMBERS :][:_GROUP_NUMBERS] for index in range(groups)]
    red_dropped = numbers[groups * _GROUP_NUMBERS :][:groups]
    queue_rows = numbers[groups * (_GROUP_NUMBERS + 1) :]
    return Batch(
        measured_ms,
        tuple(
            _group(row, dropped, measured_ms)
            for row, dropped in zip(rows, red_dropped, strict=True)
        ),
        tuple(
            QueueCounts(*queue_rows[index * _QUEUE_NUMBERS :][:_QUEUE_NUMBERS])
            for index in range(queues)
        ),
    )


def _group(row: Sequence[float], red_dropped: float, measured_ms: float) -> GroupCounts:
    """Reads the fields of `advisor.theory.kernel.threads.Measured`."""
    measured = Measured(*row)
    return GroupCounts(
        measured.offered,
        measured.tail_dropped,
        measured.policed + measured.tail_dropped + red_dropped,
        measured.packets,
        measured.packets * measured.mean_ms,
        measured.carried * measured_ms,
    )


def _packets_per_ms(line: Interface) -> float:
    """Packets that the line sends, at most: TCP fills what the others leave."""
    rates = [s_from_ms(traffic.packets_per_s) for traffic in line.traffic]
    times_ms = [
        packet_wire_ms(line, traffic.packet_bytes)
        / shaped_ratio(line, line.shaper, traffic.packet_bytes)
        for traffic in line.traffic
    ]
    work = sum(rate * time_ms for rate, time_ms in zip(rates, times_ms, strict=True))
    mean_ms = sum(times_ms) / len(times_ms)
    return sum(rates) + max(1.0 - work, 0.1) / mean_ms


def _are_known(seen: Sequence[Batch], traffic: Sequence[Traffic]) -> bool:
    is_tcp = [isinstance(item.arrival, Tcp) for item in traffic]
    work_ms = [
        sum(group.work_ms for group, counts in zip(one.groups, is_tcp, strict=True) if counts)
        for one in seen
    ]
    for index, counts in enumerate(is_tcp):
        rows = [one.groups[index] for one in seen]
        offered, sent = [row.offered for row in rows], [row.sent for row in rows]
        delay = ratio([row.delay_ms for row in rows], sent)
        loss = ratio([row.dropped for row in rows], offered)
        share = ratio([row.work_ms for row in rows], work_ms)
        if not counts or share.value < _LEAST_SHARE:
            continue
        if share.half_width > _KNOWN_SHARE or delay.half_width > _KNOWN_DELAY * delay.value:
            return False
        if loss.half_width > max(_KNOWN_LOSS * loss.value, _RARE_LOSS):
            return False
    return True
