"""An interface with its traffic sorted: it decides the regime, and it is the input of a solver."""

from collections.abc import Sequence

from msgspec import Struct

from advisor.theory.beyond import Beyond, parts_beyond
from advisor.theory.flows import Flow
from advisor.theory.interface import Interface, ModelError, OnOff, Periodic, QueueKind
from advisor.theory.offered import batch_of_all, passed_share, sends_trains


class Case(Struct, frozen=True, eq=False):
    """The LLQ's flows and the lower flows of one interface; with a FIFO all flows are lower."""

    interface: Interface
    parts: frozenset[Beyond]
    llq: tuple[Flow, ...]
    lower: tuple[Flow, ...]

    @property
    def flows(self) -> tuple[Flow, ...]:
        return (*self.llq, *self.lower)

    @property
    def lower_queues(self) -> frozenset[str]:
        return frozenset(flow.queue.name for flow in self.lower)

    @property
    def llq_load(self) -> float:
        return sum(flow.load for flow in self.llq)

    @property
    def load(self) -> float:
        return self.llq_load + sum(flow.load for flow in self.lower)

    @property
    def is_fifo(self) -> bool:
        """Whether one queue holds everything."""
        return _is_fifo(self.lower)

    @property
    def is_never_empty(self) -> bool:
        """Whether a class always has packets waiting."""
        return any(flow.packets_per_ms is None for flow in self.lower)

    @property
    def is_periodic(self) -> bool:
        return _are_periodic(self.lower) and _are_periodic(self.llq)

    @property
    def is_even(self) -> bool:
        """Whether all is periodic and every flow of one size."""
        return self.is_periodic and all(flow.fixed for flow in self.flows)

    @property
    def has_on_off(self) -> bool:
        return any(isinstance(flow.traffic.arrival, OnOff) for flow in self.flows)

    @property
    def has_trains(self) -> bool:
        return any(map(sends_trains, self.flows))

    @property
    def has_bursts(self) -> bool:
        """Whether the lower packets come in bursts, in the mean weighted by their work."""
        return batch_of_all(self.lower) > 1

    @property
    def llq_fills_wire(self) -> bool:
        """Whether the LLQ leaves nothing to other classes: no policer takes enough of it."""
        return sum(flow.load * passed_share(flow) for flow in self.llq) >= 1


def case_of(interface: Interface, flows: Sequence[Flow]) -> Case:
    """Sort the flows of an interface.

    A FIFO with traffic that is never empty is one lower queue.

    Raises
    ------
    ModelError
        If a priority class is never empty.
    """
    parts = parts_beyond(interface)
    if _is_fifo(flows):
        return Case(interface, parts, (), tuple(flows))
    llq = tuple(flow for flow in flows if flow.priority)
    if any(flow.packets_per_ms is None for flow in llq):
        raise ModelError("a priority class that is never empty leaves nothing to the others")
    return Case(interface, parts, llq, tuple(flow for flow in flows if not flow.priority))


def _are_periodic(flows: Sequence[Flow]) -> bool:
    return all(isinstance(flow.traffic.arrival, Periodic) for flow in flows)


def _is_fifo(flows: Sequence[Flow]) -> bool:
    is_closed = any(flow.packets_per_ms is None for flow in flows)
    return not is_closed and any(flow.queue.kind is QueueKind.FIFO for flow in flows)
