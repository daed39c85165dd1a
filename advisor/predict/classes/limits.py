"""Bounds of a class, its throughput in shaper and IP bytes, and settings that figures ignore."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from advisor.facts.policy import PolicyClass
from advisor.ground.quantity import Unknown
from advisor.ground.units import bytes_in_ms, serialization_ms
from advisor.ground.wording import NoBound, RemarkKind
from advisor.model import (
    Framing,
    Interface,
    Periodic,
    Queue,
    QueueKind,
    Traffic,
    counted_framing,
    wire_bytes,
    wire_ms,
)
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.class_service import SPARSE_LOW_BYTES, sparse_ends
from advisor.outlet.offer import Offer
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.shaper import TokenBuckets
from advisor.predict.classes import Demand, End, Question, mean_bytes
from advisor.predict.ring import RingView, ring_view
from advisor.theory.shape import on_wire_ms
from advisor.theory.solution import ClassResult

# Share of its line that a class takes: in the bytes that fill the line, and in those of IP.


def counted_bps(
    interface: Interface, traffic: tuple[Traffic, ...], results: Sequence[ClassResult]
) -> float:
    """Throughput of some traffic as the shaper of all traffic counts it.

    A shaper of Ethernet counts 14 bytes of a packet that takes 38 on the wire: what the wire
    carries may be more than the rate of the shaper. Without a shaper, the throughput of the wire.

    See `ip_bps` for the parameters.
    """
    shaper = interface.shaper
    if shaper is None:
        return sum(result.throughput_bps for result in results)
    framing = counted_framing(shaper, interface.framing)
    return _carried_bps(interface, traffic, results, lambda size: wire_bytes(size, framing))


def ip_bps(
    interface: Interface, traffic: tuple[Traffic, ...], results: Sequence[ClassResult]
) -> float:
    """Throughput of some traffic in bytes of IP: without the headers of frames and fragments.

    Parameters
    ----------
    interface : Interface
        The interface that was solved.
    traffic, results : sequence
        The traffic of one class, and what was solved of each.
    """
    return _carried_bps(interface, traffic, results, lambda size: size)


def _carried_bps(
    interface: Interface,
    traffic: tuple[Traffic, ...],
    results: Sequence[ClassResult],
    bytes_of: Callable[[int], int],
) -> float:
    """Throughput in the bytes that a packet of some IP bytes counts."""
    total_bps = 0.0
    for result, item in zip(results, traffic, strict=True):
        sizes = item.sizes.bytes_and_weights
        total = sum(weight for _, weight in sizes)
        counted_bytes = sum(weight * bytes_of(size) for size, weight in sizes) / total
        on_wire_bytes = bytes_in_ms(interface.rate_bps, on_wire_ms(interface, item))
        total_bps += result.throughput_bps * counted_bytes / on_wire_bytes
    return total_bps


# Why nothing bounds the delay of a class, or why no bound of it is derived.

_BY_REMARK = {
    RemarkKind.SHORTER_QUEUE: NoBound.SHORTER_QUEUE,
    RemarkKind.SHARED_RING: NoBound.SHARED_RING,
}


def why_no_bound(
    interfaces: Sequence[Interface], name: str, remarks: Sequence[RemarkKind]
) -> NoBound:
    """The reason why a class has no bound.

    Parameters
    ----------
    interfaces : sequence of Interface
        The corners without a bound; empty if only a remark is the reason.
    name : str
        Name of the class.
    remarks : sequence of RemarkKind
        Settings that the figures of the class ignore.
    """
    by_remark = next((_BY_REMARK[remark] for remark in remarks if remark in _BY_REMARK), None)
    if by_remark is not None or not interfaces:
        return by_remark or NoBound.NOT_DERIVED
    interface = interfaces[0]
    own = next(queue for queue in interface.queues if queue.name == name)
    if own.shaper is not None:
        return NoBound.OWN_SHAPER
    if interface.members_bps:
        return NoBound.BUNDLE
    if any(_sends_any_rate(interface, queue) for queue in interface.queues):
        return NoBound.UNPOLICED
    if own.kind is not QueueKind.PRIORITY:
        return NoBound.QUEUE_ONLY
    return NoBound.NOT_DERIVED if interface.shaper is None else NoBound.SHAPER


def _sends_any_rate(interface: Interface, queue: Queue) -> bool:
    """Whether nothing bounds what comes to a priority queue: no policer, and no period."""
    if (
        queue.kind is not QueueKind.PRIORITY
        or queue.priority_policer is not None
        or queue.class_policer is not None
    ):
        return False
    arrivals = [item.arrival for item in interface.traffic if item.queue == queue.name]
    return not all(isinstance(arrival, Periodic) for arrival in arrivals)


# Bound of an LLQ class behind a ring that packets of unknown size may fill.
#
# The solver bounds what it is given; here the largest packets that can be in the ring decide.


def class_bound_ms(question: Question) -> float:
    """Longest delay of an LLQ packet in ms: the ring, LLQ packets ahead, its own transmission.

    0 where the ring bounds nothing: behind a shaper, or where the sizes of all packets are known;
    and of a bundle, whose far end puts the packets of all members in order.
    """
    outlet = question.outlet
    if outlet.members_bps:
        return 0.0
    view = ring_view(outlet, question.offers)
    shaped = question.line_bps < question.wire_bps
    if shaped or isinstance(view, Unknown) or view.sizes is not None or outlet.ring is None:
        return 0.0
    llq = [offer for offer in question.offers if offer.is_llq]
    ring_ms = view.bound(outlet.ring.limit_low, outlet.ring.limit_high).high_ms
    return ring_ms + _ahead_ms(view, llq) + longest_own_ms(question)


def longest_own_ms(question: Question) -> float:
    """Transmission of the longest LLQ packet; with a measured mean the sizes are not known."""
    framing = question.outlet.encapsulation
    if framing is None:
        return 0.0
    llq = [offer for offer in question.offers if offer.is_llq]
    sizes = [size.ip_bytes for offer in llq for size in offer.sizes]
    if not sizes or any(offer.mean_only for offer in llq):
        classes, outlet = question.outlet.llq_classes, question.outlet
        sizes += [sparse_ends(outlet, item.name)[1] for item in classes]
    return wire_ms(max(sizes), framing.high, question.wire_bps)


def _ahead_ms(view: RingView, llq: list[Offer]) -> float:
    """Wire time of the LLQ packets that can stand before another.

    For periodic streams, one packet of each other stream; else the bursts that the policer lets
    pass.
    """
    sized = [offer for offer in llq if offer.sizes]
    if not sized or not all(offer.periodic for offer in sized):
        return _policer_burst_ms(view)
    longest_ms = [
        max(wire_ms(size.ip_bytes, view.encapsulation.high, view.rate_bps) for size in offer.sizes)
        for offer in sized
    ]
    packets_ms = sum(offer.streams * ms for offer, ms in zip(sized, longest_ms, strict=True))
    return packets_ms - min(longest_ms)


def _policer_burst_ms(view: RingView) -> float:
    """Wire time of the bursts that the LLQ's policers let pass.

    A policer counts the layer-2 header without flags, FCS and cells: small packets take the most
    wire time per counted byte.
    """
    outlet, framing = view.outlet, view.encapsulation.high
    counted = SPARSE_LOW_BYTES + outlet.counted_bytes
    inflation = wire_bytes(SPARSE_LOW_BYTES, framing) / counted
    bursts = [llq_burst(outlet, policy_class).size_bytes for policy_class in outlet.llq_classes]
    burst_bytes = sum(burst for burst in bursts if burst is not None)
    return serialization_ms(burst_bytes * inflation, view.rate_bps)


# Settings of a class that its predicted figures do not include.


@lru_cache(maxsize=64)
def remarks_of(question: Question, demand: Demand, name: str) -> tuple[RemarkKind, ...]:
    """Settings of the class that its figures ignore; they do not depend on the ring limit."""
    outlet = question.outlet
    policy_class = outlet.class_named(name)
    remarks = [] if policy_class is None else _left_out(question, policy_class)
    scheduler = scheduler_of(outlet, question.platform)[0]
    if scheduler.is_cut(name, mean_bytes(outlet, demand, name, End.LOW)):
        remarks.append(RemarkKind.SHORTER_QUEUE)
    if outlet.shares_ring and not outlet.ring_idle:
        remarks.append(RemarkKind.SHARED_RING)
    if outlet.shape is not None and outlet.shape.account_bytes is None:
        remarks.append(RemarkKind.ACCOUNT)
    if outlet.has_unread_lines:
        remarks.append(RemarkKind.UNREAD_LINES)
    return tuple(remarks)


def _left_out(question: Question, policy_class: PolicyClass) -> list[RemarkKind]:
    outlet = question.outlet
    buckets = TokenBuckets(outlet, question.platform)
    shape, police = policy_class.shape, policy_class.police
    is_inside = shape is not None and shape is not outlet.shape
    beside = {
        RemarkKind.RANDOM_DETECT: policy_class.queue_wred is not None,
        RemarkKind.SHAPE: is_inside and buckets.class_shaper(policy_class, Framing(0)) is None,
        RemarkKind.POLICE: police is not None and buckets.police(policy_class, Framing(0)) is None,
        RemarkKind.NESTED_POLICY: policy_class.child is not None
        and outlet.queueing is outlet.policy,
    }
    return [kind for kind, is_there in beside.items() if is_there]
