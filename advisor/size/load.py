"""Load of a router: frames per second, stated by transactions or measured."""

from collections.abc import Sequence
from math import fsum, inf

from msgspec import Struct

from advisor.quantity import Basis
from advisor.size.errors import SizingError
from advisor.theory.dlsw.cpu import frames_of, ip_bytes_of
from advisor.units import bps_from_bytes, ms_from_s


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
        return frames_of(self.out_bytes, self.ru_bytes, self.largest_frame_bytes)

    @property
    def in_frames(self) -> int:
        """Frames of one transaction on the way in."""
        return frames_of(self.in_bytes, self.ru_bytes, self.largest_frame_bytes)

    @property
    def frames(self) -> int:
        """Frames of one transaction, both ways."""
        return self.out_frames + self.in_frames

    @property
    def fps(self) -> float:
        """Frames per second, both ways."""
        return self.tps * self.frames


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
            fsum(_ip_bps(kind.tps, kind.out_bytes, kind.out_frames) for kind in transactions),
            fsum(_ip_bps(kind.tps, kind.in_bytes, kind.in_frames) for kind in transactions),
        ),
        peers=peers,
    )


def _ip_bps(tps: float, size_bytes: int, frames: int) -> float:
    headers_bytes = frames * ip_bytes_of(0)
    return tps * bps_from_bytes(size_bytes + headers_bytes, ms_from_s(1))
