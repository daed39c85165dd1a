"""Ctrl-C, SIGTERM and a hang-up: the first ends the run, further ones do not disturb its end."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NoReturn

_ENDS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)


def end_at_first() -> None:
    """Let the first Ctrl-C, SIGTERM or hang-up end this process; further ones are ignored.

    At its exit Python waits for threads and processes: an interruption of this wait would hang or
    print a traceback. A signal that the caller of the process ignores stays ignored.
    """
    handlers = {signal.SIGINT: _interrupt} | dict.fromkeys(_ENDS, _terminate)
    for number, handler in handlers.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)


def ignore() -> None:
    """Ignore Ctrl-C from now on; another signal that is not ignored ends the process at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


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


def _terminate(received: int, *_: object) -> NoReturn:
    for number in (signal.SIGINT, *_ENDS):
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + received)  # as shells count it
