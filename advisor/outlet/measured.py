"""What show outputs measured of an output: packet sizes and rates of its classes.

IOS counts packets with the layer-2 header that it writes itself, without FCS, flags, trailers and
cells. What is measured here is IP again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.outlet.framing import Encapsulation
from advisor.outlet.seen_classes import classes_at
from advisor.quantity import Basis, Input, RateKind, exact
from advisor.shows.observations import Observations
from advisor.units import bytes_in_ms, ms_from_s

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import ObservedClass

FEWEST_PACKETS = 100  # the mean of so many of IMIX 7:4:1 is 13 % off (one standard error)
BUSY_RATIO = 0.5  # of the wire: below, the mean of an interface says little of its busy hour
_SMALLEST_IP_BYTES = 20


class MeasuredClass(Struct, frozen=True):
    """One class as it was counted: mean of its IP packets, what it offers and what is carried.

    Rates are averages over IOS's own interval, None where none is printed; `packets` were offered
    since the counters were cleared.
    """

    name: str
    mean_ip_bytes: float
    offered_packets_per_s: float | None
    carried_packets_per_s: float | None
    packets: int
    at: Location


def measured_classes(
    seen: Observations,
    place: tuple[str, str | None],
    policy: str,
    encapsulation: Encapsulation | None,
    share: float = 1.0,
) -> tuple[MeasuredClass, ...]:
    """Classes of the policy that queues on an output, as they were counted.

    Parameters
    ----------
    seen : Observations
        What was seen of the device.
    place : tuple of str and str or None
        Interface, and circuit of it (`0/100`, a DLCI), where the policy is attached.
    policy : str
        The policy-map whose classes queue.
    encapsulation : Encapsulation or None
        Decides which layer-2 bytes are in the counters.
    share : float
        Share of the rates that takes this output: of a bundle a member takes its part.
    """
    if encapsulation is None:
        return ()
    classes = classes_at(seen, place, policy)
    return tuple(_measured(classes, encapsulation.counted_bytes, share))


def _measured(
    classes: tuple[ObservedClass, ...], layer_2_bytes: int, share: float
) -> Iterator[MeasuredClass]:
    for each in classes:
        mean_bytes = mean_counted_bytes(each)
        if mean_bytes is None or each.seen is None or each.seen.packets is None:
            continue
        if mean_bytes - layer_2_bytes < _SMALLEST_IP_BYTES:
            continue
        carried_bps = carried_rate_bps(each)
        yield MeasuredClass(
            each.name,
            mean_bytes - layer_2_bytes,
            _per_s(each.offered_rate_bps, mean_bytes, share),
            _per_s(carried_bps, mean_bytes, share),
            each.seen.packets,
            each.at,
        )


def mean_counted_bytes(each: ObservedClass) -> float | None:
    """Mean packet of a class with the layer-2 header that IOS counts; None of too few packets."""
    seen = each.seen
    if seen is None or not seen.packets or seen.bytes is None or seen.packets < FEWEST_PACKETS:
        return None
    return seen.bytes / seen.packets


def carried_rate_bps(each: ObservedClass) -> float | None:
    """Rate that a class got through: offered less dropped, in IOS's own counting."""
    if each.offered_rate_bps is None:
        return None
    return float(max(0, each.offered_rate_bps - (each.drop_rate_bps or 0)))


def _per_s(rate_bps: float | None, mean_bytes: float, share: float) -> float | None:
    if rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / mean_bytes * share


def measured_mean_packet(
    seen: Observations, interface: str, encapsulation: Encapsulation | None, wire_bps: float | None
) -> Input | None:
    """Mean IP packet of all classes by the rates of `show interfaces`; None if not measured.

    Only a link that was at least half loaded says something of the congested case.
    """
    found = seen.interface(interface)
    rate = found.output_rate if found is not None else None
    if found is None or rate is None or rate.rate_bps is None or encapsulation is None:
        return None
    mean_bytes = rate.mean_packet_bytes
    if mean_bytes is None or wire_bps is None or rate.rate_bps < BUSY_RATIO * wire_bps:
        return None
    source = f"{rate.interval_s} s output rate, {found.at}"
    mean_ip_bytes = max(float(_SMALLEST_IP_BYTES), mean_bytes - encapsulation.counted_bytes)
    return exact("mean_ip_bytes", mean_ip_bytes, Basis.MEASURED, source, RateKind.MEASURED)
