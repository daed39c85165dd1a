"""The bar of the wait for second samples: on a terminal, and nowhere else."""

import io
import sys

import pytest
from rich.progress import Task, TaskID

from advisor.cli.fleet_progress import FleetProgress
from advisor.cli.options import View
from advisor.cli.progress_columns import Clock, ClockLeft, seconds_left
from advisor.collect.fleet import DeviceOutcome, DeviceState
from advisor.collect.hosts import target_of

R1 = target_of("192.0.2.1")


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "quiet", "wait_s", "is_shown"),
    [
        pytest.param(Terminal(), False, 30.0, True, id="a terminal"),
        pytest.param(Terminal(), False, 0.5, False, id="over at once"),
        pytest.param(Terminal(), True, 30.0, False, id="--quiet"),
        pytest.param(io.StringIO(), False, 30.0, False, id="a pipe"),
    ],
)
def test_the_interval_is_shown(
    stream: io.StringIO,
    quiet: bool,
    wait_s: float,
    is_shown: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", stream)

    with FleetProgress(1, View(quiet=quiet)) as progress:
        progress.pause(R1, wait_s)

    assert ("second samples" in stream.getvalue()) is is_shown
    assert ("0:00:30 left" in stream.getvalue()) is is_shown


def test_lines_of_devices_stand_above_the_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)

    with FleetProgress(2, View(no_color=True)) as progress:
        progress.pause(R1, 30.0)
        progress.say(R1, "CPU at 80 %: waiting")
        progress.ended(DeviceOutcome(R1, DeviceState.COLLECTED))
    progress.ended(DeviceOutcome(R1, DeviceState.NOT_REACHED, reason="refused"))

    said = stream.getvalue()
    assert "advisor: 192.0.2.1: CPU at 80 %: waiting\n" in said
    assert "advisor: [1/2] 192.0.2.1 collected\n" in said
    assert said.endswith("advisor: [2/2] 192.0.2.1 not reached: refused\n")


def test_the_clock_runs_by_the_time_that_passed() -> None:
    now_s = [0.0]
    task = Task(TaskID(0), "second samples", 30.0, 0, _get_time=lambda: now_s[0])
    task.start_time = 0.0
    said = []
    for now_s[0] in (0.0, 12.5, 40.0):
        said.append(
            (seconds_left(task), Clock().render(task).completed, str(ClockLeft().render(task)))
        )

    assert said == [
        (30.0, 0.0, "0:00:30 left"),
        (17.5, 12.5, "0:00:18 left"),
        (0.0, 30.0, "0:00:00 left"),
    ]
