"""WRED taken off a class: of traffic that does not slow down, or too slow for it."""

from advisor.facts.policy import Unit
from advisor.lint.checks.wrd.shared.cure import Cure
from advisor.lint.checks.wrd.shared.rows import WredClass, span
from advisor.lint.checks.wrd.shared.setting import WredSetting
from advisor.lint.checks.wrd.shared.target import MOST_FACTOR, TARGET_MS
from advisor.lint.findings import Level
from advisor.outlet.class_service import ClassService
from advisor.outlet.queue_limit import DEFAULT_LIMIT_PACKETS, LimitKind
from advisor.quantity import plain


def removal(queue: WredClass) -> Cure:
    """WRED taken off a class whose packets do not slow down after a loss."""
    return Cure(WredSetting(queue.place, removes=True), (), {})


def too_slow_for_wred(queue: WredClass, too_slow: str, service: ClassService) -> Cure:
    """WRED taken off a slow class, with the queue-limit of the same target delay.

    Under `fair-queue` a flow may have a part of the queue-limit only (a quarter with HQF, by
    printouts: 16 of 64), so a limit by the delay of the class would leave it one packet: none.
    """
    fair = queue.policy_class.fair_queue
    if fair is not None and fair.value:
        note = f"{too_slow}; without WRED fair-queue limits each flow"
        return Cure(WredSetting(queue.place, removes=True), (), {}, note, Level.NEEDS_WINDOW)
    wanted, now = service.packets_within(MOST_FACTOR * TARGET_MS), _limit_without_wred(queue)
    is_deeper = now is None or now > wanted
    limit = wanted if is_deeper else now
    delay = service.queue_ms(limit or wanted, Unit.PACKETS)
    note = (
        f"{too_slow}; without WRED the class has tail drop at its queue-limit of "
        f"{plain(limit or wanted)} packets, {span(delay)} ms"
    )
    if delay.low > MOST_FACTOR * TARGET_MS:
        note += "; only a higher rate of the class shortens it"
    setting = WredSetting(queue.place, removes=True, queue_limit=str(wanted) if is_deeper else "")
    return Cure(setting, (), {}, note, Level.NEEDS_WINDOW)


def _limit_without_wred(queue: WredClass) -> int | None:
    """Packets of the queue-limit after it; before HQF the limit of a class with WRED is another."""
    if queue.limit.kind is LimitKind.PRE_HQF_WRED:
        return DEFAULT_LIMIT_PACKETS
    return queue.limit.packets
