"""Commands that a release or a platform may not have: the least releases of each, with sources.

A train that a row does not name says nothing: whether it has the command is open, and so it is for
the two numbers of a `version` line where some trains of that version have it.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from msgspec import Struct

from advisor.platform import SWITCHES, XE_FAMILIES, Family

_RELEASE: Final = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\((\d{1,3})[^)]*\)([A-Z]*))?", re.ASCII)
Version = tuple[int, int]
_USUAL: Final[Version] = (12, 2)


class Has(Enum):
    """Whether a release has a command."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


class KnownCommand(Struct, frozen=True):
    """A command, and from which release on it is known.

    `under` is how the section around it begins; `line` matches it. `since` is the first rebuild of
    a train that has it; from `everywhere` on all trains have it.
    """

    name: str
    under: str
    line: str
    since: Mapping[str, tuple[int, int, int]]
    everywhere: Version
    source: str

    def in_release(self, release: str | None) -> Has:
        """Whether a release has it: `12.2(15)T9`, or the two numbers of `version`.

        Without a release it is open from the trains of 12.2 on, and an older command is there.
        """
        match = _RELEASE.match(release or "")
        if match is None:
            return Has.YES if self.everywhere <= _USUAL else Has.OPEN
        version = int(match[1]), int(match[2])
        if version >= self.everywhere:
            return Has.YES
        if version < min((*(first[:2] for first in self.since.values()), self.everywhere)):
            return Has.NO
        if match[3] is None:
            return Has.OPEN
        train = match[4][:1] if match[4].startswith("T") else match[4]
        first = self.since.get(train)
        if first is None:
            return Has.NO if train in ("", "T") else Has.OPEN
        return Has.YES if (*version, int(match[3])) >= first else Has.NO

    @property
    def releases(self) -> str:
        """The least releases in words: "12.2(13)T or 12.3"."""
        first = [f"{a}.{b}({build}){train}" for train, (a, b, build) in self.since.items()]
        last = f"{self.everywhere[0]}.{self.everywhere[1]}"
        return f"{', '.join(first)} or {last}" if first else last


_CBWFQ: Final = "Cisco feature module Class-Based Weighted Fair Queueing, 12.0(5)T; 12.1 QoS guide"
_MQC: Final = "Cisco feature module Modular QoS CLI, 12.0(5)XE, and its release in 12.1(5)T"
_IN_CLASS: Final = "policy-map "
_ON_INTERFACE: Final = "interface "

# Asked in this order: the first row that a release lacks gives the reason.
COMMANDS: Final = (
    KnownCommand(
        "policy-map",
        "",
        r"(?:class-map|policy-map|service-policy) ",
        {"T": (12, 0, 5), "XE": (12, 0, 5)},
        (12, 1),
        _CBWFQ,
    ),
    KnownCommand(
        "class-map match-any",
        "",
        r"class-map match-(?:any|all) ",
        {"XE": (12, 0, 5), "T": (12, 1, 5)},
        (12, 2),
        _MQC,
    ),
    KnownCommand(
        "match ip dscp",
        "class-map ",
        r"match (?:ip )?dscp ",
        {"XE": (12, 0, 5), "T": (12, 1, 5)},
        (12, 2),
        _MQC,
    ),
    KnownCommand(
        "match protocol",
        "class-map ",
        r"match protocol ",
        {"XE": (12, 0, 5), "T": (12, 1, 5)},
        (12, 2),
        _MQC,
    ),
    KnownCommand(
        "priority",
        _IN_CLASS,
        r"priority(?: |$)",
        {"T": (12, 0, 7)},
        (12, 1),
        "Cisco feature module Low Latency Queueing, 12.0(7)T",
    ),
    KnownCommand(
        "priority percent",
        _IN_CLASS,
        r"priority percent ",
        {"T": (12, 2, 2), "S": (12, 0, 28), "SB": (12, 2, 28)},
        (12, 3),
        "Cisco, Low Latency Queueing with Priority Percentage Support: feature history",
    ),
    KnownCommand(
        "shape",
        _IN_CLASS,
        r"shape (?:average|peak) |service-policy \S+$",
        {"XE": (12, 0, 5), "T": (12, 1, 2)},
        (12, 2),
        "Cisco feature modules Distributed Traffic Shaping, 12.0(5)XE, and Class-Based Shaping",
    ),
    KnownCommand(
        "random-detect dscp",
        _IN_CLASS,
        r"random-detect dscp",
        {"T": (12, 1, 5), "S": (12, 0, 22)},
        (12, 2),
        "Cisco 10000 QoS guide OL-7433, 1-22; Cisco IOS QoS command reference, random-detect dscp",
    ),
    KnownCommand(
        "random-detect ecn",
        _IN_CLASS,
        r"random-detect ecn$",
        {"T": (12, 2, 8)},
        (12, 3),
        "Cisco feature module WRED Explicit Congestion Notification, 12.2(8)T",
    ),
    KnownCommand(
        "interface Multilink",
        "",
        r"interface Multilink|(?:ppp )?multilink[- ]group ",
        {},
        (12, 0),
        "Cisco 10000 QoS guide OL-7433, 16-10: history of ppp multilink group",
    ),
    KnownCommand(
        "ppp multilink multiclass",
        _ON_INTERFACE,
        r"ppp multilink multiclass$",
        {"T": (12, 2, 13), "SBC": (12, 2, 27)},
        (12, 3),
        "Cisco guide Multiclass Multilink PPP, 12.2(27)SBC; older references lack it",
    ),
    KnownCommand(
        "frame-relay fragment end-to-end",
        _ON_INTERFACE,
        r"frame-relay fragment \d+ end-to-end$",
        {"T": (12, 2, 13), "S": (12, 2, 14)},
        (12, 3),
        "Cisco, Frame Relay Queueing and Fragmentation at the Interface: feature history",
    ),
    KnownCommand(
        "tx-ring-limit",
        "",
        r"tx-ring-limit ",
        {},
        (12, 0),
        "no reference of 11.x at hand has it",
    ),
    KnownCommand(
        "qos pre-classify",
        "",
        r"qos pre-classify$",
        {"T": (12, 1, 5)},
        (12, 2),
        "Cisco feature module Quality of Service for Virtual Private Networks",
    ),
)


class Absent(Struct, frozen=True):
    """A command that no source has, or that a source denies, on some families."""

    name: str
    under: str
    line: str
    families: tuple[Family, ...]
    why: str
    since: Version = (0, 0)


_WITHOUT_BURSTS: Final = (Family.MQC_SWITCH, Family.MLS_SWITCH, Family.XE_WITHOUT_QFP, Family.OTHER)
# Sources: Cisco's YANG models of IOS XE 16.6 to 26.1 (tx-ring-limit); Cisco document 18660 (7500);
# command references of ME 3400 and ME 3600X (`shape average` takes a rate alone); Catalyst 4500
# configuration guide, queueing (bandwidth, priority, shape, queue-limit and dbl alone).
ABSENT: Final = (
    Absent("tx-ring-limit", "", r"tx-ring-limit ", XE_FAMILIES, "no source has it"),
    Absent(
        "fair-queue",
        _ON_INTERFACE,
        r"fair-queue$",
        XE_FAMILIES,
        "no source says what it does on an interface",
    ),
    Absent(
        "frame-relay traffic-shaping",
        _ON_INTERFACE,
        r"frame-relay traffic-shaping$",
        (Family.DISTRIBUTED,),
        "a 7500 blocks it from 12.1(5)T on: there `shape` in a policy shapes a circuit",
        (12, 1),
    ),
    Absent(
        "fair-queue",
        _IN_CLASS,
        r"fair-queue",
        (*SWITCHES, Family.OTHER),
        "no source has it",
    ),
    Absent(
        "shape average with bursts",
        _IN_CLASS,
        r"shape average \d+ \d",
        _WITHOUT_BURSTS,
        "no source has more than its rate",
    ),
)


def _is(line: str, text: str) -> bool:
    return re.match(line, text, re.ASCII) is not None


def rows_of(section: str, text: str) -> Iterator[KnownCommand]:
    """The commands that a line in a section is."""
    return (row for row in COMMANDS if section.startswith(row.under) and _is(row.line, text))


def absent_of(section: str, text: str) -> Iterator[Absent]:
    """Yield the commands of a line in a section that some families are not known to have."""
    return (row for row in ABSENT if section.startswith(row.under) and _is(row.line, text))


def is_from(release: str | None, version: Version) -> bool:
    """Whether a release is of a version or a later one; of no release nothing speaks against it."""
    match = _RELEASE.match(release or "")
    return match is None or (int(match[1]), int(match[2])) >= version
