"""The CPU of DLSw+ beside the load that the counted frames give the platform."""

import pytest

from advisor.predict.comparison import compared
from advisor.predict.what_if.compared import (
    Compared,
    NotComparable,
    NotCompared,
    Off,
    TooWide,
    Window,
    WindowKind,
    Within,
)
from advisor.settings import Settings
from tests.support.devices import device_read

CONFIG = """\
r1#show running-config
! Chassis type: 3640
hostname r1
dlsw local-peer peer-id 10.0.0.1
dlsw bridge-group 1
interface Ethernet0
 load-interval 30
 bridge-group 1
end
"""
CPU = "r1#show processes cpu | include CPU\nCPU utilization for five seconds: {}\n"
PORT = """\
r1#show interfaces
Ethernet0 is up, line protocol is up
  Hardware is Lance
  MTU 1500 bytes, BW 10000 Kbit, DLY 1000 usec, rely 255/255, load 1/255
  30 second input rate 90000 bits/sec, {0} packets/sec
  30 second output rate 90000 bits/sec, {0} packets/sec
"""


def row_of(cpu: str, packets_per_s: int | None) -> Compared:
    port = "" if packets_per_s is None else PORT.format(packets_per_s)
    found = compared(device_read(CONFIG + CPU.format(cpu) + port), Settings())
    (row,) = (row for row in found if row.metric.startswith("process-level CPU"))
    return row


def steady(percent: int, interrupts: int) -> str:
    return f"{percent}%/{interrupts}%; one minute: {percent}%; five minutes: {percent}%"


@pytest.mark.parametrize(
    ("percent", "packets_per_s", "verdict"),
    [
        pytest.param(12, 100, Within | TooWide, id="the load of 200 frames a second"),
        pytest.param(90, 100, Off, id="far more than these frames take"),
    ],
)
def test_the_process_level_cpu_stands_beside_the_counted_frames(
    percent: int, packets_per_s: int, verdict: type
) -> None:
    row = row_of(steady(percent, 2), packets_per_s)
    assert isinstance(row.verdict, verdict)
    assert row.measured is not None
    assert row.measured.value == percent - 2
    assert row.window == Window(WindowKind.AVERAGE, 5)
    assert [known.value for known in row.given] == [2 * packets_per_s]


def test_a_higher_load_is_that_of_more_frames() -> None:
    row = row_of(steady(90, 2), 100)
    assert row.refutation is not None
    assert row.refutation.solved is not None
    assert row.refutation.solved.needed > 200
    assert row.refutation.solved.gives.value == pytest.approx(88)


@pytest.mark.parametrize(
    ("cpu", "packets_per_s", "reason"),
    [
        pytest.param(steady(20, 2), None, NotCompared.UNPREDICTED, id="no frames were counted"),
        pytest.param(
            "60%/2%; one minute: 20%; five minutes: 10%",
            100,
            NotCompared.MOMENT,
            id="a load that moves",
        ),
    ],
)
def test_a_cpu_is_not_compared_where(
    cpu: str, packets_per_s: int | None, reason: NotCompared
) -> None:
    verdict = row_of(cpu, packets_per_s).verdict
    assert isinstance(verdict, NotComparable)
    assert verdict.reason is reason
