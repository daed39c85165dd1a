"""The end of a run: no device is begun any more, and no wait for a connection goes on."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Event, Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paramiko import Channel


class Stop:
    """An event that closes connections too. Safe to use from many threads."""

    def __init__(self) -> None:
        self._event, self._lock = Event(), Lock()
        self._lines: list[socket.socket | Channel] = []

    def is_set(self) -> bool:
        """Whether the run is to end."""
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end of the run; whether it has come."""
        return self._event.wait(seconds)

    def set(self) -> None:
        """End the run: who waits for a device that logs in waits no longer."""
        self._event.set()
        with self._lock:
            for line in self._lines:
                _cut(line)

    def cuts_for_good(self, line: "socket.socket | Channel") -> None:
        """Cut a line when the run is ended, however late."""
        with self._lock:
            self._lines.append(line)
            if self._event.is_set():
                _cut(line)

    @contextmanager
    def cuts(self, line: "socket.socket | Channel") -> Iterator[None]:
        """Cut a line if the run is ended meanwhile."""
        self.cuts_for_good(line)
        try:
            yield
        finally:
            with self._lock:
                self._lines.remove(line)


def _cut(line: "socket.socket | Channel") -> None:
    # paramiko's reader wakes by the end of the stream; a socket closed under it would not tell.
    with suppress(OSError, EOFError):
        line.shutdown(socket.SHUT_RDWR)
