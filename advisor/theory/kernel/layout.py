"""An interface as the row of numbers that the kernel reads (`source/interface.c`)."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from advisor.theory.flows import MS_PER_S, Flow
from advisor.theory.interface import (
    Arrival,
    Bursts,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Queue,
    QueueKind,
    Saturated,
)
from advisor.units import bytes_in_ms

_ARRIVALS = (Periodic, Poisson, Bursts, OnOff, Saturated)  # in the order of ArrivalKind
CLOSED_LOOP = (len(_ARRIVALS), 0.0, 0.0, 0.0)  # of a flow of TCP, as `arrival_numbers`


class Start(Struct, frozen=True):
    """Packets of a flow that wait when a run begins; they came one `gap_ms` after the other."""

    packets: int
    gap_ms: float


NONE_WAITS = Start(0, 0.0)


def numbers_of(
    interface: Interface,
    flows: Sequence[Flow],
    targets: Sequence[float],
    starts: Mapping[str, Start],
) -> list[float]:
    """The interface in numbers.

    Parameters
    ----------
    interface : Interface
        Ring and queues.
    flows : sequence of Flow
        Its traffic.
    targets : sequence of float
        Relative half-width of the mean of each flow that ends the run; 0: the flow ends none.
    starts : mapping
        What waits at the start, by the name of the traffic.
    """
    numbers: list[float] = []
    sizes = sum(len(flow.piece_ms) for flow in flows)
    pieces = sum(len(times) for flow in flows for times in flow.piece_ms)
    ring, queues = interface.ring, interface.queues
    numbers.extend((ring.limit, ring.beside_wire, len(queues), len(flows), sizes, pieces))
    levels = sorted({queue.level for queue in queues if queue.kind is QueueKind.PRIORITY})
    for queue in queues:
        numbers.extend(queue_numbers(queue, levels))
    places = {queue.name: place for place, queue in enumerate(queues)}
    for flow, target in zip(flows, targets, strict=True):
        start = starts.get(flow.traffic.name, NONE_WAITS)
        traffic = flow.traffic
        numbers.append(places[flow.queue.name])
        numbers.extend(arrival_numbers(traffic.arrival, traffic.streams))
        numbers.extend((traffic.streams, traffic.conversations, traffic.precedence + 1))
        numbers.extend(start_numbers(start, target))
        numbers.extend(_sizes(flow))
    return numbers


def queue_numbers(queue: Queue, levels: Sequence[int]) -> tuple[float, ...]:
    """A queue; `levels` are those of all priority queues, in order."""
    is_priority, policer = queue.kind is QueueKind.PRIORITY, queue.policer
    return (
        0 if is_priority else 1,
        levels.index(queue.level) if is_priority else 0,
        queue.share_percent,
        queue.limit_packets,
        queue.flow_limit_packets or 0,
        0.0 if policer is None else bytes_in_ms(policer.rate_bps, 1.0),
        0.0 if policer is None else policer.burst_bytes,
    )


def start_numbers(start: Start, target: float) -> tuple[float, ...]:
    """What waits at the start, and the target of the mean."""
    return (start.packets, start.gap_ms, target)


def arrival_numbers(arrival: Arrival, streams: int) -> tuple[float, ...]:
    """Kind, rate per ms, and its two parameters (`source/sources.c`)."""
    match arrival:
        case Periodic(per_s, jitter_ms):
            parameters = (per_s * streams / MS_PER_S, jitter_ms, 0.0)
        case Poisson(per_s):
            parameters = (per_s * streams / MS_PER_S, 0.0, 0.0)
        case Bursts(per_s, packets, spacing_ms):
            parameters = (per_s * streams / MS_PER_S, packets, spacing_ms)
        case OnOff(peak_per_s, on_ms, off_ms):
            parameters = (peak_per_s / MS_PER_S, on_ms, off_ms)
        case Saturated(backlog):
            parameters = (0.0, backlog, 0.0)
    return (_ARRIVALS.index(type(arrival)), *parameters)


def _sizes(flow: Flow) -> Iterator[float]:
    yield len(flow.piece_ms)
    rows = zip(
        flow.weights.tolist(),
        flow.frame_bytes.tolist(),
        flow.piece_ms,
        flow.piece_units,
        strict=True,
    )
    for weight, frame_bytes, times_ms, units in rows:
        yield weight
        yield frame_bytes
        yield len(times_ms)
        for time_ms, unit in zip(times_ms, units, strict=True):
            yield time_ms
            yield unit
