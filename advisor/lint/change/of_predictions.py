"""Figures of the classes of two states, paired by output, case and class."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.change import (
    Change,
    Direction,
    Output,
    PredictionChange,
    bound_moved,
    direction_of,
    moved,
    moved_outputs,
)
from advisor.lint.change.snapshot import Case, KnownClass, KnownFigure, Snapshot
from advisor.lint.findings import Metric
from advisor.lint.output_figures import Tolerance

_Classes = Mapping[str, KnownClass]  # of one output in one case, by their names


def prediction_changes(
    old: Snapshot, new: Snapshot, tolerance: Tolerance
) -> Iterator[PredictionChange]:
    """Pair the classes of each output, in each case, by their names."""
    before, now = _by_output(old.classes), _by_output(new.classes)
    went = moved_outputs(before.keys(), _queued(now.keys(), old, new), old, new)
    arrived = {item for found in went.now.values() for item in found} - before.keys()
    congested: set[PredictionChange] = set()
    for output in sorted((before.keys() | now.keys()) - arrived):
        own = before.get(output, {})
        lost = list(_of_unserved(output, own, went.unserved.get(output, ())))
        changes = [
            item
            for found in went.now.get(output, ())
            for item in _of_moved(output, own, found, now[found], tolerance)
        ] or [
            item
            for item in _of_output(own, now.get(output, {}), tolerance)
            if all(_subject(item) != _subject(other) for other in lost)
        ]
        for change in (*lost, *changes):
            if change.case is Case.CONGESTED:
                congested.add(change)
            elif replace(change, case=Case.CONGESTED) in congested:
                continue  # nobody stated or measured traffic: both cases are one
            yield change


def _queued(now: AbstractSet[Output], old: Snapshot, new: Snapshot) -> AbstractSet[Output]:
    """The outputs but those where a policy queued, and none does any more."""
    was, has = (
        {(order.device, order.path) for order in state.orders if not order.is_marking}
        for state in (old, new)
    )
    return {item for item in now if item[:2] not in was - has}


def _of_moved(
    output: Output, old: _Classes, found: Output, new: _Classes, tolerance: Tolerance
) -> Iterator[PredictionChange]:
    """The changes of a policy that another output has now; a delay that stays is said, too."""
    changed: set[str] = set()
    for change in _of_output(old, new, tolerance):
        changed.add(change.class_name)
        yield replace(change, output=found[1], output_before=output[1])
    for name in old.keys() & new.keys() - changed:
        before, now = _delay(old[name]), _delay(new[name])
        if before is not None and now is not None:
            stayed = _change(Change.MOVED, new[name], before, now)
            stayed = _with_p95(stayed, old[name], new[name])
            yield replace(stayed, output_before=output[1])


def _of_unserved(
    output: Output, old: _Classes, paths: tuple[str, ...]
) -> Iterator[PredictionChange]:
    """The classes that an interface has no more, as no policy queues there."""
    for path in paths:
        for name, known in old.items():
            delay = _delay(known)
            if delay is not None and name != CLASS_DEFAULT:
                yield replace(
                    _change(Change.GONE, known, delay, None),
                    output=path,
                    direction=Direction.WORSE,
                    counts=True,
                    output_before=None if f"{output[1]} > ".startswith(f"{path} > ") else output[1],
                    is_unserved=True,
                )


def _subject(change: PredictionChange) -> tuple[str, str, Metric, str | None]:
    return change.output, change.class_name, change.metric, change.group


def _delay(known: KnownClass) -> KnownFigure | None:
    of_class = (
        figure for figure in known.figures if figure.metric is Metric.DELAY and not figure.group
    )
    return next(of_class, None)


def _by_output(classes: Iterable[KnownClass]) -> dict[Output, dict[str, KnownClass]]:
    """Classes of each output; devices of one name stand in the order of the run."""
    by_output: dict[Output, dict[str, KnownClass]] = defaultdict(dict)
    times: Counter[tuple[str, str, Case, str]] = Counter()
    for queue_class in classes:
        name = queue_class.device, queue_class.output, queue_class.case, queue_class.class_name
        by_output[queue_class.device, queue_class.output, queue_class.case, times[name]][
            queue_class.class_name
        ] = queue_class
        times[name] += 1
    return by_output


def _of_output(old: _Classes, new: _Classes, tolerance: Tolerance) -> Iterator[PredictionChange]:
    no_class_is_new = new.keys() <= old.keys()
    for name, earlier in old.items():
        if name in new:
            yield from _of_class(earlier, new[name], tolerance)
        else:
            server = new.get(CLASS_DEFAULT) if no_class_is_new else None
            is_served = server is not None and frozenset(earlier.dscps) <= frozenset(server.dscps)
            yield from _gone(earlier, server if is_served else None, tolerance)
    for name, later in new.items():
        if name not in old:
            for known in later.figures:
                yield _change(Change.ADDED, later, None, known)
    for name in old.keys() & new.keys():
        yield from _reclassified(old[name], new, tolerance)


def _reclassified(
    old: KnownClass, new: _Classes, tolerance: Tolerance
) -> Iterator[PredictionChange]:
    """Packets of a class that another one takes now, as the match lines prove it."""
    takers = {code: name for name, known in new.items() for code in known.dscps}
    codes: dict[str, list[int]] = defaultdict(list)
    for code in old.dscps:
        codes[takers.get(code, old.class_name)].append(code)
    for name, moved_codes in codes.items():
        if name == old.class_name:
            continue
        before, now = _delay(old), _delay(new[name])
        change = PredictionChange(
            Change.MOVED,
            old.device,
            new[name].output,
            old.class_name,
            old.case,
            Metric.DELAY,
            None if before is None else before.figure,
            None if now is None else now.figure,
            bound_before_ms=old.bound_ms,
            bound_now_ms=new[name].bound_ms,
            served_by=name,
            dscps=tuple(moved_codes),
        )
        # Without a figure nobody knows how long they waited.
        yield change if before is None else _judged(change, tolerance)


def _change(
    change: Change, of: KnownClass, before: KnownFigure | None, now: KnownFigure | None
) -> PredictionChange:
    known = before or now
    assert known is not None  # noqa: S101 -- for the type checker
    is_delay = known.metric is Metric.DELAY
    return PredictionChange(
        change,
        of.device,
        of.output,
        of.class_name,
        of.case,
        known.metric,
        None if before is None else before.figure,
        None if now is None else now.figure,
        known.group,
        before.figure.bound if before is not None and is_delay else None,
        now.figure.bound if now is not None and is_delay else None,
    )


def _with_p95(change: PredictionChange, old: KnownClass, new: KnownClass) -> PredictionChange:
    if change.metric is not Metric.DELAY or change.group is not None:
        return change
    return replace(change, p95_before=old.p95, p95_now=new.p95)


def _of_class(old: KnownClass, new: KnownClass, tolerance: Tolerance) -> Iterator[PredictionChange]:
    later = {(known.metric, known.group): known for known in new.figures}
    for known in old.figures:
        own = later.pop((known.metric, known.group), None)
        if own is None:
            yield _not_known_any_more(old, new, known, tolerance)
            continue
        sign = moved(known.figure, own.figure, Tolerance())
        has_lost_bound = known.figure.bound is not None and own.figure.bound is None
        if sign is None and not has_lost_bound:
            continue
        is_more = has_lost_bound if sign is None else sign > 0
        direction = direction_of(is_more, more_is_worse=known.metric.more_is_worse)
        by_more = has_lost_bound or moved(known.figure, own.figure, tolerance) is not None
        yield replace(
            _with_p95(_change(Change.MOVED, new, known, own), old, new),
            direction=direction,
            counts=direction is Direction.WORSE and by_more,
        )
    for known in later.values():
        yield _change(Change.ADDED, new, None, known)


def _not_known_any_more(
    old: KnownClass, new: KnownClass, known: KnownFigure, tolerance: Tolerance
) -> PredictionChange:
    """A figure that a class has no more; of its delay the bound may still be known."""
    change = _change(Change.MOVED, old, known, None)
    if known.metric is not Metric.DELAY or known.group is not None:
        return change
    return _judged(replace(change, bound_now_ms=new.bound_ms), tolerance)


def _gone(
    old: KnownClass, server: KnownClass | None, tolerance: Tolerance
) -> Iterator[PredictionChange]:
    """The figures of a class that is no more, beside those of the class that takes its packets."""
    for known in old.figures:
        gone = _change(Change.GONE, old, known, None)
        if server is None or known.metric is not Metric.DELAY or known.group is not None:
            yield gone if server is None else replace(gone, served_by=server.class_name)
            continue
        own = _delay(server)
        now = None if own is None else own.figure
        beside = replace(gone, served_by=server.class_name, now=now, bound_now_ms=server.bound_ms)
        yield _judged(beside, tolerance)


def _judged(change: PredictionChange, tolerance: Tolerance) -> PredictionChange:
    """The change with its direction, where another class or another figure serves now."""
    direction, by_more = _of_server(change, tolerance)
    return replace(change, direction=direction, counts=direction is Direction.WORSE and by_more)


def _of_server(gone: PredictionChange, tolerance: Tolerance) -> tuple[Direction, bool]:
    """Whether packets fare worse in the class that takes them, and by more than is tolerated."""
    before, now = gone.before, gone.now
    if before is not None and now is not None:
        sign = moved(before, now, Tolerance())
        if sign is None:
            return Direction.NEITHER, False
        is_more = moved(before, now, tolerance) is not None
        return direction_of(sign > 0, more_is_worse=True), is_more
    if gone.bound_before_ms is None:
        # With the lower classes saturated, only an LLQ has a delay: nothing holds its packets now.
        is_llq = before is not None and gone.case is Case.CONGESTED
        is_lost = is_llq and gone.bound_now_ms is None
        return (Direction.WORSE, True) if is_lost else (Direction.NEITHER, False)
    if gone.bound_now_ms is None:
        return Direction.WORSE, True
    sign = bound_moved(gone.bound_before_ms, gone.bound_now_ms, tolerance)
    return (Direction.WORSE, True) if sign == 1 else (Direction.NEITHER, False)
