"""Packet sizes and rates of the classes of an output, as show outputs measured them.

IOS counts packets with the layer-2 header that it writes itself, without FCS, flags, trailers and
cells. The sizes here are sizes of IP packets.
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
BUSY_RATIO = 0.5  # of the wire: below it, the mean packet does not describe the busy hour
_SMALLEST_IP_BYTES = 20


class MeasuredClass(Struct, frozen=True):
    """One class as it was counted: mean of its IP packets, offered rate and carried rate.

    Rates are averages over IOS's own interval, None where none is printed; `packets` were offered
    after the counters were cleared.
    """

    name: str
    mean_ip_bytes: float
    offered_packets_per_s: float | None
    carried_packets_per_s: float | None
    packets: int
    at: Location

    @property
    def loss_percent(self) -> float | None:
        """Part of the offered packets that was dropped; None where no rate is printed."""
        if not self.offered_packets_per_s or self.carried_packets_per_s is None:
            return None
        return 100 * (1 - self.carried_packets_per_s / self.offered_packets_per_s)


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
        The show outputs of the device.
    place : tuple of str and str or None
        Interface, and circuit of it (`0/100`, a DLCI), where the policy is attached.
    policy : str
        The policy-map whose classes queue.
    encapsulation : Encapsulation or None
        Decides how many layer-2 bytes are in the counters.
    share : float
        Part of the rates that goes through this output: 1/N for one of N members of a bundle.
    """
    if encapsulation is None:
        return ()
    classes = classes_at(seen, place, policy)
    return tuple(_measured(classes, encapsulation.counted_bytes, share))


def _measured(
    classes: tuple[ObservedClass, ...], layer_2_bytes: int, share: float
) -> Iterator[MeasuredClass]:
    for observed in classes:
        mean_bytes = mean_counted_bytes(observed)
        if mean_bytes is None or observed.seen is None or observed.seen.packets is None:
            continue
        if mean_bytes - layer_2_bytes < _SMALLEST_IP_BYTES:
            continue
        carried_bps = carried_rate_bps(observed)
        yield MeasuredClass(
            observed.name,
            mean_bytes - layer_2_bytes,
            _per_s(observed.offered_rate_bps, mean_bytes, share),
            _per_s(carried_bps, mean_bytes, share),
            observed.seen.packets,
            observed.at,
        )


def mean_counted_bytes(observed: ObservedClass) -> float | None:
    """Mean packet of a class with the layer-2 header that IOS counts; None if packets are few."""
    seen = observed.seen
    if seen is None or not seen.packets or seen.bytes is None or seen.packets < FEWEST_PACKETS:
        return None
    return seen.bytes / seen.packets


def carried_rate_bps(observed: ObservedClass) -> float | None:
    """Carried rate of a class: offered less dropped, as IOS counts."""
    return less_dropped(observed.offered_rate_bps, observed.drop_rate_bps)


def less_dropped(offered: float | None, dropped: float | None) -> float | None:
    """Carried rate of an offered and a dropped one, in their unit; nothing counted is no drop.

    None where more is dropped than offered: the two averages are not of one time then.
    """
    if offered is None or (dropped or 0) > offered:
        return None
    return float(offered - (dropped or 0))


def _per_s(rate_bps: float | None, mean_bytes: float, share: float) -> float | None:
    if rate_bps is None:
        return None
    return bytes_in_ms(rate_bps, ms_from_s(1)) / mean_bytes * share


def measured_mean_packet(
    seen: Observations, interface: str, encapsulation: Encapsulation | None, wire_bps: float | None
) -> Input | None:
    """Mean IP packet of all classes from the rates of `show interfaces`; None if not measured.

    Only the mean of a link that was at least half loaded describes the congested case.
    """
    counters = seen.interface(interface)
    rate = counters.output_rate if counters is not None else None
    if counters is None or rate is None or rate.rate_bps is None or encapsulation is None:
        return None
    mean_bytes = rate.mean_packet_bytes
    if mean_bytes is None or wire_bps is None or rate.rate_bps < BUSY_RATIO * wire_bps:
        return None
    source = f"{rate.interval_s} s output rate, {counters.at}"
    mean_ip_bytes = max(float(_SMALLEST_IP_BYTES), mean_bytes - encapsulation.counted_bytes)
    return exact("mean_ip_bytes", mean_ip_bytes, Basis.MEASURED, source, RateKind.MEASURED)
