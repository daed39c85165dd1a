"""Keys of a `[[traffic]]` table: rates, packets of voice codecs, arrival patterns, TCP flows."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct, field

from advisor.ground.data import Key
from advisor.settings import (
    MOST_FLOWS,
    Pattern,
    StatedBacklog,
    StatedBursts,
    StatedJitter,
    StatedOnOff,
    StatedTcp,
)
from advisor.settings.document import TomlDocument, nearest

# The keys of a `[[traffic]]` table and their possible values.

_LEAST_IP_BYTES, _MAX_IP_BYTES = 20, 65_535  # RFC 791: a header without data; total length
_MAX_TRANSACTION_BYTES = 1_000_000_000

IpBytes = Annotated[int, Meta(ge=_LEAST_IP_BYTES, le=_MAX_IP_BYTES)]
Rate = Annotated[float, Meta(ge=0, le=1e12)]
Packets = Annotated[int, Meta(ge=1, le=1_000_000)]
Duration = Annotated[float, Meta(ge=0, le=60_000)]
LongDuration = Annotated[float, Meta(gt=0, le=86_400_000)]
Rtt = Annotated[float, Meta(gt=0, le=60_000)]


class SizeShare(Struct, frozen=True, forbid_unknown_fields=True):
    """One size of a mix."""

    bytes: IpBytes
    share: Annotated[float, Meta(gt=0, le=1)]


class SizeRange(Struct, frozen=True, forbid_unknown_fields=True):
    """Sizes from `min` to `max` bytes, all equally likely."""

    min: IpBytes
    max: IpBytes


class TrafficTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a table as the user writes them."""

    class_name: str | None = field(name="class", default=None)
    device: str = "*"
    interface: str = "*"
    packet_bytes: IpBytes | tuple[SizeShare, ...] | SizeRange | None = None
    rate_kbps: Rate | None = None
    packets_per_second: Rate | None = None
    streams: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    conversations: Annotated[int, Meta(ge=1, le=MOST_FLOWS)] | None = None
    arrivals: str | None = None
    jitter_ms: Duration | None = None
    burst_packets: Packets | None = None
    burst_spacing_ms: Duration | None = None
    on_ms: LongDuration | None = None
    off_ms: LongDuration | None = None
    backlog_packets: Packets | None = None
    calls: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None
    codec: str | None = None
    packet_ms: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    dscp: int | str | None = None
    precedence: int | str | None = None
    group: Annotated[str, Meta(min_length=1)] | None = None
    tcp_flows: Annotated[int, Meta(ge=1, le=MOST_FLOWS)] | None = None
    rtt_ms: Rtt | tuple[Rtt, ...] | None = None
    receiver_window_bytes: Annotated[int, Meta(ge=1, le=2**30)] | None = None
    transfer_bytes: Annotated[int, Meta(ge=1, le=2**40)] | None = None
    target_share_percent: Annotated[float, Meta(gt=0, le=100)] | None = None
    ip_sla: bool | None = None
    peak_tps: Rate | None = None
    out_bytes: Annotated[int, Meta(ge=0, le=_MAX_TRANSACTION_BYTES)] | None = None
    in_bytes: Annotated[int, Meta(ge=0, le=_MAX_TRANSACTION_BYTES)] | None = None
    ru_bytes: Annotated[int, Meta(ge=_LEAST_IP_BYTES, le=_MAX_IP_BYTES)] | None = None


# Packets of the voice codecs, from codecs.toml.

_TABLE = Path(__file__).with_name("codecs.toml")
DEFAULT_PACKET_MS = 20


class VoicePacket(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One packetization of a codec: IP bytes every `packet_ms`."""

    packet_ms: int
    ip_bytes: int
    source: str


class Codec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A codec at one bit rate."""

    name: str
    aliases: tuple[str, ...]
    packets: tuple[VoicePacket, ...]

    def packet(self, packet_ms: int | None) -> VoicePacket | None:
        """Packet of a packetization; for None the default one (20 ms, else the only one)."""
        by_ms = {packet.packet_ms: packet for packet in self.packets}
        if packet_ms is not None:
            return by_ms.get(packet_ms)
        return by_ms.get(DEFAULT_PACKET_MS, self.packets[0])


class CodecError(LookupError):
    """A codec or a packetization is not in the table; `key` says which of the two."""

    def __init__(self, key: str, message: str) -> None:
        super().__init__(message)
        self.key = key


class Codecs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table of codecs."""

    codec: tuple[Codec, ...]
    ambiguous: dict[str, tuple[str, ...]]

    @property
    def names(self) -> list[str]:
        return [codec.name for codec in self.codec]

    def find(self, name: str) -> Codec | None:
        """Codec of a name or an alias, without regard to case, dots, blanks and hyphens."""
        bare_name = _bare(name)
        for codec in self.codec:
            if bare_name in map(_bare, (codec.name, *codec.aliases)):
                return codec
        return None

    def packet(self, name: str, packet_ms: int | None = None) -> tuple[Codec, VoicePacket]:
        """Codec of a name, and its packet for `packet_ms` or the default packetization.

        Raises
        ------
        CodecError
            If the name is unknown or has several bit rates, or the codec has no such packet.
        """
        if choices := self.choices(name):
            message = f"{name} has several bit rates: write {' or '.join(choices)}"
            raise CodecError("codec", message)
        codec = self.find(name)
        if codec is None:
            raise CodecError("codec", f"unknown {name!r}; {nearest(name, self.names)}")
        packet = codec.packet(packet_ms)
        if packet is None:
            sizes = ", ".join(str(packet.packet_ms) for packet in codec.packets)
            message = f"{codec.name} is known with {sizes} ms, not {packet_ms}"
            raise CodecError("packet_ms", message)
        return codec, packet

    def choices(self, name: str) -> tuple[str, ...]:
        """Codecs that a name without a bit rate may mean; empty for every other name."""
        ambiguous = self.ambiguous.items()
        return next((names for alias, names in ambiguous if _bare(alias) == _bare(name)), ())


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def load_codecs() -> Codecs:
    """Read the shipped table."""
    return msgspec.toml.decode(_TABLE.read_bytes(), type=Codecs)


# Keys of a `[[traffic]]` table about how packets arrive: jitter, bursts, talk spurts, backlog.

BURSTS, ON_OFF, PERIODIC, SATURATED = "bursts", "on-off", "periodic", "saturated"
ARRIVALS = (PERIODIC, "poisson", BURSTS, ON_OFF, SATURATED)
_ARRIVALS_OF_KEY = {
    "jitter_ms": PERIODIC,
    "burst_packets": BURSTS,
    "burst_spacing_ms": BURSTS,
    "on_ms": ON_OFF,
    "off_ms": ON_OFF,
    "backlog_packets": SATURATED,
}
PATTERN_KEYS = tuple(_ARRIVALS_OF_KEY)
_NEEDED = {BURSTS: ("burst_packets",), ON_OFF: ("on_ms", "off_ms")}


def arrivals_of(document: TomlDocument, key: Key, table: TrafficTable) -> str:
    """Arrivals of a table: those that it states, else the usual ones of what it describes.

    Raises
    ------
    SettingsError
        If the arrivals are unknown, or lack a key, or a key is of other arrivals.
    """
    if table.arrivals is not None:
        document.one_of((*key, "arrivals"), table.arrivals, ARRIVALS)
    default = PERIODIC if table.calls is not None else "poisson"
    arrivals = table.arrivals or (default if table.tcp_flows is None else SATURATED)
    for name, of in _ARRIVALS_OF_KEY.items():
        if getattr(table, name) is not None and arrivals != of:
            message = f'{name} goes with arrivals = "{of}"; the arrivals here are "{arrivals}"'
            raise document.error((*key, name), message)
    for name in _NEEDED.get(arrivals, ()):
        if getattr(table, name) is None:
            raise document.error((*key, "arrivals"), f'arrivals = "{arrivals}" needs {name}')
    if arrivals == BURSTS and table.calls is not None:
        message = 'calls send no bursts: write arrivals = "periodic" or "on-off"'
        raise document.error((*key, "arrivals"), message)
    return arrivals


def pattern_of(table: TrafficTable) -> Pattern | None:
    """Arrival pattern of a table beyond its mean rate; None if none is stated."""
    if table.burst_packets is not None:
        return StatedBursts(table.burst_packets, table.burst_spacing_ms or 0.0)
    if table.on_ms is not None and table.off_ms is not None:
        return StatedOnOff(table.on_ms, table.off_ms)
    if table.jitter_ms is not None:
        return StatedJitter(table.jitter_ms)
    if table.backlog_packets is not None:
        return StatedBacklog(table.backlog_packets)
    return None


# Keys of a `[[traffic]]` table about TCP flows and the marking of packets.

_TCP_KEYS = ("rtt_ms", "receiver_window_bytes", "transfer_bytes", "target_share_percent")
_KEYS_WITHOUT_TCP = (
    *("rate_kbps", "packets_per_second", "streams", "conversations", "arrivals", "calls", "codec"),
    *PATTERN_KEYS,
)
_DSCP = re.compile(r"af[1-4][1-3]|cs[1-7]|ef|default|\d|[1-5]\d|6[0-3]")
_PRECEDENCE = re.compile(
    "[0-7]|routine|priority|immediate|flash|flash-override|critical|internet|network"
)


def refuse_beside_tcp(document: TomlDocument, table_key: Key, table: TrafficTable) -> None:
    """Refuse keys that TCP flows determine themselves, and TCP keys without TCP flows.

    Raises
    ------
    SettingsError
        If a table has such a key.
    """
    if table.tcp_flows is None:
        if excess := [key for key in _TCP_KEYS if getattr(table, key) is not None]:
            message = f"{excess[0]} goes with tcp_flows, which is missing"
            raise document.error((*table_key, excess[0]), message)
        return
    if excess := [key for key in _KEYS_WITHOUT_TCP if getattr(table, key) is not None]:
        message = f"tcp_flows send what the network lets them: drop {excess[0]}"
        raise document.error((*table_key, excess[0]), message)
    if not isinstance(table.packet_bytes, int | None):
        message = "packet_bytes: TCP flows of a table have one size; write one number"
        raise document.error((*table_key, "packet_bytes"), message)


def marking_of(
    document: TomlDocument, key: Key, dscp: int | str | None, precedence: int | str | None
) -> str | None:
    """Marking of the packets: "dscp af11", "precedence 5"; None if the table states none.

    Raises
    ------
    SettingsError
        If the table states both, or a value that is not a code.
    """
    if dscp is not None and precedence is not None:
        raise document.error((*key, "precedence"), "give dscp or precedence, not both")
    for name, value, pattern, choices in (
        ("dscp", dscp, _DSCP, "0 to 63, af11 to af43, cs1 to cs7, ef or default"),
        ("precedence", precedence, _PRECEDENCE, "0 to 7 or a name from routine to network"),
    ):
        if value is None:
            continue
        word = str(value).lower()
        if pattern.fullmatch(word) is None:
            raise document.error((*key, name), f"{name}: unknown {value!r}; it takes {choices}")
        return f"{name} {word}"
    return None


def tcp_of(document: TomlDocument, key: Key, table: TrafficTable) -> StatedTcp | None:
    """TCP flows of a table; None if it states none.

    Raises
    ------
    SettingsError
        If the round trip is neither a number nor an interval.
    """
    if table.tcp_flows is None:
        return None
    rtt_ms = table.rtt_ms
    ends = rtt_ms if isinstance(rtt_ms, tuple) else () if rtt_ms is None else (rtt_ms, rtt_ms)
    low, high = (ends[0], ends[1]) if len(ends) == 2 else (None, None)  # noqa: PLR2004
    if rtt_ms is not None and (low is None or high is None or low > high):
        message = "rtt_ms: takes a number, or minimum and maximum like [20, 80]"
        raise document.error((*key, "rtt_ms"), message)
    return StatedTcp(
        table.tcp_flows,
        low,
        high,
        table.receiver_window_bytes,
        table.transfer_bytes,
        table.target_share_percent,
    )
