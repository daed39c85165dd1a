"""Logs in with one secret, sent once; at most two refused logins in a whole fleet."""

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
    """A login in progress: `is_begun` once the server sees it, `is_taken` once it is accepted."""

    username: str
    begin_s: float
    is_begun: bool = False
    is_taken: bool = False


class LoginGate(Struct):
    """Limits concurrent logins, so that a wrong secret cannot lock an account.

    Servers that the fleet shares (AAA) lock an account after several refusals in a row. So refused
    logins and logins in progress are together never more than `MOST_REFUSED`. An unanswered login
    may have been refused: it counts until a later login is accepted. A login that ended before its
    secret was sent counts too, as some servers count it.

    Until the first login of a user is accepted, only one is in progress at a time; if it takes
    longer than `patience_s`, the next one may start.
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
        """Whether no more logins may start."""
        return self._closed

    def close(self) -> None:
        """Let no more logins start."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def is_proven(self, username: str) -> bool:
        """Whether a login of a user was accepted."""
        return username in self._proven

    def wait_for_room(self, username: str) -> None:
        """Wait until a login may start at once, or no more logins may start."""
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
        """Note that the secret is sent now; wait if too many others started meanwhile.

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
        """Refusals, and logins in progress other than `turn`.

        A login whose device has not asked for the secret within `_ASKING_S` does not count.
        """
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
    """Authenticates one SSH transport with one method, once; `was_tried`: a secret was sent."""

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
        """Try one of the offered methods; never a second one after a refusal."""
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
        """Answer one prompt for the password, and no other prompt.

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
        """The error for a login that was not accepted."""
        name = self.credentials.username
        if reply.kind is ReplyKind.PARTLY:
            return DeviceError(
                Failure.LOGIN_REFUSED, f"user {name}, it wants {_named(reply.methods)} too"
            )
        if reply.kind is ReplyKind.REFUSED:
            return DeviceError(Failure.LOGIN_REFUSED, f"user {name}, one try")
        return DeviceError(Failure.LOGIN_REFUSED, f"user {name}, {self._asked(reply)}")

    def _asked(self, reply: LoginReply) -> str:
        """The prompt of the server, and why it is not answered with the password."""
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
    """Names of authentication methods; an unknown name is printed as `another one`."""
    names = (method if method in _METHODS else "another one" for method in methods if method)
    return ", ".join(dict.fromkeys(names)) or "no method"


def _agent_key() -> "PKey":
    """The first key of the agent; each further key would be another login.

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
