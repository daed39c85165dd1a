"""Tables of interfaces: drops, policers and protocols: what each says, and what is lost."""

from pathlib import Path

import pytest

from advisor.shows.interfaces.tables import (
    read_interface_summary,
    read_protocols,
    read_rate_limits,
)
from advisor.shows.output import LayoutError
from tests.support.devices import device_read

SHOW = Path(__file__).parents[2] / "fixtures" / "show"
SUMMARY = (SHOW / "interfaces_summary/12.4-branch.txt").read_text("utf-8")
LIMITS = (SHOW / "interfaces_rate_limit/12.3-two-directions.txt").read_text("utf-8")


def test_a_summary_says_drops_and_rates() -> None:
    rows = read_interface_summary(SUMMARY, "f").records
    assert [(row.interface, row.drops_packets, row.output_rate_bps) for row in rows] == [
        ("FastEthernet0/0", 0, 96_000),
        ("FastEthernet0/1", 0, 0),
        ("Serial0/0/0", 8120, 498_000),
        ("Tunnel7", 0, 2000),
    ]
    assert str(rows[2].at) == "f:15"


def test_an_unknown_row_leaves_the_others() -> None:
    reading = read_interface_summary(SUMMARY.replace("92000   70 498000", "92000 498000"), "f")
    assert [row.interface for row in reading.records] == [
        "FastEthernet0/0",
        "FastEthernet0/1",
        "Tunnel7",
    ]
    assert [part.at.line for part in reading.declined] == [15]


def test_a_summary_without_rows_was_cut() -> None:
    with pytest.raises(LayoutError, match="ends before its rows"):
        read_interface_summary(SUMMARY[: SUMMARY.index("* FastEthernet0/0")], "f")


def test_a_row_that_a_filter_left_is_read() -> None:
    text = (
        "r1#show interfaces summary | include Serial\n* Serial0/0/0 0 2 31 8120 9 7 498 8 0\nr1#\n"
    )
    seen = device_read(text).seen
    assert [(row.interface, row.drops_packets) for row in seen.summaries] == [("Serial0/0/0", 8120)]


def test_policers_say_what_they_dropped() -> None:
    limits = read_rate_limits(LIMITS, "f").records
    assert [(item.interface, item.direction, item.matches, item.rate_bps) for item in limits] == [
        ("FastEthernet0/1", "input", "access-group 105", 512_000),
        ("FastEthernet0/1", "output", "access-group rate-limit 7", 64_000),
        ("FastEthernet0/1", "output", "all traffic", 2_000_000),
        ("Serial0/2", "input", "qos-group 4", 128_000),
    ]
    assert [(item.dropped_packets, item.seen_packets, item.limits_all) for item in limits] == [
        (0, 85_300, False),
        (0, 900, False),
        (31_004, 751_104, True),
        (0, 0, False),
    ]


@pytest.mark.parametrize(
    ("old", "new", "kept", "lines"),
    [
        pytest.param(
            "      params:  64000 bps", "      terms:  64000 bps", 3, [12], id="of a policer"
        ),
        pytest.param("  Output\n", "  Sideways\n", 1, [5, 12, 18], id="the head of a direction"),
        pytest.param(
            "Serial0/2\n", "a new kind of port\n", 2, [18, 25, 26], id="the head of an interface"
        ),
        pytest.param(
            "      last cleared 02:11:40 ago, conformed 61000 bps, exceeded 5000 bps\n",
            "",
            3,
            [5],
            id="a policer without its rates",
        ),
    ],
)
def test_an_unknown_line_costs_a_policer(old: str, new: str, kept: int, lines: list[int]) -> None:
    reading = read_rate_limits(LIMITS.replace(old, new), "f")
    assert len(reading.records) == kept
    assert sorted(part.start.line for part in reading.declined)[: len(lines)] == lines


def test_a_list_of_policers_that_was_cut_is_said() -> None:
    text = LIMITS[: LIMITS.index("    matches: qos-group 4")]
    reading = read_rate_limits(text, "f")
    assert (len(reading.records), [part.is_cut for part in reading.declined]) == (3, [True])


def test_no_policer_is_no_fault() -> None:
    assert read_rate_limits("", "f").records == ()


def test_the_interface_may_stand_ahead_of_the_word_of_the_layout() -> None:
    text = f"r1#show interfaces FastEthernet0/1 rate-limit\n{LIMITS.partition('rate-limit' + chr(10))[2]}"
    seen = device_read(text[: text.index("Serial0/2")] + "r1#\n").seen
    assert len(seen.rate_limits) == 3


def test_nbar_counts_the_protocols_of_an_interface() -> None:
    text = (SHOW / "ip_nbar_protocol_discovery/12.4-two-interfaces.txt").read_text()
    serial, ethernet = read_protocols(text, "f").records
    rtp = serial.protocols[0]
    assert (rtp.protocol, rtp.output_packets, rtp.output_bytes) == ("rtp", 91133, 18_226_600)
    assert (serial.cleared, len(serial.protocols), len(ethernet.protocols)) == ("01:20:00", 4, 2)


def test_nbar_of_an_older_release_has_no_highest_rate() -> None:
    text = (
        "Serial0/0\n    Input    Output\n Protocol  Packet Count  Packet Count\n"
        "  Byte Count  Byte Count\n  5min Bit Rate (bps)  5min Bit Rate (bps)\n"
    )
    rows = " http  3  4\n  300  400\n  8  9\n Total  3  4\n  300  400\n  8  9\n"
    (serial,) = read_protocols(text + rows, "f").records
    assert [(row.output_rate_bps, row.output_most_bps) for row in serial.protocols] == [
        (9, None),
        (9, None),
    ]


def test_a_summary_says_both_queues() -> None:
    serial = read_interface_summary(SUMMARY, "f").records[2]
    queues = (serial.input_drops_packets, serial.waiting_packets, serial.input_rate_pps)
    assert queues == (2, 31, 70)


def test_a_policer_says_its_bursts_and_its_bytes() -> None:
    limit = read_rate_limits(LIMITS, "f").records[0]
    assert (limit.limit_bytes, limit.extended_limit_bytes) == (96_000, 192_000)
