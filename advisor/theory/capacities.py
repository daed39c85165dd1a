"""The load that classes carry together: at most that of wire and shapers, and all they leave."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.model import Interface
from advisor.theory.flows import Flow, Flows, flows_of, line_of
from advisor.theory.queue_shares import NOTHING
from advisor.theory.results import HALF_WIDTH
from advisor.theory.solution import ClassResult


class _Capacity(Struct, frozen=True, eq=False):
    """A wire or a shaper, and the part of it that a bit/s of each flow on the wire takes.

    What is never empty fills it, unless it `may_idle`.
    """

    parts: Mapping[str, float]
    may_idle: bool


def within_capacities(
    flows: Flows, line: Sequence[Flow] | None, results: Sequence[ClassResult], interface: Interface
) -> Iterator[ClassResult]:
    """Keep what classes carry within the wire and the shapers, in sum and at each high end.

    Each class was seen in a window of its own, in which others may have sent less than their mean.
    Classes that are never empty get the rest. Behind the shaper of a class, or on several wires,
    what is never empty may take less. `line` are the flows behind a slower shaper of all traffic.
    """
    limits = list(_capacities(flows, line, interface))
    for limit in limits:
        results = list(_within(flows, results, limit))
    for flow, result in zip(flows, _with_what_is_left(flows, results, limits), strict=True):
        parts = (limit.parts.get(flow.traffic.name, 0.0) for limit in limits)
        yield _at_most(result, 1 / max(parts))


def _capacities(
    flows: Flows, line: Sequence[Flow] | None, interface: Interface
) -> Iterator[_Capacity]:
    """Shapers of classes first, the wire last: what is never empty takes what they leave."""
    rate_bps = interface.rate_bps
    shaped = [queue for queue in interface.queues if queue.shaper is not None]
    for queue in shaped:
        shaped_line = flows_of(line_of(interface, queue.shaper)) if queue.shaper is not None else ()
        parts = _parts_of(flows, shaped_line, rate_bps)
        own = {name for name in parts if name in _names_in(queue.name, flows)}
        yield _Capacity({name: parts[name] for name in own}, may_idle=True)
    if line is not None:
        yield _Capacity(_parts_of(flows, line, rate_bps), may_idle=bool(shaped))
    may_idle = bool(interface.members_bps or shaped) or interface.shaper is not None
    yield _Capacity({flow.traffic.name: 1 / rate_bps for flow in flows}, may_idle=may_idle)


def _names_in(queue: str, flows: Flows) -> set[str]:
    return {flow.traffic.name for flow in flows if flow.queue.name == queue}


def _parts_of(flows: Flows, line: Sequence[Flow], rate_bps: float) -> dict[str, float]:
    """Part of a line that a bit/s on the wire takes."""
    on_line = {flow.traffic.name: flow.mean_ms for flow in line}
    return {
        flow.traffic.name: on_line[flow.traffic.name] / flow.mean_ms / rate_bps for flow in flows
    }


def _within(
    flows: Flows, results: Sequence[ClassResult], limit: _Capacity
) -> Iterator[ClassResult]:
    parts = [limit.parts.get(flow.traffic.name, 0.0) for flow in flows]
    is_closed = [flow.packets_per_ms is None for flow in flows]
    carried = [0.0, 0.0]
    for closed, result, part in zip(is_closed, results, parts, strict=True):
        carried[closed] += result.throughput_bps * part
    others, of_closed = carried
    left = max(1 - others, 0.0)
    is_left = not of_closed or (limit.may_idle and of_closed <= left)
    factors = (min(1 / others, 1.0) if others else 1.0, 1.0 if is_left else left / of_closed)
    for closed, result, part in zip(is_closed, results, parts, strict=True):
        factor = factors[closed] if part else 1.0
        yield replace(result, throughput_bps=result.throughput_bps * factor)


def _with_what_is_left(
    flows: Flows, results: Sequence[ClassResult], limits: Sequence[_Capacity]
) -> Iterator[ClassResult]:
    """The results, with ends of what never empties: the rest of a wire that it fills, and its part.

    Alone it gets the whole rest. Several, or one where the wire may idle, were seen in windows.
    """
    is_closed = [flow.packets_per_ms is None for flow in flows]
    full = next((limit for limit in limits if not limit.may_idle), None)
    rows = list(zip(is_closed, results, strict=True))
    low, high = 1.0, 1.0
    if full is not None:
        parts = [(row, full.parts[row.name]) for closed, row in rows if not closed]
        left, least, most = (
            max(1 - sum(rate * part for rate, part in carried), 0.0)
            for carried in (
                [(row.throughput_bps, part) for row, part in parts],
                [(row.throughput_high_bps, part) for row, part in parts],
                [(row.throughput_low_bps, part) for row, part in parts],
            )
        )
        low, high = (least / left, most / left) if left > NOTHING else (1.0, 1.0)
    if full is None or sum(is_closed) > 1:
        low, high = low * (1 - HALF_WIDTH), high * (1 + HALF_WIDTH)
    for closed, row in rows:
        yield replace(row, part_low=low, part_high=high) if closed else row


def _at_most(result: ClassResult, most_bps: float) -> ClassResult:
    """The result, whose throughput has an interval up to this."""
    if result.throughput_high_bps <= most_bps or not result.throughput_bps:
        return result
    if result.part_high > 1:
        return replace(result, part_high=max(most_bps / result.throughput_bps, 1.0))
    lost = 1 - (1 - result.loss_ratio) * most_bps / result.throughput_bps
    return replace(result, loss_low_ratio=min(max(lost, result.loss_low_ratio), result.loss_ratio))
