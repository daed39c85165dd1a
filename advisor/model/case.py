"""An interface with its traffic sorted: what a regime's mathematics is given."""

from msgspec import Struct

from advisor.model.flows import Flow
from advisor.model.interface import Interface
from advisor.model.ring_recursion import Places


class Case(Struct, frozen=True, eq=False):
    """The LLQ's flows and those below it, on one interface."""

    interface: Interface
    places: Places
    llq: tuple[Flow, ...]
    lower: tuple[Flow, ...]

    @property
    def lower_queues(self) -> frozenset[str]:
        return frozenset(flow.queue.name for flow in self.lower)

    @property
    def llq_load(self) -> float:
        return sum(flow.load for flow in self.llq)

    @property
    def load(self) -> float:
        return self.llq_load + sum(flow.load for flow in self.lower)
