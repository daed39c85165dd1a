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
# Protocols of NBAR that run over UDP only. Source: Cisco's NBAR protocol list.
_UDP_PROTOCOLS = frozenset(
    ("bootp", "dhcp", "ntp", "rip", "rtcp", "rtp", "rtp-audio", "rtp-video", "snmp", "tftp", "udp")
)


class Evidence(Struct, frozen=True):
    """The matches of the class, and the kind of traffic that they select."""

    class_name: str
    traffic: str  # "UDP", "voice", "UDP and voice"
    matches: str
    statement: str
    section: tuple[str, ...]


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each WRED class whose packets are all UDP or marked EF."""
    del params
    packets = PacketsOfClasses(device.facts)
    for wred_class in wred_classes(device):
        policy_class = wred_class.policy_class
        if policy_class.is_default:
            continue
        matched = packets.of(policy_class.name)
        if matched.most is None:
            if not matched.broken:
                yield Skip(wred_class.label, "what its class-map matches is not read in full")
            continue
        kinds = [_kind(box) for box in matched.most]
        if not kinds or None in kinds:
            continue
        yield Hit(
            wred_class.label,
            (wred_class.wred.at, policy_class.at),
            Evidence(
                class_name=policy_class.name,
                traffic=" and ".join(sorted({kind for kind in kinds if kind is not None})),
                matches=_matches(device.facts, policy_class.name),
                statement="random-detect",
                section=wred_class.section,
            ),
            Confidence.LIKELY,  # some applications over UDP do slow down
        )


def _kind(box: Box) -> str | None:
    """Kind of unresponsive traffic in a box; None if some packets may be of another kind."""
    if box.dscps <= _EXPEDITED:
        return "voice"
    by_nbar = any(
        condition.kind == "protocol" and condition.values[0] in _UDP_PROTOCOLS
        for condition in box.conditions
    )
    return "UDP" if box.protocol == "udp" or by_nbar else None


def _matches(facts: Facts, name: str) -> str:
    class_map = facts.class_map(name)
    return ", ".join(match.text for match in class_map.matches) if class_map is not None else ""


CHECK = Check(NoParams, Evidence, find)
