"""Routers that back each other up: the load after a failure, and the peers that it reaches."""

from math import ceil

from msgspec import Struct

from advisor.size.load import Load


class FaultDomain(Struct, frozen=True):
    """Peers that may be lost at once, on a pair of routers that back each other up.

    `pairs` is the number of pairs for the sites, None if the number of sites is not known.
    """

    peers: int
    routers: int
    peers_per_router: int
    peers_after_failure: int
    sites: int | None
    pairs: int | None


def fault_domain(peers: int, sites: int | None) -> FaultDomain:
    """Two routers with as many peers; after a failure one has all (250: 500).

    Source: Cisco, DLSw+ TCP Performance.

    >>> fault_domain(250, 900)
    ... # doctest: +NORMALIZE_WHITESPACE
    FaultDomain(peers=250, routers=2, peers_per_router=250, peers_after_failure=500, sites=900,
                pairs=2)
    """
    pairs = None if sites is None else max(1, ceil(sites / (2 * peers)))
    return FaultDomain(peers, 2, peers, 2 * peers, sites, pairs)


class Takeover(Struct, frozen=True):
    """Load of a router after the failure of another.

    `is_alike`: the two carry the same, so a load added to one is added to the other.
    """

    fps: float
    peers: int | None
    is_alike: bool


def takeovers(loads: tuple[Load, ...]) -> list[Takeover]:
    """Load of every router after the failure of another.

    A single router stands for both routers of a pair with equal loads: it doubles. Otherwise a
    router takes over the busiest other one.
    """
    if len(loads) == 1:
        (load,) = loads
        peers = None if load.peers is None else 2 * load.peers
        return [Takeover(2 * load.fps, peers, is_alike=True)]
    takeovers_by_load = []
    for place, load in enumerate(loads):
        busiest = max(loads[:place] + loads[place + 1 :], key=lambda load: load.fps)
        both_known = load.peers is not None and busiest.peers is not None
        peers = (load.peers or 0) + (busiest.peers or 0) if both_known else None
        takeovers_by_load.append(Takeover(load.fps + busiest.fps, peers, is_alike=False))
    return takeovers_by_load
