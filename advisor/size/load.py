"""Load of a router: frames per second, stated by transactions or measured."""

from collections.abc import Sequence
from math import fsum, inf

from msgspec import Struct

from advisor.quantity import Basis
from advisor.size.errors import SizingError
from advisor.theory.dlsw.cpu import frames_by_size, ip_bytes_of
from advisor.theory.wire import Framing, wire_bytes
from advisor.units import bps_from_bytes, ms_from_s

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
        return sum(count * wire_bytes(ip_bytes_of(each), framing) for each, count in frames)

    def _frames(self, size_bytes: int) -> dict[int, int]:
        return frames_by_size(size_bytes, self.ru_bytes, self.largest_frame_bytes)


class Population(Struct, frozen=True):
    """SNA stations behind a router: physical units, logical units of each, and their rate.

    The default rate is that of Cisco's testers: one command and its response a second for each
    logical unit (DLSw+ TCP Performance).
    """

    pus: int
    lus_per_pu: int = 1
    tps_per_lu: float = 1.0

    @property
    def tps(self) -> float:
        """Transactions per second of all logical units together.

        >>> Population(100, 4).tps
        400.0
        """
        return self.pus * self.lus_per_pu * self.tps_per_lu


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
