"""Classes below voice of a WAN edge, and the marking of what comes in from the LAN."""

import re
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from math import ceil
from typing import Final

from msgspec import Struct

from advisor.design.wred_plan import DemandError
from advisor.facts.traffic_kinds import RTP_PORTS, SIGNALLING_NBAR, SIGNALLING_PORTS
from advisor.ground.units import decimal
from advisor.ios.syntax.names import dscp_code, interface_name

# Classes below voice of a WAN edge: their shares of the link and the budgets of their queues.

# Part of the link, where --data states none; the share of DLSw+ is our choice.
DLSW_PERCENT = 10.0
_WHOLE_PERCENT = 100
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)\s*%?(?::(\d{1,5})\s*(?:ms)?)?", re.ASCII)
_SIGNALLING, _DLSW = "signalling", "dlsw"
_EF = 46


class _Usual(Struct, frozen=True):
    """The codes of a class that an option names, and its share."""

    codes: tuple[str, ...]
    percent: float


# Cisco Enterprise QoS SRND 3.3, chapter 3: signalling of the five-class WAN edge; routing 3 %,
# network management 2 % and scavenger 1 % of the eleven-class one (recalled). Phones mark AF31
# and later CS3.
USUAL: Final = {
    _SIGNALLING: _Usual(("cs3", "af31"), 5.0),
    "routing": _Usual(("cs6", "cs2"), 5.0),
    "scavenger": _Usual(("cs1",), 1.0),
}
_LAST: Final = "scavenger"  # below all others: the first whose assumed share gives way
_AF_GROUPS: Final = {f"af{group}": tuple(f"af{group}{drop}" for drop in "123") for group in "1234"}


class MatchKind(StrEnum):
    """Property by which a class selects its packets."""

    DSCP = "dscp"
    DLSW = "dlsw"


class WantedClass(Struct, frozen=True):
    """A class below voice, and the percent of the link that it is to have.

    An `assumed` share gives way where the link cannot reserve it. `budget_ms` is the longest time
    that its full queue may take. `key` names it in --data. With `drops_in_order` WRED drops its
    codes in the order of their drop precedence.
    """

    key: str
    kind: MatchKind
    dscp: str
    percent: float
    assumed: bool
    budget_ms: float | None = None
    drops_in_order: bool = False

    @property
    def name(self) -> str:
        return self.key.upper()

    @property
    def is_signalling(self) -> bool:
        return self.key == _SIGNALLING


class _Share(Struct, frozen=True):
    """The share and the budget that --data states for a class."""

    percent: float
    budget_ms: float | None = None


def wanted_classes(data: Sequence[str], named: Collection[str], *, dlsw: bool) -> list[WantedClass]:
    """Read the classes below voice from --data, --dlsw, and the options of the `named` ones.

    A code that --data states alone leaves the class that has it with others.

    Raises
    ------
    DemandError
        If a share is not understood, is stated twice, or is of a class that is taken.
    """
    stated = _stated(data)
    of_data = {name: _codes(name) for name in stated if name not in USUAL and name != _DLSW}
    _must_differ(of_data)
    alone = {code for codes in of_data.values() for code in codes}
    usual = []
    for name, own in USUAL.items():
        if name in named or name in stated:
            left = tuple(code for code in own.codes if code not in alone)
            if not left:
                raise DemandError(f"--data: states all codes of --{name}; leave out one of them")
            usual.append(_wanted(name, " ".join(left), stated.get(name), own.percent))
    classes = [item for item in usual if item.key != _LAST]
    classes += [_wanted(name, " ".join(codes), stated[name]) for name, codes in of_data.items()]
    if dlsw or _DLSW in stated:
        classes.append(_wanted(_DLSW, "", stated.get(_DLSW), DLSW_PERCENT))
    return [*classes, *(item for item in usual if item.key == _LAST)]


def key_of(codes: Collection[str]) -> str | None:
    """The name in --data of a class with exactly these codes."""
    if len(codes) == 1:
        return next(iter(codes))
    groups = {**{name: own.codes for name, own in USUAL.items()}, **_AF_GROUPS}
    return next((name for name, own in groups.items() if set(own) == set(codes)), None)


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


def _wanted(
    key: str, dscp: str, share: _Share | None, percent: float = _WHOLE_PERCENT
) -> WantedClass:
    kind = MatchKind.DLSW if key == _DLSW else MatchKind.DSCP
    own = share or _Share(percent)
    return WantedClass(
        key, kind, dscp, own.percent, share is None, own.budget_ms, key in _AF_GROUPS
    )


def _codes(name: str) -> tuple[str, ...]:
    """The codes of a class of --data: one DSCP, or a class of AF whole."""
    if name in _AF_GROUPS:
        return _AF_GROUPS[name]
    code = dscp_code(name)
    if code is None or not name.isalnum():
        raise DemandError(
            f"--data {name}: no DSCP; it takes names like af21 and cs3, af2 for all three of AF2, "
            f"{', '.join(USUAL)} or dlsw"
        )
    if code in (0, _EF):
        raise DemandError(f"--data {name}: is of {'voice' if code else 'class-default'}")
    return (name,)


def _must_differ(of_data: Mapping[str, tuple[str, ...]]) -> None:
    """Refuse a code that two classes have."""
    owners: dict[int | None, str] = {}
    for name, codes in of_data.items():
        for code in map(dscp_code, codes):
            if code in owners:
                raise DemandError(f"--data: {owners[code]} and {name} have the same DSCP")
            owners[code] = name


# Marking of what comes in from the LAN: voice and signalling by ports or by NBAR, or trusted.

INTERFACE: Final = re.compile(r"[A-Za-z-]{2,30}\d[\d/:]{0,20}(\.\d{1,10})?", re.ASCII)
LAN_POLICY, VOICE, SIGNALLING, OTHERS = "LAN-MARK", "LAN-VOICE", "LAN-SIGNALLING", "LAN-OTHERS"
NAMES: Final = (LAN_POLICY, VOICE, SIGNALLING, OTHERS)
_POLICE_STEP_BPS: Final = 8_000  # Cisco 10000 QoS guide, OL-7433, 3-10
_NBAR_OF_XE: Final = frozenset(("sccp",))  # `skinny` on software routers


class Marking(StrEnum):
    """The marking of LAN packets: trusted from phones and switches, or done by this router."""

    TRUST = "trust"
    PORTS = "acl"
    NBAR = "nbar"


class LanDemand(Struct, frozen=True):
    """The interface of the LAN and how its packets are told apart; the calls take `voice_bps`."""

    interface: str
    marking: Marking
    voice_bps: float


class PortRange(Struct, frozen=True):
    """Ports of a protocol; all packets from or to them, or only those to them."""

    protocol: str
    low: int
    high: int
    both_ways: bool


class MarkedClass(Struct, frozen=True):
    """Packets that get a DSCP: by `ports` of an access list with the name of the class, or NBAR.

    What is above `police_bps` gets none.
    """

    name: str
    dscp: str
    ports: tuple[PortRange, ...] = ()
    protocols: tuple[str, ...] = ()
    police_bps: int | None = None


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


def lan_demand(
    mark: str, lan: str | None, voice_bps: float, *, has_voice: bool
) -> LanDemand | None:
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
    return LanDemand(interface_name(lan), marking, voice_bps)


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
        classes.append(_voice(f"{VOICE}{suffix}", demand))
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


def _voice(name: str, demand: LanDemand) -> MarkedClass:
    """Voice; by its ports any UDP may look like it, so that no more than the calls is taken."""
    if demand.marking is Marking.NBAR:
        return MarkedClass(name, "ef", protocols=("rtp audio",))
    ports = (PortRange("udp", *RTP_PORTS, both_ways=False),)
    police_bps = ceil(demand.voice_bps / _POLICE_STEP_BPS) * _POLICE_STEP_BPS
    return MarkedClass(name, "ef", ports, police_bps=police_bps)


def _signalling(name: str, marking: Marking) -> MarkedClass:
    if marking is Marking.NBAR:
        return MarkedClass(name, "cs3", protocols=tuple(sorted(SIGNALLING_NBAR - _NBAR_OF_XE)))
    ports = (
        PortRange(protocol, low, high, both_ways=True)
        for low, high in SIGNALLING_PORTS
        for protocol in ("tcp", "udp")
    )
    return MarkedClass(name, "cs3", tuple(ports))
