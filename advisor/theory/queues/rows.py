"""Which queues an interface has: the rows of their recursion."""

from collections.abc import Sequence

from advisor.theory.case import Case
from advisor.theory.classes.turns import NOTHING, Turn
from advisor.theory.flows import Flow
from advisor.theory.queues.packets import QueueRow

MOST_ROWS = 16  # numeric: queues


def rows_of(case: Case, turns: Sequence[Turn]) -> list[tuple[QueueRow, Turn | None]] | None:
    """The LLQ (without a turn), then the queues below it; None if they are not of this kind.

    That is: several priority queues, more than `MOST_ROWS`, or queues that are not told apart.
    """
    first = _llq_row(case.llq)
    if first is None or 1 + sum(turn.copies for turn in turns) > MOST_ROWS:
        return None
    rows: list[tuple[QueueRow, Turn | None]] = [(first, None)]
    for turn in turns:
        if not _is_told_apart(case, turn):
            return None
        rows += [(_row(case, turn), turn)] * turn.copies
    return rows


def _llq_row(llq: Sequence[Flow]) -> QueueRow | None:
    """The LLQ, which may be empty; None for several priority queues."""
    queues = {flow.queue.name: flow.queue for flow in llq}
    if not queues:
        return QueueRow((), 1.0, 1)
    (queue, *others) = queues.values()
    if others:
        return None
    return QueueRow(tuple(llq), 1.0, queue.limit_packets, policer=queue.policer)


def _is_told_apart(case: Case, turn: Turn) -> bool:
    """Whether a turn is one queue of the scheduler, which serves all of its packets in order.

    The conversations of a fair-queue have tags of their own within their class: they are rows if
    the class is alone.
    """
    if turn.load is None and len(turn.flows) > 1:
        return False
    is_fair = turn.flows[0].queue.flow_limit_packets is not None
    has_whole_class = len(turn.flows) == 1 and turn.copies == 1
    return not is_fair or (not turn.is_crowd and (len(case.lower_queues) == 1 or has_whole_class))


def _row(case: Case, turn: Turn) -> QueueRow:
    queue = turn.flows[0].queue
    is_conversation = queue.flow_limit_packets is not None and len(case.lower_queues) == 1
    weight = 1.0 if is_conversation else max(queue.share_percent, NOTHING)
    gap_ms = turn.flows[0].mean_ms / max(turn.carried, NOTHING)
    return QueueRow(turn.flows, weight, turn.limit_packets, gap_ms, turn.load is None)
