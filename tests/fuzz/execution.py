"""Runs a case in this process: its readers, then its commands, each under a watch."""

import io
import os
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Final
from unittest import mock

from msgspec import Struct

from advisor.cli import app, endings, run
from advisor.lint import cards as card
from tests.fuzz.case import Call, Case
from tests.fuzz.material import ROOT
from tests.fuzz.oracles import Ended, Fault, broken
from tests.fuzz.readers import READERS, BrokenLawError

CPU_S: Final = 10.0
_POINTS: Final = 10  # a sweep may have a thousand points
_REPORT: Final = "report.out"
_HARMLESS: Final = (os.devnull, "/proc", "/dev")
_SHOWN_FRAMES: Final = 4


class TooSlowError(BaseException):
    """A target took more CPU than any input may; no `except Exception` stops it."""


class Outcome(Struct, frozen=True):
    """What became of a case."""

    index: int
    kind: str
    faults: tuple[Fault, ...]
    targets: tuple[str, ...]
    codes: tuple[int, ...]
    took_s: float


class Bench:
    """A folder to run cases in, and an eye on what is written outside of it."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="advisor-fuzz-")).resolve()
        self.crashes = self.folder / "crashes"
        os.environ["XDG_CACHE_HOME"] = str(self.folder / "cache")  # of what is kept
        self.outside: list[str] = []
        self._is_watching = False
        sys.addaudithook(self._heard)
        # A process reads the command line and the cards once; here thousands would read them.
        app.command = cache(app.command)
        card.catalogue = cache(card.catalogue)

    def remove(self) -> None:
        """Leave nothing behind."""
        os.chdir(ROOT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, case: Case, cpu_s: float = CPU_S) -> Outcome:
        """Run a case in a fresh folder."""
        work = self.folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        shutil.rmtree(self.crashes, ignore_errors=True)
        self.crashes.mkdir()
        for name, payload in case.files.items():
            file = work / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(payload)
        os.chdir(work)
        start = time.perf_counter()
        faults: list[Fault] = []
        codes: list[int] = []
        for name in case.readers:
            faults += self._read(name, case, cpu_s)
        for call in case.calls:
            ended, found = self._command(call, case, cpu_s)
            faults += found
            codes += [] if ended is None else [ended.code]
        faults += self._left_over(case, work)
        targets = (
            *(f"read {name}" for name in case.readers),
            *(_name(call) for call in case.calls),
        )
        took_s = time.perf_counter() - start
        return Outcome(case.index, case.kind, tuple(faults), targets, tuple(codes), took_s)

    def _read(self, name: str, case: Case, cpu_s: float) -> Iterator[Fault]:
        read, errors = READERS[name]
        try:
            with _limited(cpu_s), self._watched():
                read(case)
        except errors:
            return
        except BrokenLawError as error:
            yield Fault(f"read {name}", "law", str(error), "")
        except (Exception, TooSlowError) as error:  # noqa: BLE001 -- whatever a defect raises
            yield fault_of(f"read {name}", error)

    def _command(self, call: Call, case: Case, cpu_s: float) -> tuple[Ended | None, list[Fault]]:
        caught: list[Exception] = []
        streams = [io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2)]
        stdin = io.TextIOWrapper(io.BytesIO(case.files.get(call.stdin, b"")), encoding="utf-8")
        told = endings.write_crash_report

        def report(error: Exception) -> Any:
            caught.append(error)
            return told(error)

        written = Path(_REPORT)
        written.unlink(missing_ok=True)  # that of the command before
        try:
            with (
                mock.patch.multiple(sys, stdin=stdin, stdout=streams[0], stderr=streams[1]),
                mock.patch.object(endings, "write_crash_report", report),
                mock.patch.object(tempfile, "tempdir", str(self.crashes)),
                _limited(cpu_s * _POINTS if "--sweep" in call.words else cpu_s),
                self._watched(),
            ):
                code = int(run(call.words))
                for stream in streams:
                    stream.flush()
        except (Exception, TooSlowError) as error:  # noqa: BLE001 -- whatever a defect raises
            return None, [fault_of(_name(call), error)]
        stdout, stderr = (_bytes_of(stream) for stream in streams)
        report_bytes = written.read_bytes() if _REPORT in call.words and written.exists() else b""
        ended = Ended(call.words, code, stdout, stderr, report_bytes)
        if caught:
            return ended, [fault_of(ended.target, error) for error in caught]
        return ended, list(broken(ended))

    def _left_over(self, case: Case, work: Path) -> Iterator[Fault]:
        files = {str(file.relative_to(work)) for file in work.rglob("*") if file.is_file()}
        for name in sorted(files - set(case.files) - {_REPORT}):
            yield Fault(case.kind, "file left behind", "folder of the input", name)
        for event in self.outside:
            yield Fault(case.kind, "reach outside", event.partition(" ")[0], event)
        self.outside.clear()

    @contextmanager
    def _watched(self) -> Iterator[None]:
        self._is_watching = True
        try:
            yield
        finally:
            self._is_watching = False

    def _heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_watching:
            return
        if event == "open":
            path, mode, flags = arguments
            writes = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
            if (writes or (isinstance(mode, str) and set(mode) & set("wax+"))) and path is not None:
                self._wrote(event, path)
        elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink"):
            self._wrote(event, arguments[0])
        elif event in ("subprocess.Popen", "os.system", "os.exec", "socket.connect"):
            self.outside.append(f"{event} {ascii(arguments)[:200]}")

    def _wrote(self, event: str, path: Any) -> None:
        if isinstance(path, int):
            return
        target = os.path.abspath(os.fsdecode(path))  # noqa: PTH100 -- a hook must not resolve links
        if not target.startswith((str(self.folder), *_HARMLESS)) and "__pycache__" not in target:
            self.outside.append(f"{event} {target}")


def _name(call: Call) -> str:
    return Ended(call.words, 0, b"", b"").target


def _bytes_of(stream: io.TextIOWrapper) -> bytes:
    buffer = stream.buffer
    return buffer.getvalue() if isinstance(buffer, io.BytesIO) else b""


@contextmanager
def _limited(cpu_s: float) -> Iterator[None]:
    """Raise in a target that takes too much CPU; a warning is a defect too."""
    before = signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, cpu_s)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _too_slow(_: int, __: FrameType | None) -> None:
    raise TooSlowError


def fault_of(target: str, error: BaseException) -> Fault:
    """A fault by the type of its error and the last frame of the project."""
    frames = [frame for frame in _frames(error.__traceback__) if frame.startswith("advisor/")]
    detail = "\n".join([*frames[-_SHOWN_FRAMES:], f"{type(error).__name__}: {str(error)[:300]}"])
    return Fault(target, type(error).__name__, frames[-1] if frames else "outside", detail)


def _frames(trace: TracebackType | None) -> list[str]:
    return [
        f"{os.path.relpath(frame.filename, ROOT)}:{frame.lineno} in {frame.name}"
        if frame.filename.startswith(str(ROOT))
        else f"{frame.filename}:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(trace)
    ]
