"""Delay, jitter, loss and throughput of every class of one output interface, by the kernel."""

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Saturated,
    Shaper,
    Tcp,
)
from advisor.theory.analytic import Result
from advisor.theory.analytic.answer import figures
from advisor.theory.bounds.classes import bound_ms
from advisor.theory.capacities import within_capacities
from advisor.theory.flows import (
    Flow,
    Flows,
    SortedTraffic,
    case_of,
    flows_of,
    line_of,
    passed_share,
)
from advisor.theory.kernel.layout import Start
from advisor.theory.kernel.machine import Extent
from advisor.theory.kernel.threads import Measured, measure, together
from advisor.theory.length import REPLICATIONS, Length, length_of, pieces_of, starts_of
from advisor.theory.queue_shares import (
    LEAST_LEFT,
    NOTHING,
    QueueShare,
    share_in_overload,
    shares_below_llq,
)
from advisor.theory.regimes import regime_of
from advisor.theory.results import (
    STUDENT,
    KnownOfClass,
    by_formula,
    knows_tail,
    packets_of_a_tc,
    result_of,
)
from advisor.theory.solution import DEEPEST, ClassResult, Regime, Solution

# How the kernel runs an interface: its packets, what waits at the start, and for how long.

LLQ_TARGET, LOWER_TARGET = 0.022, 0.035  # relative half-widths of means, trebled after enough
# Rare packets are sampled in more streams than there are: these parts of all packets and the wire.
RARE, LIGHT = 0.005, 0.002
MOST_COPIES = 1000
# Numeric: times of its share, beyond which a flow is thinned, if its queue has so many places; with
# fewer of them, the time until a packet takes the one that is free is more of its delay.
FLOOD, PLACES = 20.0, 10


class RingRuns(Struct, frozen=True, eq=False):
    """The runs of an interface with any limit of its ring.

    `flows` are its flows, rare ones in more streams.
    """

    flows: tuple[Flow, ...]
    targets: tuple[float, ...]
    starts: Mapping[str, Start]
    length: Length


def plan_of(case: SortedTraffic, flows: Sequence[Flow], shaper: Shaper | None = None) -> RingRuns:
    """The runs of an interface; `flows` in the order of its traffic.

    `case` has a shaper of all traffic as its wire, `shaper` its tokens.
    """
    turns = shares_below_llq(case)
    shares = {
        flow.traffic.name: turn.copies * _while_on(turn, flow)
        for turn in turns
        for flow in turn.flows
    }
    fewer = [_seldom_enough(flow, shares.get(flow.traffic.name, 1.0)) for flow in flows]
    steps_per_ms = _entries_per_ms(case, turns) + sum(flow.rate_per_ms for flow in fewer)
    line_load = {flow.traffic.name: flow.load for flow in case.flows}
    return RingRuns(
        tuple(_often_enough(flow, steps_per_ms, line_load[flow.traffic.name]) for flow in fewer),
        tuple(_target(flow, len(turns)) for flow in flows),
        starts_of(case, turns),
        length_of(case, turns, steps_per_ms, shaper),
    )


def _while_on(turn: QueueShare, flow: Flow) -> float:
    """Part of the wire that a flow fills: of an on/off flow its share while packets wait.

    In the mean it may fill far less, but what it then drops depends on how often it is off.
    """
    carried = turn.carried_of(flow)
    if not isinstance(flow.traffic.arrival, OnOff):
        return carried
    return carried * turn.rate / max(turn.carried, NOTHING)


def _target(flow: Flow, turns: int) -> float:
    """Relative precision to reach; looser with several lower queues: the least precise counts."""
    if flow.packets_per_ms is None:
        return 0.0  # its delay shows the backlog
    return LLQ_TARGET if flow.priority else LOWER_TARGET * sqrt(turns)


def _often_enough(flow: Flow, steps_per_ms: float, line_load: float) -> Flow:
    """A flow of rare packets in more streams, which hardly meet each other.

    They meet at the buckets of their queue: what those have for one stream they lack for more.
    """
    rate, queue = flow.rate_per_ms, flow.queue
    has_bucket = any((queue.priority_policer, queue.class_policer, queue.shaper))
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
        case Saturated() | Tcp():
            return arrival


def _entries_per_ms(case: SortedTraffic, turns: Sequence[QueueShare]) -> float:
    """Packets and fragments that enter the ring."""
    carried = [(flow, flow.load * passed_share(flow)) for flow in case.llq]
    carried += [
        (flow, turn.copies * turn.carried_of(flow)) for turn in turns for flow in turn.flows
    ]
    return sum(load / flow.mean_ms * pieces_of(flow) for flow, load in carried)


class _Prepared(Struct, frozen=True, eq=False):
    """An interface prepared for the kernel; its ring and its run are not used yet.

    `line` has a shaper of all traffic as its wire, where that is slower; `turns` are the shares of
    that wire of its queues, `shares` those of the flows in overload.
    """

    flows: Flows
    case: SortedTraffic
    line: SortedTraffic
    regime: Regime
    turns: tuple[QueueShare, ...]
    shares: tuple[float | None, ...]


def solve(interface: Interface) -> Solution:
    """Predict every class of an interface.

    Raises
    ------
    ModelError
        If a class names no queue of the interface, has no sizes or rate, if a priority class is
        never empty, or if the interface is too large.
    """
    if not interface.traffic:
        return Solution(())
    found = figures(interface)
    whole = [figure for figure in found if figure is not None and figure.ipdv_ms is not None]
    if len(whole) == len(found):
        return _by_formulas(interface, whole)
    prepared, run = _prepared(_of_any_ring(interface)), sampled(interface)
    rows = zip(prepared.flows, found, run.classes, strict=True)
    results = [
        result if figure is None else _with_formula(flow, figure, result, interface.rate_bps)
        for flow, figure, result in rows
    ]
    return _together(prepared, results, interface)


def _by_formulas(interface: Interface, found: Sequence[Result]) -> Solution:
    """A solution without a run: formulas answer all of every class."""
    prepared = _prepared(_of_any_ring(interface))
    flows, turns = prepared.flows, prepared.turns
    case = replace(prepared.case, interface=interface)
    lossy = {figure.name for figure in found if figure.loss_ratio > 0}
    rows = [
        (flow, figure, bound_ms(case, flow, fills=_fills(flow, flows, lossy, turns)))
        for flow, figure in zip(flows, found, strict=True)
    ]
    results = [by_formula(*row, prepared.regime, interface.rate_bps) for row in rows]
    return _together(prepared, results, interface)


def _with_formula(flow: Flow, figure: Result, run: ClassResult, rate_bps: float) -> ClassResult:
    """The result of a formula; ipdv is that of a run where the formula has none."""
    result = by_formula(flow, figure, run.bound_ms, run.regime, rate_bps)
    if figure.ipdv_ms is not None:
        return result
    pairs = ((result.delay, run.delay), (result.low, run.low), (result.high, run.high))
    delay, low, high = (replace(own, ipdv_ms=sampled.ipdv_ms) for own, sampled in pairs)
    replaced = replace(result, delay=delay, low=low, high=high, weak=run.weak)
    return replace(replaced, ipdv_method=run.ipdv_method)


def sampled(interface: Interface) -> Solution:
    """Every class of an interface by a run of the kernel, whatever formulas say.

    Raises
    ------
    ModelError
        See `solve`.
    """
    of_any_ring = _of_any_ring(interface)
    prepared, plan = _prepared(of_any_ring), _planned(of_any_ring)
    flows = prepared.flows
    case = replace(prepared.case, interface=interface)
    is_own_wire = prepared.line is prepared.case
    ring = interface.ring if is_own_wire else prepared.line.interface.ring
    extents = plan.length.extents(ring.limit)
    rows = _measured(interface, plan, extents)
    on_line = {flow.traffic.name: flow.mean_ms for flow in prepared.line.flows}
    parts = [flow.mean_ms / on_line[flow.traffic.name] for flow in flows]
    is_line_slower = max(parts) <= 1  # else packets that the shaper lets pass may fill the wire
    dropped = {
        flow.traffic.name
        for flow, measured in zip(flows, rows, strict=True)
        if measured.tail_dropped
    }
    results = []
    for flow, part, thinned, measured, share in zip(
        flows, parts, plan.flows, rows, prepared.shares, strict=True
    ):
        of_wire = None if share is None or not is_line_slower else share * part
        tc_packets = packets_of_a_tc(flow, of_wire, interface)
        known = KnownOfClass(
            prepared.regime,
            interface.rate_bps,
            bound_ms(case, flow, fills=_fills(flow, flows, dropped, prepared.turns)),
            share is not None,
            of_wire if _lasts(flow, tc_packets) else None,
            case.llq_fills_wire and not flow.priority,
            thinned.load,
            case.load,
            tc_packets,
            STUDENT.get(extents[-1].replications, STUDENT[REPLICATIONS]),
        )
        results.append(result_of(flow, measured, known))
    return _together(prepared, results, interface)


def _measured(
    interface: Interface, plan: RingRuns, extents: Sequence[Extent]
) -> tuple[Measured, ...]:
    """A run of the kernel, the longest one only where shorter ones leave percentiles vague."""
    *shorter, longest = extents
    for extent in shorter:
        rows = measure(interface, plan.flows, extent, plan.targets, plan.starts)
        if all(map(knows_tail, plan.flows, rows)):
            return rows
    return measure(interface, plan.flows, longest, plan.targets, plan.starts)


def _lasts(flow: Flow, tc_packets: float) -> bool:
    """Whether a queue holds its share of a Tc: else it is empty before the tokens are gone."""
    return flow.packets_per_ms is None or tc_packets <= flow.queue.limit_packets


def _together(
    prepared: _Prepared, results: Sequence[ClassResult], interface: Interface
) -> Solution:
    line = None if prepared.line is prepared.case else prepared.line.flows
    return Solution(tuple(within_capacities(prepared.flows, line, results, interface)))


def _of_any_ring(interface: Interface) -> Interface:
    """The interface with a ring that stands for all rings of its kind, or all deep ones."""
    ring = interface.ring
    return replace(interface, ring=replace(ring, limit=DEEPEST + (ring.limit > DEEPEST)))


@lru_cache(maxsize=32)
def _prepared(interface: Interface) -> _Prepared:
    """An interface of any ring, prepared."""
    flows = flows_of(interface)
    case = case_of(interface, flows)
    line = _slowest(case)
    turns = shares_below_llq(line)
    shares = tuple(share_in_overload(flow, turns) for flow in flows)
    return _Prepared(flows, case, line, regime_of(case), turns, shares)


@lru_cache(maxsize=32)
def _planned(interface: Interface) -> RingRuns:
    """The runs of an interface of any ring: formulas need none."""
    prepared = _prepared(interface)
    return plan_of(prepared.line, prepared.flows, interface.shaper)


def _fills(
    flow: Flow, flows: Sequence[Flow], dropped: Collection[str], turns: Sequence[QueueShare]
) -> bool:
    """Whether the queue of a flow is seen full: its mean load is too much, or packets are dropped.

    Conversations of a fair-queue have limits of their own.
    """
    beside = {item.traffic.name for item in flows if item.queue.name == flow.queue.name}
    if flow.queue.flow_limit_packets is not None:
        beside = {flow.traffic.name}
    return share_in_overload(flow, turns) is not None or not beside.isdisjoint(dropped)


def solve_all(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Predict several interfaces, on all cores.

    Raises
    ------
    ModelError
        See `solve`; that of the first one that has it.
    """
    return together(solve, interfaces)


def _slowest(case: SortedTraffic) -> SortedTraffic:
    """The case with a shaper of all traffic as its wire, where that is slower."""
    interface, shaper = case.interface, case.interface.shaper
    if shaper is None or shaper.rate_bps >= interface.rate_bps:
        return case
    line = line_of(interface, shaper)
    return case_of(line, flows_of(line))
