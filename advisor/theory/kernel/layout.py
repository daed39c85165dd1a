"""An interface as the row of numbers that the kernel reads (`source/interface.c`)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from advisor.ground.units import bytes_in_ms
from advisor.model import (
    Bursts,
    Excess,
    Framing,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Refill,
    Saturated,
    Shaper,
    Tcp,
    wire_bytes,
)
from advisor.theory.flows import MS_PER_S, Flow

_ARRIVALS = (Periodic, Poisson, Bursts, OnOff, Saturated, Tcp)  # in the order of ArrivalKind
_EXCESSES = (Excess.PROPORTIONAL, Excess.UNRESERVED_FIRST, Excess.EQUAL)  # in C's order
_WFQ_WEIGHT = 32384  # before HQF, of precedence 0: Cisco document 110850
_NO_BUCKET = (0.0, 0.0, 0.0)  # none
BITS_PER_BYTE = 8  # a definition


class Start(Struct, frozen=True):
    """Packets of a flow that wait when a run begins; they came one `gap_ms` after the other.

    `more_packets` is the mean of an exponential number beyond `packets`.
    """

    gap_ms: float
    packets: int = 0
    more_packets: float = 0.0


NONE_WAITS = Start(0.0)


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
    numbers.extend((ring.limit, ring.beside_wire, _EXCESSES.index(interface.excess)))
    slowness = [interface.rate_bps / member_bps for member_bps in interface.members_bps] or [1.0]
    numbers.extend((interface.fragmentation is not None, len(slowness), *slowness))
    numbers.extend(_shaper(interface.shaper))
    numbers.extend((len(queues), len(flows), sizes, pieces))
    levels = sorted({queue.level for queue in queues if queue.kind is QueueKind.PRIORITY})
    for queue in queues:
        numbers.extend(_queue(queue, levels))
    places = {queue.name: place for place, queue in enumerate(queues)}
    for flow, target in zip(flows, targets, strict=True):
        start = starts.get(flow.traffic.name, NONE_WAITS)
        numbers.append(places[flow.queue.name])
        numbers.extend((*_arrival(flow), flow.traffic.streams, flow.traffic.conversations))
        numbers.append(conversation_weight(flow))
        numbers.extend((start.packets, start.more_packets, start.gap_ms, target))
        numbers.extend(_sizes(flow, interface.framing, interface.shaper))
    return numbers


def _queue(queue: Queue, levels: Sequence[int]) -> tuple[float, ...]:
    is_priority, policer = queue.kind is QueueKind.PRIORITY, queue.priority_policer
    return (
        0 if is_priority else 1,
        levels.index(queue.level) if is_priority else 0,
        queue.share_percent,
        queue.limit_packets,
        queue.flow_limit_packets or 0,
        queue.kind is QueueKind.FAIR,
        0.0 if policer is None else bytes_in_ms(policer.rate_bps, 1.0),
        0.0 if policer is None else policer.burst_bytes,
        queue.guarantee_bps / MS_PER_S,
        *_police(queue.class_policer),
        *_shaper(queue.shaper),
    )


def _police(policer: Policer | None) -> tuple[float, float, float]:
    """Rate in bits per ms, depth in bits, interval in ms; 0: it is filled as time goes."""
    if policer is None:
        return _NO_BUCKET
    return policer.rate_bps / MS_PER_S, BITS_PER_BYTE * policer.burst_bytes, 0.0


def _shaper(shaper: Shaper | None) -> tuple[float, float, float]:
    if shaper is None:
        return _NO_BUCKET
    interval_ms = 0.0 if shaper.refill is Refill.SMOOTH else shaper.interval_ms
    depth_bits = shaper.committed_bits + shaper.excess_bits
    return shaper.rate_bps / MS_PER_S, depth_bits, interval_ms


def _arrival(flow: Flow) -> tuple[float, ...]:
    """Kind, rate per ms, and its two parameters (`source/sources.c`)."""
    arrival, streams = flow.traffic.arrival, flow.traffic.streams
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
        case Tcp():
            parameters = (0.0, 0.0, 0.0)
    return (_ARRIVALS.index(type(arrival)), *parameters)


def conversation_weight(flow: Flow) -> float:
    """Weight of a conversation in its fair queue: as IOS divides 32384, in whole numbers."""
    if not flow.queue.by_precedence:
        return 1.0
    return _WFQ_WEIGHT / (_WFQ_WEIGHT // (flow.traffic.precedence + 1))


@lru_cache(maxsize=64)
def _sizes(flow: Flow, framing: Framing, shaper: Shaper | None) -> tuple[float, ...]:
    """The sizes of a flow before a shaper of all traffic; a plan has the same flow for any ring.

    Classes below the LLQ are scheduled, and guaranteed, in the bytes that the shaper counts.
    """
    numbers: list[float] = [len(flow.piece_ms)]
    queue, link = flow.queue, Framing(framing.overhead_bytes)
    counts = [
        (bucket.framing if bucket is not None else None) or link
        for bucket in (queue.class_policer, queue.shaper, shaper)
    ]
    rows = zip(
        flow.weights,
        flow.frame_bytes,
        flow.ip_bytes,
        flow.piece_ms,
        flow.piece_units,
        strict=True,
    )
    shaped = None if shaper is None or queue.kind is QueueKind.PRIORITY else shaper.framing
    for weight, frame_bytes, ip_bytes, times_ms, units in rows:
        scheduled = frame_bytes if shaped is None else wire_bytes(round(ip_bytes), shaped)
        numbers += (weight, scheduled)
        numbers += (BITS_PER_BYTE * wire_bytes(round(ip_bytes), counted) for counted in counts)
        numbers.append(len(times_ms))
        for time_ms, unit in zip(times_ms, units, strict=True):
            numbers += (time_ms, unit)
    return tuple(numbers)
