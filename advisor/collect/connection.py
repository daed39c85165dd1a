"""The only module that calls netmiko: it opens a session that can only read, or a jump to one."""

import logging
import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

import paramiko
from msgspec import Struct
from netmiko.cisco.cisco_ios import CiscoIosSSH
from netmiko.exceptions import NetmikoBaseException, NetmikoTimeoutException
from paramiko.ssh_exception import IncompatiblePeer, SSHException

from advisor.collect import DeviceError, Failure, ReadLimits, Stop
from advisor.collect.hosts import (
    ChangedHostKeyError,
    HostKeyError,
    KnownHosts,
    Strict,
    Target,
    UnknownHostKeyError,
    prefer_known_types,
)
from advisor.collect.line import TerminalLine
from advisor.collect.login import OneTry
from advisor.collect.shell import Shell
from advisor.collect.transport import (
    OneService,
    dialled,
    disabled_algorithms,
    ended_after,
    negotiated_old,
)

if TYPE_CHECKING:
    from paramiko import Channel


# A host that lies between: every device is reached through one session with it.


class Jump(Struct):
    """An open session with the jump host, shared by all devices."""

    client: paramiko.SSHClient

    def channel(self, target: Target, limits: ReadLimits) -> "Channel":
        """Open a way to a device; it stands in for a socket.

        Raises
        ------
        paramiko.SSHException
            If the jump host does not reach it.
        """
        transport = self.client.get_transport()
        if transport is None:
            raise paramiko.SSHException("the session with the jump host has ended")
        place = (target.address, target.port)
        return transport.open_channel("direct-tcpip", place, ("", 0), timeout=limits.connect_s)

    def close(self) -> None:
        """End the session."""
        self.client.close()


def jump_over(
    host: Target, login: OneTry, known_hosts: KnownHosts, limits: ReadLimits, stop: Stop
) -> Jump:
    """Log in to the jump host, with the same care as to a device.

    Raises
    ------
    DeviceError, HostKeyError, OSError, paramiko.SSHException
        If that fails; see `connection.trouble_as_faults`.
    """
    client = paramiko.SSHClient()
    client.set_missing_host_key_policy(Strict(known_hosts, host))
    keys = known_hosts.keys_of(host.known_as)

    def transport(*arguments: object, **options: object) -> paramiko.Transport:
        session = OneService(*arguments, **options)
        prefer_known_types(session, keys)
        return session

    line = dialled(host.address, host.port, limits.connect_s, stop)
    stop.cuts_for_good(line)
    try:
        client.connect(
            host.address,
            host.port,
            login.credentials.username,
            timeout=limits.connect_s,
            channel_timeout=limits.login_s,
            banner_timeout=limits.connect_s,
            auth_timeout=limits.login_s,
            disabled_algorithms=disabled_algorithms(host.profile),
            transport_factory=transport,
            auth_strategy=login,
            sock=line,
        )
    except BaseException:
        client.close()
        raise
    return Jump(client)


# Sessions that can only read; no other module calls netmiko.

# Without a handler of their own their errors would end up on the terminal, tracebacks and all; and
# at other levels they log banners and typed text, which may hold secrets.
for _name in ("paramiko", "netmiko"):
    logging.getLogger(_name).addHandler(logging.NullHandler())
    logging.getLogger(_name).propagate = False

_KEY_ERRORS: Final = {
    UnknownHostKeyError: Failure.HOST_KEY_UNKNOWN,
    ChangedHostKeyError: Failure.HOST_KEY_CHANGED,
}


_FAULTS: Final[tuple[tuple[Any, Failure, str], ...]] = (
    (socket.gaierror, Failure.NAME, ""),
    (ConnectionRefusedError, Failure.REFUSED, ""),
    (IncompatiblePeer, Failure.CRYPTO, "the router offers only old ones"),
    (paramiko.ChannelException, Failure.UNREACHABLE, "the jump host does not reach it"),
    (TimeoutError, Failure.UNREACHABLE, "no answer"),
)
# How paramiko words that no version of SSH was announced.
_NO_SSH: Final = re.compile(r"banner(?!\[Errno)|protocol version")
_OF_NETMIKO: Final = (NetmikoBaseException, NetmikoTimeoutException)


class _Client(paramiko.SSHClient):  # type: ignore[misc]
    """A client that does not wait for its shell without end."""

    def __init__(self, shell_s: float) -> None:
        super().__init__()
        self._shell_s = shell_s

    def invoke_shell(self, *arguments: Any, **options: Any) -> paramiko.Channel:  # noqa: ANN401
        transport = self.get_transport()
        if transport is None:
            raise SSHException("the session has ended")
        with ended_after(self._shell_s, transport):
            return super().invoke_shell(*arguments, **options)


class _ReadOnlyIos(CiscoIosSSH):
    """netmiko's IOS driver, without what it would send by itself."""

    def __init__(
        self,
        target: Target,
        login: OneTry,
        known_hosts: KnownHosts,
        limits: ReadLimits,
        sock: Any,  # noqa: ANN401 -- a socket or what stands for one
    ) -> None:
        self._target, self._login, self._known, self._limits = target, login, known_hosts, limits
        super().__init__(
            host=target.address,
            port=target.port,
            username=login.credentials.username,
            secret=login.credentials.enable or "",
            device_type="cisco_ios",
            conn_timeout=limits.login_s,  # of the key exchange: old routers take seconds for it
            banner_timeout=limits.connect_s,
            auth_timeout=limits.login_s,
            disabled_algorithms=disabled_algorithms(target.profile),
            sock=sock,
        )

    def establish_connection(self, width: int = 511, height: int = 1000) -> None:
        try:
            super().establish_connection(width, height)
        except BaseException:
            self.paramiko_cleanup()  # netmiko itself forgets it on errors that it does not know
            raise

    def _connect_params_dict(self) -> dict[str, Any]:
        keys = self._known.keys_of(self._target.known_as)

        def transport(*arguments: Any, **options: Any) -> paramiko.Transport:  # noqa: ANN401
            session = OneService(*arguments, **options)
            session.channel_timeout = self._limits.login_s
            prefer_known_types(session, keys)
            return session

        parameters: dict[str, Any] = super()._connect_params_dict()
        return parameters | {"transport_factory": transport, "auth_strategy": self._login}

    def _build_ssh_client(self) -> paramiko.SSHClient:
        client = _Client(self._limits.login_s)
        client.set_missing_host_key_policy(Strict(self._known, self._target))
        return client

    def _try_session_preparation(self, force_data: bool = True) -> None:
        """Left to `Shell`: netmiko takes the first `#` of a banner for the prompt."""

    def cleanup(self, command: str = "") -> None:
        """Left to `Shell` too: netmiko would send `end` to what it takes for configuration mode."""


@contextmanager
def connected(
    target: Target,
    login: OneTry,
    known_hosts: KnownHosts,
    limits: ReadLimits,
    stop: Stop,
    *,
    jump: Jump | None = None,
    deadline_s: float | None = None,
) -> Iterator[tuple[Shell, tuple[str, ...]]]:
    """Log in; leave with `exit`, also after an error.

    `deadline_s` is that of the device, on the clock of `monotonic`; None counts from now.

    Yields
    ------
    Shell
        The session, its prompt not yet waited for.
    tuple of str
        Old algorithms that were agreed on; empty with the modern profile.

    Raises
    ------
    DeviceError
        If the device is not reached, not who it should be, or refuses the login.
    """
    if deadline_s is None:
        deadline_s = monotonic() + limits.device_s
    with trouble_as_faults():
        line = _line(target, limits, stop, jump)
    with stop.cuts(line):
        connection = _opened(target, login, known_hosts, limits, line)
    try:
        channel: Any = connection.remote_conn
        secrets = login.credentials.secrets
        shell = Shell(
            TerminalLine(channel, connection.write_channel, limits, stop, secrets),
            limits,
            deadline_s,
        )
        yield shell, negotiated_old(channel.get_transport())
        shell.leave()
    except (OSError, EOFError, SSHException) as error:
        raise DeviceError(Failure.CUT, type(error).__name__) from None
    finally:
        connection.disconnect()


def _opened(
    target: Target,
    login: OneTry,
    known_hosts: KnownHosts,
    limits: ReadLimits,
    line: Any,  # noqa: ANN401
) -> _ReadOnlyIos:
    try:
        with trouble_as_faults():
            return _ReadOnlyIos(target, login, known_hosts, limits, line)
    except DeviceError as error:
        if error.may_pass and login.was_tried:
            raise DeviceError(Failure.CUT, "right after the login") from None
        raise


def _line(target: Target, limits: ReadLimits, stop: Stop, jump: Jump | None) -> Any:  # noqa: ANN401
    """A way to the device for bytes: a socket, or a channel of the jump host."""
    if jump is not None:
        return jump.channel(target, limits)
    return dialled(target.address, target.port, limits.connect_s, stop)


@contextmanager
def trouble_as_faults() -> Iterator[None]:
    """Turn errors that libraries raise while they connect into faults for a person.

    Raises
    ------
    DeviceError
        For each of those errors.
    """
    try:
        yield
    except DeviceError:
        raise
    except HostKeyError as error:
        raise DeviceError(_KEY_ERRORS[type(error)], str(error)) from None
    except (*_OF_NETMIKO, SSHException, OSError, EOFError) as error:
        cause = error.__context__ if isinstance(error, _OF_NETMIKO) else error
        raise _fault_of(cause or error) from None


def _fault_of(error: BaseException) -> DeviceError:
    for kinds, fault, detail in _FAULTS:
        if isinstance(error, kinds):
            return DeviceError(fault, detail)
    if isinstance(error, SSHException) and _NO_SSH.search(str(error)):
        return DeviceError(Failure.NOT_SSH)
    return DeviceError(Failure.UNREACHABLE, "connection lost before the login")


def record_key(
    target: Target, known_hosts: KnownHosts, limits: ReadLimits, stop: Stop, jump: Jump | None
) -> None:
    """Fetch the key of a device that is not known and record it; no login is made.

    Raises
    ------
    DeviceError
        If the device is not reached.
    KnownHostsError
        If the key cannot be recorded.
    """
    if known_hosts.keys_of(target.known_as):
        return
    with trouble_as_faults():
        line = _line(target, limits, stop, jump)
        disabled = disabled_algorithms(target.profile)
        transport = paramiko.Transport(line, disabled_algorithms=disabled)
        transport.banner_timeout = limits.connect_s
        try:
            with stop.cuts(line):
                transport.start_client(timeout=limits.login_s)
            known_hosts.record(target.known_as, transport.get_remote_server_key())
        finally:
            transport.close()
