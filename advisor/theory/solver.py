"""Delay, jitter, loss and throughput of every class of one output interface, by the kernel."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf, sqrt

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    QueueKind,
    Saturated,
    Shaper,
)
from advisor.theory.analytic import Result, Validity, answer, is_figure
from advisor.theory.bounds.classes import bound_ms, line_of
from advisor.theory.flows import Flow, Flows, SortedTraffic, case_of, flows_of, passed_share
from advisor.theory.kernel.layout import Start
from advisor.theory.kernel.threads import Measured, measure, together
from advisor.theory.length import LEAST_LEFT, Length, length_of, pieces_of, starts_of
from advisor.theory.regimes import regime_of
from advisor.theory.solution import DEEPEST, ClassResult, Delay, Regime, Solution, Weakness
from advisor.theory.turns import QueueTurn, share_in_overload, turns_of
from advisor.units import bits_from_bytes, bytes_in_ms

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
    turns: tuple[QueueTurn, ...]


def plan_of(case: SortedTraffic, flows: Sequence[Flow], shaper: Shaper | None = None) -> RingRuns:
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
    return RingRuns(
        tuple(_often_enough(flow, steps_per_ms, line_load[flow.traffic.name]) for flow in fewer),
        tuple(_target(flow, len(turns)) for flow in flows),
        starts_of(case, turns),
        length_of(case, turns, steps_per_ms, shaper),
        turns,
    )


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


def _entries_per_ms(case: SortedTraffic, turns: Sequence[QueueTurn]) -> float:
    """Packets and fragments that enter the ring."""
    carried = [(flow, flow.load * passed_share(flow)) for flow in case.llq]
    carried += [
        (flow, turn.copies * turn.carried_of(flow)) for turn in turns for flow in turn.flows
    ]
    return sum(load / flow.mean_ms * pieces_of(flow) for flow, load in carried)


# From what the kernel has measured to the result of a class, with its interval.

# Two-sided 95 % of Student's law with the 7 degrees of freedom of eight replications.
STUDENT = 2.4
# Error beyond the sampling error, by experiment (`python -m tools.validation.score wide`):
# replications that all begin too near or too far from the stationary state.
HALF_WIDTH = 0.03
# By experiment too (`tests/test_cli_simulated.py`): a run sees a backlog sent a few times at most,
# so its percentiles are too near the mean.
CLOSED_HALF_WIDTH = 0.05
EDGES = 8  # packets: one for each of the first windows
FEWEST = 20  # numeric: packets that show a delay


class Of(Struct, frozen=True):
    """Properties of a class that are not measured from its packets.

    `bound_ms` is never exceeded. A class `in_overload` carries its `share` of the wire, where that
    is known, and loses the rest. One is `starved` where priority queues leave nothing. What floods
    its queue is thinned to the `sampled_load`. `edge_packets` go at once, as Bc and Be of a shaper.
    """

    regime: Regime
    rate_bps: float
    bound_ms: float | None
    in_overload: bool
    share: float | None
    is_starved: bool
    sampled_load: float
    edge_packets: float = 1.0


def result_of(flow: Flow, measured: Measured, of: Of) -> ClassResult:
    """Result of a class of traffic."""
    regime, rate_bps, bound = of.regime, of.rate_bps, of.bound_ms
    if not measured.packets:
        return _without_delay(flow, measured, of)
    own_ms = _least_ms(flow)
    half_width = HALF_WIDTH if flow.packets_per_ms is not None else CLOSED_HALF_WIDTH
    low_ms, high_ms = _interval_ms(measured, half_width)
    weak = (Weakness.CLOSED,) if flow.packets_per_ms is None else ()
    if measured.packets < FEWEST:
        weak, low_ms, high_ms = (Weakness.UNSAMPLED,), own_ms, bound or inf
    top_ms = inf if bound is None else bound
    mean_ms = min(measured.mean_ms, top_ms)
    carried, loss_ratio = _carried(flow, measured, of)
    return ClassResult(
        name=flow.traffic.name,
        delay=Delay(
            mean_ms,
            min(max(measured.p50_ms, own_ms), top_ms),
            min(max(measured.p95_ms, own_ms), top_ms),
            min(max(measured.p99_ms, own_ms), top_ms),
            measured.ipdv_ms,
        ),
        mean_low_ms=min(max(low_ms, own_ms), mean_ms),
        mean_high_ms=max(min(high_ms, top_ms), mean_ms),
        bound_ms=bound,
        ipdv_bound_ms=None if bound is None else bound - own_ms,
        loss_ratio=loss_ratio,
        throughput_bps=carried * rate_bps,
        regime=regime,
        weak=weak,
        error_ms=measured.deviation_ms,
    )


def _carried(flow: Flow, measured: Measured, of: Of) -> tuple[float, float]:
    """Part of the wire that a class gets, and the part of its packets that is lost."""
    carried = min(measured.carried, 1.0)  # a window may hold a part of a swing
    is_open = flow.packets_per_ms is not None
    edges = EDGES * of.edge_packets
    if of.share is not None and abs(carried - of.share) * measured.packets <= edges * of.share:
        carried = of.share  # windows count whole packets, and whole intervals of a shaper
        if of.in_overload and is_open:
            return carried, max(1 - carried / flow.load, 0.0)
    if not is_open:
        return carried, measured.loss_ratio
    lost = measured.unsent_ratio if of.in_overload else measured.loss_ratio
    passed = (1 - lost) * min(of.sampled_load / flow.load, 1.0)
    drops_by_size = measured.policed or flow.queue.kind is QueueKind.FAIR
    if flow.fixed or not drops_by_size:  # else small packets pass more often
        carried = flow.load * passed  # more precise than what was seen on the wire
    return carried, 1 - passed


def _interval_ms(measured: Measured, half_width: float) -> tuple[float, float]:
    """The sampling error, and what the mean still moves from half to half beyond it."""
    moved_ms = abs(measured.late_ms - measured.early_ms) - 2 * STUDENT * measured.deviation_ms
    half_ms = STUDENT * measured.deviation_ms + max(moved_ms, 0.0)
    half_ms += half_width * measured.mean_ms
    return measured.mean_ms - half_ms, measured.mean_ms + half_ms


def _without_delay(flow: Flow, measured: Measured, of: Of) -> ClassResult:
    """A class whose packets do not pass, or are too rare to be seen."""
    is_closed = flow.packets_per_ms is None
    dropped = measured.policed + measured.tail_dropped
    share = of.share if of.edge_packets > EDGES else None  # an interval is longer than a window
    is_starved = of.is_starved or is_closed or 0 < measured.offered <= dropped
    bound = of.bound_ms
    own_ms = flow.mean_ms if bound is None else min(flow.mean_ms, bound)
    return ClassResult(
        name=flow.traffic.name,
        delay=Delay(*(inf,) * 5) if is_starved else Delay(*(own_ms,) * 4, 0.0),
        mean_low_ms=inf if is_starved else _least_ms(flow),
        mean_high_ms=inf if is_starved or bound is None else bound,
        bound_ms=None if is_starved else bound,
        ipdv_bound_ms=None,
        loss_ratio=1.0 if is_starved else 0.0,
        throughput_bps=_unseen_share(flow, share, is_starved=is_starved) * of.rate_bps,
        regime=of.regime,
        weak=(Weakness.STARVED if is_starved else Weakness.UNSAMPLED,),
    )


def _unseen_share(flow: Flow, share: float | None, *, is_starved: bool) -> float:
    """Part of the wire of a class without a packet in any window."""
    if share is not None:
        return share
    return 0.0 if is_starved else min(flow.load, 1.0)


def _edge_packets(flow: Flow, interface: Interface) -> float:
    """Packets of a class that a shaper may send at once: a window begins or ends inside."""
    shapers = (interface.shaper, flow.queue.shaper)
    present = (shaper for shaper in shapers if shaper is not None)
    depths = [shaper.committed_bits + shaper.excess_bits for shaper in present]
    packet_bits = bits_from_bytes(bytes_in_ms(interface.rate_bps, flow.mean_ms))
    return max([1.0, *(bits / packet_bits for bits in depths)])


def _least_ms(flow: Flow) -> float:
    return min(flow.times_ms)


class _Prepared(Struct, frozen=True, eq=False):
    """An interface prepared for the kernel; its ring and its run are not used yet.

    `line` has a shaper of all traffic as its wire, where that is slower. `shares` are the parts of
    that wire of the flows in overload.
    """

    flows: Flows
    case: SortedTraffic
    line: SortedTraffic
    regime: Regime
    plan: RingRuns
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
    found = [figure if is_figure(figure) else None for figure in answer(interface)]
    whole = [figure for figure in found if figure is not None and figure.ipdv_ms is not None]
    if len(whole) == len(found):
        return _by_formulas(interface, whole)
    run = sampled(interface)
    least = [_least_ms(flow) for flow in _prepared(_of_any_ring(interface)).flows]
    rows = zip(run.classes, found, least, strict=True)
    return Solution(tuple(_with_formula(*row) for row in rows))


def _by_formulas(interface: Interface, found: Sequence[Result]) -> Solution:
    """A solution without a run: formulas answer all of every class."""
    prepared = _prepared(_of_any_ring(interface))
    flows = prepared.flows
    case = replace(prepared.case, interface=interface)
    lossy = {figure.name for figure in found if figure.loss_ratio > 0}
    results = []
    for flow, figure in zip(flows, found, strict=True):
        fills = _fills(flow, flows, lossy, prepared.plan.turns)
        bound = bound_ms(case, flow, fills=fills)
        least_ms = _least_ms(flow)
        delay = Delay(
            figure.mean_ms, figure.p50_ms, figure.p95_ms, figure.p99_ms, figure.ipdv_ms or 0.0
        )
        result = ClassResult(
            name=figure.name,
            delay=delay,
            mean_low_ms=least_ms,
            mean_high_ms=figure.mean_ms,
            bound_ms=bound,
            ipdv_bound_ms=None if bound is None else bound - least_ms,
            loss_ratio=figure.loss_ratio,
            throughput_bps=figure.carried * interface.rate_bps,
            regime=prepared.regime,
            weak=(Weakness.CLOSED,) if flow.packets_per_ms is None else (),
        )
        results.append(_with_formula(result, figure, least_ms))
    return Solution(tuple(results))


# Relative half-widths of the classes of validity, by experiment
# (`python -m tools.validation.analytic`).
HALF_WIDTHS = {Validity.EXACT: 0.005, Validity.WITHIN_5: 0.06}


def _with_formula(result: ClassResult, figure: Result | None, least_ms: float) -> ClassResult:
    """The result with the delays of a formula, where it is the figure."""
    if figure is None:
        return result
    top_ms = inf if result.bound_ms is None else result.bound_ms

    def within(time_ms: float) -> float:
        return min(max(time_ms, least_ms), top_ms)

    mean_ms = within(figure.mean_ms)
    low_ms, high_ms = _of_phases(figure, least_ms)
    half_ms = HALF_WIDTHS[figure.mean] * mean_ms
    delay = Delay(
        mean_ms,
        within(figure.p50_ms),
        within(figure.p95_ms),
        within(figure.p99_ms),
        result.delay.ipdv_ms,
    )
    return replace(
        result,
        delay=delay,
        mean_low_ms=within(low_ms - half_ms),
        mean_high_ms=within(high_ms + half_ms),
        method=figure.method.value,
        error_ms=None,
    )


def _of_phases(figure: Result, least_ms: float) -> tuple[float, float]:
    """The mean of calls at their own phases: from none that meets another packet to one in 100.

    The mean of many calls is so much nearer to that over all phases.
    """
    mean_ms = figure.mean_ms
    if not figure.locked:
        return mean_ms, mean_ms
    part = 1 / sqrt(figure.locked)
    return mean_ms - part * (mean_ms - least_ms), mean_ms + part * (figure.p99_ms - mean_ms)


def sampled(interface: Interface) -> Solution:
    """Every class of an interface by a run of the kernel, whatever formulas say.

    Raises
    ------
    ModelError
        See `solve`.
    """
    prepared = _prepared(_of_any_ring(interface))
    flows, plan = prepared.flows, prepared.plan
    case = replace(prepared.case, interface=interface)
    is_own_wire = prepared.line is prepared.case
    ring = interface.ring if is_own_wire else prepared.line.interface.ring
    extent = plan.length.extent(ring.limit)
    rows = measure(interface, plan.flows, extent, plan.targets, plan.starts)
    on_line = {flow.traffic.name: flow.mean_ms for flow in prepared.line.flows}
    parts = [flow.mean_ms / on_line[flow.traffic.name] for flow in flows]
    is_line_slower = max(parts) <= 1  # else packets that the shaper lets pass may fill the wire
    dropped = {
        flow.traffic.name
        for flow, measured in zip(flows, rows, strict=True)
        if measured.tail_dropped
    }
    results = [
        result_of(
            flow,
            measured,
            Of(
                prepared.regime,
                interface.rate_bps,
                bound_ms(case, flow, fills=_fills(flow, flows, dropped, plan.turns)),
                share is not None,
                share * part if share is not None and is_line_slower else None,
                case.llq_fills_wire and not flow.priority,
                thinned.load,
                _edge_packets(flow, interface),
            ),
        )
        for flow, part, thinned, measured, share in zip(
            flows, parts, plan.flows, rows, prepared.shares, strict=True
        )
    ]
    return Solution(tuple(_within_wire(flows, results, interface)))


def _within_wire(
    flows: Flows, results: Sequence[ClassResult], interface: Interface
) -> Iterator[ClassResult]:
    """Give the classes that are never empty the rest of the wire; the sum never exceeds the wire.

    Each class was seen in a window of its own, in which others may have sent less than their mean.
    Behind a shaper, or on several wires, what is never empty may take less.
    """
    is_closed = [flow.packets_per_ms is None for flow in flows]
    carried = [0.0, 0.0]
    for closed, result in zip(is_closed, results, strict=True):
        carried[closed] += result.throughput_bps
    others_bps, closed_bps = carried
    shapers = (interface.shaper, *(queue.shaper for queue in interface.queues))
    may_idle = bool(interface.members_bps) or any(shaper is not None for shaper in shapers)
    left_bps = max(interface.rate_bps - others_bps, 0.0)
    is_left = not closed_bps or (may_idle and closed_bps <= left_bps)
    parts = (
        min(interface.rate_bps / others_bps, 1.0) if others_bps else 1.0,
        1.0 if is_left else left_bps / closed_bps,
    )
    for closed, result in zip(is_closed, results, strict=True):
        yield replace(result, throughput_bps=result.throughput_bps * parts[closed])


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
    plan = plan_of(line, flows, interface.shaper)
    shares = tuple(share_in_overload(flow, plan.turns) for flow in flows)
    return _Prepared(flows, case, line, regime_of(case), plan, shares)


def _fills(
    flow: Flow, flows: Sequence[Flow], dropped: Collection[str], turns: Sequence[QueueTurn]
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
