"""A peak that needs more than the line to the peers carries: sessions time out before any CPU."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.dls.shared.load import transactions_of
from advisor.lint.findings import Confidence, Forecast, ObjectKind, Severity
from advisor.outlet.packet_class import takes_unnamed_peers, tcp_peers
from advisor.quantity import Basis, exact, number, rate_text
from advisor.size.links import LinkSize, PeerLink, link_size, peer_links
from advisor.units import kbps_from_bps

_OBJECT = "dlsw link"


class Evidence(Struct, frozen=True):
    """The link, what the peak needs of it, and the transactions that fill it."""

    link: str
    rate: str
    peak_tps: float
    needed: str
    full_tps: str
    peers: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit for each link that the stated peak fills."""
    del params
    facts, peak = device.facts, transactions_of(device)
    if peak is None or not peak.tps:
        return  # DLS001 says that no peak is stated
    if not tcp_peers(facts) and not takes_unnamed_peers(facts):
        return
    links = peer_links(device)
    if not links:
        yield Skip(_OBJECT, "no output with a known rate certainly leads to a peer")
    for link in links:
        size = link_size(link, peak)
        if size is not None and size.is_full:
            yield _hit(device, link, size, peak.tps)


def _hit(device: Device, link: PeerLink, size: LinkSize, tps: float) -> Hit[Evidence]:
    rate, full = size.rate, size.full_tps
    confidence = _confidence(link, size)
    stated = device.transactions
    evidence = Evidence(
        size.link,
        rate_text(kbps_from_bps(rate.value)),
        tps,
        rate_text(kbps_from_bps(size.needed_bps.value)),
        number(full.value),
        _peers(link),
    )
    inputs = (
        rate,
        exact("peak_tps", tps, Basis.CONFIGURED, stated.source if stated is not None else ""),
        exact("part_of_load", link.part, _basis_of_part(link), "each peer carries alike"),
    )
    return Hit(
        f"interface {size.link}",
        (link.at,),
        evidence,
        confidence,
        Forecast("transactions per second at which the line is full", full, None, inputs),
        severity=Severity.INFO if confidence is Confidence.POSSIBLE else None,
    )


def _basis_of_part(link: PeerLink) -> Basis:
    return Basis.ASSUMED if link.is_split else Basis.CONFIGURED


def _confidence(link: PeerLink, size: LinkSize) -> Confidence:
    """Certain where the whole load takes a line of a configured rate and the low end fills it."""
    if link.is_split or size.needed_bps.low <= size.rate.value:
        return Confidence.POSSIBLE
    return Confidence.LIKELY if size.rate.is_label else Confidence.CERTAIN


def _peers(link: PeerLink) -> str:
    if not link.peers:
        return "peers that the config does not name"
    if len(link.peers) == 1:
        return f"peer {link.peers[0]}"
    return f"{len(link.peers)} peers that share the load"


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
