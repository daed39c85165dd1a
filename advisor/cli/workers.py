"""Judges devices in this process, in several or on a cluster, with a bar of progress."""

# ruff: noqa: PLC0415 -- a run over one file starts none of it
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from glob import has_magic
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from advisor.api import RunOptions
from advisor.cli.endings import WrongUseError
from advisor.cli.lint_options import Diff, Fix, Lint, TakeBaseline, Trends
from advisor.cli.options import View, is_plain
from advisor.cli.process import say, terminal
from advisor.device.sources import TaskRunner, in_this_process
from advisor.ground.faults import Guard
from advisor.report import printable

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from advisor.lint.run import FindingSink

_FEW: Final = 100  # devices that are judged in the time that processes take to start
_FEWEST_SHOWN: Final = 50  # fewer devices are judged before a bar is read, unless they are slow
_LONG_S: Final = 2.0
_RATE_AFTER_S: Final = 1.0


def executor(
    paths: Sequence[str], workers: int | None = None, scheduler: str | None = None
) -> AbstractContextManager[TaskRunner]:
    """The processes that judge the devices of paths; the caller closes them at the end.

    If the user states neither workers nor a scheduler, that is one process for files, and one for
    each core for a folder that holds more than a few devices.

    Raises
    ------
    WrongUseError
        If the cluster cannot be used, or the number of workers is stated beside it.
    """
    if scheduler is not None:
        return _cluster(scheduler, workers)
    if workers == 1 or (workers is None and not _may_be_many(paths)):
        return nullcontext(in_this_process)
    from advisor.lint.many import WorkerPool, count_of, processes

    count = count_of(workers)
    fewest = _FEW if workers is None else 0
    return nullcontext(in_this_process) if count == 1 else WorkerPool(processes(count), say, fewest)


def _may_be_many(paths: Sequence[str]) -> bool:
    # as the user typed it: a name may be of any bytes
    return len(paths) > _FEW or any(os.path.isdir(path) or has_magic(path) for path in paths)  # noqa: PTH112


def _cluster(address: str, workers: int | None) -> AbstractContextManager[TaskRunner]:
    from advisor.lint.many import ClusterError, WorkerPool, cluster

    if workers is not None:
        raise WrongUseError("--workers: the cluster of --scheduler has its own; leave out one")
    try:
        return WorkerPool(cluster(address), say)
    except ClusterError as error:
        raise WrongUseError(printable(f"--scheduler {address}: {error}")) from None


class Bar:
    """Shows how many devices are judged, if standard error is a terminal."""

    def __init__(
        self, *, quiet: bool, is_plain: bool = False, now_s: Callable[[], float] = monotonic
    ) -> None:
        self._now_s, self._began_s = now_s, now_s()
        self._first_s: float | None = None  # when the first device was judged
        self._is_plain = is_plain
        self._terminal = None if quiet else terminal()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, count: int, total: int) -> None:
        """Show that so many are done."""
        if self._terminal is None:
            return
        now_s = self._now_s()
        self._first_s = now_s if self._first_s is None else self._first_s
        if self._bar is None:
            if total < _FEWEST_SHOWN and not self._is_long(count, total):
                return
            self._start(total)
        if self._bar is not None and self._task is not None:
            took_s = now_s - self._first_s
            rate = f"{(count - 1) / took_s:.0f}/s" if took_s >= _RATE_AFTER_S else ""
            self._bar.update(self._task, completed=count, rate=rate)

    def _is_long(self, count: int, total: int) -> bool:
        return count < total and self._now_s() - self._began_s >= _LONG_S

    def _start(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        console = Console(file=self._terminal, no_color=self._is_plain or None)
        work = TextColumn("{task.description}")
        rate = TextColumn("{task.fields[rate]}")
        columns = (work, BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
        self._bar = Progress(*columns, console=console, transient=True, redirect_stdout=False)
        self._task = self._bar.add_task("judging", total=total, rate="")
        self._bar.start()


def bar_of(view: View) -> Bar:
    """The bar of a run; none where the user asks for quiet, or a stream of findings is on show."""
    is_disturbing = view.is_stream and sys.stdout.isatty()
    return Bar(quiet=view.quiet or is_disturbing, is_plain=is_plain(view))


@contextmanager
def judging(
    options: Lint | Fix | Diff | TakeBaseline | Trends,
    view: View,
    guard: Guard,
    on_findings: "FindingSink | None" = None,
    paths: Sequence[str] | None = None,
) -> Iterator[RunOptions]:
    """Processes that judge the devices of a command, and a bar while they work."""
    judged = options.paths if paths is None else paths
    with (
        executor(judged, options.workers, options.scheduler) as runner,
        bar_of(view) as bar,
    ):
        yield RunOptions(guard, runner, bar, on_findings)
