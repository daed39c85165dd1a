"""The mean delay of an LLQ: its parts, and what a shorter ring saves of it."""

from collections.abc import Sequence
from math import isfinite

from msgspec import Struct
from msgspec.structs import replace

from advisor.predict.classes.corners import Corner
from advisor.predict.classes.demand import Question
from advisor.predict.classes.solutions import solutions_of
from advisor.predict.classes.solved import SolvedOutlet
from advisor.quantity import Figure, enclosing
from advisor.questions import question as asked_once
from advisor.theory.interface import ClassResult, Interface, TxRing
from advisor.theory.wire import wire_ms


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
            *((r.delay.mean_ms, r.mean_low_ms, r.mean_high_ms) for r in results), strict=True
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
