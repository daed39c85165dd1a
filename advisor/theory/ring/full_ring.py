"""The LLQ while a lower class keeps the ring full: the recursion over phases."""

from collections.abc import Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.flows import Floats, Flow, Ints
from advisor.theory.interface import Periodic, Policer
from advisor.theory.ring.many_runs import Request, run_all
from advisor.theory.ring.ring_recursion import FAR_MS, Arrivals, Bools, Places, Run
from advisor.theory.ring.sampling import Side, affordable_lanes, fill, side, uniforms
from advisor.units import bps_from_bytes, bytes_in_ms

# All numeric: how long the recursion runs and in how many lanes. They cause the sampling error,
# which is part of the interval (`half_widths.CORRELATED`).
SAMPLES = 8_000  # packets in all lanes together
FEWEST_LANES, MOST_LANES = 24, 280  # a deep ring has few lanes, with long runs
MOST_CLUMPS = 6.0
CLUMPS = 0.5  # LLQ packets per lower packet from which clumps grow over several rings
MOST_LLQ_LOAD = 0.95  # in the estimate of the duration of a lane
# A sparse flow is sampled at one packet in a hundred slots, or at 2 % of the wire if that is less:
# then its packets hardly meet one another.
RARE, LIGHT = 0.01, 0.02


class Sample(Struct, frozen=True, eq=False):
    """Delays of one class in ms, and differences of consecutive packets of a stream."""

    delay_ms: Floats
    ipdv_ms: Floats
    loss_ratio: float = 0.0


class Plan(Struct, frozen=True):
    """Extent of the recursion: packets per lane, packets that are not measured, and lanes."""

    steps: int
    burn: int
    lanes: int


def plan(content_packets: int, clumps: float, samples: int = SAMPLES) -> Plan:
    """Steps and lanes for a ring that holds `content_packets`.

    If several LLQ packets arrive during one lower packet, they enter the ring as a clump. Few
    packets arrive while a clump is sent, so clumps repeat with every round of the ring: several
    rounds are needed, and rounds with more LLQ packets have more packets.
    """
    burn, measured = content_packets + 10, content_packets + 30
    if clumps > CLUMPS:
        round_packets = content_packets * max(1.0, min(clumps, MOST_CLUMPS) / 2)
        burn, measured = int(3 * round_packets) + 10, int(9 * round_packets) + 40
    steps = burn + measured
    return Plan(steps, burn, min(max(samples // steps, FEWEST_LANES), MOST_LANES))


class Full(Struct, frozen=True, eq=False):
    """A full ring whose LLQ is to be sampled: its flows, and the run that it needs."""

    llq: tuple[Flow, ...]
    lower: tuple[Flow, ...]
    shares: tuple[float, ...]
    samples: int
    plan: Plan
    offered: Side
    losses: tuple[float, ...]
    request: Request


def llq_delays(
    places: Places,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    shares: Sequence[float],
    samples: int = SAMPLES,
) -> tuple[Sample, ...]:
    """Delays of the LLQ flows while packets of `lower` always wait.

    `shares` are the lower flows' parts of the packets that leave.
    """
    full = full_ring(places, llq, lower, shares, samples)
    (run_done,) = run_all([full.request])
    return sampled(full, run_done)


def full_ring(
    places: Places,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    shares: Sequence[float],
    samples: int = SAMPLES,
) -> Full:
    """The full ring that `llq_delays` runs."""
    llq = [_often_enough(flow, lower, shares) for flow in llq]
    smallest = min(min(units) for flow in lower for units in flow.piece_units)
    content_packets = -(-places.limit // smallest) + places.beside_wire
    llq_rate = sum(flow.rate_per_ms for flow in llq)
    clumps = llq_rate * max(max(times) for flow in lower for times in flow.piece_ms)
    chosen = plan(content_packets, clumps, samples)
    lanes, steps = chosen.lanes, chosen.steps
    lower_side = fill(lower, shares, steps, lanes)
    lower_ms = float(np.mean(lower_side.time_ms))
    llq_load = min(sum(flow.load * passed_share(flow) for flow in llq), MOST_LLQ_LOAD)
    kept_rate = sum(flow.rate_per_ms * passed_share(flow) for flow in llq)
    horizon_ms = steps / (kept_rate + (1 - llq_load) / lower_ms) * 1.2 + 3 * lower_ms
    horizon_ms = min(horizon_ms, 1.1 * steps / kept_rate + lower_ms)
    if (fewer := affordable_lanes(llq, horizon_ms, lanes)) < lanes:
        lanes, chosen = fewer, replace(chosen, lanes=fewer)
        lower_side = fill(lower, shares, steps, lanes)
    offered = side(llq, 100, horizon_ms, lanes)
    offered, losses = police(offered, llq)
    llq_part = kept_rate / (kept_rate + (1 - llq_load) / lower_ms)
    prefill = None if clumps > 1 else _even_mix(content_packets, llq_part, lanes)
    request = Request(
        places, offered.arrivals, lower_side, lanes, steps, prefill, keep_index=len(llq) > 1
    )
    flows = tuple(llq), tuple(lower), tuple(shares)
    return Full(*flows, samples, chosen, offered, losses, request)


def sampled(full: Full, run: Run) -> tuple[Sample, ...]:
    """Delays of the LLQ flows from the run that `full` asked for."""
    llq = full.llq
    samples = read(run, full.offered, llq, full.plan, full.losses)
    if all(len(sample.delay_ms) for sample in samples) or all(
        flow.queue.policer is None for flow in llq
    ):
        return samples
    # Buckets that pass a packet more rarely than a lane is long: the same rate, spread evenly.
    eased = [_eased(flow) for flow in llq]
    eased_samples = llq_delays(full.request.places, eased, full.lower, full.shares, full.samples)
    return tuple(
        sample if len(sample.delay_ms) else replace(eased_sample, loss_ratio=sample.loss_ratio)
        for sample, eased_sample in zip(samples, eased_samples, strict=True)
    )


def _eased(flow: Flow) -> Flow:
    """A flow at the rate that its token bucket passes, without the bucket."""
    if flow.queue.policer is None or flow.packets_per_ms is None:
        return flow
    rate = flow.packets_per_ms * passed_share(flow)
    return replace(flow, packets_per_ms=rate, queue=replace(flow.queue, policer=None))


def _often_enough(flow: Flow, lower: Sequence[Flow], shares: Sequence[float]) -> Flow:
    """A flow too sparse to be sampled, at the rate of one packet in a hundred slots.

    At this rate its packets do not meet one another and do not load the wire (2 %). Its token
    bucket fills faster by the same factor.
    """
    slot_ms = sum(share * flow.mean_ms for share, flow in zip(shares, lower, strict=True))
    slot_ms /= sum(shares)
    least = min(RARE / slot_ms, LIGHT / flow.mean_ms)
    if flow.packets_per_ms is None or flow.packets_per_ms >= least:
        return flow
    queue, policer = flow.queue, flow.queue.policer
    if policer is not None:
        policer_of_least = replace(policer, rate_bps=policer.rate_bps * least / flow.packets_per_ms)
        queue = replace(queue, policer=policer_of_least)
    return replace(flow, packets_per_ms=least, queue=queue)


def passed_share(flow: Flow) -> float:
    """Share of a flow that its token bucket can pass over a long time."""
    policer = flow.queue.policer
    if policer is None:
        return 1.0
    offered_bps = bps_from_bytes(float(flow.weights @ flow.frame_bytes) * flow.rate_per_ms, 1.0)
    return min(1.0, policer.rate_bps / offered_bps)


def _even_mix(content_packets: int, llq_part: float, lanes: int) -> Bools:
    count = np.floor(np.arange(content_packets + 1)[:, None] * llq_part + uniforms(9, 1, lanes))
    mix: Bools = count[1:] > count[:-1]
    return mix


def read(
    run: Run, offered: Side, llq: Sequence[Flow], chosen: Plan, losses: Sequence[float]
) -> tuple[Sample, ...]:
    """Delays per flow from a run.

    Each lane is measured over its own window, half of the run: so the ring's own rhythm averages
    out, which all lanes share at first.
    """
    half = (chosen.steps - chosen.burn) // 2
    begin = chosen.burn + (uniforms(77, 1, chosen.lanes) * half).astype(np.int64)
    number = np.arange(chosen.steps)[:, None]
    return collect(run, offered, llq, (number >= begin) & (number < begin + half), losses)


def collect(
    run: Run, offered: Side, llq: Sequence[Flow], measured: Bools, losses: Sequence[float]
) -> tuple[Sample, ...]:
    """Delays per flow of the LLQ packets where `measured` (steps, lanes) is true."""
    mask = (run.is_llq & measured).T
    delay = run.delay_ms.T[mask]
    lane = np.repeat(np.arange(len(mask)), mask.sum(axis=1))
    packet_owner = None
    if offered.owner is not None and run.index is not None:
        packet_owner = offered.owner.ravel()[run.index.T[mask]]
    if offered.stream is not None and run.index is not None:
        key = lane * llq[0].traffic.streams + offered.stream.ravel()[run.index.T[mask]]
        order = np.argsort(key, kind="stable")
        differences, is_same = np.abs(np.diff(delay[order])), np.diff(key[order]) == 0
        return (Sample(delay, differences[is_same], losses[0]),)
    samples = []
    for index, flow in enumerate(llq):
        is_own = np.ones(len(delay), dtype=bool) if packet_owner is None else packet_owner == index
        own_delay, own_lane, streams = delay[is_own], lane[is_own], flow.traffic.streams
        is_same = own_lane[streams:] == own_lane[:-streams]
        samples.append(
            Sample(
                own_delay,
                np.abs(own_delay[streams:] - own_delay[:-streams])[is_same],
                losses[index],
            )
        )
    return tuple(samples)


def police(offered: Side, llq: Sequence[Flow]) -> tuple[Side, tuple[float, ...]]:
    """Drop the packets that the token buckets refuse while the ring is always full."""
    times_ms, owner = offered.arrivals.due_ms, offered.owner
    drop = np.zeros(times_ms[:-1].shape, dtype=bool)
    losses = []
    for index, flow in enumerate(llq):
        policer = flow.queue.policer
        if policer is None or not _can_exceed(flow, policer):
            losses.append(0.0)
            continue
        is_own = np.ones_like(drop) if owner is None else owner == index
        is_refused = _refused(times_ms[:-1], is_own, flow, policer)
        drop |= is_refused
        half = slice(len(times_ms) // 3, None)
        losses.append(float(is_refused[half].sum() / max(1, is_own[half].sum())))
    if not drop.any():
        return offered, tuple(losses)
    order = np.argsort(drop, axis=0, kind="stable")
    kept_ms = np.take_along_axis(np.where(drop, FAR_MS, times_ms[:-1]), order, axis=0)
    arrivals = Arrivals(
        np.concatenate([kept_ms, times_ms[-1:]]),
        _moved(offered.arrivals.time_ms, order),
        _moved_units(offered.arrivals.units, order),
    )
    owner = None if owner is None else np.take_along_axis(owner, order, axis=0)
    return Side(arrivals, owner), tuple(losses)


def _moved(values: Floats | float, order: Ints) -> Floats | float:
    return values if isinstance(values, float) else np.take_along_axis(values, order, axis=0)


def _moved_units(values: Ints | int, order: Ints) -> Ints | int:
    return values if isinstance(values, int) else np.take_along_axis(values, order, axis=0)


def _can_exceed(flow: Flow, policer: Policer) -> bool:
    """Whether the bucket may ever refuse a packet of the flow."""
    frame_bytes = float(flow.weights @ flow.frame_bytes)
    one_period_bytes = flow.traffic.streams * float(flow.frame_bytes.max())
    is_even = isinstance(flow.traffic.arrival, Periodic)
    has_spare = is_even and policer.burst_bytes >= 2 * one_period_bytes
    return flow.rate_per_ms * frame_bytes > bytes_in_ms(policer.rate_bps, 1.0) or not has_spare


def _refused(at_ms: Floats, is_own: Bools, flow: Flow, policer: Policer) -> Bools:
    """Token bucket over the arrivals in order, all lanes at once."""
    bytes_per_ms = bytes_in_ms(policer.rate_bps, 1.0)
    frame_bytes = float(flow.weights @ flow.frame_bytes)
    # a bucket that is offered too much has long been empty
    is_overdrawn = flow.rate_per_ms * frame_bytes > bytes_per_ms
    tokens = np.full(at_ms.shape[1], frame_bytes if is_overdrawn else policer.burst_bytes)
    last = np.zeros_like(tokens)
    is_refused = np.zeros(at_ms.shape, dtype=bool)
    if not is_overdrawn and _within(at_ms, frame_bytes, bytes_per_ms, policer.burst_bytes):
        return is_refused
    for row, now_ms in enumerate(at_ms):
        filled = np.minimum(tokens + (now_ms - last) * bytes_per_ms, policer.burst_bytes)
        is_short = filled < frame_bytes
        is_refused[row] = is_short & is_own[row]
        tokens = filled - (is_own[row] & ~is_short) * frame_bytes
        last = now_ms
    return is_refused


def _within(at_ms: Floats, frame_bytes: float, bytes_per_ms: float, burst_bytes: float) -> bool:
    """Whether a full bucket passes all: no span has more packets than burst and rate allow."""
    excess_bytes = np.arange(len(at_ms))[:, None] * frame_bytes - at_ms * bytes_per_ms
    span = excess_bytes - np.minimum.accumulate(excess_bytes, axis=0)
    return bool(span.max(initial=0.0) + frame_bytes <= burst_bytes)
