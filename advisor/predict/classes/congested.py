"""The congested case of an output, and the parts of the mean delay of its LLQ."""

from collections.abc import Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.ground.quantity import Figure, LowerLoad, Unknown, enclosing
from advisor.ground.questions import question as asked_once
from advisor.model import Interface, Saturated, TxRing, wire_ms
from advisor.outlet.operations import offers_at
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import at_ring
from advisor.predict.classes import Question
from advisor.predict.classes.corners import Corner
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solutions_of, solved_all
from advisor.predict.ring import Bound, ring_view
from advisor.theory.flows import flows_of, passed_share
from advisor.theory.solution import ClassResult

# The mean delay of an LLQ: its parts, and what a shorter ring saves of it.


class Part(Struct, frozen=True):
    """A part of the LLQ's mean delay in ms."""

    name: str
    ms: float


def breakdown(question: Question, outlet: SolvedOutlet) -> tuple[Part, ...]:
    """Parts of the mean delay of the first priority class; empty without one.

    "ring" is the delay that the same interface without a ring does not have; "own queue" is the
    wait for the packet on the wire and for LLQ packets ahead. Behind a shaper, all waiting is in
    "shaper".
    """
    first = outlet.first_priority
    if first is None:
        return ()
    counted = [corner.interface for corner in outlet.corners if corner.counts]
    own_ms = sum(_own_ms(interface, first.name) for interface in counted) / len(counted)
    total_ms = max(first.mean.value, own_ms)
    if question.line_bps < question.wire_bps:
        return (Part("shaper", total_ms - own_ms), Part("serialization", own_ms))
    bare = _means(tuple(replace(interface, ring=TxRing(1)) for interface in counted), first.name)
    without_ms = sum(mean.value for mean in bare) / len(bare)
    without_ms = min(max(without_ms, own_ms), total_ms)
    return (
        Part("ring", total_ms - without_ms),
        Part("own queue", without_ms - own_ms),
        Part("serialization", own_ms),
    )


def saved(before: SolvedOutlet, after: SolvedOutlet, limit: int) -> Figure | None:
    """Mean delay in ms that the first priority class loses with a ring of `limit` units.

    The value is the difference of both means. The interval spans the differences at each corner of
    `before`, with both solutions at the far ends of their intervals: what is not known of the
    traffic is the same before and after. A shorter ring delays no LLQ packet more.
    """
    first, then = before.first_priority, after.first_priority
    if first is None or then is None or first.name != then.name:
        return None
    low_ms, high_ms = _saved_ms(before.corners, first.name, limit)
    value_ms = max(0.0, first.mean.value - then.mean.value)
    return enclosing(value_ms, max(0.0, low_ms), max(0.0, high_ms), "ms")


@asked_once(512)
def _saved_ms(corners: tuple[Corner, ...], name: str, limit: int) -> tuple[float, float]:
    """The least and the most that a ring of `limit` units saves at any corner."""
    long = [corner.interface for corner in corners]
    short = [replace(interface, ring=replace(interface.ring, limit=limit)) for interface in long]
    means = _means((*long, *short), name)
    pairs = [
        (old, new)
        for old, new in zip(means[: len(long)], means[len(long) :], strict=True)
        if isfinite(old.high) and isfinite(new.high)
    ]
    return min(old.low - new.high for old, new in pairs), max(
        old.high - new.low for old, new in pairs
    )


def _means(interfaces: Sequence[Interface], name: str) -> list[Figure]:
    return [
        _mean(
            [
                result
                for traffic, result in zip(interface.traffic, solution.classes, strict=True)
                if traffic.queue == name
            ]
        )
        for interface, solution in zip(interfaces, solutions_of(interfaces), strict=True)
    ]


def _mean(results: Sequence[ClassResult]) -> Figure:
    """Mean delay of all traffic of a class, by what each carries."""
    carried = sum(result.throughput_bps for result in results) or 1.0
    weights = [result.throughput_bps / carried for result in results]
    ends = [
        sum(weight * end for weight, end in zip(weights, column, strict=True))
        for column in zip(
            *((r.delay.mean_ms, r.low.mean_ms, r.high.mean_ms) for r in results), strict=True
        )
    ]
    value, low, high = ends
    return enclosing(value, low, high, "ms")


def _own_ms(interface: Interface, name: str) -> float:
    own = [traffic for traffic in interface.traffic if traffic.queue == name]
    means = [
        sum(
            weight * wire_ms(size, interface.framing, interface.rate_bps)
            for size, weight in traffic.sizes.bytes_and_weights
        )
        for traffic in own
    ]
    return sum(means) / len(means)


# The congested case of an output: its LLQ as stated, measured or reserved, all else saturated.
#
# A class behind a policer that drops sends what the policer passes: it may not fill its queue.
# Lint judges this case, and `predict` prints it beside the stated or measured one: both ask here.


class CongestedCase(Struct, frozen=True):
    """The classes of an output in the congested case; `ring_bound` is None behind a shaper."""

    question: Question
    solved: SolvedOutlet
    ring_bound: Bound | None

    @property
    def lower(self) -> LowerLoad:
        """Traffic of the lower classes; where policers pass too little, every queue empties."""
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
    return Question(outlet, offers_at(device, outlet, congested=True), device.platform)


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


def congested_rate(device: Device, outlet: Outlet, name: str) -> Figure | None:
    """Rate in kb/s of the wire that a class gets while all lower classes have packets waiting.

    Its part of what no class reserves is in it. None where the output has no figures.
    """
    (answer,) = solved_all((congested(device, outlet),))
    if isinstance(answer, Unknown):
        return None
    rates = {item.name: item.throughput for item in answer.classes}
    return rates.get(name) or {item.name: item.share for item in answer.unstated}.get(name)


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
