"""The devices at the other ends of links and tunnels: `show cdp neighbors detail`, `show dmvpn`."""

import re
from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.grammar import layout
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
    declined,
    present,
    read_blocks,
    record_of,
    take_facts,
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
    hold_time_s: int | None
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
    "Holdtime": re.compile(r"Holdtime\s*:\s*(?P<hold>\d+) sec"),
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
            hold_time_s=count(fields.get("hold")),
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


# `show dmvpn detail`: the peers of each tunnel, and the policy that the hub applied to each.

_EXPECTED_DMVPN: Final = "show dmvpn"
_LAYOUT: Final = layout("shows/neighbors.txt")
_TUNNEL: Final = _LAYOUT.part("TUNNEL")
_PEERS: Final = _LAYOUT.part("PEERS")
_PEER: Final = _LAYOUT.part("PEER")
_OF_PEER: Final = (_LAYOUT.part("GROUP"), _LAYOUT.part("POLICY"))
_SESSIONS: Final = _LAYOUT.part("SESSIONS")
_UNUSED_OF_DMVPN: Final = _LAYOUT.any_of("unused")
_NO_POLICY: Final = "none"
_DETAILED: Final = " is "


class TunnelPeer(Struct, frozen=True):
    """A peer of a tunnel by its address there, its NHRP group, and whether it got a policy.

    `up_for` is the time in its state, `attributes` the letters of the legend, as they are printed.
    """

    interface: str
    address: str
    nbma_address: str | None
    state: str
    up_for: str
    attributes: str
    group: str | None
    has_policy: bool
    at: Location


def read_tunnel_peers(text: str, file: str, first_line: int = 1) -> OutputReading[TunnelPeer]:
    """Peers of the tunnels in a `show dmvpn` output; groups and policies with `detail` alone.

    Raises
    ------
    LayoutError
        If there is no tunnel.
    """
    output = Output(text, file, first_line, _EXPECTED_DMVPN)
    lines = tuple(output.lines())
    ends = [row for row, line in enumerate(lines) if _SESSIONS.fullmatch(line.text)]
    told = lines[: ends[0]] if ends else lines
    own = [line for line in told if not _UNUSED_OF_DMVPN.fullmatch(line.text)]
    blocks = blocks_of(own, _TUNNEL, _PEER, name=lambda match: match["name"])
    tunnels: list[str] = []

    def read(block: Block) -> TunnelPeer | None:
        if block.match.re is _TUNNEL:
            tunnels.append(block.name)
            if block.lines:
                raise output.unknown(block.lines[0])
            return None
        return _tunnel_peer(output, block, tunnels[-1] if tunnels else "")

    reading = read_blocks(output, OutputPart.PEER, blocks, read)
    peers, parts = tuple(filter(None, reading.records)), reading.declined
    counted = sum(whole(found[1]) for line in told if (found := _PEERS.fullmatch(line.text)))
    is_detailed = any(_DETAILED in block.head.text for block in blocks.blocks)
    is_cut = len(peers) + len(parts) < counted or (is_detailed and not ends)
    if is_cut and not output.is_filtered:
        cut = output.ends(lines[-1], "the sessions" if is_detailed else "all peers")
        last = declined(OutputPart.PEER, blocks.blocks[-1].name, output.at(lines[-1]), cut)
        # the policy of the last peer may stand behind the cut
        peers, parts = peers[:-1] if is_detailed else peers, (*parts, last)
    return OutputReading(peers, parts)


def _tunnel_peer(output: Output, block: Block, tunnel: str) -> TunnelPeer:
    fields = present(block.match)
    for line in block.lines:
        if not take_facts(line.text, fields, _OF_PEER):
            raise output.unknown(line)
    return record_of(
        TunnelPeer,
        fields,
        interface=tunnel,
        address=block.name,
        has_policy=fields.get("policy", _NO_POLICY) != _NO_POLICY,
        at=output.at(block.head),
    )
