"""CPU of a head end after its partner has failed: it has the peers and frames of both."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.peers import PeerEnd, peer_end
from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.dls.shared.load import Peak, peak_of
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.quantity import Basis, Figure, Input, Unknown, exact
from advisor.shows.cpu import CpuLoad
from advisor.size.platform_line import moving

FULL_PERCENT = 100.0
_OBJECT = "dlsw failover"


class Params(Struct, frozen=True):
    """CPU that DLSw+ is designed for, percent."""

    design_percent: float


class Evidence(Struct, frozen=True):
    """The load before and after; `failure` holds the frames where they are known."""

    failure: str
    now: str
    after: str
    basis: str
    design_percent: float


class Failover(Struct, frozen=True):
    """The CPU of a head end at its peak, and after its partner has failed."""

    end: PeerEnd
    failure: str
    now: str
    after: Figure
    basis: str
    inputs: tuple[Input, ...]


def failovers_of(device: Device) -> tuple[Failover, ...] | Skip:
    """The failover of a head end in each way that it is known; none if it backs up no other.

    By its frames, which double, and by the steady loads of both, in this order.
    """
    end = peer_end(device.facts, device.name, device.seen)
    pairs = device.fleet.pairs.get(end.peer_id, ()) if end is not None else ()
    if end is None or not pairs:
        return ()
    partner = next((pair for pair in pairs if pair.is_stated), pairs[0]).partner(end.peer_id)
    partner_end = device.fleet.end(partner)
    if partner_end is not None and _carries(device, end, partner_end):
        return Skip(_OBJECT, f"it carries the peers of {partner_end.device} already")
    peak = peak_of(device)
    if peak is None:
        return ()
    measured = _by_loads(end, partner_end) if partner_end is not None else None
    by_loads = () if measured is None else (measured,)
    if isinstance(peak, Unknown):
        return by_loads or Skip(_OBJECT, peak.reason)
    partner_name = partner_end.device if partner_end is not None else partner
    return (_by_frames(end, partner_name, peak), *by_loads)


def surest_first(failovers: Iterable[Failover], params: Params) -> list[Failover]:
    """Those that are over the design rule with their low end too, and then the others."""
    return sorted(failovers, key=lambda failover: failover.after.low <= params.design_percent)


def _carries(device: Device, end: PeerEnd, partner_end: PeerEnd) -> bool:
    """Whether most peers of the partner are seen here: then the failover is in effect."""
    partner_peers = device.fleet.peers_of(partner_end) - end.addresses
    return 2 * len(partner_peers & set(end.seen)) > len(partner_peers)


def _by_frames(end: PeerEnd, partner: str, peak: Peak) -> Failover:
    fps = peak.load.fps
    factor = exact("failover_factor", 2, Basis.ASSUMED, "the partner carries as much")
    return Failover(
        end,
        f"{2 * fps:.0f} frames/s after a failure of {partner}, {fps:.0f} now",
        _words(peak.cpu()),
        peak.cpu(2 * fps),
        peak.line.basis,
        (peak.fps, factor, peak.slope),
    )


def _by_loads(end: PeerEnd, partner: PeerEnd) -> Failover | None:
    """The load of both on one of them, where both are steady and of one model.

    What the partner uses without DLSw+ stays with it: from nothing to its interrupts.
    """
    own, other = _steady(end), _steady(partner)
    if own is None or other is None or end.hardware != partner.hardware:
        return None
    high = own.one_minute_percent + other.one_minute_percent
    stays = min(other.interrupt_percent or 0, other.one_minute_percent)
    return Failover(
        end,
        f"after a failure of {partner.device}",
        f"{own.one_minute_percent} %",
        Figure(high - stays / 2, high - stays, high, "%"),
        f"by the steady loads of both, {other.one_minute_percent} % there",
        (
            exact("one_minute_percent", own.one_minute_percent, Basis.MEASURED, str(own.at)),
            exact(
                "partner_one_minute_percent",
                other.one_minute_percent,
                Basis.MEASURED,
                str(other.at),
            ),
        ),
    )


def _steady(end: PeerEnd) -> CpuLoad | None:
    return end.cpu if end.cpu is not None and moving(end.cpu) is None else None


def hits(failover: Failover, params: Params, over_percent: float) -> Iterator[Hit[Evidence] | Skip]:
    """Yield the hit of a failover; a load whose low end is under `over_percent` is `possible`."""
    after = failover.after
    sure = after.low > over_percent
    mild = (
        None if sure else Severity.WARNING if after.low > params.design_percent else Severity.INFO
    )
    evidence = Evidence(
        failover.failure, failover.now, _words(after), failover.basis, params.design_percent
    )
    yield Hit(
        _OBJECT,
        (failover.end.at,),
        evidence,
        Confidence.LIKELY if sure else Confidence.POSSIBLE,
        Forecast("cpu after a failover", after, None, failover.inputs),
        severity=mild,
    )


def _words(figure: Figure) -> str:
    return f"{figure.value:.0f} % ({figure.low:.0f} to {figure.high:.0f})"
