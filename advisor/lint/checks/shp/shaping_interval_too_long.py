"""A shaper that is refilled too seldom: voice waits for its next interval behind data."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.platform import Decision
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.shp.shared.burst import (
    BurstSetting,
    advised_bc_bits,
    burst_for_voice,
)
from advisor.lint.checks.shp.shared.shapers import PlacedShaper, voice_shapers
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.quantity import Figure, Unknown, number, rate_text
from advisor.units import kbps_from_bps, ms_from_s

_METRIC = "shaping interval (Tc)"


class Params(Struct, frozen=True):
    """The longest interval that does not disturb voice."""

    longest_tc_ms: float


class Evidence(Struct, frozen=True):
    """The interval, its burst, and how long the shaper then sends nothing."""

    tc_ms: str
    bc_bits: int
    origin: str  # "stated", "the default"
    rate_kbps: str
    wait_ms: str
    advised_bc_bits: int
    advised_tc_ms: str
    burst: BurstSetting | None


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each shaper around an LLQ whose Tc is too long.

    A default is judged only where the generation is known.
    """
    for shaper in voice_shapers(device):
        if round(shaper.tc_ms, 1) <= params.longest_tc_ms:
            continue
        is_open = shaper.has_default_tc and shaper.shape is not None and device.platform.assumed
        if is_open:
            reason = (
                f"the default Tc is {number(shaper.tc_ms)} ms before HQF and less with it: which "
                "of the two this device runs is not known"
            )
            yield Skip(shaper.place.label, reason)
        else:
            yield _hit(shaper, device.platform)


def _hit(shaper: PlacedShaper, platform: Decision) -> Hit[Evidence]:
    burst, tc_ms = burst_for_voice(shaper, platform), shaper.tc_ms
    advised_bits = advised_bc_bits(shaper.rate_bps, platform)
    after_ms = ms_from_s(advised_bits / shaper.rate_bps)
    evidence = Evidence(
        tc_ms=number(tc_ms),
        bc_bits=round(shaper.bc_bits),
        origin="by default" if shaper.has_default_tc else "as stated",
        rate_kbps=rate_text(kbps_from_bps(shaper.rate_bps)),
        wait_ms=number(shaper.wait_ms),
        advised_bc_bits=advised_bits,
        advised_tc_ms=number(after_ms),
        burst=None if isinstance(burst, Unknown) else burst,
    )
    return Hit(
        shaper.place.label,
        (shaper.at, shaper.outlet.at),
        evidence,
        Confidence.LIKELY if shaper.has_default_tc else Confidence.CERTAIN,
        Forecast(_METRIC, _figure(tc_ms), _figure(after_ms), shaper.inputs),
        severity=Severity.INFO if shaper.buckets.is_tc_recalled else None,
        curable=not isinstance(burst, Unknown),
        advice=burst.reason if isinstance(burst, Unknown) else None,
    )


def _figure(tc_ms: float) -> Figure:
    return Figure(tc_ms, tc_ms, tc_ms, "ms")


def measure(device: Device, label: str) -> Figure | None:
    """Tc of the shaper with this label."""
    for shaper in voice_shapers(device):
        if shaper.place.label == label:
            return _figure(shaper.tc_ms)
    return None


CHECK = Check(Params, Evidence, find, measure)
