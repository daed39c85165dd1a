"""The LLQ drops packets: a caller hears the loss."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.measured import SeenClass, seen_classes
from advisor.quantity import Basis, Figure, exact, rate_text
from advisor.units import bps_from_kbps, kbps_from_bps

if TYPE_CHECKING:
    from advisor.shows.policy_map.records import ObservedClass


class Evidence(Struct, frozen=True):
    """The drops, and the offered rate beside the configured rate."""

    class_name: str
    policy_map: str
    drops: int
    offered: str  # "96 kb/s offered", or that the rate is not printed
    configured: str  # "priority 64", or words in its place
    need: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield a hit for each priority class that dropped packets."""
    del params
    for seen_class in seen_classes(device.seen):
        if seen_class.seen.priority is None:
            continue
        drops = _drops(seen_class)
        if drops is None:
            yield Skip(seen_class.label, "its drops are not printed, or their counter has wrapped")
        elif drops > 0:
            yield _hit(seen_class, drops)


def _drops(seen_class: SeenClass) -> int | None:
    """Drops of the policer and of the queue; of a shared queue where the class is alone in it."""
    observed = seen_class.seen
    counts = [observed.priority.exceed_drops_packets if observed.priority is not None else None]
    if observed.queue is not None:
        counts.append(observed.queue.total_drops_packets)
    counts += [_policed(observed)]
    sharing = [sibling for sibling in seen_class.siblings if sibling.priority is not None]
    if len(sharing) == 1 and seen_class.is_whole:
        counts += [
            priority_queue.queue.total_drops_packets
            for priority_queue in seen_class.priority_queues
        ]
    counters = [count for count in counts if count is not None]
    return max(counters) if counters else None  # more than one counter may count a drop


def _policed(observed: ObservedClass) -> int | None:
    outcomes = [
        outcome for policer in observed.policers for outcome in (policer.exceeded, policer.violated)
    ]
    counts = [
        outcome.seen.packets
        for outcome in outcomes
        if outcome and outcome.seen and "drop" in outcome.actions
    ]
    counters = [count for count in counts if count is not None]
    return sum(counters) if counters else None


def _hit(seen_class: SeenClass, drops: int) -> Hit[Evidence]:
    offered_bps, rate_bps = seen_class.seen.offered_rate_bps, _configured_bps(seen_class.seen)
    configured = "a priority class without a rate"
    if rate_bps is not None:
        configured = f"priority {rate_text(kbps_from_bps(rate_bps))}"
    offered = "the offered rate is not printed"
    if offered_bps is not None:
        offered = f"{rate_text(kbps_from_bps(offered_bps))} kb/s offered"
    is_over = rate_bps is not None and offered_bps is not None and offered_bps > rate_bps
    need = "the mean rate fits, but bursts or an earlier peak did not"
    if is_over:
        need = f"{_needed_kbps(offered_bps)} kb/s needed at least"
    evidence = Evidence(seen_class.seen.name, seen_class.policy, drops, offered, configured, need)
    return Hit(
        seen_class.label,
        (seen_class.seen.at,),
        evidence,
        Confidence.CERTAIN if is_over else Confidence.LIKELY,
        _forecast(seen_class, offered_bps, rate_bps, is_over=is_over),
    )


def _configured_bps(observed: ObservedClass) -> float | None:
    if observed.priority is not None and observed.priority.rate_kbps is not None:
        return bps_from_kbps(observed.priority.rate_kbps)
    rates = [policer.cir_bps for policer in observed.policers if policer.cir_bps is not None]
    return float(min(rates)) if rates else None


def _needed_kbps(offered_bps: float | None) -> int:
    return ceil(kbps_from_bps(offered_bps or 0.0))


def _forecast(
    seen_class: SeenClass, offered_bps: float | None, rate_bps: float | None, *, is_over: bool
) -> Forecast | None:
    if offered_bps is None:
        return None
    offered_kbps, at = kbps_from_bps(offered_bps), str(seen_class.seen.at)
    inputs = [exact("offered_bps", offered_bps, Basis.MEASURED, at)]
    if rate_bps is not None:
        inputs.append(exact("priority_bps", rate_bps, Basis.CONFIGURED, at))
    needed = float(_needed_kbps(offered_bps))
    return Forecast(
        "rate offered to the LLQ, and needed",
        Figure(offered_kbps, offered_kbps, offered_kbps, "kb/s"),
        Figure(needed, needed, needed, "kb/s") if is_over else None,
        tuple(inputs),
    )


CHECK = Check(NoParams, Evidence, find, is_measured=True)
