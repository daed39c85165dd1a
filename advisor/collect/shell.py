"""The terminal of a device: where an answer ends.

A line that looks like the prompt may stand in an output. An answer has ended where the exact
prompt stands at its end, nothing follows, and a blank line is answered with that prompt alone.
"""

import re
from collections.abc import Callable
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from advisor.collect.allow_list import SESSION_COMMANDS, allowed
from advisor.collect.faults import DeviceError, Fault, Limits
from advisor.ios.terminal import decode, has_residue, render, without_pager

if TYPE_CHECKING:
    from paramiko import Channel

_CHUNK_BYTES: Final = 65536
_MOST_BYTES: Final = 64 * 1024 * 1024
_MOST_BANNER_BYTES: Final = 8 * 1024 * 1024
_GAPS_OF_SILENCE: Final = 3  # so many times the longest pause so far
_SLOW_GAP_S: Final = 0.1  # shorter pauses are those of the network and of this machine
_LONGEST_SILENCE_S: Final = 5.0
_STOP_S: Final = 0.5  # so often a wait looks whether the run was stopped
_AFTER_BANNER_S: Final = 0.01
_NUDGE_S: Final = 3.0  # then a blank line asks for the prompt again
_PROMPT: Final = re.compile(rb"[^\s>#][^\r\n>#]{0,80}[>#]")
_PAGER: Final = re.compile(rb"--More--[ \b]*\Z|<--- ?More ?--->[ \b]*\Z")
_LONGEST_PROMPT: Final = 120
_LINE_END: Final = re.compile(r"(?<!\r)\r+\n")
_PASSWORD: Final = re.compile(rb"[Pp]assword: ?\Z")


class Answer(Struct, frozen=True):
    """What a command printed, without its echo and the prompt.

    `cut` says why it is not whole, None where the prompt came; `paged` where IOS held it at
    `--More--`, although it was told not to.
    """

    command: str
    text: str
    cut: str | None = None
    paged: bool = False


class _Reading(Struct):
    """An answer while it is read; `blanks` are the blank lines sent to find its end."""

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
            self._ask(command, self._until(self.limits.login_s))

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

    def enable(self, secret: str) -> None:
        """Enter the privileged mode, with one try.

        Raises
        ------
        DeviceError
            If it is refused.
        """
        until = self._until(self.limits.login_s)
        self.write("enable\n")
        seen = self._read_to(until, lambda seen: _PASSWORD.search(seen) or self._at_prompt(seen))
        if not _PASSWORD.search(seen):
            raise DeviceError(Fault.ENABLE_REFUSED, "no password was asked for")
        self.write(f"{secret}\n")
        enabled = self.prompt[:-1] + b"#"
        seen = self._read_to(
            until,
            lambda seen: (
                seen.endswith(b"\n" + enabled) or _PASSWORD.search(seen) or self._at_prompt(seen)
            ),
        )
        if not seen.endswith(b"\n" + enabled):
            raise DeviceError(Fault.ENABLE_REFUSED, "one try")
        self.prompt = enabled

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
        return bool(self.prompt) and seen.endswith((b"\n" + self.prompt, b"\r" + self.prompt))

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
        """The last line, where a blank line is answered with it again."""
        until, seen, size = self._until(self.limits.login_s), b"", 0
        while monotonic() < until and size < _MOST_BANNER_BYTES:
            last = seen.rsplit(b"\n", 1)[-1].rsplit(b"\r", 1)[-1].rstrip(b" ")
            is_like_one = _PROMPT.fullmatch(last) is not None
            wait_s = max(self._silence_s, _AFTER_BANNER_S) if is_like_one else _NUDGE_S
            chunk = self._more(min(wait_s, until - monotonic()))
            size += len(chunk)
            seen = (seen + chunk)[-_CHUNK_BYTES:]
            if chunk:
                continue
            self.prompt = last
            if is_like_one and self._is_confirmed(until):
                return
            if not is_like_one:
                self.write("\n")
        self.prompt = b""
        raise DeviceError(Fault.NO_PROMPT, f"{size} bytes and no prompt among them")

    def _is_confirmed(self, until: float, into: bytearray | None = None) -> bool:
        """Whether a blank line is answered with the prompt and nothing else.

        What is answered otherwise belongs to the output, and is added to it.
        """
        self.write("\n")
        reply = bytearray()
        while (left_s := until - monotonic()) > 0:
            at_prompt = self._at_prompt(reply)
            chunk = self._more(min(self._silence_s if at_prompt else _NUDGE_S, left_s))
            if not chunk:
                break
            reply += chunk
        lines = {each.strip() for each in bytes(reply).split(b"\n")} - {b""}
        if self._at_prompt(reply) and lines == {self.prompt}:
            return True
        if into is not None:
            into += reply
        return False

    def _prompt_like(self, seen: bytearray) -> bytes:
        """The last line, where the device stands still at what looks like a prompt: renamed?"""
        last = bytes(seen[-_LONGEST_PROMPT:]).rsplit(b"\n", 1)[-1]
        return last if _PROMPT.fullmatch(last) else b""

    def _ask(self, command: str, until: float) -> Answer:
        """Send a line and read its answer; a session that is cut leaves what it had printed."""
        self.is_at_prompt = False
        self.write(f"{command}\n")
        reading = _Reading(monotonic())
        self._gap_s = 0.0
        cut = None
        try:
            while not self._has_ended(reading, until):
                if monotonic() >= until or len(reading.seen) > _MOST_BYTES:
                    cut = str(Fault.TIME) if monotonic() >= until else f"over {_MOST_BYTES} bytes"
                    break
        except DeviceError as error:
            if not reading.seen:
                raise
            cut = str(error)
        self.is_at_prompt = cut is None
        text = self._text(command, bytes(reading.seen), reading.blanks)
        return Answer(command, text, cut, reading.paged)

    def _has_ended(self, reading: "_Reading", until: float) -> bool:
        """Take what comes; whether the answer has ended is asked with a blank line."""
        seen = reading.seen
        at_prompt, at_pager = self._at_prompt(seen), _PAGER.search(seen[-40:]) is not None
        if not at_prompt:  # there the blank line tells, whatever follows
            wait_s = self._silence_s if at_pager else _NUDGE_S
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
        elif at_prompt or self._prompt_like(seen):
            reading.blanks += 1
            before, self.prompt = self.prompt, self._prompt_like(seen) or self.prompt
            if self._is_confirmed(until, seen):
                return True
            self.prompt = before  # a line of the output looked like it
        reading.last_at = monotonic()
        return False

    def _text(self, command: str, seen: bytes, blanks: int) -> str:
        """The output as a terminal would show it, without echo, prompts and pager."""
        for _ in range(max(blanks, 1)):
            if self._at_prompt(seen):
                seen = seen[: -len(self.prompt)].rstrip(b"\r\n") + b"\n"
        text = _LINE_END.sub("\n", decode(seen)[0]).replace("\0", "")
        if has_residue(text) or "More" in text:
            lines = (without_pager(render(line))[0] for line in text.split("\n"))
            text = "\n".join(lines)
        echo, line_break, rest = text.partition("\n")
        return rest if line_break and echo.strip().endswith(command) else text
