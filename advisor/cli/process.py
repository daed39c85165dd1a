"""The process and its shell: exit codes, the signals that end a run, standard streams."""

import io
import os
import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from threading import Thread, main_thread
from time import sleep
from typing import Final, NoReturn, Self, TextIO

# The first Ctrl-C, SIGTERM or hang-up ends the run; further ones do not disturb its end. Streams
# may be closed, full, or a terminal.

_INPUT, _OUTPUT, _ERROR = range(3)
_ENDS: Final = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_KERNEL: Final = "wasmtime"  # runs in the main thread without a look at signals
_PATIENCE_S: Final = 0.5  # most calls of the kernel end sooner


class Code(IntEnum):
    """How a run ended; of several, the highest of 4 > 2 > 1 > 3 > 0 counts."""

    CLEAN = 0
    FINDINGS = 1
    WRONG_USE = 2
    INCOMPLETE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # by Ctrl-C, as shells count it


def end_at_first() -> None:
    """Let the first Ctrl-C, SIGTERM or hang-up end this process; further ones are ignored.

    At its exit Python waits for threads and processes: an interruption of this wait would hang or
    print a traceback. A signal that the caller of the process ignores stays ignored.
    """
    handlers = {signal.SIGINT: _interrupt} | dict.fromkeys(_ENDS, _terminate)
    for number, handler in handlers.items():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, handler)
    if hasattr(signal, "pthread_sigmask"):
        _watch()


def prepare_exit() -> None:
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
    prepare_exit()
    raise KeyboardInterrupt


def _terminate(received: int, *_: object) -> NoReturn:
    for number in (signal.SIGINT, *_ENDS):
        signal.signal(number, signal.SIG_IGN)
    raise SystemExit(128 + received)  # as shells count it


def _watch() -> None:
    """Watch for signals beside the main thread, which takes none while it runs the kernel."""
    reader, writer = map(_beside_streams, os.pipe())
    os.set_blocking(writer, False)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    Thread(target=_end_in_kernel, args=(reader,), daemon=True).start()


def _beside_streams(handle: int) -> int:
    """The same pipe under a number that is no standard stream, which may be closed as yet."""
    if handle > _ERROR:
        return handle
    from fcntl import F_DUPFD_CLOEXEC, fcntl  # noqa: PLC0415 -- Windows has none, and no watch

    other = fcntl(handle, F_DUPFD_CLOEXEC, _ERROR + 1)
    os.close(handle)
    return other


def _end_in_kernel(reader: int) -> None:
    """End the process at a signal that finds the main thread in a long call of the kernel."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # those of the main thread
    while number := os.read(reader, 1):
        sleep(_PATIENCE_S)
        frame = sys._current_frames().get(main_thread().ident or 0)  # noqa: SLF001 -- the only way
        is_in_kernel = frame is not None and frame.f_globals["__name__"].startswith(_KERNEL)
        if is_in_kernel and number[0] in (signal.SIGINT, *_ENDS):
            os._exit(128 + number[0])


def shown_safely(text: str) -> str:
    """A text whose control characters are shown as escapes, so that no terminal obeys them."""
    if text.replace("\n", "").isprintable():
        return text
    from advisor.report import printable  # noqa: PLC0415 -- `--help` does without

    return "\n".join(printable(line) for line in text.split("\n"))


def say(text: str) -> None:
    """Print a message on standard error, with control characters escaped."""
    sys.stderr.write(shown_safely(f"advisor: {text}\n"))


_LOGIN_IN_URL: Final = re.compile(
    r"(?<=://)(?:[^\s/:@\"'<>`]{1,200}@|[^\s/:@\"'<>`]{0,200}:[^\s@\"'<>`]{0,400}@)",
    re.ASCII,
)


def without_logins(text: str) -> str:
    """Return a text of any kind whose URLs name no user and no password.

    This is the last gate of what is printed or written, behind the masks of lines.

    Examples
    --------
    >>> without_logins("see ftp://bob:xyzzy@192.0.2.1/x")
    'see ftp://<removed>@192.0.2.1/x'
    """
    if "://" not in text or "@" not in text:
        return text
    return _LOGIN_IN_URL.sub("<removed>@", text)


class _Stream(io.TextIOBase):
    """A standard stream that discards all text after its first failed write."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.fault: OSError | None = None

    def write(self, text: str) -> int:
        self._tried(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._tried(self._stream.flush)

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def behind(self) -> TextIO:
        """The stream that the shell gave."""
        return self._stream

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._stream.encoding

    def _tried(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            self.fault = self.fault or error
            _settle(self._stream)


class StandardOutput(_Stream):
    """Standard output: `fault` is why not all of a report reached it."""

    @property
    def buffer(self) -> Self:
        return self

    def write(self, text: str | bytes) -> int:
        if isinstance(text, str):
            return super().write(without_logins(text))
        self._tried(self._stream.flush)
        self._tried(lambda: self._stream.buffer.write(text))
        return len(text)


class StandardError(_Stream):
    """Standard error: control characters are escaped, and a closed reader is no error."""

    def write(self, text: str) -> int:
        super().write(without_logins(shown_safely(text)))
        self.flush()
        return len(text)


def terminal() -> TextIO | None:
    """Return the terminal that standard error is, for what moves its cursor; else None."""
    if not sys.stderr.isatty():
        return None
    return sys.stderr.behind if isinstance(sys.stderr, StandardError) else sys.stderr


@contextmanager
def safe_streams() -> Iterator[StandardOutput]:
    """Open the streams that a shell closed, and make safe what is written while this lasts.

    A handle that is closed would be given to the next file that is opened. A stream that is put in
    its place fails as the closed one would: it cannot be read, or written.
    """
    _open_handles()
    sys.stdin = sys.stdin or os.fdopen(_INPUT, encoding="utf-8", closefd=False)
    output = sys.stdout or os.fdopen(_OUTPUT, "w", encoding="utf-8", closefd=False)
    error = sys.stderr or os.fdopen(_ERROR, "w", encoding="utf-8", closefd=False)
    stdout, stderr = StandardOutput(output), StandardError(error)
    sys.stdout, sys.stderr = stdout, stderr
    try:
        yield stdout
    finally:
        stdout.flush()
        stderr.flush()
        sys.stdout, sys.stderr = output, error


def _open_handles() -> None:
    for handle in (_INPUT, _OUTPUT, _ERROR):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if handle == _INPUT else os.O_RDONLY)


def _settle(stream: TextIO) -> None:
    """Discard the text that a stream could not write: Python would try once more at exit."""
    with suppress(OSError, ValueError):
        handle = os.open(os.devnull, os.O_WRONLY)
        os.dup2(handle, stream.fileno())
        os.close(handle)
        stream.flush()
