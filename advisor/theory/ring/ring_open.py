"""The LLQ below saturation: the recursion over phases, started from the stationary queue."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from advisor.theory.extent import bounded
from advisor.theory.flows import Floats, Flow, Ints, as_one
from advisor.theory.queue_chain import Chain, residual_rows
from advisor.theory.ring.full_ring import SAMPLES, Sample, collect
from advisor.theory.ring.ring_recursion import FAR_MS, Arrivals, Places, run
from advisor.theory.ring.sampling import Side, affordable_lanes, side, uniforms

T = TypeVar("T", np.float64, np.int64)
# All numeric: how long the recursion runs and in how many lanes. They cause the sampling error,
# which is part of the interval (`half_widths.CORRELATED`).
LONGEST_RUN = 800.0  # packets
LONGEST_PERIODS = 8000.0  # packets: two periods of a slow stream beside many fast ones
MOST_FOR_ONE = 20_000  # packets: some 25 of the slowest class in all lanes of that length
LANES = (96, 320)  # fewer average the start badly, more cost time
PERIODIC_LANES = (64, 1024)
FIRST_STEPS, STEPS_PER_RATIO, MOST_RATIO = 50, 25, 4.0  # beyond a full ring
MEASURED_PART = 0.8  # of the run, in the mean; the rest allows for differences between lanes
SPARE = 1.1  # drawn arrivals over expected arrivals
LEAST_IDLE = 1e-3


class Start(Struct, frozen=True, eq=False):
    """Joint stationary law of the packets present and the part of the first still to send.

    `mixed`: LLQ packets are counted with the others; else the LLQ is a fluid that slows them.
    """

    present: Ints
    part: Floats
    rest_ms: Floats
    masses: Floats
    mixed: bool = False


def start_of(state: Chain, most: int, *, mixed: bool = False) -> Start:
    """The stationary state of a chain, flat over (number present, part of the packet left)."""
    most = min(most, int(np.flatnonzero(state.begins)[-1]) + 4 * state.batch)
    rest, rows = residual_rows(state, most)
    points = len(rest)
    part = rest / np.repeat(state.times_ms, points // len(state.times_ms))
    present = np.repeat(np.arange(most + 1), points)
    masses = np.concatenate([[1 - state.busy_ratio], rows[1:].ravel()])
    keep = np.concatenate([[0], present[points:]])
    parts = np.concatenate([[0.0], np.tile(part, most)])
    rests = np.concatenate([[0.0], np.tile(rest, most)])
    return Start(keep, parts, rests, masses, mixed)


def llq_delays(
    places: Places,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    start: Start,
    samples: int = SAMPLES,
) -> tuple[Sample, ...]:
    """Delays of the LLQ flows, started from `start`."""
    smallest = max(1, min(int(units.max()) for units in (flow.units for flow in lower)))
    content_packets = -(-places.limit // smallest) + places.beside_wire
    llq_rate = sum(flow.rate_per_ms for flow in llq)
    pieces = sum(flow.rate_per_ms * float(flow.weights @ _pieces(flow)) for flow in lower)
    # a distance from the start in lower packets takes more steps if more LLQ packets pass
    steps = content_packets + int(
        FIRST_STEPS + STEPS_PER_RATIO * min(MOST_RATIO, llq_rate / pieces)
    )
    lanes = min(max(samples // steps, LANES[0]), LANES[1])
    pieces += llq_rate
    longest_ms = max(flow.longest_ms for flow in [*llq, *lower])
    window_ms = MEASURED_PART * (steps - min(content_packets, 20)) / pieces
    horizon_ms = window_ms * SPARE + longest_ms
    lanes = affordable_lanes([*llq, *as_one(lower)], horizon_ms, lanes)
    offered = side(llq, 100, horizon_ms, lanes, most_packets=steps)
    background = side(as_one(lower), 200, horizon_ms, lanes, most_packets=steps)
    cumulated = np.cumsum(start.masses)
    indices = np.searchsorted(cumulated, uniforms(300, 1, lanes)[0] * cumulated[-1])
    packets_present = start.present[indices]
    share = _mixed_waiting if start.mixed else waiting
    llq_packets, lower_packets = share(llq, lower, packets_present, content_packets, lanes)
    first = _with_queue(offered, llq_packets, lanes)
    second = _with_queue(background, lower_packets, lanes)
    first_ms = second.time_ms if isinstance(second.time_ms, float) else second.time_ms[0]
    if start.mixed:
        first_ms = np.where(llq_packets > 0, llq[0].mean_ms, first_ms)
    begin_ms = -(1 - start.part[indices]) * first_ms * (lower_packets + llq_packets > 0)
    if len(lower) == 1 and lower[0].cut:
        second = _cut(second, lower[0])
    result = run(
        places, first, second, lanes, steps=steps, begin_ms=begin_ms, keep_index=len(llq) > 1
    )
    if offered.owner is not None:
        owners = offered.owner[np.arange(int(llq_packets.max())) % len(offered.owner)]
        offered = Side(first, np.concatenate([owners, offered.owner]))
    from_ms = 0.1 * window_ms + 0.4 * window_ms * uniforms(77, 1, lanes)
    measured = (result.due_ms >= from_ms) & (result.due_ms < from_ms + window_ms / 2)
    return collect(result, offered, llq, measured, [0.0] * len(llq))


def periodic_delays(
    places: Places, llq: Sequence[Flow], lower: Sequence[Flow], samples: int = SAMPLES
) -> tuple[Sample, ...]:
    """Delays of all flows, LLQ first, if every source is periodic: from random phases.

    Below saturation, packets of one size leave the wire idle within about a period, so the effect
    of the start ends after two periods. With varying sizes it decays as a diffusion: variance of
    the work over the idle share squared; near the line rate this is cut at `LONGEST_RUN` packets.
    Two periods of a stream that is slow beside the others are cut at `LONGEST_PERIODS`: the phases
    are random, so the queue forgets the start long before.

    Raises
    ------
    TooLargeError
        If packets of a class are too rare to be met.
    """
    flows = [*llq, *lower]
    rate = sum(flow.rate_per_ms * float(flow.weights @ _pieces(flow)) for flow in flows)
    slowest = min(flow.rate_per_ms for flow in flows)
    bounded("packets for one of the slowest class", MOST_FOR_ONE, rate / slowest)
    period_ms = max(flow.traffic.streams / (flow.packets_per_ms or 1.0) for flow in flows)
    variance_per_ms = sum(flow.rate_per_ms * (flow.second_ms2 - flow.mean_ms**2) for flow in flows)
    memory_ms = variance_per_ms / max(1 - sum(flow.load for flow in flows), LEAST_IDLE) ** 2
    periods_ms = min(2 * period_ms, LONGEST_PERIODS / rate)
    burn_ms = max(periods_ms, min(2 * memory_ms, LONGEST_RUN / rate))
    window_ms = max(periods_ms, 12 / rate)
    steps = int(rate * (burn_ms + window_ms) * 1.15) + 10
    lanes = min(max(samples // steps, PERIODIC_LANES[0]), PERIODIC_LANES[1])
    horizon_ms = burn_ms + window_ms + min(period_ms, periods_ms)
    lanes = affordable_lanes(flows, horizon_ms, lanes)
    first = side(llq, 100, horizon_ms, lanes) if llq else None
    named = len(lower) == 1 and lower[0].traffic.streams > 1 and not lower[0].cut
    second = side(lower, 200, horizon_ms, lanes, name_streams=named) if lower else None
    no_arrivals = Arrivals(np.full((1, lanes), FAR_MS), 0.0, 1)
    below_llq = second.arrivals if second else no_arrivals
    if len(lower) == 1 and lower[0].cut:
        below_llq = _cut(below_llq, lower[0])
    llq_arrivals = first.arrivals if first else no_arrivals
    result = run(places, llq_arrivals, below_llq, lanes, steps=steps, keep_index=True)
    from_ms = burn_ms + min(period_ms, periods_ms) * 0.5 * uniforms(77, 1, lanes)
    measured = (result.due_ms >= from_ms) & (result.due_ms < from_ms + window_ms)
    flow_samples: tuple[Sample, ...] = ()
    if first:
        flow_samples += collect(result, first, llq, measured, [0.0] * len(llq))
    if second:
        inverse = replace(result, is_llq=~result.is_llq)
        flow_samples += collect(inverse, second, lower, measured, [0.0] * len(lower))
    return flow_samples


def _pieces(flow: Flow) -> Floats:
    return np.array([float(len(times)) for times in flow.piece_ms])


def waiting(
    llq: Sequence[Flow], lower: Sequence[Flow], present: Ints, content_packets: int, lanes: int
) -> tuple[Ints, Ints]:
    """LLQ and lower packets present at the start, per lane.

    `present` counts lower packets as if the LLQ were a fluid that slows the wire. Packets that fit
    into the ring are served in order with the LLQ packets that arrived in the meantime: these
    replace a part equal to the LLQ's load.
    """
    load = sum(flow.load for flow in llq)
    llq_rate = sum(flow.rate_per_ms for flow in llq)
    lower_rate = sum(flow.rate_per_ms for flow in lower)
    mean_ms = sum(flow.load for flow in lower) / lower_rate
    in_ring = np.minimum(present, content_packets / (1 - load + llq_rate * mean_ms))
    spread = uniforms(301, 2, lanes)
    llq_packets = np.floor(in_ring * llq_rate * mean_ms + spread[0]).astype(np.int64)
    lower_packets = np.floor(present - in_ring * load + spread[1]).astype(np.int64)
    return np.where(present > 0, llq_packets, 0), np.where(present > 0, lower_packets, 0)


def _mixed_waiting(
    llq: Sequence[Flow], lower: Sequence[Flow], present: Ints, content_packets: int, lanes: int
) -> tuple[Ints, Ints]:
    """LLQ and lower packets at the start if `present` counts both, in order of arrival.

    Packets that do not fit into the ring are lower packets of the same work: the LLQ is served
    before them.
    """
    llq_rate = sum(flow.rate_per_ms for flow in llq)
    lower_rate = sum(flow.rate_per_ms for flow in lower)
    load = sum(flow.load for flow in [*llq, *lower])
    lower_ms = sum(flow.load for flow in lower) / lower_rate
    in_ring = np.minimum(present, content_packets)
    spread = uniforms(301, 2, lanes)
    llq_packets = np.floor(in_ring * llq_rate / (llq_rate + lower_rate) + spread[0])
    llq_packets = np.minimum(llq_packets, in_ring)
    behind = (present - in_ring) * (load / (llq_rate + lower_rate)) / lower_ms
    lower_packets = in_ring - llq_packets + np.floor(behind + spread[1])
    return llq_packets.astype(np.int64), lower_packets.astype(np.int64)


def _with_queue(offered: Side, present: Ints, lanes: int) -> Arrivals:
    """Arrivals behind the packets that already wait at the start."""
    most = int(present.max())
    arrivals = offered.arrivals
    times_ms = np.concatenate([np.zeros((most, lanes)), arrivals.due_ms])
    time_ms, units = arrivals.time_ms, arrivals.units
    if isinstance(time_ms, np.ndarray) and isinstance(units, np.ndarray):
        time_ms, units = _waiting_first(time_ms, most), _waiting_first(units, most)
    return Arrivals(times_ms, time_ms, units, most - present)


def _waiting_first(draws: NDArray[T], most: int) -> NDArray[T]:
    """The packets that wait at the start, then `draws`: fresh draws are the table moved a lane."""
    repeated = draws.take(np.arange(most), axis=0, mode="wrap")
    extended = np.empty((most + len(draws), draws.shape[1]), draws.dtype)
    extended[:most, 1:], extended[:most, 0], extended[most:] = (
        repeated[:, :-1],
        repeated[:, -1],
        draws,
    )
    return extended


def _cut(packets: Arrivals, flow: Flow) -> Arrivals:
    """Fragments in place of packets of one size; they arrive together."""
    pieces = len(flow.piece_ms[0])
    rows, lanes = packets.due_ms.shape
    times_ms = np.repeat(packets.due_ms[:-1], pieces, axis=0)
    time = np.tile(np.array(flow.piece_ms[0])[:, None], (rows - 1, 1))
    units = np.tile(np.array(flow.piece_units[0])[:, None], (rows - 1, 1))
    first_row = None if packets.first_row is None else packets.first_row * pieces
    columns = (
        np.broadcast_to(time, times_ms.shape).copy(),
        np.broadcast_to(units, times_ms.shape).copy(),
    )
    return Arrivals(np.concatenate([times_ms, np.full((1, lanes), FAR_MS)]), *columns, first_row)
