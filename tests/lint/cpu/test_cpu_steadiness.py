"""CPU002 and CPU003: interrupts with a known cause; averages that agree."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import Skip
from tests.support.devices import device_read
from tests.support.verdicts import hit_of, hits_of

CPU_INTERRUPT_SHARE_HIGH = CHECKS["cpu-interrupt-share-high"]
CPU_NOT_STEADY = CHECKS["cpu-not-steady"]

HEAD = "CPU utilization for five seconds: {}%/{}%; one minute: {}%; five minutes: {}%\n"
STEADY = CPU_NOT_STEADY.params(5.0, 25.0)
HIGH = CPU_INTERRUPT_SHARE_HIGH.params(30.0, 10.0, 2, 2e6)


def router(*, head: str, interface: str = "", table: str = "") -> Device:
    config = (
        "policy-map EDGE\n class class-default\n  fair-queue\n"
        f"interface Serial0/0\n encapsulation ppp\n{interface} service-policy output EDGE\nend\n"
    )
    text = f"r1#show running-config\n{config}r1#show processes cpu\n{head}{table}r1#\n"
    return device_read(text)


@pytest.mark.parametrize(
    ("loads", "points"),
    [
        pytest.param((8, 6, 8, 5), None, id="3 points at 8 %"),
        pytest.param((20, 10, 12, 8), 8, id="8 points at 20 %"),
        pytest.param((10, 1, 5, 5), None, id="5 points are steady"),
        pytest.param((11, 1, 5, 5), 6, id="6 are not"),
        pytest.param((80, 1, 60, 60), None, id="a quarter of 80 is steady"),
        pytest.param((80, 1, 59, 59), 21, id="a point more is not"),
        pytest.param((50, 1, 50, 30), 20, id="the five minutes count too"),
    ],
)
def test_averages_that_differ(loads: tuple[int, ...], points: int | None) -> None:
    said = list(CPU_NOT_STEADY.find(router(head=HEAD.format(*loads)), STEADY))

    found = [each.evidence.difference_points for each in hits_of(said)]
    assert found == ([] if points is None else [points])


FAST_SHORT = " clock rate 8000000\n tx-ring-limit 1\n"
SLOW_SHORT = " clock rate 512000\n tx-ring-limit 1\n"
FAST = " clock rate 8000000\n tx-ring-limit 8\n"
TABLE = (
    " PID Runtime(ms)     Invoked      uSecs   5Sec   1Min   5Min TTY Process\n"
    "  64       30152      402110         74 22.22% 21.30% 20.71%   0 IP Input\n"
)
BUSY = HEAD.format(46, 41, 45, 44)


@pytest.mark.parametrize(
    ("interface", "table", "causes"),
    [
        pytest.param(FAST_SHORT, "", "the ring of 1 on Serial0/0", id="a ring of 1 at 8 Mb/s"),
        pytest.param(FAST, TABLE, "process switching (IP Input at 22.22 %)", id="IP Input is busy"),
        pytest.param(
            FAST_SHORT,
            TABLE,
            "the ring of 1 on Serial0/0 and process switching (IP Input at 22.22 %)",
            id="both",
        ),
    ],
)
def test_a_known_cause_of_interrupts_is_named(interface: str, table: str, causes: str) -> None:
    known = router(head=BUSY, interface=interface, table=table)

    hit = hit_of(CPU_INTERRUPT_SHARE_HIGH.find(known, HIGH))

    assert hit.evidence.causes == causes


@pytest.mark.parametrize(
    ("head", "interface", "skipped"),
    [
        pytest.param(BUSY, SLOW_SHORT, 1, id="a short ring on a slow line is no cause"),
        pytest.param(BUSY, FAST, 1, id="nor is a long one"),
        pytest.param(HEAD.format(46, 29, 45, 44), FAST_SHORT, 0, id="29 % is not high"),
        pytest.param(BUSY.replace("/41%", ""), FAST_SHORT, 1, id="the share is not printed"),
    ],
)
def test_without_a_cause_or_a_share_there_is_no_finding(
    head: str, interface: str, skipped: int
) -> None:
    said = list(CPU_INTERRUPT_SHARE_HIGH.find(router(head=head, interface=interface), HIGH))

    assert [type(each) for each in said] == [Skip] * skipped
