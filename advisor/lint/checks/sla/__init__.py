"""The results of each probe, and the longest time that the model allows it."""

from typing import Final

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts import SlaProbe
from advisor.facts.policy import Unit
from advisor.outlet.outlet import Outlet
from advisor.outlet.probe import probe_path
from advisor.predict.classes.congested import congested, solved_cases
from advisor.predict.classes.limits import longest_own_ms
from advisor.quantity import Input, Unknown
from advisor.shows.sla import SlaResult

NORMAL_95: Final = 1.96  # half-width of a two-sided 95 % interval, in standard errors


class ProbeBounds(Struct, frozen=True):
    """Bounds in ms of one direction in the congested case: of the jitter, and of the delay.

    In a bundle, `outlet` is the slowest member.
    """

    outlet: Outlet
    jitter_ms: float
    one_way_ms: float
    inputs: tuple[Input, ...]

    @property
    def rate_is_a_label(self) -> bool:
        wire = self.outlet.wire
        return wire is not None and wire.is_label


def probe_bounds(device: Device, probe: SlaProbe) -> ProbeBounds | Unknown:
    """Bounds of a probe that is in the LLQ of a connected link, or why there are none."""
    path = probe_path(device, probe)
    if isinstance(path, Unknown):
        return path
    if not path.outlets[0].llq_classes:
        return Unknown("the output has no LLQ: no bound of the delay is known")
    if path.is_priority is None:
        return Unknown("which class takes the probe is not known")
    if not path.is_priority:
        return Unknown(f"the probe is in class {path.class_name}: no bound of its delay is known")
    worst: ProbeBounds | None = None
    for outlet in path.outlets:
        bounds = _bounds(device, outlet, path.class_name or "")
        if isinstance(bounds, Unknown):
            return bounds
        if worst is None or bounds.one_way_ms > worst.one_way_ms:
            worst = bounds
    return worst or Unknown("no output is known")


def _bounds(device: Device, outlet: Outlet, class_name: str) -> ProbeBounds | Unknown:
    if outlet.ring_idle:
        return Unknown("the queue is in a shaper, and no bound of its delay is known")
    for llq_class in outlet.llq_classes:
        priority = llq_class.priority
        if priority is not None and priority.unit is Unit.STRICT and priority.burst_bytes is None:
            return Unknown(
                f"priority of class {llq_class.name} has no rate: its own burst has no bound"
            )
    (case,) = solved_cases((congested(device, outlet),))
    if isinstance(case, Unknown):
        return case
    solved_class = case.class_named(class_name)
    if solved_class is None:
        return Unknown(f"no figures of class {class_name} are known")
    one_way_ms = solved_class.mean.bound
    if one_way_ms is None:
        return Unknown("no bound of the LLQ is known")
    # packets of a probe have one size: their transmission is no part of their jitter
    jitter_ms = one_way_ms - longest_own_ms(case.question)
    return ProbeBounds(outlet, jitter_ms, one_way_ms, case.solved.inputs)


def results_by_number(device: Device) -> dict[int, list[SlaResult]]:
    """The results of each operation, in the order of the captures."""
    by_number: dict[int, list[SlaResult]] = {}
    for result in device.seen.sla:
        by_number.setdefault(result.number, []).append(result)
    return by_number
