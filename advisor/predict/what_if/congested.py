"""The congested case of each priority class, which `predict` prints beside the stated one."""

from msgspec import Struct

from advisor.device.device import Device
from advisor.outlet.outlet import Outlet
from advisor.predict.classes.congested import congested, solved_cases
from advisor.predict.classes.demand import Question
from advisor.quantity import Figure, LowerLoad, Unknown


class CongestedClass(Struct, frozen=True):
    """A priority class at its stated, measured or reserved rate, all lower classes saturated.

    Delays and mean |ipdv| in ms. `ring_bound_ms` is the longest time that the ring alone delays a
    packet: it decides the ring to set; None behind a shaper. `class_bound_ms` is the longest delay
    of the class, with the LLQ's own packets; None where nothing bounds it. `lower` is "policed"
    where policers hold all lower classes to less than fills a queue. `loss` in percent; None where
    neither traffic nor `priority` says the rate.
    """

    regime: str
    mean: Figure
    p95: Figure
    p99: Figure
    jitter: Figure
    ring_bound_ms: float | None
    class_bound_ms: float | None
    lower: LowerLoad
    loss: Figure | None


def congested_question(device: Device, outlet: Outlet) -> Question | None:
    """The congested case of an output with an LLQ."""
    return congested(device, outlet) if outlet.llq_classes else None


def congested_classes(device: Device, outlet: Outlet) -> dict[str, CongestedClass]:
    """The priority classes of an output in the congested case, by name."""
    asked = congested_question(device, outlet)
    case = Unknown("no LLQ") if asked is None else solved_cases((asked,))[0]
    if isinstance(case, Unknown):
        return {}
    ring = case.ring_bound
    return {
        known.name: CongestedClass(
            regime=known.regime,
            mean=known.mean,
            p95=known.p95,
            p99=known.p99,
            jitter=known.jitter,
            ring_bound_ms=None if ring is None else ring.high_ms,
            class_bound_ms=known.mean.bound,
            lower=case.lower,
            loss=known.loss,
        )
        for known in case.solved.classes
        if known.is_priority
    }
