"""Signs that an output is congested, or a router busy: drops, and loads close to a limit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.units import percent_from_ratio, ratio_from_percent
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.outlet.measured import drops_packets, nested_classes
from advisor.shows.observations import Observations

if TYPE_CHECKING:
    from advisor.outlet.outlet import Outlet
    from advisor.shows.interfaces.reader import ObservedInterface
    from advisor.shows.interfaces.tables import InterfaceSummary
    from advisor.shows.shaping import ShapedTraffic


def congestion_signs(seen: ObservedInterface, load_percent: float) -> list[str]:
    """Signs of congestion of an interface, in words; an empty list without congestion.

    Parameters
    ----------
    seen
        Its `show interfaces`.
    load_percent
        Smallest load at which a link counts as congested.
    """
    signs = []
    if drops := seen.queues.all_output_drops_packets:
        signs.append(f"{drops} output drops")
    load = seen.txload_ratio if seen.txload_ratio is not None else seen.load_ratio
    if load is not None and load >= ratio_from_percent(load_percent):
        signs.append(f"a load of {percent_from_ratio(load):.0f} %")
    return signs


class Congestion(Struct, frozen=True):
    """The signs of congestion of an output in words, and the output that shows them."""

    signs: str
    at: Location


def congestion_of(seen: Observations, outlet: Outlet, load_percent: float) -> Congestion | None:
    """The congestion of best effort at an output; None where none was seen.

    It is that of its interface or main interface, else of its queues in hardware, else of its
    shaper, else drops of its class-default.
    """
    found = _congested(seen, outlet, load_percent)
    return next((Congestion(" and ".join(signs), at) for signs, at in found if signs), None)


def _congested(
    seen: Observations, outlet: Outlet, load_percent: float
) -> Iterator[tuple[list[str], Location]]:
    """Signs that each output shows, in words, and its place; the best output first."""
    interface = outlet.interface
    home = interface.parent or interface.name
    observed, row = seen.interface(home), seen.summary(home)
    if observed is not None:
        yield congestion_signs(observed, load_percent), observed.at
    elif row is not None:
        yield _summary_signs(row, outlet, load_percent), row.at
    for queue in seen.hardware_queues:
        if queue.tail_drops_packets and interface_name(queue.interface) == interface.name:
            yield [f"{queue.tail_drops_packets} tail drops of a queue in hardware"], queue.at
    name, circuit = outlet.place
    for shaped in seen.shaped_at(name, circuit) or seen.shaped_at(name, None):
        yield _shaped_signs(shaped, outlet, load_percent), shaped.at
    policy = seen.policy(name, "output", circuit) if seen.policies else None
    for nested in nested_classes(policy) if policy is not None else ():
        if nested.policy == outlet.queueing.name and nested.seen.name == CLASS_DEFAULT:
            drops = drops_packets(nested.seen)
            yield [f"{drops} drops of {CLASS_DEFAULT}"] if drops else [], nested.seen.at


def busy_parts(seen: Observations, limit_percent: float) -> Iterator[str]:
    """Processors whose load over a minute is above a limit, in words: packets wait for them.

    On a QFP the CPU of IOS forwards nothing, and its data path does.
    """
    for name, loads in (("CPU", seen.cpu), ("QFP", seen.datapath)):
        busiest = max((load.one_minute_percent for load in loads), default=0)
        if busiest > limit_percent:
            yield f"a {name} at {busiest} %"


def _summary_signs(row: InterfaceSummary, outlet: Outlet, load_percent: float) -> list[str]:
    """Signs of congestion in the row of an interface in a summary of all, in words."""
    signs = [f"{row.drops_packets} output drops"] if row.drops_packets else []
    wire = outlet.bundle_wire or outlet.wire
    if row.output_rate_bps is not None and wire is not None:
        load = row.output_rate_bps / wire.value
        if load >= ratio_from_percent(load_percent):
            signs.append(f"a load of {percent_from_ratio(load):.0f} %")
    return signs


def _shaped_signs(shaped: ShapedTraffic, outlet: Outlet, load_percent: float) -> list[str]:
    """Signs of congestion of a circuit, or of an interface with a shaper, in words."""
    signs, rate_bps = [], outlet.shaper_bps
    if shaped.dropped_packets:
        signs.append(f"{shaped.dropped_packets} packets dropped by its shaper")
    elif shaped.is_active and shaped.depth_packets:
        waiting = f"{shaped.depth_packets} packets waiting in its shaper"
        delayed = shaped.delayed_ratio
        if delayed is not None:
            waiting = f"{waiting}, which delayed {percent_from_ratio(delayed):.0f} % of all"
        signs.append(waiting)
    if shaped.output_rate_bps is not None and rate_bps:
        load = shaped.output_rate_bps / rate_bps
        if load >= ratio_from_percent(load_percent):
            signs.append(f"a load of {percent_from_ratio(load):.0f} % of its shaper")
    return signs
