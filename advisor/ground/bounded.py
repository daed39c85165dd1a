"""Reads the files and streams that a user names, with limits on size and waiting time."""

import errno
import os
import select
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import BinaryIO, Final

STDIN: Final = "-"
MEGABYTE: Final = 1024 * 1024
LARGEST_BYTES: Final = 100 * MEGABYTE  # a larger syntax tree would not fit the memory of a laptop
LARGEST_TABLE_BYTES: Final = 10 * MEGABYTE  # of settings, scenarios, tables
_DEEPEST: Final = 20  # folders in folders
_WAIT_S: Final = 10.0  # for the other end of a named pipe
_IDLE_S: Final = 5.0  # for a device that has nothing more to say and does not end
_RETRY_S: Final = 0.05
_CHUNK_BYTES: Final = MEGABYTE


class TooMuchInputError(OSError):
    """The input exceeds the limit, as an endless stream does."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {_size(most_bytes)}")


def _size(most_bytes: int) -> str:
    return f"{most_bytes // MEGABYTE} MB" if most_bytes >= MEGABYTE else f"{most_bytes // 1000} kB"


class NotRegularError(OSError):
    """A folder, a pipe or a device is where a file was expected."""

    def __init__(self) -> None:
        super().__init__(errno.EINVAL, "is not a regular file")


def read_bounded(file: BinaryIO, most_bytes: int = LARGEST_BYTES) -> bytes:
    """Read an open stream to its end, as standard input.

    Raises
    ------
    OSError
        If it holds more bytes, or is a device that does not end.
    """
    try:
        handle = file.fileno()
        is_device = stat.S_ISCHR(os.fstat(handle).st_mode) and not os.isatty(handle)
    except (OSError, ValueError):  # it has no handle
        is_device = False
    if is_device:
        return _read(handle, most_bytes, blocks=True)
    payload = file.read(most_bytes + 1)
    if len(payload) > most_bytes:
        raise TooMuchInputError(most_bytes)
    return payload


def read_file(path: str | Path, most_bytes: int = LARGEST_TABLE_BYTES) -> bytes:
    """Read a file, a device or a pipe; `-` is standard input.

    Raises
    ------
    OSError
        If it cannot be read, is too large, is a terminal, a named pipe that nobody opens for
        writing, or a device that does not end.
    """
    if str(path) == STDIN:
        return read_bounded(sys.stdin.buffer, most_bytes)
    with _opened(path, waits=True) as handle:
        status = os.fstat(handle)
        if stat.S_ISREG(status.st_mode) and status.st_size > most_bytes:
            raise TooMuchInputError(most_bytes)
        if os.isatty(handle):
            raise OSError(errno.EINVAL, "is a terminal; name - to read what is typed")
        return _read(handle, most_bytes)


def read_regular(
    path: str | Path, most_bytes: int = LARGEST_BYTES, *, follows_link: bool = True
) -> bytes:
    """Read a file that a folder or another file names.

    Raises
    ------
    NotRegularError
        If it is no regular file.
    OSError
        If it cannot be read, is too large, or is a link that is not to be followed.
    """
    if not follows_link and stat.S_ISLNK(os.lstat(path).st_mode):
        raise OSError(errno.ELOOP, "is a link, which is not followed")
    with _opened(path, follows_link=follows_link) as handle:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise NotRegularError
        if status.st_size > most_bytes:
            raise TooMuchInputError(most_bytes)
        return _read(handle, most_bytes)


def entries_below(
    folder: str | Path, most: int, depth: int = _DEEPEST
) -> Iterator["os.DirEntry[str]"]:
    """Yield what a folder holds, and the folders in it down to a depth; no link is followed.

    Raises
    ------
    OSError
        If a folder cannot be read, or there is more.
    """
    seen, folders = 0, [(str(folder), 1)]
    while folders:
        name, level = folders.pop()
        with os.scandir(name) as entries:
            for entry in entries:
                seen += 1
                if seen > most:
                    raise OSError(errno.EFBIG, f"holds more than {most} files")
                if level < depth and entry.is_dir(follow_symlinks=False):
                    folders.append((entry.path, level + 1))
                yield entry


def write_stream(path: Path, payload: bytes) -> None:
    """Write to a device or a pipe; the wait for a reader of the pipe is limited.

    Raises
    ------
    OSError
        If it cannot be written, or nobody reads the pipe.
    """
    flags = os.O_WRONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
    until = monotonic() + _WAIT_S
    while True:
        try:
            handle = os.open(path, flags)
            break
        except OSError as error:
            if error.errno != errno.ENXIO or not path.is_fifo():
                raise
            if monotonic() > until:
                raise OSError(errno.ETIMEDOUT, "is a pipe that nobody reads") from error
        sleep(_RETRY_S)
    os.set_blocking(handle, True)
    with os.fdopen(handle, "wb") as stream:
        stream.write(payload)


@contextmanager
def _opened(path: str | Path, *, waits: bool = False, follows_link: bool = True) -> Iterator[int]:
    """Open a handle that does not block; only a pipe may wait for its other end (`waits`)."""
    flags = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    if not follows_link:
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        is_pipe = waits and stat.S_ISFIFO(os.stat(path).st_mode)  # noqa: PTH116 -- names may hold any bytes
        if is_pipe:
            handle = _opened_pipe(path, flags)
        else:
            flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
            handle = os.open(path, flags)
    except ValueError:  # a NUL in a name, which another file may hold
        raise OSError(errno.EINVAL, os.strerror(errno.EINVAL)) from None
    try:
        yield handle
    finally:
        os.close(handle)


def _read(handle: int, most_bytes: int, *, blocks: bool = False) -> bytes:
    """All bytes of a handle, which `blocks` where another process opened it.

    Files of /proc that never end have nothing to read at times, as devices have.
    """
    chunks: list[bytes] = []
    room = most_bytes + 1
    idle_until = monotonic() + _IDLE_S
    while room > 0:
        try:
            if blocks and not has_more(handle, idle_until):
                raise BlockingIOError  # noqa: TRY301 -- as a read that does not block says it
            chunk = os.read(handle, min(room, _CHUNK_BYTES))
        except BlockingIOError:
            if monotonic() > idle_until or not has_more(handle, idle_until):
                raise OSError(errno.ETIMEDOUT, "is a device that does not end") from None
            continue
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        room -= len(chunk)
    raise TooMuchInputError(most_bytes)


def has_more(handle: int, until: float) -> bool:
    """Wait for a handle that has nothing to read now; on Windows a read itself waits."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    return bool(poll.poll(max(until - monotonic(), 0) * 1000))


def _opened_pipe(path: str | Path, flags: int) -> int:
    """Open a pipe; the wait for its other end is limited.

    A pipe of `<(command)` is open at both ends: its command has no time limit.

    Raises
    ------
    OSError
        If it cannot be opened, or nobody opens the pipe for writing.
    """
    opened: list[int] = []
    thread = Thread(target=lambda: opened.append(os.open(path, flags)), daemon=True)
    thread.start()
    thread.join(_WAIT_S)
    if opened:
        return opened[0]
    _let_go(path)
    thread.join()
    for handle in opened:
        os.close(handle)
    raise OSError(errno.ETIMEDOUT, "is a pipe that nobody writes to")


def _let_go(path: str | Path) -> None:
    """End the wait of a thread that opens a pipe: open and close the other end."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return  # the wait has already ended
