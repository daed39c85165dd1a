"""The ring of each output with an LLQ, judged once, and the delay of the LLQ behind it."""

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.device import Device
from advisor.facts.interface import Pvc
from advisor.facts.taken_classes import takers_of_classes
from advisor.ground.quantity import Figure, Input, LowerLoad, Unknown
from advisor.ground.questions import question as asked_once
from advisor.lint.checks.base import Skip
from advisor.lint.checks.ref import empty_class_maps, without_packets
from advisor.lint.findings import Forecast, Longest
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingFact
from advisor.predict.classes import Question
from advisor.predict.classes.congested import (
    CongestedCase,
    congested,
    saved,
    solved_cases,
    with_ring,
)
from advisor.predict.ring import Bound, RingAdvice, RingView, advise_ring, ring_view

# Where a transmit ring is set.


class RingPlace(Struct, frozen=True):
    """An interface, or one of its ATM circuits by what follows the word `pvc`."""

    interface: str
    circuit: str | None = None


def ring_place(interface: str, pvc: Pvc | None) -> RingPlace:
    """Place of a ring on an interface or in a circuit of it."""
    return RingPlace(interface, pvc.label.removeprefix("pvc ") if pvc is not None else None)


def ring_place_of(outlet: Outlet) -> RingPlace:
    """Place of the ring of an output: of a subinterface it is on the main interface."""
    is_circuit = outlet.pvc is not None
    return ring_place(outlet.interface.name if is_circuit else outlet.ring_key, outlet.pvc)


# The ring of each output with an LLQ, judged once for all checks that use it.


class RingBudget(Struct, frozen=True):
    """Budget of the longest wait in a ring; None where the profile does not judge it."""

    ring_wait_ms: float | None


class JudgedRing(Struct, frozen=True, cache_hash=True):
    """An output with an LLQ whose ring can be judged against a budget; `question` is congested."""

    question: Question
    ring: RingFact
    view: RingView
    advice: RingAdvice
    least: RingView | None = None  # with the smaller of two fragments, where the size is open

    @property
    def outlet(self) -> Outlet:
        return self.question.outlet

    def bound(self, limit: int, limit_high: int | None = None) -> Bound:
        """Bound of a ring limit, or of a limit known as an interval."""
        bound = self.view.bound(limit, limit_high)
        if self.least is None:
            return bound
        return Bound(self.least.bound(limit, limit_high).low_ms, bound.high_ms)


def judged(device: Device, budget_ms: float | None) -> Iterator[JudgedRing | Skip]:
    """Outputs with an LLQ. Silent without a budget and behind shapers that keep the ring empty."""
    if budget_ms is None:
        return
    for outlet in outlets(device):
        if not outlet.llq_classes or outlet.ring_idle:
            continue
        empty = without_packets(device, outlet.queueing, outlet.llq_classes)
        if len(empty) == len(outlet.llq_classes):
            is_taken = (outlet.queueing.name, empty[0]) in takers_of_classes(device.facts)
            why = "classes ahead take all packets of" if is_taken else "no class-map defines"
            if empty[0] in empty_class_maps(device):
                why = "no `match` stands in the class-map of"
            reason = f"{why} {', '.join(empty)}: no packet is in the LLQ"
            yield Skip(outlet.label, reason)
            continue
        ring = judged_ring(congested(device, outlet), budget_ms)
        if ring is not None:
            yield ring


@asked_once(1024)
def judged_ring(question: Question, budget_ms: float) -> JudgedRing | Skip | None:
    """Judge the ring of an output; None where it has none."""
    outlet = question.outlet
    if outlet.open_fragments:
        return _at_each_fragment(question, budget_ms)
    view = ring_view(outlet, question.offers)
    if isinstance(view, Unknown):
        return Skip(outlet.label, view.reason)
    if outlet.ring is None:
        return None
    return JudgedRing(question, outlet.ring, view, advise_ring(view, budget_ms))


def _at_each_fragment(question: Question, budget_ms: float) -> JudgedRing | Skip | None:
    """Judge the ring with the largest fragment, where each that may be leads to the same verdict"""
    each = [
        judged_ring(replace(question, outlet=outlet), budget_ms)
        for outlet in question.outlet.at_fragments
    ]
    found = [entry for entry in each if isinstance(entry, JudgedRing)]
    if len(found) < len(each):
        return next((entry for entry in each if not isinstance(entry, JudgedRing)), None)
    verdicts = {_verdict(entry, budget_ms) for entry in found}
    if len(verdicts) > 1:
        return Skip(question.outlet.label, question.outlet.why_fragment_unknown or "")
    least, largest = found[0], found[-1]
    entry = replace(largest, least=least.view)
    meets = {each.advice.meets for each in found}
    advice = replace(
        entry.advice,
        meets=entry.advice.meets if len(meets) == 1 else None,
        bound=entry.bound(entry.advice.limit),
    )
    return replace(entry, advice=advice)


def _verdict(entry: JudgedRing, budget_ms: float) -> tuple[bool | None, bool]:
    """Whether the advised ring is shorter, and whether the present one is over the budget."""
    limit_low = entry.ring.limit_low
    return entry.advice.shortens(entry.ring), entry.bound(limit_low).low_ms > budget_ms


# Delay of an LLQ behind a ring in the congested case: what `predict` says of the same case.

_WHILE = {
    LowerLoad.SATURATED: "the lower classes are saturated",
    LowerLoad.POLICED: "policers hold the lower classes",
}
_RING_ONLY = "longest wait in the ring (ring_bound)"  # where the model has no figure for the LLQ


class DelayBehindRing(Struct, frozen=True):
    """Delay in ms behind one ring; `case` and `method` are None where only the ring is known."""

    metric: str
    figure: Figure
    ring_bound_ms: float
    inputs: tuple[Input, ...]
    case: CongestedCase | None
    method: str | None = None


def forecasts(pairs: Sequence[tuple[JudgedRing, int | None]]) -> tuple[Forecast, ...]:
    """Forecast of each ring in force, and of the limit that replaces it where one does.

    All of them are solved together.
    """
    limits = [limit for _, limit in pairs]
    before = [entry.question for entry, _ in pairs]
    after = [
        question if limit is None else with_ring(question, limit)
        for question, limit in zip(before, limits, strict=True)
    ]
    delays = _delays([entry for entry, _ in pairs] * 2, [*before, *after])
    return tuple(
        _forecast(delays[index], None if limit is None else delays[index + len(pairs)], limit)
        for index, limit in enumerate(limits)
    )


def measure(device: Device, label: str) -> Figure | None:
    """Delay behind the ring of the output with this label, in the present state of the device."""
    for result in judged(device, 0.0):
        if isinstance(result, JudgedRing) and result.outlet.label == label:
            return _delays([result], [result.question])[0].figure
    return None


def may_stay_short(entry: JudgedRing) -> bool:
    """Whether only bursts reach the ring faster than it sends: policers hold all lower classes."""
    (case,) = solved_cases((entry.question,))
    return isinstance(case, CongestedCase) and case.lower is LowerLoad.POLICED


def _forecast(
    before: DelayBehindRing, after: DelayBehindRing | None, limit: int | None
) -> Forecast:
    improvement = None
    if before.case is not None and after is not None and after.case is not None and limit:
        improvement = saved(before.case.solved, after.case.solved, limit)
    is_solved = before.case is not None
    bound_after = after.figure.bound if after is not None else None
    return Forecast(
        metric=before.metric,
        before=before.figure,
        after=after.figure if after is not None else None,
        inputs=before.inputs,
        improvement=improvement,
        ring_bound_ms=Longest(
            before.ring_bound_ms, after.ring_bound_ms if after is not None else None
        ),
        class_bound_ms=Longest(before.figure.bound, bound_after) if is_solved else None,
        method=before.method,
        after_method=None if after is None else after.method,
    )


def _delays(entries: Sequence[JudgedRing], questions: Sequence[Question]) -> list[DelayBehindRing]:
    return [
        _delay(entry, question, case)
        for entry, question, case in zip(entries, questions, solved_cases(questions), strict=True)
    ]


def _delay(entry: JudgedRing, question: Question, case: CongestedCase | Unknown) -> DelayBehindRing:
    ring = question.outlet.ring or entry.ring
    bound = entry.view.bound(ring.limit_low, ring.limit_high)
    first = None if isinstance(case, Unknown) else case.solved.first_priority
    if first is None or isinstance(case, Unknown) or case.ring_bound is None:
        longest = Figure(bound.high_ms, bound.low_ms, bound.high_ms, "ms", bound.high_ms)
        return DelayBehindRing(_RING_ONLY, longest, bound.high_ms, (ring.as_input,), None)
    metric = f"mean delay of {first.name} while {_WHILE[case.lower]}"
    return DelayBehindRing(
        metric, first.mean, bound.high_ms, case.solved.inputs, case, first.method
    )
