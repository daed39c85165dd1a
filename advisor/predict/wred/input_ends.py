"""Choices of the unknown inputs, as line and classes of WRED's model.

The interface is that of the other predictions (`predict.classes.corners`): only the traffic of
classes with TCP flows or WRED is another.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.facts.policy import Unit
from advisor.ground.quantity import Input
from advisor.ground.units import bytes_in_ms
from advisor.model import (
    DropProfile,
    Framing,
    Interface,
    Queue,
    QueueKind,
    SizeMix,
    Tcp,
    Traffic,
    WredAverage,
    segment_bytes,
    window_packets,
)
from advisor.outlet.class_bandwidth import class_rate
from advisor.outlet.class_service import class_packet
from advisor.outlet.offer import offer_of
from advisor.outlet.queue_limit import queue_limit
from advisor.outlet.scheduler import scheduler_of
from advisor.outlet.wred_rows import DEFAULT_DENOMINATOR, WredRow, exponent_of
from advisor.predict.classes import End, InputChoice, arrival_of, traffic_of
from advisor.predict.classes.corners import IDLE_RING, interface_in
from advisor.predict.wred import PossibleRing, ServedClass, WredRequest, rings_of


class InputEnds(Struct, frozen=True):
    """One choice: inputs named here are at their low or high end, all others at their value."""

    ends: Mapping[str, str] = field(default_factory=dict)

    def at(self, known: Input) -> float:
        end = self.ends.get(known.name)
        return known.value if end is None else known.low if end == "low" else known.high


def ends_of(request: WredRequest) -> Iterator[InputEnds]:
    """All inputs at their values, then one input at both ends, then all inputs at one end."""
    yield InputEnds()
    unknown = [known.name for known in request.inputs.values() if known.low < known.high]
    for name in unknown:
        yield from (InputEnds({name: end}) for end in ("low", "high"))
    if len(unknown) > 1:
        yield from (InputEnds(dict.fromkeys(unknown, end)) for end in ("low", "high"))


def model_of(request: WredRequest, ends: InputEnds) -> Interface:
    """The interface with the inputs at some ends: the LLQ, then the classes that send."""
    interface = _interface(request, ends)
    queues = [queue for queue in interface.queues if queue.kind is QueueKind.PRIORITY]
    traffic = [item for queue in queues for item in interface.offered_to(queue)]
    by_name = {queue.name: queue for queue in interface.queues}
    for served in request.classes:
        if not _is_there(request, served, ends):
            continue
        queue = by_name[served.name]
        if served.groups:
            traffic += _groups(request, served, ends)
            queues.append(_under_wred(request, served, queue))
        else:
            traffic += interface.offered_to(queue)
            queues.append(queue)
    return replace(interface, queues=tuple(queues), traffic=tuple(traffic))


def _interface(request: WredRequest, ends: InputEnds) -> Interface:
    """The interface of the output with the inputs at some ends, with the traffic of all offers."""
    question, ring = request.question, _ring(request, ends)
    probes = {
        offer.class_name
        for offer in request.demand.offers
        if offer.is_llq and offer.packets_per_second is None
    }
    names = [f"offered_kbps of {name}" for name in probes]
    filled = any(ends.at(request.inputs[name]) > 0 for name in names)
    choice = InputChoice(ring.limit, ring.kind, _framing(request, ends), End.HIGH, False, filled)  # noqa: FBT003
    scheduler = scheduler_of(question.outlet, question.platform)[0]
    return interface_in(question, request.demand, choice, scheduler.excess)


def _ring(request: WredRequest, ends: InputEnds) -> PossibleRing:
    """The shortest or longest ring; between them, one of as many packets as the input says."""
    rings, known = rings_of(request.outlet), request.inputs["ring_packets"]
    packets = ends.at(known)
    exact_ = next((ring for ring in rings if ring.packets == packets), None)
    return exact_ or PossibleRing(max(1, round(packets)), IDLE_RING, packets)


def _framing(request: WredRequest, ends: InputEnds) -> Framing:
    """Bytes around a packet on the wire; where a shaper is the line, in the larger framing."""
    encapsulation, inputs = request.outlet.encapsulation, request.outlet.overhead_inputs
    if encapsulation is None:
        return Framing(0)
    if request.question.line_bps < request.question.wire_bps:
        return encapsulation.high
    overhead_bytes = sum(ends.at(request.inputs[known.name]) for known in inputs)
    return Framing(round(overhead_bytes), encapsulation.high.cells)


def limit_input(request: WredRequest, served: ServedClass) -> Input:
    """Queue-limit of a class in packets, as it is in force with WRED."""
    limit = queue_limit(request.outlet, served.facts, request.question.platform)
    return limit.as_input(served.name, _packet(request, served))


def profile_of(request: WredRequest, served: ServedClass, row: WredRow) -> DropProfile:
    """Thresholds of a row in packets."""
    packets = [
        _threshold(request, served, value, row.unit)
        for value in (row.min_threshold, row.max_threshold)
    ]
    denominator = DEFAULT_DENOMINATOR if row.denominator is None else row.denominator
    return DropProfile(packets[0], max(packets), denominator)


def lowest_min(request: WredRequest, served: ServedClass) -> float:
    """The lowest minimum threshold that a stated group of the class meets, in packets."""
    rows = [group.row for group in served.groups if group.row is not None]
    return min(
        (_threshold(request, served, row.min_threshold, row.unit) for row in rows), default=0.0
    )


def _is_there(request: WredRequest, served: ServedClass, ends: InputEnds) -> bool:
    return not served.assumed or ends.at(request.inputs[f"load of {served.name}"]) > 0


def _under_wred(request: WredRequest, served: ServedClass, queue: Queue) -> Queue:
    wred, exponent = served.facts.wred if served.facts is not None else None, None
    if wred is not None:
        exponent = exponent_of(wred, request.question.platform)
    limit = max(1, round(limit_input(request, served).value))
    return replace(
        queue, limit_packets=limit, wred=None if exponent is None else WredAverage(exponent)
    )


def _groups(request: WredRequest, served: ServedClass, ends: InputEnds) -> Iterator[Traffic]:
    for group in served.groups:
        row, tcp = group.row, group.stated.tcp
        profile = profile_of(request, served, row) if row is not None else None
        if tcp is None:
            offer = offer_of(group.stated)
            offered = traffic_of(offer, group.name, arrival_of(offer), offer.sizes)
            yield replace(offered, queue=served.name, profile=profile)
            continue
        size, rtt_ms, window_bytes = map(ends.at, request.of_groups[group.name])
        size = round(size)
        transfer = tcp.transfer_bytes
        flow = Tcp(
            rtt_ms,
            window_packets(window_bytes, size),
            None if transfer is None else max(1, -(-transfer // segment_bytes(size))),
        )
        sizes = SizeMix(((size, 1.0),))
        yield Traffic(group.name, served.name, flow, sizes, tcp.flows, profile=profile)


def _threshold(request: WredRequest, served: ServedClass, value: float, unit: Unit) -> float:
    """A threshold in packets; bytes and ms are converted by the class's mean packet."""
    if unit is Unit.PACKETS:
        return value
    mean_bytes = _packet(request, served).value
    if unit is Unit.BYTES:
        return value / mean_bytes
    rate = class_rate(request.outlet, served.facts) if served.facts is not None else None
    rate_bps = request.question.line_bps if rate is None else rate.value
    return bytes_in_ms(rate_bps, value) / mean_bytes


def _packet(request: WredRequest, served: ServedClass) -> Input:
    return class_packet(request.outlet, request.question.offers, served.name)
