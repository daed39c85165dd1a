"""Compares what the other ends are told: fragments, marks, the group of a spoke."""

from collections.abc import Iterator

from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.change.changes import (
    Announced,
    Change,
    Direction,
    Fragments,
    Marks,
    PredictionChange,
)
from advisor.lint.change.known_packets import KnownFragments, KnownOrder, KnownTaker
from advisor.lint.change.snapshot import Case, Snapshot
from advisor.lint.findings import Metric

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
    return PredictionChange(
        Change.MOVED,
        order.device,
        order.path,
        _class_of(order),
        Case.CONGESTED,
        Metric.DELAY,
        None,
        None,
        direction=Direction.WORSE if counts else Direction.NEITHER,
        counts=counts,
        fragments=Fragments(is_new, cut.is_frf12, cut.size_bytes),
    )


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
                change = _change_of_marks(order.device, order.path, taker.name, counts=counts)
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
            change = _change_of_marks(an_object.device, an_object.path, CLASS_DEFAULT, counts=False)
            yield replace(change, announced=Announced(an_object.nhrp_group, later.nhrp_group))


def _change_of_marks(
    device: str, output: str, class_name: str, *, counts: bool
) -> PredictionChange:
    return PredictionChange(
        Change.MOVED,
        device,
        output,
        class_name,
        Case.CONGESTED,
        Metric.DELAY,
        None,
        None,
        direction=Direction.WORSE if counts else Direction.NEITHER,
        counts=counts,
    )
