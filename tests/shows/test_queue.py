"""What waits in a queue, as `show queue` prints it."""

from pathlib import Path

import pytest

from advisor.shows.output import LayoutError
from advisor.shows.queueing.show_queue import QueueContents, read_queue

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "queue"


def fixture(name: str) -> QueueContents:
    return read_queue((FIXTURES / f"{name}.txt").read_text(encoding="utf-8"), name)


@pytest.mark.parametrize(
    ("name", "conversation"),
    [
        pytest.param("12.4-cbwfq", (265, 9, 7281, 5, 0, None, 0), id="12.3 and 12.4: total drops"),
        pytest.param(
            "12.2-atm-vc-wfq", (264, 29, 4096, 7908, None, 0, 0), id="12.2: discards, tail drops"
        ),
    ],
)
def test_a_conversation_says(name: str, conversation: tuple[int | None, ...]) -> None:
    first = fixture(name).conversations[0]
    assert (
        first.number,
        first.depth_packets,
        first.weight,
        first.drops_packets,
        first.no_buffer_drops_packets,
        first.tail_drops_packets,
        first.interleaves,
    ) == conversation


def test_a_conversation_shows_its_first_packet() -> None:
    packet = fixture("12.4-cbwfq").conversations[0].packet
    assert packet is not None
    assert (packet.length_bytes, packet.protocol_number, packet.destination_port) == (1504, 6, 23)


def test_a_packet_without_ports_has_none() -> None:
    packet = fixture("12.4-cbwfq").conversations[1].packet
    assert packet is not None
    assert (packet.protocol_number, packet.source_port) == (1, None)


def test_the_queue_lines_are_those_of_show_interfaces() -> None:
    queues = fixture("12.4-cbwfq").queues
    assert queues is not None
    assert (queues.output_size_packets, queues.available_bandwidth_bps) == (14, 320_000)


def test_a_circuit_names_its_interface() -> None:
    assert fixture("12.2-atm-vc-wfq").interface == "ATM2/0.33"


def test_wred_prints_packets() -> None:
    contents = fixture("12.1-wred-packets")
    assert [packet.type_of_service for packet in contents.packets] == [128, 160]


def test_fifo_is_not_supported_and_says_so() -> None:
    contents = fixture("12.4-fifo")
    assert (contents.is_fifo, contents.queues) == (True, None)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a1#show queue s0\na1#", id="nothing printed"),
        pytest.param("(depth/weight/total drops) 1/2", id="fewer figures than labels"),
        pytest.param("(depth/weight/colour) 1/2/3", id="unknown label"),
        pytest.param("TOS: 0 prot: 6", id="a packet without its head"),
        pytest.param("Conversation 3, linktype: ip, length: 60", id="a conversation cut off"),
    ],
)
def test_what_is_not_of_this_layout_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_queue(text, "f")
