"""Interfaces that the formulas do not cover: the kernel answers them, packet by packet."""

from collections.abc import Iterator

from advisor.theory.interface import Interface, Metering, QueueKind


def beyond_formulas(interface: Interface) -> Iterator[str]:
    """Parts of an interface that no formula has, in words; none where formulas answer."""
    kinds = {queue.kind for queue in interface.queues}
    levels = {queue.level for queue in interface.queues if queue.kind is QueueKind.PRIORITY}
    if len(levels) > 1:
        yield "several priority levels"
    if any(queue.shaper is not None for queue in interface.queues):
        yield "a shaper of a class"
    if any(_meters_always(interface)):
        yield "a policer that always meters"
    if QueueKind.FAIR in kinds:
        yield "weighted fair queueing of the interface"
    if interface.members_bps:
        yield "members of a bundle"


def _meters_always(interface: Interface) -> Iterator[bool]:
    for queue in interface.queues:
        yield queue.policer is not None and queue.policer.metering is Metering.ALWAYS
