"""The lines that set the bursts of a shaper, in the place where it is stated."""

from msgspec import Struct

from advisor.lint.checks.shp.shared.shapers import PlacedShaper, ShaperPlace
from advisor.outlet.shaper import Bursts


class BurstSetting(Struct, frozen=True):
    """Rate in bit/s, Bc and Be in bits that a shaper is to have; `shape average` repeats all.

    In a map-class None is a value that stays; of `shape average` a Be of None is not stated.
    """

    place: ShaperPlace
    bc_bits: int | None
    rate_bps: int | None = None
    be_bits: int | None = None
    min_cir_bps: int | None = None
    account: str | None = None


def setting_of(shaper: PlacedShaper, bursts: Bursts) -> BurstSetting:
    """Bursts in the place of a shaper."""
    return BurstSetting(
        shaper.place, bursts.bc_bits, bursts.rate_bps, bursts.be_bits, account=bursts.account
    )


def stated_excess(shaper: PlacedShaper) -> int | None:
    """The Be of 0 that a map-class is to have where it states another; None where it has none."""
    return 0 if shaper.outlet.circuit_be_bits else None
