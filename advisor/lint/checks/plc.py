"""Checks of places where a policy queues no packet."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Found, Hit, check
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.carriers import group_of, joins
from advisor.outlet.outlets import policies_out
from advisor.outlet.void_places import Lack, VoidPlace, void_places

# A policy that queues no packet where it is attached.

_SHAPING: Final = (
    "enter `frame-relay traffic-shaping` on {}: it shapes every circuit, one without a CIR to "
    "56 kb/s, so give each its CIR first. Or "
)
_NESTED: Final = (
    "attach a policy that shapes class-default to the contract, with this one nested in it"
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
        elif place.lack is not Lack.MEMBER_UP:
            yield _without_members(place)
    yield from _lone_members(device)


def _circuit_hit(device: Device, place: VoidPlace) -> Hit[NoQueueThere]:
    main, circuit = place.home, place.attached.circuit
    platform = device.platform
    is_sourced = platform.has_classic_defaults and main.frame_relay_fragment_bytes is None
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
    """What IOS does with the line on a member is recalled: it may refuse it."""
    bundle, member = place.home, place.attached.interface
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
        advice=f"attach the policy to {bundle.name}, and take it off the members",
    )


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


POLICY_WHERE_NOTHING_QUEUES = check(find_policy_where_nothing_queues)
