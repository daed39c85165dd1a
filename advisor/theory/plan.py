"""How the kernel runs an interface: its packets, what waits at the start, and for how long."""

from collections.abc import Mapping, Sequence
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.theory.case import Case
from advisor.theory.flows import Flow
from advisor.theory.interface import (
    Arrival,
    Bursts,
    OnOff,
    Periodic,
    Poisson,
    Saturated,
    Shaper,
)
from advisor.theory.kernel.layout import Start
from advisor.theory.length import LEAST_LEFT, Length, length_of, pieces_of
from advisor.theory.offered import passed_share
from advisor.theory.start import starts_of
from advisor.theory.turns import Turn, turns_of

LLQ_TARGET, LOWER_TARGET = 0.022, 0.035  # relative half-widths of means, trebled after enough
# Rare packets are sampled in more streams than there are: these parts of all packets and the wire.
RARE, LIGHT = 0.005, 0.002
MOST_COPIES = 1000
# Numeric: times of its share, beyond which a flow is thinned, if its queue has so many places; with
# fewer of them, the time until a packet takes the one that is free is more of its delay.
FLOOD, PLACES = 20.0, 10


class Plan(Struct, frozen=True, eq=False):
    """The runs of an interface with any limit of its ring.

    `flows` are its flows, rare ones in more streams.
    """

    flows: tuple[Flow, ...]
    targets: tuple[float, ...]
    starts: Mapping[str, Start]
    length: Length
    turns: tuple[Turn, ...]


def plan_of(case: Case, flows: Sequence[Flow], shaper: Shaper | None = None) -> Plan:
    """The runs of an interface; `flows` in the order of its traffic.

    `case` has a shaper of all traffic as its wire, `shaper` its tokens.
    """
    passed = sum(flow.load * passed_share(flow) for flow in case.llq)
    turns = turns_of(case.interface, case.lower, max(LEAST_LEFT, 1 - passed))
    shares = {
        flow.traffic.name: turn.copies * turn.carried_of(flow)
        for turn in turns
        for flow in turn.flows
    }
    fewer = [_seldom_enough(flow, shares.get(flow.traffic.name, 1.0)) for flow in flows]
    steps_per_ms = _entries_per_ms(case, turns) + sum(flow.rate_per_ms for flow in fewer)
    line_load = {flow.traffic.name: flow.load for flow in case.flows}
    return Plan(
        tuple(_often_enough(flow, steps_per_ms, line_load[flow.traffic.name]) for flow in fewer),
        tuple(_target(flow, len(turns)) for flow in flows),
        starts_of(case, turns),
        length_of(case, turns, steps_per_ms, shaper),
        turns,
    )


def _target(flow: Flow, turns: int) -> float:
    """Of several lower queues the worst ends the run: it may be worse than the only one."""
    if flow.packets_per_ms is None:
        return 0.0  # its delay shows the backlog
    return LLQ_TARGET if flow.priority else LOWER_TARGET * sqrt(turns)


def _often_enough(flow: Flow, steps_per_ms: float, line_load: float) -> Flow:
    """A flow of rare packets in more streams, which hardly meet each other.

    They meet at the buckets of their queue: what those have for one stream they lack for more.
    """
    rate, queue = flow.rate_per_ms, flow.queue
    has_bucket = any((queue.policer, queue.police, queue.shaper))
    if not rate or has_bucket or not isinstance(flow.traffic.arrival, Periodic | Poisson):
        return flow
    copies = int(min(RARE * steps_per_ms / rate, LIGHT / line_load, MOST_COPIES))
    if copies < 2:  # noqa: PLR2004 -- one copy is the flow itself
        return flow
    traffic = replace(flow.traffic, streams=flow.traffic.streams * copies)
    return replace(flow, traffic=traffic, packets_per_ms=rate * copies)


def _seldom_enough(flow: Flow, carried: float) -> Flow:
    """A flow that floods its queue, thinned: hardly any place is free, whatever comes more."""
    flood = FLOOD * max(PLACES / flow.queue.limit_packets, 1.0)
    excess = flow.load / max(carried, LEAST_LEFT) / flood
    if excess <= 1:
        return flow
    traffic = replace(flow.traffic, arrival=_thinned(flow.traffic.arrival, excess))
    return replace(flow, traffic=traffic, packets_per_ms=flow.rate_per_ms / excess)


def _thinned(arrival: Arrival, factor: float) -> Arrival:
    match arrival:
        case Periodic(per_s, jitter_ms):
            return Periodic(per_s / factor, jitter_ms)
        case Poisson(per_s):
            return Poisson(per_s / factor)
        case Bursts(per_s, packets, spacing_ms):
            return Bursts(per_s / factor, packets, spacing_ms)
        case OnOff(peak_per_s, on_ms, off_ms):
            return OnOff(peak_per_s / factor, on_ms, off_ms)
        case Saturated():
            return arrival


def _entries_per_ms(case: Case, turns: Sequence[Turn]) -> float:
    """Packets and fragments that enter the ring."""
    carried = [(flow, flow.load * passed_share(flow)) for flow in case.llq]
    carried += [
        (flow, turn.copies * turn.carried_of(flow)) for turn in turns for flow in turn.flows
    ]
    return sum(load / flow.mean_ms * pieces_of(flow) for flow, load in carried)
