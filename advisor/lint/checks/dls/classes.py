"""The class of DLSw+ on its links: best effort, the voice queue, or a link that is full."""

from collections.abc import Iterator
from ipaddress import IPv4Address
from itertools import zip_longest
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.dlsw import RemotePeer, TosMap
from advisor.facts.policy import CLASS_DEFAULT, PolicyMap, Unit
from advisor.facts.traffic_kinds import TrafficKind, traffic_of
from advisor.ground.quantity import Basis, Unknown, exact, number, rate_text, rate_words
from advisor.ground.units import kbps_from_bps, percent_from_ratio, ratio_from_percent
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.dls import transactions_of
from advisor.lint.checks.llq import reaching
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.class_bandwidth import Admission, admission_of
from advisor.outlet.congestion import Congestion, congestion_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets, policies_out
from advisor.outlet.packet_class import (
    classes_taking,
    precedence_of,
    takes_unnamed_peers,
    tcp_peers,
)
from advisor.predict.size.links import LinkSize, PeerLink, link_size, peer_links

# The share of a new class: what is wanted, and no more than IOS admits beside the others.

_LEAST_KBPS: Final = 8  # of `bandwidth`; recalled
_LEAST_PERCENT: Final = 1
_ALL_PERCENT: Final = 100
_UNSTATED_RATIO: Final = 1.0  # of class-default


class NewShare(Struct, frozen=True):
    """`bandwidth` of a new class in the unit of the others; `why_less` than wanted, if it is."""

    amount: int
    unit: Unit
    why_less: str | None = None


def new_share(device: Device, policy: PolicyMap, wanted_percent: float) -> NewShare | Unknown:
    """The share of a class that is added to a policy, the same at all outputs of it.

    IOS refuses units that do not mix, and a sum over the admission of its generation: the share is
    what fits at the output with the least room, at most `wanted_percent` of its rate.
    """
    unit = _unit(policy)
    if unit is Unit.REMAINING_RATIO:
        wanted = ratio_from_percent(wanted_percent)
        others = _stated(policy, unit) + _UNSTATED_RATIO
        return NewShare(max(1, round(others * wanted / (1 - wanted))), unit)
    if unit is Unit.REMAINING_PERCENT:
        left = int(_ALL_PERCENT - _stated(policy, unit))
        return _fitting(wanted_percent, left, _LEAST_PERCENT, unit, "the classes have the rest")
    admissions = list(_admissions(device, policy))
    known = [admission for admission in admissions if isinstance(admission, Admission)]
    if len(known) < len(admissions) or not known:
        unknown = (admission.reason for admission in admissions if isinstance(admission, Unknown))
        return Unknown(next(unknown, "the rate that IOS admits is not known"))
    least = min(known, key=_room_bps)
    why = f"IOS admits {rate_words(kbps_from_bps(least.reservable_bps))} ({least.why})"
    if unit is Unit.PERCENT:
        left = int(percent_from_ratio(_room_bps(least) / least.base_bps))
        return _fitting(wanted_percent, left, _LEAST_PERCENT, unit, why)
    wanted_bps = min(item.base_bps for item in known) * ratio_from_percent(wanted_percent)
    left = int(kbps_from_bps(_room_bps(least)))
    return _fitting(max(_LEAST_KBPS, kbps_from_bps(wanted_bps)), left, _LEAST_KBPS, unit, why)


def _fitting(wanted: float, left: int, least: int, unit: Unit, why: str) -> NewShare | Unknown:
    words = {Unit.KBPS: "kb/s", Unit.PERCENT: "%"}.get(unit, f"% of {unit}")
    if left < least:
        return Unknown(f"{max(left, 0)} {words} are left of the sum of classes, {why}: lower one")
    amount = min(int(wanted), left)
    less = f"only {left} {words} are left of the sum of classes: {why}"
    return NewShare(amount, unit, less if amount < int(wanted) else None)


def _admissions(device: Device, policy: PolicyMap) -> Iterator[Admission | Unknown]:
    for outlet in policies_out(device):
        if outlet.queueing.name == policy.name:
            yield admission_of(outlet, device.platform)


def _room_bps(admission: Admission) -> float:
    return admission.reservable_bps - admission.reserved_bps


def _stated(policy: PolicyMap, unit: Unit) -> float:
    """Sum of the amounts in a unit."""
    stated = [
        queue_class.bandwidth for queue_class in policy.classes if queue_class.bandwidth is not None
    ]
    return sum(bandwidth.amount for bandwidth in stated if bandwidth.unit is unit)


def _unit(policy: PolicyMap) -> Unit:
    """Unit of the classes: of `bandwidth`, else of `priority`."""
    units = [
        queue_class.bandwidth.unit
        for queue_class in policy.classes
        if queue_class.bandwidth is not None
    ]
    units += [
        queue_class.priority.unit
        for queue_class in policy.classes
        if queue_class.priority is not None
    ]
    return next((unit for unit in units if unit is not Unit.STRICT), Unit.KBPS)


# DLSw+ in the best-effort class of a congested link: its sessions time out first.

_NAME: Final = "DLSW"


class UnclassifiedParams(Struct, frozen=True):
    """Load that counts as congestion, and the share of the link for the new class."""

    load_percent: float
    bandwidth_percent: float


class Unclassified(Struct, frozen=True):
    """The policy, the signs of congestion, and the name and share of the new class.

    `by` are classes without a queue that take DLSw+; empty where class-default itself does.
    """

    policy_map: str
    signs: str
    name: str
    share: NewShare | None
    by: str = ""


def find_dlsw_not_classified(device: Device, params: UnclassifiedParams) -> Found[Unclassified]:
    """Yield a hit for each congested output that has DLSw+ in the queue of class-default."""
    peers = tcp_peers(device.facts)
    if not peers and not takes_unnamed_peers(device.facts):
        return
    outlets_by_label = {outlet.policy_label: outlet for outlet in reversed(outlets(device))}
    for label, outlet in reversed(outlets_by_label.items()):
        congestion = congestion_of(device.seen, outlet, params.load_percent)
        if congestion is None:
            continue
        peer = _peer_behind(outlet, peers)
        to = peer or next(iter(peers), None)
        taking = classes_taking(device.facts, outlet.queueing, to)
        waiting = {
            name for name in taking if name is not None and outlet.queue_of(name) == CLASS_DEFAULT
        }
        if waiting:
            is_sure = peer is not None or len(outlets_by_label) == 1
            hit = _unclassified(device, outlet, congestion, params, is_sure=is_sure)
            yield hit if CLASS_DEFAULT in waiting else _without_queue(hit, sorted(waiting))
        elif None in taking:
            yield Skip(label, "which class takes DLSw+ is not known")


def _peer_behind(outlet: Outlet, peers: tuple[RemotePeer, ...]) -> RemotePeer | None:
    """A peer in the subnet of the output: the output certainly leads to it."""
    address = outlet.interface.address
    if address is None:
        return None
    return next((peer for peer in peers if IPv4Address(peer.peer) in address.network), None)


def _unclassified(
    device: Device,
    outlet: Outlet,
    congestion: Congestion,
    params: UnclassifiedParams,
    *,
    is_sure: bool,
) -> Hit[Unclassified]:
    share = new_share(device, outlet.queueing, params.bandwidth_percent)
    name = _free_name(device.facts)
    known = None if isinstance(share, Unknown) else share
    advice = f"give DLSw+ a class: {share.reason}" if isinstance(share, Unknown) else share.why_less
    evidence = Unclassified(outlet.queueing.name, congestion.signs, name, known)
    return Hit(
        outlet.policy_label,
        (outlet.at, congestion.at),
        evidence,
        Confidence.LIKELY if is_sure else Confidence.POSSIBLE,
        curable=known is not None,
        advice=advice,
    )


def _without_queue(hit: Hit[Unclassified], names: list[str]) -> Hit[Unclassified]:
    """The hit where classes take DLSw+ already: they lack a queue, and a new one would get none."""
    by = f"class {', '.join(names)}"
    advice = f"give {by} a `bandwidth`: DLSw+ waits in the queue of class-default without it"
    return replace(
        hit, evidence=replace(hit.evidence, by=f" by {by}"), curable=False, advice=advice
    )


def _free_name(facts: Facts) -> str:
    number, name = 1, _NAME
    while facts.class_map(name) is not None or facts.access_list(name) is not None:
        number += 1
        name = f"{_NAME}-{number}"
    return name


# DLSw+ marks itself like voice, so a low-latency queue takes it as voice.

_VOICE: Final = 5
_ADVISED: Final = 2  # Cisco's AVVID design guide
_LEVELS: Final = ("high", "medium", "normal", "low")
_OTHERS: Final = (3, 4, 1)


class TosLevel(Struct, frozen=True):
    """A level of `dlsw tos map` and its precedence."""

    name: str
    precedence: int


class InVoiceQueue(Struct, frozen=True):
    """The class of the LLQ, the source of the marking, and a marking outside the LLQ."""

    policy_map: str
    class_name: str
    marking: str
    levels: tuple[TosLevel, ...]  # of the queues high to low: what is stated outside the LLQ stays


def find_dlsw_in_voice_queue(device: Device) -> Found[InVoiceQueue]:
    """Yield a hit for each output whose LLQ takes DLSw+ only by its precedence."""
    peers = tcp_peers(device.facts)
    uses_dlsw = peers or takes_unnamed_peers(device.facts)
    if not uses_dlsw or precedence_of(device.facts.dlsw.tos) != _VOICE:
        return
    labels = set()
    for outlet in outlets(device):
        if outlet.policy_label in labels or not outlet.llq_classes:
            continue
        labels.add(outlet.policy_label)
        verdict = _of_outlet(device, outlet, next(iter(peers), None))
        if verdict is not None:
            yield verdict


def _of_outlet(
    device: Device, outlet: Outlet, peer: RemotePeer | None
) -> Hit[InVoiceQueue] | Skip | None:
    names = {llq_class.name for llq_class in outlet.llq_classes}
    taking = classes_taking(device.facts, outlet.queueing, peer)
    if None in taking:
        return Skip(outlet.policy_label, "which class takes DLSw+ is not known")
    in_voice = sorted(name for name in taking if name in names)
    precedence = _precedence(device, outlet, peer, names)
    if not in_voice or precedence is None:
        return None  # not there by its marking: an access list or a port put it there
    tos = device.facts.dlsw.tos
    evidence = InVoiceQueue(
        outlet.queueing.name,
        in_voice[0],
        "by default" if tos is None else "as `dlsw tos map` says",
        tuple(_levels(tos, precedence)),
    )
    stated = tos or peer or device.facts.dlsw.local_peer
    at: tuple[Location, ...] = (outlet.at,) if stated is None else (stated.at, outlet.at)
    return Hit(outlet.policy_label, at, evidence, Confidence.LIKELY)


def _levels(tos: TosMap | None, precedence: int) -> Iterator[TosLevel]:
    stated = (tos.high, tos.medium, tos.normal, tos.low) if tos is not None else ()
    for name, value in zip_longest(_LEVELS, stated):
        kept = precedence if value is None or value == _VOICE else min(value, precedence)
        yield TosLevel(name, kept)


def _precedence(
    device: Device, outlet: Outlet, peer: RemotePeer | None, names: set[str]
) -> int | None:
    """A precedence outside the LLQ; None if none is.

    Preferably in a class with bandwidth, but not in that of call signalling, which SNA would delay
    unless it is there already. Preferably one that keeps the high queue before the others.
    """
    landing = {
        precedence: classes_taking(device.facts, outlet.queueing, peer, precedence)
        for precedence in (_ADVISED, *_OTHERS)
    }
    out = [
        precedence
        for precedence, taking in landing.items()
        if None not in taking and not taking & names
    ]
    floor = _highest_below(device.facts.dlsw.tos)
    others = {CLASS_DEFAULT} | (_signalling(device, outlet) - landing.get(floor, frozenset()))
    classified = [precedence for precedence in out if not landing[precedence] & others]
    above = [precedence for precedence in classified if precedence >= floor]
    return next(iter((*above, *classified, *out)), None)


def _highest_below(tos: TosMap | None) -> int:
    """The highest precedence that a queue below the high one is given outside that of voice."""
    below = (tos.medium, tos.normal, tos.low) if tos is not None else ()
    return max((value for value in below if value is not None and value != _VOICE), default=0)


def _signalling(device: Device, outlet: Outlet) -> set[str]:
    """Classes that take call signalling."""
    return {
        member.policy_class.name
        for member in reaching(device, outlet.queueing)
        if any(traffic_of(box) is TrafficKind.SIGNALLING for box in member.boxes or ())
    }


# A peak that needs more than the line to the peers carries: sessions time out before any CPU.

_OBJECT = "dlsw link"


class FullLink(Struct, frozen=True):
    """The link, what the peak needs of it, and the transactions that fill it."""

    link: str
    rate: str
    peak_tps: float
    needed: str
    full_tps: str
    peers: str


def find_dlsw_link_full(device: Device) -> Found[FullLink]:
    """Yield one hit for each link that the stated peak fills."""
    facts, peak = device.facts, transactions_of(device)
    if peak is None or not peak.tps:
        return  # DLS001 says that no peak is stated
    if not tcp_peers(facts) and not takes_unnamed_peers(facts):
        return
    links = peer_links(device)
    if not links:
        yield Skip(_OBJECT, "no output with a known rate certainly leads to a peer")
    for link in links:
        size = link_size(link, peak)
        if size is not None and size.is_full:
            yield _full_link(device, link, size, peak.tps)


def _full_link(device: Device, link: PeerLink, size: LinkSize, tps: float) -> Hit[FullLink]:
    rate, full = size.rate, size.full_tps
    confidence = _confidence(link, size)
    stated = device.transactions
    evidence = FullLink(
        size.link,
        rate_text(kbps_from_bps(rate.value)),
        tps,
        rate_text(kbps_from_bps(size.needed_bps.value)),
        number(full.value),
        _peers(link),
    )
    inputs = (
        rate,
        exact("peak_tps", tps, Basis.CONFIGURED, stated.source if stated is not None else ""),
        exact("part_of_load", link.part, _basis_of_part(link), "each peer carries alike"),
    )
    return Hit(
        f"interface {size.link}",
        (link.at,),
        evidence,
        confidence,
        Forecast("transactions per second at which the line is full", full, None, inputs),
        severity=Severity.INFO if confidence is Confidence.POSSIBLE else None,
    )


def _basis_of_part(link: PeerLink) -> Basis:
    return Basis.ASSUMED if link.is_split else Basis.CONFIGURED


def _confidence(link: PeerLink, size: LinkSize) -> Confidence:
    """Certain where the whole load takes a line of a configured rate and the low end fills it."""
    if link.is_split or size.needed_bps.low <= size.rate.value:
        return Confidence.POSSIBLE
    return Confidence.LIKELY if size.rate.is_label else Confidence.CERTAIN


def _peers(link: PeerLink) -> str:
    if not link.peers:
        return "peers that the config does not name"
    if len(link.peers) == 1:
        return f"peer {link.peers[0]}"
    return f"{len(link.peers)} peers that share the load"
