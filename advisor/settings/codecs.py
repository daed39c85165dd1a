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
