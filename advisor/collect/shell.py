"""The terminal of a device: where an answer ends.

A line that looks like the prompt may stand in an output. An answer has ended where the exact
prompt stands at its end, nothing follows, and a blank line is answered with that prompt alone.

A blank line answers whatever is asked, `[confirm]` with yes. So it is sent where the last line is
a prompt, and there alone; a device that shows nothing, or anything else, gets nothing.
"""

from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from advisor.collect.allow_list import SESSION_COMMANDS, allowed
from advisor.collect.faults import DeviceError, Fault, Limits
from advisor.collect.output import Answer, is_at, is_at_pager, text_of
from advisor.collect.question import (
    is_for_the_password,
    last_line,
    prompt_of,
    question_of,
    shown,
    unfinished,
)

if TYPE_CHECKING:
    from paramiko import Channel

_CHUNK_BYTES: Final = 65536
_MOST_BANNER_BYTES: Final = 8 * 1024 * 1024
_GAPS_OF_SILENCE: Final = 3  # so many times the longest pause so far
_SLOW_GAP_S: Final = 0.1  # shorter pauses are those of the network and of this machine
_LONGEST_SILENCE_S: Final = 5.0
_STOP_S: Final = 0.5  # so often a wait looks whether the run was stopped
_AFTER_BANNER_S: Final = 0.01
_STILL_S: Final = 3.0  # a device that says nothing for so long waits for something
_QUESTION_S: Final = 10.0  # and at what looks like a question it will wait for good
_MOST_BLANKS: Final = 8  # until one of them finds the prompt


class _Reading(Struct):
    """An answer while it is read; `blanks` are the blank lines sent to find its end."""

    command: bytes
    last_at: float
    seen: bytearray = field(default_factory=bytearray)
    blanks: int = 0
    paged: bool = False


class Shell(Struct):
    """A session with a device, one command after the other.

    `write` takes text for the device; what it may be is decided here alone. `is_at_prompt` is
    false while an answer is not read to its end.
    """

    channel: "Channel"
    write: Callable[[str], None]
    limits: Limits
    ends_at: float  # of the whole device, on the clock of `monotonic`
    stop: Event
    prompt: bytes = b""
    is_at_prompt: bool = False
    _gap_s: float = field(default=0.0)

    def leave(self) -> None:
        """Say good-bye, where that is not taken for something else."""
        if self.is_at_prompt:
            self.write("exit\n")

    def start(self) -> None:
        """Wait for the prompt, and ask for whole outputs.

        Raises
        ------
        DeviceError
            If the prompt never comes, or the session is cut.
        """
        self._find_prompt()
        for command in SESSION_COMMANDS[:2]:
            cut = self._ask(command, self._until(self.limits.login_s)).cut
            if cut is not None:
                raise cut

    def send(self, command: str) -> Answer:
        """Send a show command and read its answer.

        Raises
        ------
        NotAllowedError
            If it is not on the list; nothing was written.
        DeviceError
            If the session is cut before anything is answered.
        """
        return self._ask(allowed(command).command, self._until(self.limits.command_s))

    @property
    def hostname(self) -> str:
        """The name in the prompt."""
        return self.prompt[:-1].decode("latin-1").strip()

    @property
    def is_enabled(self) -> bool:
        """Whether the prompt is that of the privileged mode."""
        return self.prompt.endswith(b"#")

    def ask_to_enable(self) -> None:
        """Ask for the privileged mode, up to the question for its secret.

        Raises
        ------
        DeviceError
            If something else is asked, or nothing.
        """
        self.is_at_prompt = False
        self.write("enable\n")
        until = self._until(self.limits.connect_s)
        seen = self._read_to(
            until, lambda seen: unfinished(seen) or self._at_prompt(seen) or question_of(seen)
        )
        if not is_for_the_password(unfinished(seen)):
            said = "" if self._at_prompt(seen) else shown(question_of(seen))
            detail = f"it asks `{said}`" if said else "no password was asked for"
            raise DeviceError(Fault.ENABLE_REFUSED, detail)

    def enable(self, secret: str) -> None:
        """Answer the question for the secret, once.

        Raises
        ------
        DeviceError
            If it is refused, or not answered.
        """
        self.write(f"{secret}\n")
        enabled = self.prompt[:-1] + b"#"
        seen = self._read_to(
            self._until(self.limits.login_s),
            lambda seen: (
                seen.endswith(b"\n" + enabled) or unfinished(seen) or self._at_prompt(seen)
            ),
        )
        if not is_at(enabled, seen):
            raise DeviceError(Fault.ENABLE_REFUSED, "one try")
        self.prompt, self.is_at_prompt = enabled, True

    def _until(self, seconds: float) -> float:
        return min(monotonic() + seconds, self.ends_at)

    def _more(self, wait_s: float) -> bytes:
        """What comes within a time; empty where nothing does.

        Raises
        ------
        DeviceError
            If the device has closed the session.
        """
        until = monotonic() + wait_s
        while not self.stop.is_set():
            left_s = until - monotonic()
            self.channel.settimeout(min(max(left_s, 0.001), _STOP_S))
            try:
                chunk: bytes = self.channel.recv(_CHUNK_BYTES)
            except TimeoutError:
                if left_s > _STOP_S:
                    continue
                return b""
            except OSError:
                chunk = b""
            if not chunk:
                raise DeviceError(Fault.CUT, "the device closed it")
            return chunk
        raise DeviceError(Fault.INTERRUPTED)

    @property
    def _silence_s(self) -> float:
        """How long nothing must come: longer than the device has paused before."""
        if self._gap_s < _SLOW_GAP_S:
            return self.limits.quiet_s
        return min(_GAPS_OF_SILENCE * self._gap_s, _LONGEST_SILENCE_S)

    def _at_prompt(self, seen: bytes | bytearray) -> bool:
        return is_at(self.prompt, seen)

    def _read_to(self, until: float, reached: Callable[[bytes], object]) -> bytes:
        """Read until the end of what was read is what is waited for, and nothing follows.

        Raises
        ------
        DeviceError
            If that never comes.
        """
        seen = b""
        while monotonic() < until:
            is_there = reached(seen)
            chunk = self._more(self._silence_s if is_there else until - monotonic())
            if is_there and not chunk:
                return seen
            seen = (seen + chunk)[-_CHUNK_BYTES:]
        raise DeviceError(Fault.NO_PROMPT, "after `enable`")

    def _find_prompt(self) -> None:
        """Wait for a prompt that a blank line is answered with again.

        A piece of a banner may look like one: then the rest of the banner follows.
        """
        until, seen, size, blanks = self._until(self.limits.login_s), bytearray(), 0, 0
        still_since = monotonic()
        while monotonic() < until and size < _MOST_BANNER_BYTES:
            prompt = prompt_of(seen)
            wait_s = max(self._silence_s, _AFTER_BANNER_S) if prompt else _STILL_S
            chunk = self._more(min(wait_s, until - monotonic()))
            size += len(chunk)
            seen = (seen + chunk)[-_CHUNK_BYTES:]
            if chunk:
                still_since = monotonic()
            elif prompt and blanks < _MOST_BLANKS:
                blanks, self.prompt = blanks + 1, prompt
                if self._is_confirmed(until, seen):
                    return
            elif monotonic() - still_since > _QUESTION_S and question_of(seen):
                break
        self.prompt = b""
        asked = shown(question_of(seen))
        if asked:
            raise DeviceError(Fault.QUESTION, f"`{asked}`")
        raise DeviceError(Fault.NO_PROMPT, f"{size} bytes and no prompt among them")

    def _is_confirmed(self, until: float, into: bytearray) -> bool:
        """Whether a blank line is answered with the prompt and nothing else.

        It is sent to what stands as a prompt alone. What is answered otherwise belongs to the
        output, and is added to it.
        """
        self.write("\n")
        reply = bytearray()
        while (left_s := until - monotonic()) > 0:
            at_prompt = self._at_prompt(reply)
            chunk = self._more(min(self._silence_s if at_prompt else _STILL_S, left_s))
            if not chunk:
                break
            reply += chunk
            if len(reply) > self.limits.output_bytes:
                break
        lines = {each.strip() for each in bytes(reply[-_CHUNK_BYTES:]).split(b"\n")} - {b""}
        if self._at_prompt(reply) and lines == {self.prompt}:
            return True
        into += reply
        return False

    def _ask(self, command: str, until: float) -> Answer:
        """Send a line and read its answer; a session that is cut leaves what it had printed."""
        self.is_at_prompt = False
        self.write(f"{command}\n")
        reading = _Reading(command.encode(), monotonic())
        self._gap_s = 0.0
        cut = None
        try:
            while not self._has_ended(reading, until):
                if monotonic() >= until:
                    cut = DeviceError(Fault.TIME)
                elif len(reading.seen) > self.limits.output_bytes:
                    cut = DeviceError(Fault.CUT, f"over {self.limits.output_bytes} bytes")
                if cut is not None:
                    break
        except DeviceError as error:
            if not reading.seen:
                raise
            cut = error
        self.is_at_prompt = cut is None
        seen = bytes(reading.seen)
        text, lost_lines = text_of(command, seen, self.prompt, reading.blanks)
        return Answer(command, text, cut, reading.paged, lost_lines)

    def _has_ended(self, reading: "_Reading", until: float) -> bool:
        """Take what comes; whether the answer has ended is asked with a blank line.

        Raises
        ------
        DeviceError
            If the device has closed the session, or waits at a question.
        """
        seen = reading.seen
        at_prompt, at_pager = self._at_prompt(seen), is_at_pager(reading.command, seen)
        if not at_prompt:  # there the blank line tells, whatever follows
            wait_s = self._silence_s if at_pager else _STILL_S
            chunk = self._more(min(wait_s, until - monotonic()))
            if chunk:
                now = monotonic()
                if 0 <= seen.find(b"\n") < len(seen) - 1:  # the wait after the echo is none
                    self._gap_s = max(self._gap_s, now - reading.last_at)
                reading.last_at = now
                seen += chunk
                return False
        if at_pager:
            reading.paged = True
            self.write("\n")
        elif at_prompt or self._renamed(seen):
            reading.blanks += 1
            before, self.prompt = self.prompt, self._renamed(seen) or self.prompt
            if self._is_confirmed(until, seen):
                return True
            self.prompt = before  # a line of the output looked like it
        elif monotonic() - reading.last_at < _QUESTION_S:
            return False
        elif last_line(seen) and question_of(seen):
            raise DeviceError(Fault.QUESTION, f"`{shown(question_of(seen))}`")
        reading.last_at = monotonic()
        return False

    def _renamed(self, seen: bytearray) -> bytes:
        """Another prompt that the device stands still at, as after a change of its name."""
        return b"" if self._at_prompt(seen) else prompt_of(seen)
