"""Outputs that cut packets in only one of two states: what the other end of the link does then."""

from collections.abc import Iterator

from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.change.changes import Change, Direction, Fragments, PredictionChange
from advisor.lint.change.known_packets import KnownFragments, KnownOrder
from advisor.lint.change.snapshot import Case, Snapshot
from advisor.lint.findings import Metric


def fragment_changes(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    """Compare whether the outputs of both states cut packets.

    An end without FRF.12 drops the fragments of the other (recalled), so taking them away counts
    unless the other end has none; adding them counts if it is known to have none. The delay behind
    whole packets is told with the figures; where there are none, it counts for a priority class.
    """
    now = {(each.device, each.path): each for each in new.orders if not each.is_marking}
    with_figures = {(each.device, each.output) for each in old.classes}
    for order in old.orders:
        key = order.device, order.path
        other = None if order.is_marking else now.get(key)
        if other is None:
            continue
        was, has = order.fragments, other.fragments
        if was is not None and has is None and (was.is_frf12 or key not in with_figures):
            voice_waits = key not in with_figures and _class_of(other) != CLASS_DEFAULT
            is_dropped = was.is_frf12 and other.far_cuts is not False
            yield _change(other, was, is_new=False, counts=voice_waits or is_dropped)
        elif was is None and has is not None and has.is_frf12:
            yield _change(other, has, is_new=True, counts=other.far_cuts is False)


def _class_of(order: KnownOrder) -> str:
    """The class that waits behind what is not cut: the first one with priority."""
    return next((each.name for each in order.takers if each.is_priority), CLASS_DEFAULT)


def _change(
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
