"""The terminal of a device: where an answer ends, and whose it is.

A line that looks like the prompt may stand in an output. An answer begins with the echo of its
command. It has ended where the exact prompt stands at its end, a blank line that is typed there
is answered with the prompt alone, and nothing follows. What does not fit ends the session: what
may still come would be taken for the answer to the next command. Another prompt ends it too:
another device may answer there, so nothing is typed at it and nothing before it is kept.
"""

from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

from msgspec import Struct

from advisor.capture.masking import without_secrets
from advisor.collect import DeviceError, Failure, ReadLimits
from advisor.collect.line import Standing, TerminalLine
from advisor.collect.plan import SESSION_COMMANDS, allowed
from advisor.collect.question import (
    Echo,
    TerminalAnswer,
    asks_for_password,
    asks_in_a_line,
    echo_of,
    is_at,
    is_at_pager,
    last_line,
    other_prompt_of,
    prompt_of,
    question_of,
    shown,
    text_of,
    unfinished,
)

_MOST_BANNER_BYTES: Final = 8 * 1024 * 1024
_STILL_S: Final = 3.0  # a device that says nothing for so long waits for something
_QUESTION_S: Final = 10.0  # and at what looks like a question it will wait for good
# A question may follow what looks like a prompt: it gets no blank line that is typed before it.
BEFORE_FIRST_BLANK_S: Final = 0.5
_BEFORE_A_SECRET_S: Final = 0.3


class Shell(Struct):
    """A session with a device, one command after the other."""

    line: TerminalLine
    limits: ReadLimits
    deadline_s: float  # of the whole device, on the clock of `monotonic`
    _cut: DeviceError | None = None

    def leave(self) -> None:
        """Type `exit`, if the device stands at its own prompt."""
        with suppress(DeviceError):
            self.line.type_line("exit", Standing.OWN_PROMPT)

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

    def send(self, command: str) -> TerminalAnswer:
        """Send a show command and read its answer.

        Raises
        ------
        NotAllowedError
            If it is not on the list; nothing was written.
        DeviceError
            If the device does not stand at its prompt, or the session is cut before anything is
            answered. Then nothing is sent any more.
        """
        return self._ask(allowed(command).command, self._until(self.limits.command_s))

    @property
    def hostname(self) -> str:
        """The name in the prompt."""
        return self.line.prompt[:-1].decode("latin-1").strip()

    @property
    def is_enabled(self) -> bool:
        """Whether the prompt is that of the privileged mode."""
        return self.line.prompt.endswith(b"#")

    def ask_to_enable(self) -> None:
        """Ask for the privileged mode, up to the question for its secret.

        Raises
        ------
        DeviceError
            If something else is asked, or nothing.
        """
        self._type_command("enable")
        line = self.line
        self._read_to(
            lambda: (
                unfinished(line.output)
                or is_at(line.prompt, line.output)
                or question_of(line.output)
            ),
            self._until(self.limits.connect_s),
        )
        if not line.stands(Standing.PASSWORD):
            raise self._not_asked()

    def answer_enable(self, secret: str, begin: Callable[[], None]) -> None:
        """Answer the question for the secret; `begin` is called before, and may raise.

        Raises
        ------
        DeviceError
            If it is not asked any more: then nothing was written.
        """
        begin()
        if not self.line.type_line(secret, Standing.PASSWORD, _BEFORE_A_SECRET_S):
            raise self._not_asked()

    def await_enabled(self) -> None:
        """Wait for the privileged mode.

        Raises
        ------
        DeviceError
            If the secret is refused, or not answered.
        """
        line = self.line
        enabled = line.prompt[:-1] + b"#"
        self._read_to(
            lambda: (
                is_at(enabled, line.output)
                or unfinished(line.output)
                or is_at(line.prompt, line.output)
            ),
            self._until(self.limits.login_s),
        )
        if not is_at(enabled, line.output):
            raise DeviceError(Failure.ENABLE_REFUSED, "one try")
        line.accept(enabled)

    def _not_asked(self) -> DeviceError:
        line = self.line
        if is_at(line.prompt, line.output):
            return DeviceError(Failure.ENABLE_REFUSED, "no password was asked for")
        question, context = line.secret_question
        if asks_for_password(question):  # then what is said above it is for something else
            question = f"{context.strip().rpartition(chr(10))[2]} {question}"
        shown_question = shown(question, line.secrets) or line.asked()
        detail = f"it asks `{shown_question}`" if shown_question else "no password was asked for"
        return DeviceError(Failure.ENABLE_REFUSED, detail)

    def _until(self, seconds: float) -> float:
        return min(monotonic() + seconds, self.deadline_s)

    def _read_to(self, is_reached: Callable[[], object], deadline_s: float) -> None:
        """Read until the output ends as expected and no byte follows.

        Raises
        ------
        DeviceError
            If that never comes.
        """
        while monotonic() < deadline_s:
            is_at_end = is_reached()
            silence_s = max(self.line.silence_s, _BEFORE_A_SECRET_S)
            chunk = self.line.more(silence_s if is_at_end else deadline_s - monotonic())
            if is_at_end and not chunk:
                return
        raise self._at_another_prompt() or DeviceError(Failure.NO_PROMPT, "after `enable`")

    def _find_prompt(self) -> None:
        """Wait for a prompt that a blank line is answered with again.

        A piece of a banner may look like one: then the rest of the banner follows, and the answer
        to the blank line after the prompt. So one blank line is enough, and no other is typed.
        """
        line, deadline_s, silence_begin_s = self.line, self._until(self.limits.login_s), monotonic()
        while monotonic() < deadline_s and line.size < _MOST_BANNER_BYTES:
            prompt, size = prompt_of(line.output), line.size
            if prompt and line.is_answered(prompt):
                if not line.more(line.silence_s):
                    line.accept(prompt)
                    return
            elif prompt and not line.blanks:
                silence_s = max(line.silence_s, BEFORE_FIRST_BLANK_S)
                if monotonic() + silence_s > deadline_s:
                    break  # what may still come is not waited for: no line is typed before it
                line.type_line("", Standing.A_PROMPT, silence_s)
            else:
                line.more(min(_STILL_S, deadline_s - monotonic()))
            line.keep_end()
            if line.size > size:
                silence_begin_s = monotonic()
            elif monotonic() - silence_begin_s > _QUESTION_S and (line.blanks or line.asked()):
                break
        raise self._no_prompt()

    def _no_prompt(self) -> DeviceError:
        line = self.line
        question = line.asked()
        if question:
            return DeviceError(Failure.QUESTION, f"`{question}`")
        if line.blanks:
            line_shown = shown(last_line(line.output).decode("latin-1"), line.secrets)
            return DeviceError(Failure.NO_PROMPT, f"a blank line is answered with `{line_shown}`")
        return DeviceError(Failure.NO_PROMPT, f"{line.size} bytes and no prompt among them")

    def _type_command(self, command: str) -> None:
        """Type a command at the own prompt; what came there by itself, prompt and all, is let go.

        Raises
        ------
        DeviceError
            If the device stands anywhere else: nothing is written any more.
        """
        line, deadline_s = self.line, self._until(self.limits.login_s)
        while self._cut is None and not line.type_line(command, Standing.OWN_PROMPT):
            if line.is_free and line.more(_BEFORE_A_SECRET_S) and monotonic() < deadline_s:
                continue
            if not line.stands(Standing.OWN_PROMPT) or monotonic() >= deadline_s:
                self._cut = self._out_of_step("it printed something by itself")
        if self._cut is not None:
            raise self._cut

    def _ask(self, command: str, deadline_s: float) -> TerminalAnswer:
        """Send a line and read its answer; a session that is cut leaves what it had printed."""
        self._type_command(command)
        line = self.line
        try:
            while not self._has_ended():
                self._read(deadline_s)
        except DeviceError as error:
            self._cut = error
            if not line.size or error.fault is Failure.PROMPT_CHANGED:
                raise
        text, lost_lines = text_of(command, bytes(line.output), line.prompt, line.blanks)
        return TerminalAnswer(command, text, self._cut, line.was_paged, lost_lines)

    def _has_ended(self) -> bool:
        """Whether the device stands at its prompt again; a blank line is typed to find it out."""
        line = self.line
        if not line.has_echo:
            return False
        if line.is_answered(line.prompt):
            if line.more(line.silence_s):
                return False
            line.accept(line.prompt)
            return True
        if is_at_pager(line.output):
            line.type_line("", Standing.PAGER, line.silence_s)
        elif line.stands_at_prompt and not line.blanks:
            line.type_line("", Standing.A_PROMPT, line.silence_s)
        return False

    def _read(self, deadline_s: float) -> None:
        """Read more output, or find that the device waits for input.

        Raises
        ------
        DeviceError
            If it has closed the session, waits at a question or another prompt, or answers
            something else; or if it prints too much, or for too long.
        """
        line = self.line
        if monotonic() >= deadline_s:
            raise (self._at_a_question() or self._at_another_prompt() or DeviceError(Failure.TIME))
        if line.size > self.limits.output_bytes:
            raise DeviceError(Failure.CUT, f"over {self.limits.output_bytes} bytes")
        if line.next(max(min(_STILL_S, deadline_s - monotonic()), 0.0)):
            return
        still_s = monotonic() - line.last_at
        if still_s < _STILL_S:
            return
        changed = self._at_another_prompt()
        if changed is not None:
            raise changed
        echo = echo_of(line.command, line.prompt, line.output)
        if echo is Echo.OTHER or (echo is Echo.NONE and is_at(line.prompt, line.output)):
            raise self._out_of_step("the answer does not begin with its command")
        if still_s > _QUESTION_S:
            error = self._at_a_question()
            if error is not None:
                raise error

    def _at_a_question(self) -> DeviceError | None:
        line = self.line
        if not last_line(line.output) and not asks_in_a_line(line.output):
            return None
        question = line.asked()
        return DeviceError(Failure.QUESTION, f"`{question}`") if question else None

    def _out_of_step(self, detail: str) -> DeviceError:
        return (
            self._at_a_question()
            or self._at_another_prompt()
            or DeviceError(Failure.OUT_OF_STEP, detail)
        )

    def _at_another_prompt(self) -> DeviceError | None:
        """The end of a session whose prompt has another name or mode than before."""
        line = self.line
        other = other_prompt_of(line.prompt, line.output)
        if not other:
            return None
        names = " became ".join(prompt.decode("latin-1") for prompt in (line.prompt, other))
        return DeviceError(Failure.PROMPT_CHANGED, without_secrets(line.secrets, names))
