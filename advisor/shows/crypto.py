"""`show crypto ipsec sa`: packets lost to the check against replay, and NAT between the ends."""

import re
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    blocks_of,
    read_blocks,
)

# Source: Cisco document 116858 and public captures: `##pkts replay failed (rcv): 4821` of the
# detailed form; `in use settings ={Tunnel UDP-Encaps, }` of an association behind a NAT. The reader
# skips all else that it prints of peers and keys.

_EXPECTED: Final = "show crypto ipsec sa"
_HEAD: Final = re.compile(r"interface: (\S+)")
_FAILED: Final = re.compile(r"#{1,2}pkts replay failed \(rcv\):? (\d+)(?:,.*)?")
_SETTINGS: Final = re.compile(r"in use settings =\{(.*)\}")
_UDP: Final = "UDP-Encaps"

_NONE: Final = re.compile(r"No SAs found|There are no ipsec sas")


class ProtectedInterface(Struct, frozen=True):
    """An interface with IPsec, and the packets of all its peers that came too late.

    `replay_failed_packets` is None where the form without `detail` does not print them.
    `has_udp` is None where no association is printed, and where some have the header of UDP.
    """

    interface: str
    replay_failed_packets: int | None
    at: Location
    has_udp: bool | None = None


def read_protected_interfaces(
    text: str, file: str, first_line: int = 1
) -> OutputReading[ProtectedInterface]:
    """Interfaces of a `show crypto ipsec sa` output, with `detail` or without, in order.

    Raises
    ------
    LayoutError
        If there is no interface.
    """
    output = Output(text, file, first_line, _EXPECTED)
    lines = tuple(output.lines())
    if lines and all(_NONE.fullmatch(line.text.strip()) for line in lines):
        return OutputReading(())

    def read(block: Block) -> ProtectedInterface:
        counted = [
            (line, whole(found[1]))
            for line in block.lines
            if (found := _FAILED.fullmatch(line.text.strip()))
        ]
        failing = (line for line, packets in counted if packets)
        texts = (line.text.strip() for line in block.lines)
        udp = {_UDP in found[1] for text in texts if (found := _SETTINGS.fullmatch(text))}
        return ProtectedInterface(
            block.name,
            sum(packets for _, packets in counted) if counted else None,
            output.at(next(failing, block.head)),
            udp.pop() if len(udp) == 1 else None,
        )

    return read_blocks(output, OutputPart.INTERFACE, blocks_of(lines, _HEAD), read)
