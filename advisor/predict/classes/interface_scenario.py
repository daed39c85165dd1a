"""An interface of the queueing model as the scenario that a simulation takes."""

from typing import Literal

from advisor.predict.scenario_queues import scenario_queue, scenario_shape
from advisor.settings import scenario as scenarios
from advisor.settings.scenario import Scenario, Stream
from advisor.theory import interface as model
from advisor.units import kbps_from_bps


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
