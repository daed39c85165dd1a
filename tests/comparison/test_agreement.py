"""Measured beside predicted: what counts as agreement, and that a miss is explained."""

import pytest

from advisor.device.index import read_devices
from advisor.device.reading import Source
from advisor.predict.comparison import compared
from advisor.predict.what_if.compared import Agreement
from advisor.settings import Settings

CONFIG = """\
version 12.4
hostname r1
class-map match-any VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 128
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 service-policy output EDGE
ip sla 10
 udp-jitter 192.0.2.2 16384
 tos 184
ip sla schedule 10 life forever start-time now
end
"""
SLA = """\
r1#show ip sla statistics
Round Trip Time (RTT) for       Index 10
        Latest RTT: {rtt} milliseconds
Latest operation start time: 13:15:22.851 UTC Fri Apr 18 2008
Latest operation return code: OK
RTT Values:
        Number Of RTT: 10               RTT Min/Avg/Max: {rtt}/{rtt}/{rtt} milliseconds
"""
CPU = (
    "r1#show processes cpu\n"
    "CPU utilization for five seconds: {0}%/6%; one minute: {0}%; five minutes: {0}%\n"
)


def rows(*texts: str, config: str = CONFIG) -> dict[str, tuple[Agreement, tuple[str, ...]]]:
    sources = [Source(f"r1-{n}.txt", text.encode()) for n, text in enumerate((config, *texts))]
    (reading,) = read_devices(sources, Settings())
    found = compared(reading.device, Settings())
    return {each.metric: (each.agreement, each.explains) for each in found}


@pytest.mark.parametrize(
    ("rtt_ms", "expected"),
    [
        pytest.param(1, Agreement.BELOW, id="faster than the model"),
        pytest.param(9000, Agreement.ABOVE, id="slower than the model"),
    ],
)
def test_round_trip(rtt_ms: int, expected: Agreement) -> None:
    agreement, _ = rows(SLA.format(rtt=rtt_ms))["round trip of probe 10"]
    assert agreement is expected


SUMMARY = """\
r1#show ip sla summary
ID           Type        Destination       Stats       Return      Last
*10          udp-jitter  192.0.2.2         RTT={rtt}       OK          9 seconds ago
"""


@pytest.mark.parametrize(
    ("rtt_ms", "expected"),
    [
        pytest.param(1, Agreement.BELOW, id="less than its own transmission"),
        pytest.param(20, Agreement.WITHIN, id="between its least time and its bound"),
        pytest.param(9000, Agreement.ABOVE, id="more than its bound"),
    ],
)  # fmt: skip
def test_the_round_trip_of_one_packet(rtt_ms: int, expected: Agreement) -> None:
    found = rows(SUMMARY.format(rtt=rtt_ms))

    assert found["round trip of probe 10, one packet"][0] is expected


def test_one_packet_of_a_class_without_known_traffic() -> None:
    found = rows(SUMMARY.format(rtt=20), config=CONFIG.replace(" tos 184\n", ""))

    assert found["round trip of probe 10"][0] is Agreement.UNKNOWN


@pytest.mark.parametrize(
    ("cpu_percent", "expected"),
    [
        pytest.param(50, Agreement.WITHIN, id="at the limit"),
        pytest.param(51, Agreement.ABOVE, id="over the limit"),
    ],
)
def test_cpu_against_its_limit(cpu_percent: int, expected: Agreement) -> None:
    assert rows(CPU.format(cpu_percent))["CPU of one minute, its limit 50 %"][0] is expected


def test_nothing_measured_is_nothing_compared() -> None:
    assert rows() == {}
