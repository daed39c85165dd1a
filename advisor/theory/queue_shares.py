"""Divides the wire among the queues below the LLQ, while the ring is always full.

Each queue gets its guarantee, then a part of the rest by weight; a queue that needs less leaves the
remainder to the others (max-min fairness). A queue takes its *turn* at that rate.
"""

from collections.abc import Iterator, Sequence
from math import inf

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.questions import question
from advisor.ground.units import bytes_in_ms, s_from_ms
from advisor.model import Excess, OnOff, Periodic, Poisson, QueueKind
from advisor.theory.flows import (
    Flow,
    Flows,
    SortedTraffic,
    conversations_of,
    mean_ms_of,
    passed_share,
    remembered_residual_ms,
)
from advisor.theory.shape import weighted

NOTHING = 1e-9  # numeric: share of the wire
LEAST_LEFT = 0.01  # numeric: share of the wire that is left to the queues below the LLQ
ROUNDS = 3  # numeric: what one queue drops is left to the others, and these drop less


class QueueShare(Struct, frozen=True, eq=False):
    """One queue's part of the wire.

    `carried` is the share that it fills. `rate` is the share that it gets while it has packets; it
    is above `carried` for a queue that empties at times. `load` is its load behind its policer.

    With fair-queue, one turn stands for `copies` equal conversations; its flow, `load` and
    `carried` are those of one conversation.
    """

    flows: tuple[Flow, ...]
    load: float | None  # offered; None: never empty
    carried: float
    rate: float
    limit_packets: int
    copies: int = 1
    is_crowd: bool = False  # all conversations of a fair-queue, treated as one queue

    @property
    def backlogged(self) -> bool:
        return self.load is None or self.load > self.carried * (1 + NOTHING)

    def carried_of(self, flow: Flow) -> float:
        """Part of the wire that a flow of the queue fills."""
        offered = sum(neighbour.load for neighbour in self.flows)
        if self.load is None:
            known = flow.packets_per_ms is not None
            return flow.load if known else max(self.carried - offered, 0.0)
        return self.carried * flow.load / offered


def shares_below_llq(case: SortedTraffic) -> tuple[QueueShare, ...]:
    """Divide what the LLQ leaves of the wire between the queues below it."""
    room = max(1 - case.passed_llq_load, LEAST_LEFT)
    return queue_shares_of(case.interface.excess, case.lower, room)


class _Contender(Struct, frozen=True):
    """`number` equal queues that compete for the wire; `load` is None if they never empty.

    `guarantee` is the minimum share of a queue, `most` the rate of its shaper. A queue that
    `waits_for_rest` gets excess bandwidth after all others.
    """

    weight: float
    load: float | None
    number: int = 1
    guarantee: float = 0.0
    waits_for_rest: bool = False
    most: float = inf


class _Part(Struct, frozen=True):
    """Share that one queue of a contender gets; see `QueueShare`."""

    carried: float
    rate: float
    is_full: bool


@question(64)  # points of a sweep of the ring ask for the same
def queue_shares_of(excess: Excess, lower: Flows, room: float) -> tuple[QueueShare, ...]:
    """Divide `room`, a share of the wire, between the queues of `lower`.

    Guarantees come first, then the rest by the interface's rule for excess bandwidth. While a queue
    has packets, it competes with the backlogged queues; the others take their loads, reduced by
    what their queue limits drop. The conversations of a fair-queue divide the share of their
    class.
    """
    queues: dict[str, list[Flow]] = {}
    for flow in lower:
        queues.setdefault(flow.queue.name, []).append(flow)
    groups = list(queues.values())
    contenders = [_contender(excess, group) for group in groups]
    parts, within = _parts(contenders, room), contenders
    for _ in range(ROUNDS if any(part.is_full for part in parts) else 0):
        within = [
            _within_limit(contender, group, part)
            for contender, group, part in zip(contenders, groups, parts, strict=True)
        ]
        parts = _parts(within, room)
    turns: list[QueueShare] = []
    for group, contender, limited, part in zip(groups, contenders, within, parts, strict=True):
        rate = max(part.rate, part.carried, NOTHING)
        limit = group[0].queue.limit_packets
        is_full = contender.load is not None and contender.load > rate * (1 + NOTHING)
        load = contender.load if is_full else limited.load
        turn = QueueShare(tuple(group), load, part.carried, rate, limit)
        turns += [turn] if group[0].queue.flow_limit_packets is None else _conversations(turn)
    return tuple(turns)


def _contender(excess: Excess, group: Sequence[Flow]) -> _Contender:
    queue, guarantee, byte_ms = group[0].queue, 0.0, _byte_ms(group)
    if excess is not Excess.PROPORTIONAL:
        guarantee = byte_ms * bytes_in_ms(queue.guarantee_bps, 1.0)
    waits = excess is Excess.UNRESERVED_FIRST and guarantee > 0
    most = inf if queue.shaper is None else byte_ms * bytes_in_ms(queue.shaper.rate_bps, 1.0)
    weight = queue.share_percent * byte_ms
    return _Contender(weight, _offered(group), 1, guarantee, waits, most)


def _within_limit(contender: _Contender, group: Sequence[Flow], part: _Part) -> _Contender:
    """Limit a queue's load to the work that its limit lets pass while it gets its turn.

    Formula: M/M/1/K (D. Gross, C. Harris, Fundamentals of Queueing Theory), with fewer places the
    more the work varies compared with Poisson arrivals of exponential packets.
    """
    load, queue, rate = contender.load, group[0].queue, max(part.rate, NOTHING)
    if not load or queue.flow_limit_packets is not None or _peak(group) <= rate:
        return contender
    mean_ms = mean_ms_of(group)
    memory_ms = queue.limit_packets * mean_ms / rate
    varying = sum(remembered_residual_ms(flow, memory_ms) for flow in group) / (load * mean_ms)
    places = queue.limit_packets / max(varying, NOTHING)
    less = min(load / rate, rate / load, 1 - NOTHING)
    busy = (1 - less**places) / (1 - less ** (places + 1))
    return replace(contender, load=busy * min(load, rate))


def _peak(group: Sequence[Flow]) -> float:
    """Highest load that on/off flows offer while all are on; infinite for other flows."""
    if not all(isinstance(flow.traffic.arrival, OnOff) for flow in group):
        return inf
    return sum(
        s_from_ms(flow.mean_ms) * flow.traffic.streams * flow.traffic.arrival.peak_packets_per_s
        for flow in group
        if isinstance(flow.traffic.arrival, OnOff)
    )


def _byte_ms(group: Sequence[Flow]) -> float:
    """Mean wire time per frame byte of a queue; schedulers count frame bytes, not cells."""
    rates = [flow.packets_per_ms for flow in group]
    often = [1.0 if None in rates else rate or 0.0 for rate in rates]
    frame_bytes = [weighted(flow.weights, flow.frame_bytes) for flow in group]
    return weighted(often, [flow.mean_ms for flow in group]) / weighted(often, frame_bytes)


def _conversations(turn: QueueShare) -> list[QueueShare]:
    """One turn for each kind of conversation; a single one if conversations outnumber the places.

    Equal conversations that together fill their class share its places: they are one queue.
    """
    queue = turn.flows[0].queue
    numbers = [conversations_of(flow) for flow in turn.flows]
    held = sum(numbers) * (queue.flow_limit_packets or queue.limit_packets)
    fills_class = len(turn.flows) == 1 and turn.backlogged and held >= queue.limit_packets
    if fills_class or sum(numbers) > queue.limit_packets:
        return [replace(turn, is_crowd=True)]
    weights = [_weight(flow) * _byte_ms((flow,)) for flow in turn.flows]
    contenders = [
        _Contender(weight, flow.load / number, number)
        if flow.packets_per_ms is not None
        else _Contender(weight * number, None)
        for flow, number, weight in zip(turn.flows, numbers, weights, strict=True)
    ]
    parts = _parts(contenders, turn.rate)
    limits = _places(turn, contenders, parts)
    return [
        QueueShare(
            (_conversation(flow, contender.number),),
            contender.load,
            part.carried,
            max(part.rate, part.carried, NOTHING),
            most,
            contender.number,
        )
        for flow, contender, part, most in zip(turn.flows, contenders, parts, limits, strict=True)
    ]


def _places(
    turn: QueueShare, contenders: Sequence[_Contender], parts: Sequence[_Part]
) -> Iterator[int]:
    """Packet limit of one conversation of each contender, while full ones share the queue limit.

    Interface-wide fair-queue drops the packet with the largest finish tag, so full conversations
    hold packets in proportion to their rates; fair-queue in a class divides the limit equally.
    """
    queue = turn.flows[0].queue
    rows = list(zip(turn.flows, contenders, parts, strict=True))
    rates = [part.carried / flow.mean_ms for flow, _, part in rows]
    if queue.kind is not QueueKind.FAIR:
        rates = [1.0 for _ in rows]
    of_full = [
        rate * item.number
        for rate, (_, item, part) in zip(rates, rows, strict=True)
        if part.is_full
    ]
    for rate, (_, _, part) in zip(rates, rows, strict=True):
        most = queue.limit_packets
        if of_full and (part.is_full or queue.kind is not QueueKind.FAIR):
            most = max(int(most * rate / max(sum(of_full), NOTHING)), 1)
        yield min(queue.flow_limit_packets or queue.limit_packets, most)


def _conversation(flow: Flow, number: int) -> Flow:
    """One of `number` conversations of a flow; packets drawn from a stream come at random."""
    if flow.packets_per_ms is None:
        return flow
    arrival, rate = flow.traffic.arrival, flow.packets_per_ms / number
    if flow.traffic.conversations > 1 and isinstance(arrival, Periodic):
        arrival = Poisson(arrival.packets_per_s / flow.traffic.conversations)
    traffic = replace(flow.traffic, arrival=arrival, streams=1, conversations=1)
    return replace(flow, traffic=traffic, packets_per_ms=rate)


def _weight(flow: Flow) -> float:
    """Weight of a conversation in its fair-queue."""
    return flow.traffic.precedence + 1.0 if flow.queue.by_precedence else 1.0


def _parts(contenders: Sequence[_Contender], room: float) -> list[_Part]:
    """Divide `room` among the contenders: the part of one queue of each."""
    parts = []
    for place, (contender, both) in enumerate(
        zip(contenders, _carried(contenders, room), strict=True)
    ):
        load, number = contender.load, contender.number
        is_full = load is None or load * number > both * (1 + NOTHING)
        rate = both / number
        if not is_full:
            others = [*contenders]
            others[place] = replace(contender, number=number - 1)
            rate = _carried([*others, replace(contender, load=None, number=1)], room)[-1]
        parts.append(_Part(both / number, rate, is_full))
    return parts


def _carried(contenders: Sequence[_Contender], room: float) -> list[float]:
    """Divide `room` among the contenders: guarantees, then the rest by weight."""
    loads = [_wanted(item) for item in contenders]
    owed = [item.guarantee * min(item.number, 1) for item in contenders]
    carried = [
        least if load is None else min(load, least) for load, least in zip(loads, owed, strict=True)
    ]
    scale = min(room / max(sum(carried), NOTHING), 1.0)
    carried = [part * scale for part in carried]
    for waits_for_rest in (False, True):
        places = [
            place
            for place, contender in enumerate(contenders)
            if contender.waits_for_rest is waits_for_rest and contender.number
        ]
        wanted = [
            None if (load := loads[place]) is None else load - carried[place] for place in places
        ]
        weights = [contenders[place].weight * contenders[place].number for place in places]
        more = _fill(weights, wanted, room - sum(carried))
        for place, part in zip(places, more, strict=True):
            carried[place] += part
    return carried


def _wanted(contender: _Contender) -> float | None:
    load, most = contender.load, contender.most
    if load is None and most == inf:
        return None
    return contender.number * min(most if load is None else load, most)


def _offered(group: Sequence[Flow]) -> float | None:
    """Load that gets past the policer of a queue; None if it is never empty."""
    if any(flow.packets_per_ms is None for flow in group):
        return None
    return sum(flow.load * passed_share(flow) for flow in group)


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


def share_in_overload(flow: Flow, turns: Sequence[QueueShare]) -> float | None:
    """Part of the wire of a flow whose queue is offered more than its share, or never empties."""
    for turn in turns:
        for member in turn.flows:
            if turn.backlogged and member.traffic.name == flow.traffic.name:
                return turn.copies * turn.carried_of(member)
    return None
