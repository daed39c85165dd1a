"""Reads outputs of live routers over SSH. This module: failures, limits, and the end of a run."""

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from threading import Event, Lock
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from advisor.capture.sections import Gap, GapCause

if TYPE_CHECKING:
    from paramiko import Channel


# Why a device was not read, what a person does about it, and the end of a run.

# Why a device was not read, and what a person does about it.


class Failure(StrEnum):
    """Kinds of failure, each with a next step of its own."""

    NAME = "name not found"
    REFUSED = "connection refused"
    UNREACHABLE = "not reached"
    NOT_SSH = "no SSH"
    CRYPTO = "no common algorithm"
    HOST_KEY_UNKNOWN = "host key not known"
    HOST_KEY_CHANGED = "host key changed"
    DROPPED = "closed while it waited for its turn to log in"
    LOGIN_REFUSED = "login refused"
    LOGIN_UNANSWERED = "login not answered"
    LOGIN_METHOD = "login method not offered"
    CREDENTIALS = "no credentials"
    ENABLE_REFUSED = "enable refused"
    QUESTION = "it asks a question"
    NO_PROMPT = "no prompt"
    CUT = "session cut"
    OUT_OF_STEP = "answers out of step"
    PROMPT_CHANGED = "the prompt changed"
    TIME = "time limit"
    NOT_REDACTED = "not redacted in time"
    NOT_WRITTEN = "bundle not written"
    STOPPED = "not tried"
    INTERRUPTED = "interrupted"


NEXT_STEPS = MappingProxyType(
    {
        Failure.NAME: "correct the name, or give its address as `hostname` in the inventory",
        Failure.REFUSED: "check port and `transport input ssh`; a router that takes only Telnet "
        "needs `ip domain-name` and `crypto key generate rsa` first",
        Failure.UNREACHABLE: "check address, route and access lists, then run again with --resume",
        Failure.NOT_SSH: "check the port; a router whose VTY lines are all in use closes it too: "
        "then try again later",
        Failure.CRYPTO: "if the router cannot be upgraded: `ssh_profile: legacy` for it in the "
        "inventory, or --ssh-profile legacy",
        Failure.HOST_KEY_UNKNOWN: "compare the fingerprint with `show ip ssh` or the console, then "
        "run once with --accept-new",
        Failure.HOST_KEY_CHANGED: "find out why; if the router was replaced, remove its line with "
        "`ssh-keygen -R` and run with --accept-new",
        Failure.DROPPED: "run again with --resume",
        Failure.LOGIN_REFUSED: "try the account by hand, once; mind the lock-out",
        Failure.LOGIN_UNANSWERED: "check the router's AAA servers; the login was not repeated",
        Failure.LOGIN_METHOD: "the router offers other ways to log in: see --key and --agent",
        Failure.CREDENTIALS: "see `advisor collect --help` for where credentials come from",
        Failure.ENABLE_REFUSED: "check ADVISOR_ENABLE, or give the account the privilege itself: "
        "`advisor collect --print-authorization`",
        Failure.NO_PROMPT: "log in by hand: does a banner or a menu wait for an answer?",
        Failure.QUESTION: "log in by hand and answer it, or take it out of the router's login",
        Failure.CUT: "run again with --resume",
        Failure.OUT_OF_STEP: "log in by hand and see what it prints by itself, then run again",
        Failure.PROMPT_CHANGED: "log in by hand and see which device answers, and whether somebody "
        "changes it; then run again with --resume",
        Failure.TIME: "type the command by hand: where it ends, raise --command-timeout or "
        "--device-timeout",
        Failure.NOT_REDACTED: "nothing was kept: log in by hand and see what the router prints",
        Failure.NOT_WRITTEN: "make room, or give another --out",
        Failure.STOPPED: "correct the account, then run again with --resume",
        Failure.INTERRUPTED: "run again with --resume",
    }
)

_STEPS: Final = (  # by what is wrong first
    (GapCause.BUSY, "ask again when the router is less busy, or raise --cpu-limit"),
    *(
        (cause, "authorize the account: `advisor collect --print-authorization`")
        for cause in (GapCause.AUTHORIZATION, GapCause.PRIVILEGE, GapCause.NO_DEVICE)
    ),
    (GapCause.PROMPT_CHANGED, NEXT_STEPS[Failure.PROMPT_CHANGED]),
    (GapCause.QUESTION, NEXT_STEPS[Failure.QUESTION]),
    (GapCause.TOO_LARGE, "log in by hand and see what the router prints"),
    (GapCause.TIME, NEXT_STEPS[Failure.TIME]),
)
_BEFORE_ANY_LOGIN = (Failure.REFUSED, Failure.UNREACHABLE)


class DeviceError(Exception):
    """A device cannot be read, or not further; `fault` says what kind of trouble it is."""

    def __init__(self, fault: Failure, detail: str = "") -> None:
        super().__init__(f"{fault}: {detail}" if detail else str(fault))
        self.fault, self.detail = fault, detail

    @property
    def next_step(self) -> str:
        """Say how to mend it."""
        return NEXT_STEPS[self.fault]

    @property
    def may_pass(self) -> bool:
        """Whether another try makes sense; once somebody logged in, none is made."""
        return self.fault in _BEFORE_ANY_LOGIN


def next_step_of(gaps: Sequence[Gap]) -> str:
    """Say how to mend an incomplete bundle, by its first gap."""
    causes = {gap.cause for gap in gaps}
    return next((step for cause, step in _STEPS if cause in causes), NEXT_STEPS[Failure.CUT])


class ReadLimits(Struct, frozen=True):
    """How long a device may take, and how gently it is treated.

    `retries` are of connections alone, after `backoff_s`, twice that, and so on. Above
    `cpu_percent` heavy commands wait up to `cpu_wait_s`, looking again every `cpu_pause_s`.
    `quiet_s` is the least silence after a prompt that is taken for its end. `redact_s` is for what
    was printed, `output_bytes` for one output and `device_bytes` for all of a device. `sessions`
    are those with a device: a command that hangs ends its session, and may hold a VTY line.
    """

    connect_s: float = 10.0
    login_s: float = 30.0
    command_s: float = 120.0
    device_s: float = 900.0
    retries: int = 2
    backoff_s: float = 1.0
    cpu_percent: float = 50.0
    cpu_wait_s: float = 30.0
    cpu_pause_s: float = 10.0
    quiet_s: float = 0.002
    redact_s: float = 120.0
    output_bytes: int = 16 * 1024 * 1024
    device_bytes: int = 32 * 1024 * 1024
    sessions: int = 3


# The end of a run: no device is begun any more, and no wait for a connection goes on.


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
        """End the run, and cut all connections."""
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
    # Ending the stream wakes paramiko's reader; closing its socket would not.
    with suppress(OSError, EOFError):
        line.shutdown(socket.SHUT_RDWR)
