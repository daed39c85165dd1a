"""The process that fills templates of users: started once, asked again, killed when it is late."""

import atexit
import os
import pickle
import sys
from collections.abc import Mapping
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from advisor.ground.faults import AdvisorError
from advisor.lint.sandbox import (
    Fill,
    TemplateAnswer,
    TemplateLimits,
    TemplateLoad,
    TemplateSource,
    received,
    send,
)

if TYPE_CHECKING:
    from subprocess import Popen


# Not `-m`, which would import what the folder of a stranger holds.
_PROGRAM: Final = (
    "import sys; sys.path[:] = sys.argv[1:]; from advisor.lint.sandbox import serve; "
    "serve(sys.stdin.buffer, sys.stdout.buffer)"
)
_START_S: Final = 60.0  # on a machine that is busy
LIMITS: TemplateLimits = TemplateLimits()


class TemplateProcessError(AdvisorError):
    """No process can be started in which templates of users are bounded."""


class SiteAndOurs(Struct, frozen=True):
    """The templates of a site by their names, and ours, which they may include."""

    own: tuple[tuple[str, TemplateSource], ...]
    ours: tuple[tuple[str, TemplateSource], ...]


class _Process:
    """One process with the templates of one site."""

    def __init__(self, templates: SiteAndOurs, limits: TemplateLimits) -> None:
        self._templates, self._limits, self.owner = templates, limits, os.getpid()
        self._is_late = False
        self._process = _started()
        self._say(msgspec.msgpack.encode(limits))
        if self._heard(_START_S) is None:
            self.end()
            raise TemplateProcessError(f"templates of users need {sys.executable}, which fails")
        load = TemplateLoad(dict(templates.own), dict(templates.ours))
        self.loaded = self._asked(load, templates.own[0][0] if templates.own else "")

    def fill(self, name: str, values: Mapping[str, Any]) -> TemplateAnswer:
        """Fill a template."""
        return self._asked(Fill(name, dict(values)), name)

    def serves(self, templates: SiteAndOurs, limits: TemplateLimits) -> bool:
        """Whether it lives, was started here, and holds these templates."""
        is_here = self.owner == os.getpid() and self._process.poll() is None
        is_same = templates is self._templates or templates == self._templates
        return is_here and is_same and limits == self._limits

    def end(self) -> None:
        """Kill the process, and wait for its end."""
        self._process.kill()
        self._process.communicate()

    def _asked(self, request: TemplateLoad | Fill, name: str) -> TemplateAnswer:
        body = pickle.dumps(request)
        self._say(body)
        answer = self._heard(self._limits.clock_s)
        if answer is None:
            return self._ended(name)
        try:
            return msgspec.msgpack.decode(answer, type=TemplateAnswer)
        except msgspec.DecodeError:
            return self._ended(name)

    def _say(self, body: bytes) -> None:
        assert self._process.stdin is not None  # noqa: S101 -- it was started with pipes
        try:
            send(self._process.stdin, body)
        except OSError:
            return  # it has ended, which the wait for its answer shows

    def _heard(self, most_s: float) -> bytes | None:
        assert self._process.stdout is not None  # noqa: S101 -- it was started with pipes
        clock = Timer(most_s, self._is_up)
        clock.daemon = True
        clock.start()
        try:
            return received(self._process.stdout)
        except BaseException:  # an answer to come would be taken for the next one's
            self.end()
            raise
        finally:
            clock.cancel()

    def _is_up(self) -> None:
        self._is_late = True
        self._process.kill()

    def _ended(self, name: str) -> TemplateAnswer:
        """The process has ended without an answer."""
        self.end()
        code = self._process.returncode
        message = f"ends its process (code {code}): it takes too much time or memory"
        if self._is_late:
            message = f"takes more than {self._limits.clock_s:g} s"
        file = next((item.file for own, item in self._templates.own if own == name), name)
        return TemplateAnswer(wrong="bound", message=message, file=file)


def _started() -> "Popen[bytes]":
    from subprocess import DEVNULL, PIPE, Popen  # noqa: PLC0415 -- only templates of users need it

    paths = [os.path.abspath(path) for path in sys.path]  # noqa: PTH100 -- "" is one
    try:
        return Popen(  # noqa: S603 -- this Python, with paths that it has itself
            [sys.executable, "-I", "-c", _PROGRAM, *paths],
            stdin=PIPE,
            stdout=PIPE,
            stderr=DEVNULL,
            start_new_session=True,  # Ctrl-C is for this process
        )
    except OSError as error:
        raise TemplateProcessError(
            f"templates of users need a process, which cannot be started: {error.strerror}"
        ) from error


class _Filler:
    """Asks the process that holds the templates of the site that was asked for last."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._process: _Process | None = None
        atexit.register(self.end)

    def loaded(self, templates: SiteAndOurs) -> TemplateAnswer:
        """Compile the templates of a site."""
        with self._lock:
            return self._of(templates).loaded

    def fill(self, templates: SiteAndOurs, name: str, values: Mapping[str, Any]) -> TemplateAnswer:
        """Fill a template of a site, or one of ours with those of the site in it."""
        with self._lock:
            process = self._of(templates)
            return process.loaded if process.loaded.wrong else process.fill(name, values)

    def end(self) -> None:
        """End the process, if there is one."""
        process, self._process = self._process, None
        if process is not None and process.owner == os.getpid():
            process.end()

    def _of(self, templates: SiteAndOurs) -> _Process:
        now = self._process
        if now is None or not now.serves(templates, LIMITS):
            self.end()
            self._process = now = _Process(templates, LIMITS)
        return now


FILLER: Final = _Filler()
