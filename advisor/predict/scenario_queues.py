"""Queues, policers and shapers: of a scenario as those of the model, and the other way."""

from typing import Literal

from advisor import model
from advisor.model.wire import Framing, wire_bytes
from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Scenario, Stream
from advisor.units import (
    bps_from_kbps,
    kbps_from_bps,
    ms_from_s,
    percent_from_ratio,
    ratio_from_percent,
)


def model_queues(scenario: Scenario) -> tuple[model.Queue, ...]:
    """The model's queues of a scenario.

    Percentages are of the shaper around all queues, or of the link. Where excess bandwidth is not
    shared in proportion, a class with a guarantee has no ratio: 1 under equal sharing, and its
    percentage among the classes with a guarantee.
    """
    shape = scenario.shape
    base_kbps = scenario.link.rate_kbps if shape is None else shape.rate_kbps
    return tuple(_queue(queue, scenario, base_kbps) for queue in scenario.queues)


def _queue(queue: scenarios.Queue, scenario: Scenario, base_kbps: float) -> model.Queue:
    name, limit = queue.name, queue.queue_limit_packets
    match queue:
        case scenarios.WfqQueue(congestive_discard_threshold_packets=threshold):
            return model.Queue(
                name,
                model.QueueKind.FAIR,
                limit_packets=limit,
                flow_limit_packets=threshold,
                by_precedence=True,
            )
        case scenarios.FifoQueue():
            return model.Queue(name, model.QueueKind.FIFO, limit_packets=limit)
        case scenarios.PriorityQueue():
            policer = None
            if queue.policed_under_congestion:
                policer = model.Policer(bps_from_kbps(queue.priority_kbps), queue.burst_bytes)
            return model.Queue(
                name,
                model.QueueKind.PRIORITY,
                limit_packets=limit,
                policer=policer,
                level=queue.level,
                police=_police(queue.police),
            )
        case scenarios.SharedQueue():
            return _shared(queue, scenario, base_kbps)


def _shared(queue: scenarios.SharedQueue, scenario: Scenario, base_kbps: float) -> model.Queue:
    excess = scenario.excess_bandwidth
    is_default, fair = isinstance(queue, scenarios.DefaultQueue), queue.fair_queue
    percent, weight, guarantee_bps = queue.bandwidth_percent, queue.weight, 0.0
    if excess != "proportional" and percent is not None:
        guarantee_bps = bps_from_kbps(base_kbps * ratio_from_percent(percent))
        weight = 1.0 if excess == "equal" else percent
    return model.Queue(
        queue.name,
        model.QueueKind.CLASS_DEFAULT if is_default else model.QueueKind.BANDWIDTH,
        weight,
        queue.queue_limit_packets,
        flow_limit_packets=fair.per_flow_queue_limit_packets if fair else None,
        police=_police(queue.police),
        shaper=model_shaper(queue.shape, scenario.link),
        guarantee_bps=guarantee_bps,
        by_precedence=fair is not None and fair.weighted_by_precedence,
    )


def _police(police: scenarios.ScenarioPolicer | None) -> model.Policer | None:
    if police is None:
        return None
    return model.Policer(bps_from_kbps(police.rate_kbps), police.burst_bytes)


def model_shaper(
    shape: scenarios.ScenarioShaper | None, link: scenarios.ScenarioLink
) -> model.Shaper | None:
    """The model's shaper of a scenario; None without one."""
    if shape is None:
        return None
    rate_bps, counted = bps_from_kbps(shape.rate_kbps), shape.counted_l2_bytes_per_packet
    if counted is None and shape.counts_cells:
        counted = link.l2_overhead_bytes_per_packet
    return model.Shaper(
        rate_bps,
        ms_from_s(shape.committed_burst_bits / rate_bps),
        None if counted is None else Framing(counted, shape.counts_cells),
        shape.excess_burst_bits,
        model.Refill(shape.refill),
    )


def scenario_queue(queue: model.Queue, interface: model.Interface) -> scenarios.Queue:
    """The scenario's queue of the model's.

    A scenario's policer counts the bytes of the link: one that counts others gets the rate and the
    burst that pass as many mean packets.
    """
    name, limit, police = queue.name, queue.limit_packets, _scenario_police(queue, interface)
    match queue.kind:
        case model.QueueKind.PRIORITY:
            policer, factor = queue.policer, _factor(queue.policer, queue, interface)
            rate_bps = interface.rate_bps if policer is None else policer.rate_bps * factor
            return scenarios.PriorityQueue(
                name=name,
                queue_limit_packets=limit,
                priority_kbps=kbps_from_bps(rate_bps),
                burst_bytes=1 if policer is None else policer.burst_bytes * factor,
                policed_under_congestion=policer is not None,
                level=queue.level,
                police=police,
            )
        case model.QueueKind.FIFO:
            return scenarios.FifoQueue(name=name, queue_limit_packets=limit)
        case model.QueueKind.FAIR:
            threshold = queue.flow_limit_packets or limit
            return scenarios.WfqQueue(
                name=name,
                queue_limit_packets=limit,
                congestive_discard_threshold_packets=threshold,
            )
        case _:
            return _scenario_shared(queue, interface, police)


def _scenario_shared(
    queue: model.Queue, interface: model.Interface, police: scenarios.ScenarioPolicer | None
) -> scenarios.SharedQueue:
    is_default = queue.kind is model.QueueKind.CLASS_DEFAULT
    shared = scenarios.DefaultQueue if is_default else scenarios.SharedQueue
    flow_limit, percent, ratio = queue.flow_limit_packets, None, None
    shaper = interface.shaper
    if interface.excess is model.Excess.PROPORTIONAL:
        percent = queue.share_percent
    elif queue.guarantee_bps > 0:
        base_bps = interface.rate_bps if shaper is None else shaper.rate_bps
        percent = percent_from_ratio(queue.guarantee_bps / base_bps)
    else:
        ratio = queue.share_percent
    fair = None
    if flow_limit is not None:
        fair = scenarios.FairQueue(flow_limit, weighted_by_precedence=queue.by_precedence)
    return shared(
        name=queue.name,
        queue_limit_packets=queue.limit_packets,
        bandwidth_percent=percent,
        bandwidth_remaining_ratio=ratio,
        fair_queue=fair,
        shape=scenario_shape(queue.shaper),
        police=police,
    )


def scenario_shape(shaper: model.Shaper | None) -> scenarios.ScenarioShaper | None:
    """The scenario's shaper of the model's; None without one."""
    if shaper is None:
        return None
    framing = shaper.framing
    return scenarios.ScenarioShaper(
        rate_kbps=kbps_from_bps(shaper.rate_bps),
        committed_burst_bits=shaper.committed_bits,
        excess_burst_bits=shaper.excess_bits,
        refill="smooth" if shaper.refill is model.Refill.SMOOTH else "per_interval",
        counted_l2_bytes_per_packet=None if framing is None else framing.overhead_bytes,
        counts_cells=framing is not None and framing.cells,
    )


def _scenario_police(
    queue: model.Queue, interface: model.Interface
) -> scenarios.ScenarioPolicer | None:
    police = queue.police
    if police is None:
        return None
    factor = _factor(police, queue, interface)
    return scenarios.ScenarioPolicer(
        kbps_from_bps(police.rate_bps * factor), police.burst_bytes * factor
    )


def _factor(policer: model.Policer | None, queue: model.Queue, interface: model.Interface) -> float:
    """Bytes of the link for each byte that a policer counts, of the mean packet of its queue."""
    counted = policer.framing if policer is not None else None
    own = [traffic.sizes for traffic in interface.traffic if traffic.queue == queue.name]
    pairs = [pair for sizes in own for pair in sizes.bytes_and_weights]
    if counted is None or not pairs:
        return 1.0
    mean_bytes = sum(size * weight for size, weight in pairs) / sum(weight for _, weight in pairs)
    mean = round(mean_bytes)
    link_bytes = wire_bytes(mean, Framing(interface.framing.overhead_bytes))
    return link_bytes / wire_bytes(mean, counted)


# An interface of the queueing model as the scenario that a simulation takes.


def scenario_of(name: str, interface: model.Interface) -> Scenario:
    """The scenario of an interface; all traffic of a queue is one class, named as the queue."""
    cut = interface.fragmentation
    return Scenario(
        id=name,
        link=scenarios.ScenarioLink(
            kbps_from_bps(interface.rate_bps),
            interface.framing.overhead_bytes,
            interface.framing.cells,
            member_rates_kbps=tuple(map(kbps_from_bps, interface.members_bps)),
        ),
        tx_ring=_ring(interface.ring),
        scheduler=_scheduler(interface.queues),
        queues=tuple(scenario_queue(queue, interface) for queue in interface.queues),
        traffic=tuple(_stream(stream) for stream in interface.traffic),
        fragmentation=None
        if cut is None
        else scenarios.Fragmentation(cut.fragment_bytes, cut.overhead_bytes),
        shape=scenario_shape(interface.shaper),
        excess_bandwidth=interface.excess.value,
    )


def _ring(ring: model.TxRing) -> scenarios.TxRing:
    unit: Literal["packets", "particles"] = "packets"
    if ring.unit is model.RingUnit.PARTICLES:
        unit = "particles"
    beside = bool(ring.beside_wire)
    return scenarios.TxRing(unit, ring.limit, ring.particle_bytes, wire_beside_ring=beside)


def _scheduler(queues: tuple[model.Queue, ...]) -> scenarios.SchedulerName:
    kinds = {queue.kind for queue in queues}
    if model.QueueKind.FIFO in kinds:
        return "fifo"
    if model.QueueKind.FAIR in kinds:
        return "wfq"
    return "llq+cbwfq" if model.QueueKind.PRIORITY in kinds else "cbwfq"


def _stream(traffic: model.Traffic) -> Stream:
    return Stream(
        class_name=traffic.queue,
        queue=traffic.queue,
        arrival=_arrival(traffic.arrival),
        ip_packet_bytes=scenarios.DiscreteSizes(traffic.sizes.bytes_and_weights),
        independent_identical_streams=traffic.streams,
        conversations_per_stream=traffic.conversations,
        precedence=traffic.precedence,
    )


def _arrival(arrival: model.Arrival) -> scenarios.Arrival:
    match arrival:
        case model.Periodic(rate, jitter_ms):
            return scenarios.Cbr(rate, jitter_ms)
        case model.Poisson(rate):
            return scenarios.Poisson(rate)
        case model.Bursts(bursts, packets, spacing_ms):
            return scenarios.PoissonBursts(bursts, packets, spacing_ms)
        case model.OnOff(peak, on_ms, off_ms):
            return scenarios.OnOff(peak, on_ms, off_ms)
        case model.Saturated(backlog):
            return scenarios.Saturated(backlog)
