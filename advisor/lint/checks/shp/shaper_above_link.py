"""A shaper that is faster than its line: the line is full before the shaper queues."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.shp.shared.burst import BurstSetting, stated_excess
from advisor.lint.checks.shp.shared.shapers import PlacedShaper, placed_shapers
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.link_rates import circuit_of, is_contracted, sold_rate
from advisor.outlet.shaper import advised_bc_bits
from advisor.quantity import Figure, Input, RateKind, Unknown, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio

_WITHOUT_WIRE = ("Tunnel", "Vlan", "BVI", "Loopback")
_LINE_FULL = "the line is full before the shaper holds anything back"
_PROVIDER_FULL = "queues and drops are at the provider, which does not know the classes"


class Params(Struct, frozen=True):
    """How far over the line, or over what is sold on it, a shaper may be: rates are rounded."""

    above_percent: float
    above_sold_percent: float


class Evidence(Struct, frozen=True):
    """The shaper, the line or what is sold on it, and the shaper that fits."""

    place: str
    shaper_kbps: str
    line: str  # "the line of 512 kb/s", "10000 kb/s by description"
    line_kbps: str
    effect: str
    burst: BurstSetting | None


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose shaper is faster than its line or what is sold on it."""
    shapers = list(placed_shapers(device))
    for shaper in shapers:
        wire, sold = shaper.wire, sold_rate(device, shaper.outlet)
        if wire is None:
            if shaper.outlet.interface.type not in _WITHOUT_WIRE:
                yield Skip(shaper.outlet.policy_label, "the rate of the line is not known")
        elif _is_above(shaper, wire, params.above_percent):
            yield _hit(device, shaper, wire, shapers)
        elif sold is not None and _is_above(shaper, sold, params.above_sold_percent):
            yield _hit(device, shaper, sold, shapers)


def _is_above(shaper: PlacedShaper, limit: Input, above_percent: float) -> bool:
    shaper_bps = shaper.outlet.shaper_bps or 0.0
    return percent_from_ratio(shaper_bps / limit.value - 1) > above_percent


def _hit(
    device: Device, shaper: PlacedShaper, limit: Input, shapers: list[PlacedShaper]
) -> Hit[Evidence]:
    """A hit; `limit` is the line or, where it is not, what is sold on it."""
    burst = _slower(device, shaper, limit, shapers)
    shaper_bps = shaper.outlet.shaper_bps or 0.0
    is_line = limit is shaper.wire
    limit_kbps = rate_text(kbps_from_bps(limit.value))
    evidence = Evidence(
        place=shaper.place.label,
        shaper_kbps=rate_text(kbps_from_bps(shaper_bps)),
        line=f"the line of {limit_kbps} kb/s" if is_line else f"{limit_kbps} kb/s by {limit.kind}",
        line_kbps=limit_kbps,
        effect=_LINE_FULL if is_line else _PROVIDER_FULL,
        burst=None if isinstance(burst, Unknown) else burst,
    )
    rate, _ = shaper.inputs
    severity, confidence = _weight(limit, is_line=is_line)
    if not is_contracted(device, shaper.outlet, limit):
        confidence = Confidence.POSSIBLE
    return Hit(
        shaper.outlet.policy_label,
        (shaper.at, shaper.outlet.at),
        evidence,
        confidence,
        Forecast("rate of the shaper", _figure(shaper_bps), _figure(limit.value), (rate, limit)),
        severity=severity,
        curable=not isinstance(burst, Unknown),
        advice=burst.reason if isinstance(burst, Unknown) else None,
    )


def _weight(limit: Input, *, is_line: bool) -> tuple[Severity | None, Confidence]:
    """How bad it is, and how sure: `bandwidth` below a port may be there for a routing protocol."""
    if is_line and not limit.is_label:
        return None, Confidence.CERTAIN
    if not is_line and limit.kind is RateKind.BANDWIDTH_LABEL:
        return Severity.INFO, Confidence.POSSIBLE
    return Severity.WARNING, Confidence.LIKELY


def _slower(
    device: Device, shaper: PlacedShaper, limit: Input, shapers: list[PlacedShaper]
) -> BurstSetting | Unknown:
    """The shaper at the rate of the line or what is sold on it, or why no lines make it."""
    line = rate_text(kbps_from_bps(limit.value))
    shape, rate_bps = shaper.shape, int(limit.value)
    if limit.is_label:
        return Unknown(
            f"`bandwidth` says {line} kb/s, which may be a metric of routing alone: set the shaper "
            "or `bandwidth`, whichever is wrong"
        )
    if not is_contracted(device, shaper.outlet, limit):
        return Unknown(
            f"the description names {line} kb/s, which may be of another line: set the shaper or "
            "the description, whichever is wrong; if it is what is sold here, write it as CIR or "
            "contract, and the lines of the shaper follow"
        )
    if shape is not None and (shape.mode == "peak" or shape.rate_bps is None):
        return Unknown(f"use `shape average` with {line} kb/s, or less")
    shared = [each for each in shapers if each.place == shaper.place]
    if any(_limit_bps(device, each) != limit.value for each in shared):
        return Unknown(f"{shaper.place.label} serves lines of several rates: give this its own")
    bc_bits = advised_bc_bits(rate_bps, device.platform)
    if shape is None:
        return BurstSetting(
            shaper.place, bc_bits, rate_bps, stated_excess(shaper), _min_cir_bps(shaper, rate_bps)
        )
    return BurstSetting(shaper.place, bc_bits, rate_bps, be_bits=0, account=shaper.account)


def _limit_bps(device: Device, shaper: PlacedShaper) -> float | None:
    """The rate that a shaper should not be over at its output; None where it is not known."""
    limit = sold_rate(device, shaper.outlet) or shaper.wire
    return limit.value if limit is not None else None


def _min_cir_bps(shaper: PlacedShaper, cir_bps: int) -> int | None:
    """The mincir under a new CIR: no more than it; None where the one of the map-class stays."""
    circuit = circuit_of(shaper.outlet)
    stated = circuit.min_cir_bps if circuit is not None else None
    return cir_bps if stated is not None and stated.value > cir_bps else None


def _figure(rate_bps: float) -> Figure:
    rate_kbps = kbps_from_bps(rate_bps)
    return Figure(rate_kbps, rate_kbps, rate_kbps, "kb/s")


def measure(device: Device, label: str) -> Figure | None:
    """Rate of the shaper at the output with this label."""
    for shaper in placed_shapers(device):
        if shaper.outlet.policy_label == label:
            return _figure(shaper.outlet.shaper_bps or 0.0)
    return None


CHECK = Check(Params, Evidence, find, measure)
