"""CPU of a head end after its partner has failed: its peers and frames double."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import PeerEnd, peer_end
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.dls.shared.load import Peak, peak_of
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.quantity import Basis, Figure, Unknown, exact

FULL_PERCENT = 100.0
_OBJECT = "dlsw failover"


class Params(Struct, frozen=True):
    """CPU that DLSw+ is designed for, percent."""

    design_percent: float


class Evidence(Struct, frozen=True):
    """The load before and after, and the partner."""

    partner: str
    now: str
    after: str
    fps: str
    after_fps: str
    basis: str
    design_percent: float


class Failover(Struct, frozen=True):
    """The device at its peak, and its load after the partner has failed."""

    device: Device
    partner: str
    peak: Peak

    @property
    def after_fps(self) -> float:
        return 2 * self.peak.load.fps

    @property
    def after(self) -> Figure:
        return self.peak.cpu(self.after_fps)


def failover_of(device: Device) -> Failover | Skip | None:
    """The failover of a head end; None if it backs up no other."""
    end = peer_end(device.facts, device.name, device.seen)
    pairs = device.fleet.pairs.get(end.peer_id, ()) if end is not None else ()
    if end is None or not pairs:
        return None
    partner = next((pair for pair in pairs if pair.is_stated), pairs[0]).partner(end.peer_id)
    partner_end = device.fleet.end(partner)
    if partner_end is not None and _carries(device, end, partner_end):
        return Skip(_OBJECT, f"it carries the peers of {partner_end.device} already")
    peak = peak_of(device)
    if peak is None:
        return None
    if isinstance(peak, Unknown):
        return Skip(_OBJECT, peak.reason)
    return Failover(device, partner_end.device if partner_end is not None else partner, peak)


def _carries(device: Device, end: PeerEnd, partner_end: PeerEnd) -> bool:
    """Whether most peers of the partner are seen here: then the failover is in effect."""
    partner_peers = device.fleet.peers_of(partner_end) - end.addresses
    return 2 * len(partner_peers & set(end.seen)) > len(partner_peers)


def hits(failover: Failover, params: Params, over_percent: float) -> Iterator[Hit[Evidence] | Skip]:
    """Yield the hit of a failover; a load whose low end is under `over_percent` is `possible`."""
    peak, after = failover.peak, failover.after
    end = peer_end(failover.device.facts, failover.device.name, failover.device.seen)
    sure = after.low > over_percent
    mild = (
        None if sure else Severity.WARNING if after.low > params.design_percent else Severity.INFO
    )
    evidence = Evidence(
        failover.partner,
        _words(peak.cpu()),
        _words(after),
        f"{peak.load.fps:.0f}",
        f"{failover.after_fps:.0f}",
        peak.line.basis,
        params.design_percent,
    )
    factor = exact("failover_factor", 2, Basis.ASSUMED, "the partner carries as much")
    yield Hit(
        _OBJECT,
        (end.at if end is not None else failover.device.at,),
        evidence,
        Confidence.LIKELY if sure else Confidence.POSSIBLE,
        Forecast("cpu after a failover", after, None, (peak.fps, factor, peak.slope)),
        severity=mild,
    )


def _words(figure: Figure) -> str:
    return f"{figure.value:.0f} % ({figure.low:.0f} to {figure.high:.0f})"
