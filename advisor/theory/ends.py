"""Other ends of a regime: the case solved again with the opposite assumption about unknown inputs.

The truth lies between a policer that never meters and one that always does; between on/off sources
of few packets taken as trains, as random and as even; between bursts taken apart and at once.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from advisor.theory.classes.policing import noticed, passing, refused_ratio
from advisor.theory.flows import Flow
from advisor.theory.interface import (
    Bursts,
    ClassResult,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    QueueKind,
    Regime,
    Solution,
    Traffic,
    Weakness,
)
from advisor.theory.offered import FEW_PACKETS, packets_per_on_time
from advisor.theory.regimes import REGIMES


def other_ends(interface: Interface, flows: Sequence[Flow], solution: Solution) -> list[Interface]:
    """The interface at the other ends; an empty list if the regime leaves nothing out."""
    is_open = any(REGIMES[result.regime].is_open for result in solution.classes)
    if not is_open and not _policing_ends_overload(flows):
        return []
    ends = []
    if any(flow.priority and noticed(flow) for flow in flows):
        ends.append(_always_policed(interface, flows))
    if any(result.regime is Regime.POISSON for result in solution.classes):
        ends.append(_with(interface, [_even(flow.traffic) for flow in flows]))
    if any(map(_hardly_trains, flows)):
        ends.append(_with(interface, [_random(flow.traffic) for flow in flows]))
    if any(_is_spaced(flow, flows) for flow in flows):
        simultaneous = [
            _at_once(member.traffic) if _is_spaced(member, flows) else member.traffic
            for member in flows
        ]
        ends.append(_with(interface, simultaneous))
    return [end for end in ends if end != interface]


def between(solution: Solution, ends: Sequence[Solution], flows: Sequence[Flow]) -> Solution:
    """The solution with intervals that reach over those of the other ends."""
    spaced = any(_is_spaced(flow, flows) for flow in flows)
    weak = (Weakness.SPACED,) if spaced else ()
    return Solution(
        tuple(
            _reached(result, [end.classes[index] for end in ends], weak)
            for index, result in enumerate(solution.classes)
        )
    )


def _reached(
    result: ClassResult, others: Sequence[ClassResult], weak: tuple[Weakness, ...]
) -> ClassResult:
    if result.delay.mean_ms <= 0:
        return result
    neighbours = [neighbour for neighbour in others if neighbour.delay.mean_ms > 0]
    high_ms = max([result.mean_high_ms, *(neighbour.mean_high_ms for neighbour in neighbours)])
    if result.bound_ms is not None:
        high_ms = min(high_ms, max(result.bound_ms, result.delay.mean_ms))
    return replace(
        result,
        mean_low_ms=min([result.mean_low_ms, *(neighbour.mean_low_ms for neighbour in neighbours)]),
        mean_high_ms=high_ms,
        weak=result.weak or weak,
    )


def _policing_ends_overload(flows: Sequence[Flow]) -> bool:
    if any(flow.packets_per_ms is None for flow in flows):
        return False
    load = sum(flow.load for flow in flows)
    refused_load = sum(flow.load * refused_ratio(flow) for flow in flows if flow.priority)
    return load >= 1 > load - refused_load


def _with(interface: Interface, traffic: Sequence[Traffic]) -> Interface:
    return replace(interface, traffic=tuple(traffic))


def _always_policed(interface: Interface, flows: Sequence[Flow]) -> Interface:
    queues = tuple(
        replace(queue, policer=None) if queue.kind is QueueKind.PRIORITY else queue
        for queue in interface.queues
    )
    traffic = [passing(flow) if flow.priority else flow.traffic for flow in flows]
    return replace(interface, queues=queues, traffic=tuple(traffic))


def _even(traffic: Traffic) -> Traffic:
    match traffic.arrival:
        case OnOff(peak, on_ms, off_ms):
            return replace(traffic, arrival=Periodic(peak * on_ms / (on_ms + off_ms)))
        case _:
            return traffic


def _hardly_trains(flow: Flow) -> bool:
    """Whether an on time is hardly longer than one that is taken as single packets."""
    packets = packets_per_on_time(flow)
    return packets is not None and FEW_PACKETS < packets <= 2 * FEW_PACKETS


def _random(traffic: Traffic) -> Traffic:
    match traffic.arrival:
        case OnOff(peak, on_ms, off_ms):
            return replace(traffic, arrival=Poisson(peak * on_ms / (on_ms + off_ms)))
        case _:
            return traffic


def _at_once(traffic: Traffic) -> Traffic:
    match traffic.arrival:
        case Bursts(rate, packets, _):
            return replace(traffic, arrival=Bursts(rate, packets, 0.0))
        case _:
            return traffic


def _is_spaced(flow: Flow, flows: Sequence[Flow]) -> bool:
    """Whether bursts are not faster than the wire, but faster than the rate that others leave."""
    arrival = flow.traffic.arrival
    if not isinstance(arrival, Bursts) or arrival.packets_per_burst == 1:
        return False
    others_load = sum(neighbour.load for neighbour in flows) - flow.load
    free_ratio = max(1 - others_load, 1e-9)
    return flow.mean_ms <= arrival.spacing_ms < flow.mean_ms / free_ratio
