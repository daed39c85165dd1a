"""`show cdp neighbors detail`: the devices at the other end of each link."""

import re
from typing import Final

from msgspec import Struct

from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    LayoutError,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    blocks_of,
    count,
    read_blocks,
)

# `show cdp neighbors detail`: each neighbor, and the two interfaces of the link to it.
#
# Source: Cisco IOS Network Management Command Reference, `show cdp neighbors detail`.
#
# A neighbor says much of itself: its version, VTP, power. The reader skips that. It must know
# only the lines that begin like one of its own.

_EXPECTED: Final = "show cdp neighbors detail"


class CdpNeighbor(Struct, frozen=True):
    """A neighbor on a link.

    `device` is its name, or what it gives in place of one. `local_interface` is the interface of
    the router that prints it, `remote_interface` that of the neighbor. `addresses` are its IP
    addresses in the order of the output, each once.
    """

    device: str
    local_interface: str
    remote_interface: str
    platform: str | None
    capabilities: tuple[str, ...]
    addresses: tuple[str, ...]
    native_vlan: int | None
    duplex: str | None
    at: Location


_HEAD: Final = re.compile(r"Device ID\s*:\s*(\S.*)")
_FACTS: Final = {
    "Interface:": re.compile(
        r"Interface: (?P<local>\S.*?),\s+Port ID \(outgoing port\): (?P<remote>\S.*)"
    ),
    "Platform:": re.compile(
        r"Platform: (?P<platform>[^,]*\S)\s*,\s*Capabilities:\s*(?P<capabilities>.*)"
    ),
    "Native VLAN": re.compile(r"Native VLAN\s*:\s*(?P<vlan>\d+).*"),
    "Duplex": re.compile(r"Duplex(?: Mode)?\s*:\s*(?P<duplex>\w+)"),
}
_ADDRESS: Final = re.compile(r"IP(?:v4)? address:\s*(\d+(?:\.\d+){3})", re.IGNORECASE)


def read_cdp_neighbors(text: str, file: str, first_line: int = 1) -> OutputReading[CdpNeighbor]:
    """Neighbors of a `show cdp neighbors detail` output, in order.

    A neighbor without the line of its interfaces is declined: the output was cut.

    Raises
    ------
    LayoutError
        If there is no neighbor.
    """
    output = Output(text, file, first_line, _EXPECTED)

    def read(block: Block) -> CdpNeighbor:
        fields: dict[str, str] = {}
        addresses: dict[str, None] = {}
        for line in block.lines:
            fields.update(_facts(line, output))
            address = _ADDRESS.fullmatch(line.text)
            if address is not None:
                addresses[address[1]] = None
        if "local" not in fields:
            expected = f"{_EXPECTED}: no `Interface` line follows"
            raise LayoutError(output.at(block.head), block.head.text, expected)
        return CdpNeighbor(
            device=block.name,
            local_interface=fields["local"],
            remote_interface=fields["remote"],
            platform=fields.get("platform"),
            capabilities=tuple(fields.get("capabilities", "").split()),
            addresses=tuple(addresses),
            native_vlan=count(fields.get("vlan")),
            duplex=fields.get("duplex"),
            at=output.at(block.head),
        )

    blocks = blocks_of((line for line in output.lines() if not _is_rule(line)), _HEAD)
    return read_blocks(output, OutputPart.NEIGHBOR, blocks, read)


def _is_rule(line: ShownLine) -> bool:
    return not line.text.strip("-") or line.text.startswith("Total cdp entries")


def _facts(line: ShownLine, output: Output) -> dict[str, str]:
    for start, pattern in _FACTS.items():
        if line.text.startswith(start):
            match = pattern.fullmatch(line.text)
            if match is None:
                raise output.unknown(line)
            return match.groupdict()
    return {}
