"""Why nothing bounds the delay of a class, or why no bound of it is derived."""

from collections.abc import Sequence

from advisor.theory.interface import Interface, Periodic, Queue, QueueKind
from advisor.wording import NoBound, RemarkKind

_BY_REMARK = {
    RemarkKind.SHORTER_QUEUE: NoBound.SHORTER_QUEUE,
    RemarkKind.SHARED_RING: NoBound.SHARED_RING,
}


def why_no_bound(
    interfaces: Sequence[Interface], name: str, remarks: Sequence[RemarkKind]
) -> NoBound:
    """The reason of a class at the corners that have no bound.

    Parameters
    ----------
    interfaces : sequence of Interface
        The corners without a bound; empty where only a remark takes it.
    name : str
        Name of the class.
    remarks : sequence of RemarkKind
        The settings that are not in the figures of the class.
    """
    by_remark = next((_BY_REMARK[remark] for remark in remarks if remark in _BY_REMARK), None)
    if by_remark is not None or not interfaces:
        return by_remark or NoBound.NOT_DERIVED
    interface = interfaces[0]
    own = next(queue for queue in interface.queues if queue.name == name)
    if own.shaper is not None:
        return NoBound.OWN_SHAPER
    if interface.members_bps:
        return NoBound.BUNDLE
    if any(_sends_any_rate(interface, queue) for queue in interface.queues):
        return NoBound.UNPOLICED
    if own.kind is not QueueKind.PRIORITY:
        return NoBound.QUEUE_ONLY
    return NoBound.NOT_DERIVED if interface.shaper is None else NoBound.SHAPER


def _sends_any_rate(interface: Interface, queue: Queue) -> bool:
    """Whether nothing bounds what comes to a priority queue: no policer, and no period."""
    if (
        queue.kind is not QueueKind.PRIORITY
        or queue.policer is not None
        or queue.police is not None
    ):
        return False
    arrivals = [each.arrival for each in interface.traffic if each.queue == queue.name]
    return not all(isinstance(arrival, Periodic) for arrival in arrivals)
