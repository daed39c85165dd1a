"""The hops of a path, as a TOML file describes them."""

from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct, field

from advisor.predict.what_if.stated_link import StatedLink
from advisor.settings.document import Document, read_document

_Ms = Annotated[float, Meta(ge=0, le=60_000)]
_Ring = Annotated[int, Meta(ge=1, le=32_767)]
_Number = Annotated[int, Meta(ge=1, le=100_000)]
_LINK_KEYS = ("encap", "llq", "tx-ring-limit", "calls", "background")


class _HopTable(Struct, frozen=True, forbid_unknown_fields=True):
    name: str | None = None
    delay_ms: _Ms = 0.0
    config: str | None = None
    interface: str | None = None
    class_name: str | None = field(name="class", default=None)
    link: str | None = None
    encap: str = "ppp"
    llq: str | None = None
    tx_ring_limit: _Ring | None = field(name="tx-ring-limit", default=None)
    calls: _Number | None = None
    background: _Number | None = None


class _PathTable(Struct, frozen=True, forbid_unknown_fields=True):
    hop: tuple[_HopTable, ...] = ()
    codec: str | tuple[str, ...] = ()
    packet_ms: _Number | None = None
    jitter_buffer_ms: _Ms | None = None


class Hop(Struct, frozen=True):
    """One hop: a config, a link of flags, or neither; `delay_ms` is added to either.

    `at` is its place in the file: "hops.toml:3".
    """

    name: str
    delay_ms: float
    config: str | None
    interface: str | None
    class_name: str | None
    link: StatedLink | None
    at: str


class PathOfHops(Struct, frozen=True):
    """A path with the codecs of its calls: calls use the first; without codecs all are rated."""

    hops: tuple[Hop, ...]
    codecs: tuple[str, ...]
    packet_ms: int | None
    jitter_buffer_ms: float | None


def read_path(path: Path) -> PathOfHops:
    """Read a file of `[[hop]]` tables; configs are named relative to it.

    Raises
    ------
    SettingsError
        If it is unreadable or describes a path that cannot exist.
    """
    document = read_document(path)
    table = document.whole(_PathTable)
    if not table.hop:
        raise document.error(("hop",), "holds no [[hop]] table")
    codecs = (table.codec,) if isinstance(table.codec, str) else table.codec
    offered = codecs[0] if codecs else None
    hops = tuple(
        _hop(document, index, hop, path.parent, offered) for index, hop in enumerate(table.hop)
    )
    return PathOfHops(hops, codecs, table.packet_ms, table.jitter_buffer_ms)


def _hop(document: Document, index: int, table: _HopTable, folder: Path, codec: str | None) -> Hop:
    at = ("hop", index)
    if table.config is not None and table.link is not None:
        raise document.error((*at, "link"), "a hop has a config or a link, not both")
    if table.link is None:
        link_keys = [key for key in _LINK_KEYS if key in _written_keys(document, index)]
        if link_keys:
            raise document.error((*at, link_keys[0]), f"{link_keys[0]}: goes with link")
    if (
        table.config is None
        and table.link is None
        and "delay_ms" not in _written_keys(document, index)
    ):
        raise document.error(at, "is empty: give config, link or delay_ms")
    link = None
    if table.link is not None:
        link = StatedLink(
            table.link,
            table.encap,
            table.llq,
            table.tx_ring_limit,
            table.calls,
            codec if table.calls is not None else None,
            table.background,
            prefix="",
        )
    config = None if table.config is None else str(folder / table.config)
    name = table.name or f"hop {index + 1}"
    place = document.place_of(at)
    return Hop(name, table.delay_ms, config, table.interface, table.class_name, link, place)


def _written_keys(document: Document, index: int) -> frozenset[str]:
    """Keys that the file writes in a hop."""
    tables = document.table.get("hop", [])
    hop = tables[index] if isinstance(tables, list) else {}
    return frozenset(hop) if isinstance(hop, dict) else frozenset()
