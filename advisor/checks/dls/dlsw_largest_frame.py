"""A largest frame below the RU: each RU then takes more frames, and each frame costs CPU."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from advisor.checks.base import Check, Hit, NoParams, Skip
from advisor.facts.config import Facts
from advisor.facts.dlsw import LocalPeer, RemotePeer
from advisor.facts.read_dlsw_peers import LARGEST_FRAMES
from advisor.findings import Confidence, Forecast
from advisor.ios.tree import Line, Location
from advisor.model.dlsw_cpu import frames_per_transaction
from advisor.predict.quantity import Basis, Figure, Input, exact
from advisor.settings import Transactions
from advisor.snapshot import Device

_ETHERNET = frozenset(("Ethernet", "FastEthernet", "GigabitEthernet"))
_ETHERNET_BYTES = 1500  # a larger frame does not fit the LAN, whatever `lf` allows


@dataclass(frozen=True, slots=True)
class Evidence:
    """The setting, the frames that it makes of a transaction, and those that are needed."""

    lf_bytes: int
    ru_bytes: int
    advised_bytes: int
    frames: int
    needed_frames: int
    fps: str
    needed_fps: str
    cpu: str
    section: tuple[str, ...]
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Stated:
    """An `lf` and the statement that it stands in."""

    label: str
    at: Location
    lf_bytes: int


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each `lf` that splits the stated RU without need."""
    del params
    stated = tuple(_stated(device.facts))
    if stated and device.transactions is None:
        yield Skip("dlsw lf", "the RU is not stated: [[traffic]] with peak_tps and ru_bytes")
    for each in stated if device.transactions is not None else ():
        hit = _hit(device, each, device.transactions)
        if hit is not None:
            yield hit


def _stated(facts: Facts) -> Iterator[_Stated]:
    local: LocalPeer | None = facts.dlsw.local_peer
    if local is not None and local.lf_bytes is not None:
        yield _Stated("dlsw local-peer", local.at, local.lf_bytes)
    for peer in facts.dlsw.remote_peers:
        if peer.options.lf_bytes is not None:
            yield _Stated(f"dlsw peer {peer.peer}", peer.at, peer.options.lf_bytes)
