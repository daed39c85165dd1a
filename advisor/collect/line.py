"""The terminal line to a device: its output, what it waits for, and the only function that writes.

A typed line answers any question that the device asks; a blank line confirms `[confirm]`. So only
`TerminalLine.type_line` writes: it checks what the device waits for, waits for silence, and
otherwise refuses.
"""

from collections.abc import Callable
from enum import Enum, auto
from time import monotonic
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field

from advisor.collect import DeviceError, Failure, ReadLimits, Stop
from advisor.collect.question import (
    Echo,
    after_echo,
    asks_for_password,
    echo_of,
    is_asked_above,
    is_at,
    is_at_pager,
    prompt_of,
    prompts_at_end,
    question_of,
    shown,
    unfinished,
)

if TYPE_CHECKING:
    from paramiko import Channel


_CHUNK_BYTES: Final = 65536
_GAPS_OF_SILENCE: Final = 3  # so many times the longest pause so far
_SLOW_GAP_S: Final = 0.1  # the network and this machine cause shorter pauses
_LONGEST_SILENCE_S: Final = 5.0
_STOP_S: Final = 0.5  # so often a wait looks whether the run was stopped


class Standing(Enum):
    """State of a device when a line is typed: what it waits for."""

    OWN_PROMPT = auto()  # confirmed, and nothing came since
    A_PROMPT = auto()  # what looks like one, under no question: for a blank line alone
    PAGER = auto()  # within an answer: for a blank line alone
    PASSWORD = auto()  # the question of `enable`: for its secret alone


class TerminalLine(Struct):
    """The bytes of a session. `output` came after the last line typed at the device's prompt.

    `blanks` are the blank lines that were typed since, to find a prompt. A device answers each of
    them with a prompt, at the end of all else.
    """

    channel: "Channel"
    write: Callable[[str], None]
    limits: ReadLimits
    stop: Stop
    secrets: tuple[str, ...] = ()
    prompt: bytes = b""
    command: str = ""
    is_free: bool = False
    output: bytearray = field(default_factory=lambda: bytearray(b"\n"))
    size: int = 0
    blanks: int = 0
    last_at: float = field(default_factory=monotonic)
    gap_s: float = 0.0
    was_paged: bool = False
    _fresh: int = 0  # bytes since the last blank line
    _waits_for_reply: bool = False  # to a blank line: its time is no pause of the output

    def type_line(self, text: str, standing: Standing, silence_s: float = 0.0) -> bool:
        """Type a line if the device is in the state `standing` and sends nothing for a time.

        Returns
        -------
        bool
            False if the device sent something or is in another state: then nothing was written.

        Raises
        ------
        DeviceError
            If the session is cut, or the run was stopped.
        """
        is_reached = self.stands(standing) and not self.more(silence_s) and self.stands(standing)
        if not is_reached or (not text) is not (standing in (Standing.A_PROMPT, Standing.PAGER)):
            return False
        self.is_free, self.last_at, self._waits_for_reply = False, monotonic(), not text
        if standing is Standing.A_PROMPT:
            self.blanks, self._fresh = self.blanks + 1, 0
        elif standing is Standing.PAGER:
            self.was_paged = True
        else:
            self.output, self.size, self.blanks = bytearray(), 0, 0
            self.gap_s, self.was_paged = 0.0, False
            self.command = text if standing is Standing.OWN_PROMPT else ""
        self.write(f"{text}\n")
        return True

    def stands(self, standing: Standing) -> bool:
        """Whether the output so far shows that the device is in this state."""
        if standing is Standing.OWN_PROMPT:
            return self.is_free and self.stands_at_prompt
        if standing is Standing.PAGER:
            return self.has_echo and is_at_pager(self.output)
        if standing is Standing.PASSWORD:
            question, context = self.secret_question
            return asks_for_password(question, context)
        is_answer = self.has_echo or not self.command
        return is_answer and (self.stands_at_prompt or bool(prompt_of(self.output)))

    @property
    def stands_at_prompt(self) -> bool:
        """Whether the device stands at its own prompt, with no question just above it."""
        return is_at(self.prompt, self.output) and not is_asked_above(self.output)

    @property
    def has_echo(self) -> bool:
        """Whether what came begins with the command that was typed."""
        return echo_of(self.command, self.prompt, self.output) is Echo.OWN

    @property
    def secret_question(self) -> tuple[str, str]:
        """The question on the last line after the echo of a command, and what is said above it."""
        text = after_echo(self.command, self.prompt, self.output)
        context = text.replace("\r", "\n").rpartition("\n")[0]
        return (unfinished(self.output), context) if self.has_echo else ("", context)

    def is_answered(self, prompt: bytes) -> bool:
        """Whether the output ends with its prompt, and one more prompt for each blank line."""
        if not self.blanks or is_asked_above(self.output):
            return False
        is_at_prompt = is_at(prompt, self.output[-self._fresh :]) if self._fresh else False
        return is_at_prompt and prompts_at_end(prompt, self.output, self.blanks + 1)

    def accept(self, prompt: bytes) -> None:
        """Note that the device stands at its own prompt, with nothing left to come."""
        self.prompt, self.is_free = prompt, True

    def more(self, wait_s: float) -> bytes:
        """Bytes that arrive within a time, or none. With 0 s, bytes that arrived before.

        Raises
        ------
        DeviceError
            If the device has closed the session.
        """
        deadline_s = monotonic() + wait_s
        while not self.stop.is_set():
            left_s = deadline_s - monotonic()
            self.channel.settimeout(min(max(left_s, 0.0), _STOP_S))
            try:
                chunk: bytes = self.channel.recv(_CHUNK_BYTES)
            except TimeoutError:
                if left_s > _STOP_S:
                    continue
                return b""
            except OSError:
                chunk = b""
            if not chunk:
                raise DeviceError(Failure.CUT, "the device closed it")
            self.output += chunk
            self.size += len(chunk)
            self._fresh += len(chunk)
            return chunk
        raise DeviceError(Failure.INTERRUPTED)

    def next(self, wait_s: float) -> bytes:
        """Read like `more`, and note the longest pause within an output."""
        is_pause = 0 <= self.output.find(b"\n") < len(self.output) - 1  # none right after the echo
        chunk = self.more(wait_s)
        if chunk:
            now_s = monotonic()
            if is_pause and not self._waits_for_reply:
                self.gap_s = max(self.gap_s, now_s - self.last_at)
            self.last_at, self._waits_for_reply = now_s, False
        return chunk

    def keep_end(self) -> None:
        """Drop all but the end of the output."""
        del self.output[:-_CHUNK_BYTES]

    @property
    def silence_s(self) -> float:
        """Silence in s that ends an output: longer than any pause of the device so far."""
        if self.gap_s < _SLOW_GAP_S:
            return self.limits.quiet_s
        return min(_GAPS_OF_SILENCE * self.gap_s, _LONGEST_SILENCE_S)

    def asked(self) -> str:
        """Return the device's question, for a report; empty where it is no question."""
        return shown(question_of(self.output), self.secrets)
