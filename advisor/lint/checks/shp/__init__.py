"""Shapers of a device: where each is stated, its bursts and its interval."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import (
    Basis,
    Figure,
    Input,
    RateKind,
    Unknown,
    exact,
    number,
    point,
    rate_text,
    rate_words,
)
from advisor.ground.questions import derived
from advisor.ground.units import BITS_PER_BYTE, kbps_from_bps, ms_from_s
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.link_rates import circuit_of, is_frame_relay, sold_rate
from advisor.outlet.outlets import policies_out
from advisor.outlet.shaper import (
    VOICE_TC_MS,
    OutletShaper,
    ShaperBursts,
    shaper_of,
    short_interval,
    without_excess,
)


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


def _shaper_at(device: Device, label: str) -> PlacedShaper | None:
    return next((item for item in voice_shapers(device) if item.place.label == label), None)


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


# A shaper that sends more than the contract in one interval, with voice in it.

_CONTRACT_ROUNDING = 1.05  # a shaper a little over the contract is meant to be it


class BurstExcess(Struct, frozen=True):
    """The excess burst and the contract that it goes over."""

    be_bits: int
    origin: str  # "stated", "by default as large as Bc"
    rate_kbps: str
    excess_ms: str
    contract: str  # "a Frame Relay circuit", "20000 kb/s by the description"
    burst: BurstSetting | None


def find_burst_excess_with_voice(device: Device) -> Found[BurstExcess]:
    """Yield a hit for each shaper around an LLQ with Be, where a contract is known to exist.

    The Be that IOS takes by itself is information; it is judged where its generation is known.
    """
    for shaper in voice_shapers(device):
        contract = _contract_exceeded(device, shaper)
        if contract is None:
            continue
        if _is_be_unknown(device, shaper):
            reason = "the default Be is Bc, which differs by a generation that is not known"
            yield Skip(shaper.place.label, reason)
        else:
            hit = _burst_excess(shaper, contract)
            if _is_contract_open(device, shaper):
                hit = replace(hit, confidence=Confidence.POSSIBLE)
            yield hit


def _contract_exceeded(device: Device, shaper: PlacedShaper) -> str | None:
    """The contract that the Be of a shaper goes over, in words; None where it goes over none."""
    return _contract(device, shaper) if shaper.be_bits > 0 else None


def _is_be_unknown(device: Device, shaper: PlacedShaper) -> bool:
    return shaper.has_default_be and shaper.has_default_tc and device.platform.assumed


def _is_contract_open(device: Device, shaper: PlacedShaper) -> bool:
    """Whether a Frame Relay circuit has a contract that no line states."""
    is_stated = shaper.place.map_class is not None or sold_rate(device, shaper.outlet) is not None
    return is_frame_relay(shaper.outlet) and not is_stated


def _contract(device: Device, shaper: PlacedShaper) -> str | None:
    """Describe the provider's policing; None if nothing names it or the shaper is below it."""
    if _is_contract_open(device, shaper):
        return "a CIR if the circuit is sold with one of this rate, which no line states"
    if is_frame_relay(shaper.outlet):
        return "the CIR of a Frame Relay circuit"
    sold = sold_rate(device, shaper.outlet)
    if sold is None or shaper.rate_bps * _CONTRACT_ROUNDING < sold.value:
        return None
    return f"{rate_words(kbps_from_bps(sold.value))} by {sold.kind or 'its line'}"


def _burst_excess(shaper: PlacedShaper, contract: str) -> Hit[BurstExcess]:
    bursts = without_excess(shaper)
    excess_ms = ms_from_s(shaper.be_bits / shaper.rate_bps)
    evidence = BurstExcess(
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
            "time that it sends over the contract after a pause",
            point(excess_ms, "ms"),
            point(0.0, "ms"),
            shaper.inputs,
        ),
        severity=Severity.INFO if shaper.has_default_be else None,
        curable=not isinstance(bursts, Unknown),
        advice=bursts.reason if isinstance(bursts, Unknown) else None,
    )


def measure_burst_excess_with_voice(device: Device, label: str) -> Figure | None:
    """Time of the excess burst of the shaper with this label."""
    shaper = _shaper_at(device, label)
    return None if shaper is None else point(ms_from_s(shaper.be_bits / shaper.rate_bps), "ms")


# A shaper that is refilled too seldom: voice waits for its next interval behind data.

_METRIC = "longest pause of voice behind a burst of data"


class LongIntervalParams(Struct, frozen=True):
    """The longest interval that does not disturb voice."""

    longest_tc_ms: float


class LongInterval(Struct, frozen=True):
    """The interval, its burst, and how long the shaper then sends nothing."""

    tc_ms: str
    bc_bits: int
    origin: str  # "stated", "the default"
    rate_kbps: str
    wait_ms: str
    advised_bc_bits: int
    advised_tc_ms: str
    packet: str  # "; a packet of 1500 bytes still stops it for up to 39 ms"; or empty
    excess: str  # "; Be 38000 stays: 20 ms more after a pause"; empty where none is stated
    burst: BurstSetting | None


def find_shaping_interval_too_long(
    device: Device, params: LongIntervalParams
) -> Found[LongInterval]:
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
            yield _long_interval(device, shaper)


def _long_interval(device: Device, shaper: PlacedShaper) -> Hit[LongInterval]:
    """A hit; where Be is over a contract, one line sets both bursts: SHP004 finds the Be."""
    is_over_contract = _contract_exceeded(device, shaper) is not None and not _is_be_unknown(
        device, shaper
    )
    is_one_line = is_over_contract and shaper.shape is not None
    bursts = without_excess(shaper) if is_one_line else short_interval(shaper)
    now_ms, then_ms = map(shaper.wait_ms, (shaper.bc_bits, shaper.advised_bc_bits))
    evidence = LongInterval(
        tc_ms=number(shaper.tc_ms),
        bc_bits=round(shaper.bc_bits),
        origin="by default" if shaper.has_default_tc else "as stated",
        rate_kbps=rate_text(kbps_from_bps(shaper.rate_bps)),
        wait_ms=number(now_ms),
        advised_bc_bits=shaper.advised_bc_bits,
        advised_tc_ms=number(shaper.advised_tc_ms),
        packet=_packet_words(shaper, then_ms),
        excess=_excess_words(shaper, is_over_contract=is_over_contract),
        burst=None if isinstance(bursts, Unknown) else setting_of(shaper, bursts),
    )
    return Hit(
        shaper.place.label,
        (shaper.at, shaper.outlet.at),
        evidence,
        Confidence.LIKELY if shaper.has_default_tc else Confidence.CERTAIN,
        Forecast(_METRIC, point(now_ms, "ms"), point(then_ms, "ms"), shaper.inputs)
        if then_ms < now_ms
        else None,
        severity=Severity.INFO if shaper.buckets.is_tc_recalled else None,
        curable=not isinstance(bursts, Unknown),
        advice=bursts.reason if isinstance(bursts, Unknown) else None,
    )


def _packet_words(shaper: PlacedShaper, then_ms: float) -> str:
    """Tell the pause that a packet longer than the advised Bc makes, where it disturbs voice."""
    if shaper.packet_bits <= shaper.advised_bc_bits or then_ms <= VOICE_TC_MS:
        return ""
    packet = f"a packet of {shaper.outlet.largest_ip_bytes} bytes"
    cut = ""
    if shaper.outlet.is_frame_relay_shaped:
        cut = f"`frame-relay fragment {shaper.advised_bc_bits // BITS_PER_BYTE}` in the map-class"
        cut = f", until {cut}, at both ends, cuts it"
    return f"; {packet} still stops it for up to {number(then_ms)} ms{cut}"


def _excess_words(shaper: PlacedShaper, *, is_over_contract: bool) -> str:
    """Tell what becomes of a Be that is stated."""
    if shaper.be_bits <= 0 or shaper.has_default_be:
        return ""
    excess_ms = number(ms_from_s(shaper.be_bits / shaper.rate_bps))
    what = f"Be {round(shaper.be_bits)}, {excess_ms} ms more after a pause"
    if is_over_contract:
        return f"; {what}, goes over the contract (SHP004)"
    return f"; {what}, stays: no contract is known that it goes over"


def measure_shaping_interval_too_long(device: Device, label: str) -> Figure | None:
    """Longest pause that the shaper with this label makes."""
    shaper = _shaper_at(device, label)
    return None if shaper is None else point(shaper.wait_ms(shaper.bc_bits), "ms")
