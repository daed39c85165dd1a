"""The LLQ drops: what the policer of `priority` takes away, a call hears."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.seen_classes import SeenClass, seen_classes
from advisor.quantity import Basis, Figure, exact
from advisor.units import bps_from_kbps, kbps_from_bps

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import ObservedClass


class Evidence(Struct, frozen=True):
    """What was dropped, and what was offered to the rate that is configured."""

    class_name: str
    policy_map: str
    drops: int
    offered: str  # "96 kb/s offered", or that the rate is not printed
    configured: str  # "priority 64", or what stands in its place
    need: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class that dropped packets."""
    del params
    for each in seen_classes(device.seen):
        if each.seen.priority is None:
            continue
        drops = _drops(each)
        if drops is None:
            yield Skip(each.label, "its drops are not printed, or their counter has wrapped")
        elif drops > 0:
            yield _hit(each, drops)


def _drops(each: SeenClass) -> int | None:
    """Drops of the policer and of the queue; of a shared queue where the class is alone in it."""
    seen = each.seen
    counts = [seen.priority.exceed_drops_packets if seen.priority is not None else None]
    if seen.queue is not None:
        counts.append(seen.queue.total_drops_packets)
    counts += [_policed(seen)]
    sharing = [one for one in each.siblings if one.priority is not None]
    if len(sharing) == 1:
        counts += [one.queue.total_drops_packets for one in each.priority_queues]
    known = [count for count in counts if count is not None]
    return max(known) if known else None  # a drop may stand in more than one of the counters


def _policed(seen: ObservedClass) -> int | None:
    outcomes = [one for policer in seen.policers for one in (policer.exceeded, policer.violated)]
    counts = [one.seen.packets for one in outcomes if one and one.seen and "drop" in one.actions]
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def _hit(each: SeenClass, drops: int) -> Hit[Evidence]:
    offered_bps, rate_bps = each.seen.offered_rate_bps, _configured_bps(each.seen)
    configured = "a priority class without a rate"
    if rate_bps is not None:
        configured = f"priority {kbps_from_bps(rate_bps):g}"
    offered = "the offered rate is not printed"
    if offered_bps is not None:
        offered = f"{kbps_from_bps(offered_bps):g} kb/s offered"
    over = rate_bps is not None and offered_bps is not None and offered_bps > rate_bps
    need = "the mean fits: bursts, or an earlier peak, did not"
    if over:
        need = f"{_needed_kbps(offered_bps)} kb/s needed at least"
    evidence = Evidence(each.seen.name, each.policy, drops, offered, configured, need)
    return Hit(
        each.label,
        (each.seen.at,),
        evidence,
        Confidence.CERTAIN if over else Confidence.LIKELY,
        _forecast(each, offered_bps, rate_bps, over=over),
    )


def _configured_bps(seen: ObservedClass) -> float | None:
    if seen.priority is not None and seen.priority.rate_kbps is not None:
        return bps_from_kbps(seen.priority.rate_kbps)
    rates = [policer.cir_bps for policer in seen.policers if policer.cir_bps is not None]
    return float(min(rates)) if rates else None


def _needed_kbps(offered_bps: float | None) -> int:
    return ceil(kbps_from_bps(offered_bps or 0.0))


def _forecast(
    each: SeenClass, offered_bps: float | None, rate_bps: float | None, *, over: bool
) -> Forecast | None:
    if offered_bps is None:
        return None
    offered_kbps, at = kbps_from_bps(offered_bps), str(each.seen.at)
    inputs = [exact("offered_bps", offered_bps, Basis.MEASURED, at)]
    if rate_bps is not None:
        inputs.append(exact("priority_bps", rate_bps, Basis.CONFIGURED, at))
    needed = float(_needed_kbps(offered_bps))
    return Forecast(
        "rate offered to the LLQ, and needed",
        Figure(offered_kbps, offered_kbps, offered_kbps, "kb/s"),
        Figure(needed, needed, needed, "kb/s") if over else None,
        tuple(inputs),
    )


CHECK = Check(NoParams, Evidence, find, wants=("show policy-map interface",))
