"""Finds the rate of the wire behind an output: of its port, line, circuit or description."""

import re
from typing import Final

from advisor.device.as_seen import is_newer
from advisor.facts.config import Facts
from advisor.facts.interface import Interface, Pvc
from advisor.ground.quantity import Basis, Input, RateKind, exact, rate_text
from advisor.ground.units import bps_from_kbps, decimal, kbps_from_bps, whole, whole_or_none
from advisor.ground.wording import rate_source
from advisor.ios import pattern

TUNNEL: Final = "Tunnel"
_WITHOUT_WIRE = (TUNNEL, "Loopback", "Vlan", "BVI", "Port-channel")
_PORT_RATE_BPS = {
    "Ethernet": 10e6,
    "FastEthernet": 100e6,
    "GigabitEthernet": 1e9,
    "TwoGigabitEthernet": 2.5e9,
    "FiveGigabitEthernet": 5e9,
    "TenGigabitEthernet": 10e9,
    "FortyGigabitEthernet": 40e9,
    "HundredGigE": 100e9,
}
DEFAULT_SERIAL_BANDWIDTH_BPS = 1_544_000.0  # printed as BW 1544 Kbit where nothing is configured
PORT_SPEEDS_BPS = frozenset(_PORT_RATE_BPS.values())  # that a port can run at


def port_bps(interface: Interface) -> float | None:
    """The most that a port of its kind runs at; None where its name does not say it.

    The Ethernet of a modem is no 10BASE-T: it sends at the rate that the modem trained to. Source:
    Cisco 211613, Reference Bandwidth on DSL Interfaces.
    """
    return _PORT_RATE_BPS.get(interface.type) if interface.modem is None else None


def is_of_port(rate: Input, home: Interface) -> bool:
    """Whether a rate is that of an Ethernet port or a port-channel: a provider may sell less."""
    return rate.kind in (RateKind.PORT, RateKind.SPEED) or home.type == "Port-channel"


def is_ethernet(interface: Interface) -> bool:
    """Whether it is a port of an Ethernet, or a subinterface of one."""
    return interface.type in _PORT_RATE_BPS


def wire_rate(
    interface: Interface,
    pvc: Pvc | None,
    main: Interface | None,
    session: Interface | None = None,
) -> Input | None:
    """Rate that the ring drains at: the rate of the PVC, the clock, the timeslots or the port.

    A rate that the user states of the line wins. On an Ethernet port that cannot run at it, and of
    a subinterface or a session whose line has a rate, it is what is sold: see `sold_rate`. A clock
    or speed that an output shows counts where the configuration states none. The interface
    `bandwidth` is a label: it counts only where none of these is known; BW of an output where that
    is not stated, unless it is what IOS assumes of any line. A subinterface has the wire
    of its main interface; its own `bandwidth` is the rate of a circuit. A tunnel has no wire.
    """
    main = main or interface
    if pvc is not None:
        line = _pvc_rate(pvc)
    elif main.user_rate is not None and _runs_at(main, main.user_rate.rate_bps):
        line = stated_rate(main)
    else:
        line = _line_rate(interface, main)
    stated = tuple(map(stated_rate, (session, interface, main)))
    user = next((rate for rate in stated if rate is not None), None)
    if user is None or line is None:
        return line or user
    is_slower = user.value < line.value
    if pvc is not None:
        return user if is_slower else line
    return user if line.is_label and (session is not None or not is_slower) else line


def stated_rate(place: Interface | None) -> Input | None:
    """The rate that the user states of a place."""
    user = place.user_rate if place is not None else None
    return _rate(user.rate_bps, RateKind.STATED, user.source) if user is not None else None


def _runs_at(port: Interface, rate_bps: float) -> bool:
    """Whether a line can run at a rate: a port of an Ethernet has few speeds."""
    most_bps = port_bps(port)
    return most_bps is None or (rate_bps in PORT_SPEEDS_BPS and rate_bps <= most_bps)


def _pvc_rate(pvc: Pvc) -> Input | None:
    seen = pvc.seen_rate_bps
    if seen is not None:
        source = rate_source(RateKind.PVC, f"as an output shows it, {seen.at}")
        return exact("wire_rate_bps", seen.value, Basis.MEASURED, source, RateKind.PVC)
    if pvc.rate is None or pvc.rate.sustained_bps is None:
        return None
    return _rate(pvc.rate.sustained_bps, RateKind.PVC, f"{pvc.rate.service}, {pvc.rate.at}")


def _line_rate(interface: Interface, main: Interface) -> Input | None:
    """The rate by the configuration and outputs."""
    stated = [
        (RateKind.CLOCK_RATE, main.clock_rate_bps),
        (RateKind.TIMESLOTS, main.timeslots_bps),
        (RateKind.SPEED, main.speed_bps),
    ]
    known = [(rate.value, kind, rate.at) for kind, rate in stated if rate is not None]
    if known:
        rate_bps, kind, at = min(known, key=lambda rate: rate[0])
        seen = _seen_rate(main)
        is_other = kind is RateKind.CLOCK_RATE and seen is not None and seen.value != rate_bps
        return seen if is_other and _is_in_force(main) else _rate(rate_bps, kind, at)
    return _seen_rate(main) or _unstated_rate(interface, main)


def _is_in_force(main: Interface) -> bool:
    """Whether the shown clock is of a time after the line that states another."""
    seen, clock = main.seen_rate_bps, main.clock_rate_bps
    return seen is not None and clock is not None and is_newer(seen.at, clock.at)


def _seen_rate(main: Interface) -> Input | None:
    """The rate that an output shows; the port's own is told as that."""
    seen, port = main.seen_rate_bps, port_bps(main)
    if seen is None or seen.value == port or main.modem is not None:
        return None
    kind = RateKind.CLOCK_RATE if port is None else RateKind.SPEED
    source = rate_source(kind, f"as an output shows it, {seen.at}")
    return exact("wire_rate_bps", seen.value, Basis.MEASURED, source, kind)


def _unstated_rate(interface: Interface, main: Interface) -> Input | None:
    """The rate of the port, else the label, else that of a serial line's description."""
    port = port_bps(main)
    if port is not None:
        return _rate(port, RateKind.PORT, main.type)
    label, shown = main.bandwidth_bps or interface.bandwidth_bps, main.seen_bandwidth_bps
    if main.type in _WITHOUT_WIRE:
        return None
    if label is not None:
        return _rate(label.value, RateKind.BANDWIDTH_LABEL, label.at)
    if shown is not None and shown.value != DEFAULT_SERIAL_BANDWIDTH_BPS:
        kind, source = RateKind.BANDWIDTH_LABEL, f"BW, {shown.at}"
        return exact("wire_rate_bps", shown.value, Basis.MEASURED, source, kind)
    described = main.description if main.is_serial_line else None
    rate_bps = line_rate_bps(described.value) if described is not None else None
    if described is None or rate_bps is None:
        return None
    return _rate(rate_bps, RateKind.DESCRIBED_LINE, described.at)


def _rate(rate_bps: float, kind: RateKind, detail: object) -> Input:
    basis = Basis.DEFAULT if kind is RateKind.PORT else Basis.CONFIGURED
    return exact("wire_rate_bps", rate_bps, basis, rate_source(kind, detail), kind)


# Limits of an interface outside of its policies.

_LIMITS: Final = (("rate-limit", "output"), ("traffic-shape", "rate"))


def limit_bps(text: str) -> int | None:
    """Rate that a line of CAR or generic shaping holds all packets of an interface to.

    None of a line for some packets, or of CAR that drops nothing.

    >>> limit_bps("traffic-shape rate 256000 2560 0"), limit_bps("traffic-shape group 101 64000")
    (256000, None)
    """
    words = text.split()
    if tuple(words[:2]) not in _LIMITS or (words[0] == "rate-limit" and "drop" not in words):
        return None
    return whole_or_none(words[2]) if len(words) > len(_LIMITS[0]) else None


def why_limited(facts: Facts, interface: Interface, wire: Input | None) -> str | None:
    """Why what a policy queues is not known: a line outside of it limits all of its packets."""
    parent = facts.interface(interface.parent) if interface.parent else None
    for home in (interface, *((parent,) if parent is not None else ())):
        for stated in home.legacy_queueing:
            rate_bps = limit_bps(stated.value)
            if rate_bps is not None and (wire is None or rate_bps < wire.value):
                kbps = rate_text(kbps_from_bps(rate_bps))
                command = " ".join(stated.value.split()[:2])
                held = f"holds {home.name} to {kbps} kb/s outside of its policy"
                return f"`{command}` ({stated.at}) {held}"
    return None


# Rates that a description states.

_KBPS: Final = {"k": 1.0, "m": 1e3, "g": 1e6}
_OF_ANOTHER: Final = ("for", "of", "was", "old", "from", "threshold", "protects")
_AMOUNT: Final = (
    r"(?<![\w.,/])"
    + "".join(rf"(?<!\b{word} )" for word in _OF_ANOTHER)
    + r"(?:(?P<times>[1-9]\d?)[ ]?[x*][ ]?)?(?P<amount>[0-9]{1,9}(?:\.[0-9]{1,6})?)"
)
_NO_OTHER_UNIT: Final = r"(?![\w/])(?! ?(?i:per|each|a call|street|road)\b)"
_WITH_UNIT: Final = pattern(
    _AMOUNT + r"\s?(?P<unit>[kmg])(?:bps|bits?/s(?:ec)?|bits?|b/s|b|eg)" + _NO_OTHER_UNIT,
    re.IGNORECASE,
)
_BARE: Final = pattern(_AMOUNT + r"(?P<unit>[kKMG])" + _NO_OTHER_UNIT)  # 10m are metres
_CONTRACT: Final = pattern(
    r"\b(?:cir|evcs?|evpl|e-?line|contract(?:ed)?|committed|sold|subscribed|sla)\b",
    re.IGNORECASE,
)
_DOUBT: Final = pattern(r"\b(?:up to|max(?:imum)?|burst|pir|about|backup)\b|~", re.IGNORECASE)
_SERVICE: Final = pattern(
    r"\b(?:isp|mpls|vpls|metro|circuit|internet|carrier|provider|telco|leased|access)\b",
    re.IGNORECASE,
)
# A rate of the past, of another line, or a peak rate; an equal `bandwidth` is as outdated.
_OF_NO_LINE: Final = pattern(
    r"\b(?:formerly|previously|ex|was|not|no longer|until|burst|pir|backup)\b", re.IGNORECASE
)
_NO_SERVICE: Final = pattern(
    r"\b(?:no|lan|trunk|cable|cat\d\w?|fib(?:er|re)|room|bldg|iptv|gw)\b",
    re.IGNORECASE,
)
_NO_RATE: Final = frozenset({"2G", "2.4G", "2.5G", "3G", "4G", "5G", "6G"})  # mobile, wireless


def described_rate_bps(text: str) -> float | None:
    """The only rate that a description names, in bit/s; None without one and with several.

    "Backup for 2M" names the rate of another line, "8k per call" none; "4 x 2M" is a bundle.

    >>> described_rate_bps("metro access, 20 Mb/s contracted"), described_rate_bps("EVC-77-10M")
    (20000000.0, 10000000.0)
    >>> described_rate_bps("4G backup, 30m of cable"), described_rate_bps("CIR 10M, PIR 20M")
    (None, None)
    """
    found = [*_WITH_UNIT.finditer(text), *_BARE.finditer(text)]
    rates = {
        bps_from_kbps(
            whole(match["times"] or "1") * decimal(match["amount"]) * _KBPS[match["unit"].lower()]
        )
        for match in found
        if match[0] not in _NO_RATE
    }
    return rates.pop() if len(rates) == 1 else None


def _is_doubtful(text: str) -> bool:
    """Whether a description has a word of doubt, or speaks of no line as it is now."""
    return _DOUBT.search(text) is not None or is_outdated(text)


def says_contract(text: str) -> bool:
    """Whether a description says that its rate is what the provider sells for good.

    >>> says_contract("EVC-77-10M"), says_contract("ETH-10M-LON-42"), says_contract("EVC up to 9M")
    (True, False, False)
    """
    return _CONTRACT.search(text) is not None and not _is_doubtful(text)


def says_service(text: str) -> bool:
    """Whether a description says that its rate is of a service: a contract, or a provider's line.

    >>> says_service("MPLS 20M to Telia"), says_service("EVC-77-10M"), says_service("Room 5M-12")
    (True, True, False)
    >>> says_service("ISP, formerly 20M"), says_service("LAN trunk 30M, internet behind")
    (False, False)
    """
    if _is_doubtful(text) or _NO_SERVICE.search(text) is not None:
        return False
    return _CONTRACT.search(text) is not None or _SERVICE.search(text) is not None


def is_outdated(text: str) -> bool:
    """Whether a description speaks of the past, of another line, or of a peak."""
    return _OF_NO_LINE.search(text) is not None


def line_rate_bps(text: str) -> float | None:
    """The rate of a serial line by its description; None in doubt, and of a CIR.

    >>> line_rate_bps("256k leased line to Lisbon"), line_rate_bps("FR to Porto, CIR 256k")
    (256000.0, None)
    """
    is_other = _CONTRACT.search(text) is not None or _is_doubtful(text)
    return None if is_other else described_rate_bps(text)
