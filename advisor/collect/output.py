"""What a command printed, as a terminal would show it."""

import re
from typing import Final

from msgspec import Struct

from advisor.collect.faults import DeviceError
from advisor.collect.question import last_line
from advisor.ios.exec.terminal import decode, has_residue, render, without_pager

_PAGER: Final = re.compile(rb"--More--|<--- ?More ?--->")
_ECHO_BYTES: Final = 4096
_LONGEST_LINE_BYTES: Final = 8192  # no line of IOS is a tenth of it


class Answer(Struct, frozen=True):
    """What a command printed, without its echo and the prompt.

    `cut` says why it is not whole, None where the prompt came; `paged` where IOS held it at
    `--More--`, although it was told not to. `lost_lines` are those that are too long to be any of
    IOS; each is an empty line in `text`.
    """

    command: str
    text: str
    cut: DeviceError | None = None
    paged: bool = False
    lost_lines: int = 0


def is_at(prompt: bytes, seen: bytes | bytearray) -> bool:
    """Whether what was read ends with a prompt that begins its line."""
    return bool(prompt) and seen.endswith((b"\n" + prompt, b"\r" + prompt))


def is_at_pager(command: bytes, seen: bytes | bytearray) -> bool:
    """Whether an answer, after the echo of its command, stands at a pager alone on its line."""
    return _PAGER.fullmatch(last_line(seen)) is not None and command in seen[:_ECHO_BYTES]


def text_of(command: str, seen: bytes, prompt: bytes, blanks: int) -> tuple[str, int]:
    """Take echo, prompts, pager and lines that are too long out of what was read.

    Parameters
    ----------
    command
        What was sent.
    seen
        All that came after it.
    prompt
        The prompt at its end.
    blanks
        Blank lines that were sent to find the end; each brought a prompt more.

    Returns
    -------
    tuple of str and int
        The text, and how many lines were too long: each is an empty one in it.
    """
    for _ in range(max(blanks, 1)):
        if is_at(prompt, seen):
            seen = seen[: -len(prompt)].rstrip(b"\r\n") + b"\n"
    lines = [line.rstrip(b"\r") for line in seen.split(b"\n")]
    lost = sum(len(line) > _LONGEST_LINE_BYTES for line in lines)
    kept = (line if len(line) <= _LONGEST_LINE_BYTES else b"" for line in lines)
    text = decode(b"\n".join(kept))[0].replace("\0", "")
    if has_residue(text) or "More" in text:
        text = "\n".join(without_pager(render(line))[0] for line in text.split("\n"))
    echo, line_break, rest = text.partition("\n")
    is_echo = line_break and echo.strip().endswith(command)
    return rest if is_echo else text, lost
