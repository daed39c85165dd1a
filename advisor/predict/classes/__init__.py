"""Builds the model's traffic for each class of an output, from known and assumed offers.

A `Question` asks for the figures of one output. Inputs that nobody states have a range; an
`InputChoice` fixes each of them at an end of its range.
"""

from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts.config import unplaced
from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.ground.questions import derived
from advisor.ground.units import (
    bps_from_bytes,
    kbps_from_bps,
    ms_from_s,
    ratio_from_percent,
    s_from_ms,
    serialization_ms,
)
from advisor.model import (
    Arrival,
    Bursts,
    Framing,
    OnOff,
    Periodic,
    Poisson,
    Saturated,
    SizeMix,
    Traffic,
    wire_bytes,
    wire_ms,
)
from advisor.outlet.background import unstated_classes
from advisor.outlet.class_service import class_packet, sparse_ends
from advisor.outlet.offer import Offer
from advisor.outlet.outlet import Outlet
from advisor.outlet.ring import RingType
from advisor.outlet.scheduler import OutputScheduler
from advisor.predict.ring import spread
from advisor.settings import PacketShare, StatedBacklog, StatedBursts, StatedJitter, StatedOnOff

# Arrival process of an offer, in the types of the queueing model.


def arrival_of(offer: Offer) -> tuple[Arrival, int]:
    """Arrival of one stream of an offer with a known rate, and the number of streams.

    Streams without a period become one Poisson stream, as their sum is one.
    """
    per_s, streams = offer.packets_per_second or 0.0, offer.streams
    match offer.pattern:
        case StatedJitter(jitter_ms):
            return Periodic(per_s / streams, jitter_ms), streams
        case StatedOnOff(on_ms, off_ms):
            peak_per_s = offer.peak_packets_per_second or 0.0
            return OnOff(peak_per_s / streams, on_ms, off_ms), streams
        case StatedBursts(packets, spacing_ms):
            return Bursts(per_s / streams / packets, packets, spacing_ms), streams
        case _:
            return (Periodic(per_s / streams), streams) if offer.periodic else (Poisson(per_s), 1)


def traffic_of(
    offer: Offer, name: str, source: tuple[Arrival, int], sizes: Sequence[PacketShare]
) -> Traffic:
    """Traffic of an offer: arrival and number of its streams, and its sizes."""
    (arrival, streams), queue = source, offer.class_name
    mix = SizeMix(tuple((size.ip_bytes, size.share) for size in sizes))
    return Traffic(name, queue, arrival, mix, streams, offer.conversations, offer.precedence)


def backlog_of(offer: Offer, most_packets: int) -> int:
    """Packets that always wait: as stated, else a full queue of `most_packets`."""
    stated = offer.pattern
    return min(stated.packets, most_packets) if isinstance(stated, StatedBacklog) else most_packets


# Offer of a class whose packets always wait, behind a policer that drops its excess.


def passed_by_police(
    scheduler: OutputScheduler,
    name: str,
    sizes: Sequence[PacketShare],
    wire: Framing,
    *,
    in_bursts: bool,
) -> Periodic | None:
    """Traffic of a saturated class behind its `police`; None without a policer.

    The policer meters each packet before the queue, in the bytes that its platform counts, so its
    rate is the mean rate of the queue. Packets larger than its burst never pass. The passed packets
    are evenly spaced, or `in_bursts`: then the jitter is the time in which the burst fills.
    """
    policer = scheduler.buckets.police(scheduler.outlet.class_named(name), wire)
    if policer is None:
        return None
    counting = policer.framing or wire
    counted = [(size.share, wire_bytes(size.ip_bytes, counting)) for size in sizes]
    fitting = [pair for pair in counted if pair[1] <= policer.burst_bytes] or counted
    mean_bytes = sum(share * frame_bytes for share, frame_bytes in fitting)
    spare_bytes = policer.burst_bytes - max(frame_bytes for _, frame_bytes in fitting)
    late_ms = serialization_ms(max(0.0, spare_bytes), policer.rate_bps) if in_bursts else 0.0
    return Periodic(policer.rate_bps / bps_from_bytes(mean_bytes, ms_from_s(1)), late_ms)


_SPARSE_LOAD = 0.003  # of the wire: too little to displace packets, enough for many samples
_CALL_MS = 20.0
_MOST_STREAMS = 24  # more periodic streams than these are close to Poisson


class Question(Struct, frozen=True, cache_hash=True, dict=True):
    """One output, its offers, and the platform that serves it.

    With `load_percent`, the lower classes together offer this load of the wire as Poisson packets,
    instead of their own rates.
    """

    outlet: Outlet
    offers: tuple[Offer, ...]
    platform: Decision
    load_percent: float | None = None

    @property
    @derived
    def before_ring(self) -> "Question":
        """The question without its ring, for answers that do not depend on the ring.

        All points of a sweep over ring limits share it, so it is answered once.
        """
        return replace(self, outlet=replace(self.outlet, ring=None))

    @property
    def unnamed(self) -> "Question":
        """The question without names and source lines, on which no figure depends."""
        return replace(self, outlet=self.outlet.unnamed, platform=unplaced(self.platform))

    @property
    def wire_bps(self) -> float:
        """Rate of the wire; a question exists only where it is known."""
        return self.outlet.wire_bps

    @property
    def line_bps(self) -> float:
        """Rate that an effective shaper leaves of the wire."""
        return self.outlet.line_bps


def of_bundle(question: Question) -> Question:
    """The question of the whole bundle, if its output is a member; else the question itself.

    All members together serve the queues, each with its own ring. The offers of a member are scaled
    by the number of members.
    """
    outlet = question.outlet
    if outlet.members == 1 or not outlet.members_bps or outlet.bundle_wire is None:
        return question
    offers = tuple(
        offer
        if offer.packets_per_second is None
        else replace(offer, packets_per_second=offer.packets_per_second * outlet.members)
        for offer in question.offers
    )
    return replace(
        question, outlet=replace(outlet, wire=outlet.bundle_wire, members=1), offers=offers
    )


class Demand(Struct, frozen=True, cache_hash=True):
    """Offers of all classes of an output, assumed ones included; `idle` classes send nothing."""

    offers: tuple[Offer, ...]
    idle: tuple[str, ...]
    unstated: bool  # some lower class is assumed


class End(Enum):
    """An end of the range of unknown packet sizes."""

    LOW = auto()
    HIGH = auto()

    def of(self, value: Input) -> float:
        return value.low if self is End.LOW else value.high


class InputChoice(Struct, frozen=True):
    """One choice of the unknown inputs of ring, framing and traffic.

    `packets`: end of the packet sizes of lower classes without known traffic. `filled`: an LLQ of
    unknown rate fills its `priority`; else it sends rare packets (a sparse probe). `widest`: if
    only the mean packet size is known, the mix with the widest spread. `in_bursts`: packets that
    the `police` of a lower class passes come in full bursts; else evenly spaced. `is_least`: calls
    have the fewest bytes that may be around them.
    `pieces`: fragments that IOS cuts a packet of a lower class into, where nothing sets their size.
    """

    limit: int
    kind: RingType
    framing: Framing
    packets: End
    widest: bool
    filled: bool = False
    in_bursts: bool = False
    is_least: bool = False
    pieces: int = 1


def demand_of(question: Question) -> Demand:
    """Offer of every class: stated or measured, else assumed.

    A lower class without known traffic is assumed to be saturated, even if the traffic of the other
    classes is known.
    """
    outlet, stated = question.outlet, question.offers
    unstated = bool(unstated_classes(outlet, stated))
    priority = {policy_class.name for policy_class in outlet.llq_classes}
    busy: list[Offer] = []
    idle: list[str] = []
    for name in class_names(outlet):
        own = [offer for offer in stated if offer.class_name == name]
        is_llq = name in priority
        if not own:
            own = [_unknown(name, is_llq=is_llq)]
        carrying = [offer for offer in own if offer.packets_per_second != 0]
        busy += carrying
        if not carrying:
            idle.append(name)
    return Demand(tuple(busy), tuple(idle), unstated)


def class_names(outlet: Outlet) -> tuple[str, ...]:
    """Classes with a queue of their own, class-default last whether it is written or not."""
    names = (policy_class.name for policy_class in outlet.queueing.classes)
    own = [name for name in names if outlet.queue_of(name) != CLASS_DEFAULT]
    return (*own, CLASS_DEFAULT)


def _unknown(name: str, *, is_llq: bool) -> Offer:
    return Offer(name, is_llq, (), None, 1, periodic=False, source="", basis=Basis.ASSUMED)


def unknown_traffic(question: Question, offers: Sequence[Offer]) -> Unknown | None:
    """Unknown part of the traffic of a lower class; None where its delay can be predicted.

    An LLQ is predicted at its reserved rate, and a stated load gives every lower class a rate.
    """
    if question.load_percent is not None or any(offer.is_llq for offer in offers):
        return None
    vague = [
        offer for offer in offers if offer.packets_per_second is None and not offer.always_waits
    ]
    if not vague:
        return None
    source = vague[0].source
    if not source:
        return Unknown("its traffic is neither stated nor measured: state it in [[traffic]]")
    return Unknown(
        f'{source} states no rate: add rate_kbps, packets_per_second or arrivals = "saturated"'
    )


def mean_bytes(outlet: Outlet, demand: Demand, name: str, end: End) -> float:
    """Mean IP packet of a class; if unknown, an end of its range, for an LLQ that of G.729."""
    packet = class_packet(outlet, demand.offers, name)
    is_llq = any(policy_class.name == name for policy_class in outlet.llq_classes)
    return packet.value if is_llq else end.of(packet)


def sizes_in(outlet: Outlet, offer: Offer, choice: InputChoice) -> tuple[PacketShare, ...]:
    """Packet sizes of an offer for one choice of inputs."""
    if not offer.sizes:
        packet = class_packet(outlet, (), offer.class_name)
        mean_ip_bytes = packet.value if offer.is_llq else choice.packets.of(packet)
        return (PacketShare(round(mean_ip_bytes), 1.0),)
    if not choice.widest or not offer.mean_only:
        return offer.least_sizes if choice.is_least and offer.least_sizes else offer.sizes
    if not offer.is_llq:
        return spread(offer, outlet.largest_ip_bytes)
    mean = offer.mean_ip_bytes
    low, high = sparse_ends(outlet, offer.class_name)
    if not low < mean < high:
        return offer.sizes
    share = (mean - low) / (high - low)
    return (PacketShare(low, 1 - share), PacketShare(high, share))


def llq_load(question: Question, demand: Demand) -> float:
    """Load that the LLQ is known to offer the line, layer 2 not counted."""
    offered_bps = sum(
        bps_from_bytes(offer.mean_ip_bytes * offer.packets_per_second, ms_from_s(1))
        for offer in demand.offers
        if offer.is_llq and offer.packets_per_second is not None
    )
    return offered_bps / question.line_bps


def traffic_in(
    question: Question, demand: Demand, choice: InputChoice, scheduler: OutputScheduler
) -> tuple[Traffic, ...]:
    """Traffic of the model for one choice of inputs, in the order of the offers."""
    traffic = []
    rates = _rates(question, demand, choice)
    framing = question.outlet.line_framing(choice.framing)
    for index, (offer, per_s) in enumerate(zip(demand.offers, rates, strict=True)):
        sizes = sizes_in(question.outlet, offer, choice)
        own_ms = _mean_ms(sizes, framing, question.line_bps)
        if per_s is not None:
            is_stated = per_s == offer.packets_per_second
            source = arrival_of(offer) if is_stated else (Poisson(per_s), 1)
        elif offer.is_llq:
            most = filling_of(question, offer.class_name, choice.framing) if choice.filled else None
            source = _unknown_llq(most, own_ms)
        else:
            policed = passed_by_police(
                scheduler, offer.class_name, sizes, choice.framing, in_bursts=choice.in_bursts
            )
            if policed is None or policed.packets_per_s * own_ms >= ms_from_s(1):
                source = _never_empty(question, demand, offer, choice, scheduler), 1
            else:
                source = policed, 1
        name = f"{offer.class_name}#{index}"  # unique: a class may have several offers
        traffic.append(traffic_of(offer, name, source, sizes))
    return tuple(traffic)


def _never_empty(
    question: Question,
    demand: Demand,
    offer: Offer,
    choice: InputChoice,
    scheduler: OutputScheduler,
) -> Saturated:
    """Arrival of a lower class whose queue is always full."""
    name = offer.class_name
    mean = mean_bytes(question.outlet, demand, name, choice.packets)
    most_packets = scheduler.limit_packets(name, mean)
    if any(other.class_name == name and other.packets_per_second for other in demand.offers):
        most_packets = max(most_packets - 1, 1)  # a place for the packets that come beside it
    return Saturated(backlog_of(offer, most_packets))


def _mean_ms(sizes: Sequence[PacketShare], framing: Framing, rate_bps: float) -> float:
    return sum(size.share * wire_ms(size.ip_bytes, framing, rate_bps) for size in sizes)


class Filling(Struct, frozen=True):
    """Largest traffic of an LLQ of unknown rate: whole `calls`, or fewer packets than one call."""

    calls: int
    packets_per_s: float
    counted_bps: float


def filling_of(question: Question, name: str, wire: Framing) -> Filling | None:
    """Traffic that fills the `priority` of a class; None where its rate is not known.

    Calls send one packet each 20 ms, or a little more to fill the rate. A line that is slower than
    the rate carries whole calls; one that is slower than a call leaves None.
    """
    outlet = question.outlet
    policy_class = next(
        policy_class for policy_class in outlet.llq_classes if policy_class.name == name
    )
    rate_bps = outlet.llq_rate_bps(policy_class)
    if rate_bps is None:
        return None
    mean_ip_bytes = round(class_packet(outlet, (), name).value)
    counted_bytes = mean_ip_bytes + outlet.counted_in(wire)
    on_line = wire_bytes(mean_ip_bytes, outlet.line_framing(wire))
    admitted = rate_bps / bps_from_bytes(counted_bytes, _CALL_MS)
    fitting = question.line_bps / bps_from_bytes(on_line, _CALL_MS)
    carried = admitted if admitted < fitting else int(fitting)
    if carried == 0:
        return None
    per_s = carried / s_from_ms(_CALL_MS)
    return Filling(int(carried), per_s, bps_from_bytes(counted_bytes * per_s, ms_from_s(1)))


def filled_kbps(question: Question, name: str) -> float | None:
    """Largest offer of an LLQ without stated traffic, in kb/s; None if its rate is unknown."""
    encapsulation = question.outlet.encapsulation
    ends = (encapsulation.low, encapsulation.high) if encapsulation is not None else ()
    fillings = [filling_of(question, name, framing) for framing in ends]
    return max(
        (kbps_from_bps(filling.counted_bps) for filling in fillings if filling is not None),
        default=None,
    )


def priority_input(question: Question, name: str) -> Input:
    """Rate of an LLQ that states none, in the bytes that its policer counts."""
    label, most_kbps = f"offered_kbps of {name}", filled_kbps(question, name)
    if most_kbps is None:
        sparse_kbps = kbps_from_bps(_SPARSE_LOAD * question.line_bps)
        return exact(label, sparse_kbps, Basis.ASSUMED, "not known: a sparse probe")
    source = "calls that fill its priority; the least is a sparse probe"
    return Input(label, most_kbps, 0.0, most_kbps, Basis.ASSUMED, source)


def _unknown_llq(filling: Filling | None, own_ms: float) -> tuple[Arrival, int]:
    if filling is None:
        return Poisson(_SPARSE_LOAD * ms_from_s(1) / own_ms), 1
    if 0 < filling.calls <= _MOST_STREAMS:
        return Periodic(filling.packets_per_s / filling.calls), filling.calls
    return Poisson(filling.packets_per_s), 1


def _rates(question: Question, demand: Demand, choice: InputChoice) -> list[float | None]:
    """Packets/s of each offer; lower classes together offer `load_percent` if it is stated."""
    rates = [offer.packets_per_second for offer in demand.offers]
    if question.load_percent is None:
        return rates
    lower = [index for index, offer in enumerate(demand.offers) if not offer.is_llq]
    times_ms = {}
    framing = question.outlet.line_framing(choice.framing)
    for index in lower:
        sizes = sizes_in(question.outlet, demand.offers[index], choice)
        times_ms[index] = _mean_ms(sizes, framing, question.line_bps)
    parts = _parts([(rates[index], times_ms[index]) for index in lower])
    load_ratio = ratio_from_percent(question.load_percent)
    for index, part in zip(lower, parts, strict=True):
        rates[index] = load_ratio * part * ms_from_s(1) / times_ms[index]
    return rates


def _parts(rates_and_times: Sequence[tuple[float | None, float]]) -> list[float]:
    """Parts of the load: in proportion to the offers, equal parts if a rate is not known."""
    loads = [time_ms * per_s for per_s, time_ms in rates_and_times if per_s is not None]
    if len(loads) < len(rates_and_times):
        return [1 / len(rates_and_times)] * len(rates_and_times)
    return [load / sum(loads) for load in loads]
