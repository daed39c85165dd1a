"""The interface of a scenario, in the vocabulary that theory and simulation read."""

from advisor import model
from advisor.ground.units import bps_from_kbps, ms_from_s, ratio_from_percent
from advisor.settings import scenario as files
from advisor.settings.scenario import Scenario, Stream, TcpGroup, wred_of


def interface_of(scenario: Scenario) -> model.Interface:
    """The interface with its queues and its traffic, in their order."""
    link, ring = scenario.link, scenario.tx_ring
    cut, shape = scenario.fragmentation, scenario.shape
    base_kbps = link.rate_kbps if shape is None else shape.rate_kbps
    return model.Interface(
        rate_bps=bps_from_kbps(link.rate_kbps),
        framing=model.Framing(link.l2_overhead_bytes_per_packet, link.atm_cell_tax),
        ring=model.TxRing(
            ring.limit,
            model.RingUnit(ring.unit),
            ring.particle_bytes,
            beside_wire=1 if ring.wire_beside_ring else 0,
        ),
        queues=tuple(_queue(queue, scenario, base_kbps) for queue in scenario.queues),
        traffic=tuple(_traffic(traffic, scenario) for traffic in scenario.traffic),
        fragmentation=None
        if cut is None
        else model.Fragmentation(cut.fragment_ip_bytes, cut.overhead_bytes_per_fragment),
        shaper=_shaper(shape, link),
        members_bps=tuple(map(bps_from_kbps, link.member_rates_kbps)),
        excess=model.Excess(scenario.excess_bandwidth),
    )


def _queue(queue: files.Queue, scenario: Scenario, base_kbps: float) -> model.Queue:
    name, limit = queue.name, queue.queue_limit_packets
    match queue:
        case files.WfqQueue(congestive_discard_threshold_packets=threshold):
            return model.Queue(
                name,
                model.QueueKind.FAIR,
                limit_packets=limit,
                flow_limit_packets=threshold,
                by_precedence=True,
            )
        case files.FifoQueue():
            return model.Queue(name, model.QueueKind.FIFO, limit_packets=limit, wred=_wred(queue))
        case files.PriorityQueue():
            policer = None
            if queue.policed_under_congestion:
                policer = model.Policer(bps_from_kbps(queue.priority_kbps), queue.burst_bytes)
            return model.Queue(
                name,
                model.QueueKind.PRIORITY,
                limit_packets=limit,
                priority_policer=policer,
                level=queue.level,
                class_policer=_police(queue.police),
            )
        case files.SharedQueue():
            return _shared(queue, scenario, base_kbps)


def _shared(queue: files.SharedQueue, scenario: Scenario, base_kbps: float) -> model.Queue:
    """A CBWFQ class; percentages are of the shaper around all queues, or of the link.

    Where excess bandwidth is not shared in proportion, a class with a guarantee has no ratio: 1
    under equal sharing, and its percentage among the classes with a guarantee.
    """
    excess, percent = scenario.excess_bandwidth, queue.bandwidth_percent
    is_default, fair = isinstance(queue, files.DefaultQueue), queue.fair_queue
    weight, guarantee_bps = queue.weight, 0.0
    if excess != "proportional" and percent is not None:
        guarantee_bps = bps_from_kbps(base_kbps * ratio_from_percent(percent))
        weight = 1.0 if excess == "equal" else percent
    return model.Queue(
        queue.name,
        model.QueueKind.CLASS_DEFAULT if is_default else model.QueueKind.BANDWIDTH,
        weight,
        queue.queue_limit_packets,
        flow_limit_packets=fair.per_flow_queue_limit_packets if fair else None,
        class_policer=_police(queue.police),
        shaper=_shaper(queue.shape, scenario.link),
        guarantee_bps=guarantee_bps,
        by_precedence=fair is not None and fair.weighted_by_precedence,
        wred=_wred(queue),
    )


def _wred(queue: files.Queue) -> model.WredAverage | None:
    wred = wred_of(queue)
    if wred is None:
        return None
    return model.WredAverage(wred.exponential_weighting_constant, wred.idle_decay_packet_time_ms)


def _police(police: files.ScenarioPolicer | None) -> model.Policer | None:
    if police is None:
        return None
    return model.Policer(bps_from_kbps(police.rate_kbps), police.burst_bytes)


def _shaper(shape: files.ScenarioShaper | None, link: files.ScenarioLink) -> model.Shaper | None:
    if shape is None:
        return None
    rate_bps, counted = bps_from_kbps(shape.rate_kbps), shape.counted_l2_bytes_per_packet
    if counted is None and shape.counts_cells:
        counted = link.l2_overhead_bytes_per_packet
    return model.Shaper(
        rate_bps,
        ms_from_s(shape.committed_burst_bits / rate_bps),
        None if counted is None else model.Framing(counted, shape.counts_cells),
        shape.excess_burst_bits,
        model.Refill(shape.refill),
    )


def _traffic(traffic: Stream | TcpGroup, scenario: Scenario) -> model.Traffic:
    wred = wred_of(scenario.queue_named(traffic.queue))
    profiles = {
        profile.name: model.DropProfile(
            profile.min_threshold_packets,
            profile.max_threshold_packets,
            profile.mark_probability_denominator,
        )
        for profile in (wred.profiles if wred else ())
    }
    profile = profiles.get(traffic.wred_profile or "")
    if isinstance(traffic, Stream):
        return model.Traffic(
            traffic.class_name,
            traffic.queue,
            _arrival(traffic.arrival),
            _sizes(traffic.ip_packet_bytes),
            traffic.independent_identical_streams,
            traffic.conversations_per_stream,
            traffic.precedence,
            profile,
        )
    tcp = model.Tcp(
        traffic.base_rtt_ms,
        traffic.receiver_window_packets,
        traffic.transfer_size_packets,
        traffic.initial_window_packets,
        traffic.minimum_rto_ms,
        traffic.limited_transmit,
        traffic.delayed_ack,
    )
    return model.Traffic(
        traffic.class_name,
        traffic.queue,
        tcp,
        model.SizeMix(((traffic.ip_packet_bytes, 1.0),)),
        traffic.tcp_flows,
        precedence=traffic.precedence,
        profile=profile,
    )


def _arrival(arrival: files.Arrival) -> model.Arrival:
    match arrival:
        case files.Cbr(rate, jitter_ms):
            return model.Periodic(rate, jitter_ms)
        case files.Poisson(rate):
            return model.Poisson(rate)
        case files.PoissonBursts(bursts, packets, spacing_ms):
            return model.Bursts(bursts, packets, spacing_ms)
        case files.OnOff(peak, on_ms, off_ms):
            return model.OnOff(peak, on_ms, off_ms)
        case files.Saturated(backlog):
            return model.Saturated(backlog)


def _sizes(sizes: files.Sizes) -> model.SizeMix:
    match sizes:
        case files.FixedSize(size):
            return model.SizeMix(((size, 1.0),))
        case files.DiscreteSizes(pairs):
            return model.SizeMix(pairs)
        case files.UniformSizes(least, most):
            return model.SizeMix(tuple((size, 1.0) for size in range(least, most + 1)))
