"""Interfaces that the formulas do not cover: the kernel answers them, packet by packet."""

from collections.abc import Iterator

from advisor.theory.interface import Excess, Interface, Queue, QueueKind


def beyond_formulas(interface: Interface) -> Iterator[str]:
    """Parts of an interface that no formula has, in words; none where formulas answer."""
    queues = interface.queues
    kinds = {queue.kind for queue in queues}
    levels = {queue.level for queue in queues if queue.kind is QueueKind.PRIORITY}
    if len(levels) > 1:
        yield "several priority levels"
    if any(queue.shaper is not None for queue in queues):
        yield "a shaper of a class"
    if any(queue.police is not None for queue in queues):
        yield "a policer that always meters"
    if QueueKind.FAIR in kinds and len({traffic.precedence for traffic in interface.traffic}) > 1:
        yield "fair queueing by IP precedence"
    if interface.members_bps:
        yield "members of a bundle"
    if interface.excess is not Excess.PROPORTIONAL and any(map(_is_guaranteed, queues)):
        yield "excess bandwidth that is not shared in proportion"


def _is_guaranteed(queue: Queue) -> bool:
    return queue.guarantee_bps > 0
