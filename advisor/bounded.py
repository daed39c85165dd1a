"""Reads the files and streams that a user names, with limits on size and waiting time."""

import errno
import os
import stat
from pathlib import Path
from threading import Thread
from typing import BinaryIO, Final

MEGABYTE: Final = 1024 * 1024
LARGEST_BYTES: Final = 100 * MEGABYTE  # a larger syntax tree would not fit the memory of a laptop
LARGEST_TABLE_BYTES: Final = 10 * MEGABYTE  # of settings, scenarios, tables
_WAIT_S: Final = 10.0  # for the other end of a named pipe


class TooLargeError(OSError):
    """The input exceeds the limit, as an endless stream does."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__(errno.EFBIG, f"larger than {most_bytes // MEGABYTE} MB")


def read_bounded(file: BinaryIO, most_bytes: int = LARGEST_BYTES) -> bytes:
    """Read an open file or stream to its end.

    Raises
    ------
    TooLargeError
        If it holds more bytes. Only `most_bytes` + 1 bytes are read.
    """
    payload = file.read(most_bytes + 1)
    if len(payload) > most_bytes:
        raise TooLargeError(most_bytes)
    return payload


def read_file(path: str | Path, most_bytes: int = LARGEST_TABLE_BYTES) -> bytes:
    """Read a file, a device or a pipe.

    Raises
    ------
    OSError
        If it cannot be read, is too large, or is a named pipe that nobody opens for writing.
    """
    with open(path, "rb", opener=open_waiting) as file:
        status = os.fstat(file.fileno())
        if stat.S_ISREG(status.st_mode) and status.st_size > most_bytes:
            raise TooLargeError(most_bytes)
        return read_bounded(file, most_bytes)


def open_waiting(path: str, flags: int) -> int:
    """Open a file; the wait for the other end of a named pipe is limited.

    A pipe of `<(command)` is open at both ends: its command has no time limit.

    Raises
    ------
    OSError
        If it cannot be opened, or nobody opens the pipe for writing.
    """
    if not stat.S_ISFIFO(os.stat(path).st_mode):  # noqa: PTH116 -- names may hold any bytes
        return os.open(path, flags)
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


def _let_go(path: str) -> None:
    """End the wait of a thread that opens a pipe: open and close the other end."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    except OSError:
        return  # the wait has already ended
