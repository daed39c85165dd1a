"""How the scheduler serves the queues below the LLQ while the ring is always full."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.flows import Flow, conversations_of
from advisor.theory.interface import Periodic, Poisson

NOTHING = 1e-9  # numeric: share of the wire


class Turn(Struct, frozen=True, eq=False):
    """One queue's part of the wire.

    `carried` is the share that it fills. `rate` is the share that it gets while it has packets: a
    queue within its share gets more than it carries, and then empties.

    The queue of a conversation of fair-queue stands for `copies` conversations alike: its flow,
    `load` and `carried` are those of one of them.
    """

    flows: tuple[Flow, ...]
    load: float | None  # offered; None: never empty
    carried: float
    rate: float
    rates: tuple[float, float]  # least and most of it: all other queues wait, or only the full ones
    limit_packets: int
    copies: int = 1
    is_crowd: bool = False  # conversations of fair-queue that are not told apart

    @property
    def backlogged(self) -> bool:
        return self.load is None or self.load > self.carried * (1 + NOTHING)

    def carried_of(self, flow: Flow) -> float:
        """Part of the wire that a flow of the queue fills."""
        if self.load is None:
            others = sum(neighbour.load for neighbour in self.flows)
            return flow.load if flow.packets_per_ms is not None else max(self.carried - others, 0.0)
        return self.carried * flow.load / self.load


class _Contender(Struct, frozen=True):
    """`number` queues alike: each has `weight`, and is offered `load` (None: it never empties)."""

    weight: float
    load: float | None
    number: int = 1


class _Part(Struct, frozen=True):
    """What one queue of a contender gets; see `Turn`."""

    carried: float
    rate: float
    rates: tuple[float, float]
    is_full: bool


def turns_of(lower: Sequence[Flow], room: float) -> tuple[Turn, ...]:
    """Divide `room`, a share of the wire, between the queues of `lower`.

    Excess goes to the backlogged queues in proportion to their weights. A queue within its share
    competes, while it has packets, only with the backlogged queues: the others take their loads.
    The conversations of a fair-queue divide what their class gets in the same way.
    """
    queues: dict[str, list[Flow]] = {}
    for flow in lower:
        queues.setdefault(flow.queue.name, []).append(flow)
    groups = list(queues.values())
    contenders = [_Contender(group[0].queue.share_percent, _offered(group)) for group in groups]
    turns: list[Turn] = []
    for group, contender, part in zip(groups, contenders, _parts(contenders, room), strict=True):
        rate = max(part.rate, part.carried, NOTHING)
        limit = group[0].queue.limit_packets
        turn = Turn(tuple(group), contender.load, part.carried, rate, part.rates, limit)
        turns += [turn] if group[0].queue.flow_limit_packets is None else _conversations(turn)
    return tuple(turns)


def _conversations(turn: Turn) -> list[Turn]:
    """The queues of a fair-queue's conversations; one turn if there are more than places.

    Conversations alike that fill their class together share its places: they are one queue.
    """
    queue = turn.flows[0].queue
    numbers = [conversations_of(flow) for flow in turn.flows]
    held = sum(numbers) * (queue.flow_limit_packets or queue.limit_packets)
    fills_class = len(turn.flows) == 1 and turn.backlogged and held >= queue.limit_packets
    if fills_class or sum(numbers) > queue.limit_packets:
        return [replace(turn, is_crowd=True)]
    contenders = [
        _Contender(1.0, flow.load / number, number)
        if flow.packets_per_ms is not None
        else _Contender(float(number), None)
        for flow, number in zip(turn.flows, numbers, strict=True)
    ]
    parts = _parts(contenders, turn.rate)
    full = sum(entry.number for entry, part in zip(contenders, parts, strict=True) if part.is_full)
    most = min(queue.flow_limit_packets or queue.limit_packets, queue.limit_packets // max(full, 1))
    return [
        Turn(
            (_conversation(flow, contender.number),),
            contender.load,
            part.carried,
            max(part.rate, part.carried, NOTHING),
            part.rates,
            most,
            contender.number,
        )
        for flow, contender, part in zip(turn.flows, contenders, parts, strict=True)
    ]


def _conversation(flow: Flow, number: int) -> Flow:
    """One of `number` conversations of a flow; packets drawn from a stream come at random."""
    if flow.packets_per_ms is None:
        return flow
    arrival, rate = flow.traffic.arrival, flow.packets_per_ms / number
    if flow.traffic.conversations > 1 and isinstance(arrival, Periodic):
        arrival = Poisson(arrival.packets_per_s / flow.traffic.conversations)
    traffic = replace(flow.traffic, arrival=arrival, streams=1, conversations=1)
    return replace(flow, traffic=traffic, packets_per_ms=rate)


def _parts(contenders: Sequence[_Contender], room: float) -> list[_Part]:
    """What one queue of each contender gets of `room`."""
    weights = [contender.weight * contender.number for contender in contenders]
    loads = [None if c.load is None else c.load * c.number for c in contenders]
    carried = _fill(weights, loads, room)
    pairs = list(zip(loads, carried, strict=True))
    full = [load is None or load > part * (1 + NOTHING) for load, part in pairs]
    content = sum(part for part, is_full in zip(carried, full, strict=True) if not is_full)
    rivals = sum(weight for weight, is_full in zip(weights, full, strict=True) if is_full)
    parts = []
    for contender, both, is_full in zip(contenders, carried, full, strict=True):
        own, weight = both / contender.number, contender.weight
        rate = own
        rates = own, own
        if not is_full:
            least = max(own, room * weight / sum(weights))
            most = max(least, room * weight / (weight + rivals))
            rate = max(least, (room - content + own) * weight / (weight + rivals))
            rates = max(least, NOTHING), max(most, NOTHING)
        parts.append(_Part(own, rate, rates, is_full))
    return parts


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


def is_in_overload(flow: Flow, turns: Sequence[Turn]) -> bool:
    """Whether the queue of a flow is offered more than its share, or never empties."""
    return any(
        turn.backlogged
        for turn in turns
        if flow.traffic.name in {member.traffic.name for member in turn.flows}
    )
