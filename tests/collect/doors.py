"""SSH servers that break the rules of a login or a terminal, and count what reaches them."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import paramiko
from msgspec import Struct, field
from paramiko.auth_handler import AuthHandler
from paramiko.common import AUTH_FAILED, AUTH_SUCCESSFUL

LOOPBACK: Final = "127.0.0.1"
_KEY: Final = paramiko.ECDSAKey.generate()
_CHANGE_REQUEST: Final = 60  # SSH_MSG_USERAUTH_PASSWD_CHANGEREQ
_HOLD_S: Final = 30.0
Question = tuple[str, str, tuple[tuple[str, bool], ...]]


class Door(Struct, dict=True):
    """What a server does with a login, and what it got.

    `questions` are asked one after the other, the last one without end. `told` are lines that the
    terminal shows, each after a pause; then it reads. `session` speaks in their place. `secrets` and `typed` are what was received.
    """

    methods: tuple[str, ...] = ("password",)
    after_password: int = AUTH_SUCCESSFUL
    wants_change: bool = False
    closes_after_password: bool = False
    questions: tuple[Question, ...] = ()
    last_question_is_repeated: bool = False
    refuses: bool = False
    methods_after_refusal: tuple[str, ...] = ()
    is_silent_after_password: bool = False
    is_silent_at_shell: bool = False
    told: tuple[tuple[float, bytes], ...] = ()
    session: Callable[["Wire"], None] | None = None
    closes_at_once: bool = False
    refuses_at_once: bool = False
    drops_unanswered_after_s: float | None = None
    password_takes_s: float = 0.0
    methods_after_password: Callable[[str], tuple[str, ...]] | None = None
    replies: tuple[bytes, ...] = ()
    closes_after_lines: int | None = None
    password: str = "demo"  # noqa: S105 -- of the loopback server
    secrets: list[str] = field(default_factory=list)
    answers: list[tuple[str, ...]] = field(default_factory=list)
    keys: int = 0
    begun: int = 0
    connections: int = 0
    typed: bytearray = field(default_factory=bytearray)
    lines: list[str] = field(default_factory=list)
    port: int = 0

    @property
    def address(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    @property
    def known_hosts(self) -> str:
        return f"[{LOOPBACK}]:{self.port} {_KEY.get_name()} {_KEY.get_base64()}\n"


class Wire:
    """A terminal's line as a session sees it."""

    def __init__(self, door: Door, channel: paramiko.Channel) -> None:
        self._door, self._channel = door, channel
        self._unread = b""

    def say(self, text: str, after_s: float = 0.0) -> None:
        """Print, after a pause."""
        time.sleep(after_s)
        self._channel.sendall(text.replace("\n", "\r\n").encode())

    def heard(self, *, echo: bool = True) -> str:
        """A line that was typed; counted."""
        while b"\n" not in self._unread:
            chunk = self._channel.recv(4096)
            if not chunk:
                raise EOFError
            self._door.typed += chunk
            self._unread += chunk
        raw, _, self._unread = self._unread.partition(b"\n")
        line = raw.decode().strip("\r")
        self._door.lines.append(line)
        if echo:
            self.say(f"{line}\n")
        return line


class _Auth(AuthHandler):  # type: ignore[misc]
    """A handler that may want the password changed."""

    def __init__(self, transport: paramiko.Transport, door: Door) -> None:
        super().__init__(transport)
        self._door = door

    def _send_auth_result(self, username: str, method: str, result: int) -> None:
        if method == "password" and self._door.wants_change:
            message = paramiko.Message()
            message.add_byte(bytes((_CHANGE_REQUEST,)))
            message.add_string("Your password has expired")
            message.add_string("")
            self.transport._send_message(message)
            return
        super()._send_auth_result(username, method, result)


class _Server(paramiko.ServerInterface):  # type: ignore[misc]
    def __init__(self, door: Door, transport: paramiko.Transport) -> None:
        self._door, self._transport = door, transport
        self._asked = 0
        self.shell = threading.Event()

    def get_allowed_auths(self, username: str) -> str:
        del username
        was_tried = self._door.secrets or self._door.keys
        if was_tried and self._door.methods_after_password is not None:
            return ",".join(self._door.methods_after_password(self._door.secrets[-1]))
        methods = self._door.methods_after_refusal if was_tried else ()
        return ",".join(methods or self._door.methods)

    def check_auth_none(self, username: str) -> int:
        del username
        return int(AUTH_FAILED)

    def check_auth_password(self, username: str, password: str) -> int:
        del username
        return self._judged(password)

    def check_auth_publickey(self, username: str, key: paramiko.PKey) -> int:
        del username, key
        self._door.keys += 1
        return self._door.after_password

    def check_auth_interactive(self, username: str, submethods: str) -> Any:
        del username, submethods
        self._door.begun += 1
        if self._door.refuses_at_once:
            return int(AUTH_FAILED)
        return self._next_question()

    def check_auth_interactive_response(self, responses: Sequence[str]) -> Any:
        self._door.answers.append(tuple(responses))
        self._door.secrets += responses
        if self._asked < len(self._door.questions) or self._door.last_question_is_repeated:
            return self._next_question()
        return self._judged(None)

    def _next_question(self) -> paramiko.InteractiveQuery:
        questions = self._door.questions
        title, instructions, prompts = questions[min(self._asked, len(questions) - 1)]
        self._asked += 1
        query = paramiko.InteractiveQuery(title, instructions)
        for prompt, is_echoed in prompts:
            query.add_prompt(prompt, is_echoed)
        return query

    def _judged(self, password: str | None) -> int:
        if password is not None:
            self._door.secrets.append(password)
        time.sleep(self._door.password_takes_s)
        if self._door.closes_after_password:
            raise EOFError
        if self._door.is_silent_after_password:
            time.sleep(_HOLD_S)
        return int(AUTH_FAILED) if self._door.refuses else self._door.after_password

    def check_channel_request(self, kind: str, chanid: int) -> int:
        del kind, chanid
        return int(paramiko.OPEN_SUCCEEDED)

    def check_channel_pty_request(self, *arguments: Any) -> bool:
        del arguments
        if self._door.is_silent_at_shell:
            time.sleep(_HOLD_S)
        return True

    def check_channel_shell_request(self, channel: paramiko.Channel) -> bool:
        del channel
        self.shell.set()
        return True


def _serve(door: Door, line: socket.socket) -> None:
    transport = paramiko.Transport(line)
    transport.daemon = True
    transport.add_server_key(_KEY)
    transport.auth_handler = _Auth(transport, door)
    server = _Server(door, transport)
    with contextlib.suppress(paramiko.SSHException, EOFError, OSError):
        transport.start_server(server=server)
        if door.drops_unanswered_after_s is not None:
            _drop_later(door, transport)
        channel = transport.accept(_HOLD_S)
        if channel is not None and server.shell.wait(_HOLD_S):
            _speak(door, channel)
    transport.close()


def _drop_later(door: Door, transport: paramiko.Transport) -> None:
    def drop() -> None:
        if not door.secrets:
            transport.close()

    timer = threading.Timer(door.drops_unanswered_after_s or 0.0, drop)
    timer.daemon = True
    timer.start()


def _speak(door: Door, channel: paramiko.Channel) -> None:
    if door.session is not None:
        door.session(Wire(door, channel))
        return
    for pause_s, text in door.told:
        time.sleep(pause_s)
        channel.sendall(text)
    replies, lines = iter(door.replies), 0
    if door.closes_after_lines == 0:
        return
    while chunk := channel.recv(4096):
        door.typed += chunk
        for _ in range(chunk.count(b"\n") + chunk.count(b"\r")):
            lines += 1
            channel.sendall(next(replies, b""))
        if lines == door.closes_after_lines:
            return


@contextmanager
def doors(*made: Door) -> Iterator[None]:
    """Run servers on loopback."""
    listeners = [socket.create_server((LOOPBACK, 0)) for _ in made]
    for door, listener in zip(made, listeners, strict=True):
        door.port = listener.getsockname()[1]
        threading.Thread(target=_listen, args=(door, listener), daemon=True).start()
    try:
        yield
    finally:
        for listener in listeners:
            with contextlib.suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()


def _listen(door: Door, listener: socket.socket) -> None:
    while True:
        try:
            line, _ = listener.accept()
        except OSError:
            return
        door.connections += 1
        if door.closes_at_once:
            line.sendall(b"SSH-2.0-Cisco-1.25\r\n")
            line.close()
            continue
        threading.Thread(target=_serve, args=(door, line), daemon=True).start()
