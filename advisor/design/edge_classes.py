"""Classes below voice of a WAN edge, and the marking of what comes in from the LAN."""

import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.design.wred_demand import DemandError
from advisor.facts.traffic_kinds import RTP_PORTS, SIGNALLING_NBAR, SIGNALLING_PORTS
from advisor.ios.syntax.names import dscp_code, interface_name
from advisor.units import decimal

# Classes below voice of a WAN edge: their shares of the link and the budgets of their queues.

# Of the link, where --data states none. Signalling: Cisco Enterprise QoS SRND 3.3, chapter 3, the
# five-class WAN edge (Call-Signaling 5 %). The share of DLSw+ is ours.
SIGNALLING_PERCENT, DLSW_PERCENT = 5.0, 10.0
_WHOLE_PERCENT = 100
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)\s*%?(?::(\d{1,5})\s*(?:ms)?)?", re.ASCII)
_SIGNALLING, _DLSW = "signalling", "dlsw"
_EF = 46


class MatchKind(StrEnum):
    """What a class selects its packets by."""

    DSCP = "dscp"
    DLSW = "dlsw"


class WantedClass(Struct, frozen=True):
    """A class below voice, and the percent of the link that it is to have.

    An `assumed` share gives way where the link cannot reserve it. `budget_ms` is the longest time
    that its full queue may take. `key` names it in --data.
    """

    key: str
    kind: MatchKind
    dscp: str
    percent: float
    assumed: bool
    budget_ms: float | None = None

    @property
    def name(self) -> str:
        return self.key.upper()

    @property
    def is_signalling(self) -> bool:
        return self.key == _SIGNALLING


class _Share(Struct, frozen=True):
    """What --data states of a class."""

    percent: float
    budget_ms: float | None = None


def wanted_classes(data: Sequence[str], *, signalling: bool, dlsw: bool) -> tuple[WantedClass, ...]:
    """Read the classes below voice from --data, --signalling and --dlsw.

    Raises
    ------
    DemandError
        If a share is not understood, is stated twice, or is of a class that is taken.
    """
    stated = _stated(data)
    classes = []
    if signalling or _SIGNALLING in stated:
        own = stated.pop(_SIGNALLING, None)
        share = own or _Share(SIGNALLING_PERCENT)
        # Phones mark AF31 and later CS3 (SRND 3.3, chapter 3): both, unless AF31 has its own class.
        codes = "cs3" if "af31" in stated else "cs3 af31"
        classes.append(_wanted(_SIGNALLING, MatchKind.DSCP, codes, share, own is None))
    of_dlsw = stated.pop(_DLSW, None)
    for name, share in stated.items():
        code = _dscp(name, has_signalling=signalling)
        classes.append(_wanted(name, MatchKind.DSCP, code, share, assumed=False))
    if dlsw or of_dlsw is not None:
        share = of_dlsw or _Share(DLSW_PERCENT)
        classes.append(_wanted(_DLSW, MatchKind.DLSW, "", share, of_dlsw is None))
    return tuple(classes)


def _stated(data: Sequence[str]) -> dict[str, _Share]:
    stated: dict[str, _Share] = {}
    for text in data:
        name, equals, value = text.partition("=")
        share = _SHARE.fullmatch(value.strip())
        if not equals or share is None or not 0 < decimal(share[1]) <= _WHOLE_PERCENT:
            raise DemandError(
                f"--data {text}: write CODE=PERCENT, like af21=30%, or with the budget of its "
                "queue, af21=30%:300ms"
            )
        key = name.strip().lower()
        if key in stated:
            raise DemandError(f"--data: {key} is stated twice")
        if share[2] is not None and not int(share[2]):
            raise DemandError(f"--data {text}: a budget of 0 ms leaves no queue")
        stated[key] = _Share(decimal(share[1]), None if share[2] is None else float(share[2]))
    return stated


def _wanted(key: str, kind: MatchKind, dscp: str, share: _Share, assumed: bool) -> WantedClass:
    return WantedClass(key, kind, dscp, share.percent, assumed, share.budget_ms)


def _dscp(name: str, *, has_signalling: bool) -> str:
    code = dscp_code(name)
    taken = {"ef": "voice", "default": "class-default"}
    if has_signalling:
        taken["cs3"] = "the class of --signalling"
    if code is None or not name.isalnum():
        raise DemandError(f"--data {name}: no DSCP; it takes names like af21, cs3, or dlsw")
    owner = taken.get(name) or ("voice" if code == _EF else None)
    if owner is not None or code == 0:
        raise DemandError(f"--data {name}: is of {owner or 'class-default'}")
    return name


# Marking of what comes in from the LAN: voice and signalling by ports or by NBAR, or trusted.

INTERFACE: Final = re.compile(r"[A-Za-z-]{2,30}\d[\d/:]{0,20}(\.\d{1,10})?", re.ASCII)
LAN_POLICY, VOICE, SIGNALLING, OTHERS = "LAN-MARK", "LAN-VOICE", "LAN-SIGNALLING", "LAN-OTHERS"
NAMES: Final = (LAN_POLICY, VOICE, SIGNALLING, OTHERS)
_NBAR_OF_XE: Final = frozenset(("sccp",))  # `skinny` on software routers


class Marking(StrEnum):
    """Who marks the packets of the LAN: phones and switches, or this router and by what."""

    TRUST = "trust"
    PORTS = "acl"
    NBAR = "nbar"


class LanDemand(Struct, frozen=True):
    """The interface of the LAN and how its packets are told apart."""

    interface: str
    marking: Marking


class PortRange(Struct, frozen=True):
    """Ports of a protocol; all packets from or to them, or only those to them."""

    protocol: str
    low: int
    high: int
    both_ways: bool


class MarkedClass(Struct, frozen=True):
    """Packets that get a DSCP: by `ports` of an access list with the name of the class, or NBAR."""

    name: str
    dscp: str
    ports: tuple[PortRange, ...] = ()
    protocols: tuple[str, ...] = ()


class LanLines(Struct, frozen=True):
    """The policy of the LAN inbound.

    `others` is the class of packets with a `taken` DSCP that are neither voice nor signalling:
    they lose it. `removed` are the policies that the interface has.
    """

    interface: str
    policy_map: str
    classes: tuple[MarkedClass, ...]
    others: str
    taken: tuple[str, ...]
    removed: tuple[str, ...]


def lan_demand(mark: str, lan: str | None, *, has_voice: bool) -> LanDemand | None:
    """Read the flags of marking; None where the packets are trusted.

    Raises
    ------
    DemandError
        If the marking is unknown, its interface is missing, or there is nothing to mark.
    """
    try:
        marking = Marking(mark)
    except ValueError:
        known = ", ".join(Marking)
        raise DemandError(f"--mark {mark}: unknown; it takes {known}") from None
    if lan is not None and INTERFACE.fullmatch(lan) is None:
        raise DemandError(f"--lan {lan}: is not a name, such as FastEthernet0/1")
    if marking is Marking.TRUST:
        if lan is not None:
            raise DemandError("--lan: only --mark acl and nbar put lines on the LAN")
        return None
    if lan is None:
        raise DemandError(f"--mark {mark}: needs --lan, the interface of the LAN")
    if not has_voice:
        raise DemandError(f"--mark {mark}: there are no --calls and no --signalling to mark")
    return LanDemand(interface_name(lan), marking)


def lan_lines(
    demand: LanDemand,
    suffix: str,
    removed: tuple[str, ...],
    *,
    has_calls: bool,
    signalling: tuple[str, ...],
) -> LanLines:
    """The lines that mark voice EF and signalling CS3, and take their marks from all others.

    `signalling` are the marks that its class takes; none without such a class.
    """
    classes = []
    if has_calls:
        classes.append(_voice(f"{VOICE}{suffix}", demand.marking))
    if signalling:
        classes.append(_signalling(f"{SIGNALLING}{suffix}", demand.marking))
    return LanLines(
        demand.interface,
        f"{LAN_POLICY}{suffix}",
        tuple(classes),
        f"{OTHERS}{suffix}",
        (*(("ef",) if has_calls else ()), *signalling),
        removed,
    )


def _voice(name: str, marking: Marking) -> MarkedClass:
    if marking is Marking.NBAR:
        return MarkedClass(name, "ef", protocols=("rtp audio",))
    return MarkedClass(name, "ef", (PortRange("udp", *RTP_PORTS, both_ways=False),))


def _signalling(name: str, marking: Marking) -> MarkedClass:
    if marking is Marking.NBAR:
        return MarkedClass(name, "cs3", protocols=tuple(sorted(SIGNALLING_NBAR - _NBAR_OF_XE)))
    ports = (
        PortRange(protocol, low, high, both_ways=True)
        for low, high in SIGNALLING_PORTS
        for protocol in ("tcp", "udp")
    )
    return MarkedClass(name, "cs3", tuple(ports))
