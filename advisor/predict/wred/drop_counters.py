"""WRED counters of show outputs: drops of each row, and the drop of the curve at the average."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.units import percent_from_ratio
from advisor.ios.syntax.names import dscp_code, interface_name, precedence_code
from advisor.model import DropProfile
from advisor.outlet.measured import classes_at
from advisor.outlet.outlet import Outlet

if TYPE_CHECKING:
    from advisor.shows.policy_map import ObservedClass, ShownWred, ShownWredRow
    from advisor.shows.queueing import RandomDetect, RandomDetectRow


class SeenRow(Struct, frozen=True):
    """Drops of one row since the counters were cleared, in percent of its offered packets.

    `curve_percent` is the drop of the printed thresholds at the printed average, None if one of
    them is not printed in packets. `code` is the DSCP or precedence of the row, else None.
    """

    name: str
    code: int | None
    offered_packets: int
    dropped_percent: float
    tail_dropped_percent: float
    curve_percent: float | None


class WredSeen(Struct, frozen=True):
    """WRED counters of a class; the average queue is that of the moment of the capture."""

    aqs_packets: int | None
    rows: tuple[SeenRow, ...]
    at: str


class _Counted(Struct, frozen=True):
    name: str
    sent: int | None
    random: int | None
    tail: int | None
    profile: DropProfile | None


def wred_seen(device: Device, outlet: Outlet, class_name: str) -> WredSeen | None:
    """Counters of a class under WRED; None where no output shows any.

    `show policy-map interface` first; `show queueing` names no class, so it counts only where one
    class of the output has WRED.
    """
    for observed in classes_at(device.seen, outlet.place, outlet.queueing.name):
        if observed.name == class_name and observed.wred is not None and observed.wred.rows:
            return _of_class(observed, observed.wred)
    under_wred = [
        policy_class
        for policy_class in outlet.queueing.classes
        if policy_class.queue_wred is not None
    ]
    if len(under_wred) != 1 or under_wred[0].name != class_name:
        return None
    queueing = (interface.random_detect for interface in device.seen.queueing)
    for counters in (*queueing, *device.seen.random_detect):
        if (
            counters is not None
            and (interface_name(counters.interface), _circuit(counters)) == outlet.place
        ):
            return _of_interface(counters)
    return None


def _circuit(counters: RandomDetect) -> str | None:
    return (
        f"{counters.circuit.vpi}/{counters.circuit.vci}" if counters.circuit is not None else None
    )


def _of_class(observed: ObservedClass, wred: ShownWred) -> WredSeen:
    aqs = wred.mean_depth.packets if wred.mean_depth is not None else None
    code = dscp_code if wred.by is not None and "dscp" in wred.by.lower() else precedence_code
    rows = (_counted(row) for row in wred.rows)
    return WredSeen(aqs, tuple(_rows(rows, aqs, code)), str(observed.at))


def _counted(row: ShownWredRow) -> _Counted:
    low = row.min_threshold.packets if row.min_threshold is not None else None
    high = row.max_threshold.packets if row.max_threshold is not None else None
    profile = None
    if low is not None and high is not None and row.mark_probability_denominator:
        profile = DropProfile(low, high, row.mark_probability_denominator)
    sent, random, tail = (
        count.packets if count is not None else None
        for count in (row.transmitted, row.random_drops, row.tail_drops)
    )
    return _Counted(row.name, sent, random, tail, profile)


def _of_interface(counters: RandomDetect) -> WredSeen:
    aqs = counters.mean_queue_depth_packets
    rows = (_counted_of_interface(row) for row in counters.rows)
    return WredSeen(aqs, tuple(_rows(rows, aqs, precedence_code)), str(counters.at))


def _counted_of_interface(row: RandomDetectRow) -> _Counted:
    profile = None
    if row.mark_probability_denominator:
        profile = DropProfile(
            row.min_threshold_packets, row.max_threshold_packets, row.mark_probability_denominator
        )
    return _Counted(
        row.name,
        row.output_packets,
        row.random_drops_packets,
        row.tail_drops_packets,
        profile,
    )


def _rows(
    rows: Iterator[_Counted], aqs: int | None, code: Callable[[str], int | None]
) -> Iterator[SeenRow]:
    """Rows that met packets and whose counters are all printed."""
    for row in rows:
        if row.sent is None or row.random is None or row.tail is None:
            continue
        offered = row.sent + row.random + row.tail
        if offered == 0:
            continue
        curve = None
        if aqs is not None and row.profile is not None:
            curve = percent_from_ratio(_curve(aqs, row.profile))
        yield SeenRow(
            row.name,
            code(row.name) if code(row.name) is not None else dscp_code(row.name),
            offered,
            percent_from_ratio((row.random + row.tail) / offered),
            percent_from_ratio(row.tail / offered),
            curve,
        )


def _curve(aqs: int, profile: DropProfile) -> float:
    from advisor.theory.wred.view import drop_probability  # noqa: PLC0415 -- only when needed

    return drop_probability(aqs, profile)
