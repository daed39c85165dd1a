"""Shapers in force: what circuits and interfaces are held to, send, delay and drop."""

from pathlib import Path

import pytest

from advisor.shows.output import LayoutError, OutputPart
from advisor.shows.shaping import (
    read_circuit_fragments,
    read_circuit_policies,
    read_circuit_shapers,
    read_shaped_circuits,
    read_shaped_traffic,
    read_shapers,
    read_shaping_queues,
)
from tests.support.devices import device_read

SHOW = Path(__file__).parents[2] / "fixtures" / "show"


def text_of(name: str) -> str:
    return (SHOW / f"{name}.txt").read_text(encoding="utf-8")


SHAPED = text_of("frame_relay_pvc/12.2-llq-frts")
ADAPTIVE = text_of("frame_relay_pvc/12.4-one-circuit")


def test_circuits_say_what_they_sent_delayed_and_dropped() -> None:
    busy, idle = read_shaped_circuits(SHAPED, "f").records
    assert (busy.interface, busy.circuit, busy.status) == ("Serial0/2.201", "201", "ACTIVE")
    assert (busy.output_rate_bps, busy.sent_packets) == (251_000, 70_411)
    assert (busy.delayed_packets, busy.dropped_packets, busy.depth_packets) == (66_102, 418, 6)
    assert (busy.is_active, idle.is_active, idle.status) == (True, False, "INACTIVE")
    assert str(busy.at) == "f:11"


def test_circuits_say_the_shaper_in_force() -> None:
    shaped, default = read_circuit_shapers(SHAPED, "f").records
    assert (shaped.rate_bps, shaped.min_rate_bps) == (256_000, 128_000)
    assert (shaped.bc_bits, shaped.be_bits) == (2560, 0)
    assert (default.rate_bps, default.bc_bits) == (56_000, 7000)


@pytest.mark.parametrize(
    ("text", "fragments"),
    [
        pytest.param(SHAPED, [("Serial0/2.201", 201, "end-to-end", 320)], id="12.2"),
        pytest.param(ADAPTIVE, [("Serial1/3.310", 310, "end-to-end", 640)], id="voice-adaptive"),
    ],
)
def test_circuits_say_their_fragments(text: str, fragments: list[tuple[object, ...]]) -> None:
    rows = read_circuit_fragments(text, "f").records
    assert [(row.interface, row.dlci, row.kind, row.fragment_bytes) for row in rows] == fragments


@pytest.mark.parametrize(
    ("text", "place", "classes"),
    [
        pytest.param(
            SHAPED, ("Serial0/2.201", "201", "BRANCH"), [("CALLS", 391), ("class-default", 27)],
            id="ahead of the shaper, without the name of the circuit",
        ),
        pytest.param(
            ADAPTIVE, ("Serial1/3.310", "310", "SITE"), [("SIP", 0), ("class-default", None)],
            id="behind the shaper, with the name of the circuit",
        ),
    ],
)  # fmt: skip
def test_a_circuit_has_its_policy(
    text: str, place: tuple[str, ...], classes: list[tuple[str, int | None]]
) -> None:
    (policy,) = read_circuit_policies(text, "f").records
    circuit = policy.circuit
    assert circuit is not None
    assert (policy.interface, circuit.number, policy.policy) == place
    assert [
        (item.name, item.queue.total_drops_packets if item.queue else None)
        for item in policy.classes
    ] == classes


def test_lines_that_a_filter_left_tell_their_circuit() -> None:
    seen = device_read(text_of("frame_relay_pvc/12.4-include-drops")).seen
    assert [(row.circuit, row.dropped_packets) for row in seen.shaped] == [("310", 7), ("311", 0)]
    assert all(taken.understood for taken in seen.taken)


def test_the_output_under_its_prompt_is_one() -> None:
    seen = device_read(SHAPED).seen
    assert [taken.command for taken in seen.taken] == ["show frame-relay pvc"]
    assert [policy.policy for policy in seen.policies] == ["BRANCH"]


def test_an_unknown_line_costs_its_circuit() -> None:
    text = SHAPED.replace("  shaping inactive\n", "  shaping dreams\n")
    reading = read_shaped_circuits(text, "f")
    assert [row.circuit for row in reading.records] == ["201"]
    assert [part.label for part in reading.declined] == ["circuit Serial0/2.202 DLCI 202"]


def test_an_unknown_line_of_the_policy_costs_its_class() -> None:
    text = SHAPED.replace("        Strict Priority\n", "        Loose Priority\n")
    reading = read_circuit_policies(text, "f")
    assert [(part.part, part.name) for part in reading.declined] == [(OutputPart.CLASS, "CALLS")]
    assert [row.circuit for row in read_shaped_circuits(text, "f").records] == ["201", "202"]


@pytest.mark.parametrize(
    ("last", "missing"),
    [
        pytest.param("out bcast pkts 911", "the age of the circuit", id="in the counters"),
        pytest.param("cir 56000", "the drops of its shaper", id="in the shaper"),
    ],
)
def test_a_circuit_that_was_cut_is_said(last: str, missing: str) -> None:
    text = SHAPED[: SHAPED.index("\n", SHAPED.index(last))]
    (part,) = read_shaped_circuits(text, "f").declined
    assert (part.name, part.is_cut) == ("Serial0/2.202 DLCI 202", True)
    assert missing in part.said


def test_a_policy_that_was_cut_is_said() -> None:
    text = SHAPED[: SHAPED.index("    Class-map: class-default")]
    assert [part.is_cut for part in read_circuit_policies(text, "f").declined] == [True]


def test_no_circuit_is_another_layout() -> None:
    with pytest.raises(LayoutError):
        read_shaped_circuits("Frame-Relay VC Summary\n", "f")


TABLE = text_of("traffic_shape/12.3-frts-and-gts")


@pytest.mark.parametrize(
    ("text", "shapers"),
    [
        pytest.param(
            TABLE,
            [
                ("Se0/2", "201", None, 256_000, 2560, 0),
                ("Se0/2", "202", None, 56_000, 7000, 0),
                ("Fa0/1", None, "104", 512_000, 12_800, 12_800),
                ("Fa0/1", None, None, 2_000_000, 50_000, 50_000),
            ],
            id="12.1 and later: a line names the interface",
        ),
        pytest.param(
            text_of("traffic_shape/12.0-gts"),
            [
                ("Et0", None, "101", 1_000_000, 125_000, 125_000),
                ("Se1", None, None, 64_000, 8000, 8000),
            ],
            id="12.0: each row names it",
        ),
    ],
)
def test_a_table_says_the_shapers_in_force(text: str, shapers: list[tuple[object, ...]]) -> None:
    assert shapers == [
        (row.interface, row.circuit, row.access_list, row.rate_bps, row.bc_bits, row.be_bits)
        for row in read_shapers(text, "f").records
    ]


def test_a_table_says_what_shapers_delayed() -> None:
    rows = read_shaped_traffic(text_of("traffic_shape_statistics/12.3-frts-and-gts"), "f").records
    assert [(row.interface, row.access_list, row.is_active) for row in rows] == [
        ("Se0/2.201", None, True),
        ("Se0/2.202", None, False),
        ("Fa0/1", "104", False),
        ("Fa0/1", None, True),
    ]
    assert [(row.depth_packets, row.sent_packets, row.delayed_packets) for row in rows] == [
        (14, 70_411, 66_102),
        (0, 911, 0),
        (0, 52_200, 0),
        (3, 91_020, 8110),
    ]


@pytest.mark.parametrize(
    ("fixture", "queues"),
    [
        pytest.param(
            "12.3-two-circuits", [("Serial0/2", "201", 14, 418), ("Serial0/2", "202", 0, 0)],
            id="12.3: totals",
        ),
        pytest.param("12.0-ethernet", [("Ethernet0", None, 9, None)], id="12.0: conversations"),
    ],
)  # fmt: skip
def test_a_queue_of_a_shaper_says_what_waits(
    fixture: str, queues: list[tuple[object, ...]]
) -> None:
    assert queues == [
        (row.interface, row.circuit, row.depth_packets, row.dropped_packets)
        for row in read_shaping_queues(text_of(f"traffic_shape_queue/{fixture}"), "f").records
    ]


@pytest.mark.parametrize(
    ("text", "shapers", "cut"),
    [
        pytest.param(TABLE[: TABLE.index("\nInterface   Fa0/1") + 20], 2, [True], id="in a head"),
        pytest.param(TABLE[: TABLE.index("2000000   12500")], 3, [False], id="in a row"),
        pytest.param(TABLE.replace(" 56000  ", " fast   "), 3, [False], id="an unknown row"),
    ],
)
def test_a_table_that_is_not_whole_is_said(text: str, shapers: int, cut: list[bool]) -> None:
    reading = read_shapers(text, "f")
    assert len(reading.records) == shapers
    assert [part.is_cut for part in reading.declined] == cut


def test_a_queue_that_was_cut_is_said() -> None:
    text = text_of("traffic_shape_queue/12.3-two-circuits")
    (part,) = read_shaping_queues(text[: text.index("  Queueing strategy: fcfs")], "f").declined
    assert (part.name, part.is_cut) == ("Serial0/2 dlci 202", True)


def test_a_circuit_counts_both_directions_and_says_its_age() -> None:
    text = (SHOW / "frame_relay_pvc/12.2-llq-frts.txt").read_text("utf-8")
    counters = read_shaped_circuits(text, "f").records[0].counters
    assert counters is not None
    assert (counters.received_packets, counters.sent_bytes, counters.in_becn) == (
        61820,
        31_220_907,
        871,
    )
    assert (counters.input_rate_pps, counters.created, counters.changed) == (18, "6d02h", "2d19h")
