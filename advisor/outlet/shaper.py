"""The shaper of an output: its interval, how long it makes voice wait, and the bursts it needs."""

from typing import Final

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.facts.config import Facts
from advisor.facts.policy import Shape
from advisor.outlet.outlet import Outlet
from advisor.outlet.token_buckets import TokenBuckets
from advisor.quantity import Basis, Input, Unknown, number
from advisor.units import bits_from_bytes, bytes_in_ms, ms_from_s

VOICE_TC_MS: Final = 10.0
_LEAST_FRAME_RELAY_BC_BITS: Final = 300  # Cisco wide-area networking command reference
_PARTS_OF_A_SECOND: Final = 100  # Bc = CIR / 100; Cisco SRND, Frame Relay
_PARTS_OF_A_VIP: Final = 125  # distributed platforms; Cisco SRND
_PARTS_OF_HQF: Final = 250  # 4 ms, the default of HQF and IOS XE


class Bursts(Struct, frozen=True):
    """Rate in bit/s, Bc and Be in bits of a shaper; `shape average` states them in one line.

    None is a value that is not stated: in a map-class each has a line of its own.
    """

    rate_bps: int | None
    bc_bits: int | None
    be_bits: int | None = None
    account: str | None = None

    @property
    def line(self) -> str:
        """The command, of a map-class that of Bc."""
        if self.rate_bps is None:
            return f"frame-relay bc {self.bc_bits}"
        be = "" if self.be_bits is None else f" {self.be_bits}"
        account = "" if self.account is None else f" account {self.account}"
        return f"shape average {self.rate_bps} {self.bc_bits}{be}{account}"


class OutletShaper(Struct, frozen=True):
    """The shaper of an output; its figures are those that `predict` takes.

    `wire` is the rate of the line; None where it is not known.
    """

    outlet: Outlet
    buckets: TokenBuckets
    wire: Input | None

    @property
    def shape(self) -> Shape | None:
        """Its statement; None for the CIR of a circuit."""
        return self.outlet.shape

    @property
    def account(self) -> str | None:
        """The words of its `account`, which stay where its line is written anew."""
        return self.shape.account if self.shape is not None else None

    @property
    def never_shapes(self) -> bool:
        """Whether the line is full before the shaper is."""
        return self.wire is not None and (self.outlet.shaper_bps or 0.0) >= self.wire.value

    @property
    def rate_bps(self) -> float:
        """Rate that the shaper refills at: of `shape peak` the CIR, not its peak."""
        stated = self.shape.rate_bps if self.shape is not None else None
        return stated or self.outlet.shaper_bps or 0.0

    @property
    def tc_ms(self) -> float:
        return self.buckets.tc_ms(self.outlet.shaper_bps or 0.0)

    @property
    def bc_bits(self) -> float:
        return bits_from_bytes(bytes_in_ms(self.rate_bps, self.tc_ms))

    @property
    def be_bits(self) -> float:
        """Excess burst; IOS takes Be = Bc where `shape` states none."""
        return self.buckets.excess_bits(self.outlet.shaper_bps or 0.0)

    @property
    def has_default_be(self) -> bool:
        shape = self.shape
        return shape is not None and shape.be_bits is None and shape.be_ms is None

    @property
    def wait_ms(self) -> float:
        """Time without a bit after a burst of Bc at wire speed: at most Tc."""
        wire = self.wire
        return self.tc_ms if wire is None else self.tc_ms * (1 - self.rate_bps / wire.value)

    @property
    def has_default_tc(self) -> bool:
        basis, _ = self.buckets.tc_basis
        return basis is Basis.DEFAULT

    @property
    def why_tc_unknown(self) -> str | None:
        """Why its interval is not known: the default of a generation that is only assumed."""
        if self.shape is None or not self.has_default_tc or not self.buckets.platform.assumed:
            return None
        return (
            f"the default Tc is {number(self.tc_ms)} ms before HQF and less with it: which "
            "of the two this device runs is not known"
        )

    @property
    def advised_bc_bits(self) -> int:
        """Bc of an interval that does not disturb voice."""
        return advised_bc_bits(self.rate_bps, self.buckets.platform)

    @property
    def advised_tc_ms(self) -> float:
        """Interval with the advised Bc."""
        return ms_from_s(self.advised_bc_bits / self.rate_bps)

    @property
    def voice_bc_bits(self) -> int:
        """The advised Bc; the present one where its interval is short enough for voice."""
        return round(self.bc_bits) if self.tc_ms <= VOICE_TC_MS else self.advised_bc_bits


def shaper_of(facts: Facts, outlet: Outlet, platform: Decision) -> OutletShaper:
    """The shaper of an output that has one."""
    return OutletShaper(outlet, TokenBuckets(outlet, platform), _line(facts, outlet))


def _line(facts: Facts, outlet: Outlet) -> Input | None:
    """The rate of the line behind an output; None where it is not known.

    The `bandwidth` of a subinterface says what its circuit may send, not what the line does.
    """
    wire, parent = outlet.bundle_wire or outlet.wire, outlet.interface.parent
    if wire is None or not wire.is_label or parent is None:
        return wire
    main = facts.interface(parent)
    return wire if main is not None and main.bandwidth_bps is not None else None


def advised_bc_bits(rate_bps: float, platform: Decision) -> int:
    """Bc with which a shaper is refilled at least every 10 ms: a hundredth of its rate.

    Sources: Cisco SRND and quick reference (CIR/100, distributed CIR/125, both of Frame Relay);
    the default of HQF and of IOS XE is 4 ms (printouts), and a longer one makes voice wait longer.
    """
    is_hqf = platform.has_classic_defaults and not platform.is_pre_hqf
    if platform.is_xe or is_hqf:
        return int(rate_bps / _PARTS_OF_HQF)
    is_vip = platform.family_name == "distributed"
    return int(rate_bps / (_PARTS_OF_A_VIP if is_vip else _PARTS_OF_A_SECOND))


def short_interval(shaper: OutletShaper) -> Bursts | Unknown:
    """Bc for an interval that does not disturb voice, with the Be that stands there.

    What Be should be is another question: it can only be earned in a pause.
    """
    bc_bits, shape = shaper.advised_bc_bits, shaper.shape
    if shape is None:
        if bc_bits < _LEAST_FRAME_RELAY_BC_BITS:
            return Unknown(
                f"`frame-relay bc` takes {_LEAST_FRAME_RELAY_BC_BITS} bits at least, more than "
                "10 ms at this rate: raise the CIR"
            )
        return Bursts(None, bc_bits)
    rate_bps = _stated_rate_bps(shaper, bc_bits)
    if isinstance(rate_bps, Unknown):
        return rate_bps
    return Bursts(rate_bps, bc_bits, shape.be_bits, shape.account)


def without_excess(shaper: OutletShaper) -> Bursts | Unknown:
    """No Be; `shape average` states a Bc with it, the present one or one that is short enough."""
    if shaper.shape is None:
        return Bursts(None, None, 0)
    bc_bits = shaper.voice_bc_bits
    rate_bps = _stated_rate_bps(shaper, bc_bits)
    if isinstance(rate_bps, Unknown):
        return rate_bps
    return Bursts(rate_bps, bc_bits, 0, shaper.account)


def _stated_rate_bps(shaper: OutletShaper, bc_bits: int) -> int | Unknown:
    """The rate in the line of a shaper, or what to do where bursts in bits cannot stand there."""
    shape = shaper.shape
    account = "" if shaper.account is None else f" account {shaper.account}"
    if shape is not None and shape.mode == "peak":
        return Unknown("use `shape average`: `shape peak` sends Bc + Be in every interval")
    if shape is None or shape.rate_bps is None:
        return Unknown(
            f"state the rate in bit/s: `shape average {shaper.rate_bps:.0f} {bc_bits} 0{account}`; "
            "in percent IOS takes bursts in ms, and no Be of 0"
        )
    return int(shape.rate_bps)
