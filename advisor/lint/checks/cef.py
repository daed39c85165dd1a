"""QoS that needs Cisco Express Forwarding, on a router that switched it off."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.attachments import attached_policies
from advisor.facts.policy import ClassMap, Match
from advisor.lint.checks.base import Found, Hit, words_of
from advisor.lint.findings import Confidence


class NbarWithoutCef(Struct, frozen=True):
    """The class that matches by NBAR."""

    class_map: str
    match: str  # "match protocol http"


def find_cef_off(device: Device) -> Found[NbarWithoutCef]:
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
    return next(
        (match for match in named if match.values[0].lower() not in words_of("without-nbar")), None
    )
