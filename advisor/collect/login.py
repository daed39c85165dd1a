"""One login: one secret, sent once, and never more than two wrong ones in a whole fleet."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from paramiko.ssh_exception import SSHException

from advisor.collect.credentials import Credentials
from advisor.collect.faults import DeviceError, Fault
from advisor.collect.question import is_for_the_password, shown
from advisor.collect.transport import LostError, Reply, Said

if TYPE_CHECKING:
    from paramiko import PKey

    from advisor.collect.transport import OneService

# The least that lock-out policies allow is three.
MOST_REFUSED: Final = 2
_METHOD: Final = re.compile(r"[a-z][a-z0-9@.-]{1,39}")
_KEY, _PASSWORD, _INTERACTIVE = "publickey", "password", "keyboard-interactive"


class Turn(Struct):
    """One secret on its way: `is_sent` once it left, `is_taken` once it was right."""

    is_sent: bool = False
    is_taken: bool = False


class Gate(Struct):
    """Lets secrets through while those that are under way could not make it too many refusals.

    Wherever an account is locked, it is by refusals in a row on servers that the fleet shares. So
    refusals and secrets not yet answered are never more than `MOST_REFUSED` together. One that is
    never answered may have been refused: it counts until a later one is taken.
    """

    refused: int = 0
    _unanswered: int = 0
    _under_way: int = 0
    _closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """Whether no secret is sent any more."""
        return self._closed

    def close(self) -> None:
        """Send no secret any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait for a turn, and note how it ended.

        Raises
        ------
        DeviceError
            If too many were refused, or the run was stopped meanwhile.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._spent < MOST_REFUSED)
            if self._closed:
                raise DeviceError(Fault.STOPPED, "it was refused twice before, or not answered")
            self._under_way += 1
        turn, is_refused = Turn(), False
        try:
            yield turn
        except DeviceError as error:
            is_refused = error.fault in (Fault.LOGIN_REFUSED, Fault.ENABLE_REFUSED)
            raise
        finally:
            with self._changed:
                self._under_way -= 1
                self._note(turn, is_refused=is_refused)
                self._changed.notify_all()

    @property
    def _spent(self) -> int:
        return self.refused + self._unanswered + self._under_way

    def _note(self, turn: Turn, *, is_refused: bool) -> None:
        if turn.is_taken:
            self._unanswered = 0
        elif turn.is_sent and is_refused:
            self.refused += 1
        elif turn.is_sent:
            self._unanswered += 1
        self._closed = self._closed or self.refused + self._unanswered >= MOST_REFUSED


class OneTry(Struct):
    """How paramiko is told to log in: by one way, once. `was_tried` says that it was."""

    credentials: Credentials
    gate: Gate
    was_tried: bool = False

    def authenticate(self, transport: "OneService") -> None:
        """Log in over a transport whose host key was verified.

        Raises
        ------
        DeviceError
            If the login is refused, not answered, or cannot be tried.
        """
        try:
            offered = transport.auth_none(self.credentials.username)
        except (SSHException, OSError, EOFError, LostError):
            raise DeviceError(Fault.UNREACHABLE, "connection lost before the login") from None
        if offered.said is Said.TAKEN:
            return
        try:
            self._log_in(transport, offered.methods)
        except TimeoutError:
            raise DeviceError(Fault.LOGIN_UNANSWERED) from None
        except (SSHException, OSError, EOFError, LostError):
            raise DeviceError(Fault.LOGIN_UNANSWERED, "connection lost") from None

    def _log_in(self, transport: "OneService", offered: tuple[str, ...]) -> None:
        """Choose one method by what is offered: a refusal is never followed by another."""
        name, wants_key = self.credentials.username, self.credentials.password is None
        own = (_KEY,) if wants_key else (_PASSWORD, _INTERACTIVE)
        method = next((each for each in own if each in offered), None)
        if method is None:
            raise DeviceError(Fault.LOGIN_METHOD, f"it offers {_named(offered)}")
        self.was_tried = True
        if method == _INTERACTIVE:
            self._answer(transport)
            return
        key = self._key() if wants_key else None
        with self.gate.turn() as turn:
            turn.is_sent = True
            if key is not None:
                reply = transport.auth_publickey(name, key)
            else:
                password = self.credentials.password or ""
                reply = transport.auth_password(name, password, fallback=False)
            self._end(turn, reply)

    def _key(self) -> "PKey":
        return _agent_key() if self.credentials.key is None else self.credentials.key

    def _answer(self, transport: "OneService") -> None:
        """Answer one question for the password, and none that is not one.

        A request without a question (RFC 4256, 3.2) is acknowledged once before it and once after.
        """
        question = transport.auth_interactive(self.credentials.username, None)
        if question.said is Said.ASKS and not question.prompts:
            question = transport.respond()
        if question.said is Said.TAKEN:
            return
        if question.said is not Said.ASKS or not _is_one_for_the_password(question):
            raise self._refused(question)
        with self.gate.turn() as turn:
            turn.is_sent = True
            reply = transport.respond(self.credentials.password or "")
            if reply.said is Said.ASKS and not reply.prompts:
                reply = transport.respond()
            self._end(turn, reply)

    def _end(self, turn: Turn, reply: Reply) -> None:
        if reply.said is not Said.TAKEN:
            raise self._refused(reply)
        turn.is_taken = True

    def _refused(self, reply: Reply) -> DeviceError:
        """Say how a login ended that was not taken."""
        name = self.credentials.username
        if reply.said is Said.PARTLY:
            return DeviceError(
                Fault.LOGIN_REFUSED, f"user {name}, it wants {_named(reply.methods)} too"
            )
        if reply.said is Said.REFUSED:
            return DeviceError(Fault.LOGIN_REFUSED, f"user {name}, one try")
        asked = next((prompt for prompt, _ in reply.prompts), "") or reply.title
        asked = shown(asked, self.credentials.secrets)
        detail = f"it asks `{asked}`" if asked else "it asks without a question"
        return DeviceError(Fault.LOGIN_REFUSED, f"user {name}, {detail}")


def _named(methods: tuple[str, ...]) -> str:
    """Methods by their names, which are what a server says they are."""
    return ", ".join(each for each in methods if _METHOD.fullmatch(each)) or "no method"


def _is_one_for_the_password(question: Reply) -> bool:
    if len(question.prompts) != 1:
        return False
    ((prompt, is_echoed),) = question.prompts
    return not is_echoed and is_for_the_password(prompt, question.title)


def _agent_key() -> "PKey":
    """The first key of the agent: to offer all would be as many logins.

    Raises
    ------
    DeviceError
        If the agent has none, or there is no agent.
    """
    from paramiko import Agent  # noqa: PLC0415 -- where the agent is asked for

    keys = Agent().get_keys()
    if not keys:
        raise DeviceError(Fault.CREDENTIALS, "the agent holds no key, or there is none")
    return keys[0]
