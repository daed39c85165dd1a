"""The shapers of a device: where each is stated, and its figures at each output that it is used."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.config import Facts
from advisor.facts.policy import Shape
from advisor.ios.syntax.tree import Location
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.sold_rate import circuit_of
from advisor.outlet.token_buckets import TokenBuckets
from advisor.quantity import Basis, Input, RateKind, exact
from advisor.units import bits_from_bytes, bytes_in_ms


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


class PlacedShaper(Struct, frozen=True):
    """A shaper at one output; its figures are those that `predict` takes.

    `wire` is the rate of the line; None where it is not known.
    """

    place: ShaperPlace
    outlet: Outlet
    buckets: TokenBuckets
    at: Location
    wire: Input | None

    @property
    def shape(self) -> Shape | None:
        """Its statement; None for the CIR of a circuit."""
        return self.outlet.shape

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
    def wait_ms(self) -> float:
        """Time without a bit after a burst of Bc at wire speed: at most Tc."""
        wire = self.wire
        return self.tc_ms if wire is None else self.tc_ms * (1 - self.rate_bps / wire.value)

    @property
    def has_default_tc(self) -> bool:
        basis, _ = self.buckets.tc_basis
        return basis is Basis.DEFAULT

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Rate and interval with their sources."""
        basis, source = self.buckets.tc_basis
        stated = f"shape, {self.shape.at}" if self.shape is not None else f"CIR, {self.at}"
        rate = exact("shaper_bps", self.rate_bps, Basis.CONFIGURED, stated, RateKind.SHAPER)
        return rate, exact("tc_ms", self.tc_ms, basis, source)


def voice_shapers(device: Device) -> tuple[PlacedShaper, ...]:
    """The shapers in force around an LLQ: at the output where the wire is fastest.

    A shaper that is as fast as its wire never shapes; one of percent is as many shapers as outputs.
    """
    return device.derived(_voice_shapers)


def _voice_shapers(device: Device) -> tuple[PlacedShaper, ...]:
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
        buckets = TokenBuckets(outlet, device.platform)
        circuit = circuit_of(outlet)
        if outlet.shape is not None:
            place, at = places[outlet.shape.at], outlet.shape.at
        elif circuit is not None and circuit.cir_bps is not None and circuit.map_class is not None:
            place, at = ShaperPlace(map_class=circuit.map_class.value), circuit.cir_bps.at
        else:
            continue
        yield PlacedShaper(place, outlet, buckets, at, _line(device.facts, outlet))


def _line(facts: Facts, outlet: Outlet) -> Input | None:
    """The rate of the line behind an output; None where it is not known.

    The `bandwidth` of a subinterface says what its circuit may send, not what the line does.
    """
    wire, parent = outlet.bundle_wire or outlet.wire, outlet.interface.parent
    if wire is None or not wire.is_label or parent is None:
        return wire
    main = facts.interface(parent)
    return wire if main is not None and main.bandwidth_bps is not None else None


def _places(device: Device) -> dict[Location, ShaperPlace]:
    return {
        policy_class.shape.at: ShaperPlace(policy_map=policy.name, class_name=policy_class.name)
        for policy in device.facts.policy_maps
        for policy_class in policy.classes
        if policy_class.shape is not None
    }
