"""One session with a simulated router: its terminal line, from banner to end, with its faults."""

import asyncio
import random
from collections.abc import Callable
from typing import Final, NoReturn, Protocol

from msgspec import Struct, field

from advisor.collect.demo.exec_mode import Exec, ExecReply, Then
from advisor.collect.demo.script import DemoFault, Script

# The terminal line of a simulated router: echo, line ends, pages, pace. It records its input.

_MORE: Final = b" --More-- "
_ERASE: Final = b"\b" * 9 + b" " * 8 + b"\b" * 9
_BACKSPACE: Final = (8, 127)
_ERASE_LINE: Final = 21
_END_OF_LINE: Final = (10, 13)
_CHUNK_BYTES: Final = 16_384
_READ_BYTES: Final = 4096


class Hangup(Exception):  # noqa: N818 -- an end, not an error
    """The other side has closed the line."""


class Reader(Protocol):
    """The input of the terminal."""

    async def read(self, n: int = -1) -> bytes: ...


class Writer(Protocol):
    """The output of the terminal."""

    def is_closing(self) -> bool: ...
    def write(self, data: bytes) -> None: ...
    async def drain(self) -> None: ...


class InputRecord(Struct, dict=True):
    """The input of a device, over all its sessions.

    Attributes
    ----------
    received
        Lines as typed, with the passwords and the keys at `--More--`. A request outside a shell
        has its kind before it, as `subsystem: sftp`.
    raw
        The bytes of all shells, in the order of arrival.
    logins
        Method, user and success of each attempt to authenticate.
    connections
        TCP connections accepted.
    forwarded
        Ports that clients asked to forward to.
    """

    received: list[str] = field(default_factory=list)
    raw: bytearray = field(default_factory=bytearray)
    logins: list[tuple[str, str, bool]] = field(default_factory=list)
    connections: int = 0
    forwarded: list[tuple[str, int]] = field(default_factory=list)


class Terminal:
    """The line of one session."""

    def __init__(
        self, reader: Reader, writer: Writer, record: InputRecord, seconds_per_byte: float
    ) -> None:
        self._reader, self._writer, self._record = reader, writer, record
        self._seconds_per_byte = seconds_per_byte
        self._pending = bytearray()
        self._unsent = bytearray()
        self._after_return = False

    async def write(self, payload: bytes) -> None:
        """Send bytes at the pace of the line; without a pace, collect them until the next flush.

        Raises
        ------
        Hangup
            If the other side has gone.
        """
        if not self._seconds_per_byte:
            self._unsent += payload
            if len(self._unsent) >= _CHUNK_BYTES:
                await self.flush()
            return
        for byte in payload:
            if self._writer.is_closing():
                raise Hangup
            self._unsent.append(byte)
            await self.flush()
            await asyncio.sleep(self._seconds_per_byte)

    async def flush(self) -> None:
        """Send the collected bytes. This comes before a pause and before a wait for input.

        Raises
        ------
        Hangup
            If the other side has gone.
        """
        pending, self._unsent = self._unsent, bytearray()
        try:
            for start in range(0, len(pending), _CHUNK_BYTES):
                self._writer.write(bytes(pending[start : start + _CHUNK_BYTES]))
                await self._writer.drain()
        except OSError:
            raise Hangup from None

    async def say(self, text: str) -> None:
        """Send text with the line ends of a terminal."""
        await self.write(on_the_wire(text))

    async def page(self, text: str, page_lines: Callable[[], int]) -> None:
        """Send text page by page; a page of 0 lines sends all at once."""
        lines = text.splitlines(keepends=True)
        length = page_lines()
        if length == 0 or len(lines) < length:
            await self.say(text)
            return
        sent, room = 0, length - 1
        while sent < len(lines):
            await self.say("".join(lines[sent : sent + room]))
            sent += room
            if sent >= len(lines):
                return
            await self.write(_MORE)
            key = await self._key()
            self._record.received.append(chr(key))
            await self.write(_ERASE)
            if key in _END_OF_LINE:
                room = 1
            elif key == ord(" "):
                room = length - 1
            else:
                return

    async def line(self, *, echo: bool = True) -> str:
        """Read a typed line.

        Raises
        ------
        Hangup
            If the other side has gone.
        """
        keys, echoed_keys = bytearray(), bytearray()
        while (key := await self._key()) not in _END_OF_LINE:
            if key in _BACKSPACE:
                echoed_keys += b"\b \b" if keys else b""
                del keys[-1:]
            elif key == _ERASE_LINE:
                keys.clear()
            else:
                keys.append(key)
                echoed_keys.append(key)
            if echo and not self._pending:
                await self.write(bytes(echoed_keys))
                echoed_keys.clear()
        if echo:
            await self.write(bytes(echoed_keys))
        await self.write(b"\r\n")
        line = keys.decode("utf-8", "backslashreplace")
        self._record.received.append(line)
        return line

    async def ignore(self) -> NoReturn:
        """Read lines until Hangup, without an answer."""
        keys = bytearray()
        while True:
            if (key := await self._key()) in _END_OF_LINE:
                self._record.received.append(keys.decode("utf-8", "backslashreplace"))
                keys.clear()
            else:
                keys.append(key)

    async def _key(self) -> int:
        while True:
            if not self._pending:
                self._pending += await self._bytes()
            key = self._pending.pop(0)
            is_second_half = key == ord("\n") and self._after_return
            self._after_return = key == ord("\r")
            if not is_second_half:
                return key

    async def _bytes(self) -> bytes:
        await self.flush()
        try:
            data = await self._reader.read(_READ_BYTES)
        except OSError:
            raise Hangup from None
        if not data:
            raise Hangup
        self._record.raw += data
        return data


def on_the_wire(text: str) -> bytes:
    """Return text as a terminal line sends it, with CR LF line ends."""
    return text.replace("\r\n", "\n").replace("\n", "\r\n").encode("utf-8", "surrogateescape")


# One session with a simulated router, from its banner to its end, with its faults.

_TRIES_OF_ENABLE: Final = 3
_BANNER_LINES: Final = 20_000
_GARBAGE_BYTES: Final = 4096
_PIECES: Final = ("Site-A#", "1 is for staff alone\n*** > ", "\nHQ>", " the board\n\n")
_IN_PLACE_OF_THE_PROMPT: Final = {
    DemoFault.NO_PROMPT: "",
    DemoFault.QUESTION: "Reload now? [confirm]",
    DemoFault.MENU: "  1    Show\n  2    Reload\n  3    Exit\n\nselection>",
}


class SessionCutError(Exception):
    """The script ends the connection here."""


class Session(Struct, frozen=True):
    """A terminal with the exec behind it."""

    script: Script
    terminal: Terminal
    record: InputRecord

    async def run(self) -> None:
        """Serve until the user leaves or the connection is lost.

        Raises
        ------
        SessionCutError
            If the script cuts the connection.
        """
        try:
            await self._serve()
        except Hangup:
            return

    async def run_command(self, command: str) -> None:
        """Answer one command that came without a shell."""
        self.record.received.append(f"exec: {command}")
        ios = Exec(self.script)
        ios.page_lines = 0
        try:
            await self._answer(ios, ios.run(command))
            await self.terminal.flush()
        except Hangup:
            return

    async def _serve(self) -> None:
        if self.script.has(DemoFault.SILENT_AFTER_LOGIN):
            await self.terminal.ignore()
        await self.terminal.say(self._banner())
        for fault, text in _IN_PLACE_OF_THE_PROMPT.items():
            if self.script.has(fault):
                await self.terminal.say(text)
                await self.terminal.ignore()
        if self.script.has(DemoFault.BANNER_IN_PIECES):
            for piece in _PIECES:
                await self.terminal.say(piece)
                await self._pause(self.script.pause_s)
        ios = Exec(self.script)
        while True:
            await self.terminal.say(ios.prompt)
            reply = ios.run(await self.terminal.line())
            if reply.then is Then.CLOSE:
                await self.terminal.flush()
                return
            await self._answer(ios, reply)

    def _banner(self) -> str:
        banner = f"\n{self.script.exec_banner}\n" if self.script.exec_banner else "\n"
        if self.script.has(DemoFault.BANNER_FLOOD):
            banner += "# * Authorised users only. All that is done here is logged > * #\n" * (
                _BANNER_LINES
            )
        return banner

    async def _answer(self, ios: Exec, reply: ExecReply) -> None:
        if reply.then is Then.ENABLE:
            await self._enable(ios)
        elif reply.then is Then.VIEW:
            await self._enter_view(ios, reply.command.split()[-1])
        else:
            if reply.command.startswith("show "):
                await self._pause(self.script.answer_delay_s)
            text = reply.text
            if reply.command == self.script.faulty_command:
                text = await self._spoiled(ios, text)
            await self.terminal.page(text, lambda: self._page_lines(ios))

    def _page_lines(self, ios: Exec) -> int:
        return self.script.page_lines if self.script.has(DemoFault.ALWAYS_PAGES) else ios.page_lines

    async def _spoiled(self, ios: Exec, text: str) -> str:
        """Send half of an output and the bytes of a fault; return the remaining text."""
        middle = text.rfind("\n", 0, len(text) // 2) + 1
        half, remainder = text[:middle], text[middle:]
        if self.script.has(DemoFault.CUT):
            await self.terminal.say(half)
            await self.terminal.flush()
            raise SessionCutError
        if self.script.has(DemoFault.HANGS):
            await self.terminal.say(half)
            await self.terminal.ignore()
        if self.script.has(DemoFault.GARBAGE):
            noise = random.Random(0).randbytes(_GARBAGE_BYTES)  # noqa: S311 -- no secret
            await self.terminal.write(on_the_wire(half) + noise + b"\r\n")
            return remainder
        if self.script.has(DemoFault.PROMPT_IN_OUTPUT):
            await self.terminal.say(f"{half}{ios.prompt}")
            await self._pause(self.script.pause_s)
            return f"\n{remainder}"
        return text

    async def _pause(self, seconds: float) -> None:
        if seconds:
            await self.terminal.flush()
            await asyncio.sleep(seconds)

    async def _enable(self, ios: Exec) -> None:
        if ios.refuses_enable:
            await self.terminal.say(ios.refuses_enable)
            return
        for _ in range(_TRIES_OF_ENABLE):
            await self.terminal.say("Password: ")
            if ios.enabled(await self.terminal.line(echo=False)):
                return
        await self.terminal.say("% Bad secrets\n\n")

    async def _enter_view(self, ios: Exec, name: str) -> None:
        await self.terminal.say("Password: ")
        if not ios.entered(name, await self.terminal.line(echo=False)):
            await self.terminal.say("% Access denied\n\n")
