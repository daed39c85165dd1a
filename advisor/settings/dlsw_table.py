"""The `[dlsw]` table: which head ends back each other up, and how many peers one may carry."""

from typing import Annotated

from msgspec import Meta, Struct

from advisor.settings.document import Document
from advisor.settings.values import DlswDesign

_MAX_PEERS = 100_000
_FEWEST = 2  # peers that can back each other up


class DlswTable(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of the table as the user writes them."""

    redundant_peers: tuple[tuple[str, ...], ...] = ()
    fault_domain_peers: Annotated[int, Meta(ge=1, le=_MAX_PEERS)] | None = None


def design_of(document: Document, table: DlswTable) -> DlswDesign:
    """What the table states.

    Raises
    ------
    SettingsError
        If a set of redundant peers is of one, names one twice, or two sets share one.
    """
    at = ("dlsw", "redundant_peers")
    known: set[str] = set()
    for group in table.redundant_peers:
        if len(group) < _FEWEST:
            raise document.error(at, "redundant_peers: a set needs two peers that back each other")
        for peer in group:
            if peer in known:
                message = f"redundant_peers: {peer} is named twice; a head end is in one set, once"
                raise document.error(at, message)
            known.add(peer)
    source = f"{document.name}:{document.line_of(('dlsw',))}" if table != DlswTable() else ""
    return DlswDesign(table.redundant_peers, table.fault_domain_peers, source)
