"""The ring of each output with an LLQ, judged once for all checks that use it."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.lint.checks.base import Skip
from advisor.lint.checks.ref.shared.missing import without_packets
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingFact
from advisor.predict.classes.congested import congested
from advisor.predict.classes.demand import Question
from advisor.predict.ring import RingAdvice, RingView, advise_ring, ring_view
from advisor.quantity import Unknown
from advisor.questions import question as asked_once


class Judged(Struct, frozen=True, cache_hash=True):
    """An output with an LLQ whose ring can be judged against a budget; `question` is congested."""

    question: Question
    ring: RingFact
    view: RingView
    advice: RingAdvice

    @property
    def outlet(self) -> Outlet:
        return self.question.outlet


def judged(device: Device, budget_ms: float | None) -> Iterator[Judged | Skip]:
    """Outputs with an LLQ. Silent without a budget and behind shapers that keep the ring empty."""
    if budget_ms is None:
        return
    for outlet in outlets(device):
        if not outlet.llq_classes or outlet.ring_idle:
            continue
        empty = without_packets(device, outlet.llq_classes)
        if len(empty) == len(outlet.llq_classes):
            reason = f"no class-map defines {', '.join(empty)}: no packet is in the LLQ"
            yield Skip(outlet.label, reason)
            continue
        ring = _judged(congested(device, outlet), budget_ms)
        if ring is not None:
            yield ring


@asked_once(1024)
def _judged(question: Question, budget_ms: float) -> Judged | Skip | None:
    outlet = question.outlet
    view = ring_view(outlet, question.offers)
    if isinstance(view, Unknown):
        return Skip(outlet.label, view.reason)
    if outlet.ring is None:
        return None
    return Judged(question, outlet.ring, view, advise_ring(view, budget_ms))
