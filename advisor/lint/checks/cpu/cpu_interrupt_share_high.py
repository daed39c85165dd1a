"""CPU spent in interrupts, where a short ring or process switching is known to cause it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location
from advisor.lint.checks.base import Check, Hit, Skip
from advisor.lint.findings import Confidence, Forecast, ObjectKind
from advisor.outlet.carriers import wire_rate
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import PACKETS, RingFact
from advisor.outlet.ring_homes import ring_homes
from advisor.quantity import Basis, Figure, exact
from advisor.shows.cpu import CpuLoad

_OBJECT = "processes cpu"
_IP_INPUT = "IP Input"  # the process that forwards what CEF does not


class Params(Struct, frozen=True):
    """Thresholds of a high share, in percent of the CPU, and of its causes.

    `short_ring_packets` above `short_ring_bps` makes an interrupt of each packet or two.
    """

    interrupt_percent: float
    process_switching_percent: float
    short_ring_packets: int
    short_ring_bps: float


class Evidence(Struct, frozen=True):
    """The interrupt part of the five seconds, and what causes it."""

    interrupt_percent: int
    five_seconds_percent: int
    causes: str


def find(device: Device, params: Params) -> Iterator[Hit[Evidence] | Skip]:
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
        Evidence(share, load.five_seconds_percent, " and ".join(causes)),
        Confidence.POSSIBLE,
        _forecast(load, share),
    )


def _forecast(load: CpuLoad, share: int) -> Forecast:
    measured = exact("interrupt_percent", share, Basis.MEASURED, str(load.at))
    return Forecast("cpu in interrupts", Figure(share, share, share, "%"), None, (measured,))


def _short_rings(device: Device, params: Params) -> Iterator[tuple[str, Location | None]]:
    for outlet in outlets(device):
        if outlet.ring is not None and outlet.wire is not None and not outlet.ring_idle:
            name, ring = outlet.interface.name, outlet.ring
            if _is_short(ring, outlet.wire.value, params):
                yield f"the ring of {ring.limit_low} on {name}", ring.at
    for home in ring_homes(device):
        parent = device.facts.interface(home.interface.parent or "")
        rate = wire_rate(home.interface, home.pvc, parent)
        if rate is not None and _is_short(home.ring, rate.value, params):
            yield f"the ring of {home.ring.limit_low} on {home.interface.name}", home.stated.at


def _is_short(ring: RingFact, rate_bps: float, params: Params) -> bool:
    is_stated = ring.basis in (Basis.MEASURED, Basis.CONFIGURED) and ring.unit == PACKETS
    short = ring.limit_high <= params.short_ring_packets
    return is_stated and short and rate_bps > params.short_ring_bps


def _process_switching(device: Device, params: Params) -> Iterator[tuple[str, Location | None]]:
    for table in device.seen.cpu_tables:
        for process in table.processes:
            if process.name == _IP_INPUT:
                share = process.five_seconds_percent
                if share >= params.process_switching_percent:
                    yield f"process switching ({_IP_INPUT} at {share:g} %)", process.at


CHECK = Check(
    Params,
    Evidence,
    find,
    is_measured=True,
    object_kind=ObjectKind.NAME,
)
