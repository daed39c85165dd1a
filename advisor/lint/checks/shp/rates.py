"""Shapers faster than the line, as fast as it without room, or missing below a sold rate."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Figure, Input, RateKind, Unknown, point, rate_text, rate_words
from advisor.ground.questions import derived
from advisor.ground.units import kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.checks.shp import BurstSetting, PlacedShaper, placed_shapers, stated_excess
from advisor.lint.findings import Confidence, Forecast, Severity
from advisor.outlet.link_rates import (
    circuit_of,
    is_contracted,
    is_frame_relay,
    is_of_the_main_interface,
    places_of_rate,
    service_rate,
    sold_rate,
    unheld_rate,
    why_not_compared,
    why_wire_not_compared,
)
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import policies_out
from advisor.outlet.parts import behind_tunnels, is_virtual, policy_queues
from advisor.outlet.room import Carried, carried, line_ratio
from advisor.outlet.shaper import advised_bc_bits
from advisor.outlet.wires import why_limited

# A shaper that is faster than its line: the line is full before the shaper queues.

_WITHOUT_WIRE = ("Tunnel", "Vlan", "BVI", "Loopback")
_LINE_FULL = "the line is full before the shaper holds anything back"
_PROVIDER_FULL = "queues and drops are at the provider, which does not know the classes"
_OUTSIDE_CLASSES: Final = "packets of a full output that the classes do not sort, voice included"
_QUEUEING_RATE: Final = "rate at which packets begin to queue here, by class"
_AT_PROVIDER: Final = "packets that the provider drops if this port is full, voice included"


class FastShaperParams(Struct, frozen=True):
    """How far over the line, or over what is sold on it, a shaper may be: rates are rounded."""

    above_percent: float
    above_sold_percent: float


class FastShaper(Struct, frozen=True):
    """The shaper, the line or what is sold on it, and the shaper that fits."""

    place: str
    shaper: str
    line: str  # "the line of 512 kb/s", "10 Mb/s by description"
    effect: str
    burst: BurstSetting | None


def find_shaper_above_link(device: Device, params: FastShaperParams) -> Found[FastShaper]:
    """Yield a hit for each output whose shaper is faster than its line or what is sold on it."""
    shapers = list(placed_shapers(device))
    for shaper in shapers:
        wire, sold = shaper.wire, sold_rate(device, shaper.outlet)
        if wire is None:
            if shaper.outlet.interface.type not in _WITHOUT_WIRE:
                yield Skip(shaper.outlet.policy_label, "the rate of the line is not known")
        elif (why_not := why_wire_not_compared(device, wire)) is not None:
            yield Skip(shaper.outlet.policy_label, why_not)
        else:
            limits = ((wire, params.above_percent), (sold, params.above_sold_percent))
            over = [limit for limit, most in limits if limit and _is_above(shaper, limit, most)]
            if over:
                yield _fast_shaper(device, shaper, over, shapers)


def _is_above(shaper: PlacedShaper, limit: Input, above_percent: float) -> bool:
    shaper_bps = shaper.outlet.shaper_bps or 0.0
    return percent_from_ratio(shaper_bps / limit.value - 1) > above_percent


def _fast_shaper(
    device: Device, shaper: PlacedShaper, over: list[Input], shapers: list[PlacedShaper]
) -> Hit[FastShaper]:
    """A hit for a shaper over the line, what is sold on it, or both: lines follow what is sure."""
    limit = over[-1] if _is_sure(device, shaper.outlet, over[-1]) else over[0]
    burst, ratio = _slower(device, shaper, limit, shapers), line_ratio(shaper, limit)
    shaper_bps = shaper.outlet.shaper_bps or 0.0
    is_line = over[0] is shaper.wire
    named = () if limit is shaper.wire else places_of_rate(device, shaper.outlet, limit)
    said = [] if limit is shaper.wire else [f"{_words(limit)} by {limit.kind}{_named(named)}"]
    said = [f"the line of {_words(over[0])}", *said] if is_line else said
    evidence = FastShaper(
        place=shaper.place.label,
        shaper=rate_words(kbps_from_bps(shaper_bps)),
        line=", and above ".join(said),
        effect=_LINE_FULL if is_line else _PROVIDER_FULL,
        burst=None if isinstance(burst, Unknown) else burst,
    )
    rate, _ = shaper.inputs
    severity, confidence = _weight(over[0], is_line=is_line)
    if not is_contracted(device, shaper.outlet, limit):
        confidence = Confidence.POSSIBLE
    return Hit(
        shaper.outlet.policy_label,
        (shaper.at, *named, shaper.outlet.at),
        evidence,
        confidence,
        Forecast(
            _OUTSIDE_CLASSES if is_line else _AT_PROVIDER,
            _excess(shaper_bps * ratio, limit.value),
            _excess(burst.rate_bps * ratio, limit.value)
            if isinstance(burst, BurstSetting) and burst.rate_bps is not None
            else _excess(limit.value, limit.value),
            (rate, limit),
        ),
        severity=severity,
        curable=not isinstance(burst, Unknown),
        advice=burst.reason if isinstance(burst, Unknown) else None,
    )


def _words(rate: Input) -> str:
    return rate_words(kbps_from_bps(rate.value))


def _named(places: tuple[Location, ...]) -> str:
    """The lines that name a rate; "" without one."""
    return f" ({', '.join(map(str, places))})" if places else ""


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
    line = rate_words(kbps_from_bps(limit.value))
    shape, rate_bps = shaper.shape, _fitting_bps(device, shaper, limit)
    if limit.is_label:
        return Unknown(
            f"`bandwidth` says {line}, which may be a metric of routing alone: set the shaper "
            "or `bandwidth`, whichever is wrong"
        )
    if not is_contracted(device, shaper.outlet, limit):
        return Unknown(
            f"the description names {line}, which may be of another line: set the shaper or "
            "the description, whichever is wrong; if it is what is sold here, write it as CIR or "
            "contract, and the lines of the shaper follow"
        )
    if shape is not None and (shape.mode == "peak" or shape.rate_bps is None):
        return Unknown(f"use `shape average` with {line}, or less")
    why_not = _held_below(device, shaper.outlet, limit)
    shared = [item for item in shapers if item.place == shaper.place]
    if any(_limit_bps(device, item) != limit.value for item in shared):
        why_not = f"{shaper.place.label} serves lines of several rates: give this its own"
    if why_not is not None:
        return Unknown(why_not)
    bc_bits = shaper.advised_bc_bits_at(rate_bps)
    if shape is None:
        return BurstSetting(
            shaper.place, bc_bits, rate_bps, stated_excess(shaper), _min_cir_bps(shaper, rate_bps)
        )
    return BurstSetting(shaper.place, bc_bits, rate_bps, be_bits=0, account=shaper.account)


def _fitting_bps(device: Device, shaper: PlacedShaper, limit: Input) -> int:
    """The rate of a shaper that leaves room for what its line is known to count."""
    room = carried(device, shaper.outlet)
    if room is not None and room.limit == limit and not room.is_open:
        return room.fitting_bps
    ratio = line_ratio(shaper, limit)
    fitting_bps = limit.value / ratio
    is_exact = ratio == 1 or is_frame_relay(shaper.outlet)
    return int(fitting_bps) if is_exact else int(fitting_bps // 1000) * 1000


def _held_below(device: Device, outlet: Outlet, limit: Input) -> str | None:
    """Why a shaper of this rate would queue nothing: a line outside of the policy limits it."""
    port = device.facts.interface(outlet.attached_to) or outlet.interface
    why = why_limited(device.facts, port, limit)
    return None if why is None else f"{why}, voice too, before a shaper queues: take it off first"


def _limit_bps(device: Device, shaper: PlacedShaper) -> float | None:
    """The rate that a shaper should not be over at its output; None where it is not known.

    A label, or a number that may be of another line, is no reason to slow this output.
    """
    sold = sold_rate(device, shaper.outlet)
    is_sure = sold is not None and _is_sure(device, shaper.outlet, sold)
    limit = sold if is_sure else shaper.wire
    return limit.value if limit is not None and not limit.is_label else None


def _is_sure(device: Device, outlet: Outlet, limit: Input) -> bool:
    return not limit.is_label and is_contracted(device, outlet, limit)


def _min_cir_bps(shaper: PlacedShaper, cir_bps: int) -> int | None:
    """The mincir under a new CIR: no more than it; None where the one of the map-class stays."""
    circuit = circuit_of(shaper.outlet)
    stated = circuit.min_cir_bps if circuit is not None else None
    return cir_bps if stated is not None and stated.value > cir_bps else None


def _excess(sent_bps: float, carried_bps: float) -> Figure:
    """The part of what is sent at most that is over what is carried."""
    return point(percent_from_ratio(max(1 - carried_bps / sent_bps, 0.0)), "%")


def measure_shaper_above_link(device: Device, label: str) -> Figure | None:
    """Excess of the shaper of the output with this label over its line, or what is sold on it."""
    for shaper in placed_shapers(device):
        if shaper.outlet.policy_label == label:
            limits = filter(None, (shaper.wire, sold_rate(device, shaper.outlet)))
            least = min(limits, key=lambda limit: limit.value)
            shaper_bps = shaper.outlet.shaper_bps or least.value
            return _excess(shaper_bps * line_ratio(shaper, least), least.value)
    return None


# A shaper at the rate of what carries its packets, which counts more bytes.

_PORT_FULL: Final = "the port is full before the shaper holds anything back"
_MAY_DROP: Final = "the provider may drop that, voice too"
_HEADERS: Final = "the headers of its frames"
_OF_A_CONTRACT: Final = "FCS, and perhaps preamble and gap"
_ASK: Final = (
    "ask which bytes the contract counts. With FCS, preamble and gap: shape to {}, or end the line "
    "of the shaper with `account user-defined {}` where the release has it"
)


class NoRoom(Struct, frozen=True):
    """The shaper, what carries its packets, and the kb/s that this does not carry."""

    shaper: str
    carrier: str  # "GigabitEthernet0/0, of 10 Mb/s,"
    more: str  # "the headers of its frames and of IPsec"
    large_bytes: int
    large_kbps: str  # over the line, of packets of that size
    mean_bytes: int
    mean_kbps: str
    effect: str
    burst: BurstSetting | None


def find_shaper_without_room(device: Device) -> Found[NoRoom]:
    """Yield a hit for each shaper that overfills its line though its rate is not above it.

    Judged at the largest packet and the fewest bytes, so that it holds whatever the mean is.
    PLC002 has tunnels whose port queues again.
    """
    again = behind_tunnels(device.facts, of_groups=False)
    queued_again = {tunnel.interface.name for _, tunnels in again for tunnel in tunnels}
    shapers = list(placed_shapers(device))
    for shaper in shapers:
        outlet, shaped_bps = shaper.outlet, shaper.outlet.shaper_bps or 0.0
        room = carried(device, outlet)
        if room is None or outlet.interface.name in queued_again:
            continue
        is_over = shaped_bps <= room.limit.value < shaped_bps * min(room.ratios)
        if is_over and policy_queues(device.facts, outlet.queueing):
            yield _without_room(shaper, room, _slower(device, shaper, room.limit, shapers))


def _without_room(
    shaper: PlacedShaper, room: Carried, burst: BurstSetting | Unknown
) -> Hit[NoRoom]:
    rate = rate_words(kbps_from_bps(room.limit.value))
    shaped_bps = shaper.outlet.shaper_bps or 0.0
    over = [
        rate_words(kbps_from_bps(shaped_bps * ratio - room.limit.value)) for ratio in room.ratios
    ]
    bytes_more = room.framing[1].overhead_bytes - room.counted[0]
    advice = burst.reason if isinstance(burst, Unknown) else None
    if room.is_open:
        advice = _ASK.format(rate_words(kbps_from_bps(room.fitting_bps)), bytes_more)
    carrier, more, effect = f"the line of {rate}", "its cells", _PROVIDER_FULL
    if room.port is not None:
        carrier, effect = f"{room.port}, of {rate},", _PORT_FULL
        more = f"{_HEADERS} and of IPsec" if room.has_esp else _HEADERS
    elif room.is_open:
        carrier, more, effect = f"the contract of {rate}", _OF_A_CONTRACT, _MAY_DROP
    return Hit(
        shaper.outlet.policy_label,
        (shaper.at, shaper.outlet.at),
        NoRoom(
            rate_words(kbps_from_bps(shaped_bps)),
            carrier,
            more,
            room.sizes[1],
            over[0],
            room.sizes[0],
            over[1],
            effect,
            None if advice is not None or isinstance(burst, Unknown) else burst,
        ),
        Confidence.LIKELY if room.port is not None else Confidence.POSSIBLE,
        severity=Severity.INFO if room.is_open else None,
        curable=advice is None,
        advice=advice,
    )


# Queueing at the rate of a port that is faster than what the provider sells on it.

_LONGEST_NAME: Final = 40  # characters of a policy-map; Cisco QoS command reference
_SHAPE_CIRCUITS: Final = (
    "`frame-relay traffic-shaping` on the main interface makes the CIR a shaper, but it shapes "
    "every circuit: one without a map-class gets 56 kb/s. Give all circuits a CIR first"
)
_NAME_THE_RATE: Final = (
    "`bandwidth` may be a metric of routing alone: if the provider sells this rate, name it in the "
    "description of the interface, and the lines of the shaper follow"
)
_COSTS: Final = (
    "the port then sends no more than {} of its {}: more that the provider carries is lost"
)
_NAME_THE_SERVICE: Final = (
    "the number in the description may be of something else: if the provider sells this rate, "
    "write it there as CIR or contract, and the lines of the shaper follow"
)
_SHARED: Final = (
    "the rate is that of the main interface, which several subinterfaces share: shape them in one "
    "policy of the main interface, or each to its part"
)
_ADVICE: Final[Mapping[RateKind, str]] = MappingProxyType(
    {RateKind.CIR: _SHAPE_CIRCUITS, RateKind.BANDWIDTH_LABEL: _NAME_THE_RATE}
)
_SIGNS: Final[Mapping[RateKind, str]] = MappingProxyType(
    {
        RateKind.STATED: "the stated rate is",
        RateKind.DESCRIPTION: "the description names",
        RateKind.BANDWIDTH_LABEL: "`bandwidth` is",
        RateKind.CIR: "the CIR of the circuit, which nothing shapes to it, is",
    }
)


class MissingShaper(Struct, frozen=True):
    """The port, the rate that is sold on it and what says so, and the shaper to put around."""

    policy_map: str
    sign: str
    sold: str
    named: str  # " (r1.cfg:12)"; empty where no line of an interface names the rate
    port: str
    waits: str  # "they wait for the port of 100 Mb/s to be full"
    rate_bps: int
    bc_bits: int
    parent: str
    interface: str


def find_sub_rate_without_shaper(device: Device) -> Found[MissingShaper]:
    """Yield a hit for each policy that queues at the rate of a port, where less of it is sold.

    A tunnel and the like, and a subinterface before IOS XE, is REF007's: IOS refuses the policy
    there.
    """
    for outlet in policies_out(device):
        sold = unheld_rate(device, outlet) if _queues_at_the_port(device, outlet) else None
        unread = device.facts.unread_in_policy(outlet.policy.name, "shape")
        if sold is not None and unread is not None:
            yield Skip(outlet.policy_label, f"{unread.at} is not understood: it may be the shaper")
            continue
        why_not = why_not_compared(device, outlet)
        if sold is not None and why_not is not None:
            yield Skip(outlet.policy_label, why_not)
        elif sold is not None:
            yield _missing_shaper(device, outlet, sold)


def _queues_at_the_port(device: Device, outlet: Outlet) -> bool:
    is_taken = outlet.interface.is_subinterface and device.platform.is_xe
    is_refused = is_virtual(outlet.interface) and outlet.circuit is None and not is_taken
    is_refused |= outlet.session is not None and outlet.is_never_full and device.platform.is_qfp
    is_shaped = outlet.shaper_bps is not None
    return not is_refused and not is_shaped and policy_queues(device.facts, outlet.queueing)


def _missing_shaper(device: Device, outlet: Outlet, sold: Input) -> Hit[MissingShaper]:
    port = outlet.bundle_wire or outlet.wire
    port_bps = port.value if port is not None else 0.0
    port_words = rate_words(kbps_from_bps(port_bps))
    kind = sold.kind or RateKind.BANDWIDTH_LABEL
    rate_bps = int(sold.value)
    named = places_of_rate(device, outlet, sold)
    evidence = MissingShaper(
        policy_map=outlet.policy.name,
        sign=_SIGNS[kind],
        sold=rate_words(kbps_from_bps(sold.value)),
        named=_named(named),
        port=port_words,
        waits=f"no packet waits at {outlet.attached_to}, whatever its port sends"
        if outlet.is_never_full
        else f"they wait for the port of {port_words} to be full",
        rate_bps=rate_bps,
        bc_bits=advised_bc_bits(rate_bps, device.platform),
        parent=_free_name(device, f"{outlet.policy.name}-{rate_text(kbps_from_bps(rate_bps))}K"),
        interface=outlet.attached_to,
    )
    is_prose = kind is RateKind.DESCRIPTION and service_rate(device, outlet) is None
    is_doubtful = is_prose or kind is RateKind.BANDWIDTH_LABEL
    may_fill = not outlet.is_never_full or is_virtual(outlet.interface)
    advice = _NAME_THE_SERVICE if is_prose else _ADVICE.get(kind)
    advice = advice or _held_below(device, outlet, sold)
    if advice is None and is_of_the_main_interface(device, outlet, sold):
        advice = _SHARED
    return Hit(
        outlet.policy_label,
        (outlet.at, *named),
        evidence,
        Confidence.POSSIBLE if is_doubtful else Confidence.LIKELY,
        Forecast(
            _QUEUEING_RATE,
            _rate(port_bps),
            None if advice is not None else _rate(sold.value),
            (sold, *((port,) if port is not None else ())),
        ),
        severity=Severity.INFO if is_doubtful and may_fill else None,
        idle=tuple({outlet.queueing.name} & _idle_policies(device)),
        curable=advice is None,
        advice=advice or _COSTS.format(evidence.sold, port_words),
    )


@derived
def _idle_policies(device: Device) -> frozenset[str]:
    """The policies that queue at no output: the router holds their packets to no rate."""
    outputs = policies_out(device)
    queue = {
        outlet.queueing.name
        for outlet in outputs
        if not outlet.is_never_full
        and (not _queues_at_the_port(device, outlet) or service_rate(device, outlet) is None)
    }
    return frozenset(outlet.queueing.name for outlet in outputs) - queue


def _free_name(device: Device, wanted: str) -> str:
    """A name that no policy-map has, short enough for IOS."""
    names = (
        wanted[-_LONGEST_NAME:],
        *(f"{wanted[-_LONGEST_NAME + 3 :]}-{n}" for n in range(2, 99)),
    )
    return next(name for name in names if device.facts.policy_map(name) is None)


def measure_sub_rate_without_shaper(device: Device, label: str) -> Figure | None:
    """The rate at which the policy with this label queues: its shaper, else its port."""
    for outlet in policies_out(device):
        sold = sold_rate(device, outlet)
        if outlet.policy_label == label and outlet.link is not None and sold is not None:
            return _rate(outlet.link.value)
    return None


def _rate(rate_bps: float) -> Figure:
    return point(kbps_from_bps(rate_bps), "kb/s")
