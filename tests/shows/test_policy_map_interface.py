"""`show policy-map interface`: what each layout says."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.capture.transcript import transcript
from advisor.shows.output import LayoutError
from advisor.shows.policy_map import (
    ChildPolicy,
    Circuit,
    Count,
    Mark,
    ObservedClass,
    ObservedPolicy,
    PolicerOutcome,
    QueueSize,
    ShownBandwidth,
    ShownFairQueue,
    ShownMatch,
    ShownPolicer,
    ShownPriority,
    ShownQueue,
    ShownShaper,
    ShownWred,
    ShownWredRow,
)
from tests.support import branch_log
from tests.support.devices import device_read
from tests.support.readers import read_policy_map_interface

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "policy_map_interface"
Policies = tuple[ObservedPolicy, ...]


def read(name: str) -> Policies:
    return read_policy_map_interface(transcript((FIXTURES / f"{name}.txt").read_text()), name)


def of(policies: Policies, *path: str) -> ObservedClass:
    """The class at the end of a path of class names, from the last policy that has the first."""
    classes = [c for p in policies for c in p.classes if c.name == path[0]]
    found = classes[-1]
    for name in path[1:]:
        assert found.child is not None
        found = next(c for c in found.child.classes if c.name == name)
    return found


def nested(policies: Policies) -> ChildPolicy:
    child = policies[0].classes[-1].child
    assert child is not None
    return child


def packets(amount: int) -> QueueSize:
    return QueueSize(packets=amount)


def queue(policies: Policies, *path: str) -> ShownQueue:
    found = of(policies, *path).queue
    assert found is not None
    return found


def wred(policies: Policies, *path: str) -> ShownWred:
    found = of(policies, *path).wred
    assert found is not None
    return found


def row(policies: Policies, name: str, *path: str) -> ShownWredRow:
    return next(row for row in wred(policies, *path).rows if row.name == name)


VIP = "12.0-vip-cbwfq"
VC = "12.2-atm-vc-llq"
DLCI = "12.2-dlci-shaping"
ECN = "12.2-wred-ecn"
EARL = "12.2SX-hardware-counters"
LLQ = "12.4-llq-cbwfq-percent"
NESTED = "12.4-shaping-nested"
POLICE = "12.4-two-rate-police"
HQF = "15.1-hqf-nested"
UNITS = "15.1-queue-limit-units"
LOG = "15.1-terminal-log"
XE = "xe-16-priority-levels"
LEVELS = "xe-17-three-levels"

Fact = tuple[str, str, Callable[[Any], Any], Any]

HEADERS: list[Fact] = [
    ("an interface stands alone on its line", LLQ, lambda p: (p[0].interface, p[0].circuit), ("Serial0/1/0", None)),
    ("an ATM VC is the circuit of its subinterface", VC, lambda p: (p[0].interface, p[0].circuit), ("ATM5/0.33", Circuit("VC", "0/33"))),
    ("each VC has a policy of its own", VC, lambda p: [(q.circuit.number, q.policy) for q in p], [("0/33", "llq"), ("0/34", "flat")]),
    ("a DLCI is the circuit of its interface", DLCI, lambda p: p[0].circuit, Circuit("DLCI", "100")),
    ("a service group is the circuit of a bundle", LEVELS, lambda p: (p[0].interface, p[0].circuit), ("Port-channel1", Circuit("Service Group", "1"))),
    ("the peer is the circuit of a multipoint tunnel", LEVELS, lambda p: (p[1].interface, p[1].circuit), ("Tunnel1", Circuit("peer", "192.0.2.17"))),
    ("the control plane has its name for an interface", LEVELS, lambda p: p[2].interface, "Control Plane"),
    ("both directions of an interface are read", XE, lambda p: [(q.direction, q.policy) for q in p], [("input", "MARK-IN"), ("output", "EDGE-OUT")]),
    ("output stands before input where IOS prints it so", DLCI, lambda p: [q.direction for q in p], ["output", "input"]),
    ("the internal id of a policy is not its name", VC, lambda p: p[0].policy, "llq"),
    ("a policy is located at its Service-policy line", VC, lambda p: p[0].at.line, 5),
    ("12.0 writes service-policy and class-map small", VIP, lambda p: [c.name for c in p[0].classes], ["orders", "class-default"]),
]  # fmt: skip

CLASSES: list[Fact] = [
    ("classes keep their order", LLQ, lambda p: [c.name for c in p[0].classes], ["voice", "data", "bulk", "class-default"]),
    ("match-all and match-any are told apart", LLQ, lambda p: [c.match_kind for c in p[0].classes[2:]], ["match-all", "match-any"]),
    ("packets and bytes of a class", LLQ, lambda p: of(p, "data").seen, Count(100, 90000)),
    ("rates with their interval in seconds", LLQ, lambda p: (of(p, "class-default").interval_s, of(p, "class-default").offered_rate_bps, of(p, "class-default").drop_rate_bps), (30, 530000, 31000)),
    ("an interval in minutes", HQF, lambda p: of(p, "class-default").interval_s, 300),
    ("a missing drop rate is unknown, not zero", LOG, lambda p: (of(p, "realtime").offered_rate_bps, of(p, "realtime").drop_rate_bps), (0, None)),
    ("IOS XE's 0000 bps is zero", XE, lambda p: of(p, "VOICE").drop_rate_bps, 0),
    ("a criterion without its internal id", VC, lambda p: of(p, "voice").matches, (ShownMatch("ip precedence 5"),)),
    ("the value of a DSCP is no internal id", LLQ, lambda p: of(p, "bulk").matches, (ShownMatch("ip dscp af11 (10)"),)),
    ("a criterion with counters of its own", POLICE, lambda p: of(p, "gold").matches[1], ShownMatch("ip precedence 5", Count(400, 40000), 13000)),
    ("counters under a criterion leave those of the class alone", POLICE, lambda p: of(p, "gold").seen, Count(900, 90000)),
    ("a negated criterion", POLICE, lambda p: of(p, "junk").matches, (ShownMatch("not protocol ip"),)),
    ("a criterion that the terminal broke", LOG, lambda p: of(p, "realtime").matches[0].criterion, "ip dscp cs4 (32) af41 (34) af42 (36) af43 (38) cs5 (40) ef (46)"),
    ("a class is located at its Class-map line", VC, lambda p: of(p, "voice").at.line, 7),
    ("a class that drops everything", POLICE, lambda p: [c.drops_all for c in p[0].classes], [False, True, False]),
    ("a class as hardware and as software count it", EARL, lambda p: [(c.in_hardware, c.seen) for c in p[0].classes[:2]], [(True, None), (False, Count(7, 420))]),
]  # fmt: skip

PRIORITIES: list[Fact] = [
    ("LLQ of 12.2 with its rate and burst", VC, lambda p: of(p, "voice").priority, ShownPriority(rate_kbps=64, burst_bytes=1600)),
    ("a priority class of 12.2 has no bandwidth", VC, lambda p: of(p, "voice").bandwidth, None),
    ("LLQ of 12.4 in percent and in kbps", LLQ, lambda p: of(p, "voice").priority, ShownPriority(rate_kbps=506, rate_percent=33, burst_bytes=12650)),
    ("drops of a priority queue of 12.2 in packets and bytes", VC, lambda p: (queue(p, "voice").total_drops_packets, queue(p, "voice").dropped_bytes), (11, 792)),
    ("LLQ of HQF with its exceed drops", HQF, lambda p: of(p, "class-default", "VOICE").priority, ShownPriority(rate_kbps=2000, rate_percent=10, burst_bytes=50000, exceed_drops_packets=3)),
    ("exceed drops that the terminal broke off", LOG, lambda p: of(p, "realtime").priority, ShownPriority(rate_kbps=29961, rate_percent=30, burst_bytes=749000, exceed_drops_packets=7)),
    ("a strict priority of a level has no rate", XE, lambda p: of(p, "VOICE").priority, ShownPriority(level=1, exceed_drops_packets=0)),
    ("a priority level with a rate", XE, lambda p: of(p, "VIDEO").priority, ShownPriority(level=2, rate_kbps=2000, burst_bytes=50000, exceed_drops_packets=0)),
    ("one queue for all priority classes", HQF, lambda p: nested(p).priority_queues[0].queue, ShownQueue(packets(64), packets(1), total_drops_packets=2, no_buffer_drops_packets=0, output=Count(240, 48000))),
    ("a queue for each priority level", XE, lambda p: [(q.level, q.queue.total_drops_packets) for q in p[1].priority_queues], [(1, 12), (2, 0)]),
]  # fmt: skip

QUEUES: list[Fact] = [
    ("bandwidth of 12.4 in percent and kbps", LLQ, lambda p: of(p, "data").bandwidth, ShownBandwidth(rate_kbps=102, rate_percent=20)),
    ("bandwidth remaining of 12.4", LLQ, lambda p: of(p, "bulk").bandwidth, ShownBandwidth(remaining_percent=40)),
    ("the weight that a VIP prints", VIP, lambda p: of(p, "orders").bandwidth, ShownBandwidth(weight=25)),
    ("bandwidth of HQF in percent with its rate", HQF, lambda p: of(p, "class-default", "DATA").bandwidth, ShownBandwidth(rate_kbps=3000, rate_percent=15)),
    ("bandwidth of HQF in kbps", LEVELS, lambda p: of(p[:1], "class-default", "branch", "erp").bandwidth, ShownBandwidth(rate_kbps=600)),
    ("bandwidth of 12.2SB in brackets", UNITS, lambda p: of(p, "by-bytes").bandwidth, ShownBandwidth(rate_kbps=1000)),
    ("bandwidth remaining in percent", XE, lambda p: of(p, "class-default").bandwidth, ShownBandwidth(remaining_percent=70)),
    ("bandwidth remaining as a ratio", UNITS, lambda p: of(p, "by-time").bandwidth, ShownBandwidth(remaining_ratio=10)),
    ("max threshold of 12.4 is the queue limit", LLQ, lambda p: queue(p, "data").limit, packets(48)),
    ("depth, drops and packets queued of 12.4", LLQ, lambda p: queue(p, "data"), ShownQueue(packets(48), packets(2), 265, 7, no_buffer_drops_packets=0, matched=Count(60, 54000))),
    ("depth, drops and output of HQF", HQF, lambda p: queue(p, "class-default", "DATA"), ShownQueue(packets(64), packets(0), total_drops_packets=2, no_buffer_drops_packets=0, output=Count(638, 535920))),
    ("drops of flows beside the total", HQF, lambda p: (queue(p, "class-default", "class-default").total_drops_packets, queue(p, "class-default", "class-default").flow_drops_packets), (3, 3)),
    ("a label that the terminal broke", LOG, lambda p: queue(p, "class-default"), ShownQueue(packets(64), packets(147), total_drops_packets=38, no_buffer_drops_packets=0, flow_drops_packets=5, output=Count(0, 0))),
    ("queue and drops of a VIP", VIP, lambda p: queue(p, "orders"), ShownQueue(packets(256), packets(12), total_drops_packets=110, no_buffer_drops_packets=3, other_drops_packets=1, output=Count(11890))),
    ("a limit in bytes gives the depth in bytes", UNITS, lambda p: (queue(p, "by-bytes").limit, queue(p, "by-bytes").depth), (QueueSize(bytes=62500), QueueSize(bytes=1500))),
    ("packets queued are not packets output", UNITS, lambda p: (queue(p, "by-bytes").queued, queue(p, "by-bytes").output), (Count(10, 5000), None)),
    ("a limit in ms with its bytes", UNITS, lambda p: queue(p, "by-time").limit, QueueSize(ms=20, bytes=320000)),
    ("a limit in us with its bytes", UNITS, lambda p: queue(p, "class-default").limit, QueueSize(us=393, bytes=49152)),
    ("hashed conversations of 12.4", LLQ, lambda p: of(p, "class-default").fair_queue, ShownFairQueue(hashed_queues=128, queued_packets=40)),
    ("the limit per flow of HQF", HQF, lambda p: of(p, "class-default", "class-default").fair_queue, ShownFairQueue(per_flow_limit_packets=16)),
    ("a class without a queue has none", NESTED, lambda p: of(p, "class-default", "class-default").queue, None),
]  # fmt: skip

WRED: list[Fact] = [
    ("a row by precedence with ECN marks", ECN, lambda p: row(p, "1", "prec1"), ShownWredRow("1", Count(540, 67500), Count(452, 56500), Count(3, 375), packets(22), packets(40), 10, Count(40, 5000))),
    ("the row of RSVP", ECN, lambda p: row(p, "rsvp", "prec1").min_threshold, packets(36)),
    ("ECN is on", ECN, lambda p: wred(p, "prec1").ecn, True),
    ("a mean depth without a unit is that of the thresholds", ECN, lambda p: wred(p, "prec1").mean_depth, packets(21)),
    ("exponent and column head of a DSCP table", HQF, lambda p: (wred(p, "class-default", "DATA").exponent, wred(p, "class-default", "DATA").by), (9, "dscp")),
    ("a row by DSCP", HQF, lambda p: row(p, "af31", "class-default", "DATA"), ShownWredRow("af31", Count(100, 84000), Count(2, 1680), Count(0, 0), packets(26), packets(40), 10)),
    ("mean depth in packets", HQF, lambda p: wred(p, "class-default", "DATA").mean_depth, packets(4)),
    ("tail and flow drops share a column", HQF, lambda p: row(p, "0", "class-default", "class-default").tail_drops, Count(3, 2400)),
    ("thresholds in bytes", UNITS, lambda p: (row(p, "2", "by-bytes").min_threshold, row(p, "2", "by-bytes").max_threshold), (QueueSize(bytes=100), QueueSize(bytes=200))),
    ("mean depth in bytes", UNITS, lambda p: wred(p, "by-bytes").mean_depth, QueueSize(bytes=700)),
    ("thresholds in time with their bytes", UNITS, lambda p: row(p, "3", "by-time").min_threshold, QueueSize(ms=6, bytes=96000)),
    ("mean depth in time with its bytes", UNITS, lambda p: wred(p, "by-time").mean_depth, QueueSize(ms=2, bytes=32000)),
    ("the mark probability is kept as its denominator", UNITS, lambda p: row(p, "3", "by-time").mark_probability_denominator, 8),
    ("a row of a VIP counts packets only", VIP, lambda p: row(p, "3", "orders"), ShownWredRow("3", Count(11890), Count(104), Count(6), packets(88), packets(128), 10)),
]  # fmt: skip

ACTIONS: list[Fact] = [
    ("shaping table of 12.4 with peak rate and Tc", NESTED, lambda p: of(p, "class-default").shaper, ShownShaper(cir_bps=512000, target_rate_bps=1024000, bc_bits=12800, be_bits=12800, byte_limit_bytes=3200, interval_ms=25, increment_bytes=1600, queue_depth_packets=6, sent=Count(2400, 1800000), delayed=Count(310, 465000), active=True)),
    ("shaping table of 12.2 with one rate", DLCI, lambda p: of(p[:1], "class-default").shaper, ShownShaper(cir_bps=64000, target_rate_bps=64000, bc_bits=8000, be_bits=8000, byte_limit_bytes=2000, interval_ms=125, increment_bytes=1000, queue_depth_packets=14, sent=Count(700, 84000), delayed=Count(612, 73440), active=True)),
    ("average shaper of HQF", HQF, lambda p: of(p, "class-default").shaper, ShownShaper("average", cir_bps=20000000, bc_bits=80000, be_bits=80000, target_rate_bps=20000000)),
    ("peak shaper of HQF", LEVELS, lambda p: of(p[:1], "class-default").shaper, ShownShaper("peak", cir_bps=1000000, bc_bits=4000, be_bits=4000, target_rate_bps=2000000)),
    ("the lower bound of an adaptive shaper", UNITS, lambda p: of(p, "class-default").shaper, ShownShaper("average", cir_bps=56000, bc_bits=7000, be_bits=0, target_rate_bps=56000, lower_bound_bps=28000)),
    ("policer of 12.2 with limits and one-line actions", DLCI, lambda p: of(p[1:], "icmp").policers[0], ShownPolicer(8000, bc_bytes=1500, be_bytes=2000, conformed=PolicerOutcome(("transmit",), Count(10, 1000), 7000), exceeded=PolicerOutcome(("set-prec-transmit 2",), Count(4, 400), 500), violated=PolicerOutcome(("drop",), Count(1, 100), 100))),
    ("two rates in percent and in bps", POLICE, lambda p: of(p, "gold").policers[0], ShownPolicer(409500, 20, 15360, 300, 819000, 40, 40960, 400, conformed=PolicerOutcome(("transmit",), Count(600, 60000), 20000), exceeded=PolicerOutcome(("set-prec-transmit 2", "set-frde-transmit"), Count(250, 25000), 8000), violated=PolicerOutcome(("drop",), Count(50, 5000), 2000))),
    ("a policer by rate and burst", XE, lambda p: (of(p, "PHONES").policers[0].cir_bps, of(p, "PHONES").policers[0].bc_bytes), (50000000, 1562500)),
    ("a policer with two actions has no violated part", XE, lambda p: of(p, "PHONES").policers[0].violated, None),
    ("an aggregate policer for each Earl", EARL, lambda p: [(q.slot, q.cir_bps, q.conformed.seen, q.exceeded.rate_bps) for q in p[0].classes[0].policers], [(1, 96000, Count(None, 1000), 160), (3, 96000, Count(None, 0), 0)]),
    ("a mark with its counter", LLQ, lambda p: of(p, "voice").marks, (Mark("dscp", "ef", 4811),)),
    ("a mark whose counter is off", XE, lambda p: of(p, "PHONES").marks, (Mark("ip precedence", "5"), Mark("qos-group", "1", 9100))),
    ("a policy in a class", NESTED, lambda p: (nested(p).policy, [c.name for c in nested(p).classes]), ("llq", ["voice", "class-default"])),
    ("a third policy in the second", LEVELS, lambda p: of(p[:1], "class-default", "branch", "erp").seen, Count(11, 5000)),
    ("a class after a nested policy belongs to the outer one", LEVELS, lambda p: [c.name for c in nested(p).classes], ["branch", "class-default"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("fixture", "look", "expected"),
    [
        pytest.param(*rest, id=name)
        for name, *rest in HEADERS + CLASSES + PRIORITIES + QUEUES + WRED + ACTIONS
    ],
)
def test_fact_of_a_layout(fixture: str, look: Callable[[Any], Any], expected: object) -> None:
    assert look(read(fixture)) == expected


def one_class(*lines: str) -> ObservedClass:
    body = "\n".join(f"      {line}" for line in lines)
    head = " Serial0/0\n\n  Service-policy output: p\n\n    Class-map: c (match-all)\n"
    end = "    Class-map: class-default (match-any)\n      Match: any\n"
    return read_policy_map_interface(f"{head}{body}\n{end}", "f")[0].classes[0]


SWITCH_QUEUE = ShownQueue(total_drops_unstated=5, output=Count(None, 99))
LINES: list[tuple[str, tuple[str, ...], Callable[[Any], Any], Any]] = [
    ("a switch counts packets only", ("7 packets",), lambda c: c.seen, Count(7)),
    ("a negative counter had wrapped", ("-3 packets, 70 bytes",), lambda c: c.seen, Count(None, 70)),
    ("drops of a switch have no unit", ("(total drops) 5", "(bytes output) 99"), lambda c: c.queue, SWITCH_QUEUE),
    ("depth whose bracket was lost", ("depth/total drops/no-buffer drops) 147/38/0",), lambda c: c.queue.depth, packets(147)),
    ("a cut priority line of a switch", ("Priority: 20% (200000 kbps), burst bytes 5000000,", "Priority Level: 2"), lambda c: c.priority, ShownPriority(2, 200000, 20, 5000000)),
    ("the queue of a Cisco 10000", ("Output queue: 3/128; 217688/14367408 packets/bytes output, 0/0 drops",), lambda c: (c.queue.limit, c.queue.depth, c.queue.output), (packets(128), packets(3), Count(217688, 14367408))),
    ("the priority of a Cisco 10000", ("Absolute priority",), lambda c: c.priority, ShownPriority()),
    ("the guarantee of a Cisco 10000", ("Bandwidth : 46 kbps (Weight 3)",), lambda c: c.bandwidth, ShownBandwidth(rate_kbps=46)),
    ("a strict priority of a switch", ("Priority: Strict,",), lambda c: c.priority, ShownPriority()),
    ("shape without commas", ("shape (average) cir 614400 bc 6144 be 6144",), lambda c: c.shaper, ShownShaper("average", cir_bps=614400, bc_bits=6144, be_bits=6144)),
    ("a policer with everything on one line", ("police:  cir 64000 bps, bc 8000 bytes",), lambda c: c.policers, (ShownPolicer(64000, bc_bytes=8000),)),
    ("two rates on one line", ("police:", "cir 1000000 bps, bc 31250 bytes, pir 2000000 bps, be 31250 bytes"), lambda c: c.policers, (ShownPolicer(1000000, bc_bytes=31250, pir_bps=2000000, be_bytes=31250),)),
    ("two rates in words", ("police:", "cir 500000 bps, conform-burst 10000, pir 1000000, peak-burst 100000"), lambda c: c.policers, (ShownPolicer(500000, bc_bytes=10000, pir_bps=1000000, be_bytes=100000),)),
    ("a packet rate", ("police:", "rate 100 pps, burst 24 packets", "conformed 5 pps, exceeded 1 pps"), lambda c: c.policers, (ShownPolicer(rate_pps=100, burst_packets=24, conformed=PolicerOutcome(rate_pps=5), exceeded=PolicerOutcome(rate_pps=1)),)),
    ("a switch's policer counts bytes only", ("police:", "rate 8000 bps, burst 1000 bytes", "conformed 70 bytes; actions:", "transmit"), lambda c: c.policers[0].conformed, PolicerOutcome(("transmit",), Count(None, 70))),
    ("a table map as a mark", ("QoS Set", "dscp dscp table t1"), lambda c: c.marks, (Mark("dscp", "dscp table t1"),)),
    ("a WRED table before any traffic", ("Exp-weight-constant: 9 (1/512)", "Mean queue depth: 0 packets", "dscp  Transmitted  Random drop  Tail drop  Minimum  Maximum  Mark", "pkts/bytes  pkts/bytes  pkts/bytes  thresh  thresh  prob"), lambda c: c.wred, ShownWred("dscp", 9, packets(0))),
    ("header compression says nothing of queues", ("compress:", "header ip rtp", "UDP/RTP compression:", "Sent: 1000 total, 999 compressed,", "41957 bytes saved, 17983 bytes sent", "3.33 efficiency improvement factor", "99% hit ratio, five minute miss rate 0 misses/sec, 0 max", "rate 5000 bps"), lambda c: c.queue, None),
    ("virtual classes of a switch", ("AFD WRED STATS BEGIN", "Virtual Class   min/max   Transmit   Random drop   AFD Weight", "0   10 / 20   (Byte)6528   30   12", "(Pkts)68   3", "dscp : 1", "Total Drops(Bytes)   : 30", "AFD WRED STATS END"), lambda c: c.wred.rows, (ShownWredRow("0", Count(68, 6528), Count(3, 30)),)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "look", "expected"), [pytest.param(*rest, id=name) for name, *rest in LINES]
)
def test_form_of_a_line(
    lines: tuple[str, ...], look: Callable[[Any], Any], expected: object
) -> None:
    assert look(one_class(*lines)) == expected


POLICY = " Serial0/0\n  Service-policy output: p\n    Class-map: c (match-all)\n"
REFUSED = [
    ("an unknown line of a class", f"{POLICY}      Quantum entangled queueing\n", 4, "is not the layout"),
    ("a counter with a number too few", f"{POLICY}      (pkts output/bytes output) 7\n", 4, "7"),
    ("a WRED row that was cut", f"{POLICY}      Exp-weight-constant: 9\n      0   0/0   0/0\n", 5, "0/0"),
    ("a class without a policy above", "    Class-map: c (match-all)\n", 1, "no Service-policy"),
    ("a policy without an interface above", "  Service-policy output: p\n", 1, "no interface"),
    ("an interface without a policy below", " Serial0/0\n", 1, "no Service-policy line follows"),
    ("an interface that the next one follows", " Serial0/0\n Serial0/1\n", 1, "no Service-policy line follows"),
    ("a nested policy outside of any class", " Serial0/0\n  Service-policy output: p\n   Service-policy : q\n", 3, "no class"),
    ("a second policy in one class", f"{POLICY}      Service-policy : a\n      Service-policy : b\n", 5, "no class"),
    ("a policy of type inspect", "Zone-pair: in-out\n", 1, "queues nothing"),
    ("a policy of type access-control", "Gi0/0\nService-policy access-control input: p\n", 2, "queues nothing"),
    ("an output of another command", "CPU utilization for five seconds: 8%/6%\n", 1, "CPU"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "reason"), [pytest.param(*rest, id=name) for name, *rest in REFUSED]
)
def test_unknown_layout_is_an_error_with_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(LayoutError) as refusal:
        read_policy_map_interface(text, "f")
    assert refusal.value.at.line == line
    assert re.search(reason, f"{refusal.value.text} {refusal.value}")


def test_router_without_policies_prints_nothing() -> None:
    assert read_policy_map_interface("r1#show policy-map interface\nr1#\n", "f") == ()


def test_lines_count_from_the_first_line_given() -> None:
    assert read_policy_map_interface(POLICY, "f", first_line=41)[0].at.line == 42


def test_carriage_returns_and_trailing_blanks_change_nothing() -> None:
    text = (FIXTURES / f"{HQF}.txt").read_text()
    blurred = text.replace("\n", "  \r\n")
    assert read_policy_map_interface(blurred, "f") == read_policy_map_interface(text, "f")


@pytest.mark.parametrize("blank", ["", "\n"], ids=["close", "with empty lines"])
@pytest.mark.parametrize("indent", ["  ", "    "])
def test_age_of_the_counters_at_the_head_of_a_policy_is_no_part_of_it(
    indent: str, blank: str
) -> None:
    plain, head = branch_log.POLICY, "  Service-policy output: UPLINK\n"
    text = plain.replace(head, f"{head}{blank}{indent}Counters last updated 00:00:07 ago\n")
    (aged,), (read_plain,) = (read_policy_map_interface(each, "x") for each in (text, plain))

    assert [(each.name, each.queue, each.offered_rate_bps) for each in aged.classes] == [
        (each.name, each.queue, each.offered_rate_bps) for each in read_plain.classes
    ]


@pytest.mark.parametrize(
    ("fixture", "places"),
    [
        pytest.param(
            "policy_map_multipoint/15.4-two-spokes",
            [
                ("Tunnel501", Circuit("peer", "198.51.100.3"), "SPOKE-50M"),
                ("Tunnel501", Circuit("peer", "198.51.100.4"), "SPOKE-2M"),
            ],
            id="show policy-map multipoint",
        ),
        pytest.param(
            "policy_map_target/xe-16-service-group",
            [("Port-channel2", Circuit("Service Group", "7"), "CUSTOMER-7")],
            id="show policy-map target",
        ),
    ],
)
def test_policies_of_other_commands_have_their_place(
    fixture: str, places: list[tuple[str, Circuit, str]]
) -> None:
    seen = device_read((FIXTURES.parent / f"{fixture}.txt").read_text("utf-8")).seen
    assert [(item.interface, item.circuit, item.policy) for item in seen.policies] == places
    assert all(taken.understood for taken in seen.taken)
