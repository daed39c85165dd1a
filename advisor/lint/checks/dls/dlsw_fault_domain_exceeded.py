"""More peers on one router than the fault domain allows, now or after a failure."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.device.peers import PeerEnd, peer_end
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.quantity import Basis, Figure, Input, exact
from advisor.size.load import fault_domain


class Evidence(Struct, frozen=True):
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


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit for a head end over the fault domain of the settings."""
    del params
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
    evidence = Evidence(
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
            Figure(worst, worst, worst, "peers"),
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


CHECK = Check(NoParams, Evidence, find, object_kind=ObjectKind.NAME)
