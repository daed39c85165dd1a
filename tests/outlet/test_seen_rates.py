"""The rate of a wire that an output shows: the clock of a DCE, the speed of a port."""

import pytest

from advisor.device.device import with_tree
from advisor.ground.quantity import Basis, Input
from advisor.ios.syntax.reader import parse_config
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence
from advisor.outlet.outlets import outlets
from tests.support.devices import device_read
from tests.support.verdicts import hit_of

INTERFACE_BANDWIDTH_WRONG = CHECKS["interface-bandwidth-wrong"]
OUTPUTS_DIFFER = CHECKS["outputs-differ"]

DCE = "DCE V.35, clock rate 2000000"
DTE = "DTE V.35 TX and RX clocks detected."
CONFIG = """\
version 12.4
hostname R1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 168
 class class-default
  fair-queue
interface Serial0/0/0
 bandwidth 512
 encapsulation ppp
 service-policy output WAN
interface FastEthernet0/1
 service-policy output WAN
end
"""
CONTROLLER = "Interface Serial0/0/0\nHardware is GT96K\n{}\n TX ring: tx_limited=1(4)\n"
PORT = """\
FastEthernet0/1 is {link}, line protocol is {link}
  Hardware is MV96340 Ethernet, address is 0011.2233.4455 (bia 0011.2233.4455)
  MTU 1500 bytes, BW 10000 Kbit/sec, DLY 1000 usec,
     reliability 255/255, txload 1/255, rxload 1/255
  Encapsulation ARPA, loopback not set
  {speed}
  Queueing strategy: Class-based queueing
     100 packets output, 10000 bytes, 0 underruns
"""


def captured(
    config: str = CONFIG, cable: str = DCE, speed: str = "Full-duplex, 10Mb/s", link: str = "up"
) -> str:
    shown = (
        f"R1#show controllers Serial0/0/0\n{CONTROLLER.format(cable)}"
        f"R1#show interfaces FastEthernet0/1\n{PORT.format(link=link, speed=speed)}"
    )
    return f"R1#show running-config\n{config}{shown}R1#\n"


def wires(text: str) -> list[Input]:
    return [outlet.wire for outlet in outlets(device_read(text)) if outlet.wire is not None]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(captured(), (2e6, Basis.MEASURED), id="the clock of a DCE before a label"),
        pytest.param(
            captured(cable=DTE), (512e3, Basis.CONFIGURED), id="a DTE takes its clock from the line"
        ),
        pytest.param(
            captured(cable="DCE V.35, no clock"), (512e3, Basis.CONFIGURED), id="a DCE without one"
        ),
        pytest.param(
            captured(CONFIG.replace("bandwidth 512", "clock rate 64000")),
            (2e6, Basis.MEASURED),
            id="a clock that an output behind the line shows is in force",
        ),
        pytest.param(
            captured(CONFIG.replace("bandwidth 512", "clock rate 2000000")),
            (2e6, Basis.CONFIGURED),
            id="the stated clock",
        ),
        pytest.param(
            captured("") + captured(CONFIG.replace("bandwidth 512", "clock rate 64000")).partition(
                "R1#show controllers"
            )[0],
            (64e3, Basis.CONFIGURED),
            id="a line that stands behind the output is newer",
        ),
    ],
)  # fmt: skip
def test_a_clock_that_an_output_shows_is_the_rate_of_the_wire(
    text: str, expected: tuple[float, Basis]
) -> None:
    serial, _ = wires(text)
    assert (serial.value, serial.basis) == expected


@pytest.mark.parametrize(
    ("speed", "link", "config", "expected"),
    [
        pytest.param("Full-duplex, 10Mb/s", "up", CONFIG, 10e6, id="negotiated below the port"),
        pytest.param("Full-duplex, 100Mb/s", "up", CONFIG, 100e6, id="the rate of the port"),
        pytest.param("Auto-duplex, Auto Speed", "up", CONFIG, 100e6, id="not negotiated"),
        pytest.param("Full-duplex, 10Mb/s", "down", CONFIG, 100e6, id="down: an old speed"),
    ],
)
def test_a_speed_that_an_output_shows_is_the_rate_of_a_port(
    speed: str, link: str, config: str, expected: float
) -> None:
    _, port = wires(captured(config, speed=speed, link=link))
    assert port.value == expected


def test_an_edited_configuration_keeps_the_rate_that_an_output_shows() -> None:
    device = device_read(captured())
    edited = with_tree(device, parse_config(CONFIG.replace("priority 168", "priority 96")))
    assert [outlet.wire.value for outlet in outlets(edited) if outlet.wire] == [2e6, 10e6]


def test_a_label_beside_the_clock_of_a_dce_is_wrong_for_certain() -> None:
    hit = hit_of(INTERFACE_BANDWIDTH_WRONG.find(device_read(captured()), NoParams()))
    assert (hit.evidence.base_kbps, hit.evidence.link_kbps) == ("512", "2000")
    assert (hit.confidence, hit.curable) == (Confidence.CERTAIN, True)


def test_a_clock_rate_that_the_driver_does_not_run_is_another_state() -> None:
    device = device_read(captured(CONFIG.replace("bandwidth 512", "clock rate 64000")))
    hit = hit_of(OUTPUTS_DIFFER.find(device, NoParams()))
    assert "a clock of 2000 kb/s for `clock rate` 64 kb/s" in hit.evidence.differences
