"""How the scheduler serves the queues below the LLQ while the ring is always full."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.theory.case import Case
from advisor.theory.flows import Flow

NOTHING = 1e-9  # numeric: share of the wire


class Turn(Struct, frozen=True, eq=False):
    """One queue's part of the wire.

    `carried` is the share that it fills. `rate` is the share that it gets while it has packets: a
    queue within its share gets more than it carries, and then empties.
    """

    flows: tuple[Flow, ...]
    load: float | None  # offered; None: never empty
    carried: float
    rate: float
    rates: tuple[float, float]  # least and most of it: all other queues wait, or only the full ones

    @property
    def backlogged(self) -> bool:
        return self.load is None or self.load > self.carried * (1 + NOTHING)

    def carried_of(self, flow: Flow) -> float:
        """Part of the wire that a flow of the queue fills."""
        if self.load is None:
            load = sum(neighbour.load for neighbour in self.flows)
            return flow.load if flow.packets_per_ms is not None else max(self.carried - load, 0.0)
        return self.carried * flow.load / self.load


def turns_of(lower: Sequence[Flow], room: float) -> tuple[Turn, ...]:
    """Divide `room`, a share of the wire, between the queues of `lower`.

    Excess goes to the backlogged queues in proportion to their weights. A queue within its share
    competes, while it has packets, only with the backlogged queues: the others take their loads.
    """
    queues: dict[str, list[Flow]] = {}
    for flow in lower:
        queues.setdefault(flow.queue.name, []).append(flow)
    groups = list(queues.values())
    weights = [group[0].queue.share_percent for group in groups]
    loads = [_offered(group) for group in groups]
    carried = _fill(weights, loads, room)
    pairs = list(zip(loads, carried, strict=True))
    full = [load is None or load > part * (1 + NOTHING) for load, part in pairs]
    turns = []
    for index, group in enumerate(groups):
        rate = carried[index]
        rates = rate, rate
        if not full[index]:
            content = sum(
                part
                for neighbour, part in enumerate(carried)
                if not full[neighbour] and neighbour != index
            )
            rivals = sum(weight for neighbour, weight in enumerate(weights) if full[neighbour])
            least = max(carried[index], room * weights[index] / sum(weights))
            most = max(least, room * weights[index] / (weights[index] + rivals))
            rate = max(least, (room - content) * weights[index] / (weights[index] + rivals))
            rates = max(least, NOTHING), max(most, NOTHING)
        turns.append(
            Turn(
                tuple(group),
                loads[index],
                carried[index],
                max(rate, carried[index], NOTHING),
                rates,
            )
        )
    return tuple(turns)


def _offered(group: Sequence[Flow]) -> float | None:
    if any(flow.packets_per_ms is None for flow in group):
        return None
    return sum(flow.load for flow in group)


def _fill(weights: Sequence[float], loads: Sequence[float | None], room: float) -> list[float]:
    carried = [0.0] * len(weights)
    open_ = list(range(len(weights)))
    while open_ and room > NOTHING:
        total = sum(weights[index] for index in open_)
        fair = {index: room * weights[index] / total for index in open_}
        content = {
            index: load
            for index in open_
            if (load := loads[index]) is not None and load <= fair[index]
        }
        if not content:
            for index in open_:
                carried[index] = fair[index]
            break
        for index, load in content.items():
            carried[index] = load
            room -= load
            open_.remove(index)
    return carried


class FullRing(Struct, frozen=True):
    """Times of every packet in a ring that is always full, in ms.

    `wait_ms` is the time from the entry to the packet's own first bit, `slot_ms` the mean time from
    a random moment until the next place becomes free.
    """

    wait_ms: float
    slot_ms: float


def full_ring_view(case: Case, turns: Sequence[Turn], passed: Sequence[float]) -> FullRing:
    """Wait in the ring by Little's law on its units, from the carried part of each flow."""
    parts = [(flow, load) for flow, load in zip(case.llq, passed, strict=True)]
    parts += [(flow, turn.carried_of(flow)) for turn in turns for flow in turn.flows]
    packets = units = overshoot = square = pieces = 0.0
    for flow, load in parts:
        rate = load / flow.mean_ms
        own_units = float(flow.weights @ flow.units)
        packets += rate
        units += rate * own_units
        overshoot += rate * (own_units - 1) / 2 if not flow.cut else 0.0
        for weight, times in zip(flow.weights.tolist(), flow.piece_ms, strict=True):
            square += rate * weight * sum(time * time for time in times)
            pieces += rate * weight * sum(times)
    if packets <= 0:
        return FullRing(0.0, 0.0)
    ring, mean_units = case.interface.ring, units / packets
    content_units = ring.limit + ring.beside_wire * mean_units + overshoot / packets
    mean_ms = pieces / packets
    return FullRing(max(content_units / units - mean_ms, 0.0), square / pieces / 2)
