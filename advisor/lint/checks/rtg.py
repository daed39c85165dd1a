"""Routing protocols that a policy leaves without a queue on a congested link."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import CLASS_DEFAULT
from advisor.facts.traffic_kinds import TrafficKind, traffic_of
from advisor.ground.quantity import Unknown, rate_words
from advisor.ground.units import kbps_from_bps
from advisor.ios.syntax.names import DSCPS
from advisor.lint.checks.base import Found, Hit, LoadParams, Skip
from advisor.lint.checks.llq import Reaching, reaching
from advisor.lint.findings import Confidence
from advisor.outlet.class_bandwidth import admission_of
from advisor.outlet.congestion import congestion_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out

_BGP = "router bgp"  # the one whose packets IOS does not queue apart (Cisco document 18664)


class RoutingWithoutClass(Struct, frozen=True):
    """The policy, the rate that its classes take, and the signs of congestion."""

    policy_map: str
    reserved: str
    signs: str


def find_routing_without_class(device: Device, params: LoadParams) -> Found[RoutingWithoutClass]:
    """Yield a hit for each congested output that leaves BGP in a class-default without a rate.

    The other classes reserve all that IOS admits. Hellos of IGPs and keepalives are queued apart.
    """
    bgp = next((item for item in device.facts.other_routes if item.value == _BGP), None)
    if bgp is None:
        return
    for outlet in policies_out(device):
        congestion = congestion_of(device.seen, outlet, params.load_percent)
        if congestion is None or not _leaves_default(outlet):
            continue
        admission = admission_of(outlet, device.platform)
        members = tuple(reaching(device, outlet.queueing))
        if isinstance(admission, Unknown):
            yield Skip(outlet.policy_label, admission.reason)
        elif any(member.boxes is None for member in members):
            yield Skip(outlet.policy_label, "which class takes routing is not known")
        elif admission.reserved_bps >= admission.reservable_bps and not _takes(members):
            yield Hit(
                outlet.policy_label,
                (outlet.queueing.at, congestion.at, bgp.at),
                RoutingWithoutClass(
                    outlet.queueing.name,
                    rate_words(kbps_from_bps(admission.reserved_bps)),
                    congestion.signs,
                ),
                Confidence.POSSIBLE,
            )


def _leaves_default(outlet: Outlet) -> bool:
    """Whether class-default has no rate of its own and no policy inside."""
    default = outlet.queueing.class_by_name.get(CLASS_DEFAULT)
    return default is None or (default.bandwidth is None and default.child is None)


def _takes(members: tuple[Reaching, ...]) -> bool:
    """Whether a class with a queue takes CS6, or bulk TCP by what is not a code."""
    boxes = [box for item in members if item.policy_class.queues for box in item.boxes or ()]
    return any(
        DSCPS["cs6"] in box.dscps and traffic_of(box) in (TrafficKind.CONTROL, TrafficKind.BULK)
        for box in boxes
    )
