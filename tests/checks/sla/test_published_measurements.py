"""The published figures of the ring test on two 2800: all within the bounds, none is found."""

import csv
from pathlib import Path

import pytest

from advisor.checks.base import Hit, Skip
from advisor.checks.sla.measured_over_predicted_bound import Params, find
from tests.support.devices import device_read

TABLE = Path(__file__).parents[4] / "shared" / "facts" / "ip_sla_measurements.csv"
ROWS = list(csv.DictReader(TABLE.read_text("utf-8").splitlines())) if TABLE.is_file() else [{}]
CONFIG = """\
!Chassis type: 2811
hostname a1
class-map match-all Echo
 match protocol icmp
policy-map EchoPriority
 class Echo
  priority 64
 class class-default
  fair-queue
interface Serial0/1/0
 ip address 172.16.1.129 255.255.255.252
 encapsulation ppp
 clock rate {line_kbps}000
 tx-ring-limit {tx_ring}
 service-policy output EchoPriority
ip sla 50000
 icmp-jitter 172.16.1.130
end
"""
OUTPUT = """\
Round Trip Time (RTT) for       Index 50000
Start Time Index: 13:15:22.851 UTC Fri Apr 18 2008
Type of operation: icmpJitter
RTT Values:
        Number Of RTT: 387              RTT Min/Avg/Max: {rtt_min_ms}/{rtt_avg_ms}/{rtt_max_ms}
Jitter Time:
        Number of Jitter Samples: 334
        Source to Destination Jitter Min/Avg/Max: {jitter_min_ms}/{jitter_avg_ms}/{jitter_max_ms}
        Destination to Source Jitter Min/Avg/Max: 1/1/1
"""


@pytest.mark.skipif(not TABLE.is_file(), reason=f"{TABLE} is not there")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(list(row.values())[:3]))
def test_a_published_measurement_is_within_its_bound(row: dict[str, str]) -> None:
    text = (
        f"a1#show running-config\n{CONFIG.format(**row)}"
        f"a1#show ip sla statistics aggregated\n{OUTPUT.format(**row)}a1#\n"
    )
    device = device_read(text, file="a1.txt")

    said = list(find(device, Params(processing_ms=10.0, cpu_percent=50.0)))

    assert not [each for each in said if isinstance(each, (Hit, Skip))]
