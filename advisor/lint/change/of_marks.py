"""What the other ends are told otherwise: the DSCPs of packets that leave, the group of a spoke."""

from collections.abc import Iterator

from msgspec.structs import replace

from advisor.facts.policy import CLASS_DEFAULT
from advisor.lint.change.changes import Announced, Change, Direction, Marks, PredictionChange
from advisor.lint.change.known_packets import KnownTaker
from advisor.lint.change.snapshot import Case, Snapshot
from advisor.lint.findings import Metric


def mark_changes(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    """Compare what the classes of an output set on their packets, and the NHRP groups of spokes.

    It counts where packets of a priority class may leave with another DSCP than before: the queues
    of the provider and of the far end know them by it.
    """
    orders = (each for each in new.orders if not each.is_marking)
    now = {(each.device, each.path, taker.name): taker for each in orders for taker in each.takers}
    for order in old.orders:
        for taker in () if order.is_marking else order.takers:
            later = now.get((order.device, order.path, taker.name))
            if later is None or taker.marks == later.marks:
                continue
            marks = Marks(taker.leaves_as, later.leaves_as)
            if marks.before != marks.now:
                counts = taker.is_priority and _is_lost(taker, later)
                change = _change(order.device, order.path, taker.name, counts=counts)
                yield replace(change, marks=marks)
    yield from _groups(old, new)


def _is_lost(taker: KnownTaker, later: KnownTaker) -> bool:
    """Whether packets may leave with a DSCP that none had; what was not known may have had any."""
    before, now = set(taker.leaves_as), set(later.leaves_as)
    if not before:
        return 0 in now
    return before != {0} and (not now or not now <= before)


def _groups(old: Snapshot, new: Snapshot) -> Iterator[PredictionChange]:
    now = {(each.device, each.path): each for each in new.objects}
    for each in old.objects:
        later = now.get((each.device, each.path))
        if later is not None and later.nhrp_group != each.nhrp_group:
            change = _change(each.device, each.path, CLASS_DEFAULT, counts=False)
            yield replace(change, announced=Announced(each.nhrp_group, later.nhrp_group))


def _change(device: str, output: str, class_name: str, *, counts: bool) -> PredictionChange:
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
