"""Arrival times and sizes of a fixed set of lanes: stratified phases, the same on every run."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from advisor.theory.extent import MOST_DRAWN, bounded
from advisor.theory.flows import Floats, Flow, Ints
from advisor.theory.interface import Bursts, Periodic
from advisor.theory.ring.ring_recursion import FAR_MS, Arrivals

FEW_KINDS = 8  # up to this number, counting the passed steps is faster than a search
# Numeric: packets that are drawn beyond the mean, at most, and lanes that are drawn at least.
MOST_SPARE, SPARE_GROUPS, LEAST_LANES = 1.5, 32, 8
SEED = 20050101  # any number: it fixes the lanes, and the sampling error is part of the interval


class Side(Struct, frozen=True, eq=False):
    """Arrivals of one side, with the flow and the stream of each packet."""

    arrivals: Arrivals
    owner: Ints | None  # None: a single flow
    stream: Ints | None = None  # of a single flow; None: they take turns


@lru_cache(maxsize=64)
def uniforms(purpose: int, rows: int, lanes: int) -> Floats:
    """Uniform numbers in (0, 1), each row stratified over the lanes."""
    bounded("packets sampled", MOST_DRAWN, rows, lanes)
    generator = np.random.Generator(np.random.PCG64([SEED, purpose, lanes]))
    strata = np.argsort(generator.random((rows, lanes)), axis=1)
    numbers: Floats = (strata + generator.random((rows, lanes))) / lanes
    numbers.setflags(write=False)
    return numbers


@lru_cache(maxsize=64)
def _exponentials(purpose: int, rows: int, lanes: int) -> Floats:
    """Arrival times of a Poisson process of rate 1."""
    times: Floats = np.cumsum(-np.log1p(-uniforms(purpose, rows, lanes)), axis=0)
    times.setflags(write=False)
    return times


def arrival_times(
    flow: Flow, purpose: int, horizon_ms: float, lanes: int, *, in_order: bool = True
) -> Floats:
    """Arrival times of all streams of a flow, sorted per lane, shape (packets, lanes).

    On/off sources are drawn as Poisson: only sources of few packets per on time come here.
    """
    packets_per_ms = flow.rate_per_ms
    arrival, streams = flow.traffic.arrival, flow.traffic.streams
    match arrival:
        case Periodic(_, jitter_ms):
            period_ms = streams / packets_per_ms
            rows = _even(horizon_ms / period_ms + 2)
            bounded("packets sampled", MOST_DRAWN, rows, streams, lanes)
            phase = uniforms(purpose, streams, lanes)
            if in_order and not jitter_ms:
                phase = np.sort(phase, axis=0)  # and so in every period
            base = np.arange(rows, dtype=float)[:, None, None] + phase[None]
            if jitter_ms:
                offsets = uniforms(purpose + 1, rows * streams, lanes).reshape(rows, streams, lanes)
                base = base + (jitter_ms / period_ms) * offsets
            times = (base * period_ms).reshape(rows * streams, lanes)
            mixed = jitter_ms > 0 and (streams > 1 or jitter_ms > period_ms)
            return np.sort(times, axis=0) if mixed and in_order else times
        case Bursts(_, packets, spacing_ms):
            apart_ms = packets / packets_per_ms
            rows = _even(horizon_ms / apart_ms * 1.5 + 8)
            bounded("packets sampled", MOST_DRAWN, rows, packets, lanes)
            starts = _exponentials(purpose, rows, lanes) * apart_ms
            in_burst_ms = np.arange(packets)[None, :, None] * spacing_ms
            return np.sort((starts[:, None, :] + in_burst_ms).reshape(-1, lanes), axis=0)
        case _:
            rows = _even(horizon_ms * packets_per_ms * 1.1 + 12)
            return _exponentials(purpose, rows, lanes) / packets_per_ms


def affordable_lanes(flows: Sequence[Flow], horizon_ms: float, lanes: int) -> int:
    """`lanes`, or as many as the draws of every flow are made for at once."""
    drawn = 1.0
    for flow in flows:
        arrival = flow.traffic.arrival
        group = arrival.packets_per_burst if isinstance(arrival, Bursts) else flow.traffic.streams
        drawn = max(drawn, MOST_SPARE * flow.rate_per_ms * horizon_ms + SPARE_GROUPS * group)
    return min(lanes, max(int(MOST_DRAWN / drawn), LEAST_LANES))


def stream_order(flow: Flow, purpose: int, horizon_ms: float, lanes: int) -> tuple[Floats, Ints]:
    """Arrival times of a periodic flow, with the stream of each packet."""
    streams = flow.traffic.streams
    times = arrival_times(flow, purpose, horizon_ms, lanes, in_order=False)
    order = np.argsort(times, axis=0)
    return np.take_along_axis(times, order, axis=0), order % streams


def _even(rows: float) -> int:
    """Rows in steps of eight, so that near-by cases share their cached numbers."""
    return -(-int(rows + 1) // 8) * 8


def side(
    flows: Sequence[Flow],
    purpose: int,
    horizon_ms: float,
    lanes: int,
    *,
    most_packets: int | None = None,
    name_streams: bool = False,
) -> Side:
    """Arrivals of several flows merged in time, the first `most_packets` of each lane.

    `name_streams` for a single periodic flow.
    """
    if name_streams:
        times_ms, stream = stream_order(flows[0], purpose, horizon_ms, lanes)
        sizes, units = _sizes(flows, None, purpose, times_ms.shape, len(times_ms))
        far_ms = np.full((1, lanes), FAR_MS)
        return Side(Arrivals(np.concatenate([times_ms, far_ms]), sizes, units), None, stream)
    times = [
        arrival_times(flow, purpose + 10 * index, horizon_ms, lanes)
        for index, flow in enumerate(flows)
    ]
    owner: Ints | None = None
    if len(flows) == 1:
        times_ms = times[0]
    else:
        times_ms, owner = _merged(times)
    rows, times_ms = len(times_ms), times_ms[:most_packets]
    owner = None if owner is None else owner[:most_packets]
    far_ms = np.full((1, lanes), FAR_MS)
    sizes, units = _sizes(flows, owner, purpose, times_ms.shape, rows)
    return Side(Arrivals(np.concatenate([times_ms, far_ms]), sizes, units), owner)


def _merged(times: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Times in order, with their flows.

    The last bits of a time hold the number of its flow (some 1e-15 of the time): a plain sort takes
    a third of the time of a sort that returns the origin of each value.
    """
    bits = (len(times) - 1).bit_length()
    tagged = np.concatenate(times).view(np.int64) >> bits << bits
    begin = 0
    for number, flow_times_ms in enumerate(times):
        tagged[begin : begin + len(flow_times_ms)] |= number
        begin += len(flow_times_ms)
    times_ms = np.sort(tagged.view(np.float64), axis=0)
    return times_ms, times_ms.view(np.int64) & ((1 << bits) - 1)


def fill(flows: Sequence[Flow], shares: Sequence[float], steps: int, lanes: int) -> Arrivals:
    """A lower side that always has a packet: fragments of packets drawn by `shares` of packets."""
    pieces = [
        piece for flow in flows for piece in zip(flow.piece_ms, flow.piece_units, strict=True)
    ]
    if len(set(pieces)) == 1 and not flows[0].cut:
        return Arrivals(None, float(flows[0].times_ms[0]), int(flows[0].units[0]))
    weights = np.concatenate(
        [flow.weights * share for flow, share in zip(flows, shares, strict=True)]
    )
    length = 1 if len(pieces) == 1 else steps * max(lanes // 4, 1)
    kinds = _kinds(weights / weights.sum(), uniforms(7, 1, length)[0])
    longest = max(len(times) for times, _ in pieces)
    times, units = np.zeros((len(pieces), longest)), np.zeros((len(pieces), longest), np.int64)
    for row, (piece_ms, piece_units) in enumerate(pieces):
        times[row, : len(piece_ms)], units[row, : len(piece_ms)] = piece_ms, piece_units
    is_held = (units > 0)[kinds]
    sequence_ms, sequence_units = times[kinds][is_held], units[kinds][is_held]
    offset = np.arange(lanes) * (len(sequence_ms) / lanes if len(pieces) > 1 else 1)
    index = (np.arange(steps)[:, None] + offset.astype(np.int64)) % len(sequence_ms)
    common_units = int(sequence_units[0])
    if (sequence_units == common_units).all():
        return Arrivals(None, sequence_ms[index], common_units)
    return Arrivals(None, sequence_ms[index], sequence_units[index])


def _sizes(
    flows: Sequence[Flow], owner: Ints | None, purpose: int, shape: tuple[int, int], rows: int
) -> tuple[Floats | float, Ints | int]:
    """Time and units of each packet; `rows` packets were drawn, the first shape[0] are kept."""
    if owner is None and flows[0].fixed:
        return float(flows[0].times_ms[0]), int(flows[0].units[0])
    time_ms, units = np.empty(shape), np.empty(shape, dtype=np.int64)
    draws = uniforms(purpose + 5, _even(rows), shape[1])[: shape[0]]
    for index, flow in enumerate(flows):
        is_own = slice(None) if owner is None else owner == index
        if flow.fixed:
            time_ms[is_own], units[is_own] = flow.times_ms[0], flow.units[0]
            continue
        kind = _kinds(flow.weights, draws[is_own])
        time_ms[is_own], units[is_own] = flow.times_ms[kind], flow.units[kind]
    return time_ms, units


def _kinds(weights: Floats, draws: Floats) -> Ints:
    """Kinds of packets that the uniform numbers `draws` select by weight."""
    steps = np.cumsum(weights)[:-1]
    if len(steps) > FEW_KINDS:
        return np.searchsorted(steps, draws)
    kind: Ints = np.zeros(draws.shape, dtype=np.int64)
    for step in steps.tolist():
        kind += draws > step
    return kind
