"""On/off sources below the LLQ: the fluid workload with its phase, packets where it is empty."""

import numpy as np
from msgspec import Struct

from advisor.theory.bounds import fifo_bound_ms, llq_bound_ms, lower_bound_ms
from advisor.theory.case import Case
from advisor.theory.classes.fluid import (
    FluidQueue,
    accepted_arrivals,
    fluid_queue,
    moments,
    periodic_queue_tail,
)
from advisor.theory.classes.policing import noticed, refused_ratio
from advisor.theory.flows import Floats, Flow
from advisor.theory.interface import ClassResult, Delay, OnOff, QueueKind, Regime, Weakness
from advisor.theory.results import result
from advisor.theory.ring.full_ring import Sample, llq_delays
from advisor.units import s_from_ms

SMALL = 5_000  # numeric: packets of the recursion for the full ring, which gives 16 levels
LEVELS = 16  # numeric: of the delay in a full ring
QUEUE_POINTS, QUEUE_PACKETS = 24, 4.0  # numeric: periodic sources below the wire queue less than 4
# Work, in packets, that a packet meets if the fluid queue is empty although the sources send more
# than the wire takes: an overload has just begun, about a packet waits. Stated, not derived.
AT_BEGIN = QUEUE_POINTS // 4
LEAST_ROOM = 0.01  # numeric: share of the wire that other classes leave at least


class _Model(Struct, frozen=True, eq=False):
    """The on/off sources with the wire and the fluid queue that they meet."""

    source: Flow
    sources: int
    peak_load: float
    room: float
    packet_ms: float
    fluid: FluidQueue


def solve(case: Case, regime: Regime, samples: int) -> dict[str, ClassResult]:
    """Results by class name; at least one lower flow must be on/off."""
    interface, llq, lower = case.interface, case.llq, case.lower
    sampled: tuple[Sample, ...] = ()
    if llq:
        rates = [flow.rate_per_ms for flow in lower]
        sampled = llq_delays(case.places, llq, lower, rates, min(samples, SMALL))
    model = _model(case)
    results = {}
    for flow, full in zip(llq, sampled, strict=True):
        delay, is_full = _llq_delay(model, flow, full, case.llq_load)
        results[flow.traffic.name] = result(
            flow,
            delay,
            regime,
            interface.rate_bps,
            bound_ms=llq_bound_ms(interface.ring, llq, lower, flow),
            loss_ratio=is_full * full.loss_ratio,
            most_loss=refused_ratio(flow) if noticed(flow) else None,
            weak=(Weakness.FLUID,),
        )
    for flow in lower:
        results[flow.traffic.name] = _lower(case, regime, model, flow)
    return results


def _model(case: Case) -> _Model:
    ring, llq, lower = case.interface.ring, case.llq, case.lower
    sources = [
        (flow, flow.traffic.arrival) for flow in lower if isinstance(flow.traffic.arrival, OnOff)
    ]
    source, arrival = max(sources, key=lambda pair: pair[0].load)
    on_off_load = sum(flow.load for flow, _ in sources)
    number = max(1, round(on_off_load / (source.load / source.traffic.streams)))
    peak_load = arrival.peak_packets_per_s * s_from_ms(source.mean_ms)
    llq_rate = sum(flow.rate_per_ms for flow in llq)
    own_rate = (1 - case.llq_load) / source.mean_ms
    units = float(source.weights @ source.units)
    in_ring = -(-ring.limit // units) * own_rate / (own_rate + llq_rate)
    if source.queue.kind is QueueKind.FIFO:
        in_ring = -(-ring.limit // units)
    most_ms = (source.queue.limit_packets + in_ring) * source.mean_ms
    room = max(1 - (case.load - on_off_load), LEAST_ROOM)
    fluid = fluid_queue(
        number,
        on_ms=arrival.mean_on_ms,
        off_ms=arrival.mean_off_ms,
        peak_load=peak_load,
        room=room,
        most_ms=most_ms,
    )
    return _Model(source, number, peak_load, room, source.mean_ms, fluid)


def _packet_queue(model: _Model) -> tuple[Floats, Floats]:
    """Work seen where the fluid queue is empty: values in ms and masses, summed over phases."""
    queue = np.linspace(0.0, QUEUE_PACKETS, QUEUE_POINTS)
    slow_ms = model.packet_ms / model.room
    masses = np.zeros(QUEUE_POINTS)
    for on in range(model.sources + 1):
        atom = float(model.fluid.mass[on, 0])
        period = model.room / model.peak_load
        if atom <= 0:
            continue
        if on == 0 or on >= period:
            masses[0 if on == 0 else AT_BEGIN] += atom
            continue
        tail = periodic_queue_tail(on, period, queue)
        tail[-1] = 0.0
        masses += atom * -np.diff(tail, prepend=1.0)
    middle = np.concatenate([[0.0], (queue[1:] + queue[:-1]) / 2])
    return middle * slow_ms, masses


def _llq_delay(model: _Model, flow: Flow, full: Sample, llq_load: float) -> tuple[Delay, float]:
    """Delay of an LLQ flow, and how much of the time the ring is full."""
    own_ms = flow.mean_ms
    levels = np.full(LEVELS, model.fluid.work_ms[-1])  # a class too sparse to be sampled: the whole
    if len(full.delay_ms):
        levels = np.quantile(full.delay_ms, (np.arange(LEVELS) + 0.5) / LEVELS) - own_ms
    mass = model.fluid.mass[:, 1:].sum(axis=0)
    work = model.fluid.work_ms[1:] / (1 - llq_load)
    capped = np.minimum(work[:, None], levels)
    queue_ms, queue_mass = _packet_queue(model)
    values = np.concatenate([queue_ms, capped.ravel()]) + own_ms
    masses = np.concatenate([queue_mass, np.repeat(mass / LEVELS, LEVELS)])
    mean, quantiles = moments(values, masses)
    is_full = float(mass[work > levels.mean()].sum())
    ipdv_full = float(full.ipdv_ms.mean()) if len(full.ipdv_ms) else 0.0
    ipdv = is_full * ipdv_full + (1 - is_full) * _difference(queue_ms, queue_mass)
    return Delay(mean, *quantiles, ipdv), is_full


def _difference(values: Floats, masses: Floats) -> float:
    order = np.argsort(values)
    cumulated = np.cumsum(masses[order]) / max(float(masses.sum()), 1e-12)
    return float(2 * np.sum(cumulated[:-1] * (1 - cumulated[:-1]) * np.diff(values[order])))


def _lower(case: Case, regime: Regime, model: _Model, flow: Flow) -> ClassResult:
    """Delay of the sources' packets: states weighted by rate, less the drops of a full queue."""
    interface, llq, lower = case.interface, case.llq, case.lower
    arriving, loss_ratio = accepted_arrivals(
        model.fluid,
        model.peak_load,
        model.room,
        of_sources=flow is model.source or isinstance(flow.traffic.arrival, OnOff),
    )
    queue_ms, queue_mass = _packet_queue(model)
    empty = float(arriving[:, 0].sum())
    inside = arriving[:, 1:].sum(axis=0)
    work = model.fluid.work_ms[1:] / model.room
    scale = empty / max(float(queue_mass.sum()), 1e-12)
    values = np.concatenate([queue_ms, work]) + flow.mean_ms
    mean, quantiles = moments(values, np.concatenate([queue_mass * scale, inside]))
    bound = lower_bound_ms(interface.ring, llq, lower, flow)
    if flow.queue.kind is QueueKind.FIFO:
        bound = fifo_bound_ms(interface.ring, lower, flow)
    delay = Delay(mean, *quantiles, min(mean, flow.mean_ms / 2))
    return result(
        flow,
        delay,
        regime,
        interface.rate_bps,
        bound_ms=bound,
        loss_ratio=loss_ratio,
        weak=(Weakness.FLUID,),
    )
