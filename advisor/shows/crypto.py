"""Packets lost to the check against replay, as counted and as logged; NAT between the ends."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    blocks_of,
    declined,
    read_blocks,
    record_of,
    take_facts,
)

# `show crypto ipsec sa`: the counters of each interface.
#
# Source: Cisco document 116858 and public captures: `##pkts replay failed (rcv): 4821` of the
# detailed form; of each association `replay detection support: Y  replay window size: 1024`,
# `transform: esp-256-aes esp-sha-hmac ,` and `in use settings ={Tunnel UDP-Encaps, }`, where a NAT
# is between the ends. What it prints of keys has no use.

_LAYOUT: Final = layout("shows/crypto.txt")
_COUNTER: Final = _LAYOUT.part("COUNTER")
_COUNTERS: Final = _LAYOUT.fields("counters")
_FLOW: Final = tuple(_LAYOUT.patterns("flow").values())
_UNUSED: Final = _LAYOUT.any_of("unused")
_LOCAL_END: Final = re.compile(r"local\s+ident\b")
_EXPECTED: Final = "show crypto ipsec sa"
_HEAD: Final = re.compile(r"interface: (\S+)")
_FAILED: Final = re.compile(r"#{1,2}pkts replay failed \(rcv\):? (\d+)(?:,.*)?")
_DECAPSULATED: Final = re.compile(r"#pkts decaps: (\d+)(?:,.*)?")
_WINDOW: Final = re.compile(r"replay detection support: \w+(?:\s+replay window size: (\d+))?")
_SETTINGS: Final = re.compile(r"in use settings =\{(.*)\}")
_TRANSFORM: Final = re.compile(r"transform: ([^,]*\S)\s*,.*")
_KEY_LENGTH: Final = re.compile(r"esp-\d+-aes")  # `esp-256-aes`, where a line has `esp-aes 256`
_GROUP: Final = re.compile(r"(inbound|outbound) \w+ sas:")
_LEAVING: Final = "outbound esp sas:"
_UDP: Final = "UDP-Encaps"
_LAST: Final = "outbound pcp sas:"

_NONE: Final = re.compile(r"No SAs found|There are no ipsec sas")


class Association(Struct, frozen=True):
    """What ESP does to packets that leave: the words of a transform set, without key lengths."""

    words: tuple[str, ...]
    is_transport: bool

    def __str__(self) -> str:
        return " ".join(self.words)


class FlowCounters(Struct, frozen=True):
    """Counters of a flow since the last clearing; None: not printed."""

    encapsulated_packets: int | None
    encrypted_packets: int | None
    digested_packets: int | None
    decapsulated_packets: int | None
    decrypted_packets: int | None
    verified_packets: int | None
    compressed_packets: int | None
    decompressed_packets: int | None
    not_compressed_packets: int | None
    compression_failed_packets: int | None
    not_decompressed_packets: int | None
    decompression_failed_packets: int | None
    send_errors: int | None
    receive_errors: int | None
    no_association_packets: int | None
    invalid_association_packets: int | None
    encapsulation_failed_packets: int | None
    decapsulation_failed_packets: int | None
    invalid_protocol_packets: int | None
    verification_failed_packets: int | None
    invalid_identity_packets: int | None
    invalid_length_packets: int | None
    rollovers_sent: int | None
    rollovers_received: int | None
    replay_failed_packets: int | None
    tagged_packets: int | None
    untagged_packets: int | None
    not_tagged_packets: int | None
    not_untagged_packets: int | None
    internal_send_errors: int | None
    internal_receive_errors: int | None


class ProtectedFlow(Struct, frozen=True):
    """Packets between two ends, as `192.0.2.1/255.255.255.255/47/0`, and the peer they go to.

    The MTU of the path is that to the peer, `plaintext_mtu_bytes` what of it is left inside IPsec.
    """

    local: str | None
    remote: str | None
    peer: str | None
    peer_port: int | None
    plaintext_mtu_bytes: int | None
    path_mtu_bytes: int | None
    media_mtu_bytes: int | None
    ip_mtu_bytes: int | None
    mtu_interface: str | None
    counters: FlowCounters


class ProtectedInterface(Struct, frozen=True):
    """An interface with IPsec, and the packets of all its peers that came too late.

    `replay_failed_packets` is None where the form without `detail` does not print them, and
    `window_packets` where no association says how many packets its window holds: else it is the
    shortest one. `has_udp` is None where no association is printed, and where some have the header
    of UDP. `associations` are those of the packets that leave, each kind once.
    """

    interface: str
    replay_failed_packets: int | None
    decapsulated_packets: int | None
    window_packets: int | None
    at: Location
    has_udp: bool | None = None
    associations: tuple[Association, ...] = ()
    flows: tuple[ProtectedFlow, ...] = ()


def read_protected_interfaces(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ProtectedInterface]:
    """Interfaces of a `show crypto ipsec sa` output, with `detail` or without, in order.

    An unknown line costs its interface. Where the output is cut, the last interface has what was
    counted up to there.

    Raises
    ------
    LayoutError
        If there is no interface.
    """
    output = Output(text, file, first_line, _EXPECTED)
    lines = tuple(output.lines())
    if lines and all(_NONE.fullmatch(line.text) for line in lines):
        return OutputReading(())
    blocks = blocks_of(lines, _HEAD)
    reading = read_blocks(
        output, OutputPart.INTERFACE, blocks, lambda block: _protected(output, block)
    )
    last = blocks.blocks[-1]
    if output.is_filtered or any(line.text == _LAST for line in last.lines[-5:]):
        return reading
    cut = output.ends((last.head, *last.lines)[-1], f"its line of {_LAST}")
    part = declined(OutputPart.INTERFACE, last.name, output.at(last.head), cut)
    return OutputReading(reading.records, (*reading.declined, part))


def _protected(output: Output, block: Block) -> ProtectedInterface:
    failed = tuple(_figures(output, block, _FAILED, "replay failed"))
    arrived = [packets for _, packets in _figures(output, block, _DECAPSULATED, "#pkts decaps:")]
    windows = [packets for _, packets in _figures(output, block, _WINDOW, "replay detection")]
    failing = (line for line, packets in failed if packets)
    udp = {_UDP in found[1] for line in block.lines if (found := _SETTINGS.fullmatch(line.text))}
    return ProtectedInterface(
        block.name,
        sum(packets for _, packets in failed) if failed else None,
        sum(arrived) if arrived else None,
        min(windows, default=None),
        output.at(next(failing, block.head)),
        udp.pop() if len(udp) == 1 else None,
        tuple(dict.fromkeys(_associations(block))),
        tuple(_flows(output, block)),
    )


def _flows(output: Output, block: Block) -> Iterator[ProtectedFlow]:
    """The flows of an interface, each from the line of its local end on."""
    facts: dict[str, str] = {}
    for line in block.lines:
        if _LOCAL_END.match(line.text) and facts:
            yield _flow(facts)
            facts = {}
        is_known = _take_counters(line.text, facts) or take_facts(line.text, facts, _FLOW, _UNUSED)
        if not is_known:
            raise output.unknown(line)
    if facts:
        yield _flow(facts)


def _flow(facts: dict[str, str]) -> ProtectedFlow:
    return record_of(ProtectedFlow, facts, counters=record_of(FlowCounters, facts))


def _take_counters(text: str, facts: dict[str, str]) -> bool:
    """Read `#pkts encaps: 12, #pkts encrypt: 12, #pkts digest: 12`."""
    found = [_COUNTER.fullmatch(part.strip()) for part in text.split(",")]
    labels = [match["label"] for match in found if match is not None]
    if len(labels) != len(found) or not all(label in _COUNTERS for label in labels):
        return False
    facts.update({_COUNTERS[match["label"]]: match["figure"] for match in found if match})
    return True


def _associations(block: Block) -> Iterator[Association]:
    """Associations of packets that leave, each by its lines `transform:` and `in use settings`."""
    words, leaves = None, False
    for line in block.lines:
        if _GROUP.fullmatch(line.text):
            words, leaves = None, line.text == _LEAVING
        elif leaves and (transform := _TRANSFORM.fullmatch(line.text)) is not None:
            words = _KEY_LENGTH.sub("esp-aes", transform[1]).split()
        elif words is not None and (settings := _SETTINGS.fullmatch(line.text)) is not None:
            yield Association(tuple(words), settings[1].startswith("Transport"))
            words = None


def _figures(
    output: Output, block: Block, kind: re.Pattern[str], words: str
) -> Iterator[tuple[ShownLine, int]]:
    """Figures of the lines with these words; one in another layout costs the interface."""
    for line in block.lines:
        found = kind.fullmatch(line.text) if words in line.text else None
        if words in line.text and found is None:
            raise output.unknown(line)
        if found is not None and found[1] is not None:
            yield line, whole(found[1])


# `show logging`: the messages that tell of such packets; no other message has a use.
#
# Source: Cisco document 116858: %CRYPTO-4-PKT_REPLAY_ERR of IOS, %IPSEC-3-REPLAY_ERROR of IOS XE,
# at most one in a while, whatever is dropped.

_REPLAY_MESSAGE: Final = re.compile(r"%(?:CRYPTO-\d-PKT_REPLAY_ERR|IPSEC-\d-REPLAY_ERROR)\b")


class ReplayMessages(Struct, frozen=True):
    """How many messages of a log tell of packets that came too late; `at` is the last one."""

    messages: int
    at: Location


def read_replay_messages(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ReplayMessages]:
    """Messages of such packets in a log; none where none is in what the log still holds."""
    output = Output(text, file, first_line, "show logging")
    found = [line for line in output.lines() if _REPLAY_MESSAGE.search(line.text)]
    return OutputReading((ReplayMessages(len(found), output.at(found[-1])),) if found else ())
