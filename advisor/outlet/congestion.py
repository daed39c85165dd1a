"""Signs that an output is congested: drops, or a load close to its rate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.units import percent_from_ratio, ratio_from_percent

if TYPE_CHECKING:
    from advisor.shows.interfaces.reader import ObservedInterface


def congestion_signs(seen: ObservedInterface, load_percent: float) -> list[str]:
    """Signs of congestion of an interface, in words; an empty list without congestion.

    Parameters
    ----------
    seen
        Its `show interfaces`.
    load_percent
        Smallest load at which a link counts as congested.
    """
    queues = seen.queues
    signs = []
    drops = queues.total_output_drops_packets
    drops = queues.output_drops_packets if drops is None else drops
    if drops:
        signs.append(f"{drops} output drops")
    load = seen.txload_ratio if seen.txload_ratio is not None else seen.load_ratio
    if load is not None and load >= ratio_from_percent(load_percent):
        signs.append(f"a load of {percent_from_ratio(load):.0f} %")
    return signs
