"""What a bar of progress shows beside its length; loaded with the first bar."""

from datetime import timedelta
from math import ceil

from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn
from rich.text import Text


def rate_per_s(task: Task) -> float:
    """Mean rate since the start: results come many at a time; 0 where none has come."""
    return task.completed / task.elapsed if task.elapsed else 0.0


class RateAndTimeLeft(ProgressColumn):
    """How many are done in a second, and the time that the rest takes at this rate."""

    def render(self, task: Task) -> Text:
        rate = rate_per_s(task)
        if not rate or task.total is None:
            return Text("")
        left = timedelta(seconds=ceil((task.total - task.completed) / rate))
        return Text(f"{rate:.3g}/s, {left} left", style="progress.remaining")


def columns() -> tuple[ProgressColumn, ...]:
    """The work, its length, how many are done, how fast, and the time left."""
    description = TextColumn("{task.description}")
    return description, BarColumn(), MofNCompleteColumn(), RateAndTimeLeft()
