"""One login: one secret, sent once, and never more than two wrong ones in a whole fleet."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition
from time import monotonic
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from paramiko.ssh_exception import SSHException

from advisor.collect import DeviceError, Failure
from advisor.collect.hosts import Credentials
from advisor.collect.question import asks_for_password, shown
from advisor.collect.transport import LoginReply, LostError, ReplyKind

if TYPE_CHECKING:
    from paramiko import PKey

    from advisor.collect.transport import OneService


# The least that lock-out policies allow is three.
MOST_REFUSED: Final = 2
# RFC 4250, 4.11.2 and RFC 4462. A server names its methods as it likes; these alone are shown.
_METHODS: Final = (
    *("publickey", "password", "keyboard-interactive", "hostbased", "none"),
    *("gssapi-with-mic", "gssapi-keyex"),
)
_LOOK_S: Final = 0.1
_ASKING_S: Final = 1.0
_NO_MORE: Final = "it was refused twice before, or not answered"
_KEY, _PASSWORD, _INTERACTIVE = "publickey", "password", "keyboard-interactive"


class LoginTurn(Struct):
    """One login on its way: `is_begun` once the server hears of it, `is_taken` once it is right."""

    username: str
    begin_s: float
    is_begun: bool = False
    is_taken: bool = False


class LoginGate(Struct):
    """Lets logins through while those that are under way could not make it too many refusals.

    Wherever an account is locked, it is by refusals in a row on servers that the fleet shares. So
    refusals and logins not yet answered are never more than `MOST_REFUSED` together. One that is
    never answered may have been refused: it counts until a later one is taken. A server may count
    a login that was begun and ended without a secret: so does this.

    Until a user's login is taken for the first time, one is under way at a time; another one is
    let through when it has taken `patience_s`.
    """

    patience_s: float = 10.0
    refusals: int = 0
    _proven: set[str] = field(default_factory=set)
    _unanswered: int = 0
    _under_way: list[LoginTurn] = field(default_factory=list)
    _closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """Whether no login is begun any more."""
        return self._closed

    def close(self) -> None:
        """Begin no login any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def is_proven(self, username: str) -> bool:
        """Whether a login of a user was taken."""
        return username in self._proven

    def wait_for_room(self, username: str) -> None:
        """Wait until a turn would be given at once, or none is given any more."""
        with self._changed:
            while not self._closed and not self._has_room(username):
                self._changed.wait(_LOOK_S)

    @contextmanager
    def turn(self, username: str) -> Iterator[LoginTurn]:
        """Wait for a turn, and note how it ended.

        Raises
        ------
        DeviceError
            If too many were refused, or the run was stopped meanwhile.
        """
        with self._changed:
            while not self._closed and not self._has_room(username):
                self._changed.wait(_LOOK_S)
            if self._closed:
                raise DeviceError(Failure.STOPPED, _NO_MORE)
            turn = LoginTurn(username, monotonic())
            self._under_way.append(turn)
        is_refused = False
        try:
            yield turn
        except DeviceError as error:
            is_refused = error.fault in (Failure.LOGIN_REFUSED, Failure.ENABLE_REFUSED)
            raise
        finally:
            with self._changed:
                self._under_way = [
                    neighbour for neighbour in self._under_way if neighbour is not turn
                ]
                self._note(turn, is_refused=is_refused)
                self._changed.notify_all()

    def begin(self, turn: LoginTurn) -> None:
        """Say that a secret is sent now; one that was not for long waits for another turn.

        Raises
        ------
        DeviceError
            If too many were refused, or the run was stopped meanwhile.
        """
        with self._changed:
            while not self._closed and self._spent_beside(turn) >= MOST_REFUSED:
                self._changed.wait(_LOOK_S)
            if self._closed:
                raise DeviceError(Failure.STOPPED, _NO_MORE)
            turn.is_begun = True

    def _spent_beside(self, turn: LoginTurn | None) -> int:
        """Refusals and secrets under way; a device that asks for none for long delays no other."""
        oldest_s = monotonic() - _ASKING_S
        return (
            self.refusals
            + self._unanswered
            + sum(
                neighbour is not turn and (neighbour.is_begun or neighbour.begin_s > oldest_s)
                for neighbour in self._under_way
            )
        )

    def _has_room(self, username: str) -> bool:
        if self._spent_beside(None) >= MOST_REFUSED:
            return False
        oldest_s = monotonic() - self.patience_s
        return username in self._proven or not any(
            turn.username == username and turn.begin_s > oldest_s
            for turn in self._under_way
            if turn.is_begun or turn.begin_s > monotonic() - _ASKING_S
        )

    def _note(self, turn: LoginTurn, *, is_refused: bool) -> None:
        if turn.is_taken:
            self._unanswered = 0
            self._proven.add(turn.username)
        elif turn.is_begun and is_refused:
            self.refusals += 1
        elif turn.is_begun:
            self._unanswered += 1
        self._closed = self._closed or self.refusals + self._unanswered >= MOST_REFUSED


class OneTry(Struct):
    """How paramiko is told to log in: by one way, once. `was_tried` says that it was."""

    credentials: Credentials
    gate: LoginGate
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
            raise DeviceError(Failure.UNREACHABLE, "connection lost before the login") from None
        if offered.kind is ReplyKind.TAKEN:
            return
        try:
            self._log_in(transport, offered.methods)
        except TimeoutError:
            raise DeviceError(Failure.LOGIN_UNANSWERED) from None
        except (SSHException, OSError, EOFError, LostError):
            raise DeviceError(Failure.LOGIN_UNANSWERED, "connection lost") from None

    def _log_in(self, transport: "OneService", offered: tuple[str, ...]) -> None:
        """Choose one method by what is offered: a refusal is never followed by another."""
        name, is_by_key = self.credentials.username, self.credentials.password is None
        methods = (_KEY,) if is_by_key else (_PASSWORD, _INTERACTIVE)
        method = next((candidate for candidate in methods if candidate in offered), None)
        if method is None:
            raise DeviceError(Failure.LOGIN_METHOD, f"it offers {_named(offered)}")
        key = self._key() if method == _KEY else None
        with self.gate.turn(name) as turn:
            if not transport.is_active():
                raise DeviceError(Failure.DROPPED)
            self.gate.begin(turn)
            self.was_tried = True
            if method == _INTERACTIVE:
                self._answer(transport, turn)
            elif key is not None:
                self._end(turn, transport.auth_publickey(name, key))
            else:
                password = self.credentials.password or ""
                self._end(turn, transport.auth_password(name, password, fallback=False))

    def _key(self) -> "PKey":
        return _agent_key() if self.credentials.key is None else self.credentials.key

    def _answer(self, transport: "OneService", turn: LoginTurn) -> None:
        """Answer one question for the password, and none that is not one.

        A request without a question (RFC 4256, 3.2) is acknowledged once before it and once after.
        """
        reply = transport.auth_interactive(self.credentials.username, None)
        if reply.kind is ReplyKind.ASKS and not reply.prompts:
            reply = transport.respond()
        if reply.kind is ReplyKind.ASKS and self._is_for_the_password(reply):
            reply = transport.respond(self.credentials.password or "")
            if reply.kind is ReplyKind.ASKS and not reply.prompts:
                reply = transport.respond()
        self._end(turn, reply)

    def _is_for_the_password(self, question: LoginReply) -> bool:
        if len(question.prompts) != 1:
            return False
        ((prompt, is_echoed),) = question.prompts
        return not is_echoed and asks_for_password(
            prompt, question.title, self.credentials.username
        )

    def _end(self, turn: LoginTurn, reply: LoginReply) -> None:
        if reply.kind is not ReplyKind.TAKEN:
            raise self._refused(reply)
        turn.is_taken = True

    def _refused(self, reply: LoginReply) -> DeviceError:
        """Say how a login ended that was not taken."""
        name = self.credentials.username
        if reply.kind is ReplyKind.PARTLY:
            return DeviceError(
                Failure.LOGIN_REFUSED, f"user {name}, it wants {_named(reply.methods)} too"
            )
        if reply.kind is ReplyKind.REFUSED:
            return DeviceError(Failure.LOGIN_REFUSED, f"user {name}, one try")
        return DeviceError(Failure.LOGIN_REFUSED, f"user {name}, {self._asked(reply)}")

    def _asked(self, reply: LoginReply) -> str:
        """The question of the server, and why it is not one for the password."""
        secrets = self.credentials.secrets
        prompt, is_echoed = reply.prompts[0] if reply.prompts else ("", False)
        question = shown(prompt or reply.title, secrets)
        if not question:
            return "it asks without a question"
        if len(reply.prompts) > 1:
            return f"it asks `{question}` and more than that"
        if is_echoed:
            return f"it asks `{question}` and would show the answer"
        title = shown(reply.title, secrets) if prompt else ""
        return f"it asks `{question}` under `{title}`" if title else f"it asks `{question}`"


def _named(methods: tuple[str, ...]) -> str:
    """Methods by their names; one that is not known is not repeated."""
    names = (method if method in _METHODS else "another one" for method in methods if method)
    return ", ".join(dict.fromkeys(names)) or "no method"


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
        raise DeviceError(Failure.CREDENTIALS, "the agent holds no key, or there is none")
    return keys[0]
