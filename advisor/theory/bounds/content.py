"""How much work ring and queues can hold; all classes of an interface ask for the same."""

from functools import lru_cache

from advisor.theory.flows import Flows
from advisor.theory.interface import RingUnit, Saturated, TxRing
from advisor.theory.ring.tx_ring import Ring, Size, bound_ms


@lru_cache(maxsize=256)
def ring_work_ms(ring: TxRing, flows: Flows) -> float:
    """Most work that a full ring can hold, in ms, when the packet on the wire has just begun."""
    kinds = {
        (time_ms, unit)
        for flow in flows
        for times, units in zip(flow.piece_ms, flow.piece_units, strict=True)
        for time_ms, unit in zip(times, units, strict=True)
    }
    sizes = [Size(0.0, time_ms, unit) for time_ms, unit in kinds]
    return bound_ms(Ring(ring.limit, ring.beside_wire), sizes)


@lru_cache(maxsize=256)
def least_work_ms(ring: TxRing, flows: Flows) -> float:
    """Least work that was in a full ring and is still before a packet for which a place is free.

    Where the packet on the wire counts, its place has become free: the others fill all but its
    units. Beside the wire, the next has begun, and the units of both are before the packet.
    """
    pieces = [
        (time_ms, unit)
        for flow in flows
        for times, units in zip(flow.piece_ms, flow.piece_units, strict=True)
        for time_ms, unit in zip(times, units, strict=True)
    ]
    left = ring.limit
    if not ring.beside_wire:
        left -= 1 if ring.unit is RingUnit.PACKETS else max(unit for _, unit in pieces)
    return max(left, 0) * min(time_ms / unit for time_ms, unit in pieces)


@lru_cache(maxsize=256)
def held_ms(flows: Flows) -> float:
    """Most work that the queues of these flows can hold."""
    limits = {flow.queue.name: flow.queue.limit_packets for flow in flows}
    return sum(
        limit * max(flow.longest_ms for flow in flows if flow.queue.name == name)
        for name, limit in limits.items()
    )


@lru_cache(maxsize=256)
def rest_of_cut_ms(flows: Flows) -> float:
    """Most work of a packet that is being cut: it stands in no queue, and not whole in the ring."""
    return max(sum(times[1:]) for flow in flows for times in flow.piece_ms)


@lru_cache(maxsize=256)
def closed_packets(flows: Flows) -> int:
    """Packets of saturated streams, which always wait."""
    return sum(
        flow.traffic.streams * flow.traffic.arrival.backlog_packets
        for flow in flows
        if isinstance(flow.traffic.arrival, Saturated)
    )
