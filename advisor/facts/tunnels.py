"""Encapsulations that hide a packet before it is queued: crypto maps and tunnels."""

from collections.abc import Iterator
from ipaddress import IPv4Address

from msgspec import Struct

from advisor.facts.config import Facts
from advisor.facts.interface import Interface
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Line, Location

_CRYPTO_MAP = ("crypto", "map")
_PRE_CLASSIFY = "qos pre-classify"


class CryptoEntry(Struct, frozen=True):
    """One numbered entry of a crypto map; `head` is `VPN 10 ipsec-isakmp`."""

    name: str
    head: str
    is_pre_classified: bool
    at: Location


class Tunnel(Struct, frozen=True):
    """A tunnel and the interface that its packets leave from, where its source names one."""

    interface: Interface
    source: Interface
    is_pre_classified: bool


class Hiding(Struct, frozen=True):
    """Tunnels whose source is an interface of the device, crypto maps, and where these stand."""

    tunnels: tuple[Tunnel, ...]
    entries: tuple[CryptoEntry, ...]
    crypto_map_by_interface: dict[str, str]


def hiding(facts: Facts) -> Hiding:
    """All that puts a new header around packets; tunnels that are shut down are left out."""
    sections = tuple(_interface_lines(facts))
    maps = {
        name: line.words[2]
        for name, line in sections
        if _opens(line, *_CRYPTO_MAP) and len(line.words) > 2  # noqa: PLR2004 - crypto map NAME
    }
    return Hiding(tuple(_tunnels(facts, sections)), tuple(_entries(facts)), maps)


def _opens(line: Line, *words: str) -> bool:
    return line.words[: len(words)] == [*words]


def _interface_lines(facts: Facts) -> Iterator[tuple[str, Line]]:
    """Commands of interfaces, with the full name of the interface."""
    for section in facts.tree.commands():
        words = section.words
        if words[0] == "interface":
            name = interface_name(" ".join(words[1:]))
            yield from ((name, line) for line in section.commands())


def _entries(facts: Facts) -> Iterator[CryptoEntry]:
    for line in facts.tree.commands():
        words = line.words
        is_numbered = len(words) > 3 and words[3].isdecimal()  # noqa: PLR2004 - crypto map NAME N
        if _opens(line, *_CRYPTO_MAP) and is_numbered:
            prepared = any(child.text == _PRE_CLASSIFY for child in line.commands())
            yield CryptoEntry(words[2], " ".join(words[2:]), prepared, facts.tree.at(line))


def _tunnels(facts: Facts, sections: tuple[tuple[str, Line], ...]) -> Iterator[Tunnel]:
    for name, line in sections:
        if not _opens(line, "tunnel", "source"):
            continue
        tunnel, source = facts.interface(name), _source(facts, line.words[2:])
        if tunnel is not None and source is not None and not tunnel.shutdown:
            stated = tunnel.qos_pre_classify
            yield Tunnel(tunnel, source, stated is not None and stated.value)


def _source(facts: Facts, words: list[str]) -> Interface | None:
    text = " ".join(words)
    try:
        address = IPv4Address(text)
    except ValueError:
        return facts.interface(interface_name(text))
    return next(
        (each for each in facts.interfaces if each.address and each.address.ip == address), None
    )
