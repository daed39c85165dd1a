"""The difference of two states, the worst first; what a raised rate takes from others."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Final, TypeVar

from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.ground.units import kbps_from_bps
from advisor.lint.change import (
    Announced,
    Comparison,
    Direction,
    FindingChange,
    Fragments,
    Gate,
    Marks,
    PredictionChange,
    change_of_lines,
)
from advisor.lint.change.known_packets import KnownFragments, KnownOrder, KnownTaker
from advisor.lint.change.of_findings import finding_changes
from advisor.lint.change.of_packets import packet_changes
from advisor.lint.change.of_predictions import prediction_changes
from advisor.lint.change.snapshot import Snapshot
from advisor.lint.findings import Metric
from advisor.lint.output_figures import rises

# Classes whose reserved rate is raised: what that takes from others is its cost.

_NEEDS_MORE: Final = "LLQ012"  # more calls admitted than the priority classes carry
_ROUNDED: Final = 1.05  # a rate is rounded up
_OF_BYTES: Final = 1.1  # goodput is of IP packets, a reserved rate of frames

AnyChange = TypeVar("AnyChange", FindingChange, PredictionChange)
_Rates = Mapping[tuple[str, str, str], float]  # of a class by device, output and name


def with_costs(
    changes: Iterable[PredictionChange], old: Snapshot, new: Snapshot
) -> Iterator[PredictionChange]:
    """The changes, where these are costs: they do not count.

    A longer bound, and no longer mean, of a priority class that is raised to no more than its
    admitted calls need; goodput that class-default loses to classes whose rates are raised, or to
    the headers of the bundle that its link joins.
    """
    bundles = {(own.device, own.path): own.bundle for own in new.objects if own.bundle is not None}
    was, has = _rates(old), _rates(new)
    needs = {
        (finding.device, finding.object): finding.figure.value
        for finding in old.findings
        if finding.rule == _NEEDS_MORE and finding.figure is not None
    }
    for change in changes:
        before = change.output_before or change.output
        if change.metric is Metric.DELAY:
            key = change.device, before, change.class_name
            now = has.get((change.device, change.output, change.class_name), 0.0)
            need_kbps = needs.get((change.device, f"{before} > class {change.class_name}"), 0.0)
            is_needed = was.get(key, now) < now and kbps_from_bps(now) <= need_kbps * _ROUNDED
            is_cost = is_needed and _is_of_bound(change)
        else:
            joined = bundles.get((change.device, before)) == change.output
            is_cost = _goes_to_raised(change, was, has, before) or (
                joined and _goes_to_headers(change)
            )
        yield (
            replace(change, direction=Direction.COST, counts=False)
            if is_cost and change.direction is Direction.WORSE
            else change
        )


def _rates(state: Snapshot) -> _Rates:
    return {
        (order.device, order.path, taker.name): taker.reserved_bps
        for order in state.orders
        for taker in order.takers
        if taker.reserved_bps is not None
    }


def _is_of_bound(change: PredictionChange) -> bool:
    before, now = change.before, change.now
    if before is None or now is None or change.bound_now_ms is None:
        return False
    return not rises(before, now)


def _goes_to_raised(change: PredictionChange, was: _Rates, has: _Rates, before: str) -> bool:
    if change.metric is not Metric.GOODPUT or change.class_name != CLASS_DEFAULT:
        return False
    raised_bps = sum(
        max(0.0, rate_bps - was.get((device, before, name), rate_bps))
        for (device, output, name), rate_bps in has.items()
        if (device, output) == (change.device, change.output) and name != CLASS_DEFAULT
    )
    return 0 < -change.difference <= kbps_from_bps(raised_bps) * _OF_BYTES


def _goes_to_headers(change: PredictionChange) -> bool:
    """Whether class-default loses no more goodput than headers may take."""
    before, now = change.before, change.now
    if change.metric is not Metric.GOODPUT or change.class_name != CLASS_DEFAULT:
        return False
    return before is not None and now is not None and before.value <= now.value * _OF_BYTES


# The difference of two states, the worst first.


def compared(old: Snapshot, new: Snapshot, gate: Gate) -> Comparison:
    """Compare two states.

    A device that is renamed in its file is one device. Where each state has one device, these are
    compared, whatever their names are.
    """
    old = _renamed(old, new)
    better_known = _better_known(old, new)
    findings = [
        _unless_known(item, is_better_known=item.finding.device in better_known)
        for item in finding_changes(old, new, gate)
    ]
    predictions = list(with_costs(prediction_changes(old, new, gate.tolerance), old, new))
    predictions += _not_told(packet_changes(old, new), predictions)
    predictions += fragment_changes(old, new)
    predictions += mark_changes(old, new)
    predictions = [
        _unless_known(item, is_better_known=item.device in better_known) for item in predictions
    ]
    predictions.sort(key=lambda each: (not each.counts, _ORDER[each.direction], -_size(each)))
    findings.sort(key=lambda each: (not each.counts, each.finding.severity.rank))
    known = {(output.device, output.output) for output in old.without_figures}
    without = (lost for lost in new.without_figures if (lost.device, lost.output) not in known)
    complete = old.complete and new.complete
    return Comparison(
        tuple(findings), tuple(predictions), tuple(without), complete, old.classes, new.classes
    )


def _unless_known(item: AnyChange, *, is_better_known: bool) -> AnyChange:
    """The change; of a device that only tells more than before it is not for the worse."""
    if not is_better_known or item.direction is not Direction.WORSE:
        return item
    return replace(item, direction=Direction.NEITHER, counts=False)


def _better_known(old: Snapshot, new: Snapshot) -> frozenset[str]:
    """Find devices that only tell more than before: none of them gets worse."""
    before = {known.device: known for known in old.configs}
    return frozenset(
        known.device
        for known in new.configs
        if known.device in before and known.tells_more(before[known.device])
    )


_ORDER = {direction: place for place, direction in enumerate(Direction)}


def _not_told(
    changes: Iterable[PredictionChange], predictions: Sequence[PredictionChange]
) -> Iterator[PredictionChange]:
    """Yield predictions of classes without a report that their markings go to another class."""
    told: dict[tuple[str, str, str | None], bool] = {}
    for prediction in predictions:
        if prediction.dscps:
            for name in (prediction.class_name, prediction.served_by):
                key = prediction.device, prediction.output, name
                told[key] = told.get(key, False) or prediction.counts
    for change in changes:
        known = told.get((change.device, change.output, change.class_name))
        if known is None or (change.counts and not known):
            yield change


def _size(change: PredictionChange) -> float:
    """Size of a change in ms; of other units less than any, of a class that is lost more."""
    if change.metric is not Metric.DELAY:
        return 0.0
    if change.counts and change.now is None and change.bound_now_ms is None:
        return inf
    return max(abs(change.difference), abs(change.bound_difference_ms))


def _devices(state: Snapshot) -> frozenset[str]:
    names = {finding.device for finding in state.findings} | {
        queue_class.device for queue_class in state.classes
    }
    return frozenset(names | {without_figure.device for without_figure in state.without_figures})


def _renamed(old: Snapshot, new: Snapshot) -> Snapshot:
    """The older state with the names that its devices have now."""
    before, now = _devices(old), _devices(new)
    if len(before) == len(now) == 1:
        names = dict(zip(before, now, strict=True))
    else:
        was, has = _by_file(old, before - now), _by_file(new, now - before)
        alone = (file for file in was if len(was[file]) == len(has.get(file, ())) == 1)
        pairs = {(min(was[file]), min(has[file])) for file in alone}
        names = dict(pairs)
        if not len(pairs) == len(names) == len(set(names.values())):
            return old  # files that do not agree on which device is which
    return _with_devices(old, lambda device: names.get(device, device))


def _by_file(state: Snapshot, devices: frozenset[str]) -> dict[str, set[str]]:
    """Those of the devices that each file holds something of."""
    by_file: dict[str, set[str]] = defaultdict(set)
    for known in state.files:
        if known.device in devices:
            by_file[known.file].add(known.device)
    return by_file


def without_folder(state: Snapshot, folder: str) -> Snapshot:
    """Drop a folder from the names of devices that are named by their files below it.

    Where a configuration names its device, no name starts as the folder.
    """
    if not folder:
        return state
    named = _with_devices(state, lambda device: device.removeprefix(folder))
    files = (replace(known, file=known.file.removeprefix(folder)) for known in named.files)
    return replace(named, files=tuple(files))


_OF_DEVICES: Final = (  # fields of a snapshot whose records name their device
    *("findings", "classes", "without_figures", "files"),
    *("objects", "orders", "sections", "configs"),
)


def _with_devices(state: Snapshot, name_of: Callable[[str], str]) -> Snapshot:
    named = {
        field: tuple(replace(own, device=name_of(own.device)) for own in getattr(state, field))
        for field in _OF_DEVICES
    }
    return replace(state, **named)


# Compares what the other ends are told: fragments, marks, the group of a spoke.

# Outputs that cut packets in only one of two states: what the other end of the link does then.


def fragment_changes(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    """Compare whether the outputs of both states cut packets.

    An end without FRF.12 drops the fragments of the other (recalled), so taking them away counts
    unless the other end has none; adding them counts if it is known to have none. The delay behind
    whole packets is told with the figures; where there are none, it counts for a priority class.
    """
    now = {(item.device, item.path): item for item in new.orders if not item.is_marking}
    with_figures = {(queue_class.device, queue_class.output) for queue_class in old.classes}
    for order in old.orders:
        key = order.device, order.path
        other = None if order.is_marking else now.get(key)
        if other is None:
            continue
        was, has = order.fragments, other.fragments
        if was is not None and has is None and (was.is_frf12 or key not in with_figures):
            voice_waits = key not in with_figures and _class_of(other) != CLASS_DEFAULT
            is_dropped = was.is_frf12 and other.far_cuts is not False
            yield _change_of_fragments(other, was, is_new=False, counts=voice_waits or is_dropped)
        elif was is None and has is not None and has.is_frf12:
            yield _change_of_fragments(other, has, is_new=True, counts=other.far_cuts is False)


def _class_of(order: KnownOrder) -> str:
    """The class that waits behind what is not cut: the first one with priority."""
    return next((taker.name for taker in order.takers if taker.is_priority), CLASS_DEFAULT)


def _change_of_fragments(
    order: KnownOrder, cut: KnownFragments, *, is_new: bool, counts: bool
) -> PredictionChange:
    change = change_of_lines(order.device, order.path, _class_of(order), counts=counts)
    return replace(change, fragments=Fragments(is_new, cut.is_frf12, cut.size_bytes))


# Changes for the other ends: the DSCPs of packets that leave, the group of a spoke.


def mark_changes(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    """Compare what the classes of an output set on their packets, and the NHRP groups of spokes.

    It counts where packets of a priority class may leave with another DSCP than before: the queues
    of the provider and of the far end know them by it.
    """
    orders = (item for item in new.orders if not item.is_marking)
    now = {(item.device, item.path, taker.name): taker for item in orders for taker in item.takers}
    for order in old.orders:
        for taker in () if order.is_marking else order.takers:
            later = now.get((order.device, order.path, taker.name))
            if later is None or taker.marks == later.marks:
                continue
            marks = Marks(taker.leaves_as, later.leaves_as)
            if marks.before != marks.now:
                counts = taker.is_priority and _is_lost(taker, later)
                change = change_of_lines(order.device, order.path, taker.name, counts=counts)
                yield replace(change, marks=marks)
    yield from _groups(old, new)


def _is_lost(taker: KnownTaker, later: KnownTaker) -> bool:
    """Whether packets may leave with a DSCP that none had; what was not known may have had any."""
    before, now = set(taker.leaves_as), set(later.leaves_as)
    if not before:
        return 0 in now
    return before != {0} and (not now or not now <= before)


def _groups(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    now = {(item.device, item.path): item for item in new.objects}
    for an_object in old.objects:
        later = now.get((an_object.device, an_object.path))
        if later is not None and later.nhrp_group != an_object.nhrp_group:
            change = change_of_lines(an_object.device, an_object.path, CLASS_DEFAULT, counts=False)
            yield replace(change, announced=Announced(an_object.nhrp_group, later.nhrp_group))
