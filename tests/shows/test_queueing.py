"""What the `show queueing` family says."""

from pathlib import Path

import pytest

from advisor.lint.checks.wrd.averages import find_wred_tail_drops_observed
from advisor.shows.output import LayoutError
from advisor.shows.queueing import CircuitId, read_vip_random_detect
from tests.support.devices import device_read
from tests.support.readers import read_fair_queueing, read_queueing_interface, read_random_detect
from tests.support.verdicts import hits_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "queueing"


def fixture(name: str) -> str:
    return (FIXTURES / f"{name}.txt").read_text(encoding="utf-8")


def test_an_interface_with_wfq_prints_its_queue() -> None:
    serial, _ = read_queueing_interface(fixture("12.4-interface-wfq"), "f")
    assert serial.queues is not None
    assert (serial.strategy, serial.queues.strategy, serial.queues.output_drops_packets) == (
        "fair",
        "weighted fair",
        21,
    )


def test_an_interface_with_fifo_prints_one_line() -> None:
    _, ethernet = read_queueing_interface(fixture("12.4-interface-wfq"), "f")
    assert (ethernet.interface, ethernet.strategy, ethernet.queues) == (
        "FastEthernet0/0",
        "none",
        None,
    )


def test_wfq_is_not_taken_for_wred() -> None:
    serial, _ = read_queueing_interface(fixture("12.4-interface-wfq"), "f")
    assert serial.random_detect is None


def test_a_circuit_is_named_by_its_vpi_and_vci() -> None:
    (circuit,) = read_queueing_interface(fixture("12.2-interface-atm-vc-wred"), "f")
    assert (circuit.interface, circuit.circuit) == ("ATM2/0", CircuitId(0, 101))


def test_a_circuit_prints_its_wred() -> None:
    (circuit,) = read_queueing_interface(fixture("12.2-interface-atm-vc-wred"), "f")
    assert circuit.random_detect is not None
    assert [
        (row.name, row.random_drops_packets, row.tail_drops_packets, row.min_threshold_packets)
        for row in circuit.random_detect.rows
    ] == [("0", 165, 26, 30), ("5", 0, 0, 40), ("rsvp", 0, 0, 46)]


@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param("12.4-random-detect", ("0", 12, 9120, 3, 2280, 20, 40, 10, None), id="12.4"),
        pytest.param(
            "12.0-random-detect-vip",
            ("0", 7, None, 2, None, 54, 109, 10, 4410),
            id="12.0 on a VIP counts what was sent, and no bytes",
        ),
        pytest.param(
            "12.2S-random-detect-dwred",
            ("0", 1420, None, 450, None, 30, 60, 10, 604_410),
            id="distributed WRED has three lines more",
        ),
    ],
)
def test_a_wred_row_says(name: str, row: tuple[object, ...]) -> None:
    (wred,) = read_random_detect(fixture(name), "f")
    first = wred.rows[0]
    assert (
        first.name,
        first.random_drops_packets,
        first.random_drops_bytes,
        first.tail_drops_packets,
        first.tail_drops_bytes,
        first.min_threshold_packets,
        first.max_threshold_packets,
        first.mark_probability_denominator,
        first.output_packets,
    ) == row


def test_a_wred_block_says_its_average() -> None:
    (wred,) = read_random_detect(fixture("12.4-random-detect"), "f")
    assert (wred.interface, wred.weight_exponent, wred.mean_queue_depth_packets) == (
        "Serial0/0",
        9,
        17,
    )


def test_a_wred_table_may_be_empty_until_traffic_comes() -> None:
    text = "Current random-detect configuration:\n  Serial0/0\n    Mean queue depth: 0\n"
    (wred,) = read_random_detect(text, "f")
    assert wred.rows == ()


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        pytest.param("12.4-fair", ("FastEthernet0/0", 64, 256, 256, 8, 1), id="five figures"),
        pytest.param("12.2-all", ("Serial5", 64, 256, 0, None, None), id="three figures"),
    ],
)
def test_a_fair_queue_row_says(name: str, figures: tuple[object, ...]) -> None:
    row = read_fair_queueing(fixture(name), "f")[0]
    assert (
        row.interface,
        row.discard_threshold_packets,
        row.dynamic_queues,
        row.reserved_queues,
        row.link_queues,
        row.priority_queues,
    ) == figures


def test_a_fair_queue_row_points_to_its_line() -> None:
    _, serial = read_fair_queueing(fixture("12.4-fair"), "f.txt")
    assert str(serial.at) == "f.txt:8"


def test_the_whole_command_has_fair_and_random_detect_parts() -> None:
    fair = read_fair_queueing(fixture("12.2-all"), "f")
    wred = read_random_detect(fixture("12.2-all"), "f")
    assert [row.interface for row in fair] == ["Serial5", "Serial3/3:6"]
    assert [block.interface for block in wred] == ["Serial3/3:10"]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("r1#show queueing\nr1#", id="nothing printed"),
        pytest.param("Current tail-drop configuration:", id="unknown part"),
        pytest.param("Current fair queue configuration:\n  Serial0  64", id="a row cut off"),
        pytest.param(
            "Current random-detect configuration:\n  Serial0\n   Colour: 9", id="unknown fact"
        ),
        pytest.param("Current priority queue configuration:\nfoo", id="unknown list row"),
    ],
)
def test_what_is_not_show_queueing_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        (read_fair_queueing(text, "f"), read_random_detect(text, "f"))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing printed"),
        pytest.param("  Queueing strategy: weighted fair", id="no interface named"),
        pytest.param("Interface Serial0 queueing strategy: fair\n  Colour: 9", id="unknown line"),
    ],
)
def test_what_is_not_show_queueing_interface_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_queueing_interface(text, "f")


VIP = (FIXTURES.parent / "interfaces_random_detect/12.2S-vip.txt").read_text("utf-8")


def test_a_vip_says_the_average_and_the_drops_of_its_interfaces() -> None:
    hssi, ethernet = read_vip_random_detect(VIP, "f").records
    assert [
        (
            wred.interface,
            wred.weight_exponent,
            wred.mean_queue_depth_packets,
            wred.total_output_drops_packets,
        )
        for wred in (hssi, ethernet)
    ] == [("Hssi2/0/0", 9, 39, 1870), ("FastEthernet3/1/0", 10, 0, 0)]
    assert [
        (
            row.name,
            row.random_drops_packets,
            row.tail_drops_packets,
            row.min_threshold_packets,
            row.max_threshold_packets,
            row.mark_probability_denominator,
            row.output_packets,
        )
        for row in hssi.rows
    ] == [
        ("0", 1420, 450, 30, 60, 10, 604_410),
        ("3", 0, 0, 40, 60, 10, 0),
        ("5", 0, 0, 50, 60, 20, 105_823),
    ]


@pytest.mark.parametrize(
    ("old", "new", "is_cut"),
    [
        pytest.param("weight 1/512", "height 1/512", False, id="an unknown fact"),
        pytest.param("        (no traffic)\n", "", False, id="a row without counters"),
        pytest.param(
            "        12 packets output, drops: 0 random, 0 threshold\nagg3#\n",
            "",
            True,
            id="the last row without counters",
        ),
        pytest.param("1420 random", "many random", False, id="counters that are no numbers"),
    ],
)
def test_an_unknown_line_of_a_vip_costs_its_interface(old: str, new: str, *, is_cut: bool) -> None:
    reading = read_vip_random_detect(VIP.replace(old, new), "f")
    assert len(reading.records) == 1
    assert [part.is_cut for part in reading.declined] == [is_cut]


@pytest.mark.parametrize(
    ("tail", "found"),
    [
        pytest.param("450 threshold", [], id="fewer than at random"),
        pytest.param("14500 threshold", [(14_500, 1420)], id="more than at random"),
    ],
)
def test_drops_of_a_vip_at_the_maximum_are_judged(tail: str, found: list[tuple[int, int]]) -> None:
    text = VIP.partition("\n")[2].replace("450 threshold", tail)
    hits = hits_of(find_wred_tail_drops_observed(device_read(text)))
    assert [(hit.evidence.tail, hit.evidence.random) for hit in hits] == found
