"""The congested case of an output: its LLQ as stated, measured or reserved, all else saturated.

A class behind a policer that drops sends what the policer passes: it may not fill its queue. Lint
judges this case, and `predict` prints it beside the stated or measured one: both ask here.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.outlet.at_ring import at_ring
from advisor.outlet.offer import offers_of
from advisor.outlet.operations import stated_traffic
from advisor.outlet.outlet import Outlet
from advisor.predict.classes.demand import Question
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solved_all
from advisor.predict.ring.ring_bound import Bound, ring_view
from advisor.quantity import LowerLoad, Unknown
from advisor.theory.flows import flows_of
from advisor.theory.interface import Interface, Saturated
from advisor.theory.offered import passed_share


class CongestedCase(Struct, frozen=True):
    """The classes of an output in the congested case; `ring_bound` is None behind a shaper."""

    question: Question
    solved: SolvedOutlet
    ring_bound: Bound | None

    @property
    def lower(self) -> LowerLoad:
        """What the lower classes send: no queue never empties where policers pass too little."""
        interfaces = [corner.interface for corner in self.solved.corners]
        priority = {policy_class.name for policy_class in self.question.outlet.llq_classes}
        names = {traffic.queue for interface in interfaces for traffic in interface.traffic}
        is_full = any(_fills(interface, self.question.line_bps) for interface in interfaces)
        return LowerLoad.SATURATED if is_full or names <= priority else LowerLoad.POLICED

    def class_named(self, name: str) -> SolvedClass | None:
        """The priority class of that name; None where it has no figures."""
        return next(
            (known for known in self.solved.classes if known.is_priority and known.name == name),
            None,
        )


def _fills(interface: Interface, line_bps: float) -> bool:
    """Whether some queue never empties: a source says so, or policers pass more than the line."""
    if any(isinstance(traffic.arrival, Saturated) for traffic in interface.traffic):
        return True
    flows = flows_of(interface)
    load = sum(flow.rate_per_ms * flow.mean_ms * passed_share(flow) for flow in flows)
    return load * interface.rate_bps >= line_bps


def congested(device: Device, outlet: Outlet) -> Question:
    """The question of the congested case of an output."""
    return Question(
        outlet, offers_of(outlet, stated_traffic(device), congested=True), device.platform
    )


def with_ring(question: Question, limit: int) -> Question:
    """The same question behind a ring of that limit."""
    return replace(question, outlet=at_ring(question.outlet, limit, f"tx-ring-limit {limit}"))


def solved_cases(questions: Sequence[Question]) -> tuple[CongestedCase | Unknown, ...]:
    """Solve congested cases together, each once."""
    answers = solved_all(questions)
    return tuple(
        answer
        if isinstance(answer, Unknown)
        else CongestedCase(question, answer, ring_bound_of(question))
        for question, answer in zip(questions, answers, strict=True)
    )


def ring_bound_of(question: Question) -> Bound | None:
    """Longest time that the ring in force delays an LLQ packet; None where shapers idle the ring.

    It decides the ring of the rules (N*): the LLQ's own packets are not in it.
    """
    outlet = question.outlet
    view = ring_view(outlet, question.offers)
    if isinstance(view, Unknown) or outlet.ring is None or outlet.ring_idle:
        return None
    if question.line_bps < question.wire_bps:
        return None
    return view.bound(outlet.ring.limit_low, outlet.ring.limit_high)
