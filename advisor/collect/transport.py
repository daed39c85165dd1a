"""paramiko's transport with one service request, and no answer to a login lost.

paramiko 4 has two: the old one asks for the service anew with every method, which servers may take
for an attack; the new one waits for an answer with an event that it makes after the question was
sent, and for its service without end. This is the new one, put right.
"""

import socket
from collections.abc import Callable
from hmac import compare_digest
from threading import Event
from time import monotonic
from typing import Any

from paramiko import Message, ServiceRequestingTransport, SSHException, util
from paramiko.auth_handler import AuthOnlyHandler
from paramiko.common import cMSG_SERVICE_REQUEST, cMSG_USERAUTH_REQUEST

# paramiko compares the MAC of each packet byte by byte in Python, a third of what a session costs.
util.constant_time_bytes_eq = compare_digest

_SERVICE = "ssh-userauth"
_LOOK_S = 0.1
_LEAST_S = 30.0


def dialled(address: str, port: int, timeout_s: float) -> socket.socket:
    """Open a connection on which no short message waits for the acknowledgement of the last.

    A login is many of them: with the delay of TCP's small packets it takes a tenth of a second
    longer, whatever the device.

    Raises
    ------
    OSError
        If the address is not reached.
    """
    line = socket.create_connection((address, port), timeout_s)
    line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return line


class _Login(AuthOnlyHandler):  # type: ignore[misc]
    """A login whose answer may come at once."""

    def send_auth_request(
        self,
        username: str,
        method: str,
        finish_message: Callable[[Message], None] | None = None,
    ) -> list[str]:
        self.auth_method, self.username = method, username
        message = Message()
        message.add_byte(cMSG_USERAUTH_REQUEST)
        message.add_string(username)
        message.add_string("ssh-connection")
        message.add_string(method)
        if finish_message is not None:
            finish_message(message)
        self.auth_event = Event()
        with self.transport.lock:
            self.transport._send_message(message)  # noqa: SLF001 -- as its base does
        allowed: list[str] = self.wait_for_response(self.auth_event)
        return allowed


class OneService(ServiceRequestingTransport):  # type: ignore[misc]
    """A transport for any number of methods of login."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        self._is_accepted = Event()
        self.agreed_kex = ""
        super().__init__(*arguments, **options)

    def _parse_kex_init(self, m: Message) -> None:
        """Keep the name of the key exchange, which paramiko forgets once it is done."""
        super()._parse_kex_init(m)
        self.agreed_kex = getattr(self.kex_engine, "name", "")  # the newest one has none

    def _parse_service_accept(self, m: Message) -> None:
        super()._parse_service_accept(m)
        if self._service_userauth_accepted:
            self._is_accepted.set()

    def ensure_session(self) -> None:
        """Ask for the service of logging in, once.

        Raises
        ------
        SSHException
            If the connection is lost, or there is no answer.
        """
        if self._is_accepted.is_set():
            return
        until = monotonic() + (self.auth_timeout or _LEAST_S)
        message = Message()
        message.add_byte(cMSG_SERVICE_REQUEST)
        message.add_string(_SERVICE)
        self._send_message(message)
        while not self._is_accepted.wait(_LOOK_S):
            if not self.is_active() or monotonic() > until:
                raise SSHException("no answer to the request for a login")
        self.auth_handler = self.get_auth_handler()

    def get_auth_handler(self) -> _Login:
        """The handler of all methods."""
        return _Login(self)
