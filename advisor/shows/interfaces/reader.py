"""`show interfaces`: the kind, the load and the counters of each interface."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from advisor.ground.units import bps_from_kbps, bytes_in_ms, decimal, ms_from_s, whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.interfaces import QueueState, queue_state, take_queue_line
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    age_s,
    blocks_of,
    count,
    present,
    ratio,
    read_blocks,
    record_of,
    take_facts,
)

_EXPECTED: Final = "show interfaces"
_SPEED: Final = re.compile(r"(?P<figure>\d+(?:\.\d+)?) ?(?P<scale>[MG])b(?:ps|/s)", re.IGNORECASE)
_KBPS: Final = {"M": 1_000, "G": 1_000_000}
# Lines above the ages and the counters.
_ABOVE_AGES: Final = (
    "name link protocol port_state hardware mac_address burned_in_address description "
    "internet_address mtu_bytes bandwidth_kbps delay_us reliability txload rxload load "
    "encapsulation open loopback keepalive keepalive_s vlan_id duplex speed link_type "
    "media_type port_type"
)
_INTERVAL_S: Final = {"second": 1, "minute": 60}


class MeasuredRate(Struct, frozen=True):
    """Average rate of one direction, exponentially weighted over `interval_s`.

    The bits count packets with their layer-2 header, without flags, FCS and cells.
    """

    interval_s: int
    rate_bps: int | None
    rate_packets_per_s: int | None

    @property
    def mean_packet_bytes(self) -> float | None:
        """Mean packet with its layer-2 header; None if nothing was counted."""
        if not self.rate_bps or not self.rate_packets_per_s:
            return None
        return bytes_in_ms(self.rate_bps, ms_from_s(1)) / self.rate_packets_per_s


class InterfaceCounters(Struct, frozen=True):
    """Totals since the last clearing; None if a counter is not printed or has wrapped."""

    input_packets: int | None
    input_bytes: int | None
    no_buffer_packets: int | None
    broadcasts_packets: int | None
    multicasts_packets: int | None
    runts_packets: int | None
    giants_packets: int | None
    throttles: int | None
    input_errors: int | None
    crc_errors: int | None
    frame_errors: int | None
    overruns: int | None
    ignored_packets: int | None
    aborts: int | None
    watchdogs: int | None
    received_multicasts_packets: int | None
    pause_input_frames: int | None
    dribbles_packets: int | None
    oam_input_cells: int | None
    output_packets: int | None
    output_bytes: int | None
    output_broadcasts_packets: int | None
    output_multicasts_packets: int | None
    underruns: int | None
    output_errors: int | None
    collisions: int | None
    babbles: int | None
    late_collisions: int | None
    deferred_packets: int | None
    interface_resets: int | None
    unknown_protocol_drops_packets: int | None
    lost_carrier: int | None
    no_carrier: int | None
    pause_output_frames: int | None
    oam_output_cells: int | None
    restarts: int | None
    output_buffer_failures: int | None
    output_buffers_swapped_out: int | None
    carrier_transitions: int | None


class ObservedTunnel(Struct, frozen=True):
    """The lines of a tunnel: its ends, and what it says of the packets around those it carries."""

    source: str | None
    source_interface: str | None
    destination: str | None
    transport: str | None
    tos: str | None
    ttl: int | None
    transport_mtu_bytes: int | None
    transmit_bandwidth_bps: float | None
    receive_bandwidth_bps: float | None


class ObservedInterface(Struct, frozen=True):
    """One interface or subinterface as `show interfaces` prints it.

    `link` and `protocol` are the words of IOS (`administratively down`, `up`). Switches add
    `port_state` (`notconnect`). `load_ratio` is the one load figure of IOS up to 12.0; later
    releases print one for each direction. Ages are as printed: `never`, `00:00:03`, `1d19h`.
    """

    name: str
    link: str
    protocol: str | None
    port_state: str | None
    hardware: str | None
    mac_address: str | None
    burned_in_address: str | None
    description: str | None
    internet_address: str | None
    unnumbered_from: str | None
    mtu_bytes: int | None
    sub_mtu_bytes: int | None
    bandwidth_bps: float | None
    receive_bandwidth_bps: float | None
    delay_us: int | None
    reliability_ratio: float | None
    txload_ratio: float | None
    rxload_ratio: float | None
    load_ratio: float | None
    encapsulation: str | None
    vlan_id: int | None
    outer_vlan_id: int | None
    inner_vlan_id: int | None
    is_looped: bool | None
    has_keepalive: bool | None
    keepalive_s: int | None
    duplex: str | None
    port_speed_bps: float | None
    media_type: str | None
    arp_type: str | None
    arp_timeout_s: int | None
    members: tuple[str, ...]
    active_members: int | None
    tunnel: ObservedTunnel | None
    last_input: str | None
    last_output: str | None
    output_hang: str | None
    last_clearing: str | None
    queues: QueueState
    input_rate: MeasuredRate | None
    output_rate: MeasuredRate | None
    counters: InterfaceCounters
    at: Location

    @property
    def counters_age_s(self) -> int | None:
        """Seconds that the counters have been counting; None if they were never cleared."""
        return age_s(self.last_clearing)


# Lines of an interface to its raw fields; `lines.txt` has the lines.

_LAYOUT: Final = layout("shows/interfaces/lines.txt")
_HEADER: Final = _LAYOUT.part("HEADER")
_LINES: Final = {
    word: pattern
    for words, pattern in _LAYOUT.patterns("lines", re.IGNORECASE).items()
    for word in words.split()
}
_COUNTERS: Final = _LAYOUT.fields("counters")
_UNUSED: Final = _LAYOUT.any_of("unused", re.IGNORECASE)
_FIRST_WORD: Final = re.compile(r"[a-z]+:?", re.IGNORECASE)
_RATE: Final = re.compile(
    r"(?P<interval>\d+) (?P<unit>second|minute)s? (?P<way>input|output) rate (?P<bps>-?\d+) "
    r"bits/sec, (?P<pps>-?\d+) packets/sec"
)

_SIGNALS: Final = re.compile(r"(?<!\s)\s+DCD=.*")
_COUNTER: Final = re.compile(r"(-?\d+)\s+([A-Za-z].*)")
_BROADCASTS: Final = re.compile(r"(?:Received|Output) -?\d+ broadcasts")
_BROADCASTS_SENT: Final = re.compile(
    r"Output (?P<output_broadcasts_packets>-?\d+) broadcasts"
    r"(?:\s*\((?P<output_multicasts_packets>-?\d+) (?:IP )?multicasts?\))?"
)
_MULTICASTS: Final = re.compile(r"((?<!\d)-?\d+ broadcasts)\s*\((-?\d+) (?:IP )?multicasts?\)")


def _take_line(body: str, fields: dict[str, str]) -> bool:
    """Add the figures of one line to the raw fields of its interface; False if it is unknown."""
    if body[0] in "-0123456789":
        return (
            _take_rate(body, fields)
            or _take_counters(body, fields)
            or take_queue_line(body, fields)
            or _is_unused(body)
        )
    if _BROADCASTS.match(body) and _take_broadcasts(body, fields):
        return True
    word = _FIRST_WORD.match(body)
    pattern = _LINES.get(word[0].lower()) if word else None
    is_known = pattern is not None and take_facts(body, fields, (pattern,))
    return is_known or take_queue_line(body, fields) or _is_unused(body)


def _is_unused(body: str) -> bool:
    return _UNUSED.match(body) is not None


def _take_rate(body: str, fields: dict[str, str]) -> bool:
    match = _RATE.fullmatch(body)
    if match is None:
        return False
    rate = match.groupdict()
    way = rate.pop("way")
    fields.update({f"{way}_{key}": text for key, text in rate.items()})
    return True


def _take_broadcasts(body: str, fields: dict[str, str]) -> bool:
    """Read the broadcast line: 12.x adds the runts to it, 15.x the multicasts."""
    if body.startswith("Output"):
        return take_facts(body, fields, (_BROADCASTS_SENT,))
    counters = body.partition(" ")[2]
    return _take_counters(_MULTICASTS.sub(r"\1, \2 IP multicasts", counters), fields)


def _take_counters(body: str, fields: dict[str, str]) -> bool:
    """Read `12 packets input, 3400 bytes, 0 no buffer`; modem signals may follow on the line."""
    counters: dict[str, str] = {}
    for part in _SIGNALS.sub("", body).rstrip(",").split(","):
        match = _COUNTER.fullmatch(part.strip())
        if match is None:
            return False
        value, name = match[1], match[2].strip()
        key = _COUNTERS.get(name)
        if key is None:
            return False
        if key == "bytes":
            key = "output_bytes" if "output_packets" in counters else "input_bytes"
        if key:
            counters[key] = value
    fields.update(counters)
    return True


# The interfaces of an output.


def read_interfaces(text: str, file: str, first_line: int = 1) -> OutputReading[ObservedInterface]:
    """Interfaces of a `show interfaces` output, in order.

    Reads the layouts of IOS 11.x to 15.x and IOS XE, with or without indentation. An interface
    with a line that `show interfaces` does not print is declined, and so is the last one where
    the output was cut above its counters.

    Parameters
    ----------
    text
        The output; it may hold the prompt and the echoed command.
    file, first_line
        Where the text comes from, for locations.

    Raises
    ------
    LayoutError
        If there is no interface.
    """
    output = Output(text, file, first_line, _EXPECTED)
    blocks = blocks_of(output.lines(), _HEADER, name=_name)
    has_lines = any(block.lines for block in blocks.blocks)
    is_whole = (has_lines or output.typed is not None) and not output.is_filtered
    last = blocks.blocks[-1] if is_whole and blocks.blocks else None

    def read(block: Block) -> ObservedInterface:
        fields = present(block.match)
        for line in block.lines:
            if not _take_line(line.text, fields):
                raise output.unknown(line)
        interface = _interface(fields, output.at(block.head))
        if block is last and _is_cut(fields):
            raise output.ends([block.head, *block.lines][-1], "its line of packets output")
        return interface

    return read_blocks(output, OutputPart.INTERFACE, blocks, read)


def _is_cut(fields: Mapping[str, str]) -> bool:
    """Whether an interface ends in its ages or above; a subinterface prints no counters.

    One with queues or rates and no counters is an excerpt that somebody made.
    """
    if "output_packets" in fields or "." in fields.get("name", "."):
        return False
    return "last_output" in fields or fields.keys() <= set(_ABOVE_AGES.split())


def _name(header: re.Match[str]) -> str:
    return header["name"] or header["pseudowire"]


def _interface(fields: Mapping[str, str], at: Location) -> ObservedInterface:
    get = fields.get
    looped, keepalive = get("loopback"), get("keepalive")
    return record_of(
        ObservedInterface,
        fields,
        name=get("name") or fields["pseudowire"],
        link=get("link") or fields["pseudowire_link"],
        bandwidth_bps=_bandwidth_bps(get("bandwidth_kbps")),
        receive_bandwidth_bps=_bandwidth_bps(get("receive_kbps")),
        reliability_ratio=ratio(get("reliability")),
        txload_ratio=ratio(get("txload")),
        rxload_ratio=ratio(get("rxload")),
        load_ratio=ratio(get("load")),
        is_looped=None if looped is None else not looped.startswith("not"),
        has_keepalive=None if keepalive is None else not keepalive.startswith("not"),
        duplex=_lower(get("duplex")),
        port_speed_bps=_speed_bps(get("speed")),
        media_type=get("media_type") or get("port_type"),
        arp_timeout_s=age_s(_age(get("arp_timeout"))),
        members=tuple(get("members", "").split()),
        tunnel=_tunnel(fields),
        last_input=_age(get("last_input")),
        last_output=_age(get("last_output")),
        output_hang=_age(get("output_hang")),
        last_clearing=_age(get("last_clearing")),
        queues=queue_state(fields),
        input_rate=_rate(fields, "input"),
        output_rate=_rate(fields, "output"),
        counters=record_of(InterfaceCounters, fields),
        at=at,
    )


_OF_TUNNELS: Final = frozenset(
    {*ObservedTunnel.__struct_fields__, "transmit_kbps", "tunnel_receive_kbps"}
)


def _tunnel(fields: Mapping[str, str]) -> ObservedTunnel | None:
    if not _OF_TUNNELS & fields.keys():
        return None
    return record_of(
        ObservedTunnel,
        fields,
        transmit_bandwidth_bps=_bandwidth_bps(fields.get("transmit_kbps")),
        receive_bandwidth_bps=_bandwidth_bps(fields.get("tunnel_receive_kbps")),
    )


def _bandwidth_bps(kbps: str | None) -> float | None:
    value = count(kbps)
    return None if value is None else bps_from_kbps(value)


def _rate(fields: Mapping[str, str], direction: str) -> MeasuredRate | None:
    interval = fields.get(f"{direction}_interval")
    if interval is None:
        return None
    return MeasuredRate(
        interval_s=whole(interval) * _INTERVAL_S[fields[f"{direction}_unit"]],
        rate_bps=count(fields[f"{direction}_bps"]),
        rate_packets_per_s=count(fields[f"{direction}_pps"]),
    )


def _speed_bps(text: str | None) -> float | None:
    match = _SPEED.fullmatch(text) if text else None
    if match is None:
        return None
    return bps_from_kbps(decimal(match["figure"]) * _KBPS[match["scale"].upper()])


def _lower(text: str | None) -> str | None:
    return text.lower() if text else None


def _age(text: str | None) -> str | None:
    return text.replace(" ", "") if text else None
