"""Below saturation: the description of the lower traffic, and the classes' results."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
from msgspec.structs import replace

from advisor.theory.bounds import llq_bound_ms, lower_bound_ms
from advisor.theory.case import Case
from advisor.theory.classes.classes import (
    Share,
    difference_ms,
    divide_wait_ms,
    scaled,
    shape_of,
    wait_of_all_ms,
)
from advisor.theory.classes.lower_queue import LowerQueue, lower_queue
from advisor.theory.classes.methods import Method, llq_method
from advisor.theory.classes.policing import noticed, refused_ratio
from advisor.theory.flows import Flow
from advisor.theory.half_widths import (
    LEFT_OUT_OF_LLQ,
    LEFT_OUT_OF_LOWER,
    ONE_LOWER_CLASS,
    PERIODIC_TOLERATED,
    SEVERAL_LOWER_CLASSES,
)
from advisor.theory.interface import ClassResult, Delay, Periodic, Regime, Weakness
from advisor.theory.lattice import Law
from advisor.theory.offered import Mix, batch_of, behind_own_ms, mix_of, sawtooth_ms, slowed_chain
from advisor.theory.queue_chain import atoms, chain, loss_of
from advisor.theory.results import cut_short, not_random, of_law, of_sample, result, sampling_error
from advisor.theory.ring import ring_open
from advisor.theory.ring.ring_view import packets_that_fit, ring_work

SIZES = 6  # numeric: kinds of packets of LLQ and others together
NO_LOSS = 1e-5  # numeric: below it a finite queue is as an endless one
SWINGS = 0.1  # of the wait: larger stops by large packets are reported and in the interval


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:
    """Results by class name."""
    llq, lower = case.llq, case.lower
    state = lower_queue(case)
    begin = state.start
    if any(not isinstance(flow.traffic.arrival, Periodic) for flow in llq):
        mix = mix_of([*llq, *lower])
        weights, times = atoms(mix.weights, mix.times_ms, SIZES)
        rate = mix.packets_per_ms / mix.batch
        all_chain = chain(rate, mix.batch, weights, times, state.most)
        begin = ring_open.start_of(all_chain, state.most, mixed=True)
    delays = _llq(case, state, begin, samples)
    left_out = _left_out(case)
    results = {
        flow.traffic.name: result(
            flow,
            delay,
            regime,
            case.interface.rate_bps,
            bound_ms=llq_bound_ms(case.interface.ring, llq, lower, flow),
            loss_ratio=_ring_full_ratio(state, begin, flow) * refused_ratio(flow),
            most_loss=refused_ratio(flow) if noticed(flow) else None,
            wider=error + (0.0 if left_out is None else LEFT_OUT_OF_LLQ),
            weak=() if left_out is None else (left_out,),
        )
        for flow, (delay, error) in zip(llq, delays, strict=True)
    }
    llq_wait = _mean_wait(llq, [delay for delay, _ in delays])
    results |= _lower(case, state, llq_wait, regime)
    return results


def _ring_full_ratio(state: LowerQueue, begin: ring_open.Start, flow: Flow) -> float:
    """Share of a flow's packets that find the ring full; packets of its own burst count."""
    numbers = np.arange(batch_of(flow))[:, None] + begin.present
    masses = begin.masses / begin.masses.sum()
    return float(((numbers >= state.ring_packets) @ masses).mean())


def _left_out(case: Case) -> Weakness | None:
    """The weakness of the answer for all classes, if any."""
    if any(map(noticed, case.llq)):
        return Weakness.POLICED
    return Weakness.FEW if case.has_on_off else None


def _llq(
    case: Case, state: LowerQueue, begin: ring_open.Start, samples: int
) -> list[tuple[Delay, float]]:
    """Delay of each LLQ flow with its relative sampling error."""
    llq, mix = case.llq, state.mix
    if not llq:
        return []
    if llq_method(case) is Method.RING_OPEN:
        sampled = ring_open.llq_delays(case.places, llq, case.lower, begin, samples)
        return [
            (of_sample(sample, _fresh(case, mix, flow)), sampling_error(sample))
            for flow, sample in zip(llq, sampled, strict=True)
        ]
    law = _ring_law(case, state, llq[0].mean_ms)
    return [(of_law(law, law.mean_difference_ms * _fresh(case, mix, llq[0])), 0.0)]


def _fresh(case: Case, mix: Mix, flow: Flow) -> float:
    """Difference of delays one gap of a stream apart, relative to independent delays.

    The workload forgets in its relaxation time, exponentially: ``sqrt(1 - exp(-gap / time))``.
    """
    memory_ms = mix.residual_ms / (1 - case.load) ** 2
    gap_ms = flow.traffic.streams / flow.rate_per_ms
    return sqrt(-np.expm1(-gap_ms / memory_ms))


def _ring_law(case: Case, state: LowerQueue, own_ms: float) -> Law:
    """Delay of a sparse packet that finds the ring as the lower classes leave it."""
    ring, mix, slowed = case.interface.ring, state.mix, state.chain
    fits = packets_that_fit(ring.limit, ring.beside_wire, mix.weights, mix.units)
    return ring_work(slowed, fits, slowed.weights, slowed.times_ms, own_ms)


def _mean_wait(flows: Sequence[Flow], delays: Sequence[Delay]) -> float:
    load = sum(flow.load for flow in flows)
    if load <= 0:
        return 0.0
    waits = [
        flow.load * (delay.mean_ms - flow.mean_ms)
        for flow, delay in zip(flows, delays, strict=True)
    ]
    return sum(waits) / load


def _lower(
    case: Case, state: LowerQueue, llq_wait_ms: float, regime: Regime
) -> dict[str, ClassResult]:
    interface, llq, lower, mix = case.interface, case.llq, case.lower, state.mix
    slowdown = 1 / (1 - case.llq_load)
    wait_ms = wait_of_all_ms(mix, llq, llq_wait_ms, cut=any(flow.cut for flow in lower))
    wait_ms *= _what_loss_leaves(state)
    swing_ms = sawtooth_ms(mix, llq) / mix.load
    if swing_ms < SWINGS * wait_ms:
        swing_ms = 0.0
    shape = shape_of(state.chain, state.start)
    waits = [wait_ms] * len(lower)
    load, left_out = case.load, _left_out(case)
    periodic_load = not_random([*llq, *lower], (Periodic,), PERIODIC_TOLERATED)
    weak = left_out
    if weak is None and periodic_load is not None:
        weak = Weakness.ORDERED
    if weak is None and swing_ms:
        weak = Weakness.LARGE
    memory_ms = mix.residual_ms / (1 - load) ** 2
    has_several = len({flow.queue.name for flow in lower}) > 1
    if has_several:
        waits = _divided(case, state, wait_ms, llq_wait_ms)
    common_waits, waits = waits, _by_burst(lower, waits, slowdown)
    wider = max(periodic_load or 0.0, 0.0 if left_out is None else LEFT_OUT_OF_LOWER)
    lossy = any(cut_short(flow, loss_of(state.chain, batch_of(flow), state.most)) for flow in lower)
    if weak is None and (lossy or has_several):
        weak = Weakness.CUT if lossy else Weakness.DIVIDED
    results = {}
    for flow, own_wait, queue_wait in zip(lower, waits, common_waits, strict=True):
        mean_ms = own_wait + flow.mean_ms * (slowdown if flow.cut else 1.0)
        delay = scaled(shape, mean_ms, min(flow.mean_ms, mean_ms))
        ipdv_ms = difference_ms(delay, flow, load - flow.load, memory_ms)
        loss = loss_of(state.chain, batch_of(flow), state.most)
        results[flow.traffic.name] = result(
            flow,
            Delay(delay.mean_ms, delay.p50_ms, delay.p95_ms, delay.p99_ms, ipdv_ms),
            regime,
            interface.rate_bps,
            bound_ms=lower_bound_ms(interface.ring, llq, lower, flow),
            loss_ratio=loss,
            most_loss=_longest_loss(case, state),
            wider=(SEVERAL_LOWER_CLASSES if has_several else ONE_LOWER_CLASS) + wider,
            also_ms=(mean_ms + swing_ms, *(_if_cut(flow, mean_ms, queue_wait) if lossy else ())),
            weak=() if weak is None else (weak,),
        )
    return results


def _if_cut(flow: Flow, mean_ms: float, queue_wait_ms: float) -> tuple[float, float]:
    """The mean without the wait behind its own burst, and the common mean of its queue."""
    return mean_ms - behind_own_ms(flow), queue_wait_ms + flow.mean_ms


def _longest_loss(case: Case, state: LowerQueue) -> float | None:
    """Loss if all bursts were as long as the longest; None if they are, or nothing is lost."""
    batches = set(map(batch_of, case.lower))
    if len(batches) == 1 or state.chain.loss_ratio < NO_LOSS:
        return None
    longest = slowed_chain(replace(state.mix, batch=max(batches)), case.llq, state.most)
    return longest.loss_ratio


def _by_burst(lower: Sequence[Flow], waits: Sequence[float], slowdown: float) -> list[float]:
    """Waits of the flows of a queue: equal before a burst, then behind their own bursts.

    The mean by load is the queue's wait, because work is conserved. `slowdown` is the factor by
    which the LLQ lengthens a packet's time.
    """
    by_burst = []
    for flow, wait_ms in zip(lower, waits, strict=True):
        neighbours = [neighbour for neighbour in lower if neighbour.queue.name == flow.queue.name]
        load = sum(neighbour.load for neighbour in neighbours)
        mean_ms = sum(neighbour.load * behind_own_ms(neighbour) for neighbour in neighbours) / load
        by_burst.append(max(wait_ms - mean_ms * slowdown, 0.0) + behind_own_ms(flow) * slowdown)
    return by_burst if len(set(map(batch_of, lower))) > 1 else list(waits)


def _what_loss_leaves(state: LowerQueue) -> float:
    """Mean wait in the finite queue over the wait in an endless one, both on the slowed wire."""
    slowed, mix = state.chain, state.mix
    if slowed.loss_ratio < NO_LOSS:
        return 1.0
    mean = float(slowed.weights @ slowed.times_ms)
    square = float(slowed.weights @ slowed.times_ms**2) + (mix.batch - 1) * mean**2
    endless = mix.packets_per_ms * square / 2 / (1 - mix.packets_per_ms * mean)
    in_queue = np.maximum(state.start.present - 1, 0) * mean + state.start.rest_ms
    finite = float(in_queue @ state.start.masses)
    return min(1.0, finite / endless) if endless > 0 else 1.0


def _divided(case: Case, state: LowerQueue, wait_ms: float, llq_wait_ms: float) -> list[float]:
    """Waits of several classes: the ring is common to all, the scheduler divides the rest."""
    lower = case.lower
    common_ms = llq_wait_ms if case.llq else _ring_law(case, state, 0.0).mean_ms
    common_ms = min(common_ms, wait_ms)
    queues = list({flow.queue.name: flow.queue for flow in lower}.values())
    shares = []
    for queue in queues:
        members = [flow for flow in lower if flow.queue.name == queue.name]
        load = sum(flow.load for flow in members)
        packet_ms = load / sum(flow.rate_per_ms for flow in members)
        square = sum(
            flow.rate_per_ms * (flow.second_ms2 + 2 * behind_own_ms(flow) * flow.mean_ms)
            for flow in members
        )
        shares.append(Share(load, queue.share_percent, packet_ms, square / load))
    divided = divide_wait_ms(shares, case.llq_load, wait_ms - common_ms)
    by_name = {queue.name: extra for queue, extra in zip(queues, divided, strict=True)}
    return [common_ms + by_name[flow.queue.name] for flow in lower]
