"""WRED on traffic that does not slow down when it loses packets: it only loses them."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.matched_packets import PacketsOfClasses
from advisor.facts.packet_set import Box
from advisor.ios.syntax.names import DSCPS
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.wrd.shared.rows import wred_classes
from advisor.lint.findings import Confidence

_EXPEDITED = frozenset((DSCPS["ef"],))  # RFC 3246, RFC 4594: voice
# What NBAR tells apart that runs over UDP alone. Source: Cisco's NBAR protocol list.
_UDP_PROTOCOLS = frozenset(
    ("bootp", "dhcp", "ntp", "rip", "rtcp", "rtp", "rtp-audio", "rtp-video", "snmp", "tftp", "udp")
)


class Evidence(Struct, frozen=True):
    """What the class matches, and what traffic that is."""

    class_name: str
    traffic: str  # "UDP", "voice", "UDP and voice"
    matches: str
    statement: str
    section: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class of which every packet is UDP or marked EF."""
    del params
    packets = PacketsOfClasses(device.facts)
    for judged in wred_classes(device):
        each = judged.policy_class
        if each.is_default:
            continue
        matched = packets.of(each.name)
        if matched.most is None:
            if not matched.broken:
                yield Skip(judged.label, "what its class-map matches is not read in full")
            continue
        kinds = [_kind(box) for box in matched.most]
        if not kinds or None in kinds:
            continue
        yield Hit(
            judged.label,
            (judged.wred.at, each.at),
            Evidence(
                class_name=each.name,
                traffic=" and ".join(sorted({kind for kind in kinds if kind is not None})),
                matches=_matches(device.facts, each.name),
                statement="random-detect",
                section=judged.section,
            ),
            Confidence.LIKELY,  # some applications over UDP do slow down
        )


def _kind(box: Box) -> str | None:
    """What unresponsive traffic all packets of a box are; None where some may be other."""
    if box.dscps <= _EXPEDITED:
        return "voice"
    by_nbar = any(
        each.kind == "protocol" and each.values[0] in _UDP_PROTOCOLS for each in box.conditions
    )
    return "UDP" if box.protocol == "udp" or by_nbar else None


def _matches(facts: Facts, name: str) -> str:
    class_map = facts.class_map(name)
    return ", ".join(each.text for each in class_map.matches) if class_map is not None else ""


CHECK = Check(NoParams, Evidence, find)
