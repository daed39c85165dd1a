"""Queueing older than MQC: read, kept, and not judged."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence
from advisor.quantity import count

_KINDS = {
    "priority-group": "priority queueing (priority-list)",
    "custom-queue-list": "custom queueing (queue-list)",
    "rate-limit": "committed access rate (rate-limit)",
    "traffic-shape": "generic traffic shaping",
    "ip rtp": "IP RTP priority",
    "frame-relay ip": "Frame Relay IP RTP priority",
    "frame-relay interface-queue": "priority queueing of PVCs",
    "frame-relay priority-group": "priority queueing of a circuit (priority-list)",
    "frame-relay custom-queue-list": "custom queueing of a circuit (queue-list)",
}


class Evidence(Struct, frozen=True):
    """The interface, the kind of queueing, and its lines."""

    interface: str
    kind: str
    lines: str  # "1 line", "2 lines"


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each interface and kind of legacy queueing."""
    del params
    for interface in device.facts.interfaces:
        by_kind: dict[str, list[Location]] = {}
        for stated in interface.legacy_queueing:
            by_kind.setdefault(_kind(stated.value), []).append(stated.at)
        for kind, places in by_kind.items():
            yield Hit(
                f"interface {interface.name} > {kind}",
                tuple(places),
                Evidence(interface.name, _KINDS.get(kind, kind), count(len(places), "line")),
                Confidence.CERTAIN,
            )


def _kind(line: str) -> str:
    """The command that a line opens with: two words where these are a kind, else one."""
    words = line.lower().split()
    both = " ".join(words[:2])
    return both if both in _KINDS else words[0]


CHECK = Check(NoParams, Evidence, find)
