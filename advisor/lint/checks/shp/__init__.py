"""Shapers of a device: where each is stated, its figures at each output, lines that set it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax import Location
from advisor.outlet.link_rates import circuit_of
from advisor.outlet.outlets import policies_out
from advisor.outlet.shaper import (
    OutletShaper,
    ShaperBursts,
    shaper_of,
)
from advisor.quantity import (
    Basis,
    Input,
    RateKind,
    exact,
)
from advisor.questions import derived


class ShaperPlace(Struct, frozen=True):
    """Where a shaper is stated: a class of a policy-map, or a map-class with a CIR."""

    map_class: str | None = None
    policy_map: str | None = None
    class_name: str | None = None

    @property
    def label(self) -> str:
        if self.map_class is not None:
            return f"map-class frame-relay {self.map_class}"
        return f"policy-map {self.policy_map} > class {self.class_name}"


class PlacedShaper(OutletShaper, frozen=True, kw_only=True):
    """A shaper at one output, and where it is stated."""

    place: ShaperPlace
    at: Location

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Rate and interval with their sources."""
        basis, source = self.buckets.tc_basis
        stated = f"shape, {self.shape.at}" if self.shape is not None else f"CIR, {self.at}"
        rate = exact("shaper_bps", self.rate_bps, Basis.CONFIGURED, stated, RateKind.SHAPER)
        return rate, exact("tc_ms", self.tc_ms, basis, source)


@derived
def voice_shapers(device: Device) -> tuple[PlacedShaper, ...]:
    """The shapers in force around an LLQ: at the output where the wire is fastest.

    A shaper that is as fast as its wire never shapes; one of percent is as many shapers as outputs.
    """
    found: dict[str, PlacedShaper] = {}
    for shaper in placed_shapers(device):
        if not shaper.outlet.llq_classes or shaper.never_shapes:
            continue
        known = found.get(shaper.place.label)
        if known is None or _order(shaper) > _order(known):
            found[shaper.place.label] = shaper
    return tuple(found.values())


def _order(shaper: PlacedShaper) -> tuple[float, float]:
    return shaper.tc_ms, shaper.outlet.wire_bps


def placed_shapers(device: Device) -> Iterator[PlacedShaper]:
    """The shaper of each output that has one."""
    places = _places(device)
    for outlet in policies_out(device):
        if not outlet.shaper_bps:
            continue
        shaper = shaper_of(device.facts, outlet, device.platform)
        circuit = circuit_of(outlet)
        if outlet.shape is not None:
            place, at = places[outlet.shape.at], outlet.shape.at
        elif circuit is not None and circuit.cir_bps is not None and circuit.map_class is not None:
            place, at = ShaperPlace(map_class=circuit.map_class.value), circuit.cir_bps.at
        else:
            continue
        yield PlacedShaper(outlet, shaper.buckets, shaper.wire, place=place, at=at)


def _places(device: Device) -> dict[Location, ShaperPlace]:
    return {
        policy_class.shape.at: ShaperPlace(policy_map=policy.name, class_name=policy_class.name)
        for policy, policy_class in device.facts.policy_classes
        if policy_class.shape is not None
    }


# The lines that set the bursts of a shaper, in the place where it is stated.


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


def setting_of(shaper: PlacedShaper, bursts: ShaperBursts) -> BurstSetting:
    """Bursts in the place of a shaper."""
    return BurstSetting(
        shaper.place, bursts.bc_bits, bursts.rate_bps, bursts.be_bits, account=bursts.account
    )


def stated_excess(shaper: PlacedShaper) -> int | None:
    """The Be of 0 that a map-class is to have where it states another; None where it has none."""
    return 0 if shaper.outlet.circuit_be_bits else None
