"""The table of methods: within a regime, which formula answers a class of traffic, and when."""

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from advisor.theory.bounds import ring_work_bound_ms
from advisor.theory.case import Case
from advisor.theory.classes.turns import Turn
from advisor.theory.flows import Flow
from advisor.theory.interface import Bursts, Interface, Periodic, Poisson, Saturated
from advisor.theory.offered import mean_work_ms, mix_of, sends_trains

# Load of a single LLQ stream up to which it is taken as a fluid that slows the wire: the error is
# of the order of the load. The limit is stated, not derived; heavier streams are in the recursion.
SPARSE_LOAD = 0.12
FAR_TAIL = 6.0  # means: an exponential workload that long is met once in e^6 = 400
# Places of a queue whose chain is solved, which costs their square. A longer one is taken as full:
# random arrivals leave 1 / (load - 1) places free, 0.5 % of 512 at 1.4 times its share.
MOST_PLACES = 512
# Load over what is carried up to which the chain is solved: beyond, 1 / (load - 1) is less than a
# quarter of a place.
MOST_OVERLOAD = 5.0
# LLQ load up to which the wire that it leaves is a slowed one, at all times the same: beyond, an
# LLQ packet stops the others for the time of ten of its own and more.
MOST_LLQ_LOAD = 0.9


class Method(StrEnum):
    """The formula that answers a class of traffic."""

    RING_LAW = "ring_law"
    RING_OPEN = "ring_open"
    COMMON_CHAIN = "common_chain"
    OWN_CHAIN = "own_chain"
    NEVER_EMPTY = "never_empty"
    FULL_QUEUE = "full_queue"
    OWN_FLUID = "own_fluid"
    OWN_TURN = "own_turn"


class MethodRow(Struct, frozen=True):
    """One method; `function` is in `advisor.theory`."""

    method: Method
    when: str
    function: str
    source: str


_ROWS = (
    MethodRow(
        Method.RING_LAW,
        when="LLQ below saturation: one light periodic stream (load up to 0.12) that never meets "
        "its own packets in the ring, uncut lower packets of one number of ring units",
        function="ring_view.ring_work",
        source="A. Khinchine (1932); law of M^X/G/1/K up to the ring",
    ),
    MethodRow(
        Method.RING_OPEN,
        when="LLQ below saturation, else",
        function="ring_open.llq_delays",
        source="D. V. Lindley (1952), started from the state of M^X/G/1/K",
    ),
    MethodRow(
        Method.COMMON_CHAIN,
        when="full ring, one lower queue of random arrivals, an LLQ of load below 0.9 that loses "
        "nothing",
        function="lower_queue.lower_queue",
        source="M^X/G/1/K on the wire that the LLQ slows",
    ),
    MethodRow(
        Method.OWN_CHAIN,
        when="full ring, a queue of random arrivals, other queues beside it: up to 512 places, "
        "offered less than five times its turn",
        function="full_lower.of_own_chain",
        source="M^X/G/1/K at the rate of its turn (A. K. Parekh, R. G. Gallager, 1993)",
    ),
    MethodRow(
        Method.NEVER_EMPTY,
        when="full ring, traffic that is never empty",
        function="full_lower.never_empty",
        source="J. D. C. Little (1961): its backlog over its share",
    ),
    MethodRow(
        Method.OWN_FLUID,
        when="full ring, a queue with on/off sources of more than two packets an on time",
        function="own_fluid.own_fluid",
        source="D. Anick, D. Mitra, M. M. Sondhi (1982), at the rate of its turn",
    ),
    MethodRow(
        Method.FULL_QUEUE,
        when="full ring, any other queue that is offered more than its turn",
        function="full_lower.full",
        source="J. D. C. Little (1961)",
    ),
    MethodRow(
        Method.OWN_TURN,
        when="full ring, any other queue",
        function="full_lower.within",
        source="the turn of a packet that waits for no other of its queue",
    ),
)
METHODS = {row.method: row for row in _ROWS}


def llq_method(case: Case) -> Method:
    """How the LLQ is answered below saturation."""
    is_sparse = _is_sparse(case.interface, case.llq, case.lower)
    return Method.RING_LAW if is_sparse else Method.RING_OPEN


def lower_method(turn: Turn, flow: Flow, *, is_alone: bool, llq_load: float) -> Method:
    """How a class below the LLQ is answered while the ring is full.

    `is_alone` is true if no other queue competes and the LLQ slows the wire by its whole load.
    """
    if _is_random(turn):
        return Method.COMMON_CHAIN if is_alone and llq_load < MOST_LLQ_LOAD else Method.OWN_CHAIN
    if isinstance(flow.traffic.arrival, Saturated):
        return Method.NEVER_EMPTY
    if any(map(sends_trains, turn.flows)) and turn.load is not None:
        return Method.OWN_FLUID
    return Method.FULL_QUEUE if turn.backlogged else Method.OWN_TURN


def _is_sparse(interface: Interface, llq: Sequence[Flow], lower: Sequence[Flow]) -> bool:
    """One light periodic stream that never meets its own packets in the ring."""
    (first, *rest) = llq
    if rest or first.traffic.streams > 1 or not isinstance(first.traffic.arrival, Periodic):
        return False
    if any(flow.cut for flow in lower) or first.load > SPARSE_LOAD:
        return False
    if len({int(unit) for flow in lower for unit in flow.units}) > 1:
        return False  # the number that fits depends on their sizes
    longest_ms = max(flow.longest_ms for flow in lower)
    tail_ms = FAR_TAIL * (mean_work_ms(mix_of(lower), llq) + longest_ms)
    full_ms = ring_work_bound_ms(interface.ring, [*llq, *lower])
    return 1 / first.rate_per_ms > min(full_ms, tail_ms)


def _is_random(turn: Turn) -> bool:
    """Whether the sources of a queue leave it room now and then.

    Periodic sources above the line rate keep it full; together with random ones they do not.
    """
    arrivals = [flow.traffic.arrival for flow in turn.flows]
    return (
        not turn.is_crowd
        and turn.limit_packets <= MOST_PLACES
        and (turn.load or 0.0) < MOST_OVERLOAD * turn.rate
        and any(isinstance(arrival, Poisson | Bursts) for arrival in arrivals)
        and all(isinstance(arrival, Poisson | Bursts | Periodic) for arrival in arrivals)
    )
