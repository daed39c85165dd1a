"""Checks of places where a policy queues no packet."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.links import LinkEnd, is_mapped
from advisor.facts.interface import Interface, Side
from advisor.ground.quantity import first_of, rate_words
from advisor.ground.units import kbps_from_bps
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.ref import unless_printed
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.carriers import group_of, is_session, joins
from advisor.outlet.class_bandwidth import is_ubr
from advisor.outlet.link_rates import far_end, sold_rate, unheld_rate
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import behind_tunnels, is_virtual, policy_queues, speaks_mlp
from advisor.outlet.plain import E1_BPS
from advisor.outlet.void_places import Lack, VoidPlace, instances_of_aggregates, void_places
from advisor.settings.document import nearest
from advisor.shows.neighbors import TunnelPeer

# A policy that queues no packet where it is attached.

_SHAPING: Final = (
    "enter `frame-relay traffic-shaping` on {}: it shapes every circuit, one without a CIR to "
    "56 kb/s, so give each its CIR first. Or "
)
_NESTED: Final = (
    "attach a policy that shapes class-default to the contract, with this one nested in it"
)

_AGGREGATE: Final = (
    "remove the port-channel, enter that line, and make it again: IOS XE takes the line before the "
    "channel alone. Or attach the policy to each member"
)
_MEMBERS: Final = "attach the policy to each member of the port-channel"
_AT_THE_MODEM: Final = (
    "the packets wait in the modem or at the provider, which does not know the classes"
)
_AT_ONCE: Final = "the packets pass to a port at once, and no class is served before another"
_PARENT: Final = (
    "put the policy into a parent that shapes class-default to {}, and attach the parent"
)
_TO_THE_PVC: Final = (
    "attach the policy inside of {}, which queues at its rate, and take it off {}. Or put it into "
    "a parent that shapes class-default below that rate, for its cells are not counted, and attach "
    "the parent"
)
_ENTER_PPP: Final = "enter `encapsulation ppp` on the members, at both ends"


class NoQueueThere(Struct, frozen=True):
    """The policy, what its place lacks, and where the packets go instead."""

    policy_map: str
    lack: str
    instead: str


def find_policy_where_nothing_queues(device: Device) -> Found[NoQueueThere]:
    """Yield a hit for each policy whose place gives it no packet, or no queue.

    Where no source says that a circuit of this platform has no queue, the hit is `possible`.
    """
    for place in void_places(device):
        if place.lack is Lack.TRAFFIC_SHAPING:
            yield _circuit_hit(device, place)
        elif place.lack is Lack.BUNDLE:
            yield _member_hit(place)
        elif place.lack is Lack.AGGREGATE:
            yield _channel_hit(device, place)
        elif place.lack is not Lack.MEMBER_UP:
            yield _without_members(place)
    yield from _never_full(device)
    yield from _of_control_plane(device)
    yield from _of_aggregates(device)
    yield from _lone_members(device)


def _circuit_hit(device: Device, place: VoidPlace) -> Hit[NoQueueThere]:
    main, circuit = place.home, place.attached.circuit
    platform = device.platform
    is_sourced = (
        circuit is not None
        and platform.has_classic_defaults
        and main.frame_relay_fragment_bytes is None
    )
    certain = Confidence.CERTAIN if platform.is_pre_hqf else Confidence.LIKELY
    has_settings = circuit is not None and (
        circuit.cir_bps is not None or circuit.fragment_bytes != main.frame_relay_fragment_bytes
    )
    also = "; the CIR and fragments of the map-class do nothing either" if has_settings else ""
    return Hit(
        place.attached.label,
        (main.at, place.attached.attachment.at),
        NoQueueThere(
            place.policy.name,
            f"{main.name} has no `frame-relay traffic-shaping`, and the policy has no shaper",
            f"the packets wait in the one queue of {main.name}, without priority{also}",
        ),
        certain if is_sourced else Confidence.POSSIBLE,
        severity=None if is_sourced else Severity.WARNING,
        advice=_NESTED if platform.is_xe else _SHAPING.format(main.name) + _NESTED,
    )


def _member_hit(place: VoidPlace) -> Hit[NoQueueThere]:
    """A policy on a member of a bundle; recalled: IOS may refuse the line."""
    bundle, member = place.home, place.attached.interface
    off = f"`no service-policy output {place.policy.name}` on {member.name}"
    queued = any(attachment.direction is Side.OUTPUT for attachment in bundle.policies)
    cure = f"{off}: {bundle.name} has a policy of its own, which stays"
    return Hit(
        place.attached.label,
        (place.attached.attachment.at, bundle.at),
        NoQueueThere(
            place.policy.name,
            f"{member.name} is a member of {bundle.name}",
            f"{bundle.name} queues the packets and hands their fragments to its members",
        ),
        Confidence.POSSIBLE,
        severity=Severity.WARNING,
        advice=cure
        if queued
        else f"attach the policy to {bundle.name}, and take it off the members",
    )


def _channel_hit(device: Device, place: VoidPlace) -> Hit[NoQueueThere]:
    """IOS XE on QFP refuses the policy; that other IOS does not queue there is recalled."""
    name, is_qfp = place.home.name, device.platform.is_qfp
    line = f"platform qos port-channel-aggregate {name.removeprefix(place.home.type)}"
    lack = f"the configuration has no `{line}`"
    instead, advice = "IOS XE refuses the policy", _AGGREGATE
    if not is_qfp:
        lack = f"{name} hands its packets to its members"
        instead, advice = "the members send them, each in the order in which they come", _MEMBERS
    is_open = not is_qfp or device.facts.tree.is_capture
    return Hit(
        place.attached.label,
        (place.attached.attachment.at,),
        NoQueueThere(place.policy.name, lack, instead),
        Confidence.POSSIBLE if is_open else Confidence.LIKELY,
        severity=None if is_qfp else Severity.WARNING,
        advice=advice,
        refused=(place.attached.attachment.at,) if is_qfp else (),
    )


def _never_full(device: Device) -> Found[NoQueueThere]:
    """Sessions, and ports before a modem, without a shaper around the classes.

    SHP003 has those whose rate a line names, and REF007 has subinterfaces and tunnels. IOS XE on
    QFP demands the shaper of a session.
    """
    filled = {item.queueing.name for item in policies_out(device) if not item.is_never_full}
    for outlet in policies_out(device):
        home = outlet.session or outlet.interface
        is_refused = device.platform.is_qfp and is_session(home)
        is_named = unheld_rate(device, outlet) is not None and not is_refused
        if not outlet.is_never_full or is_virtual(home) or outlet.section[1:] or is_named:
            continue
        counted = device.seen.policy(home.name, "output", None)
        if counted is not None and counted.has_waiting:
            why = f"{counted.at}: counters show packets that waited there"
            yield Skip(outlet.policy_label, why)
            continue
        is_open = home.type != "Dialer" or speaks_mlp(home)
        is_open |= device.facts.tree.is_capture if is_refused else outlet.pvc is not None
        yield Hit(
            outlet.policy_label,
            (outlet.at,),
            NoQueueThere(
                outlet.policy.name,
                f"{_what(home)} is never full by itself, and no shaper is around the classes",
                _instead(outlet),
            ),
            Confidence.POSSIBLE if is_open else Confidence.LIKELY,
            severity=None if is_refused else Severity.WARNING,
            advice=_where_to(device, outlet),
            idle=tuple({outlet.queueing.name} - filled),
        )


def _instead(outlet: Outlet) -> str:
    """Where the packets of a place that is never full wait."""
    home = outlet.session or outlet.interface
    if outlet.pvc is not None:
        return f"the packets wait in the one queue of {outlet.pvc.label}, without priority"
    return _AT_THE_MODEM if is_session(home) or home.pool_memberships else _AT_ONCE


def _where_to(device: Device, outlet: Outlet) -> str:
    """The place or the parent that queues the packets; a PVC that reserves, before IOS XE."""
    pvc, home = outlet.pvc, outlet.session or outlet.interface
    if pvc is None or is_ubr(pvc) or device.platform.is_qfp:
        return _PARENT.format(_rate(device, outlet))
    return _TO_THE_PVC.format(f"`{pvc.label}` of {outlet.interface.name}", home.name)


def _of_control_plane(device: Device) -> Iterator[Hit[NoQueueThere]]:
    """Policies that queue on the control plane: that it polices alone is recalled."""
    for attachment in device.facts.control_plane:
        policy = device.facts.policy_map(attachment.policy)
        if policy is not None and policy_queues(device.facts, policy):
            yield Hit(
                "control-plane",
                (attachment.at,),
                NoQueueThere(
                    policy.name,
                    "the control plane has no queue of its own",
                    "packets of the router itself are policed or pass",
                ),
                Confidence.POSSIBLE,
                severity=Severity.WARNING,
                advice="give the control plane a policy whose classes have `police` alone",
            )


def _of_aggregates(device: Device) -> Iterator[Hit[NoQueueThere]]:
    """Policies on service instances of a channel whose port queues as one."""
    for attached in instances_of_aggregates(device.facts):
        channel, policy = attached.interface.name, attached.attachment.policy
        yield Hit(
            attached.label,
            (attached.attachment.at,),
            NoQueueThere(
                policy,
                f"IOS XE supports no QoS on service instances of the aggregate {channel}",
                "packets wait in the queues of the channel, without these classes",
            ),
            unless_printed(device, Confidence.LIKELY),
            refused=(attached.attachment.at,),
            advice=f"attach {policy} to {channel} itself",
        )


def _what(home: Interface) -> str:
    if home.pool_memberships:
        return f"{home.name}, with the modem of a PPPoE session behind it,"
    return f"a session of {home.name}" if home.type == "Virtual-Template" else home.name


def _rate(device: Device, outlet: Outlet) -> str:
    """The rate that the lines of a place name, where that is what is sold."""
    sold = sold_rate(device, outlet)
    if sold is None:
        return "the rate of the access, which the configuration does not state"
    return f"{rate_words(kbps_from_bps(sold.value))}, by {sold.kind}, if that is what is sold"


def _without_members(place: VoidPlace) -> Hit[NoQueueThere]:
    home = place.home
    names = ", ".join(member.name for member in place.members)
    number = home.name.removeprefix("Multilink")
    pool = home.dialer_pool.value if home.dialer_pool is not None else None
    lacks = {
        Lack.PPP: f"{names} cannot join {home.name} without `encapsulation ppp`",
        Lack.MEMBER: f"no member carries it: no interface has `ppp multilink group {number}`",
        Lack.POOL_MEMBER: f"no member carries it: no interface or PVC is in dialer pool {pool}",
    }
    advice = {
        Lack.PPP: _ENTER_PPP,
        Lack.MEMBER: "put the members into the group, or remove the bundle",
        Lack.POOL_MEMBER: "put the interface into the pool, or remove the Dialer",
    }
    return Hit(
        place.attached.label,
        (place.attached.attachment.at, *(member.at for member in place.members)),
        NoQueueThere(place.policy.name, lacks[place.lack], f"no packet leaves by {home.name}"),
        Confidence.CERTAIN,
        severity=None if place.lack is Lack.PPP else Severity.WARNING,
        advice=advice[place.lack],
    )


def _lone_members(device: Device) -> Iterator[Hit[NoQueueThere]]:
    """The interfaces that cannot join a bundle while others carry it."""
    for outlet in policies_out(device):
        bundle = outlet.bundle
        for member in group_of(device.facts, bundle) if bundle is not None else ():
            if bundle is not None and not member.shutdown and not joins(device.facts, member):
                yield Hit(
                    f"interface {member.name}",
                    (member.at, outlet.at),
                    NoQueueThere(
                        outlet.policy.name,
                        f"{member.name} cannot join {bundle.name} without `encapsulation ppp`",
                        f"the other members carry all packets of {bundle.name}",
                    ),
                    Confidence.CERTAIN,
                    advice=_ENTER_PPP,
                )


# A tunnel whose policy queues, before a port whose policy queues again.


_IN_BOTH: Final = "voice of the tunnel may wait in both"
_NOT_TAKEN: Final = (
    "beside it IOS XE takes class-default with `shape` alone on the port, and not policy-map {}"
)


class TwoPlaces(Struct, frozen=True):
    """The policy of the port, and that of the tunnel whose packets it queues again."""

    policy_map: str
    port: str
    tunnel: str
    tunnel_policy: str
    effect: str  # "voice of the tunnel may wait in both"


def find_two_places_queue(device: Device) -> Found[TwoPlaces]:
    """Yield a hit for each tunnel that queues before a policy of its port that does.

    NHRP groups beside such a policy are REF008's: IOS refuses one of them.
    """
    is_taken = not device.platform.is_qfp or device.facts.tree.is_capture
    for port, tunnels in behind_tunnels(device.facts, of_groups=False):
        effect = _IN_BOTH if is_taken else _NOT_TAKEN.format(port.attachment.policy)
        for tunnel in tunnels:
            yield Hit(
                tunnel.label,
                (tunnel.attachment.at, port.attachment.at),
                TwoPlaces(
                    port.attachment.policy,
                    port.interface.name,
                    tunnel.interface.name,
                    tunnel.attachment.policy,
                    effect,
                ),
                Confidence.LIKELY if device.platform.is_qfp else Confidence.POSSIBLE,
            )


# A slow link of two devices of the run: voice goes both ways.


class OneEndQueues(Struct, frozen=True):
    """The policy with an LLQ, its rate, and the end that has none."""

    policy_map: str
    rate: str
    far: str  # "HUB Serial0/0"


def find_only_one_end_queues(device: Device) -> Found[OneEndQueues]:
    """Yield a hit for each link up to E1 whose other end, in the run too, has no LLQ."""
    for outlet in policies_out(device):
        end, link = far_end(device, outlet.attached_to), outlet.link
        if not outlet.llq_classes or end is None or end.has_llq or outlet.is_never_full:
            continue
        if link is None or link.value > E1_BPS:
            continue
        yield Hit(
            outlet.policy_label,
            (outlet.at, end.at),
            OneEndQueues(outlet.policy.name, rate_words(kbps_from_bps(link.value)), end.label),
            Confidence.LIKELY,
        )


# A group of NHRP that a spoke names, and that no hub of its tunnel maps to a policy.


_NOT_APPLIED: Final = "its line came after the spoke, or IOS refused it: flap the tunnel"


class UnmappedGroup(Struct, frozen=True):
    """The group that the spoke sends, and the hub that maps others or none."""

    group: str
    interface: str
    hub: str  # "HUB Tunnel0"
    nearest: str  # "did you mean BRANCH?", "it takes A, B", "it maps no group"


def find_group_not_mapped(device: Device) -> Found[UnmappedGroup]:
    """Yield a hit for each spoke whose group a hub of the run does not map, on the tunnel's subnet.

    Names differ by case. Each hub that the spoke names by its address is to map the group. Where
    it names none, one of those that map any is enough. A hub's own output tells of its spokes too.
    """
    yield from _seen_without_policy(device)
    for interface in device.facts.interfaces:
        group = interface.nhrp_group
        if group is None or interface.shutdown or (address := interface.address) is None:
            continue
        others = device.fleet.links.others_in(address.network, device.name)
        hubs = _hubs(others, interface.nhrp_servers)
        without = [end for end in hubs if group.value not in end.mapped_groups]
        if without and (interface.nhrp_servers or len(without) == len(hubs)):
            mapped = without[0].mapped_groups
            yield Hit(
                f"interface {interface.name}",
                (group.at, without[0].at),
                UnmappedGroup(
                    group.value,
                    interface.name,
                    without[0].label,
                    nearest(group.value, mapped) if mapped else "it maps no group",
                ),
                Confidence.LIKELY,
            )


def _seen_without_policy(device: Device) -> Iterator[Hit[UnmappedGroup]]:
    """A hit for each group of a tunnel whose peers got no policy from this hub."""
    without: dict[tuple[str, str], list[TunnelPeer]] = {}
    for peer in device.seen.tunnel_peers:
        if peer.group is not None and not peer.has_policy:
            without.setdefault((peer.interface, peer.group), []).append(peer)
    for (name, group), peers in without.items():
        interface = device.facts.interface(name)
        spokes = f"the spoke {first_of([peer.address for peer in peers])}"
        why = "its lines are not here"
        if interface is not None:
            mapped = [place.name for place in interface.place_policies if is_mapped(place)]
            why = nearest(group, mapped) if mapped else "it maps no group"
            why = _NOT_APPLIED if group in mapped else why
        evidence = UnmappedGroup(group, spokes, f"{device.name} {name}", why)
        yield Hit(f"interface {name}", (peers[0].at,), evidence, Confidence.CERTAIN)


def _hubs(others: Sequence[LinkEnd], servers: Collection[str]) -> list[LinkEnd]:
    """The hubs of a spoke among the ends of its tunnel: those that it names, or that map groups."""
    if not servers:
        return [end for end in others if end.mapped_groups]
    return [end for end in others if (end.address or "").partition("/")[0] in servers]
