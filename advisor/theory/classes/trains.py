"""On/off sources below saturation: packets of all classes, and the work that trains pile up.

Two kinds of waiting add: that of single packets, as if all came at random, and that of the rates,
which change with the phase of the sources. In heavy traffic they add exactly, because the work then
depends on the sum of both variances only; in light traffic one of them is nothing.
"""

import numpy as np
from msgspec.structs import replace

from advisor.theory.case import Case
from advisor.theory.classes import work_conservation
from advisor.theory.classes.fluid import FluidQueue, fluid_queue
from advisor.theory.classes.turns import full_ring_view, turns_of
from advisor.theory.flows import Floats, Flow
from advisor.theory.interface import ClassResult, Delay, OnOff, QueueKind, Regime, Weakness
from advisor.theory.lattice import QUANTILES
from advisor.theory.offered import sends_trains
from advisor.theory.ring.full_ring import llq_delays
from advisor.units import s_from_ms

LEVELS = 24  # numeric: of the delay without trains
SMALL = 5_000  # numeric: packets of the recursion for the full ring
LEAST_ROOM = 0.01  # numeric: share of the wire that other classes leave at least


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:
    """Results by class name; at least one lower flow must send trains."""
    single = work_conservation.solve(case, regime, samples)
    results = {}
    everywhere = _fluid(case, case.lower, None)
    full = ()
    if case.llq:
        rates = [flow.rate_per_ms for flow in case.lower]
        full = llq_delays(case.places, case.llq, case.lower, rates, min(samples, SMALL))
    for flow, sample in zip(case.llq, full, strict=True):
        alone = single[flow.traffic.name]
        levels = _levels(alone.delay, flow, _even_part(case, everywhere, flow))
        most = np.full(LEVELS, np.inf)
        if len(sample.delay_ms):
            most = np.quantile(sample.delay_ms, (np.arange(LEVELS) + 0.5) / LEVELS)
        work, masses, _ = _seen(everywhere, None)
        values = np.minimum(levels[:, None] + work / (1 - case.llq_load), np.maximum(most, levels)[:, None])
        results[flow.traffic.name] = _with(alone, values, np.tile(masses, (LEVELS, 1)), alone.loss_ratio, levels.mean())
    turns = turns_of(case.lower, max(LEAST_ROOM, 1 - case.llq_load))
    passed = [flow.load for flow in case.llq]
    ring = full_ring_view(case, turns, passed)
    for flow in case.lower:
        alone = single[flow.traffic.name]
        levels = _levels(alone.delay, flow, _even_part(case, everywhere, flow))
        own = [other for other in case.lower if other.queue.name == flow.queue.name]
        rest = [other for other in case.lower if other.queue.name != flow.queue.name]
        values, masses, loss = levels[:, None], np.ones((LEVELS, 1)), alone.loss_ratio
        if any(map(sends_trains, own)):
            work, mass, lost = _seen(_fluid(case, own, flow), flow)
            values, masses, loss = values + work, masses * mass, max(loss, lost)
        if any(map(sends_trains, rest)):
            turn = next(t for t in turns if t.flows[0].queue.name == flow.queue.name)
            most = ring.wait_ms + ring.slot_ms + flow.mean_ms / turn.rate
            work, mass, _ = _seen(_fluid(case, rest, None), None)
            busy = work > 0
            added = np.minimum(work / max(1 - case.llq_load, LEAST_ROOM), most)
            values = (values[..., None] + added).reshape(LEVELS, -1)
            masses = (masses[..., None] * mass).reshape(LEVELS, -1)
        results[flow.traffic.name] = _with(alone, values, masses, loss, levels.mean())
    return results


def _even_part(case: Case, model, seen_by: Flow | None) -> float:
    """Wait of single packets over that of random ones at the mean load, averaged over the phases."""
    from advisor.theory.offered import residual_of

    fluid, number, peak, room, actual = model
    rest = sum(residual_of(flow, 0.0) for flow in case.flows if not sends_trains(flow))
    trains = [flow for flow in case.flows if sends_trains(flow)]
    whole = sum(residual_of(flow, 0.0) for flow in trains)
    varied = sum(flow.rate_per_ms * max(flow.second_ms2 - flow.mean_ms**2, 0.0) / 2 for flow in trains)
    train_load = sum(flow.load for flow in trains)
    tau = min(1 / (1 / f.traffic.arrival.mean_on_ms + 1 / f.traffic.arrival.mean_off_ms) for f in trains)
    on = np.arange(number + 1)
    chance = fluid.mass.sum(axis=1)
    weight = chance * (on if seen_by is not None and sends_trains(seen_by) else 1.0)
    part = on / (on @ chance)
    idle = 1 - (case.load - train_load) - train_load * part
    idle = idle * 1.0
    residual = rest + varied * part
    least = np.sqrt(residual / tau)
    idle = np.maximum(idle, np.minimum(np.maximum(least, 1e-3), 1.0))
    waits = residual / idle + (whole - varied) * part
    at_mean = (rest + whole) / (1 - case.load)
    return float(waits @ weight / weight.sum() / at_mean)


def _levels(delay: Delay, flow: Flow, even: float) -> Floats:
    own = float(flow.times_ms.min())
    grid = (np.arange(LEVELS) + 0.5) / LEVELS
    tail = delay.p99_ms + (delay.p99_ms - delay.p95_ms)
    levels = np.interp(grid, [0, 0.5, 0.95, 0.99, 1.0], [own, delay.p50_ms, delay.p95_ms, delay.p99_ms, tail])
    mean = levels.mean()
    if mean > own:
        levels = own + (levels - own) * (delay.mean_ms - own) * even / (mean - own)
    return levels


def _fluid(case: Case, flows, flow: Flow | None):
    """Fluid of the sources of `flows`; its source, number, room."""
    weights = {}
    for member in flows:
        a = member.traffic.arrival
        if not isinstance(a, OnOff) or not sends_trains(member):
            continue
        on = a.mean_on_ms / (a.mean_on_ms + a.mean_off_ms)
        peak = a.peak_packets_per_s * s_from_ms(member.mean_ms)
        tau = 1 / (1 / a.mean_on_ms + 1 / a.mean_off_ms)
        weights[id(member)] = (member, peak, on, peak**2 * on * (1 - on) * tau)
    source, peak, on, one = max(weights.values(), key=lambda w: w[3] * w[0].traffic.streams)
    number = max(1, round(sum(w[3] * w[0].traffic.streams for w in weights.values()) / one))
    number = min(number, 250)
    idle = max(1 - case.load, LEAST_ROOM)
    room = number * peak * on + idle
    a = source.traffic.arrival
    limit = source.queue.limit_packets + case.interface.ring.limit
    fluid = fluid_queue(number, on_ms=a.mean_on_ms, off_ms=a.mean_off_ms, peak_load=peak, room=room, most_ms=limit * source.mean_ms)
    actual = 1 - (case.load - sum(w[0].load for w in weights.values()))
    return fluid, number, peak, room, max(actual, LEAST_ROOM)


def _seen(model, flow: Flow | None):
    fluid, number, peak, room, actual = model
    on = np.arange(number + 1)
    rates = on * peak if flow is not None and sends_trains(flow) else np.ones(number + 1)
    arriving = fluid.mass * rates[:, None]
    offered = arriving.sum()
    refused = np.maximum(on * peak - room, 0.0) / np.maximum(on * peak, 1e-12)
    lost = arriving[:, -1] * refused
    arriving[:, -1] -= lost
    masses = arriving.sum(axis=0)
    work = fluid.work_ms / (actual if flow is not None else 1.0)
    # reduce to 40 points
    return work, masses / masses.sum(), float(lost.sum() / offered)


def _with(alone: ClassResult, values: Floats, masses: Floats, loss: float, base) -> ClassResult:
    values, masses = values.ravel(), masses.ravel()
    order = np.argsort(values)
    cum = np.cumsum(masses[order])
    at = np.searchsorted(cum, np.array(QUANTILES) * cum[-1]).clip(max=len(values) - 1)
    p50, p95, p99 = values[order][at].tolist()
    mean = float(values @ masses / masses.sum())
    added = mean - base
    low = base * (1 - 0.25) + 0.5 * added
    high = base * (1 + 0.25) + 1.5 * added
    return replace(alone, delay=Delay(mean, p50, p95, p99, alone.delay.ipdv_ms), mean_low_ms=min(low, mean), mean_high_ms=max(high, mean), loss_ratio=loss, weak=(Weakness.FLUID,))
