"""A bar on the terminal for a run over many devices: how many are done, how fast, the time left."""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from advisor.cli.heard import is_stream
from advisor.cli.output import is_plain
from advisor.cli.streams import terminal
from advisor.cli.view import View

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_FEWEST: Final = 50  # fewer devices are judged before a bar is read, unless they take their time
_LONG_S: Final = 2.0


class Bar:
    """Shows how many devices are judged, if standard error is a terminal."""

    def __init__(
        self, *, quiet: bool, is_plain: bool = False, now_s: Callable[[], float] = monotonic
    ) -> None:
        self._now_s, self._began_s = now_s, now_s()
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
        if self._bar is None:
            if total < _FEWEST and not self._is_long(count, total):
                return
            self._start(total)
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=count)

    def _is_long(self, count: int, total: int) -> bool:
        return count < total and self._now_s() - self._began_s >= _LONG_S

    def _start(self, total: int) -> None:
        from rich.console import Console  # noqa: PLC0415 -- most runs are over before it is loaded
        from rich.progress import Progress  # noqa: PLC0415

        from advisor.cli.progress_columns import columns  # noqa: PLC0415

        console = Console(file=self._terminal, no_color=self._is_plain or None)
        self._bar = Progress(*columns(), console=console, transient=True, redirect_stdout=False)
        self._task = self._bar.add_task("judging", total=total)
        self._bar.start()


def bar_of(view: View) -> Bar:
    """The bar of a run; none where the user asks for quiet, or a stream of findings is on show."""
    is_disturbing = is_stream(view) and sys.stdout.isatty()
    return Bar(quiet=view.quiet or is_disturbing, is_plain=is_plain(view))
