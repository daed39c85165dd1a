"""A shaper that is refilled too seldom: voice waits for its next interval behind data."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.shp.shared.burst import BurstSetting, setting_of
from advisor.lint.checks.shp.shared.shapers import PlacedShaper, voice_shapers
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.shaper import short_interval
from advisor.quantity import Figure, Unknown, number, rate_text
from advisor.units import kbps_from_bps

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
        reason = shaper.why_tc_unknown
        if reason is not None:
            yield Skip(shaper.place.label, reason)
        else:
            yield _hit(shaper)


def _hit(shaper: PlacedShaper) -> Hit[Evidence]:
    bursts, tc_ms = short_interval(shaper), shaper.tc_ms
    evidence = Evidence(
        tc_ms=number(tc_ms),
        bc_bits=round(shaper.bc_bits),
        origin="by default" if shaper.has_default_tc else "as stated",
        rate_kbps=rate_text(kbps_from_bps(shaper.rate_bps)),
        wait_ms=number(shaper.wait_ms),
        advised_bc_bits=shaper.advised_bc_bits,
        advised_tc_ms=number(shaper.advised_tc_ms),
        burst=None if isinstance(bursts, Unknown) else setting_of(shaper, bursts),
    )
    return Hit(
        shaper.place.label,
        (shaper.at, shaper.outlet.at),
        evidence,
        Confidence.LIKELY if shaper.has_default_tc else Confidence.CERTAIN,
        Forecast(_METRIC, _figure(tc_ms), _figure(shaper.advised_tc_ms), shaper.inputs),
        severity=Severity.INFO if shaper.buckets.is_tc_recalled else None,
        curable=not isinstance(bursts, Unknown),
        advice=bursts.reason if isinstance(bursts, Unknown) else None,
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
