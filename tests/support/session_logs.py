"""One terminal log of a session that hops over five routers, with all that such logs add."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

SESSIONS = Path(__file__).parents[2] / "fixtures" / "show" / "sessions"
FILES = (
    "12.2-atm-ring.txt",
    "12.4-ring-not-as-configured.txt",
    "12.4-sla-probes.txt",
    "12.4-wan-llq-drops.txt",
    "15.1-hqf-shaped.txt",
)
BANNER = ("banner motd ^C", "  Only for r9#show version, not for you", "^C")
LINK = "link-two-of-the-customer-in-the-east-whose-name-is-longer-than-a-row-of-a-terminal"
DESCRIPTION = f" description to {LINK}"
WRAP_COLUMNS = 80
PAGERS = (
    " --More-- \b\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\b\b",
    " --More--         ",
    "<--- More --->\r              \r",
)
MESSAGES = (
    "*Mar  1 00:00:12.345: %LINK-3-UPDOWN: Interface Serial0/0, changed state to up",
    "1w2d: %SYS-5-CONFIG_I: Configured from console by vty0 (192.0.2.1)",
    "000123: Nov 22 10:00:00.120 UTC: %LINEPROTO-5-UPDOWN: Line protocol on Interface Serial0/1",
    "00:01:12: %SYS-5-RESTART: System restarted --",
    "%SYS-5-CONFIG_I: Configured from console by console",
    "Nov 22 2008 10:00:00: %OSPF-5-ADJCHG: Process 1, Nbr 192.0.2.9 on Serial0/0 from FULL to DOWN",
)
STAMPS = (
    "[2024-05-01 10:00:00] ",
    "[10:00:00.123] ",
    "10:00:01.123 ",
    "2024-05-01T10:00:00Z ",
    "May 01 10:00:00 ",
    "<10:00:00> ",
    "01/05/2024 10:00:00: ",
    "[01/May/2024 10:00:00] ",
    "10:00:00|",
    "2024-05-01 10:00:00,123 | ",
)
HOP = (
    "Trying 192.0.2.1 ... Open",
    "",
    "User Access Verification",
    "",
    "Password: ",
)
BACK = ("", "[Connection to router closed by foreign host]")


class Block(Struct, frozen=True):
    """A command that was typed at the prompt of a router, and what it printed."""

    host: str
    command: str
    printed: tuple[str, ...]

    @property
    def lines(self) -> Iterator[str]:
        yield f"{self.host}#{self.command}"
        yield from self.printed


class Noise(Struct, frozen=True):
    """What a log adds: `pagers` and `messages` stand ahead of each n-th line that may have them."""

    stamp: str = ""
    is_each_line_stamped: bool = True
    pager: str = ""
    pager_lines: int = 7
    messages: tuple[str, ...] = ()
    message_lines: int = 3
    is_wrapped: bool = False
    line_end: str = "\n"


def routers() -> tuple[tuple[Block, ...], ...]:
    """The commands of each of the five routers; their configurations have a banner, too."""
    return tuple(tuple(_blocks((SESSIONS / file).read_text("utf-8"))) for file in FILES)


def _blocks(text: str) -> Iterator[Block]:
    prompts = [*re.finditer(r"^(\w+)#(\S.*)$", text, re.MULTILINE)]
    ends = [prompt.start() for prompt in prompts[1:]] + [text.rindex("\n", 0, len(text) - 1) + 1]
    for prompt, end in zip(prompts, ends, strict=True):
        printed = text[prompt.end() + 1 : end].splitlines()
        if prompt[2] == "show running-config":
            printed[-1:] = [*BANNER, "interface Loopback7", DESCRIPTION, "end"]
            printed = [line for line in printed if not line.startswith("Current config")]
        yield Block(prompt[1], prompt[2], tuple(printed))


def clean(blocks: Sequence[Block]) -> str:
    """What one router said, without any noise."""
    return "".join(f"{line}\n" for block in blocks for line in block.lines)


def log_of(blocks: Sequence[Block], noise: Noise) -> str:
    """The log of a session that types these commands, in this order, on their routers."""
    lines: list[tuple[str, bool]] = []  # may something stand ahead of the line?
    for place, block in enumerate(blocks):
        if place and blocks[place - 1].host != block.host:
            lines += ((line, True) for line in _hop(blocks[place - 1].host, block.host))
        in_banner = False
        for number, line in enumerate(block.lines):
            lines.append((line, number > 0 and not in_banner))
            in_banner = line == BANNER[0] or (in_banner and line != BANNER[-1])
    lines.append((f"{blocks[-1].host}#", True))
    return "".join(f"{line}{noise.line_end}" for line in _noisy(lines, noise))


def _hop(here: str, there: str) -> Iterator[str]:
    yield f"{here}#telnet {there}"
    yield from HOP
    yield f"{there}>enable"
    yield "Password: "


def _noisy(lines: Sequence[tuple[str, bool]], noise: Noise) -> Iterator[str]:
    messages = 0
    for place, (line, is_free) in enumerate(lines):
        if is_free and noise.messages and place % noise.message_lines == 0:
            message = noise.messages[messages % len(noise.messages)]
            messages += 1
            yield from _rows(message, noise, is_stamped=noise.is_each_line_stamped)
        is_prompt = "#" in line and not line.startswith((" ", "!"))
        # the pager ahead of a prompt says that an output was left
        is_paged = is_free and not is_prompt and place % noise.pager_lines == 0
        paged = noise.pager if is_paged else ""
        stamped = noise.is_each_line_stamped or is_prompt
        yield from _rows(line, noise, is_stamped=stamped, paged=paged)


def _rows(line: str, noise: Noise, *, is_stamped: bool, paged: str = "") -> Iterator[str]:
    columns = WRAP_COLUMNS if noise.is_wrapped else max(len(line), 1)
    stamp = noise.stamp if is_stamped else ""
    for start in range(0, max(len(line), 1), columns):
        yield f"{stamp}{paged if not start else ''}{line[start : start + columns]}"
