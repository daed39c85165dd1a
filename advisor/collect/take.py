"""Runs the plan on one device: cheap outputs first, costly ones as the CPU allows."""

from collections import deque
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from time import monotonic
from typing import Final

from msgspec import Struct, field

from advisor.capture.clock import CaptureTime, TimeSource
from advisor.capture.outputs import CPU, PRIVILEGE, RUNNING_CONFIG, RUNNING_CONFIG_OF_VIEWS
from advisor.capture.sections import Capture, Gap, GapCause, GapKind, Section, answer
from advisor.capture.transcript import transcript
from advisor.capture.unread import (
    FULL_PRIVILEGE,
    is_in_view,
    lacks_of_a_device,
    privilege_of,
    why_partial,
)
from advisor.collect import DeviceError, Failure, ReadLimits, Stop
from advisor.collect.bundles import (
    OutputLack,
    is_unauthorized,
    is_unknown,
    lack_by,
    lack_of,
    lack_of_config,
)
from advisor.collect.plan import Allowed, CollectPlan, allowed
from advisor.collect.question import TerminalAnswer
from advisor.collect.shell import Shell
from advisor.ground.units import NumeralError
from advisor.shows.cpu import read_cpu

_INTERRUPTED: Final = OutputLack(GapCause.INTERRUPTED)
_SECOND: Final = "second sample"
_PAGED: Final = "`terminal length 0` has no effect: outputs came a line at a time"


class DeviceTaking(Struct):
    """The state of one device while its outputs are taken, in one session or in a few.

    `stop` ends it between two commands. `say` is called with reasons for waits.
    `notes` are for the report.
    """

    plan: CollectPlan
    limits: ReadLimits
    stop: Stop
    say: Callable[[str], None]
    hostname: str | None = None
    privilege: int | None = None
    in_view: bool = False
    sections: list[Section] = field(default_factory=list)
    earlier: list[Section] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _left: deque[Allowed] = field(default_factory=deque)
    _again: deque[Section] | None = None
    _shell: Shell | None = None
    _sessions: int = 0
    _cpu_percent: float | None = None
    _cpu_deadline_s: float | None = None
    _broken: OutputLack | None = None
    _taken_bytes: int = 0

    def __post_init__(self) -> None:
        self._left.extend(self.plan.steps)

    def go_on(self, shell: Shell) -> bool:
        """Send what is left of the plan. A command that fails becomes a gap, never an error.

        Returns
        -------
        bool
            False where a command has hung and another session may ask for the rest.

        Raises
        ------
        DeviceError
            If this is another device than before.
        """
        if self.hostname not in (None, shell.hostname):
            raise DeviceError(Failure.PROMPT_CHANGED, f"{self.hostname} became {shell.hostname}")
        self._shell, self.hostname, self._broken = shell, shell.hostname, None
        self._sessions += 1
        if self._sessions > 1:
            self.notes.append(f"session {self._sessions}: a command hung in the one before it")
        while self._left:
            self._take(self._left[0])  # which stays a gap where the session ends in it
            self._left.popleft()
            if self._wants_a_session:
                return False
        if self._again is None:
            self._again = deque(self._to_take_again())
        while self._again:
            self._take_again(self._again[0])
            self._again.popleft()
            if self._wants_a_session:
                return False
        return True

    def give_up(self, error: DeviceError) -> None:
        """Leave what is not taken as gaps: there is no other session."""
        lack = lack_by(error)
        lack = OutputLack(lack.cause, f"not asked: {lack.detail or error}")
        lack = _INTERRUPTED if self.stop.is_set() else lack
        self.gaps += (lack.gap(step.command) for step in self._left)
        self.gaps += (_of_second(lack).gap(first.command or "") for first in self._again or ())

    def capture(self, address: str) -> Capture:
        """All that was taken, in the order of the plan."""
        return Capture(
            "",
            tuple(self.sections),
            self.hostname,
            address,
            self.privilege,
            tuple(self.gaps),
            tuple(self.earlier),
            tuple(self.unsupported),
        )

    @property
    def _wants_a_session(self) -> bool:
        """Whether a command hung, and what is left may be asked in another session."""
        if self._broken is None or self._broken.cause is not GapCause.TIME or self._shell is None:
            return False
        is_left = bool(self._left or self._again) or (
            self._again is None and self.plan.interval_s is not None
        )
        in_time = monotonic() < self._shell.deadline_s and not self.stop.is_set()
        return is_left and in_time and self._sessions < self.limits.sessions

    def _take(self, step: Allowed) -> None:
        """One step of the plan: its output, or why there is none."""
        lack = self._broken or self._held_back(step)
        if self.stop.is_set():
            lack = _INTERRUPTED
        if lack is not None:
            self.gaps.append(lack.gap(step.command))
            return
        if step.command == RUNNING_CONFIG:
            self._take_config()
            return
        for command in (step.command, *step.older):
            reply, request_time = self._ask(command)
            if reply is None:
                return
            if reply.cut is not None or not is_unknown(reply.text):
                self._keep(reply, request_time, _cut(reply, lack_of(reply)))
                return
        self._refused(step.command)

    def _ask(self, command: str) -> tuple[TerminalAnswer | None, datetime]:
        try:
            return self._sent(command)
        except DeviceError as error:
            self._broken = lack_by(error)
            self.gaps.append(self._broken.gap(command))
            return None, datetime.now(UTC)

    def _sent(self, command: str) -> tuple[TerminalAnswer, datetime]:
        """Send a command. A cut answer, or too much output, also ends all later commands.

        Raises
        ------
        DeviceError
            If nothing was answered.
        """
        if self._shell is None:
            raise DeviceError(Failure.CUT)
        request_time = datetime.now(UTC)
        reply = self._shell.send(command)
        self._taken_bytes += len(reply.text)
        if reply.cut is not None:
            # Output that still comes would be taken for the answer to the next command.
            detail = f"not asked: `{command}` ended with {reply.cut}"
            self._broken = OutputLack(lack_by(reply.cut).cause, detail)
        elif self._taken_bytes > self.limits.device_bytes:
            detail = (
                f"not asked: the device sent more than {self.limits.device_bytes} bytes before it"
            )
            self._broken = OutputLack(GapCause.TOO_LARGE, detail)
        if reply.paged and _PAGED not in self.notes:
            self.notes.append(_PAGED)
        return reply, request_time

    def _keep(self, reply: TerminalAnswer, request_time: datetime, gap: Gap | None) -> None:
        if reply.cut is None and is_unauthorized(reply.text):
            self.gaps.append(OutputLack(GapCause.AUTHORIZATION).gap(reply.command))
            return
        time = CaptureTime(request_time.replace(tzinfo=None), "UTC", TimeSource.MANIFEST, None)
        host = self.hostname
        self.sections.append(answer(reply.command, reply.text, host=host, time=time, gap=gap))
        if reply.command == PRIVILEGE:
            self.privilege, self.in_view = privilege_of(reply.text), is_in_view(reply.text)
        elif reply.command == CPU:
            self._note_cpu(reply.text)

    def _refused(self, command: str) -> None:
        """Record a command that IOS does not know: not in the image, or not enough privilege."""
        if self.privilege == FULL_PRIVILEGE:
            self.unsupported.append(command)
        elif self.in_view:
            detail = "refused, not in the view of the account"
            self.gaps.append(OutputLack(GapCause.PRIVILEGE, detail).gap(command))
        else:
            level = "unknown" if self.privilege is None else self.privilege
            detail = f"refused at privilege {level}"
            self.gaps.append(OutputLack(GapCause.PRIVILEGE, detail).gap(command))

    def _take_config(self) -> None:
        """The running-config; with `view full` first where the account would see but a part."""
        if self.privilege != FULL_PRIVILEGE:
            reply, request_time = self._ask(RUNNING_CONFIG_OF_VIEWS)
            if reply is None:
                return
            is_refused = is_unknown(reply.text) or is_unauthorized(reply.text)
            if reply.cut is not None or not is_refused:
                gap = _cut(reply, lack_of_config(reply)) or _of_no_device(reply)
                self._keep(reply, request_time, gap)
                return
        reply, request_time = self._ask(RUNNING_CONFIG)
        if reply is None:
            return
        if reply.cut is None and is_unknown(reply.text):
            self._refused_config()
            return
        gap = _cut(reply, lack_of_config(reply)) or self._partial() or _of_no_device(reply)
        self._keep(reply, request_time, gap)

    def _refused_config(self) -> None:
        level = "of a view" if self.privilege is None else self.privilege
        detail = f"refused at privilege {level}"
        self.gaps.append(OutputLack(GapCause.PRIVILEGE, detail).gap(RUNNING_CONFIG))

    def _partial(self) -> Gap | None:
        """Find the gap in a configuration that was printed to its end and still lacks a part."""
        reason = why_partial(self.privilege, in_view=self.in_view)
        if reason is not None:
            return Gap(RUNNING_CONFIG, GapKind.PARTIAL, reason, GapCause.PRIVILEGE)
        if self.privilege is None:
            detail = "the privilege is not known: the text may be only a part"
            return Gap(RUNNING_CONFIG, GapKind.CUT, detail, GapCause.PRIVILEGE)
        return None

    def _note_cpu(self, text: str) -> None:
        try:
            load = read_cpu(transcript(text), "")
        except NumeralError:  # the output is a gap where it is judged; here it tells no load
            load = None
        if load is not None:
            self._cpu_percent = float(max(load.five_seconds_percent, load.one_minute_percent))

    def _held_back(self, step: Allowed) -> OutputLack | None:
        """Why a heavy command is not sent; waits for the CPU once for the whole device."""
        if not step.is_heavy:
            return None
        if self._cpu_percent is None:
            return OutputLack(GapCause.BUSY, "the load of the CPU is not known")
        if self._cpu_deadline_s is None:
            self._cpu_deadline_s = monotonic() + self.limits.cpu_wait_s
        while self._cpu_percent > self.limits.cpu_percent:
            left_s = self._cpu_deadline_s - monotonic()
            if left_s <= 0:
                return OutputLack(GapCause.BUSY, f"CPU at {self._cpu_percent:.0f} %")
            self.say(f"CPU at {self._cpu_percent:.0f} %: waiting")
            if self.stop.wait(min(self.limits.cpu_pause_s, left_s)):
                return _INTERRUPTED
            reply, _ = self._ask(CPU)
            if reply is None or self._broken is not None:
                return self._broken
            self._note_cpu(reply.text)
        return None

    def _to_take_again(self) -> Iterable[Section]:
        """The outputs whose counters are read twice, when it is time for the second ones."""
        interval_s = self.plan.interval_s
        counting = {step.command for step in self.plan.steps if self.plan.is_sampled_twice(step)}
        first = [
            section
            for section in self.sections
            if section.command in counting and section.gap is None
        ]
        if interval_s is None or not first or self._broken is not None:
            return ()
        started = min(section.time.local for section in first if section.time is not None)
        passed_s = (datetime.now(UTC).replace(tzinfo=None) - started).total_seconds()
        left_s = max(interval_s - passed_s, 0)
        self.say(f"second sample in {left_s:.0f} s")
        self.stop.wait(left_s)
        return first

    def _take_again(self, first: Section) -> None:
        lack = _INTERRUPTED if self.stop.is_set() else self._broken
        lack = lack or self._second_sample(first)
        if lack is not None:
            self.gaps.append(_of_second(lack).gap(first.command or ""))

    def _second_sample(self, first: Section) -> OutputLack | None:
        """Take one output again; if that fails, return why, and keep the first sample."""
        command = allowed(first.command or "").command
        try:
            reply, request_time = self._sent(command)
        except DeviceError as error:
            self._broken = lack_by(error)
            return self._broken
        lack = lack_of(reply)
        if lack is None and is_unauthorized(reply.text):
            lack = OutputLack(GapCause.AUTHORIZATION)
        elif lack is None and is_unknown(reply.text):
            lack = OutputLack(GapCause.OTHER, "refused, though it was printed before")
        if lack is None:
            self.sections.remove(first)
            self.earlier.append(first)
            self._keep(reply, request_time, None)
        return lack


def _of_second(lack: OutputLack) -> OutputLack:
    return OutputLack(lack.cause, ": ".join(filter(None, (_SECOND, lack.detail))))


def _cut(reply: TerminalAnswer, lack: OutputLack | None) -> Gap | None:
    return lack.gap(reply.command, GapKind.CUT) if lack is not None else None


def _of_no_device(reply: TerminalAnswer) -> Gap | None:
    """A configuration that is whole as it was printed, and lacks what every device has."""
    lack = lacks_of_a_device(reply.text)
    if not lack:
        return None
    return Gap(reply.command, GapKind.PARTIAL, lack, GapCause.NO_DEVICE)
