"""Many simulated routers in one process, with one thread, one event loop and their own ports."""

import asyncio
import socket
import struct
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import asyncssh
from msgspec import Struct, field

from advisor.demo.answers import with_faults
from advisor.demo.script import Fault, Script
from advisor.demo.ssh_server import host_keys, options_of
from advisor.demo.terminal import Record

LOOPBACK: Final = "127.0.0.1"
_WAITING_CONNECTIONS: Final = 64
_LINGER_NOT: Final = struct.pack("ii", 1, 0)  # closing then resets


class Router(Struct, frozen=True):
    """A running device. `record` holds its input."""

    script: Script
    port: int
    host_keys: tuple[str, ...]
    record: Record = field(default_factory=Record)

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
        thread = threading.Thread(target=_serve, args=(loop, stop, devices), name="routers")
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


def _serve(loop: asyncio.AbstractEventLoop, stop: asyncio.Event, devices: list["_Device"]) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_until_complete(_until(stop, devices))
    finally:
        asyncio.set_event_loop(None)
        loop.close()


async def _until(stop: asyncio.Event, devices: list["_Device"]) -> None:
    tasks = [asyncio.create_task(device.listen()) for device in devices]
    await stop.wait()
    for device in devices:
        device.close()
    pending = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in (*tasks, *pending):
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)


class _Device:
    """A device at its port."""

    def __init__(self, script: Script, listener: socket.socket) -> None:
        self._script = with_faults(script)
        self._listener = listener
        keys: tuple[asyncssh.SSHKey, ...] = host_keys(is_legacy=script.is_legacy)
        if not script.has(Fault.KEY_CHANGES):
            keys = keys[:1]
        public = tuple(key.export_public_key().decode().strip() for key in keys)
        self.router = Router(self._script, listener.getsockname()[1], public)
        self._options = [options_of(self._script, self.router.record, key) for key in keys]
        self._connections: set[asyncssh.SSHServerConnection] = set()
        self._open: set[socket.socket] = set()
        if not script.has(Fault.REFUSED):
            listener.listen(_WAITING_CONNECTIONS)

    async def listen(self) -> None:
        """Serve all connections."""
        if self._script.has(Fault.REFUSED):
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
        if self._script.has(Fault.CLOSES):
            line.shutdown(socket.SHUT_WR)  # closing with unread bytes would reset the connection
            self._open.add(line)
        elif self._script.has(Fault.RESETS):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
            line.close()
        elif self._script.has(Fault.SILENT):
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
