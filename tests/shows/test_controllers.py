"""The transmit ring as `show controllers` prints it."""

from pathlib import Path

import pytest

from advisor.shows.controllers import Controller
from advisor.shows.output import LayoutError
from tests.support.readers import read_controllers

FIXTURES = Path(__file__).parents[2] / "fixtures" / "show" / "controllers_serial"


def fixture(name: str) -> tuple[Controller, ...]:
    return read_controllers((FIXTURES / f"{name}.txt").read_text(encoding="utf-8"), name)


def one(line: str) -> Controller:
    (controller,) = read_controllers(f"Interface Serial0/0\n{line}\n", "f")
    return controller


@pytest.mark.parametrize(
    ("line", "ring"),
    [
        pytest.param("tx_limited=1(2)", (True, 2), id="shortened to 2 for a software queue"),
        pytest.param("tx_limited = 0(128), errata19 count1 - 0", (False, 128), id="not shortened"),
        pytest.param("tx_limited=0(64)", (False, 64), id="FastEthernet"),
    ],
)
def test_the_ring_line_says(line: str, ring: tuple[bool, int]) -> None:
    controller = one(line)
    assert (controller.is_ring_shortened, controller.ring_packets) == ring


@pytest.mark.parametrize(
    ("line", "cable"),
    [
        pytest.param("DCE V.35, clock rate 2000000", ("DCE", "V.35", 2_000_000), id="DCE"),
        pytest.param("DCE X.21, no clock", ("DCE", "X.21", None), id="DCE without a clock"),
        pytest.param("DTE V.35 TX and RX clocks detected", ("DTE", "V.35", None), id="DTE"),
        pytest.param("DTE V.35 clocks stopped.", ("DTE", "V.35", None), id="DTE, clocks stopped"),
        pytest.param("DTE V.35idb at 0x47FFCA4C", ("DTE", "V.35", None), id="DTE, no line end"),
        pytest.param("No serial cable attached", (None, None, None), id="no cable"),
    ],
)
def test_the_cable_line_says(line: str, cable: tuple[object, ...]) -> None:
    controller = one(line)
    assert (controller.cable, controller.cable_type, controller.clock_rate_bps) == cable


def test_every_descriptor_is_an_entry_of_the_hardware_ring() -> None:
    assert [each.ring_entries for each in fixture("12.3-mpc860-two-ports")] == [16, 2]


def test_several_interfaces_are_told_apart() -> None:
    assert [(each.interface, each.ring_packets) for each in fixture("12.3-mpc860-two-ports")] == [
        ("Serial0/0", 2),
        ("Serial0/1", 16),
    ]


def test_the_register_dump_is_passed_over() -> None:
    (controller,) = fixture("12.4-gt96k-dce")
    assert (controller.hardware, controller.ring_packets) == ("GT96K", 128)


def test_a_port_adapter_is_the_hardware_of_the_interface_in_the_prompt() -> None:
    text = "r1#show controllers serial 3/0\nM4T: show controller:\nPAS unit 0, subunit 0\n"
    text += "line state: up\ncable type : V.35 DTE cable, received clockrate 2015232\n"
    text += "tx_limited=1(2)\nr1#\n"
    (controller,) = read_controllers(text, "f")
    assert (controller.interface, controller.hardware) == ("serial3/0", "M4T")
    assert (controller.cable, controller.clock_rate_bps, controller.ring_packets) == (
        "DTE",
        None,
        2,
    )


def test_a_port_adapter_below_its_interface_is_one_controller() -> None:
    text = "Interface Serial3/0\nM4T: show controller:\ntx_limited=0(64)\nInterface Serial3/1\n"
    controllers = read_controllers(text, "f")
    assert [(each.interface, each.ring_packets) for each in controllers] == [
        ("Serial3/0", 64),
        ("Serial3/1", None),
    ]


def test_a_filtered_output_takes_the_interface_from_the_prompt() -> None:
    (controller,) = fixture("12.4-gt96k-include")
    assert (controller.interface, controller.ring_packets) == ("serial0/1/0", 2)


def test_a_driver_without_ring_line_says_nothing_of_the_ring() -> None:
    (controller,) = fixture("12.0-cd2430")
    assert (controller.ring_packets, controller.clock_rate_bps) == (None, 128_000)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("r1#show controllers\nr1#", id="nothing printed"),
        pytest.param("Interface Serial0\ntx_limited: 2", id="a ring line of another form"),
        pytest.param("Interface Serial0\ntx_limited=1", id="a ring line without a length"),
        pytest.param("Interface Serial0\nDCE V.35, clock of 9600", id="a cable of another form"),
    ],
)
def test_what_is_not_of_this_layout_is_declined(text: str) -> None:
    with pytest.raises(LayoutError):
        read_controllers(text, "f")


@pytest.mark.parametrize(
    "head",
    ["T1 0/1/0 is up", "Controller VDSL 0/2/0 is UP", "Driver Configuration Block:"],
)
def test_controllers_without_a_transmit_ring_are_known(head: str) -> None:
    text = f"r1#show controllers\n{head}\n  No alarms detected.\n"
    assert read_controllers(text, "f") == ()


def test_a_serial_line_below_a_controller_without_a_ring_is_read() -> None:
    serial = (FIXTURES / "12.4-gt96k-dce.txt").read_text().partition("\n")[2]
    controllers = read_controllers(f"T1 0/1/0 is up\n{serial}", "f")
    assert [controller.interface for controller in controllers] == ["Serial0/1/0"]
