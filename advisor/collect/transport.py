"""paramiko's transport: accepted algorithms, one service request, no reply to a login lost."""

import errno
import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from enum import Enum, StrEnum, auto
from hmac import compare_digest
from queue import Empty, SimpleQueue
from selectors import EVENT_WRITE, DefaultSelector
from threading import Event, Thread, Timer
from time import monotonic
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct
from paramiko import Message, ServiceRequestingTransport, SSHException, Transport, util
from paramiko.auth_handler import AuthOnlyHandler
from paramiko.common import cMSG_SERVICE_REQUEST, cMSG_USERAUTH_INFO_RESPONSE, cMSG_USERAUTH_REQUEST

from advisor.collect import DeviceError, Failure, Stop

# paramiko's transport with one service request, and no reply to a login lost.
#
# paramiko 4 has two: the old one asks for the service anew with every method, which servers may
# take for an attack; the new one waits for an answer with an event that it makes after the
# question was sent, and for its service without end. This is the new one, put right.

# paramiko compares the MAC of each packet byte by byte in Python, a third of what a session costs.
util.constant_time_bytes_eq = compare_digest

_SERVICE = "ssh-userauth"
_LOOK_S = 0.1
_LEAST_S = 30.0
_MOST_REPLIES = 4
_MOST_PROMPTS = 2  # one is answered; how many more there are makes no difference


def dialled(address: str, port: int, timeout_s: float, stop: Stop) -> socket.socket:
    """Open a connection on which no short message waits for the acknowledgement of the last.

    A login is many of them: with the delay of TCP's small packets it takes a tenth of a second
    longer, whatever the device.

    Raises
    ------
    DeviceError
        If the run was stopped meanwhile.
    OSError
        If the address is not reached.
    """
    fault: OSError = socket.gaierror(socket.EAI_NONAME, "no address")
    deadline_s = monotonic() + timeout_s
    for family, kind, protocol, _, place in _resolved(address, port, stop):
        line = socket.socket(family, kind, protocol)
        try:
            _connect(line, place, deadline_s, stop)
        except OSError as error:
            line.close()
            fault = error
        except DeviceError:
            line.close()
            raise
        else:
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return line
    raise fault


def _resolved(address: str, port: int, stop: Stop) -> list[tuple[Any, ...]]:
    """Addresses of a name. The system's resolver takes its time, which a run that ends has not."""
    answers: SimpleQueue[list[tuple[Any, ...]] | OSError] = SimpleQueue()

    def resolve() -> None:
        try:
            answers.put(socket.getaddrinfo(address, port, 0, socket.SOCK_STREAM))
        except OSError as error:
            answers.put(error)
        except UnicodeError:  # a label that is empty, or longer than 63 characters
            answers.put(socket.gaierror(socket.EAI_NONAME, "not a name"))

    Thread(target=resolve, daemon=True).start()
    while not stop.is_set():
        try:
            answer = answers.get(timeout=_LOOK_S)
        except Empty:
            continue
        if isinstance(answer, OSError):
            raise answer
        return answer
    raise DeviceError(Failure.INTERRUPTED)


def _connect(line: socket.socket, place: Any, deadline_s: float, stop: Stop) -> None:  # noqa: ANN401
    line.settimeout(0)
    code = line.connect_ex(place)
    with DefaultSelector() as selector:
        selector.register(line, EVENT_WRITE)
        while code in (errno.EINPROGRESS, errno.EWOULDBLOCK):
            if stop.is_set():
                raise DeviceError(Failure.INTERRUPTED)
            if monotonic() > deadline_s:
                raise TimeoutError
            if selector.select(min(_LOOK_S, max(deadline_s - monotonic(), 0.0))):
                code = line.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if code:
        raise OSError(code, os.strerror(code))
    line.settimeout(None)


class ReplyKind(Enum):
    """Kinds of replies of a server to a step of a login."""

    TAKEN = auto()
    REFUSED = auto()
    PARTLY = auto()  # taken, and another method is wanted beside it
    ASKS = auto()
    CHANGE = auto()  # the password is to be changed


class LoginReply(Struct, frozen=True):
    """A server's reply. `methods` are those that it offers.

    `title` and `prompts` are what it asks, with whether the answer is echoed: two prompts at most,
    however many it asks.
    """

    kind: ReplyKind
    methods: tuple[str, ...] = ()
    title: str = ""
    prompts: tuple[tuple[str, bool], ...] = ()


class LostError(Exception):
    """The connection ended before the reply came."""


class _Login(AuthOnlyHandler):  # type: ignore[misc]
    """A login whose replies are read by the one who waits for them.

    paramiko answers a question where it is read, as often as it is asked, after the login too.
    Here nothing is sent but by `send_auth_request` and `respond`.
    """

    def __init__(self, transport: "OneService") -> None:
        super().__init__(transport)
        self._replies: SimpleQueue[LoginReply | None] = SimpleQueue()

    def send_auth_request(
        self,
        username: str,
        method: str,
        finish_message: Callable[[Message], None] | None = None,
    ) -> LoginReply:
        self.auth_method, self.username = method, username
        message = Message()
        message.add_byte(cMSG_USERAUTH_REQUEST)
        message.add_string(username)
        message.add_string("ssh-connection")
        message.add_string(method)
        if finish_message is not None:
            finish_message(message)
        return self._sent(message)

    def respond(self, *answers: str) -> LoginReply:
        """Answer the prompts of a question.

        Raises
        ------
        LostError, TimeoutError
            If no reply comes.
        """
        message = Message()
        message.add_byte(cMSG_USERAUTH_INFO_RESPONSE)
        message.add_int(len(answers))
        for answer in answers:
            message.add_string(answer)
        return self._sent(message)

    def abort(self) -> None:
        self._replies.put(None)

    def _sent(self, message: Message) -> LoginReply:
        with self.transport.lock:
            self.transport._send_message(message)  # noqa: SLF001 -- as its base does
        deadline_s = monotonic() + (self.transport.auth_timeout or _LEAST_S)
        while (left_s := deadline_s - monotonic()) > 0:
            try:
                reply = self._replies.get(timeout=min(left_s, _LOOK_S))
            except Empty:
                if not self.transport.is_active():
                    raise LostError from None
                continue
            if reply is None:
                raise LostError
            return reply
        raise TimeoutError

    def _hear(self, reply: LoginReply) -> None:
        if self.authenticated or self._replies.qsize() >= _MOST_REPLIES:
            raise SSHException("a reply to a login that nobody waits for")
        self._replies.put(reply)

    def _parse_userauth_success(self, message: Message) -> None:
        super()._parse_userauth_success(message)
        self._replies.put(LoginReply(ReplyKind.TAKEN))

    def _parse_userauth_failure(self, message: Message) -> None:
        methods = tuple(_text(message).split(","))
        self._hear(
            LoginReply(ReplyKind.PARTLY if message.get_boolean() else ReplyKind.REFUSED, methods)
        )

    def _parse_userauth_info_request(self, message: Message) -> None:
        """A question; to a password its number means that it is to be changed (RFC 4252, 8)."""
        if self.auth_method == "password":
            self._hear(LoginReply(ReplyKind.CHANGE, prompts=((_text(message), False),)))
            return
        title = f"{_text(message)} {_text(message)}"
        message.get_binary()  # a language
        prompt_count = min(message.get_int(), _MOST_PROMPTS)
        prompts = tuple((_text(message), message.get_boolean()) for _ in range(prompt_count))
        self._hear(LoginReply(ReplyKind.ASKS, title=title.strip(), prompts=prompts))


def _text(message: Message) -> str:
    text: str = message.get_binary().decode("utf-8", "replace")
    return text


class OneService(ServiceRequestingTransport):  # type: ignore[misc]
    """A transport for any number of methods of login."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401
        self._is_accepted = Event()
        self.agreed_kex = ""
        super().__init__(*arguments, **options)

    def _parse_kex_init(self, message: Message) -> None:
        """Keep the name of the key exchange, which paramiko forgets once it is done."""
        super()._parse_kex_init(message)
        self.agreed_kex = getattr(self.kex_engine, "name", "")  # the newest one has none

    def _parse_service_accept(self, message: Message) -> None:
        super()._parse_service_accept(message)
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
        deadline_s = monotonic() + (self.auth_timeout or _LEAST_S)
        message = Message()
        message.add_byte(cMSG_SERVICE_REQUEST)
        message.add_string(_SERVICE)
        self._send_message(message)
        while not self._is_accepted.wait(_LOOK_S):
            if not self.is_active() or monotonic() > deadline_s:
                raise SSHException("no answer to the request for a login")
        self.auth_handler = self.get_auth_handler()

    def get_auth_handler(self) -> _Login:
        """The handler of all methods."""
        return _Login(self)

    def respond(self, *answers: str) -> LoginReply:
        """Answer a question of the login; see `_Login.respond`."""
        return self.auth_handler.respond(*answers)


@contextmanager
def ended_after(seconds: float, transport: Transport) -> Iterator[None]:
    """Close a session after a time, even if a device makes paramiko wait.

    paramiko waits for the reply to a request for a terminal without end.
    """
    timer = Timer(seconds, transport.close)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


# The SSH algorithms that are accepted. Weak algorithms that paramiko 4 still offers are off.


class SshProfile(StrEnum):
    """How old the crypto of a device may be."""

    MODERN = "modern"
    LEGACY = "legacy"


# Source: RFC 9142 (key exchange: SHA-1 and group 1 must not or should not), RFC 8332 (ssh-rsa
# signs with SHA-1), and the CBC plaintext recovery of VU#958563.
DISABLED: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "kex": (
            "diffie-hellman-group1-sha1",
            "diffie-hellman-group14-sha1",
            "diffie-hellman-group-exchange-sha1",
        ),
        "ciphers": ("3des-cbc", "aes128-cbc", "aes192-cbc", "aes256-cbc"),
        "macs": ("hmac-sha1", "hmac-sha1-96", "hmac-md5", "hmac-md5-96"),
        "keys": ("ssh-rsa", "ssh-dss"),
        "pubkeys": ("ssh-rsa", "ssh-dss"),
    }
)


def disabled_algorithms(profile: SshProfile) -> dict[str, list[str]]:
    """Algorithms to switch off, in the form that paramiko takes."""
    if profile is SshProfile.LEGACY:
        return {}
    return {kind: list(names) for kind, names in DISABLED.items()}


def negotiated_old(transport: "OneService") -> tuple[str, ...]:
    """List the negotiated algorithms that are off in the modern profile.

    Key exchange, signature of the host key, and ciphers and MACs of both ways.
    """
    old = {name for names in DISABLED.values() for name in names}
    algorithms = (
        transport.remote_cipher,
        transport.local_cipher,
        transport.remote_mac,
        transport.local_mac,
        transport.host_key_type,
        transport.agreed_kex,
    )
    return tuple(dict.fromkeys(name for name in algorithms if name in old))
