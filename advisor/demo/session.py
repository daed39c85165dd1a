"""One session with a simulated router, from its banner to its end, with its faults."""

import asyncio
import random
from typing import Final

from msgspec import Struct

from advisor.demo.exec_mode import Exec, Reply, Then
from advisor.demo.script import Fault, Script
from advisor.demo.terminal import Hangup, Record, Terminal, on_the_wire

_TRIES_OF_ENABLE: Final = 3
_BANNER_LINES: Final = 20_000
_GARBAGE_BYTES: Final = 4096
_PIECES: Final = ("Site-A#", "1 is for staff alone\n*** > ", "\nHQ>", " the board\n\n")
_IN_PLACE_OF_THE_PROMPT: Final = {
    Fault.NO_PROMPT: "",
    Fault.QUESTION: "Reload now? [confirm]",
    Fault.MENU: "  1    Show\n  2    Reload\n  3    Exit\n\nselection>",
}


class CutError(Exception):
    """The script ends the connection here."""


class Session(Struct, frozen=True):
    """A terminal with the exec behind it."""

    script: Script
    terminal: Terminal
    record: Record

    async def run(self) -> None:
        """Serve until the user leaves or the connection is lost.

        Raises
        ------
        CutError
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
        if self.script.has(Fault.SILENT_AFTER_LOGIN):
            await self.terminal.ignore()
        await self.terminal.say(self._banner())
        for fault, text in _IN_PLACE_OF_THE_PROMPT.items():
            if self.script.has(fault):
                await self.terminal.say(text)
                await self.terminal.ignore()
        if self.script.has(Fault.BANNER_IN_PIECES):
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
        if self.script.has(Fault.BANNER_FLOOD):
            banner += "# * Authorised users only. All that is done here is logged > * #\n" * (
                _BANNER_LINES
            )
        return banner

    async def _answer(self, ios: Exec, reply: Reply) -> None:
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
        return self.script.page_lines if self.script.has(Fault.ALWAYS_PAGES) else ios.page_lines

    async def _spoiled(self, ios: Exec, text: str) -> str:
        """Send half of an output and the bytes of a fault; return the remaining text."""
        middle = text.rfind("\n", 0, len(text) // 2) + 1
        half, remainder = text[:middle], text[middle:]
        if self.script.has(Fault.CUT):
            await self.terminal.say(half)
            await self.terminal.flush()
            raise CutError
        if self.script.has(Fault.GARBAGE):
            noise = random.Random(0).randbytes(_GARBAGE_BYTES)  # noqa: S311 -- no secret
            await self.terminal.write(on_the_wire(half) + noise + b"\r\n")
            return remainder
        if self.script.has(Fault.PROMPT_IN_OUTPUT):
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
