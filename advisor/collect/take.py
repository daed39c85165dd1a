"""Runs the plan on one device: cheap outputs first, costly ones as the CPU allows."""

from collections.abc import Callable
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
from advisor.collect import DeviceError, ReadLimits, Stop
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


class DeviceTaking(Struct):
    """The state of one device while its outputs are taken.

    `stop` ends it between two commands. `say` is called with reasons for waits.
    `notes` are for the report.
    """

    shell: Shell
    plan: CollectPlan
    limits: ReadLimits
    stop: Stop
    say: Callable[[str], None]
    privilege: int | None = None
    in_view: bool = False
    sections: list[Section] = field(default_factory=list)
    earlier: list[Section] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _cpu_percent: float | None = None
    _cpu_deadline_s: float | None = None
    _broken: OutputLack | None = None
    _taken_bytes: int = 0

    def run(self, address: str) -> Capture:
        """Send every command of the plan. A command that fails becomes a gap, never an error."""
        *steps, last = self.plan.steps
        for step in steps:
            self._take(step)
        self._second_samples(steps)
        self._take(last)
        return Capture(
            "",
            tuple(self.sections),
            self.shell.hostname,
            address,
            self.privilege,
            tuple(self.gaps),
            tuple(self.earlier),
            tuple(self.unsupported),
        )

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
        request_time = datetime.now(UTC)
        reply = self.shell.send(command)
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
        if reply.paged and not self.notes:
            self.notes.append("`terminal length 0` has no effect: outputs came a line at a time")
        return reply, request_time

    def _keep(self, reply: TerminalAnswer, request_time: datetime, gap: Gap | None) -> None:
        if reply.cut is None and is_unauthorized(reply.text):
            self.gaps.append(OutputLack(GapCause.AUTHORIZATION).gap(reply.command))
            return
        time = CaptureTime(request_time.replace(tzinfo=None), "UTC", TimeSource.MANIFEST, None)
        host = self.shell.hostname
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

    def _second_samples(self, steps: list[Allowed]) -> None:
        """Take the outputs with counters again; the first ones stay for the difference."""
        interval_s = self.plan.interval_s
        counting = {step.command for step in steps if self.plan.is_sampled_twice(step)}
        first = [
            section
            for section in self.sections
            if section.command in counting and section.gap is None
        ]
        if interval_s is None or not first or self._broken is not None:
            return
        started = min(section.time.local for section in first if section.time is not None)
        passed_s = (datetime.now(UTC).replace(tzinfo=None) - started).total_seconds()
        left_s = max(interval_s - passed_s, 0)
        self.say(f"second sample in {left_s:.0f} s")
        self.stop.wait(left_s)
        for section in first:
            lack = _INTERRUPTED if self.stop.is_set() else self._broken
            lack = lack or self._second_sample(section)
            if lack is not None:
                second_lack = OutputLack(
                    lack.cause, ": ".join(filter(None, (_SECOND, lack.detail)))
                )
                self.gaps.append(second_lack.gap(section.command or ""))

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


def _cut(reply: TerminalAnswer, lack: OutputLack | None) -> Gap | None:
    return lack.gap(reply.command, GapKind.CUT) if lack is not None else None


def _of_no_device(reply: TerminalAnswer) -> Gap | None:
    """A configuration that is whole as it was printed, and lacks what every device has."""
    lack = lacks_of_a_device(reply.text)
    if not lack:
        return None
    return Gap(reply.command, GapKind.PARTIAL, lack, GapCause.NO_DEVICE)
