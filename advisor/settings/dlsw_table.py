"""The `[dlsw]` table: redundant head ends, and the limit of peers on one router."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from advisor.settings.document import Document
from advisor.settings.values import DlswDesign

_MAX_PEERS = 100_000
_PEERS: Final = ("dlsw", "redundant_peers")
_LIMIT: Final = ("dlsw", "fault_domain_peers")
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
    peers: set[str] = set()
    for group in table.redundant_peers:
        if len(group) < _FEWEST:
            raise document.error(_PEERS, "redundant_peers: a set needs at least two peers")
        for peer in group:
            if peer in peers:
                message = f"redundant_peers: {peer} occurs twice; a head end is in one set, once"
                raise document.error(_PEERS, message)
            peers.add(peer)
    limit = table.fault_domain_peers
    return DlswDesign(
        table.redundant_peers,
        limit,
        f"{document.name}:{document.line_of(_PEERS)}" if table.redundant_peers else "",
        f"{document.name}:{document.line_of(_LIMIT)}" if limit is not None else "",
    )
