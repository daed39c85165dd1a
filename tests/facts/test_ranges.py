"""A number that IOS does not take is no setting: its line is reported with the range."""

import pytest

from advisor.facts import ranges
from advisor.facts.ranges import Range
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config

CLASS = "policy-map P\n class A\n  {}\n"
INTERFACE = "interface Serial0/0\n {}\n"


@pytest.mark.parametrize(
    ("text", "line", "takes"),
    [
        pytest.param(CLASS, "priority 400000001", ranges.CLASS_KBPS, id="priority"),
        pytest.param(CLASS, "priority percent 101", ranges.PERCENT, id="priority percent"),
        pytest.param(CLASS, "priority 8 512000001", ranges.PRIORITY_BURST_BYTES, id="its burst"),
        pytest.param(CLASS, "priority level 9", ranges.PRIORITY_LEVEL, id="its level"),
        pytest.param(CLASS, "bandwidth 400000001", ranges.CLASS_KBPS, id="bandwidth"),
        pytest.param(CLASS, "bandwidth percent 0.5", ranges.PERCENT, id="bandwidth percent"),
        pytest.param(CLASS, "bandwidth remaining ratio 65537", ranges.REMAINING_RATIO, id="ratio"),
        pytest.param(CLASS, "queue-limit 8192001", ranges.QUEUE_LIMIT_PACKETS, id="queue-limit"),
        pytest.param(
            CLASS, "queue-limit 3000000000 bytes", ranges.QUEUE_LIMIT_BYTES, id="in bytes"
        ),
        pytest.param(CLASS, "queue-limit 10001 ms", ranges.QUEUE_LIMIT_MS, id="in ms"),
        pytest.param(CLASS, "fair-queue 4097", ranges.DYNAMIC_QUEUES, id="fair-queue"),
        pytest.param(
            CLASS, "shape average 8000 400000000001", ranges.SHAPE_BURST_BITS, id="shape bc"
        ),
        pytest.param(CLASS, "police 8000 2596929537", ranges.POLICE_BURST_BYTES, id="police bc"),
        pytest.param(
            CLASS, "random-detect exponential-weighting-constant 17", ranges.WRED_EXPONENT,
            id="exponent",
        ),
        pytest.param(
            CLASS, "random-detect dscp 10 1 536870913", ranges.WRED_THRESHOLD, id="threshold"
        ),
        pytest.param(
            CLASS, "random-detect dscp 10 1 2 65537", ranges.WRED_DENOMINATOR, id="denominator"
        ),
        pytest.param(INTERFACE, "bandwidth 1000000001", ranges.INTERFACE_KBPS, id="of a port"),
        pytest.param(INTERFACE, "tx-ring-limit 65536", Range(0, 65_535), id="tx-ring-limit"),
        pytest.param(INTERFACE, "hold-queue 240001 out", ranges.HOLD_QUEUE_PACKETS, id="hold"),
        pytest.param(INTERFACE, "mtu 65536", ranges.MTU_BYTES, id="mtu"),
        pytest.param(
            INTERFACE, "ppp multilink fragment delay 1001", ranges.FRAGMENT_DELAY_MS, id="delay"
        ),
        pytest.param(INTERFACE, f"mtu {'9' * 5000}", ranges.MTU_BYTES, id="thousands of digits"),
    ],
)  # fmt: skip
def test_a_number_out_of_range_is_reported_with_the_range(
    text: str, line: str, takes: Range
) -> None:
    facts = read_facts(parse_config(text.format(line)))

    assert [(unread.text, unread.takes) for unread in facts.unread] == [(line, takes)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(CLASS, "priority 400000000 512000000", id="priority and burst"),
        pytest.param(CLASS, "queue-limit 8192000", id="queue-limit in packets"),
        pytest.param(CLASS, "queue-limit 2147483648 bytes", id="queue-limit in bytes"),
        pytest.param(CLASS, "fair-queue 4096", id="dynamic queues"),
        pytest.param(INTERFACE, "hold-queue 240000 out", id="hold-queue"),
    ],
)
def test_the_largest_number_of_a_range_is_taken(text: str, line: str) -> None:
    assert read_facts(parse_config(text.format(line))).unread == ()


def test_a_line_of_unknown_words_has_no_range() -> None:
    facts = read_facts(parse_config(CLASS.format("queue-limit many")))

    assert [(unread.text, unread.takes) for unread in facts.unread] == [("queue-limit many", None)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (INTERFACE, "priority-group x"),
        (INTERFACE, "priority-group 17"),
        (INTERFACE, "custom-queue-list 99"),
        (INTERFACE, "rate-limit output 8000 8000 8000 conform-action transmit exceed-action dropp"),
        (CLASS, "police 8000 conform-action transmit exceed-action dropp"),
        (CLASS, "fair-queue queue-limit"),
        ("{}\n tx-ring-limit 3\n", "interface Serial0/O/0"),
        ("{}\n match ip dscp ef\n", "clas-map match-any VOICE"),
    ],
)
def test_a_word_that_ios_does_not_take_is_reported(text: str, line: str) -> None:
    facts = read_facts(parse_config(text.format(line)))
    assert line in [unread.text for unread in facts.unread]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (INTERFACE, "priority-group 16"),
        (INTERFACE, "no custom-queue-list"),
        (INTERFACE, "rate-limit input 8000 8000 8000 conform-action set-prec-transmit 5 exceed-action drop"),
        (CLASS, "police 8000 conform-action tr exceed-action policed-dscp-transmit"),
        (CLASS, "no fair-queue queue-limit"),
        ("{}\n tx-ring-limit 3\n", "interface ATM0/IMA1"),
        ("{}\n tx-ring-limit 3\n", "interface Serial0/0/0:15"),
    ],
)  # fmt: skip
def test_a_word_that_ios_takes_is_understood(text: str, line: str) -> None:
    assert read_facts(parse_config(text.format(line))).unread == ()
