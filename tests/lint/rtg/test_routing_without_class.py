"""RTG001: BGP in a class-default that a congested link leaves nothing."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

ROUTING_WITHOUT_CLASS = CHECKS["routing-without-class"]

PARAMS = ROUTING_WITHOUT_CLASS.params(load_percent=70.0)
CLASSES = (
    "class-map match-all VOICE\n match ip dscp ef\nclass-map match-all DATA\n match ip dscp af21\n"
    "class-map match-all CS6\n match ip dscp cs6\nclass-map match-all TCP\n match access-group 101\n"
    "access-list 101 permit tcp any any\n"
)
BGP = "router bgp 65001\n neighbor 192.0.2.1 remote-as 65000\n"
FULL = " class VOICE\n  priority percent 33\n class DATA\n  bandwidth percent {0}\n"


def router(classes: str, load: int, protocol: str = BGP, drops: int = 0) -> Device:
    return device_read(
        f"r1#show running-config\nversion 15.1\nhostname r1\n{CLASSES}policy-map P\n{classes}"
        "interface Serial0/0\n bandwidth 512\n ip address 192.0.2.2 255.255.255.252\n"
        f" clock rate 512000\n service-policy output P\n{protocol}end\n"
        "r1#show interfaces\nSerial0/0 is up, line protocol is up\n"
        "  Hardware is PowerQUICC Serial\n  MTU 1500 bytes, BW 512 Kbit, DLY 20000 usec,\n"
        f"     reliability 255/255, txload {load}/255, rxload 3/255\n"
        f"  Input queue: 0/75/0/0 (size/max/drops/flushes); Total output drops: {drops}\n"
        "     9 packets output, 900 bytes, 0 underruns\nr1#\n"
    )


@pytest.mark.parametrize(
    ("device", "found"),
    [
        pytest.param(router(FULL.format(66), 179), 1, id="all is reserved, and it is busy"),
        pytest.param(router(FULL.format(66), 178), 0, id="under 70 % of load"),
        pytest.param(router(FULL.format(66), 3, drops=1), 1, id="drops"),
        pytest.param(router(FULL.format(65), 255), 0, id="2 % are left"),
        pytest.param(router(FULL.format(66), 255, "router ospf 1\n"), 0, id="OSPF is apart"),
        pytest.param(
            router(FULL.format(61) + " class CS6\n  bandwidth percent 5\n", 255), 0, id="a class"
        ),
        pytest.param(
            router(FULL.format(61) + " class TCP\n  bandwidth percent 5\n", 255), 0, id="of all TCP"
        ),
        pytest.param(
            router(FULL.format(50) + " class class-default\n  bandwidth percent 17\n", 255),
            0,
            id="class-default has a rate",
        ),
    ],
)
def test_bgp_on_a_link_that_is_given_away(device: Device, found: int) -> None:
    assert len(hits_of(ROUTING_WITHOUT_CLASS.find(device, PARAMS))) == found


@pytest.mark.parametrize(
    ("rate", "drops", "found"),
    [
        pytest.param(358_400, 0, 1, id="70 % of the rate"),
        pytest.param(358_000, 0, 0, id="under 70 %"),
        pytest.param(0, 1, 1, id="drops"),
    ],
)
def test_a_summary_of_interfaces_shows_congestion(rate: int, drops: int, found: int) -> None:
    text = (
        f"r1#show running-config\nversion 15.1\nhostname r1\n{CLASSES}policy-map P\n"
        f"{FULL.format(66)}interface Serial0/0\n bandwidth 512\n"
        f" clock rate 512000\n service-policy output P\n{BGP}end\n"
        "r1#show interfaces summary\n"
        "  Interface    IHQ   IQD  OHQ   OQD  RXBS RXPS  TXBS TXPS TRTL\n"
        f"* Serial0/0      0     0    9 {drops}  1000    2 {rate}   40    0\nr1#\n"
    )
    assert len(hits_of(ROUTING_WITHOUT_CLASS.find(device_read(text), PARAMS))) == found
