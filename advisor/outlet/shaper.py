"""The shaper of an output and its interval; policers and shapers as token buckets."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts.config import Facts
from advisor.facts.policy import PolicyClass, Shape
from advisor.facts.ranges import LEAST_FRAME_RELAY_BC_BITS
from advisor.ground.quantity import Basis, Input, Unknown, number
from advisor.ground.units import bits_from_bytes, bytes_in_ms, ms_from_s, s_from_ms
from advisor.model import Framing, Policer, Refill, Shaper
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.framing import Layer2
from advisor.outlet.nesting import shaped_bps
from advisor.outlet.outlet import Outlet, police_burst_bytes, police_rate_bps

# A shaper of Frame Relay at this part of its line leaves room for flags and FCS, which it does not
# count: Cisco Enterprise QoS SRND 3.3, chapter 3 (`shape average 1460000` for 1536 kb/s).
FRAME_RELAY_RATIO: Final = 0.95

# Policers and shapers of an output as token buckets of the model.

_HQF_TC_MS, _PRE_HQF_TC_MS, _FRTS_TC_MS = 4.0, 25.0, 125.0
_PRE_HQF_SLOW_BPS, _PRE_HQF_SLOW_BITS = 320_000.0, 8000.0


class TokenBuckets(Struct, frozen=True):
    """The policers and shapers of an output, with the bytes that its platform counts."""

    outlet: Outlet
    platform: Decision

    def counted(self, wire: Framing) -> Framing:
        """Bytes of a packet that policers and shapers count.

        QFP counts the cells of a PVC (Cisco ASR 1000 QoS FAQ, table 1), classic IOS does not.
        """
        if self.platform.is_qfp and wire.cells:
            return wire
        return Framing(self.outlet.counted_in(wire))

    def policer(
        self, policy_class: PolicyClass, wire: Framing, mean_ip_bytes: float
    ) -> Policer | None:
        """The policer of `priority` with a rate: it meters under congestion (Cisco doc 10100)."""
        rate_bps = self.outlet.priority_bps(policy_class)
        burst_bytes = llq_burst(self.outlet, policy_class).size_bytes
        if rate_bps is None or burst_bytes is None:
            return None
        least_bytes = mean_ip_bytes + self.outlet.counted_bytes
        # A member takes its part of the bundle's rate, but a burst may come to it whole.
        member_bps = rate_bps / self.outlet.members
        return Policer(member_bps, max(burst_bytes, least_bytes), self.counted(wire))

    def police(self, policy_class: PolicyClass | None, wire: Framing) -> Policer | None:
        """The `police` statement of a class where it drops: it meters always."""
        stated = policy_class.police if policy_class is not None else None
        if stated is None or not stated.drops:
            return None
        rate_bps = police_rate_bps(stated, self.outlet.admission_bps)
        if rate_bps is None:
            return None
        burst_bytes = float(stated.burst_bytes or police_burst_bytes(rate_bps))
        return Policer(rate_bps / self.outlet.members, burst_bytes, self.counted(wire))

    def class_shaper(self, policy_class: PolicyClass | None, wire: Framing) -> Shaper | None:
        """Shaper of a class inside the policy; None where it is the one around the policy."""
        shape = policy_class.shape if policy_class is not None else None
        if shape is None or shape is self.outlet.shape:
            return None
        base_bps = self.outlet.admission_bps or self.outlet.wire_bps
        rate_bps = shaped_bps(shape, base_bps)
        if rate_bps is None:
            return None
        return self._shaper(shape, rate_bps / self.outlet.members, wire)

    def line_shaper(self, wire: Framing) -> Shaper | None:
        """The shaper around the policy; None without one, or where the wire is slower."""
        rate_bps = self.outlet.line_bps
        if rate_bps >= self.outlet.wire_bps:
            return None
        return self._shaper(self.outlet.shape, rate_bps, wire)

    def _shaper(self, shape: Shape | None, rate_bps: float, wire: Framing) -> Shaper:
        """A shaper as the platform refills it."""
        counted = self.counted(wire)
        account_bytes = shape.account_bytes if shape is not None else None
        return Shaper(
            rate_bps,
            self._tc_ms(shape, rate_bps),
            replace(counted, overhead_bytes=counted.overhead_bytes + (account_bytes or 0)),
            self._excess_bits(shape, rate_bps),
            self.refill,
        )

    @property
    def refill(self) -> Refill:
        """How tokens come: in steps of Tc; on QFP, where no source says it, without steps."""
        return Refill.SMOOTH if self.platform.is_qfp else Refill.PER_INTERVAL

    def tc_ms(self, shaper_bps: float) -> float:
        """Interval (Tc) of the shaper around the policy."""
        return self._tc_ms(self.outlet.shape, shaper_bps)

    def excess_bits(self, shaper_bps: float) -> float:
        """Be of the shaper around the policy in bits."""
        return self._excess_bits(self.outlet.shape, shaper_bps)

    def _tc_ms(self, shape: Shape | None, shaper_bps: float) -> float:
        """Interval of a shaper: Bc / rate, else the default of the generation.

        Source: 25 ms (8000 bits below 320 kb/s) before HQF, 4 ms with it and on QFP (printouts),
        125 ms with Frame Relay traffic shaping. An open generation is taken as the oldest: the
        longer interval.
        """
        if shape is None:
            bc_bits = self.outlet.circuit_bc_bits
            return _FRTS_TC_MS if bc_bits is None else ms_from_s(bc_bits.value / shaper_bps)
        if shape.bc_ms is not None:
            return shape.bc_ms
        if shape.bc_bits is not None:
            # `shape peak` sends more than its rate in the same interval.
            return ms_from_s(shape.bc_bits / (shape.rate_bps or shaper_bps))
        if not self.platform.is_pre_hqf:
            return _HQF_TC_MS
        if shaper_bps < _PRE_HQF_SLOW_BPS:
            return ms_from_s(_PRE_HQF_SLOW_BITS / shaper_bps)
        return _PRE_HQF_TC_MS

    @property
    def is_tc_recalled(self) -> bool:
        """Whether no source but memory gives `tc_ms`: below 320 kb/s before HQF, without Bc."""
        shape, basis = self.outlet.shape, self.tc_basis[0]
        is_slow = (self.outlet.shaper_bps or 0.0) < _PRE_HQF_SLOW_BPS
        is_default = shape is not None and basis is Basis.DEFAULT
        return is_default and is_slow and self.platform.is_pre_hqf

    def _excess_bits(self, shape: Shape | None, shaper_bps: float) -> float:
        """Be of a shaper: Bc by default; 0 under Frame Relay traffic shaping.

        `shape peak` sends Be in every interval: it is in the rate. Source: printouts (Be = Bc).
        """
        if shape is None:
            be_bits = self.outlet.circuit_be_bits
            return 0.0 if be_bits is None else float(be_bits.value)
        if shape.mode == "peak":
            return 0.0
        if shape.be_bits is not None:
            return float(shape.be_bits)
        tc_ms = self._tc_ms(shape, shaper_bps) if shape.be_ms is None else shape.be_ms
        return shaper_bps * s_from_ms(tc_ms)

    @property
    def tc_basis(self) -> tuple[Basis, str]:
        """Basis and source of `tc_ms`."""
        shape = self.outlet.shape
        if shape is not None and (shape.bc_ms is not None or shape.bc_bits is not None):
            return Basis.CONFIGURED, f"shape, {shape.at}"
        bc_bits = self.outlet.circuit_bc_bits
        if shape is None and bc_bits is not None:
            return Basis.CONFIGURED, f"frame-relay bc, {bc_bits.at}"
        if shape is None:
            return Basis.DEFAULT, "Frame Relay traffic shaping: Bc by default"
        return Basis.DEFAULT, f"{self.platform.software}: Bc by default"


# The shaper of an output: its interval, how long it makes voice wait, and the bursts it needs.

VOICE_TC_MS: Final = 10.0
_PARTS_OF_A_SECOND: Final = 100  # Bc = CIR / 100; Cisco SRND, Frame Relay
_PARTS_OF_A_VIP: Final = 125  # distributed platforms; Cisco SRND
_PARTS_OF_HQF: Final = 250  # 4 ms, the default of HQF and IOS XE


class ShaperBursts(Struct, frozen=True):
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
    def packet_bits(self) -> float:
        """The largest packet or fragment as the shaper counts it."""
        return bits_from_bytes(self.outlet.largest_ip_bytes + self.outlet.shaper_bytes)

    def wait_ms(self, bc_bits: float) -> float:
        """Time without a bit after data at wire speed: until Bc, or a longer packet, is earned."""
        earned_ms = ms_from_s(max(bc_bits, self.packet_bits) / self.rate_bps)
        wire = self.wire
        return earned_ms if wire is None else earned_ms * (1 - self.rate_bps / wire.value)

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
        return self.advised_bc_bits_at(self.rate_bps)

    def advised_bc_bits_at(self, rate_bps: float) -> int:
        """Bc of such an interval where it shapes to another rate."""
        layer2 = self.outlet.encapsulation
        is_frame_relay = layer2 is not None and layer2.kind is Layer2.FRAME_RELAY
        platform = self.buckets.platform
        return advised_bc_bits(rate_bps, platform, is_frame_relay=is_frame_relay)

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


def advised_bc_bits(rate_bps: float, platform: Decision, *, is_frame_relay: bool = False) -> int:
    """Bc with which a shaper is refilled at least every 10 ms: the default of HQF and IOS XE.

    Before HQF, and on Frame Relay, a hundredth of its rate, of a VIP a 125th. Sources: Cisco SRND
    and quick reference, both of Frame Relay; 4 ms are the default of HQF and of IOS XE
    (printouts), and a longer one makes voice wait longer. A circuit is slow: 4 ms would be less
    than one fragment of 10 ms.
    """
    is_hqf = platform.has_classic_defaults and not platform.is_pre_hqf
    if (platform.is_xe or is_hqf) and not is_frame_relay:
        return int(rate_bps / _PARTS_OF_HQF)
    is_vip = platform.may_be_distributed
    return int(rate_bps / (_PARTS_OF_A_VIP if is_vip else _PARTS_OF_A_SECOND))


def short_interval(shaper: OutletShaper) -> ShaperBursts | Unknown:
    """Bc for an interval that does not disturb voice, with the Be that stands there.

    What Be should be is another question: it can only be earned in a pause.
    """
    bc_bits, shape = shaper.advised_bc_bits, shaper.shape
    if shape is None:
        if bc_bits < LEAST_FRAME_RELAY_BC_BITS:
            return Unknown(
                f"`frame-relay bc` takes {LEAST_FRAME_RELAY_BC_BITS} bits at least, more than "
                "10 ms at this rate: raise the CIR"
            )
        return ShaperBursts(None, bc_bits)
    rate_bps = _stated_rate_bps(shaper, bc_bits)
    if isinstance(rate_bps, Unknown):
        return rate_bps
    return ShaperBursts(rate_bps, bc_bits, shape.be_bits, shape.account)


def without_excess(shaper: OutletShaper) -> ShaperBursts | Unknown:
    """No Be; `shape average` states a Bc with it, the present one or one that is short enough."""
    if shaper.shape is None:
        return ShaperBursts(None, None, 0)
    bc_bits = shaper.voice_bc_bits
    rate_bps = _stated_rate_bps(shaper, bc_bits)
    if isinstance(rate_bps, Unknown):
        return rate_bps
    return ShaperBursts(rate_bps, bc_bits, 0, shaper.account)


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
