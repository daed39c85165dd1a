"""Marking of what comes in from the LAN: voice and signalling by ports or by NBAR, or trusted."""

import re
from enum import StrEnum
from typing import Final

from msgspec import Struct

from advisor.design.wred_demand import DemandError
from advisor.ios.syntax.names import interface_name
from advisor.lint.checks.llq.shared.traffic import RTP_PORTS, SIGNALLING_NBAR, SIGNALLING_PORTS

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
