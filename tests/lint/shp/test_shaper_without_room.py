"""SHP006: shapers at the rate of a line that counts more bytes of each packet than they do."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

SHAPER_WITHOUT_ROOM = CHECKS["shaper-without-room"]

POLICIES = """version 15.4
class-map match-all VOICE
 match ip dscp ef
policy-map QUEUES
 class VOICE
  priority percent 20
 class class-default
  fair-queue
policy-map LINE
 class class-default
  shape average {0}
  service-policy QUEUES
"""
IPSEC = """crypto ipsec transform-set T esp-aes esp-sha-hmac
 mode transport
crypto ipsec profile V
 set transform-set T
"""


def tunnel(rate: str, port: str = "speed 10", more: str = "", on_port: str = "") -> str:
    return (
        f"{POLICIES.format(rate)}{IPSEC}"
        f"interface FastEthernet0/0\n ip address 198.51.100.2 255.255.255.252\n {port}\n{on_port}"
        "interface Tunnel0\n ip address 10.9.0.1 255.255.255.252\n"
        " tunnel source FastEthernet0/0\n tunnel destination 198.51.100.6\n"
        f"{more} service-policy output LINE\n"
    )


def access(rate: str, description: str) -> str:
    return (
        f"{POLICIES.format(rate)}interface GigabitEthernet0/0\n description {description}\n"
        " ip address 198.51.100.2 255.255.255.252\n service-policy output LINE\n"
    )


def dialer(rate: str, description: str) -> str:
    return (
        f"{POLICIES.format(rate)}interface GigabitEthernet0/0\n no ip address\n"
        " pppoe enable\n pppoe-client dial-pool-number 1\ninterface Dialer1\n"
        f" description {description}\n ip address negotiated\n encapsulation ppp\n dialer pool 1\n"
        " service-policy output LINE\n"
    )


PROTECTED = " tunnel protection ipsec profile V\n"
LIKELY, ASKED = Confidence.LIKELY, Confidence.POSSIBLE


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        pytest.param(tunnel("10000000"), LIKELY, id="a tunnel at the rate of its port"),
        pytest.param(tunnel("9757000"), LIKELY, id="1500 bytes have 1562 on the wire, not 1524"),
        pytest.param(tunnel("9756000"), None, id="full packets fit"),
        pytest.param(tunnel("9054000"), None, id="packets of the mean size fit"),
        pytest.param(tunnel("11000000"), None, id="a faster one is SHP002's"),
        pytest.param(tunnel("9700000", more=PROTECTED), None, id="the shaper may count IPsec"),
        pytest.param(tunnel("9800000", more=PROTECTED), LIKELY, id="and then leaves no room too"),
        pytest.param(tunnel("10000000", port="speed 100"), None, id="a faster port"),
        pytest.param(
            tunnel("10000000", on_port=" service-policy output QUEUES\n"), None,
            id="the port queues again: PLC002",
        ),
        pytest.param(access("10000000", "MPLS CIR 10M"), ASKED, id="the rate of a contract"),
        pytest.param(access("9974000", "MPLS CIR 10M"), ASKED, id="the FCS does not fit"),
        pytest.param(access("9973000", "MPLS CIR 10M"), None, id="the FCS fits"),
        pytest.param(
            access("10000000 account user-defined 24", "MPLS CIR 10M"), None, id="all is counted"
        ),
        pytest.param(access("10000000", "to room 7, 10 Mb/s"), ASKED, id="the described rate"),
        pytest.param(access("9990000", "to room 7, 10 Mb/s"), None, id="a number in prose"),
        pytest.param(access("10000000", "to core"), None, id="no contract is named"),
        pytest.param(dialer("2000000", "ADSL CIR 2M"), ASKED, id="cells behind a modem"),
        pytest.param(dialer("1600000", "ADSL CIR 2M"), None, id="room for cells"),
        pytest.param(dialer("2000000", "VDSL CIR 2M"), ASKED, id="a modem without cells"),
    ],
)  # fmt: skip
def test_room_behind_a_shaper(config: str, expected: Confidence | None) -> None:
    hits = hits_of(SHAPER_WITHOUT_ROOM.find(device_of(config), NoParams()))

    assert [hit.confidence for hit in hits] == ([expected] if expected else [])


def test_the_bytes_by_hand() -> None:
    evidence = hit_of(SHAPER_WITHOUT_ROOM.find(device_of(tunnel("10000000")), NoParams())).evidence

    # 1500 + 24 + 38 for 1500 + 24 bytes that the shaper counts; 340 + 24 + 38 for 340 alone.
    assert (evidence.large_kbps, evidence.mean_kbps) == ("249.3 kb/s", "1823.5 kb/s")
    assert evidence.burst is not None
    assert evidence.burst.rate_bps == 8_457_000  # 10 Mb/s * 340 / 402
