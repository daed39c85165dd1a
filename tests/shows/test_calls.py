"""`show call active voice brief`: legs over IP, in the layouts of 12.4 and 15.x."""

from pathlib import Path

import pytest

from advisor.shows.calls import CallLeg, read_active_calls
from advisor.shows.output import OutputReading

FOLDER = Path(__file__).parents[2] / "fixtures" / "show" / "call_active_voice_brief"
LEG = (
    "2A1  : 611 8441740ms.1 +4080 pid:100 Answer 4031 active\n"
    " dur 00:24:17 tx:72850/12529200 rx:72849/12529028\n"
    " IP 192.0.2.{0}:16568 rtt:0ms pl:0/0ms lost:0/0/0 delay:0/0/0ms g711ulaw\n"
)


def legs(reading: OutputReading[CallLeg]) -> list[tuple[str, str, int | None]]:
    return [(leg.address, leg.codec, leg.tos) for leg in reading.records]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("12.4-gateway.txt", [("192.0.2.2", "g729r8", None)] * 2,
                     id="a gateway: the legs of its ports are left out"),
        pytest.param("15.x-cube.txt",
                     [("192.0.2.2", "g711ulaw", 0xB8), ("2001:DB8::7", "g729r8", 0xB8)],
                     id="a border element: both legs of a call"),
    ],
)  # fmt: skip
def test_legs_over_ip(name: str, expected: list[tuple[str, str, int | None]]) -> None:
    reading = read_active_calls((FOLDER / name).read_text("utf-8"), name)

    assert (legs(reading), reading.declined) == (expected, ())


@pytest.mark.parametrize(
    ("text", "read", "lost"),
    [
        pytest.param("Total call-legs: 0\n", 0, [], id="no call is in progress"),
        pytest.param("Total call-legs: 2\n" + LEG.format(2) + LEG.format(3), 2, [], id="two legs"),
        pytest.param("Total call-legs: 2\n" + LEG.format(2), 1, [4], id="one of two legs is cut"),
        pytest.param("Total call-legs: 1\n" + LEG.format(2).partition(" IP")[0], 0, [3],
                     id="a leg is cut ahead of its far end"),
        pytest.param(
            "Total call-legs: 2\n" + LEG.format(2).replace(" IP", " frob\n IP") + LEG.format(3), 1, [4],
            id="an unknown line costs its leg"),
    ],
)  # fmt: skip
def test_parts(text: str, read: int, lost: list[int]) -> None:
    reading = read_active_calls(text, "a")

    assert len(reading.records) == read
    assert [part.at.line for part in reading.declined] == lost


def test_a_leg_says_what_it_lost_and_how_long_it_waited() -> None:
    text = (FOLDER / "12.4-gateway.txt").read_text("utf-8")
    leg = read_active_calls(text, "f").records[0]
    assert (leg.duration_s, leg.sent_packets, leg.received_bytes) == (523, 7044, 523_127)
    assert (leg.lost_packets, leg.late_packets, leg.max_delay_ms) == (0, 15, 132)
