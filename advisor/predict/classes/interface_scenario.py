"""An interface of the queueing model as the scenario that a simulation takes."""

from advisor.settings import scenario as given
from advisor.settings.scenario import Scenario, Stream
from advisor.simulate import SimulationError
from advisor.theory import interface as asked
from advisor.units import kbps_from_bps


def scenario_of(name: str, interface: asked.Interface) -> Scenario:
    """The scenario of an interface; all traffic of a queue is one class, named as the queue.

    A packet on the wire that stands beside a ring of packets is a packet more in the ring: the
    simulation counts it there.

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
        link=given.Link(
            kbps_from_bps(interface.rate_bps),
            interface.framing.overhead_bytes,
            interface.framing.cells,
        ),
        tx_ring=_ring(interface.ring),
        scheduler=_scheduler(interface.queues),
        queues=tuple(_queue(each, interface.rate_bps) for each in interface.queues),
        traffic=tuple(_stream(each) for each in interface.traffic),
        fragmentation=None
        if cut is None
        else given.Fragmentation(cut.fragment_bytes, cut.overhead_bytes),
    )


def _ring(ring: asked.TxRing) -> given.TxRing:
    if ring.unit is asked.RingUnit.PACKETS:
        return given.TxRing("packets", ring.limit + ring.beside_wire)
    if ring.beside_wire:
        raise SimulationError(
            "a ring of particles with the packet on the wire beside it is not simulated"
        )
    return given.TxRing("particles", ring.limit, ring.particle_bytes)


def _scheduler(queues: tuple[asked.Queue, ...]) -> given.SchedulerName:
    kinds = {each.kind for each in queues}
    if asked.QueueKind.FIFO in kinds:
        return "fifo"
    return "llq+cbwfq" if asked.QueueKind.PRIORITY in kinds else "cbwfq"


def _queue(queue: asked.Queue, rate_bps: float) -> given.Queue:
    match queue.kind:
        case asked.QueueKind.PRIORITY:
            policer = queue.policer
            return given.PriorityQueue(
                name=queue.name,
                queue_limit_packets=queue.limit_packets,
                priority_kbps=kbps_from_bps(rate_bps if policer is None else policer.rate_bps),
                burst_bytes=1 if policer is None else policer.burst_bytes,
                policed_under_congestion=policer is not None,
            )
        case asked.QueueKind.FIFO:
            return given.FifoQueue(name=queue.name, queue_limit_packets=queue.limit_packets)
        case _:
            is_default = queue.kind is asked.QueueKind.CLASS_DEFAULT
            shared = given.DefaultQueue if is_default else given.SharedQueue
            limit = queue.flow_limit_packets
            return shared(
                name=queue.name,
                queue_limit_packets=queue.limit_packets,
                bandwidth_percent=queue.share_percent,
                fair_queue=None if limit is None else given.FairQueue(limit),
            )


def _stream(traffic: asked.Traffic) -> Stream:
    return Stream(
        class_name=traffic.queue,
        queue=traffic.queue,
        arrival=_arrival(traffic.arrival),
        ip_packet_bytes=given.DiscreteSizes(traffic.sizes.bytes_and_weights),
        independent_identical_streams=traffic.streams,
        conversations_per_stream=traffic.conversations,
    )


def _arrival(arrival: asked.Arrival) -> given.Arrival:
    match arrival:
        case asked.Periodic(rate, jitter_ms):
            return given.Cbr(rate, jitter_ms)
        case asked.Poisson(rate):
            return given.Poisson(rate)
        case asked.Bursts(bursts, packets, spacing_ms):
            return given.PoissonBursts(bursts, packets, spacing_ms)
        case asked.OnOff(peak, on_ms, off_ms):
            return given.OnOff(peak, on_ms, off_ms)
        case asked.Saturated(backlog):
            return given.Saturated(backlog)
