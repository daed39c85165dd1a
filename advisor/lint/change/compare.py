"""The difference of two states, the worst first."""

from collections.abc import Callable

from msgspec.structs import replace

from advisor.lint.change.changes import Comparison, Direction, Gate, PredictionChange
from advisor.lint.change.of_findings import finding_changes
from advisor.lint.change.of_predictions import prediction_changes
from advisor.lint.change.snapshot import Snapshot
from advisor.lint.findings import Metric


def compared(old: Snapshot, new: Snapshot, gate: Gate) -> Comparison:
    """Compare two states.

    Where each has one device, these are compared, whatever their names are.
    """
    old = _renamed(old, new)
    findings = list(finding_changes(old.findings, new.findings, gate))
    predictions = list(prediction_changes(old, new, gate.tolerance))
    predictions.sort(key=lambda each: (not each.counts, _ORDER[each.direction], -_size(each)))
    findings.sort(key=lambda each: (not each.counts, each.finding.severity.rank))
    known = {(each.device, each.output) for each in old.without_figures}
    without = (each for each in new.without_figures if (each.device, each.output) not in known)
    complete = old.complete and new.complete
    return Comparison(tuple(findings), tuple(predictions), tuple(without), complete)


_ORDER = {direction: place for place, direction in enumerate(Direction)}


def _size(change: PredictionChange) -> float:
    """Size of a change in ms; of other units less than any."""
    if change.metric is not Metric.DELAY:
        return 0.0
    return max(abs(change.difference), abs(change.bound_difference_ms))


def _devices(state: Snapshot) -> frozenset[str]:
    names = {each.device for each in state.findings} | {each.device for each in state.classes}
    return frozenset(names | {each.device for each in state.without_figures})


def _renamed(old: Snapshot, new: Snapshot) -> Snapshot:
    before, now = _devices(old), _devices(new)
    if len(before) != 1 or len(now) != 1 or before == now:
        return old
    (name,) = now
    return _with_devices(old, lambda _: name)


def without_folder(state: Snapshot, folder: str) -> Snapshot:
    """A state whose devices are named by files below a folder by the names that these have there.

    Where a configuration names its device, no name starts as the folder.
    """
    return _with_devices(state, lambda device: device.removeprefix(folder)) if folder else state


def _with_devices(state: Snapshot, name_of: Callable[[str], str]) -> Snapshot:
    return replace(
        state,
        findings=tuple(replace(own, device=name_of(own.device)) for own in state.findings),
        classes=tuple(replace(own, device=name_of(own.device)) for own in state.classes),
        without_figures=tuple(
            replace(own, device=name_of(own.device)) for own in state.without_figures
        ),
    )
