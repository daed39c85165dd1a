"""Ctrl-C and SIGTERM: the first ends the run, further ones do not disturb its end."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

_TERMINATED: Final = 128 + signal.SIGTERM  # the exit code, as shells count it


def end_at_first() -> None:
    """Let the first Ctrl-C or SIGTERM end this process, and ignore further ones until it is gone.

    At its exit Python waits for threads and processes: an interruption of this wait would hang or
    print a traceback. A signal that the caller of the process ignores stays ignored.
    """
    for number, handler in ((signal.SIGINT, _interrupt), (signal.SIGTERM, _terminate)):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def ignore() -> None:
    """Ignore Ctrl-C from now on; a SIGTERM that is not ignored ends the process at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if signal.getsignal(signal.SIGTERM) is not signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextmanager
def announced(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` at the first Ctrl-C within this block, before the run ends."""

    def interrupt(*_: object) -> NoReturn:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        tell()
        _interrupt()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is interrupt:
            signal.signal(signal.SIGINT, before)


def _interrupt(*_: object) -> NoReturn:
    ignore()
    raise KeyboardInterrupt


def _terminate(*_: object) -> NoReturn:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(_TERMINATED)
