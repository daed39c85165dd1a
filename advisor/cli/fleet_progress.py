"""Progress while devices are read: a line for each event, a bar for the interval."""

import sys
from threading import Lock
from typing import TYPE_CHECKING, Self

from advisor.cli.options import View, is_plain
from advisor.cli.process import say, terminal
from advisor.collect.hosts import Target
from advisor.report import printable

if TYPE_CHECKING:
    from rich.progress import Progress, Task, TaskID

    from advisor.collect.fleet import DeviceOutcome

_SHORT_S = 2.0  # a wait that is over before a bar is read


class FleetProgress:
    """Tells what happens with the devices of a run, if standard error is a terminal.

    `say` and `pause` may be called by many threads.
    """

    def __init__(self, total: int, view: View) -> None:
        self._total, self._ended_count = total, 0
        self._is_shown = sys.stderr.isatty() and not view.quiet
        self._is_plain = is_plain(view)
        self._lock = Lock()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._stop()

    def say(self, target: Target, text: str) -> None:
        """Print why a device waits."""
        if self._is_shown and text != "connecting":
            say(printable(f"{target.name}: {text}"))

    def pause(self, target: Target, seconds: float) -> None:
        """Show how long the last device still waits for its second sample."""
        del target
        if not self._is_shown or seconds < _SHORT_S:
            return
        with self._lock:
            if self._bar is None:
                self._start(seconds)
            elif self._task is not None:
                self._bar.reset(self._task, total=seconds)

    def ended(self, outcome: "DeviceOutcome") -> None:
        """Print how the collection of one device ended."""
        self._ended_count += 1
        with self._lock:
            if self._bar is not None and not any(map(_seconds_left, self._bar.tasks)):
                self._stop()
        if self._is_shown:
            reason = f": {outcome.reason}" if outcome.reason else ""
            progress = f"[{self._ended_count}/{self._total}] {outcome.target.name} {outcome.state}"
            say(printable(f"{progress}{reason}"))

    def _start(self, seconds: float) -> None:
        from rich.console import Console  # noqa: PLC0415 -- most runs have no interval
        from rich.progress import Progress  # noqa: PLC0415

        from advisor.cli.progress_columns import clock_columns  # noqa: PLC0415

        console = Console(file=terminal(), no_color=self._is_plain or None)
        columns = clock_columns()
        self._bar = Progress(*columns, console=console, transient=True, redirect_stdout=False)
        self._task = self._bar.add_task("second samples", total=seconds)
        self._bar.start()

    def _stop(self) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._bar = self._task = None


def _seconds_left(task: "Task") -> float:
    from advisor.cli.progress_columns import seconds_left  # noqa: PLC0415 -- it imports rich

    return seconds_left(task)
