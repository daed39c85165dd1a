"""Packets lost to the check against replay, as counted and as logged; NAT between the ends."""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
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
)

# `show crypto ipsec sa`: the counters of each interface.
#
# Source: Cisco document 116858 and public captures: `##pkts replay failed (rcv): 4821` of the
# detailed form; of each association `replay detection support: Y  replay window size: 1024`,
# `transform: esp-256-aes esp-sha-hmac ,` and `in use settings ={Tunnel UDP-Encaps, }`, where a NAT
# is between the ends. The reader skips all else that it prints of peers and keys.

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


def read_protected_interfaces(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ProtectedInterface]:
    """Interfaces of a `show crypto ipsec sa` output, with `detail` or without, in order.

    Where the output is cut, the last interface has what was counted up to there.

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
    )


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
