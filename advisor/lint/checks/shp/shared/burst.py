"""The bursts that a shaper around voice should have, and the lines that set them."""

from typing import Final

from msgspec import Struct

from advisor.device.platform import Decision
from advisor.lint.checks.shp.shared.shapers import PlacedShaper, ShaperPlace
from advisor.quantity import Unknown

VOICE_TC_MS: Final = 10.0
_PARTS_OF_A_SECOND: Final = 100  # Bc = CIR / 100; Cisco SRND, Frame Relay
_PARTS_OF_A_VIP: Final = 125  # distributed platforms; Cisco SRND
_PARTS_OF_HQF: Final = 250  # 4 ms, the default of HQF and IOS XE


class BurstSetting(Struct, frozen=True):
    """Rate in bit/s, Bc and Be in bits that a shaper is to have; `shape average` repeats all.

    In a map-class None is a value that stays.
    """

    place: ShaperPlace
    bc_bits: int | None
    rate_bps: int | None = None
    be_bits: int | None = None
    min_cir_bps: int | None = None


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


def burst_for_voice(shaper: PlacedShaper, platform: Decision) -> BurstSetting | Unknown:
    """Bc for an interval of 10 ms, or the present one where that is shorter, and no Be."""
    shape, rate_bps = shaper.shape, shaper.rate_bps
    is_short = shaper.tc_ms <= VOICE_TC_MS
    bc_bits = round(shaper.bc_bits) if is_short else advised_bc_bits(rate_bps, platform)
    if shape is None:
        own_bc_bits = None if is_short else bc_bits
        return BurstSetting(shaper.place, own_bc_bits, be_bits=stated_excess(shaper))
    if shape.mode == "peak":
        return Unknown("use `shape average`: `shape peak` sends Bc + Be in every interval")
    if shape.rate_bps is None:
        return Unknown(
            f"state the rate in bit/s: `shape average {rate_bps:.0f} {bc_bits} 0`; in percent IOS "
            "takes bursts in ms, and no Be of 0"
        )
    return BurstSetting(shaper.place, bc_bits, rate_bps=int(rate_bps), be_bits=0)


def stated_excess(shaper: PlacedShaper) -> int | None:
    """The Be of 0 that a map-class is to have where it states another; None where it has none."""
    return 0 if shaper.outlet.circuit_be_bits else None
