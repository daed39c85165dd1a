"""What the QFP shows of itself: its load, and drops of queues in hardware; what they are used for."""

from pathlib import Path

import pytest

from advisor.outlet.congestion import busy_parts, congestion_of
from advisor.outlet.outlets import policies_out
from advisor.shows.output import LayoutError
from advisor.shows.qfp import read_datapath_load, read_hardware_queues
from tests.support.devices import device_read

SHOW = Path(__file__).parents[2] / "fixtures/show"
UTILIZATION = SHOW / "platform_hardware_qfp_active_datapath_utilization"
QUEUES = (
    SHOW / "platform_hardware_qfp_active_feature_qos_queue_output/xe-16-two-queues.txt"
).read_text("utf-8")
PARQ = (SHOW / "platform_hardware_qfp_active_feature_qos_queue_output/xe-16-parq.txt").read_text(
    "utf-8"
)
PARTS = (UTILIZATION / "xe-17-cpps.txt").read_text("utf-8")
SUMMARY = (UTILIZATION / "xe-16-summary.txt").read_text("utf-8")
COMMAND = "show platform hardware qfp active datapath utilization"


@pytest.mark.parametrize(
    ("text", "loads"),
    [
        pytest.param(PARTS, [(61, 74, 77), (1, 1, 1)], id="each part, by priority"),
        pytest.param(SUMMARY, [(17, 7, 4)], id="the summary"),
        pytest.param(
            f"r1#{COMMAND} | include Load\nProcessing: Load (pct)   61   74   77   79\n"
            "  Crypto: Load (pct)    0    0    0    0\nr1#\n",
            [(61, 74, 77)],
            id="the lines that a filter left",
        ),
    ],
)
def test_a_data_path_says_its_load(text: str, loads: list[tuple[int, int, int]]) -> None:
    assert loads == [
        (load.five_seconds_percent, load.one_minute_percent, load.five_minutes_percent)
        for load in read_datapath_load(text, "f").records
    ]


def test_an_unknown_line_costs_its_part_of_the_processor() -> None:
    text = PARTS.replace("Crypto/IO", "Quantum/IO")
    reading = read_datapath_load(text, "f")
    assert [load.one_minute_percent for load in reading.records] == [1]
    assert [(part.name, part.is_cut) for part in reading.declined] == [("0: Subdev 0", False)]


def test_a_part_without_its_load_was_cut() -> None:
    reading = read_datapath_load(PARTS[: PARTS.rindex("Processing:")], "f")
    assert [(part.name, part.is_cut) for part in reading.declined] == [("0: Subdev 1", True)]


def test_queues_in_hardware_say_their_drops() -> None:
    queues = read_hardware_queues(QUEUES, "f").records
    assert [(item.interface, item.index, item.tail_drops_packets) for item in queues] == [
        ("GigabitEthernet0/0/1", 0, 0),
        ("GigabitEthernet0/0/1", 1, 29_110),
    ]


def test_a_head_with_commas_names_its_interface() -> None:
    (queue,) = read_hardware_queues(PARQ, "f").records
    assert (queue.interface, queue.index, queue.tail_drops_packets) == (
        "GigabitEthernet0/0/2",
        0,
        417,
    )


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        pytest.param("      share     : 1\n", "      shore     : 1\n", 0, id="in the queues"),
        pytest.param("    Index 1 (Queue", "    Indez 1 (Queue", 0, id="the head of a queue"),
        pytest.param("      plevel    : 1", "      plebel    : 1", 1, id="in one queue"),
        pytest.param(
            "    Index 1 (Queue",
            "another head\n    Index 1 (Queue",
            0,
            id="what may be an interface",
        ),
    ],
)
def test_an_unknown_line_costs_its_queue(old: str, new: str, kept: int) -> None:
    text = QUEUES.replace(old, new)
    try:
        reading = read_hardware_queues(text, "f")
    except LayoutError:
        assert kept == 0
        return
    assert len(reading.records) == kept
    assert len(reading.declined) > 0


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param(PARTS, ["a QFP at 74 %"], id="above the limit"),
        pytest.param(SUMMARY, [], id="below it"),
        pytest.param(
            "r1#show processes cpu\nCPU utilization for five seconds: 71%/2%; one minute: 60%;"
            " five minutes: 50%\nr1#\n",
            ["a CPU at 60 %"],
            id="the CPU",
        ),
    ],
)
def test_a_busy_processor_is_named(text: str, parts: list[str]) -> None:
    assert list(busy_parts(device_read(text).seen, 50.0)) == parts


def test_tail_drops_in_hardware_are_congestion() -> None:
    config = (
        "version 16.9\nhostname edge1\npolicy-map P\n class class-default\n  fair-queue\n"
        "interface GigabitEthernet0/0/1\n service-policy output P\nend\n"
    )
    device = device_read(f"edge1#show running-config\n{config}{QUEUES.partition(chr(10))[2]}")
    (outlet,) = policies_out(device)
    found = congestion_of(device.seen, outlet, 70.0)
    assert found is not None
    assert found.signs == "29110 tail drops of a queue in hardware"
