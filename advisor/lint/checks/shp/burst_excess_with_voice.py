"""A shaper that sends more than the contract in one interval, with voice in it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.checks.shp.shared.burst import BurstSetting, setting_of
from advisor.lint.checks.shp.shared.shapers import PlacedShaper, voice_shapers
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.link_rates import is_frame_relay, sold_rate
from advisor.outlet.shaper import without_excess
from advisor.quantity import Figure, Unknown, number, rate_text
from advisor.units import kbps_from_bps, ms_from_s

_CONTRACT_ROUNDING = 1.05  # a shaper a little over the contract is meant to be it


class Evidence(Struct, frozen=True):
    """The excess burst and the contract that it goes over."""

    be_bits: int
    origin: str  # "stated", "by default as large as Bc"
    rate_kbps: str
    excess_ms: str
    contract: str  # "a Frame Relay circuit", "20000 kb/s by the description"
    burst: BurstSetting | None


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each shaper around an LLQ with Be, where a contract is known to exist.

    The Be that IOS takes by itself is information; it is judged where its generation is known.
    """
    del params
    for shaper in voice_shapers(device):
        contract = _contract(device, shaper)
        if contract is None or shaper.be_bits <= 0:
            continue
        is_default = shaper.has_default_be
        if is_default and shaper.has_default_tc and device.platform.assumed:
            reason = "the default Be is Bc, which differs by a generation that is not known"
            yield Skip(shaper.place.label, reason)
        else:
            yield _hit(shaper, contract)


def _contract(device: Device, shaper: PlacedShaper) -> str | None:
    """What the provider polices; None where nothing names it, or where the shaper is below it."""
    if is_frame_relay(shaper.outlet):
        return "the CIR of a Frame Relay circuit"
    sold = sold_rate(device, shaper.outlet)
    if sold is None or shaper.rate_bps * _CONTRACT_ROUNDING < sold.value:
        return None
    return f"{rate_text(kbps_from_bps(sold.value))} kb/s by {sold.kind or 'its line'}"


def _hit(shaper: PlacedShaper, contract: str) -> Hit[Evidence]:
    bursts = without_excess(shaper)
    excess_ms = ms_from_s(shaper.be_bits / shaper.rate_bps)
    evidence = Evidence(
        be_bits=round(shaper.be_bits),
        origin="by default" if shaper.has_default_be else "as stated",
        rate_kbps=rate_text(kbps_from_bps(shaper.rate_bps)),
        excess_ms=number(excess_ms),
        contract=contract,
        burst=None if isinstance(bursts, Unknown) else setting_of(shaper, bursts),
    )
    return Hit(
        shaper.place.label,
        (shaper.at, shaper.outlet.at),
        evidence,
        Confidence.POSSIBLE if shaper.has_default_be else Confidence.LIKELY,
        Forecast(
            "time of the excess burst at the contract",
            _figure(excess_ms),
            _figure(0.0),
            shaper.inputs,
        ),
        severity=Severity.INFO if shaper.has_default_be else None,
        curable=not isinstance(bursts, Unknown),
        advice=bursts.reason if isinstance(bursts, Unknown) else None,
    )


def _figure(time_ms: float) -> Figure:
    return Figure(time_ms, time_ms, time_ms, "ms")


def measure(device: Device, label: str) -> Figure | None:
    """Time of the excess burst of the shaper with this label."""
    for shaper in voice_shapers(device):
        if shaper.place.label == label:
            return _figure(ms_from_s(shaper.be_bits / shaper.rate_bps))
    return None


CHECK = Check(NoParams, Evidence, find, measure)
