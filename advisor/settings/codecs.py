"""Packets of the voice codecs, from codecs.toml."""

import re
from functools import cache
from pathlib import Path

import msgspec

from advisor.settings.document import nearest

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
        """Packet of a packetization; of the default one (20 ms, else the only one) for None."""
        by_ms = {packet.packet_ms: packet for packet in self.packets}
        if packet_ms is not None:
            return by_ms.get(packet_ms)
        return by_ms.get(DEFAULT_PACKET_MS, self.packets[0])


class CodecError(LookupError):
    """A codec or a packetization that the table does not have; `key` says which of the two."""

    def __init__(self, key: str, said: str) -> None:
        super().__init__(said)
        self.key = key


class Codecs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole table."""

    codec: tuple[Codec, ...]
    ambiguous: dict[str, tuple[str, ...]]

    @property
    def names(self) -> list[str]:
        return [codec.name for codec in self.codec]

    def find(self, name: str) -> Codec | None:
        """Codec of a name or an alias; case, dots, blanks and hyphens do not count."""
        wanted = _bare(name)
        for codec in self.codec:
            if wanted in map(_bare, (codec.name, *codec.aliases)):
                return codec
        return None

    def packet(self, name: str, packet_ms: int | None = None) -> tuple[Codec, VoicePacket]:
        """Codec of a name with its packet: of `packet_ms`, else the default packetization.

        Raises
        ------
        CodecError
            If the name is unknown or has several bit rates, or the codec no such packet.
        """
        if choices := self.choices(name):
            words = f"{name} has several bit rates: write {' or '.join(choices)}"
            raise CodecError("codec", words)
        codec = self.find(name)
        if codec is None:
            raise CodecError("codec", f"unknown {name!r}; {nearest(name, self.names)}")
        packet = codec.packet(packet_ms)
        if packet is None:
            known = ", ".join(str(packet.packet_ms) for packet in codec.packets)
            words = f"{codec.name} is known with {known} ms, not {packet_ms}"
            raise CodecError("packet_ms", words)
        return codec, packet

    def choices(self, name: str) -> tuple[str, ...]:
        """Codecs that a name without a bit rate may stand for; empty where it is not such one."""
        return next((to for each, to in self.ambiguous.items() if _bare(each) == _bare(name)), ())


def _bare(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


@cache
def load_codecs() -> Codecs:
    """Read the shipped table."""
    return msgspec.toml.decode(_TABLE.read_bytes(), type=Codecs)
