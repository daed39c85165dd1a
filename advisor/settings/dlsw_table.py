"""The `[dlsw]` table: redundant head ends, and the limit of peers on one router."""

from typing import Annotated

from msgspec import Meta, Struct

from advisor.settings.document import Document
from advisor.settings.values import DlswDesign

_MAX_PEERS = 100_000
_FEWEST = 2  # the least number of peers that can be redundant


class DlswTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the table as the user writes them."""

    redundant_peers: tuple[tuple[str, ...], ...] = ()
    fault_domain_peers: Annotated[int, Meta(ge=1, le=_MAX_PEERS)] | None = None


def design_of(document: Document, table: DlswTable) -> DlswDesign:
    """The design that the table states.

    Raises
    ------
    SettingsError
        If a set of redundant peers has one peer, a peer twice, or a peer of another set.
    """
    key = ("dlsw", "redundant_peers")
    peers: set[str] = set()
    for group in table.redundant_peers:
        if len(group) < _FEWEST:
            raise document.error(key, "redundant_peers: a set needs at least two peers")
        for peer in group:
            if peer in peers:
                message = f"redundant_peers: {peer} occurs twice; a head end is in one set, once"
                raise document.error(key, message)
            peers.add(peer)
    source = f"{document.name}:{document.line_of(('dlsw',))}" if table != DlswTable() else ""
    return DlswDesign(table.redundant_peers, table.fault_domain_peers, source)
