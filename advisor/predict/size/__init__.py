"""DLSw+ sizes. Here: the load of a router, by transactions, a traffic table or a failed partner."""

import csv
import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from math import ceil, fsum, inf

from msgspec import Struct

from advisor.ground.data import HIDDEN, shown_key
from advisor.ground.faults import AdvisorError
from advisor.ground.quantity import Basis
from advisor.ground.units import bps_from_bytes, decimal, ms_from_s, whole_or_none
from advisor.model import Framing, wire_bytes
from advisor.theory.dlsw import frames_by_size, ip_bytes_of

# Load of a router: frames per second, by transactions, a traffic table or a failed partner.

# Reasons why a size cannot be computed.


class SizingError(AdvisorError):
    """An input of a size is missing or impossible; the message says what to do."""


# Load of a router: frames per second, stated by transactions or measured.

_IP = Framing(0)  # without layer 2


class Transactions(Struct, frozen=True):
    """Peak transactions per second and the bytes of one in either direction."""

    tps: float
    out_bytes: int
    in_bytes: int
    ru_bytes: int
    largest_frame_bytes: int | None = None

    @property
    def out_frames(self) -> int:
        """Frames of one transaction on the way out."""
        return sum(self._frames(self.out_bytes).values())

    @property
    def in_frames(self) -> int:
        """Frames of one transaction on the way in."""
        return sum(self._frames(self.in_bytes).values())

    @property
    def frames(self) -> int:
        """Frames of one transaction, both ways."""
        return self.out_frames + self.in_frames

    @property
    def fps(self) -> float:
        """Frames per second, both ways."""
        return self.tps * self.frames

    def out_wire_bytes(self, framing: Framing) -> int:
        """Bytes of one transaction on the wire on the way out, each frame in a TCP packet."""
        return self._wire_bytes(self.out_bytes, framing)

    def in_wire_bytes(self, framing: Framing) -> int:
        """Bytes of one transaction on the wire on the way in, each frame in a TCP packet."""
        return self._wire_bytes(self.in_bytes, framing)

    def _wire_bytes(self, size_bytes: int, framing: Framing) -> int:
        frames = self._frames(size_bytes).items()
        return sum(count * wire_bytes(ip_bytes_of(item), framing) for item, count in frames)

    def _frames(self, size_bytes: int) -> dict[int, int]:
        return frames_by_size(size_bytes, self.ru_bytes, self.largest_frame_bytes)


class WanLoad(Struct, frozen=True):
    """IP bits per second on the WAN, with every frame in its own TCP packet."""

    out_bps: float
    in_bps: float


class Load(Struct, frozen=True):
    """Load of one router at its peak.

    `tps` and `wan` are None if frames were measured and no transaction is stated; `peers` is None
    if their number is not known.
    """

    router: str
    fps: float
    basis: Basis
    source: str
    tps: float | None = None
    out_frames: float | None = None
    in_frames: float | None = None
    wan: WanLoad | None = None
    peers: int | None = None

    @property
    def frames_per_transaction(self) -> float | None:
        """Mean frames of a transaction, both ways; None where no transaction is stated."""
        if self.out_frames is None or self.in_frames is None:
            return None
        return self.out_frames + self.in_frames


def stated_load(
    router: str, transactions: Sequence[Transactions], source: str, peers: int | None
) -> Load:
    """The load of transactions that the user states; several kinds add up.

    Raises
    ------
    SizingError
        If they make no frame at all.
    """
    fps = fsum(kind.fps for kind in transactions)
    tps = fsum(kind.tps for kind in transactions)
    if not 0 < fps < inf:
        raise SizingError(f"{source}: no frames: state transactions a second and bytes above 0")
    return Load(
        router=router,
        fps=fps,
        basis=Basis.CONFIGURED,
        source=source,
        tps=tps,
        out_frames=fsum(kind.tps * kind.out_frames for kind in transactions) / tps,
        in_frames=fsum(kind.tps * kind.in_frames for kind in transactions) / tps,
        wan=WanLoad(
            fsum(kind.tps * _bits_in_s(kind.out_wire_bytes(_IP)) for kind in transactions),
            fsum(kind.tps * _bits_in_s(kind.in_wire_bytes(_IP)) for kind in transactions),
        ),
        peers=peers,
    )


def _bits_in_s(size_bytes: int) -> float:
    return bps_from_bytes(size_bytes, ms_from_s(1))


# Routers that back each other up: the load after a failure, and the peers that it reaches.


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


# A traffic table: CSV with a line for each site and the transactions of its peak.

_NEEDED = ("site", "tps", "out_bytes", "in_bytes", "ru")
_OPTIONAL = ("lf", "host")
MOST_TPS = 1e6
MOST_BYTES = 100_000_000
MOST_RU_BYTES = 65_535
MOST_FRAME_BYTES = 17_800  # the largest `lf` of IOS


class Site(Struct, frozen=True):
    """One line: a site and the router that it peers with, "" where none is named."""

    name: str
    transactions: Transactions
    host: str


def read_traffic_table(text: str, name: str) -> tuple[Site, ...]:
    """Sites of a traffic table.

    Parameters
    ----------
    text : str
        CSV whose first line names its columns: site, tps, out_bytes, in_bytes, ru, and optionally
        lf and host.
    name : str
        Its file, for errors.

    Raises
    ------
    SizingError
        If a column is missing or unknown, a cell is not a number or out of range, or there is no
        site; with file and line.
    """
    reader = csv.reader(text.splitlines())
    columns: list[str] = []
    sites: list[Site] = []
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            place = f"{name}:{reader.line_num}"
            if not any(cells):
                continue
            if not columns:
                columns = _columns(cells, place)
            elif len(cells) != len(columns):
                raise SizingError(f"{place}: {len(cells)} cells, but {len(columns)} columns")
            else:
                sites.append(_site(dict(zip(columns, cells, strict=True)), place))
    except csv.Error as error:
        raise SizingError(f"{name}:{reader.line_num}: not CSV: {error}") from error
    if not sites:
        raise SizingError(f"{name}: no site; write a line of {','.join(_NEEDED)}, then the sites")
    return tuple(sites)


def _columns(cells: Sequence[str], place: str) -> list[str]:
    columns = [cell.lower() for cell in cells]
    known_columns = (*_NEEDED, *_OPTIONAL)
    for number, column in enumerate(columns, start=1):
        if column not in known_columns:
            close = get_close_matches(column, known_columns, n=1)
            advice = (
                f"did you mean {close[0]}?" if close else f"it takes {', '.join(known_columns)}"
            )
            seen = repr(column) if shown_key(column, "") else number
            raise SizingError(f"{place}: unknown column {seen}; {advice}")
        if columns.count(column) > 1:
            raise SizingError(f"{place}: column {column} is given twice")
    absent = [column for column in _NEEDED if column not in columns]
    if absent:
        raise SizingError(
            f"{place}: column {absent[0]} is missing; it takes {', '.join(known_columns)}"
        )
    return columns


def _site(cells: Mapping[str, str], place: str) -> Site:
    if not cells["site"]:
        raise SizingError(f"{place}: site: is empty")
    largest = cells.get("lf", "")
    transactions = Transactions(
        tps=_number(cells, "tps", place),
        out_bytes=_whole(cells, "out_bytes", place, 0, MOST_BYTES),
        in_bytes=_whole(cells, "in_bytes", place, 0, MOST_BYTES),
        ru_bytes=_whole(cells, "ru", place, 1, MOST_RU_BYTES),
        largest_frame_bytes=_whole(cells, "lf", place, 1, MOST_FRAME_BYTES) if largest else None,
    )
    return Site(cells["site"], transactions, cells.get("host", ""))


def _seen(cell: str) -> str:
    """A cell as errors quote it; one that may be a line of a configuration is not quoted."""
    return "it" if cell and not shown_key(cell, "") else repr(cell)


def _number(cells: Mapping[str, str], column: str, place: str) -> float:
    try:
        value = decimal(cells[column])
    except ValueError:
        value = math.nan
    if not 0 <= value <= MOST_TPS:
        raise SizingError(
            f"{place}: {column}: {_seen(cells[column])} is not a number from 0 to {MOST_TPS:g}"
        )
    return value


def _whole(cells: Mapping[str, str], column: str, place: str, least: int, most: int) -> int:
    text = cells[column]
    value = whole_or_none(text)
    if value is None or not least <= value <= most:
        raise SizingError(
            f"{place}: {column}: {_seen(text)} is not a whole number from {least} to {most}"
        )
    return value


def loads_by_host(sites: Sequence[Site], name: str) -> tuple[Load, ...]:
    """Load of every router from the sites that peer with it.

    A site is one peer, even with several lines for several kinds of transaction.

    Raises
    ------
    SizingError
        If some sites name their host and others do not, or the sites of a host send nothing.
    """
    by_host: dict[str, list[Site]] = {}
    for site in sites:
        by_host.setdefault(site.host, []).append(site)
    if "" in by_host and len(by_host) > 1:
        nameless = next(site.name for site in sites if not site.host)
        nameless = shown_key(nameless, HIDDEN)
        raise SizingError(f"{name}: site {nameless} names no host, others do: name one for each")
    loads = []
    for host, host_sites in by_host.items():
        peers = len({site.name for site in host_sites})
        transactions = [site.transactions for site in host_sites]
        loads.append(stated_load(host or name, transactions, host or name, peers))
    return tuple(loads)
