"""PATH arguments to sources: files, folders, globs and standard input."""

import os
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from glob import glob, has_magic
from pathlib import Path

from advisor.reading import Source
from advisor.cli.errors import say
from advisor.report.printable import printable

STDIN = "-"
_STDIN_NAME = "<stdin>"
_LARGEST_BYTES = 100 * 1024 * 1024  # beyond it the syntax tree would not fit a laptop's memory
_BINARY_LOOK_BYTES = 8192


def first_folder(paths: Sequence[str]) -> Path:
    """Folder that settings are looked for from: that of the first path, else the current one."""
    if not paths or paths[0] == STDIN:
        return Path.cwd()
    path = Path(paths[0])
    folder = path if path.is_dir() else path.parent
    return folder if folder.is_dir() else Path.cwd()


@dataclass(slots=True)
class Inputs:
    """Reads what PATH arguments name, and keeps a word about what it did not read.

    `unreadable` is wrong use; `declined` leaves the verdict incomplete; `notes` are for the
    record. All three fill up while `sources` is being read.
    """

    paths: Sequence[str]
    unreadable: list[str] = field(default_factory=list)
    declined: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def sources(self) -> Iterator[Source]:
        """Each input once, one at a time: memory is that of the largest file."""
        seen: set[str] = set()
        for path in self.paths:
            for name in self._names(path):
                if name not in seen:
                    seen.add(name)
                    yield from self._read(name, found=name != path)

    def _names(self, path: str) -> Iterator[str]:
        if path == STDIN:
            yield path
        elif os.path.isdir(path):  # noqa: PTH112 -- names stay as the user typed them
            yield from self._under(path)
        elif not os.path.exists(path) and has_magic(path):  # noqa: PTH110
            yield from self._matching(path)
        else:
            yield path

    def _matching(self, pattern: str) -> Iterator[str]:
        matches = sorted(glob(pattern, recursive=True))  # noqa: PTH207
        if not matches:
            self.unreadable.append(f"{pattern}: no file matches")
        for match in matches:
            if os.path.isdir(match):  # noqa: PTH112
                yield from self._under(match)
            else:
                yield match

    def _under(self, folder: str) -> Iterator[str]:
        """Regular files below a folder, sorted; hidden ones are skipped, links not followed."""
        hidden = found = 0
        for parent, folders, files in os.walk(folder, onerror=self._not_listed):
            hidden += sum(name.startswith(".") for name in (*folders, *files))
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if not name.startswith("."):
                    found += 1
                    yield os.path.join(parent, name)  # noqa: PTH118
        if hidden:
            self.notes.append(f"{folder}: {hidden} hidden files or folders skipped")
        if not found:
            self.unreadable.append(f"{folder}: holds no file to read")

    def _not_listed(self, error: OSError) -> None:
        self.unreadable.append(f"{error.filename}: {error.strerror}")

    def _read(self, name: str, *, found: bool) -> Iterator[Source]:
        """Read one file; `found` below a folder or by a glob, it may be skipped, else not."""
        try:
            payload = self._payload(name, found=found)
        except OSError as error:
            self.unreadable.append(f"{name}: {error.strerror}")
            return
        if payload is None:
            return
        if found and b"\0" in payload[:_BINARY_LOOK_BYTES]:
            self.notes.append(f"{name}: skipped, looks binary")
            return
        yield Source(_STDIN_NAME if name == STDIN else _as_text(name), payload)

    def _payload(self, name: str, *, found: bool) -> bytes | None:
        if name == STDIN:
            return sys.stdin.buffer.read()
        with open(name, "rb", opener=_without_waiting if found else None) as file:
            status = os.fstat(file.fileno())
            if found and not stat.S_ISREG(status.st_mode):
                self.notes.append(f"{name}: skipped, not a regular file")
                return None
            if status.st_size > _LARGEST_BYTES:
                megabytes = _LARGEST_BYTES // 1024 // 1024
                self.declined.append(f"{name}: not read, larger than {megabytes} MB")
                return None
            return file.read()

    def warn(self, *, quiet: bool) -> None:
        """Say on standard error what was not read; notes only unless `quiet`."""
        for line in (*self.unreadable, *self.declined, *(() if quiet else self.notes)):
            say(printable(line))


def _as_text(name: str) -> str:
    """Name of a file as text that every format can carry: names may hold any byte."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _without_waiting(path: str, flags: int) -> int:
    """Open a file below a folder without hanging on a named pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
