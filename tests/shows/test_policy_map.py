"""`show policy-map`: what each layout says."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.shows.output import LayoutError
from advisor.shows.policy_map import (
    Mark,
    PolicerOutcome,
    QueueSize,
    ShownBandwidth,
    ShownClass,
    ShownFairQueue,
    ShownPolicer,
    ShownPriority,
    ShownShaper,
    ShownWredRow,
)
from tests.support.readers import read_policy_map

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "policy_map"
OLD, NEW, PERCENT = "12.2-llq-wred", "15.1-hierarchy", "xe-17-queueing-type"


def shown(fixture: str, policy: str, name: str) -> ShownClass:
    policies = read_policy_map((FIXTURES / f"{fixture}.txt").read_text(), fixture)
    found = next(p for p in policies if p.policy == policy)
    return next(c for c in found.classes if c.name == name)


def outcome(*actions: str) -> PolicerOutcome:
    return PolicerOutcome(actions)


FACTS: list[tuple[str, tuple[str, str, str], Callable[[Any], Any], Any]] = [
    ("LLQ of 12.2 with rate and burst", (OLD, "edge", "voice"), lambda c: c.priority, ShownPriority(rate_kbps=128, burst_bytes=3200)),
    ("what a class sets", (OLD, "edge", "voice"), lambda c: c.marks, (Mark("ip dscp", "ef"),)),
    ("bandwidth of 12.2 in kbps", (OLD, "edge", "data"), lambda c: c.bandwidth, ShownBandwidth(rate_kbps=256)),
    ("WRED exponent", (OLD, "edge", "data"), lambda c: (c.wred.exponent, c.wred.by), (9, "class")),
    ("a precedence at the default thresholds", (OLD, "edge", "data"), lambda c: c.wred.rows[0], ShownWredRow("0", mark_probability_denominator=10)),
    ("a precedence with thresholds", (OLD, "edge", "data"), lambda c: c.wred.rows[1], ShownWredRow("1", min_threshold=QueueSize(packets=22), max_threshold=QueueSize(packets=40), mark_probability_denominator=10)),
    ("max threshold of 12.2 is the queue limit", (OLD, "edge", "bulk"), lambda c: (c.bandwidth, c.queue_limit), (ShownBandwidth(rate_percent=10), QueueSize(packets=64))),
    ("a policer on one line", (OLD, "edge", "bulk"), lambda c: c.policer, ShownPolicer(8000, bc_bytes=1500, be_bytes=2000, conformed=outcome("transmit"), exceeded=outcome("set-prec-transmit 2"), violated=outcome("drop"))),
    ("fair queueing of class-default", (OLD, "edge", "class-default"), lambda c: c.fair_queue, ShownFairQueue()),
    ("an adaptive shaper with its buffers", (OLD, "shaper", "class-default"), lambda c: c.shaper, ShownShaper("average", cir_bps=729600, bc_bits=3648, be_bits=0, lower_bound_bps=364800, max_buffers_packets=1000)),
    ("the policy in a class", (OLD, "shaper", "class-default"), lambda c: c.child_policy, "edge"),
    ("a shaper in percent with bursts in ms", (NEW, "parent", "class-default"), lambda c: c.shaper, ShownShaper("average", cir_percent=30, bc_ms=10, be_ms=20)),
    ("priority in percent", (NEW, "child", "voice"), lambda c: c.priority, ShownPriority(rate_percent=33)),
    ("a priority level with its rate", (NEW, "child", "video"), lambda c: c.priority, ShownPriority(level=2, rate_kbps=2000)),
    ("a queue limit in ms", (NEW, "child", "video"), lambda c: c.queue_limit, QueueSize(ms=50)),
    ("bandwidth in kb/s", (NEW, "child", "erp"), lambda c: c.bandwidth, ShownBandwidth(rate_kbps=20000)),
    ("WRED rows by DSCP", (NEW, "child", "erp"), lambda c: [row.name for row in c.wred.rows], ["af21", "default"]),
    ("bandwidth remaining with its accounting", (NEW, "child", "web"), lambda c: c.bandwidth, ShownBandwidth(remaining_ratio=5, account="user-defined 4")),
    ("a policer of two rates in percent", (NEW, "child", "web"), lambda c: c.policer, ShownPolicer(cir_percent=20, bc_ms=300, pir_percent=40, be_ms=400, conformed=outcome("transmit"), exceeded=outcome("set-prec-transmit 4", "set-frde-transmit"), violated=outcome("drop"))),
    ("a class that drops everything", (NEW, "child", "scavenger"), lambda c: c.drops_all, True),
    ("fair-queue of a class", (NEW, "child", "class-default"), lambda c: c.fair_queue, ShownFairQueue()),
    ("thresholds in percent of the queue limit", (PERCENT, "RED", "class-default"), lambda c: (c.wred.rows[0].min_threshold, c.wred.rows[0].max_threshold), (QueueSize(percent=1), QueueSize(percent=100))),
]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "look", "expected"), [pytest.param(*rest, id=name) for name, *rest in FACTS]
)
def test_fact_of_a_layout(
    place: tuple[str, str, str], look: Callable[[Any], Any], expected: object
) -> None:
    assert look(shown(*place)) == expected


HEAD = "  Policy Map p\n    Class c\n"
LINES: list[tuple[str, tuple[str, ...], Callable[[Any], Any], Any]] = [
    ("bandwidth without a unit is in kbps", ("bandwidth 100",), lambda c: c.bandwidth, ShownBandwidth(rate_kbps=100)),
    ("a guarantee and a share of the rest", ("bandwidth 100", "bandwidth remaining percent 40"), lambda c: c.bandwidth, ShownBandwidth(rate_kbps=100, remaining_percent=40)),
    ("a bare priority", ("priority",), lambda c: c.priority, ShownPriority()),
    ("a priority behind its policer", ("police cir 200000 bc 8000", "conform-action transmit", "exceed-action drop", "priority level 1"), lambda c: (c.priority.level, c.policer.cir_bps), (1, 200000)),
    ("a policer by packets", ("police rate 100 pps", "conform-action transmit"), lambda c: c.policer, ShownPolicer(rate_pps=100, conformed=outcome("transmit"))),
    ("a policer in percent", ("police rate percent 10",), lambda c: c.policer, ShownPolicer(cir_percent=10)),
    ("a shaper of a bare rate", ("Average Rate Traffic Shaping", "cir 3510000 (bps)   account user-defined 4"), lambda c: c.shaper, ShownShaper("average", cir_bps=3510000, account="user-defined 4")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "look", "expected"), [pytest.param(*rest, id=name) for name, *rest in LINES]
)
def test_form_of_a_line(
    lines: tuple[str, ...], look: Callable[[Any], Any], expected: object
) -> None:
    body = "".join(f"      {line}\n" for line in lines)
    assert look(read_policy_map(HEAD + body, "f")[0].classes[0]) == expected


MORE: list[tuple[str, tuple[str, ...], Callable[[Any], Any], Any]] = [
    ("a policer in percent with its bursts in ms", ("police percent 20 30 ms 10 ms", "  conform-action transmit"), lambda c: c.policer, ShownPolicer(cir_percent=20, bc_ms=30, be_ms=10, conformed=outcome("transmit"))),
    ("a policer in percent", ("police percent 20",), lambda c: c.policer, ShownPolicer(cir_percent=20)),
    ("ECN of WRED", ("exponential weight 9", "explicit congestion notification"), lambda c: (c.wred.exponent, c.wred.ecn), (9, True)),
    ("ECN as it is configured", ("random-detect dscp-based", "random-detect ecn"), lambda c: (c.wred.by, c.wred.ecn), ("dscp", True)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "look", "expected"), [pytest.param(*rest, id=name) for name, *rest in MORE]
)
def test_form_of_a_later_line(
    lines: tuple[str, ...], look: Callable[[Any], Any], expected: object
) -> None:
    body = "".join(f"      {line}\n" for line in lines)
    assert look(read_policy_map(HEAD + body, "f")[0].classes[0]) == expected


REFUSED = [
    ("an unknown line of a class", f"{HEAD}      quantum queueing\n", 3, "is not the layout"),
    ("a class without a policy above", "    Class c\n", 1, "Class c"),
    ("a line between policy and class", "  Policy Map p\n    priority\n", 2, "priority"),
    ("a policy of type inspect", "  Policy Map type inspect p\n", 1, "queues nothing"),
    ("the output of the other command", " Serial0/0\n  Service-policy output: p\n", 1, "Serial0/0"),
]


@pytest.mark.parametrize(
    ("text", "line", "reason"), [pytest.param(*rest, id=name) for name, *rest in REFUSED]
)
def test_unknown_layout_is_an_error_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(LayoutError) as refusal:
        read_policy_map(text, "f")
    assert refusal.value.at.line == line
    assert re.search(reason, f"{refusal.value.text} {refusal.value}")


def test_policies_and_classes_keep_their_order() -> None:
    text = (FIXTURES / f"{NEW}.txt").read_text()
    classes = [[c.name for c in policy.classes] for policy in read_policy_map(text, "f")]
    assert classes == [
        ["class-default"],
        ["voice", "video", "erp", "web", "scavenger", "class-default"],
    ]


def test_policy_and_class_are_located() -> None:
    policy = read_policy_map(HEAD, "f", first_line=10)[0]
    assert (policy.at.line, policy.classes[0].at.line) == (10, 11)
