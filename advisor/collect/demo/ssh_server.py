"""The SSH side of simulated routers: many in one process, each with its own port."""

import asyncio
import socket
import struct
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache, partial
from typing import Final

import asyncssh
from msgspec import Struct, field

from advisor.collect.demo.script import DemoFault, Script, with_faults
from advisor.collect.demo.session import InputRecord, Session, SessionCutError, Terminal

# Keys, ciphers, users and their passwords.

_LOGIN_TIMEOUT_S: Final = 120
# The algorithms of a router with IOS 12.4; current clients accept none of them by default.
_LEGACY: Final = {
    "kex_algs": ("diffie-hellman-group14-sha1", "diffie-hellman-group1-sha1"),
    "encryption_algs": ("aes128-cbc", "3des-cbc"),
    "mac_algs": ("hmac-sha1",),
    "signature_algs": ("ssh-rsa",),
}
_RSA_BITS: Final = 2048
_INTERACTIVE: Final = (DemoFault.ASKS_AGAIN, DemoFault.EXPIRED)
_CHALLENGE: Final = ("", "", "en-US", (("Password: ", False),))
_NEW_PASSWORD: Final = (
    *("Password expired", "Your password has expired.", "en-US"),
    (("New password: ", False), ("Retype new password: ", False)),
)


@cache
def host_keys(*, is_legacy: bool) -> tuple[asyncssh.SSHKey, asyncssh.SSHKey]:
    """Return the two host keys that all routers of this process share."""
    if is_legacy:
        rsa = partial(asyncssh.generate_private_key, "ssh-rsa", key_size=_RSA_BITS)
        return rsa(), rsa()
    return asyncssh.generate_private_key("ssh-ed25519"), asyncssh.generate_private_key(
        "ssh-ed25519"
    )


def _key_pair(script: Script, key: asyncssh.SSHKey) -> asyncssh.SSHKeyPair:
    (pair,) = asyncssh.load_keypairs([key])
    if script.is_legacy:
        pair.host_key_algorithms = [b"ssh-rsa"]  # the SHA-2 signatures came years later
    return pair


def options_of(
    script: Script, record: InputRecord, key: asyncssh.SSHKey
) -> asyncssh.SSHServerConnectionOptions:
    """Return the options of the connections to a device."""
    return asyncssh.SSHServerConnectionOptions(
        server_host_keys=[_key_pair(script, key)],
        server_factory=partial(RouterServer, script, record),
        process_factory=partial(_serve, script, record),
        server_version="Cisco-1.25",
        login_timeout=_LOGIN_TIMEOUT_S,
        line_editor=False,
        encoding=None,
        agent_forwarding=False,
        public_key_auth="publickey" in script.methods,
        kbdint_auth="keyboard-interactive" in script.methods,
        password_auth="password" in script.methods and not script.has(*_INTERACTIVE),
        **(_LEGACY if script.is_legacy else {}),
    )


class RouterServer(asyncssh.SSHServer):
    """The answers to asyncssh about one connection."""

    def __init__(self, script: Script, record: InputRecord) -> None:
        self._script, self._record = script, record
        self._connection: asyncssh.SSHServerConnection | None = None

    def connection_made(self, conn: asyncssh.SSHServerConnection) -> None:
        self._connection = conn

    def begin_auth(self, username: str) -> bool:
        del username
        if self._script.login_banner and self._connection is not None:
            self._connection.send_auth_banner(f"{self._script.login_banner}\r\n")
        return True

    def password_auth_supported(self) -> bool:
        return True

    def validate_password(self, username: str, password: str) -> bool:
        return self._grants(username, password, "password")

    def kbdint_auth_supported(self) -> bool:
        return True

    def get_kbdint_challenge(
        self, username: str, lang: str, submethods: str
    ) -> tuple[str, str, str, Sequence[tuple[str, bool]]]:
        del username, lang, submethods
        return _NEW_PASSWORD if self._script.has(DemoFault.EXPIRED) else _CHALLENGE

    def validate_kbdint_response(
        self, username: str, responses: Sequence[str]
    ) -> bool | tuple[str, str, str, Sequence[tuple[str, bool]]]:
        password = responses[0] if responses else ""
        is_granted = self._grants(username, password, "keyboard-interactive")
        return _CHALLENGE if self._script.has(DemoFault.ASKS_AGAIN) else is_granted

    def public_key_auth_supported(self) -> bool:
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        authorized = {asyncssh.import_public_key(line) for line in self._script.authorized_keys}
        is_right = username == self._script.username and key in authorized
        return self._noted("publickey", username, is_right=is_right)

    def connection_requested(
        self, dest_host: str, dest_port: int, orig_host: str, orig_port: int
    ) -> bool:
        del orig_host, orig_port
        self._record.forwarded.append((dest_host, dest_port))
        return self._script.forwards and dest_host in {"127.0.0.1", "localhost"}

    def _grants(self, username: str, password: str, method: str) -> bool:
        expected = (self._script.username, self._script.password)
        return self._noted(method, username, is_right=(username, password) == expected)

    def _noted(self, method: str, username: str, *, is_right: bool) -> bool:
        is_granted = is_right and not self._script.has(DemoFault.LOGIN_REFUSED)
        self._record.logins.append((method, username, is_granted))
        return is_granted


class _Stdin:
    """The input of a client, without the events that a router ignores."""

    def __init__(self, reader: "asyncssh.SSHReader[bytes]") -> None:
        self._reader = reader

    async def read(self, n: int = -1) -> bytes:
        """Read the input that has come; raises OSError if the connection is lost."""
        while True:
            try:
                return await self._reader.read(n)
            except (asyncssh.TerminalSizeChanged, asyncssh.BreakReceived, asyncssh.SignalReceived):
                continue
            except asyncssh.Error as error:
                raise ConnectionError(str(error)) from None


async def _serve(
    script: Script, record: InputRecord, process: "asyncssh.SSHServerProcess[bytes]"
) -> None:
    terminal = Terminal(_Stdin(process.stdin), process.stdout, record, script.seconds_per_byte)
    session = Session(script, terminal, record)
    try:
        if process.command is not None:
            await session.run_command(process.command)
        elif process.subsystem is not None:
            record.received.append(f"subsystem: {process.subsystem}")
        else:
            await session.run()
    except SessionCutError:
        process.channel.get_connection().abort()
        return
    process.exit(0)


# Many simulated routers in one process, with one thread, one event loop and their own ports.

LOOPBACK: Final = "127.0.0.1"
_WAITING_CONNECTIONS: Final = 64
_RESET_ON_CLOSE: Final = struct.pack("ii", 1, 0)


class Router(Struct, frozen=True):
    """A running device. `record` holds its input."""

    script: Script
    port: int
    host_keys: tuple[str, ...]
    record: InputRecord = field(default_factory=InputRecord)

    @property
    def address(self) -> str:
        """`host:port`."""
        return f"{LOOPBACK}:{self.port}"

    @property
    def received(self) -> list[str]:
        """Every line that clients typed."""
        return self.record.received

    @property
    def known_hosts(self) -> str:
        """The lines of a known_hosts file for its first host key."""
        return f"[{LOOPBACK}]:{self.port} {self.host_keys[0]}\n"


@contextmanager
def routers(*scripts: Script, port: int = 0) -> Iterator[list[Router]]:
    """Run simulated routers on the loopback address until the context ends.

    Parameters
    ----------
    scripts
        One for each device.
    port
        Port of the first device; the others use the next ports. 0 for any free ports.

    Raises
    ------
    OSError
        If a port is in use.
    """
    with _quiet_about_old_keys(), _sockets(len(scripts), port) as sockets:
        devices = [
            _Device(script, listener) for script, listener in zip(scripts, sockets, strict=True)
        ]
        loop = asyncio.new_event_loop()
        stop = asyncio.Event()
        thread = threading.Thread(target=_serve_all, args=(loop, stop, devices), name="routers")
        thread.start()
        try:
            yield [device.router for device in devices]
        finally:
            loop.call_soon_threadsafe(stop.set)
            thread.join()


@contextmanager
def _quiet_about_old_keys() -> Iterator[None]:
    """Let asyncssh agree on keys like old routers, even if warnings count as errors."""
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", message="Diffie-Hellman over finite fields", module=r"asyncssh\.crypto\.dh"
        )
        yield


@contextmanager
def _sockets(count: int, port: int) -> Iterator[list[socket.socket]]:
    listeners: list[socket.socket] = []
    try:
        for index in range(count):
            listener = socket.socket()
            listeners.append(listener)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((LOOPBACK, port + index if port else 0))
            listener.setblocking(False)  # noqa: FBT003 -- the signature of socket
        yield listeners
    finally:
        for listener in listeners:
            listener.close()


def _serve_all(
    loop: asyncio.AbstractEventLoop, stop: asyncio.Event, devices: list["_Device"]
) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(_until(stop, devices))
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def _until(stop: asyncio.Event, devices: list["_Device"]) -> None:
    tasks = {asyncio.create_task(device.listen()) for device in devices}
    await stop.wait()
    for device in devices:
        device.close()
    pending = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks | pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)


class _Device:
    """A device at its port."""

    def __init__(self, script: Script, listener: socket.socket) -> None:
        self._script = with_faults(script)
        self._listener = listener
        keys: tuple[asyncssh.SSHKey, ...] = host_keys(is_legacy=script.is_legacy)
        if not script.has(DemoFault.KEY_CHANGES):
            keys = keys[:1]
        public = tuple(key.export_public_key().decode().strip() for key in keys)
        self.router = Router(self._script, listener.getsockname()[1], public)
        self._options = [options_of(self._script, self.router.record, key) for key in keys]
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._open: set[socket.socket] = set()
        if not script.has(DemoFault.REFUSED):
            listener.listen(_WAITING_CONNECTIONS)

    async def listen(self) -> None:
        """Serve all connections."""
        if self._script.has(DemoFault.REFUSED):
            return
        loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            while True:
                line, _ = await loop.sock_accept(self._listener)
                self.router.record.connections += 1
                group.create_task(self._connected(line, self.router.record.connections))

    def close(self) -> None:
        """End all connections."""
        for connection in self._connections:
            connection.abort()
        for line in self._open:
            line.close()

    async def _connected(self, line: socket.socket, number: int) -> None:
        if self._script.has(DemoFault.CLOSES):
            line.shutdown(socket.SHUT_WR)  # closing with unread bytes would reset the connection
            self._open.add(line)
        elif self._script.has(DemoFault.RESETS):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            line.close()
        elif self._script.has(DemoFault.SILENT):
            self._open.add(line)
        else:
            await self._speak_ssh(line, self._options[min(number, len(self._options)) - 1])

    async def _speak_ssh(
        self, line: socket.socket, options: asyncssh.SSHServerConnectionOptions
    ) -> None:
        # A client that leaves, or finds no cipher, is not an error of the router.
        with suppress(OSError, asyncssh.Error):
            connection = await asyncssh.run_server(line, options=options)
            self._connections.add(connection)
            await connection.wait_closed()
            self._connections.discard(connection)
