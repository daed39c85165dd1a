"""A shaper that is faster than its line: the line is full before the shaper queues."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.checks.shp.shared.burst import BurstSetting, advised_bc_bits, stated_excess
from advisor.lint.checks.shp.shared.shapers import PlacedShaper, placed_shapers
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.sold_rate import circuit_of
from advisor.quantity import Figure, Input, Unknown, rate_text
from advisor.units import kbps_from_bps, percent_from_ratio

_WITHOUT_WIRE = ("Tunnel", "Vlan", "BVI", "Loopback")


class Params(Struct, frozen=True):
    """How far over the line a shaper may be: rates are rounded."""

    above_percent: float


class Evidence(Struct, frozen=True):
    """The shaper, the line, and the shaper that fits."""

    place: str
    shaper_kbps: str
    line_kbps: str
    burst: BurstSetting | None


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each output whose shaper is faster than its line."""
    shapers = list(placed_shapers(device))
    for shaper in shapers:
        wire, shaper_bps = shaper.wire, shaper.outlet.shaper_bps or 0.0
        if wire is None:
            if shaper.outlet.interface.type not in _WITHOUT_WIRE:
                yield Skip(shaper.outlet.policy_label, "the rate of the line is not known")
        elif percent_from_ratio(shaper_bps / wire.value - 1) > params.above_percent:
            yield _hit(device, shaper, wire, shapers)


def _hit(
    device: Device, shaper: PlacedShaper, wire: Input, shapers: list[PlacedShaper]
) -> Hit[Evidence]:
    burst = _slower(device, shaper, wire, shapers)
    shaper_bps = shaper.outlet.shaper_bps or 0.0
    evidence = Evidence(
        place=shaper.place.label,
        shaper_kbps=rate_text(kbps_from_bps(shaper_bps)),
        line_kbps=rate_text(kbps_from_bps(wire.value)),
        burst=None if isinstance(burst, Unknown) else burst,
    )
    rate, _ = shaper.inputs
    return Hit(
        shaper.outlet.policy_label,
        (shaper.at, shaper.outlet.at),
        evidence,
        Confidence.LIKELY if wire.is_label else Confidence.CERTAIN,
        Forecast("rate of the shaper", _figure(shaper_bps), _figure(wire.value), (rate, wire)),
        severity=Severity.WARNING if wire.is_label else None,
        curable=not isinstance(burst, Unknown),
        advice=burst.reason if isinstance(burst, Unknown) else None,
    )


def _slower(
    device: Device, shaper: PlacedShaper, wire: Input, shapers: list[PlacedShaper]
) -> BurstSetting | Unknown:
    """The shaper at the rate of the line, or why no lines make it."""
    line = rate_text(kbps_from_bps(wire.value))
    shape, rate_bps = shaper.shape, int(wire.value)
    if shape is not None and (shape.mode == "peak" or shape.rate_bps is None):
        return Unknown(f"use `shape average` with the {line} kb/s of the line, or less")
    if any(each.place == shaper.place and each.wire != wire for each in shapers):
        return Unknown(f"{shaper.place.label} serves lines of several rates: give this its own")
    bc_bits = advised_bc_bits(rate_bps, device.platform)
    if shape is None:
        return BurstSetting(
            shaper.place, bc_bits, rate_bps, stated_excess(shaper), _min_cir_bps(shaper, rate_bps)
        )
    return BurstSetting(shaper.place, bc_bits, rate_bps, be_bits=0)


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
