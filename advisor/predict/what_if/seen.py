"""Measurements of a class from show outputs, in words for the report beside its prediction."""

from collections.abc import Iterator

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import ProbePath, probe_path
from advisor.outlet.seen_classes import classes_at
from advisor.quantity import rate_text
from advisor.shows.sla.records import SlaResult, Spread
from advisor.units import kbps_from_bps


def measured_of(device: Device, outlet: Outlet, class_name: str) -> tuple[str, ...]:
    """Counters of a class and results of the probes that it takes, each with its place."""
    return (*_counters(device, outlet, class_name), *_probes(device, outlet, class_name))


def _counters(device: Device, outlet: Outlet, class_name: str) -> Iterator[str]:
    for seen in classes_at(device.seen, outlet.place, outlet.queueing.name):
        if seen.name != class_name:
            continue
        parts = []
        if seen.offered_rate_bps is not None:
            parts.append(f"offered {rate_text(kbps_from_bps(seen.offered_rate_bps))} kb/s")
        if seen.drop_rate_bps is not None:
            parts.append(f"dropped {rate_text(kbps_from_bps(seen.drop_rate_bps))} kb/s")
        depth = seen.wred.mean_depth if seen.wred is not None else None
        if depth is not None and depth.packets is not None:
            parts.append(f"average queue {depth.packets} packets")
        if parts:
            yield f"{', '.join(parts)} ({seen.at})"


def _probes(device: Device, outlet: Outlet, class_name: str) -> Iterator[str]:
    for probe in device.facts.probes:
        path = probe_path(device, probe)
        if not isinstance(path, ProbePath) or path.class_name != class_name:
            continue
        if all(leaving.policy_label != outlet.policy_label for leaving in path.outlets):
            continue
        for result in device.seen.sla:
            if result.number == probe.number:
                yield _result(result)


def _result(result: SlaResult) -> str:
    parts = [f"round trip {_spread(result.rtt)}"] if result.rtt is not None else []
    if result.jitter_to_destination is not None:
        parts.append(f"jitter to the destination {_spread(result.jitter_to_destination)}")
    return f"{', '.join(parts) or 'no result'} by probe {result.number} ({result.at})"


def _spread(spread: Spread) -> str:
    return f"{spread.minimum_ms:g}/{spread.mean_ms:g}/{spread.maximum_ms:g} ms (min/mean/max)"
