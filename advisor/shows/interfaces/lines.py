"""The grammar of `show interfaces`: the lines that are read, and the lines without use here.

Sources: the Cisco IOS Interface and Hardware Component Command Reference, `show interfaces`
(IOS 12.0 to 15.x), and printouts of IOS and IOS XE.
"""

import re
from typing import Final

from advisor.shows.interfaces import take_queue_line

HEADER: Final = re.compile(
    r"(?P<name>\S+(?: Plane Interface)?) is (?P<link>[a-z]+(?: [a-z]+)*)(?: \([\w-]+\))?,"
    r" line protocol is (?P<protocol>[a-z]+)(?: \((?P<port_state>[\w-]+)\))?"
    r"(?:\s*, Autostate \w+)?|(?P<pseudowire>pseudowire\d+) is (?P<pseudowire_link>up|down)"
)
_MTU: Final = (
    r"MTU (?P<mtu_bytes>\d+) bytes(?:, sub MTU \d+)?,"
    r" BW (?:(?P<bandwidth_kbps>\d+) Kbit(?:/sec)?|not configured)"
    r"(?:, (?:RxBW \d+ Kbit(?:/sec)?, )?DLY (?P<delay_us>\d+) usec)?"
)
_RELIABILITY: Final = (
    r"rel(?:y|iability) (?P<reliability>\d+)/255"
    r"(?:, txload (?P<txload>\d+)/255, rxload (?P<rxload>\d+)/255|, load (?P<load>\d+)/255)?"
)
_SETTINGS: Final = (
    r"(?:, (?:loopback (?P<loopback>(?:not )?set|enabled)|(?:LCP|multilink) [A-Za-z]+|crc \d+"
    r"|[Kk]eepalive (?P<keepalive>(?:not )?set|not supported)(?:\s+\((?P<keepalive_s>\d+) sec\))?"
    r"|Vlan ID\s+(?P<vlan_id>\d+)\.?|outer ID\s+(?P<outer_vlan_id>\d+)"
    r"|inner ID\s+(?P<inner_vlan_id>\d+)\.?|rx_mode \w+|DAC \S+))*"
)
_DUPLEX: Final = (
    r"(?P<duplex>full|half|auto|unknown)(?:[- ]duplex)?,\s*+(?P<speed>[^,]+?)"
    r"(?:,\s*link type is (?P<link_type>[^,]+))?(?:,\s*media type is\s*+(?P<media_type>[^,]*?))?"
    r"(?:,\s*(?!link|media)(?P<port_type>[^,]+))?"
)

# By the first word of the line.
_PATTERNS: Final = {
    "hardware": r"Hardware is (?!not present)(?P<hardware>.+?)"
    r"(?:, address is (?P<mac_address>[\w.]+)\s*\(bia (?P<burned_in_address>[\w.]+)\))?",
    "description:": r"Description:\s?(?P<description>.*)",
    "internet": r"Internet address (?:is|will be) (?P<internet_address>.+)",
    "mtu": rf"{_MTU},?(?:\s*{_RELIABILITY})?",
    "reliability": _RELIABILITY,
    "rely": _RELIABILITY,
    "encapsulation": r"Encapsulation (?P<encapsulation>[^,]+?)(?:(?<!\s)\s*\(default\))?"
    rf"{_SETTINGS},?",
    "open:": rf"Open: (?P<open>\w+(?:, [A-Z0-9]+)*){_SETTINGS}",
    "closed:": rf"Closed: \w+(?:, [A-Z0-9]+)*{_SETTINGS}",
    "listen:": rf"Listen: \w+(?:, [A-Z0-9]+)*{_SETTINGS}",
    "loopback": r"Loopback (?P<loopback>(?:not )?set|enabled)",
    "keepalive": r"Keepalive (?P<keepalive>(?:not )?set|not supported)"
    r"(?:\s+\((?P<keepalive_s>\d+) sec\))?(?:, retries \d+)?",
    "last": r"Last input (?P<last_input>[^,]+), output (?P<last_output>[^,]+)"
    r"(?:, output hang (?P<output_hang>.+))?"
    r'|Last clearing of ["\u201c-\u201f]show interface["\u201c-\u201f] counters:? '
    r"(?P<last_clearing>.+)",
    **dict.fromkeys(("full", "half", "auto", "unknown"), _DUPLEX),
}
_LINES: Final = {word: re.compile(text, re.IGNORECASE) for word, text in _PATTERNS.items()}
_FIRST_WORD: Final = re.compile(r"[a-z]+:?", re.IGNORECASE)
_RATE: Final = re.compile(
    r"(?P<interval>\d+) (?P<unit>second|minute)s? (?P<way>input|output) rate (?P<bps>-?\d+) "
    r"bits/sec, (?P<pps>-?\d+) packets/sec"
)

COUNTERS: Final = {
    "packets input": "input_packets",
    "bytes": "bytes",  # of the direction in which the line counts packets
    "no buffer": "no_buffer_packets",
    "broadcasts": "broadcasts_packets",
    "runts": "runts_packets",
    "giants": "giants_packets",
    "throttles": "throttles",
    "input errors": "input_errors",
    "CRC": "crc_errors",
    "frame": "frame_errors",
    "overrun": "overruns",
    "ignored": "ignored_packets",
    "abort": "aborts",
    "watchdog": "watchdogs",
    "multicast": "multicasts_packets",
    "pause input": "pause_input",
    "input packets with dribble condition detected": "dribbles_packets",
    "packets output": "output_packets",
    "underruns": "underruns",
    "output errors": "output_errors",
    "collisions": "collisions",
    "interface resets": "interface_resets",
    "unknown protocol drops": "unknown_protocol_drops_packets",
    "babbles": "babbles",
    "babble": "babbles",
    "late collision": "late_collisions",
    "deferred": "deferred_packets",
    "lost carrier": "lost_carrier",
    "no carrier": "no_carrier",
    "pause output": "pause_output",
    "PAUSE output": "pause_output",
    "output buffer failures": "output_buffer_failures",
    "output buffers swapped out": "output_buffers_swapped_out",
    "carrier transitions": "carrier_transitions",
    "transitions": "carrier_transitions",
    "restarts": "restarts",
}
_UNUSED_COUNTERS: Final = frozenset(
    (
        *("parity", "OAM cells input", "OAM cells output", "bridged packets", "fragments"),
        *("output broadcasts", "output multicasts"),
    )
)
_SIGNALS: Final = re.compile(r"(?<!\s)\s+DCD=.*")
_COUNTER: Final = re.compile(r"(-?\d+)\s+([A-Za-z].*)")
_BROADCASTS: Final = re.compile(r"(?:Received|Output) -?\d+ broadcasts")
_MULTICASTS: Final = re.compile(r"((?<!\d)-?\d+ broadcasts)\s*\((-?\d+) (?:IP )?multicasts?\)")

# No prediction or rule uses the other lines.
_UNUSED: Final = re.compile(
    r"""
      (?:in|out)put \s flow-control \s is | ARP \s type: | Carrier \s delay \s is
    | Asymmetric \s Carrier-Delay | Fec \s is | CRC \s checking | Restart-Delay
    | DTR \s is \s pulsed | Hardware \s is \s not \s present | Interface \s is \s (?:un|bound)
    | Address \s determined \s by | Clock \s mode \s is | Multicast \s reserved
    # tunnels and pseudowires
    | Tunnel\d* \s | Key \s (?:dis|0x) | Checksumming \s of | src-track: | Set \s of \s tunnels
    | Fast \s tunneling | Path \s MTU | Peer \s IP | RX$ | TX$
    | \d+ \s packets \s \d+ \s bytes \s \d+ \s drops
    # port-channels and switches
    | Members \s in \s this \s channel | Member \s \d+ \s : | No\. \s of \s | L[23] \s
    # Frame Relay
    | LMI \s | FR \s SVC | Broadcast \s queue | Segmentation
    # PPP, dialer and virtual access
    | Bound \s to: | Base \s PPP | Vaccess \s | PPPo\S+ \s | Cloned? \s from | Time \s to \s
    | Idle \s timer | (?:LCP|IPCP|multilink) \s | Protocol \s PPP | Dialer \s
    # ATM
    | Encapsulation\(s\): | \d+ \s maximum \s active \s VCs | VC \s (?:idle|Auto) | AAL5 \s
    | Signalling \s vc | UNI \s | Per \s VC
    # serial lines, POS, Token Ring
    | D(?:CD|SR|TR) ?[= ] | [RC]TS ?[= ] | Timeslot | Transmitter \s delay | Cable \s | Framing
    | Scramble | Non-inverted | (?:no \s )?alarm | Clock \s source | Ring \s speed
    | (?:Single|Multi) \s ring | Source \s (?:bridg|Route) | Ethernet \s Transit
    | Last \s Ring | Group \s Address | Mode: \s | Duplex: \s | proxy \s explorers
    # dial backup
    | Backup \s interface | kickin \s load | failure \s delay
    # X.25 and LAPB
    | X\.25 \s D[TCX]E | Defaults: \s | (?:cisco|IETF) \s encapsulation | input/output \s window
    | (?:Window|Packet) \s sizes: | Timers: \s | Channels: \s | RESTARTs \s | LAPB \s | T1 \s \d
    | VS \s \d | Queues: \s | IFRAMEs \s
    # SDLC
    | Router \s link \s station | Timers \s \(msec\) | slow-poll | poll-(?:pause|limit)
    | N[12] \s \( | T1 \s \( | k \s \(windowsize\) | modulo \s \d | sdlc \s | cls_state
    | Hold \s queue: | TESTs \s | RNRs \s | Poll: \s
    # IOSv counts bytes with the words of packets
    | Received \s (?:(?! with \s+ with).)*+ with \s+ with \s .* K \s bytes
    """,
    re.VERBOSE | re.IGNORECASE,
)


def take_line(body: str, fields: dict[str, str]) -> bool:
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
    match = pattern.fullmatch(body) if pattern else None
    if match is not None:
        fields.update((key, text) for key, text in match.groupdict().items() if text is not None)
        return True
    return take_queue_line(body, fields) or _is_unused(body)


def _is_unused(body: str) -> bool:
    return _UNUSED.match(body) is not None


def _take_rate(body: str, fields: dict[str, str]) -> bool:
    match = _RATE.fullmatch(body)
    if match is None:
        return False
    way = match["way"]
    fields[f"{way}_interval"] = match["interval"]
    fields[f"{way}_interval_unit"] = match["unit"]
    fields[f"{way}_bps"] = match["bps"]
    fields[f"{way}_pps"] = match["pps"]
    return True


def _take_broadcasts(body: str, fields: dict[str, str]) -> bool:
    """Read the broadcast line: 12.x adds the runts to it, 15.x the multicasts."""
    way, _, counters = body.partition(" ")
    counters = _MULTICASTS.sub(r"\1", counters)
    if way == "Output":
        return re.fullmatch(r"-?\d+ broadcasts", counters) is not None
    return _take_counters(counters, fields)


def _take_counters(body: str, fields: dict[str, str]) -> bool:
    """Read `12 packets input, 3400 bytes, 0 no buffer`; modem signals may follow on the line."""
    counters: dict[str, str] = {}
    for part in _SIGNALS.sub("", body).rstrip(",").split(","):
        match = _COUNTER.fullmatch(part.strip())
        if match is None:
            return False
        value, name = match[1], match[2].strip()
        if name in _UNUSED_COUNTERS:
            continue
        key = COUNTERS.get(name)
        if key is None:
            return False
        if key == "bytes":
            key = "output_bytes" if "output_packets" in counters else "input_bytes"
        counters[key] = value
    fields.update(counters)
    return True
