"""Below saturation: which description of the lower traffic answers, and the classes' results."""

from collections.abc import Sequence

import numpy as np

from advisor.model import below, modulated
from advisor.model.bounds import llq_bound_ms, lower_bound_ms, ring_work_bound_ms
from advisor.model.classes import (
    Share,
    difference_of_poisson_ms,
    divide_wait_ms,
    scaled,
    shape_of,
    wait_of_all_ms,
)
from advisor.model.flows import Flow
from advisor.model.interface import ClassResult, Delay, Interface, OnOff, Periodic, Regime
from advisor.model.offered import Mix, mix_of, slowed_chain
from advisor.model.queue_chain import Chain
from advisor.model.recursion import Places
from advisor.model.results import of_law, of_sample, result, sampling_error
from advisor.model.ring_view import packets_that_fit, ring_work

SPARSE_LOAD = 0.12


def solve(
    interface: Interface, places: Places, llq: Sequence[Flow], lower: Sequence[Flow], samples: int
) -> dict[str, ClassResult]:
    """Results by class name."""
    if any(isinstance(flow.traffic.arrival, OnOff) for flow in [*llq, *lower]):
        return modulated.solve(interface, places, llq, lower, samples)
    if all(isinstance(flow.traffic.arrival, Periodic) for flow in [*llq, *lower]):
        return _periodic(interface, places, llq, lower, samples)
    mix = mix_of(lower)
    room = max(flow.queue.limit_packets for flow in lower)
    smallest = int(mix.units.min()) if any(not f.cut for f in lower) else 1
    ring_packets = -(-interface.ring.limit // smallest) + interface.ring.beside_wire
    state = slowed_chain(mix, llq, ring_packets + room)
    start = below.start_of(state, ring_packets + room)
    regime = Regime.BURSTS if mix.batch > 1 else Regime.POISSON
    delays = _llq(interface, places, llq, lower, mix, state, start, samples)
    results = {
        flow.traffic.name: result(
            flow,
            delay,
            regime,
            interface.rate_bps,
            bound_ms=llq_bound_ms(interface.ring, llq, lower, flow),
            wider=error,
        )
        for flow, (delay, error) in zip(llq, delays, strict=True)
    }
    llq_wait = _mean_wait(llq, [delay for delay, _ in delays])
    results |= _lower(interface, llq, lower, mix, state, start, llq_wait, regime)
    return results


def _llq(
    interface: Interface,
    places: Places,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    mix: Mix,
    state: Chain,
    start: below.Start,
    samples: int,
) -> list[tuple[Delay, float]]:
    if not llq:
        return []
    if _sparse(interface, llq, lower):
        fits = packets_that_fit(interface.ring.limit, interface.ring.beside_wire, mix.weights, mix.units)
        weights, times = state.weights, state.times_ms
        law = ring_work(state, fits, weights, times, llq[0].mean_ms)
        period_ms = 1 / (llq[0].packets_per_ms or 1.0)
        memory_ms = mix.residual_ms / (1 - mix.load - llq[0].load) ** 2
        fresh = -np.expm1(-period_ms / memory_ms)
        return [(of_law(law, law.mean_difference_ms * float(np.sqrt(fresh))), 0.0)]
    sampled = below.llq_delays(places, llq, lower, start, samples)
    return [(of_sample(sample), sampling_error(sample)) for sample in sampled]


def _sparse(interface: Interface, llq: Sequence[Flow], lower: Sequence[Flow]) -> bool:
    """One light periodic stream that never meets its own packets in the ring."""
    (first, *others) = llq
    if others or first.traffic.streams > 1 or not isinstance(first.traffic.arrival, Periodic):
        return False
    if any(flow.cut for flow in lower) or first.load > SPARSE_LOAD:
        return False
    period_ms = 1 / (first.packets_per_ms or 1.0)
    return period_ms > ring_work_bound_ms(interface.ring, [*llq, *lower])


def _mean_wait(flows: Sequence[Flow], delays: Sequence[Delay]) -> float:
    load = sum(flow.load for flow in flows)
    if load <= 0:
        return 0.0
    waits = [f.load * (d.mean_ms - f.mean_ms) for f, d in zip(flows, delays, strict=True)]
    return sum(waits) / load


def _lower(
    interface: Interface,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    mix: Mix,
    state: Chain,
    start: below.Start,
    llq_wait_ms: float,
    regime: Regime,
) -> dict[str, ClassResult]:
    cut = any(flow.cut for flow in lower)
    slow = 1 / (1 - sum(flow.load for flow in llq))
    wait_ms = wait_of_all_ms(mix, llq, llq_wait_ms, cut=cut)
    wait_ms *= _what_loss_leaves(mix, state, start, slow)
    times, masses = shape_of(state, start, slow)
    waits = [wait_ms] * len(lower)
    several = len({flow.queue.name for flow in lower}) > 1
    if several:
        waits = _divided(interface, llq, lower, mix, state, wait_ms, llq_wait_ms)
    results = {}
    for flow, own_wait in zip(lower, waits, strict=True):
        mean_ms = own_wait + flow.mean_ms * (slow if flow.cut else 1.0)
        delay = scaled(times, masses, mean_ms, min(flow.mean_ms, mean_ms))
        ipdv_ms = difference_of_poisson_ms(delay, flow)
        results[flow.traffic.name] = result(
            flow,
            Delay(delay.mean_ms, delay.p50_ms, delay.p95_ms, delay.p99_ms, ipdv_ms),
            regime,
            interface.rate_bps,
            bound_ms=lower_bound_ms(interface.ring, llq, lower, flow),
            loss_ratio=state.loss_ratio,
            wider=0.25 if several else 0.03,
            weak="shares between classes: an interpolation" if several else None,
        )
    return results


def _what_loss_leaves(mix: Mix, state: Chain, start: below.Start, slow: float) -> float:
    """Mean wait in the finite queue over that in an endless one, both of the slowed chain."""
    endless = mix.residual_ms * slow**2 / (1 - mix.load * slow)
    mean = float(state.weights @ state.times_ms)
    spread = float(state.weights @ state.times_ms**2) + (mix.batch - 1) * mean**2
    endless = mix.packets_per_ms * spread / 2 / (1 - mix.packets_per_ms * mean)
    in_queue = np.maximum(start.present - 1, 0) + start.part
    finite = float(in_queue @ start.masses) * mean
    return min(1.0, finite / endless) if endless > 0 else 1.0


def _divided(
    interface: Interface,
    llq: Sequence[Flow],
    lower: Sequence[Flow],
    mix: Mix,
    state: Chain,
    wait_ms: float,
    llq_wait_ms: float,
) -> list[float]:
    """Waits of several classes: the ring is common to all, the rest is divided by the scheduler."""
    if llq:
        common = llq_wait_ms
    else:
        fits = packets_that_fit(interface.ring.limit, interface.ring.beside_wire, mix.weights, mix.units)
        common = ring_work(state, fits, state.weights, state.times_ms, 0.0).mean_ms
    common = min(common, wait_ms)
    queues = list({flow.queue.name: flow.queue for flow in lower}.values())
    shares = []
    for queue in queues:
        inside = [flow for flow in lower if flow.queue.name == queue.name]
        load = sum(flow.load for flow in inside)
        packet_ms = load / sum(flow.packets_per_ms or 0.0 for flow in inside)
        shares.append(Share(load, queue.share_percent, packet_ms / queue.share_percent))
    divided = divide_wait_ms(shares, wait_ms - common)
    by_name = {queue.name: extra for queue, extra in zip(queues, divided, strict=True)}
    return [common + by_name[flow.queue.name] for flow in lower]


def _periodic(
    interface: Interface, places: Places, llq: Sequence[Flow], lower: Sequence[Flow], samples: int
) -> dict[str, ClassResult]:
    sampled = below.periodic_delays(places, llq, lower, samples)
    results = {}
    for flow, sample in zip([*llq, *lower], sampled, strict=True):
        bound = llq_bound_ms if flow.priority else lower_bound_ms
        results[flow.traffic.name] = result(
            flow,
            of_sample(sample),
            Regime.PERIODIC,
            interface.rate_bps,
            bound_ms=bound(interface.ring, llq, lower, flow),
            wider=sampling_error(sample),
        )
    return results

