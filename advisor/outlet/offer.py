"""The traffic that each class of an output offers: measured, else stated, else assumed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase

from msgspec import Struct
from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.quantity import Basis
from advisor.ground.questions import question
from advisor.ground.records import picked
from advisor.ground.units import bps_from_bytes, ms_from_s
from advisor.ios.syntax.names import dscp_code, precedence_code
from advisor.outlet.framing import in_fragments
from advisor.outlet.measured import MeasuredClass
from advisor.outlet.outlet import Outlet, police_rate_bps
from advisor.outlet.wrapping import Wrapping
from advisor.settings import PacketShare, Pattern, StatedJitter, StatedOnOff, Traffic

# The stated offers of the congested case: each lower class always has packets waiting.


def filled(outlet: Outlet, offers: Sequence[Offer]) -> list[Offer]:
    """The offers, with the bulk of each lower class never empty; a class of rate 0 stays so.

    The bulk are the offers without a known rate: the others keep their rates then, for a flow that
    sends little takes no share of a backlog. Where all rates are known, the bulk of a FIFO is the
    mix of its packets by these rates, and under fair queueing, which serves conversations alike,
    the offer of the largest load.
    """
    filled_offers = [offer for offer in offers if offer.is_llq]
    for name in dict.fromkeys(offer.class_name for offer in offers if not offer.is_llq):
        own = [offer for offer in offers if offer.class_name == name]
        if all(offer.packets_per_second == 0 for offer in own):
            filled_offers += own
        elif any(offer.packets_per_second is None for offer in own):
            filled_offers += (_waiting(offer) if _lacks_rate(offer) else offer for offer in own)
        elif outlet.is_fair(name):
            most = max(own, key=_load)
            filled_offers += (_waiting(offer) if offer is most else offer for offer in own)
        else:
            filled_offers.append(_waiting(_mixed(own)))
    return filled_offers


def _lacks_rate(offer: Offer) -> bool:
    return offer.packets_per_second is None


def _waiting(offer: Offer) -> Offer:
    return replace(offer, packets_per_second=None, always_waits=True)


def _load(offer: Offer) -> float:
    """IP bytes of an offer in a second; 0 where its rate is not known."""
    return offer.mean_ip_bytes * (offer.packets_per_second or 0.0)


def _mixed(offers: Sequence[Offer]) -> Offer:
    """The packets of offers of one queue as one offer, by their rates or, without them, weights."""
    if len(offers) == 1:
        return offers[0]
    parts = [offer.packets_per_second or 0.0 for offer in offers]
    if not any(parts):
        parts = [offer.weight for offer in offers]
    shares: dict[int, float] = defaultdict(float)
    for offer, part in zip(offers, parts, strict=True):
        for size in offer.sizes if part else ():
            shares[size.ip_bytes] += size.share * part / sum(parts)
    return replace(
        max(offers, key=_load),
        sizes=tuple(PacketShare(ip_bytes, share) for ip_bytes, share in shares.items()),
        source="; ".join(dict.fromkeys(filter(None, (offer.source for offer in offers)))),
        pattern=None,
        least_sizes=(),
    )


_DSCPS_PER_PRECEDENCE = 8


class Offer(Struct, frozen=True):
    """Traffic of one class. `packets_per_second` is None if it is not known, or if packets wait.

    `always_waits`: packets always wait, as the user states or the congested case assumes. `weight`
    is its part of the packets among such classes. `mean_only` is set if `sizes` holds only the
    measured mean, and the sizes are not known. `periodic` streams have no `pattern`: no jitter.
    """

    class_name: str
    is_llq: bool
    sizes: tuple[PacketShare, ...]
    packets_per_second: float | None
    streams: int
    periodic: bool
    source: str
    basis: Basis = Basis.CONFIGURED
    weight: float = 1.0
    mean_only: bool = False
    precedence: int = 0  # weighs its conversations where fair queueing weighs by it
    always_waits: bool = False
    pattern: Pattern | None = None
    conversations: int = 1
    least_sizes: tuple[PacketShare, ...] = ()  # where not all around them is known; else `sizes`

    @property
    def peak_packets_per_second(self) -> float | None:
        """Rate while all streams send; None if it is not known."""
        if self.packets_per_second is None or not isinstance(self.pattern, StatedOnOff):
            return self.packets_per_second
        return self.packets_per_second / self.pattern.active_ratio

    @property
    def has_streams(self) -> bool:
        """Whether it is made of streams with a period, as calls are."""
        return self.periodic or isinstance(self.pattern, StatedJitter | StatedOnOff)

    @property
    def lacks_sizes(self) -> bool:
        """Whether it carries packets of unknown sizes."""
        return not self.sizes and self.packets_per_second != 0

    @property
    def mean_ip_bytes(self) -> float:
        return sum(size.ip_bytes * size.share for size in self.sizes)


@question(2048)
def offers_of(
    outlet: Outlet, traffic: tuple[Traffic, ...], *, congested: bool = False
) -> tuple[Offer, ...]:
    """Offers of the classes of an output; a class without known traffic has no offer.

    Of a class that was measured with packets the measurement counts, unless a what-if states the
    class. Of a class that was measured idle it counts in the measured case alone, and only where
    nobody states the class: idle at one moment is no verdict on calls, nor on the congested case.
    Else the statement counts. It also says what cannot be measured: whether a class has periodic
    streams, and how many.

    Parameters
    ----------
    outlet : Outlet
        The output, with its measured classes.
    traffic : tuple of Traffic
        The user's statements for the device.
    congested : bool
        Whether to describe the congested case: then lower classes that carry something always
        have packets waiting; measured ones in the proportion in which they were carried.
    """
    priority = {policy_class.name for policy_class in outlet.llq_classes}
    names = {policy_class.name for policy_class in outlet.queueing.classes} | {CLASS_DEFAULT}
    stated = list(
        _tcp_once(_telling([statement for statement in traffic if speaks_of(statement, outlet)]))
    )
    by_what_if = {statement.class_name for statement in stated if statement.is_moved}
    not_idle = names if congested else {statement.class_name for statement in stated}
    measured = {
        known.name: known
        for known in outlet.measured
        if known.name not in (by_what_if if known.mean_ip_bytes is not None else not_idle)
    }
    weights = _weights(
        [
            measured_class
            for measured_class in outlet.measured
            if measured_class.name not in priority
        ]
    )
    offers = [
        _stated_offer(
            packets,
            is_llq=statement.class_name in priority,
            weights=weights,
            members=outlet.members if _is_for_bundle(statement, outlet) else 1,
            wrapping=outlet.around(statement.class_name),
        )
        for statement in stated
        if statement.class_name not in measured
        for packets in in_fragments(statement, int(outlet.mtu.value))
    ]
    offers = [_in_queue(outlet, offer) for offer in offers]
    if congested:
        offers = filled(outlet, offers)
    for name in sorted(names & measured.keys()):
        statement = next((statement for statement in stated if statement.class_name == name), None)
        is_llq = name in priority
        offer = _measured_offer(measured[name], statement, is_llq=is_llq, saturated=congested)
        offers.append(_in_queue(outlet, replace(offer, weight=weights.get(name, 1.0))))
    known = {*measured, *(statement.class_name for statement in stated)}
    return tuple(_without_discarded(outlet, _of_shared_queue(outlet, offers, known)))


# Classes without a queue of their own: what they offer waits in the queue of class-default.


def _in_queue(outlet: Outlet, offer: Offer) -> Offer:
    """The offer to its queue; a policer of a class without one passes at most its rate there."""
    queue = outlet.queue_of(offer.class_name)
    policy_class = outlet.class_named(offer.class_name)
    if queue == offer.class_name or policy_class is None:
        return offer
    moved, police = replace(offer, class_name=queue), policy_class.police
    rate_bps = police_rate_bps(police, outlet.admission_bps) if police is not None else None
    if police is None or not police.drops or rate_bps is None or not offer.sizes:
        return moved
    counted_bytes = offer.mean_ip_bytes + outlet.counted_bytes
    most_per_s = rate_bps / bps_from_bytes(counted_bytes, ms_from_s(1))
    if offer.packets_per_second is not None and offer.packets_per_second <= most_per_s:
        return moved
    return replace(moved, packets_per_second=most_per_s, always_waits=False, pattern=None)


def _of_shared_queue(outlet: Outlet, offers: list[Offer], known: set[str]) -> list[Offer]:
    """The offers; those to class-default with what other classes of its queue may offer.

    One offer of a queue at most always waits, or has no known rate: several are mixed into one.
    Where class-default has one, a class that nobody states is part of it.
    """
    shared = {item.name for item in outlet.queueing.classes if item.shares_default}
    own = [offer for offer in offers if offer.class_name == CLASS_DEFAULT]
    if not shared or not own:
        return offers
    bulk = [offer for offer in own if offer.packets_per_second is None]
    lacking = sorted({*shared, CLASS_DEFAULT} - known)
    if CLASS_DEFAULT in lacking or (lacking and not bulk):
        source = f"class {lacking[0]}, in the queue of {CLASS_DEFAULT},"
        bulk.append(replace(own[0], sizes=(), packets_per_second=None, source=source, pattern=None))
    others = [offer for offer in offers if offer not in bulk]
    if not bulk:
        return others
    sizes = _mixed(bulk).sizes if all(offer.sizes for offer in bulk) else ()
    is_mean = any(offer.mean_only for offer in bulk)
    return [*others, replace(_mixed(bulk), sizes=sizes, mean_only=is_mean)]


def _without_discarded(outlet: Outlet, offers: Sequence[Offer]) -> Iterator[Offer]:
    """The offers; one without packets for each class that drops all of them."""
    discarded = [item.name for item in outlet.queueing.classes if item.discards]
    yield from (offer for offer in offers if offer.class_name not in discarded)
    for name in discarded:
        yield Offer(
            class_name=name,
            is_llq=False,
            sizes=(),
            packets_per_second=0.0,
            streams=1,
            periodic=False,
            source="drop",
        )


def _stated_offer(
    statement: Traffic,
    *,
    is_llq: bool,
    weights: dict[str, float],
    members: int,
    wrapping: Wrapping | None = None,
) -> Offer:
    """The stated traffic; of a bundle's, each of its `members` takes its part.

    `wrapping` is around packets of calls; counters have it already.
    """
    sizes = statement.sizes
    least: tuple[PacketShare, ...] = ()
    if wrapping is not None and statement.of_calls:
        least = () if wrapping.least is None else _wrapped(sizes, wrapping.least)
        sizes = _wrapped(sizes, wrapping)
    per_s = statement.packets_per_second
    always_waits = statement.arrivals == "saturated"
    return picked(
        Offer,
        statement,
        is_llq=is_llq,
        sizes=sizes,
        least_sizes=least,
        packets_per_second=None if always_waits or per_s is None else per_s / members,
        periodic=statement.arrivals == "periodic" and statement.pattern is None,
        precedence=_precedence(statement.marking),
        weight=max(weights.values(), default=1.0),
        always_waits=always_waits,
    )


def _wrapped(sizes: tuple[PacketShare, ...], around: Wrapping) -> tuple[PacketShare, ...]:
    return tuple(replace(size, ip_bytes=around.outside(size.ip_bytes)) for size in sizes)


def offer_of(statement: Traffic) -> Offer:
    """The offer of one statement, of a class below the LLQ."""
    return _stated_offer(statement, is_llq=False, weights={}, members=1)


def _precedence(marking: str | None) -> int:
    """IP precedence of a marking: "precedence 5", "dscp ef"; 0 without one.

    >>> _precedence("dscp ef"), _precedence("precedence 3"), _precedence(None)
    (5, 3, 0)
    """
    if marking is None:
        return 0
    scheme, _, name = marking.partition(" ")
    if scheme == "precedence":
        return precedence_code(name) or 0
    return (dscp_code(name) or 0) // _DSCPS_PER_PRECEDENCE


def _measured_offer(
    known: MeasuredClass, statement: Traffic | None, *, is_llq: bool, saturated: bool
) -> Offer:
    # IOS counts the offered rate ahead of its drops, so those of the policer of an LLQ are in it:
    # the model drops them. An LLQ that is idle now says nothing of the congested case: it is taken
    # at its reserved rate there.
    per_s = known.offered_packets_per_s
    mean_bytes = known.mean_ip_bytes
    is_unknown = saturated and (not is_llq or per_s == 0)
    return Offer(
        class_name=known.name,
        is_llq=is_llq,
        sizes=() if mean_bytes is None else (PacketShare(round(mean_bytes), 1.0),),
        packets_per_second=None if is_unknown else per_s,
        streams=statement.streams if statement is not None else 1,
        periodic=statement is not None and statement.arrivals == "periodic",
        source=known.source,
        basis=Basis.MEASURED,
        mean_only=True,
        always_waits=saturated and not is_llq,
    )


def _weights(lower: list[MeasuredClass]) -> dict[str, float]:
    """Proportion of packets: by the current carried rates, else by all packets counted so far."""
    if any(measured_class.carried_packets_per_s for measured_class in lower):
        return {
            measured_class.name: measured_class.carried_packets_per_s or 0.0
            for measured_class in lower
        }
    return {measured_class.name: float(measured_class.packets) for measured_class in lower}


def speaks_of(traffic: Traffic, outlet: Outlet) -> bool:
    """Whether a statement names a class of this output."""
    return traffic.class_name in classes_of(outlet) and is_for(traffic, outlet)


def classes_of(outlet: Outlet) -> tuple[str, ...]:
    """Names of the classes of an output; class-default is always one."""
    names = (policy_class.name for policy_class in outlet.queueing.classes)
    return tuple(dict.fromkeys((*names, CLASS_DEFAULT)))


def _telling(stated: Sequence[Traffic]) -> Iterator[Traffic]:
    """The statements that give sizes or a rate of 0; a class without them stays assumed.

    Beside packets of known sizes, a bulk of unknown ones counts too: they are not all of the class.
    """
    sized = {statement.class_name for statement in stated if statement.sizes}
    for statement in stated:
        is_bulk = statement.tcp is not None or statement.arrivals == "saturated"
        tells = bool(statement.sizes) or statement.packets_per_second == 0
        if tells or (is_bulk and statement.class_name in sized):
            yield statement


def _tcp_once(stated: Iterable[Traffic]) -> Iterator[Traffic]:
    """Statements, with all TCP groups of a class as one: together they keep its queue busy."""
    seen = set()
    for statement in stated:
        key = (statement.class_name, statement.sizes)
        if statement.tcp is None:
            yield statement
        elif key not in seen:
            seen.add(key)
            yield statement


def _is_for_bundle(traffic: Traffic, outlet: Outlet) -> bool:
    """Whether a statement is about the bundle of an output, and not about its members."""
    return outlet.bundle is not None and fnmatchcase(outlet.bundle.name, traffic.interface)


def is_for(traffic: Traffic, outlet: Outlet) -> bool:
    """Whether the interface of a statement is that of this output, or its bundle."""
    names = {outlet.interface.name, outlet.interface.parent or outlet.interface.name}
    names.add(outlet.attached_to)
    return any(fnmatchcase(name, traffic.interface) for name in names)
