"""A plan carried out on one device: the cheap outputs first, the costly ones as the CPU allows."""

from collections.abc import Callable
from datetime import UTC, datetime
from threading import Event
from time import monotonic

from msgspec import Struct, field

from advisor.capture import (
    FULL_PRIVILEGE,
    Capture,
    CaptureTime,
    Gap,
    GapKind,
    Section,
    TimeSource,
    answer,
    is_in_view,
    privilege_of,
    why_partial,
)
from advisor.collect.allow_list import (
    CPU,
    PRIVILEGE,
    RUNNING_CONFIG,
    RUNNING_CONFIG_OF_VIEWS,
    Allowed,
    allowed,
)
from advisor.collect.complete import is_unauthorized, is_unknown, lack_of, lack_of_config
from advisor.collect.faults import DeviceError, Fault, Limits
from advisor.collect.plan import Plan
from advisor.collect.shell import Answer, Shell
from advisor.observed.cpu import read_cpu


class Taking(Struct):
    """The state of one device while its outputs are taken.

    `stop` ends it between two commands. `say` tells of waits. `notes` are for the report.
    """

    shell: Shell
    plan: Plan
    limits: Limits
    stop: Event
    say: Callable[[str], None]
    privilege: int | None = None
    in_view: bool = False
    sections: list[Section] = field(default_factory=list)
    earlier: list[Section] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    unsupported: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    _cpu_percent: float | None = None
    _cpu_ends_at: float | None = None
    _broken: str | None = None

    def run(self, address: str) -> Capture:
        """Take everything that the plan asks for. What fails becomes a gap, never an error."""
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
        held = self._broken or self._held_back(step)
        if self.stop.is_set():
            held = str(Fault.INTERRUPTED)
        if held is not None:
            self._gap(step.command, held)
            return
        if step.command == RUNNING_CONFIG:
            self._take_config()
            return
        for command in (step.command, *step.older):
            given, asked_at = self._ask(command)
            if given is None:
                return
            if not is_unknown(given.text):
                self._keep(given, asked_at, _cut(given, lack_of(given)))
                return
        self._refused(step.command)

    def _ask(self, command: str) -> tuple[Answer | None, datetime]:
        asked_at = datetime.now(UTC)
        try:
            given = self.shell.send(command)
        except DeviceError as error:
            self._broken = str(error)
            self._gap(command, self._broken)
            return None, asked_at
        if given.cut is not None:
            # What may still come would be taken for the answer to the next command.
            self._broken = f"not asked: `{command}` ended with {given.cut}"
        if given.paged and not self.notes:
            self.notes.append("`terminal length 0` has no effect: outputs came a line at a time")
        return given, asked_at

    def _keep(self, given: Answer, asked_at: datetime, gap: Gap | None) -> None:
        if is_unauthorized(given.text):
            self._gap(given.command, "command authorization failed")
            return
        time = CaptureTime(asked_at.replace(tzinfo=None), "UTC", TimeSource.MANIFEST, None)
        host = self.shell.hostname
        self.sections.append(answer(given.command, given.text, host=host, time=time, gap=gap))
        if given.command == PRIVILEGE:
            self.privilege, self.in_view = privilege_of(given.text), is_in_view(given.text)
        elif given.command == CPU:
            self._note_cpu(given.text)

    def _refused(self, command: str) -> None:
        """The parser knows no such command: at full privilege the image does not have it."""
        if self.privilege == FULL_PRIVILEGE:
            self.unsupported.append(command)
        elif self.in_view:
            self._gap(command, "refused: not in the view of the account")
        else:
            level = "unknown" if self.privilege is None else self.privilege
            self._gap(command, f"refused at privilege {level}")

    def _gap(self, command: str, why: str) -> None:
        self.gaps.append(Gap(command, GapKind.MISSING, why))

    def _take_config(self) -> None:
        """The running-config; with `view full` first where the account would see but a part."""
        if self.privilege != FULL_PRIVILEGE:
            given, asked_at = self._ask(RUNNING_CONFIG_OF_VIEWS)
            if given is None:
                return
            if not is_unknown(given.text) and not is_unauthorized(given.text):
                self._keep(given, asked_at, _cut(given, lack_of_config(given)))
                return
        given, asked_at = self._ask(RUNNING_CONFIG)
        if given is None:
            return
        if is_unknown(given.text):
            level = "of a view" if self.privilege is None else self.privilege
            self._gap(RUNNING_CONFIG, f"refused at privilege {level}")
            return
        self._keep(given, asked_at, _cut(given, lack_of_config(given)) or self._partial())

    def _partial(self) -> Gap | None:
        """What a configuration that was printed to its end lacks all the same."""
        why = why_partial(self.privilege, in_view=self.in_view)
        if why is not None:
            return Gap(RUNNING_CONFIG, GapKind.PARTIAL, why)
        if self.privilege is None:
            return Gap(RUNNING_CONFIG, GapKind.CUT, "the privilege is not known: it may be a part")
        return None

    def _note_cpu(self, text: str) -> None:
        load = read_cpu(text, "")
        if load is not None:
            self._cpu_percent = float(max(load.five_seconds_percent, load.one_minute_percent))

    def _held_back(self, step: Allowed) -> str | None:
        """Why a heavy command is not sent; waits for the CPU once for the whole device."""
        if not step.is_heavy:
            return None
        if self._cpu_percent is None:
            return "held back: the load of the CPU is not known"
        if self._cpu_ends_at is None:
            self._cpu_ends_at = monotonic() + self.limits.cpu_wait_s
        while self._cpu_percent > self.limits.cpu_percent:
            left_s = self._cpu_ends_at - monotonic()
            if left_s <= 0:
                return f"held back: CPU at {self._cpu_percent:.0f} %"
            self.say(f"CPU at {self._cpu_percent:.0f} %: waiting")
            if self.stop.wait(min(self.limits.cpu_pause_s, left_s)):
                return str(Fault.INTERRUPTED)
            given, _ = self._ask(CPU)
            if given is None:
                return self._broken
            self._note_cpu(given.text)
        return None

    def _second_samples(self, steps: list[Allowed]) -> None:
        """Outputs that count, again: the first ones are kept beside for the difference."""
        interval_s = self.plan.interval_s
        counting = {each.command for each in steps if self.plan.is_sampled_twice(each)}
        first = [each for each in self.sections if each.command in counting and each.gap is None]
        if interval_s is None or not first or self._broken is not None:
            return
        started = min(each.time.local for each in first if each.time is not None)
        passed_s = (datetime.now(UTC).replace(tzinfo=None) - started).total_seconds()
        self.say(f"second sample in {max(interval_s - passed_s, 0):.0f} s")
        if self.stop.wait(max(interval_s - passed_s, 0)):
            return
        for section in first:
            given, asked_at = self._ask(allowed(section.command or "").command)
            if given is None:
                return
            lack = lack_of(given)
            if lack is None:
                self.sections.remove(section)
                self.earlier.append(section)
                self._keep(given, asked_at, None)


def _cut(given: Answer, lack: str | None) -> Gap | None:
    return Gap(given.command, GapKind.CUT, lack) if lack is not None else None
