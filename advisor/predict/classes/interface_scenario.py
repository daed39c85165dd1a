"""An interface of the queueing model as the scenario that a simulation takes."""

from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Scenario, Stream
from advisor.simulate import SimulationError
from advisor.theory import interface as model
from advisor.units import kbps_from_bps


def scenario_of(name: str, interface: model.Interface) -> Scenario:
    """The scenario of an interface; all traffic of a queue is one class, named as the queue.

    The simulation counts the packet on the wire in the ring. If the wire is beside a ring of
    packets, the simulated ring has one more packet.

    Raises
    ------
    SimulationError
        If packets wait for a shaper, or for a ring of particles without the packet on the wire.
    """
    if interface.shaper is not None:
        raise SimulationError("a shaper is not simulated")
    cut = interface.fragmentation
    return Scenario(
        id=name,
        link=scenarios.Link(
            kbps_from_bps(interface.rate_bps),
            interface.framing.overhead_bytes,
            interface.framing.cells,
        ),
        tx_ring=_ring(interface.ring),
        scheduler=_scheduler(interface.queues),
        queues=tuple(_queue(queue, interface.rate_bps) for queue in interface.queues),
        traffic=tuple(_stream(stream) for stream in interface.traffic),
        fragmentation=None
        if cut is None
        else scenarios.Fragmentation(cut.fragment_bytes, cut.overhead_bytes),
    )


def _ring(ring: model.TxRing) -> scenarios.TxRing:
    if ring.unit is model.RingUnit.PACKETS:
        return scenarios.TxRing("packets", ring.limit + ring.beside_wire)
    if ring.beside_wire:
        raise SimulationError(
            "a ring of particles with the packet on the wire beside it is not simulated"
        )
    return scenarios.TxRing("particles", ring.limit, ring.particle_bytes)


def _scheduler(queues: tuple[model.Queue, ...]) -> scenarios.SchedulerName:
    kinds = {queue.kind for queue in queues}
    if model.QueueKind.FIFO in kinds:
        return "fifo"
    return "llq+cbwfq" if model.QueueKind.PRIORITY in kinds else "cbwfq"


def _queue(queue: model.Queue, rate_bps: float) -> scenarios.Queue:
    match queue.kind:
        case model.QueueKind.PRIORITY:
            policer = queue.policer
            return scenarios.PriorityQueue(
                name=queue.name,
                queue_limit_packets=queue.limit_packets,
                priority_kbps=kbps_from_bps(rate_bps if policer is None else policer.rate_bps),
                burst_bytes=1 if policer is None else policer.burst_bytes,
                policed_under_congestion=policer is not None,
            )
        case model.QueueKind.FIFO:
            return scenarios.FifoQueue(name=queue.name, queue_limit_packets=queue.limit_packets)
        case _:
            is_default = queue.kind is model.QueueKind.CLASS_DEFAULT
            shared = scenarios.DefaultQueue if is_default else scenarios.SharedQueue
            limit = queue.flow_limit_packets
            return shared(
                name=queue.name,
                queue_limit_packets=queue.limit_packets,
                bandwidth_percent=queue.share_percent,
                fair_queue=None if limit is None else scenarios.FairQueue(limit),
            )


def _stream(traffic: model.Traffic) -> Stream:
    return Stream(
        class_name=traffic.queue,
        queue=traffic.queue,
        arrival=_arrival(traffic.arrival),
        ip_packet_bytes=scenarios.DiscreteSizes(traffic.sizes.bytes_and_weights),
        independent_identical_streams=traffic.streams,
        conversations_per_stream=traffic.conversations,
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
