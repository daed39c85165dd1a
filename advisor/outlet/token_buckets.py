"""Policers and shapers of an output as token buckets of the model."""

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.platform import Decision
from advisor.facts.policy import PolicyClass, Shape
from advisor.outlet.class_bandwidth import llq_burst
from advisor.outlet.llq_rate import police_burst_bytes, police_rate_bps
from advisor.outlet.nesting import shaped_bps
from advisor.outlet.outlet import Outlet
from advisor.quantity import Basis
from advisor.theory.interface import Framing, Policer, Refill, Shaper
from advisor.units import ms_from_s, s_from_ms

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
        return Framing(self.outlet.counted_bytes)

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
