"""QoS that needs Cisco Express Forwarding, on a router that switched it off."""

from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attached_policies
from advisor.facts.policy import ClassMap, Match
from advisor.lint.checks.base import Found, Hit, check
from advisor.lint.findings import Confidence

# Words of `match protocol` that need no NBAR: protocols of layers 2 and 3 (Cisco IOS QoS command
# reference, match protocol), as the type of the packet tells them.
_WITHOUT_NBAR_WORDS: Final = """
    aarp appletalk arp bridge bstun cdp clns clns_es clns_is cmns compressedtcp decnet decnet_node
    decnet_router-l1 decnet_router-l2 dlsw ip ipv6 ipx llc2 mpls pad pppoe qllc rsrb snapshot stun
    vines vofr xns
"""
_WITHOUT_NBAR: Final = frozenset(_WITHOUT_NBAR_WORDS.split())


class NbarWithoutCef(Struct, frozen=True):
    """The class that matches by NBAR."""

    class_map: str
    match: str  # "match protocol http"


def find_nbar_without_cef(device: Device) -> Found[NbarWithoutCef]:
    """Yield a hit for each class-map of an attached policy that matches by NBAR, after `no ip cef`.

    A text without the line may be of a release that has CEF by default: silent.
    """
    off = [line for line in device.facts.tree.commands() if line.text.lower() == "no ip cef"]
    if not off or device.facts.ip_cef:
        return
    used = {
        policy_class.name
        for policy in attached_policies(device.facts)
        for policy_class in policy.classes
    }
    for class_map in device.facts.class_maps:
        match = _nbar(class_map) if class_map.name in used else None
        if match is not None:
            yield Hit(
                f"class-map {class_map.name}",
                (match.at, device.facts.tree.at(off[-1])),
                NbarWithoutCef(class_map.name, f"match protocol {match.values[0]}"),
                Confidence.LIKELY,
            )


def _nbar(class_map: ClassMap) -> Match | None:
    named = (match for match in class_map.matches if match.kind == "protocol" and match.values)
    return next((match for match in named if match.values[0].lower() not in _WITHOUT_NBAR), None)


CEF_OFF = check(find_nbar_without_cef)
