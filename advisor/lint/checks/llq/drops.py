"""Drops of the LLQ: a caller hears the loss."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from math import ceil
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.policy import Unit
from advisor.ground.quantity import Basis, exact, number, plain, point, rate_text, rate_words
from advisor.ground.units import bps_from_kbps, kbps_from_bps, percent_from_ratio
from advisor.ios.syntax import Location
from advisor.lint.checks.base import Found, Hit, Skip
from advisor.lint.findings import Confidence, Forecast
from advisor.outlet.framing import whole_calls_bps
from advisor.outlet.measured import SeenClass, mean_counted_bytes, seen_classes

if TYPE_CHECKING:
    from advisor.shows.policy_map import ObservedClass, ShownPriorityQueue

    SharedQueue: TypeAlias = tuple[ShownPriorityQueue, tuple[ObservedClass, ...]]


_LARGEST_BURST_BYTES: Final = 2_000_000  # which `priority` takes


class _Short(StrEnum):
    """Resource of the LLQ that its packets exceeded."""

    RATE = "rate"
    BURST = "burst"
    QUEUE = "queue"
    UNKNOWN = "unknown"


class LlqDrops(Struct, frozen=True):
    """The drops, and the offered rate beside the configured rate."""

    class_name: str  # all classes of the queue, where they share the one that drops
    policy_map: str
    drops: int
    counted: str  # the drops, and their rate now where there is one
    shares: str  # ": 0.38 % since the counters were cleared, 15.2 % now"
    offered: str  # "96 kb/s offered", or that the rate is not printed
    configured: str  # "priority 64", or words in its place
    need: str


def find_llq_drops_observed(device: Device) -> Found[LlqDrops]:
    """Yield a hit for each priority class, or queue that several share, that dropped packets."""
    shared: set[Location] = set()
    for seen_class in seen_classes(device.seen):
        if seen_class.seen.priority is None:
            continue
        drops = _drops(seen_class)
        in_queues = [drops] if drops is not None else []
        for queue, together in _shared_queues(seen_class):
            lost = queue.queue.most_drops
            in_queues += [] if lost is None else [lost]
            if lost and queue.at not in shared and not any(map(_own_drops, together)):
                shared.add(queue.at)
                yield _llq_drops(device, seen_class, _Dropped(lost, together, queue))
        if drops or seen_class.seen.drop_rate_bps:
            alone = None if _own_drops(seen_class.seen) else _full_queue(seen_class)
            yield _llq_drops(device, seen_class, _Dropped(drops or 0, (seen_class.seen,), alone))
        elif not in_queues:
            yield Skip(seen_class.label, "its drops are not printed, or their counter has wrapped")


def _drops(seen_class: SeenClass) -> int | None:
    """Drops of the policer and of the queue; of a shared queue where the class is alone in it."""
    counts = [_own_drops(seen_class.seen)]
    counts += [
        queue.queue.most_drops for queue, together in _queues(seen_class) if len(together) == 1
    ]
    return _most(counts)


def _full_queue(seen_class: SeenClass) -> ShownPriorityQueue | None:
    """The queue that a class has alone and that counts drops."""
    alone = (queue for queue, together in _queues(seen_class) if len(together) == 1)
    return next((queue for queue in alone if queue.queue.most_drops), None)


def _own_drops(observed: ObservedClass) -> int | None:
    return _most([
        observed.priority.exceed_drops_packets if observed.priority is not None else None,
        observed.queue.most_drops if observed.queue is not None else None,
        _policed(observed),
    ])  # fmt: skip


def _most(counts: Iterable[int | None]) -> int | None:
    """The largest counter: more than one may count a drop."""
    return max((count for count in counts if count is not None), default=None)


def _shared_queues(seen_class: SeenClass) -> list[SharedQueue]:
    return [(queue, together) for queue, together in _queues(seen_class) if len(together) > 1]


def _queues(seen_class: SeenClass) -> Iterator[SharedQueue]:
    """Queues of the priority level of a class, with their classes, where all are known."""
    for queue in seen_class.priority_queues if seen_class.is_whole else ():
        if queue.holds(seen_class.seen.priority):
            named = {row.name: row for row in seen_class.siblings if queue.holds(row.priority)}
            yield queue, tuple(named.values())


def _policed(observed: ObservedClass) -> int | None:
    outcomes = [
        outcome for policer in observed.policers for outcome in (policer.exceeded, policer.violated)
    ]
    counts = [
        outcome.seen.packets
        for outcome in outcomes
        if outcome and outcome.seen and "drop" in outcome.actions
    ]
    counters = [count for count in counts if count is not None]
    return sum(counters) if counters else None


class _Dropped(Struct, frozen=True):
    """Packets that priority classes dropped; `queue` where it counts them, and no policer."""

    packets: int
    together: Sequence[ObservedClass]
    queue: ShownPriorityQueue | None = None

    @property
    def offered_bps(self) -> float | None:
        return _sum(observed.offered_rate_bps for observed in self.together)

    @property
    def rate_bps(self) -> float | None:
        """The rate that polices them; None where one has none."""
        return _sum(map(_configured_bps, self.together))

    @property
    def needed_kbps(self) -> int:
        """The offered rate in whole calls, where one class of voice packets is offered."""
        sizes = [mean_counted_bytes(observed) for observed in self.together]
        offered_bps, size = self.offered_bps or 0.0, sizes[0]
        if size is not None and len(sizes) == 1:
            offered_bps = whole_calls_bps(offered_bps, size)
        return ceil(kbps_from_bps(offered_bps))

    @property
    def shares(self) -> str:
        """Parts of the packets that were dropped: since the counters were cleared, and now."""
        seen = [observed.seen.packets if observed.seen else None for observed in self.together]
        offered, words = _sum(seen), []
        if offered and self.packets:
            lost = number(percent_from_ratio(self.packets / offered))
            words.append(f"{lost} % since the counters were cleared")
        if self.now_bps and self.offered_bps:
            words.append(f"{number(percent_from_ratio(self.now_bps / self.offered_bps))} % now")
        return f": {', '.join(words)}" if words else ""

    @property
    def now_bps(self) -> float:
        """The drop rate of the last interval that was printed."""
        return float(sum(observed.drop_rate_bps or 0 for observed in self.together))

    @property
    def short(self) -> _Short:
        if self.offered_bps is None or self.rate_bps is None:
            return _Short.UNKNOWN if self.queue is None else _Short.QUEUE
        if self.offered_bps > self.rate_bps:
            return _Short.RATE
        return _Short.BURST if self.queue is None else _Short.QUEUE

    @property
    def at(self) -> tuple[Location, ...]:
        """Lines that count the drops, of the rate where packets drop now, and of the classes."""
        queue = [self.queue.drops_at] if self.queue is not None else []
        counted = [observed.drops_at for observed in self.together]
        rates = [observed.rates_at for observed in self.together if observed.drop_rate_bps]
        classes = [observed.at for observed in self.together]
        lines = (*queue, *counted, *rates, *classes)
        return tuple(dict.fromkeys(at for at in lines if at is not None))


def _llq_drops(device: Device, seen_class: SeenClass, dropped: _Dropped) -> Hit[LlqDrops]:
    offered_bps, rate_bps = dropped.offered_bps, dropped.rate_bps
    configured = "a priority class without a rate"
    if rate_bps is not None:
        configured = f"priority {rate_text(kbps_from_bps(rate_bps))}"
    offered = "the offered rate is not printed"
    if offered_bps is not None:
        offered = f"{rate_words(kbps_from_bps(offered_bps))} offered"
    now = rate_words(kbps_from_bps(dropped.now_bps)) if dropped.now_bps else ""
    packets = str(dropped.packets) if dropped.packets else ""
    evidence = LlqDrops(
        " and ".join(observed.name for observed in dropped.together),
        seen_class.policy,
        dropped.packets,
        f"{packets}, {now} now" if packets and now else packets or now,
        dropped.shares,
        offered,
        configured,
        _need(dropped),
    )
    return Hit(
        seen_class.label,
        dropped.at,
        evidence,
        Confidence.CERTAIN if dropped.short is _Short.RATE else Confidence.LIKELY,
        _forecast(dropped),
        advice=_of_another_policy(device, seen_class, dropped) or _advice(dropped),
    )


def _need(dropped: _Dropped) -> str:
    if dropped.short is _Short.RATE:
        return f"{dropped.needed_kbps} kb/s needed at least{_as_calls(dropped)}"
    if dropped.short is _Short.QUEUE:
        return "no policer drops them, their queue was full"
    if dropped.short is _Short.UNKNOWN:
        return "whether the rate fits is not known"
    if dropped.now_bps:
        return "the mean rate fits, bursts do not"
    return "the mean rate fits, but bursts or an earlier peak did not"


def _as_calls(dropped: _Dropped) -> str:
    """Say that the need is of whole calls, where the offered mean is less."""
    is_more = dropped.needed_kbps > ceil(kbps_from_bps(dropped.offered_bps or 0.0))
    return " for whole calls of its packets" if is_more else ""


_ELSE: Final = "find the other traffic that the class matches; then clear the counters"


def _of_another_policy(device: Device, seen_class: SeenClass, dropped: _Dropped) -> str | None:
    """Advice where the configuration has enough for the class, and another policy runs."""
    from advisor.outlet.contradictions import stated_class  # noqa: PLC0415 -- of outputs alone

    stated = stated_class(device, seen_class)
    priority = stated[1].priority if stated is not None else None
    if stated is None or priority is None or priority.amount is None:
        return None
    is_enough = priority.unit is Unit.KBPS and priority.amount >= dropped.needed_kbps
    if dropped.short is not _Short.RATE or not is_enough:
        return None
    return (
        f"class {stated[1].name} of {stated[0].name}, which the configuration attaches there, has "
        f"`priority {plain(priority.amount)}`, which is enough: find out why it does not run "
        f"(COL004), and attach it; then clear the counters"
    )


def _advice(dropped: _Dropped) -> str | None:
    """Advice by what is short; None: that of the card."""
    if dropped.short is _Short.RATE:
        needed = dropped.needed_kbps
        return (
            f"raise `priority` to {needed} kb/s or more, at once while calls are lost: one act "
            "with LLQ003, which has the line where a third of the link is enough; else admit "
            f"fewer calls, or {_ELSE}"
        )
    if dropped.short is _Short.QUEUE:
        return f"neither rate nor burst is short: admit fewer calls at once, or {_ELSE}"
    if dropped.short is _Short.BURST:
        bursts = filter(None, map(_doubled_burst, dropped.together))
        return f"{' and '.join(bursts) or 'double the burst'}: the rate is enough; or {_ELSE}"
    return None


def _doubled_burst(observed: ObservedClass) -> str:
    """The statement with twice the burst; "" where none is printed."""
    priority = observed.priority
    if priority is not None and priority.burst_bytes and priority.rate_kbps:
        rate = f"{priority.rate_kbps}"
        if priority.rate_percent is not None:
            rate = f"percent {priority.rate_percent}"
        doubled = min(2 * priority.burst_bytes, _LARGEST_BURST_BYTES)
        was = f"its burst is {priority.burst_bytes} bytes now"
        return f"enter `priority {rate} {doubled}` in class {observed.name} ({was})"
    bursts = [policer.bc_bytes for policer in observed.policers if policer.bc_bytes]
    if bursts:
        return f"double the burst of `police` in class {observed.name} to {2 * min(bursts)} bytes"
    return ""


def _sum(rates: Iterable[float | None]) -> float | None:
    """The sum; None where one is not known."""
    known = [*rates]
    return sum(rate for rate in known if rate is not None) if None not in known else None


def _configured_bps(observed: ObservedClass) -> float | None:
    if observed.priority is not None and observed.priority.rate_kbps is not None:
        return bps_from_kbps(observed.priority.rate_kbps)
    rates = [policer.cir_bps for policer in observed.policers if policer.cir_bps is not None]
    return float(min(rates)) if rates else None


def _forecast(dropped: _Dropped) -> Forecast | None:
    offered_bps, rate_bps = dropped.offered_bps, dropped.rate_bps
    if offered_bps is None:
        return None
    offered, at = point(kbps_from_bps(offered_bps), "kb/s"), str(dropped.together[0].at)
    inputs = [exact("offered_bps", offered_bps, Basis.MEASURED, at)]
    if rate_bps is None:
        return Forecast("rate offered to the LLQ", offered, None, tuple(inputs))
    inputs.append(exact("priority_bps", rate_bps, Basis.CONFIGURED, at))
    if dropped.short is not _Short.RATE:
        return Forecast("rate offered to the LLQ", offered, None, tuple(inputs))
    rate, needed = kbps_from_bps(rate_bps), float(dropped.needed_kbps)
    metric = "rate of `priority`, now and as needed"
    return Forecast(metric, point(rate, "kb/s"), point(needed, "kb/s"), tuple(inputs))
