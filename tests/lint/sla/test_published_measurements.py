"""The published figures of the ring test on two 2800: all within the bounds, no hit."""

from pathlib import Path

import pytest
from msgspec.structs import asdict, replace

from advisor.lint.checks.base import Hit, Skip
from advisor.lint.checks.sla import (
    OverBound,
    OverBoundParams,
    find_measured_over_predicted_bound,
)
from tests.support.devices import device_read
from tests.support.verdicts import hit_of
from tools.validation.ip_sla import PUBLISHED, Measured, read_measured

MEASURED = read_measured((Path(__file__).parents[3] / PUBLISHED).read_text("utf-8"))
RUNS = [pytest.param(run, id=run.scenario) for run in MEASURED]
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
 clock rate {line_kbps:g}000
 tx-ring-limit {tx_ring_limit}
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
        Number Of RTT: 387              RTT Min/Avg/Max: {rtt_ms[0]}/{rtt_ms[1]}/{rtt_ms[2]}
Jitter Time:
        Number of Jitter Samples: 334
        Source to Destination Jitter Min/Avg/Max: {jitter_ms[0]}/{jitter_ms[1]}/{jitter_ms[2]}
        Destination to Source Jitter Min/Avg/Max: 1/1/1
"""


def judged(run: Measured) -> list[Hit[OverBound] | Skip]:
    text = (
        f"a1#show running-config\n{CONFIG.format(**asdict(run))}"
        f"a1#show ip sla statistics aggregated\n{OUTPUT.format(**asdict(run))}a1#\n"
    )
    device = device_read(text, file="a1.txt")
    return list(
        find_measured_over_predicted_bound(
            device, OverBoundParams(processing_ms=10.0, cpu_percent=50.0)
        )
    )


def test_the_publication_has_twelve_runs() -> None:
    assert len(MEASURED) == 12


@pytest.mark.parametrize("run", RUNS)
def test_a_published_measurement_is_within_its_bound(run: Measured) -> None:
    assert judged(run) == []


@pytest.mark.parametrize("run", RUNS)
def test_a_hundred_times_the_longest_round_trip_is_over_its_bound(run: Measured) -> None:
    least_ms, mean_ms, longest_ms = run.rtt_ms

    hit = hit_of(judged(replace(run, rtt_ms=(least_ms, mean_ms, 100 * longest_ms))))

    assert hit.evidence.measured.startswith(f"RTT up to {100 * longest_ms:g} ms")
