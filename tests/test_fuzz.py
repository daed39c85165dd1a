"""Inputs that nobody wrote: no command and no reader breaks a promise on any of them.

ADVISOR_FUZZ=SEED:COUNT asks for others; `python -m tests.fuzz` tells more of what it finds.
"""

import os

import pytest

from tests.fuzz.pool import Pool
from tests.fuzz.report import Tally
from tests.fuzz.worker import Task

JOBS = min(2, os.cpu_count() or 1)


@pytest.mark.slow
def test_no_input_breaks_a_promise() -> None:
    seed, _, count = os.environ.get("ADVISOR_FUZZ", "12:250").partition(":")
    tasks = [Task(int(seed), index) for index in range(int(count))]
    tally = Tally()
    for task, answer in Pool(tasks, JOBS).answers():
        tally.add(task, answer)
    assert tally.inputs + tally.skipped == len(tasks)
    assert not tally.causes, "\n".join(tally.lines(int(seed), 0.0))
