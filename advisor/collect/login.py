"""One login: tried once, and never more than two wrong ones in a whole fleet."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition
from typing import TYPE_CHECKING, Final

from msgspec import Struct, field
from paramiko.ssh_exception import (
    AuthenticationException,
    BadAuthenticationType,
    SSHException,
)

from advisor.collect.credentials import Credentials
from advisor.collect.faults import DeviceError, Fault

if TYPE_CHECKING:
    from paramiko import PKey

    from advisor.collect.transport import OneService

# The least that lock-out policies allow is three.
MOST_REFUSED: Final = 2
_UNANSWERED: Final = "Authentication timeout"  # how paramiko words it


class LoginGate(Struct):
    """Lets logins through while those that are under way could not make it too many refusals.

    Wherever an account is locked, it is by refusals in a row on servers that the fleet shares. So
    refused logins and those not yet answered are never more than `MOST_REFUSED` together.
    """

    refused: int = 0
    _under_way: int = 0
    _closed: bool = False
    _changed: Condition = field(default_factory=Condition)

    @property
    def is_closed(self) -> bool:
        """Whether no login is tried any more."""
        return self._closed

    def close(self) -> None:
        """Try no login any more."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn, and note how the login ended.

        Raises
        ------
        DeviceError
            If the run was stopped meanwhile.
        """
        with self._changed:
            self._changed.wait_for(
                lambda: self._closed or self.refused + self._under_way < MOST_REFUSED
            )
            if self._closed:
                raise DeviceError(Fault.STOPPED, "logins were refused before")
            self._under_way += 1
        refused = False
        try:
            yield
        except DeviceError as error:
            refused = error.fault is Fault.LOGIN_REFUSED
            raise
        finally:
            with self._changed:
                self._under_way -= 1
                self.refused += refused
                self._closed = self._closed or self.refused >= MOST_REFUSED
                self._changed.notify_all()


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
        offered = _offered(transport, self.credentials.username)
        with self.gate.turn():
            self.was_tried = True
            try:
                self._try(transport, offered)
            except BadAuthenticationType as error:
                offered = ", ".join(error.allowed_types)
                raise DeviceError(Fault.LOGIN_METHOD, f"it offers {offered}") from None
            except AuthenticationException as error:
                if str(error).startswith(_UNANSWERED):
                    raise DeviceError(Fault.LOGIN_UNANSWERED) from None
                name = self.credentials.username
                raise DeviceError(Fault.LOGIN_REFUSED, f"user {name}, one try") from None
            except (SSHException, OSError, EOFError):
                raise DeviceError(Fault.LOGIN_UNANSWERED, "connection lost") from None

    def _try(self, transport: "OneService", offered: Sequence[str]) -> None:
        name = self.credentials.username
        key = _agent_key() if self.credentials.use_agent else self.credentials.key
        if key is not None:
            transport.auth_publickey(name, key)
            return
        password = self.credentials.password or ""
        if "password" in offered:
            transport.auth_password(name, password, fallback=False)
            return

        def answer(title: str, instructions: str, fields: Sequence[tuple[str, bool]]) -> list[str]:
            del title, instructions
            return [password] * len(fields)

        if not transport.is_authenticated():
            transport.auth_interactive(name, answer)


def _offered(transport: "OneService", username: str) -> Sequence[str]:
    """Ask which ways to log in there are, so that a refusal is not followed by another way.

    Nothing secret is sent for it, and nothing is counted: it takes no turn.

    Raises
    ------
    DeviceError
        If there is no answer.
    """
    try:
        transport.auth_none(username)
    except BadAuthenticationType as error:
        return list(error.allowed_types)
    except (SSHException, OSError, EOFError):
        raise DeviceError(Fault.UNREACHABLE, "connection lost before the login") from None
    return ()


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
