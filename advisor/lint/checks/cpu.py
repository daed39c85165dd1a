"""Checks of CPU load."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.quantity import Basis, Figure, exact, point
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import PACKETS, RingFact
from advisor.outlet.ring_homes import ring_homes
from advisor.outlet.wires import wire_rate
from advisor.shows.cpu import CpuLoad
from advisor.theory.dlsw import Difference, largest_movement

# A CPU so busy that it delays packets itself: a measurement then says little about the link.


class BusyCpuParams(Struct, frozen=True):
    """Budget of the profile: the highest one-minute load at which measurements are useful."""

    cpu_percent: float


class BusyCpu(Struct, frozen=True):
    """The highest one-minute load seen and the budget."""

    one_minute_percent: int
    cpu_percent: float


def find_cpu_over_half(device: Device, params: BusyCpuParams) -> Found[BusyCpu]:
    """Yield one hit, for the highest one-minute load seen, if it is over the budget."""
    loads = [load for load in device.seen.cpu if load.one_minute_percent > params.cpu_percent]
    loads.sort(key=lambda load: -load.one_minute_percent)
    if not loads:
        return
    load_percent = loads[0].one_minute_percent
    measured = exact("one_minute_percent", load_percent, Basis.MEASURED, str(loads[0].at))
    yield Hit(
        "processes cpu",
        tuple(load.at for load in loads),
        BusyCpu(load_percent, params.cpu_percent),
        Confidence.CERTAIN,
        Forecast("cpu", point(load_percent, "%"), None, (measured,)),
    )


# CPU spent in interrupts, where a short ring or process switching is known to cause it.

_OBJECT = "processes cpu"
_IP_INPUT = "IP Input"  # the process that forwards what CEF does not


class InterruptShareParams(Struct, frozen=True):
    """Thresholds of a high share, in percent of the CPU, and of its causes.

    `short_ring_packets` above `short_ring_bps` makes an interrupt of each packet or two.
    """

    interrupt_percent: float
    process_switching_percent: float
    short_ring_packets: int
    short_ring_bps: float


class InterruptShare(Struct, frozen=True):
    """The interrupt part of the five seconds, and what causes it."""

    interrupt_percent: int
    five_seconds_percent: int
    causes: str


def find_cpu_interrupt_share_high(
    device: Device, params: InterruptShareParams
) -> Found[InterruptShare]:
    """Yield one hit for the highest interrupt share, if it is high and a cause is known."""
    loads = [(load, load.interrupt_percent) for load in device.seen.cpu]
    shares = [(load, share) for load, share in loads if share is not None]
    if not shares:
        if loads:
            yield Skip(_OBJECT, "the interrupt share is not printed")
        return
    load, share = max(shares, key=lambda pair: pair[1])
    if share < params.interrupt_percent:
        return
    causes = dict([*_short_rings(device, params), *_process_switching(device, params)])
    if not causes:
        reason = f"interrupts take {share} %: no short ring or process switching is known"
        yield Skip(_OBJECT, reason)
        return
    yield Hit(
        _OBJECT,
        (load.at, *(at for at in causes.values() if at is not None)),
        InterruptShare(share, load.five_seconds_percent, " and ".join(causes)),
        Confidence.POSSIBLE,
        _forecast(load, share),
    )


def _forecast(load: CpuLoad, share: int) -> Forecast:
    measured = exact("interrupt_percent", share, Basis.MEASURED, str(load.at))
    return Forecast("cpu in interrupts", point(share, "%"), None, (measured,))


def _short_rings(
    device: Device, params: InterruptShareParams
) -> Iterator[tuple[str, Location | None]]:
    for outlet in outlets(device):
        if outlet.ring is not None and outlet.wire is not None and not outlet.ring_idle:
            name, ring = outlet.interface.name, outlet.ring
            if _is_short(ring, outlet.wire.value, params):
                yield f"the ring of {ring.limit_low} on {name}", ring.at
    for home in ring_homes(device):
        rate = wire_rate(home.interface, home.pvc, device.facts.main_of(home.interface))
        if rate is not None and _is_short(home.ring, rate.value, params):
            yield f"the ring of {home.ring.limit_low} on {home.interface.name}", home.stated.at


def _is_short(ring: RingFact, rate_bps: float, params: InterruptShareParams) -> bool:
    is_stated = ring.basis in (Basis.MEASURED, Basis.CONFIGURED) and ring.unit == PACKETS
    short = ring.limit_high <= params.short_ring_packets
    return is_stated and short and rate_bps > params.short_ring_bps


def _process_switching(
    device: Device, params: InterruptShareParams
) -> Iterator[tuple[str, Location | None]]:
    for table in device.seen.cpu_tables:
        for process in table.processes:
            if process.name == _IP_INPUT:
                share = process.five_seconds_percent
                if share >= params.process_switching_percent:
                    yield f"process switching ({_IP_INPUT} at {share:g} %)", process.at


# A CPU load that still changes: no size may be derived from it.


class UnsteadyLoadParams(Struct, frozen=True):
    """Largest difference of two averages of a steady load: points, and percent of the larger."""

    difference_points: float
    difference_percent: float


class UnsteadyLoad(Struct, frozen=True):
    """The three averages and the pair that differs most."""

    five_seconds_percent: int
    one_minute_percent: int
    five_minutes_percent: int
    pair: str
    difference_points: int


def find_cpu_not_steady(device: Device, params: UnsteadyLoadParams) -> Found[UnsteadyLoad]:
    """Yield one hit, for the load whose averages differ most, if they differ too much."""
    moving = [(load, pair) for load in device.seen.cpu if (pair := movement(load, params))]
    if not moving:
        return
    load, pair = max(moving, key=lambda load_pair: load_pair[1].points)
    evidence = UnsteadyLoad(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        pair.name,
        round(pair.points),
    )
    figure = Figure(pair.points, pair.points, pair.points, "points")
    measured = (
        exact("five_seconds_percent", load.five_seconds_percent, Basis.MEASURED, str(load.at)),
        exact("one_minute_percent", load.one_minute_percent, Basis.MEASURED, str(load.at)),
        exact("five_minutes_percent", load.five_minutes_percent, Basis.MEASURED, str(load.at)),
    )
    forecast = Forecast("difference of CPU averages", figure, None, measured)
    yield Hit("processes cpu", (load.at,), evidence, Confidence.CERTAIN, forecast)


def movement(load: CpuLoad, params: UnsteadyLoadParams) -> Difference | None:
    """The averages of a load that differ most and too much; None where it is steady."""
    return largest_movement(
        load.five_seconds_percent,
        load.one_minute_percent,
        load.five_minutes_percent,
        difference_points=params.difference_points,
        difference_percent=params.difference_percent,
    )
