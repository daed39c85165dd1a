"""Load of DLSw+ at its peak; CPU and peers after a failover, beside the design rules."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.peers import Pair, PeerEnd, peer_end
from advisor.ground.quantity import Basis, Figure, Input, Unknown, enclosing, exact, number, point
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.predict.size import Load, SizingError, Transactions, fault_domain, stated_load
from advisor.predict.size.answer import line_of_device
from advisor.predict.size.platform_line import CALIBRATED, PlatformLine, moving
from advisor.predict.size.seen import SeenLoad, has_dlsw, seen_load
from advisor.shows.cpu import CpuLoad
from advisor.theory.dlsw import BATCHING_FROM_FPS, CpuEstimate

_PERCENT = "%"


class Peak(Struct, frozen=True):
    """Load of a device at its peak, and its line of CPU over frames per second."""

    load: Load
    line: PlatformLine
    seen: SeenLoad

    def cpu(self, fps: float | None = None) -> Figure:
        """CPU in percent, with the interrupts that were measured beside the line."""
        band = self.line.line.at(self.load.fps if fps is None else fps)
        more = self.line.interrupt_percent
        low, high = band.low_percent + more, band.high_percent + more
        return enclosing(band.value_percent + more, low, high, _PERCENT)

    @property
    def fps(self) -> Input:
        return exact("fps", self.load.fps, self.load.basis, self.load.source)

    @property
    def slope(self) -> Input:
        """Percent of the CPU for each frame per second."""
        basis = Basis.MEASURED if self.line.basis == CALIBRATED else Basis.ASSUMED
        at = self.load.fps
        value, low, high = (
            (percent - self.line.line.base_percent) / at
            for percent in (
                self.line.line.at(at).value_percent,
                self.line.line.at(at).low_percent,
                self.line.line.at(at).high_percent,
            )
        )
        return Input("cpu_percent_per_fps", value, low, high, basis, self.line.source)


def transactions_of(device: Device) -> Transactions | None:
    """The peak that the user states, with the smallest `lf` of the config."""
    stated = device.transactions
    if stated is None:
        return None
    return Transactions(
        stated.peak_tps,
        stated.out_bytes,
        stated.in_bytes,
        stated.ru_bytes,
        seen_load(device).largest_frame_bytes,
    )


def peak_of(device: Device) -> Peak | Unknown | None:
    """The peak of a device, or why its CPU is not predicted; None without DLSw+."""
    if not has_dlsw(device):
        return None
    seen, stated = seen_load(device), transactions_of(device)
    if stated is not None and device.transactions is not None:
        if not stated.fps:
            return Unknown(f"{device.transactions.source}: no frames")
        load = stated_load(device.name, [stated], device.transactions.source, seen.peers)
    elif seen.rates:
        rate = max(seen.rates, key=lambda rate: rate.fps)
        load = Load(device.name, rate.fps, Basis.MEASURED, rate.source, peers=seen.peers)
        if not rate.fps:
            return Unknown("no frames were seen")
    else:
        return Unknown("no peak is stated ([[traffic]] with peak_tps), and no frames were counted")
    try:
        return Peak(load, line_of_device(seen, None, None), seen)
    except SizingError as unknown:
        return Unknown(str(unknown))


def confidence_over(figure: Figure, limit: float, line: PlatformLine) -> Confidence | None:
    """Confidence that a load is over a limit; None if its value is not.

    If only a part of the band is over, it is `possible`; an estimate is never certain.
    """
    if figure.value <= limit:
        return None
    if figure.low <= limit:
        return Confidence.POSSIBLE
    return Confidence.CERTAIN if line.basis == CALIBRATED else Confidence.LIKELY


# CPU of a head end after its partner has failed: it has the peers and frames of both.

FULL_PERCENT = 100.0
_FAILOVER = "dlsw failover"


class DesignParams(Struct, frozen=True):
    """CPU that DLSw+ is designed for, percent."""

    design_percent: float


class FailoverLoad(Struct, frozen=True):
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
    pair = _pair_of(device, end) if end is not None else None
    if end is None or pair is None:
        return ()
    partner = pair.partner(end.peer_id)
    partner_end = device.fleet.end(partner)
    if partner_end is not None and _carries(device, end, partner_end):
        return Skip(_FAILOVER, f"it carries the peers of {partner_end.device} already")
    peak = peak_of(device)
    if peak is None:
        return ()
    measured = _by_loads(end, partner_end) if partner_end is not None else None
    by_loads = () if measured is None else (measured,)
    if isinstance(peak, Unknown):
        return by_loads or Skip(_FAILOVER, peak.reason)
    partner_name = partner_end.device if partner_end is not None else partner
    return (_by_frames(end, partner_name, peak), *by_loads)


def surest_first(failovers: Iterable[Failover], params: DesignParams) -> list[Failover]:
    """Those that are over the design rule with their low end too, and then the others."""
    return sorted(failovers, key=lambda failover: failover.after.low <= params.design_percent)


def _pair_of(device: Device, end: PeerEnd) -> Pair | None:
    """The pair of a head end: as stated, by what devices name, or by what was seen connected."""
    pairs = device.fleet.pairs.get(end.peer_id, ())
    stated = next((pair for pair in pairs if pair.is_stated), None)
    return stated or next(iter(pairs), None) or device.fleet.seen_pairs.get(end.peer_id)


def _carries(device: Device, end: PeerEnd, partner_end: PeerEnd) -> bool:
    """Whether most peers of the partner are seen here alone: then the failover is in effect."""
    partner_peers = device.fleet.peers_of(partner_end) - end.addresses
    taken = [
        peer
        for peer in partner_peers & set(end.seen)
        if not device.fleet.is_equal_peer(peer, end, partner_end)
    ]
    return 2 * len(taken) > len(partner_peers)


def _by_frames(end: PeerEnd, partner: str, peak: Peak) -> Failover:
    fps = peak.load.fps
    factor = exact("failover_factor", 2, Basis.ASSUMED, "the partner carries as much")
    return Failover(
        end,
        f"{2 * fps:.0f} frames/s after a failure of {partner}, {fps:.0f} now",
        load_words(peak.cpu()),
        peak.cpu(2 * fps),
        f"{peak.line.basis}{_batched(peak, 2 * fps)}",
        (peak.fps, factor, peak.slope),
    )


def _batched(peak: Peak, fps: float) -> str:
    """Say why the low end does not grow with the frames, where it does not."""
    if not isinstance(peak.line.line, CpuEstimate) or fps <= BATCHING_FROM_FPS:
        return ""
    return (
        f" (above {BATCHING_FROM_FPS:g} frames/s frames share TCP packets, how many is not "
        "published: its low end grows no more)"
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


def hits(failover: Failover, params: DesignParams, over_percent: float) -> Found[FailoverLoad]:
    """Yield the hit of a failover; a load whose low end is under `over_percent` is `possible`."""
    after = failover.after
    sure = after.low > over_percent
    mild = (
        None if sure else Severity.WARNING if after.low > params.design_percent else Severity.INFO
    )
    evidence = FailoverLoad(
        failover.failure, failover.now, load_words(after), failover.basis, params.design_percent
    )
    yield Hit(
        _FAILOVER,
        (failover.end.at,),
        evidence,
        Confidence.LIKELY if sure else Confidence.POSSIBLE,
        Forecast("cpu after a failover", after, None, failover.inputs),
        severity=mild,
    )


def load_words(figure: Figure) -> str:
    times = figure.value / 100
    more = f"; {number(times)} times what the router has" if times > 1 else ""
    return f"{figure.value:.0f} % ({figure.low:.0f} to {figure.high:.0f}{more})"


# After a failover more frames than the CPU can carry: sessions are lost.


def find_dlsw_failover_over_capacity(device: Device, params: DesignParams) -> Found[FailoverLoad]:
    """Yield one hit for a head end that cannot carry the load of both."""
    failovers = failovers_of(device)
    if isinstance(failovers, Skip):
        yield failovers
        return
    full = (item for item in failovers if item.after.value >= FULL_PERCENT)
    for failover in surest_first(full, params)[:1]:
        yield from hits(failover, params, FULL_PERCENT)


# More CPU after a failover than the design rule allows for DLSw+.


def find_dlsw_failover_over_design(device: Device, params: DesignParams) -> Found[FailoverLoad]:
    """Yield one hit for a head end that is then over the design rule but under its capacity.

    An estimate that is over the capacity and may be under the design rule does not hide two
    measured loads that are over the rule together.
    """
    failovers = failovers_of(device)
    if isinstance(failovers, Skip):
        yield failovers
        return
    for failover in surest_first(failovers, params)[:1]:
        if params.design_percent < failover.after.value < FULL_PERCENT:
            yield from hits(failover, params, params.design_percent)


# More peers on one router than the fault domain allows, now or after a failure.


class TooManyPeers(Struct, frozen=True):
    """Peers now and after a failure of the partner, and the limits of the fault domain."""

    peers: int
    fault_domain_peers: int
    after: str
    allowed_after: str


class _After(Struct, frozen=True):
    """Peers after a failure of the partner; `is_doubled` where the partner's are not known."""

    partner: str
    peers: int
    is_doubled: bool

    def __str__(self) -> str:
        how = ", if the partner has as many" if self.is_doubled else ""
        return f", {self.peers} after a failure of {self.partner}{how}"


def find_dlsw_fault_domain_exceeded(device: Device) -> Found[TooManyPeers]:
    """Yield one hit for a head end over the fault domain of the settings."""
    stated = device.fleet.design.fault_domain_peers
    end = peer_end(device.facts, device.name, device.seen)
    if stated is None or end is None:
        return
    domain = fault_domain(stated, None)
    peers = len(_own(device, end))
    after = _after(device, end, peers)
    is_over_after = after is not None and after.peers > domain.peers_after_failure
    if peers <= domain.peers_per_router and not is_over_after:
        return
    evidence = TooManyPeers(
        peers,
        stated,
        "" if after is None else str(after),
        "" if after is None else f" ({domain.peers_after_failure} after a failure)",
    )
    worst = float(after.peers if after is not None and is_over_after else peers)
    yield Hit(
        "dlsw peers",
        (end.at,),
        evidence,
        Confidence.CERTAIN,
        Forecast(
            "peers on one router",
            point(worst, "peers"),
            None,
            _inputs(device, peers, stated),
        ),
    )


def _own(device: Device, end: PeerEnd) -> frozenset[str]:
    """Peers of the head end, without those that are here because their own head end failed."""
    stated = device.fleet.peers_of(replace(end, seen=()))
    partners = (pair.partner(end.peer_id) for pair in device.fleet.pairs.get(end.peer_id, ()))
    partner_ends = [
        partner_end for partner_end in map(device.fleet.end, partners) if partner_end is not None
    ]
    partner_peers = frozenset(
        peer for partner_end in partner_ends for peer in device.fleet.peers_of(partner_end)
    )
    return device.fleet.peers_of(end) - (partner_peers - stated)


def _after(device: Device, end: PeerEnd, peers: int) -> _After | None:
    """The failure that leaves the head end with most peers; a peer of both counts once."""
    failures = []
    for pair in device.fleet.pairs.get(end.peer_id, ()):
        partner = pair.partner(end.peer_id)
        partner_end = device.fleet.end(partner)
        if partner_end is None:
            failures.append(_After(partner, 2 * peers, is_doubled=True))
            continue
        joint_peers = device.fleet.peers_of(end) | device.fleet.peers_of(partner_end)
        failures.append(
            _After(partner_end.device, len(joint_peers - {end.peer_id, partner}), is_doubled=False)
        )
    return max(failures, key=lambda failure: failure.peers, default=None)


def _inputs(device: Device, peers: int, stated: int) -> tuple[Input, ...]:
    source = device.fleet.design.limit_source
    return (
        exact("peers", peers, Basis.CONFIGURED, "remote peers, and those that it takes unnamed"),
        exact("fault_domain_peers", stated, Basis.CONFIGURED, source),
    )
