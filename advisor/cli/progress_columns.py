"""Columns beside a bar of progress; loaded with the first bar."""

from datetime import timedelta
from math import ceil
from typing import Final

from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn
from rich.progress_bar import ProgressBar
from rich.text import Text

_CLOCK_WIDTH: Final = 30


def rate_per_s(task: Task) -> float:
    """Mean rate since the start: results come many at a time; 0 where none has come."""
    return task.completed / task.elapsed if task.elapsed else 0.0


class RateAndTimeLeft(ProgressColumn):
    """Devices a second, and the time that the rest takes at this rate."""

    def render(self, task: Task) -> Text:
        rate = rate_per_s(task)
        if not rate or task.total is None:
            return Text("")
        left = timedelta(seconds=ceil((task.total - task.completed) / rate))
        return Text(f"{rate:.3g}/s, {left} left", style="progress.remaining")


def seconds_left(task: Task) -> float:
    """Time until a wait is over; 0 where it is."""
    return max((task.total or 0.0) - (task.elapsed or 0.0), 0.0)


class Clock(ProgressColumn):
    """Part of a wait that is over."""

    def render(self, task: Task) -> ProgressBar:
        total = task.total or 0.0
        return ProgressBar(total=total, completed=total - seconds_left(task), width=_CLOCK_WIDTH)


class ClockLeft(ProgressColumn):
    """The time until a wait is over."""

    def render(self, task: Task) -> Text:
        left = timedelta(seconds=ceil(seconds_left(task)))
        return Text(f"{left} left", style="progress.remaining")


def clock_columns() -> tuple[ProgressColumn, ...]:
    """Reason of a wait, the part that is over, and the time left."""
    return TextColumn("{task.description}"), Clock(), ClockLeft()


def columns() -> tuple[ProgressColumn, ...]:
    """The work, its length, how many are done, how fast, and the time left."""
    description = TextColumn("{task.description}")
    return description, BarColumn(), MofNCompleteColumn(), RateAndTimeLeft()
