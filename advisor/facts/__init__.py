"""Typed facts of a configuration. Here: a value with its line, and records of small features."""

from functools import lru_cache
from ipaddress import AddressValueError, IPv4Address, IPv4Network
from typing import Final, Generic, TypeVar

from msgspec import Struct, field

from advisor.ground.units import whole_or_none
from advisor.ios.syntax import Line, Location
from advisor.ios.syntax.names import interface_name

# A value with its line, and records of access lists, routes, IP SLA probes and calls.

# A value and the line that states it.

T_co = TypeVar("T_co", covariant=True)


class Stated(Struct, Generic[T_co], frozen=True):
    """A setting in the config; a missing setting is `None`, not a default."""

    value: T_co
    at: Location


# Access lists, with the fields that the match of a class-map needs.


class Ports(Struct, frozen=True):
    """An inclusive port range of TCP or UDP."""

    low: int
    high: int


class EntryWords(Struct):
    """Words of an entry of an access list; the draft that readers fill has the same fields."""

    protocol: str = "ip"  # or "tcp", "udp", "icmp", …
    source: str = "any"  # or "host 10.0.0.1", "10.0.0.0 0.0.0.255"
    destination: str = "any"
    source_ports: tuple[Ports, ...] = ()
    destination_ports: tuple[Ports, ...] = ()
    dscp: int | None = None
    precedence: int | None = None


class AccessEntry(EntryWords, frozen=True, kw_only=True):  # type: ignore[misc]  # its draft is not
    """One permit or deny.

    `dscp` and `precedence` hold numbers; `source_ports`/`destination_ports` are empty if any
    port matches. `understood` is false if the entry has words that are not read: then nothing may
    be derived from it. `narrowed_by` are conditions without a field: with any of them the entry
    matches less than its fields say.
    """

    permit: bool
    understood: bool
    at: Location
    text: str
    narrowed_by: tuple[str, ...] = ()  # "established", "tos 8", "icmp echo", "fragments"


class AccessList(Struct, frozen=True):
    """A numbered or named IP access list; `at` is its first line."""

    name: str
    entries: tuple[AccessEntry, ...]
    at: Location


# IP SLA probes (`ip sla N`, `ip sla monitor N`, `rtr N`).


class SlaSettings(Struct):
    """Settings of a probe that a line states each."""

    number: int
    at: Location
    operation: str | None = None  # "icmp-jitter", "udp-jitter", "icmp-echo", …
    destination: str | None = None
    destination_port: int | None = None
    timeout_ms: Stated[float] | None = None
    threshold_ms: Stated[float] | None = None
    frequency_s: Stated[float] | None = None
    tos: Stated[int] | None = None
    request_bytes: Stated[int] | None = None
    packets: int | None = None
    interval_ms: float | None = None
    codec: str | None = None
    codec_bytes: int | None = None


class SlaProbe(SlaSettings, frozen=True):  # type: ignore[misc]  # its draft is not frozen
    """A configured probe; its history options are kept as text.

    `codec` is the codec that udp-jitter simulates, `codec_bytes` its payload.
    """

    options: tuple[Stated[str], ...] = ()


# Calls that a voice gateway admits: its dial-peers with their codec, and call thresholds.


class DialPeer(Struct, frozen=True):
    """`dial-peer voice 100 voip`; a setting that is missing is None."""

    tag: str
    at: Location
    max_conn: Stated[int] | None = None
    codecs: tuple[str, ...] = ()  # as the peer, or its `voice class codec`, prefers them
    is_shutdown: bool = False
    target: str | None = None  # address of `session target ipv4:192.0.2.1`


class CallThreshold(Struct, frozen=True):
    """`call threshold`: the calls from which new ones are refused, of an interface or of all.

    Source: Cisco IOS Voice Command Reference, call threshold (`interface … int-calls`, `global
    total-calls`).
    """

    interface: str | None  # None: of the gateway
    most_calls: int
    at: Location


# Static IPv4 routes of the global table, and the lines by which other routes come to a device.

_DISTANCE: Final = 1  # of a static route, IOS IP Routing Command Reference, ip route (static)
_MOST_DISTANCE: Final = 255
_OF_OTHER_TABLES: Final = ("profile", "static", "vrf")


class StaticRoute(Struct, frozen=True):
    """`ip route P M {A | INTERFACE [A]} [DISTANCE] …`.

    `interface` and `next_hop` are None where the line states none. `is_tracked` where a tracked
    object can withdraw it.
    """

    prefix: str  # "10.9.0.0/16"
    interface: str | None
    next_hop: str | None
    distance: int
    is_tracked: bool
    at: Location

    @property
    def network(self) -> IPv4Network:
        """The subnet that it leads to."""
        return IPv4Network(self.prefix)


class RoutesDraft(Struct):
    """Static routes, and the first words of other sources of routes, as far as they are read."""

    static: dict[str, StaticRoute] = field(default_factory=dict)
    others: list[Stated[str]] = field(default_factory=list)

    def read(self, line: Line, file: str) -> None:
        """Read a line with `ip route`; a line of another table, or that IOS refuses, is none."""
        route = _route(line, file)
        if route is not None:
            self.static[" ".join(line.words[2:])] = route

    def remove(self, words: list[str]) -> None:
        """Take `no ip route` with the words behind it: a route goes with all that begin so."""
        start = " ".join(words)
        for text in [text for text in self.static if f"{text} ".startswith(f"{start} ")]:
            del self.static[text]

    def note_other(self, line: Line, file: str, count: int) -> None:
        """Keep the first words of `router …` or `ip local policy …`."""
        first = " ".join(line.words[:count])
        self.others.append(Stated(first, Location(file, line.number)))


@lru_cache(maxsize=1 << 12)  # a proof reads each line again
def _route(line: Line, file: str) -> StaticRoute | None:
    words = line.words[2:]
    if words[:1] and words[0].lower() in _OF_OTHER_TABLES:
        return None
    try:
        network = IPv4Network("/".join(words[:2]))
    except ValueError:  # host bits, or no mask: IOS refuses it
        return None
    interface, next_hop, rest = None, _address(words[2:3]), words[3:]
    if next_hop is None and words[2:3]:
        interface = interface_name(words[2])
        next_hop = _address(rest[:1])
        rest = rest if next_hop is None else rest[1:]
    distance = whole_or_none(rest[0]) if rest else None
    return StaticRoute(
        prefix=str(network),
        interface=interface,
        next_hop=next_hop,
        distance=_DISTANCE if distance is None else min(distance, _MOST_DISTANCE),
        is_tracked="track" in [word.lower() for word in rest],
        at=Location(file, line.number),
    )


def _address(words: list[str]) -> str | None:
    try:
        return str(IPv4Address(words[0])) if words else None
    except AddressValueError:
        return None
