"""What a command printed, as a terminal would show it."""

import re
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from advisor.collect.faults import DeviceError
from advisor.collect.question import last_line
from advisor.ios.exec.terminal import decode, has_residue, render, without_pager

_PAGER: Final = re.compile(rb"--More--|<--- ?More ?--->")
_ECHO_BYTES: Final = 4096
_BESIDE_A_PROMPT_BYTES: Final = 16  # line ends and fill characters between two of them
_LEAST_SCROLLED: Final = 8  # characters that IOS leaves of a command that it has scrolled
_LONGEST_LINE_BYTES: Final = 8192  # no line of IOS is a tenth of it


class Echo(Enum):
    """What the first line of an answer is."""

    NONE = auto()  # there is none yet
    OWN = auto()  # the command itself
    OTHER = auto()  # something else: what comes is no answer to the command


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


def is_at(prompt: bytes, output: bytes | bytearray) -> bool:
    """Whether what was read ends with a prompt that begins its line."""
    return bool(prompt) and output.endswith((b"\n" + prompt, b"\r" + prompt))


def prompts_at_end(prompt: bytes, output: bytes | bytearray, count: int) -> bool:
    """Whether what was read ends with so many prompts, and nothing else between them."""
    end = bytes(output[-(len(prompt) + _BESIDE_A_PROMPT_BYTES) * (count + 1) :])
    for _ in range(count):
        if not is_at(prompt, end):
            return False
        end = _without_prompt(prompt, end)
    return True


def _without_prompt(prompt: bytes, output: bytes) -> bytes:
    return output[: -len(prompt)].rstrip(b"\r\n\0 ")


def is_at_pager(output: bytes | bytearray) -> bool:
    """Whether an answer stands at a pager alone on its line."""
    return _PAGER.fullmatch(last_line(output)) is not None


def echo_of(command: str, prompt: bytes, output: bytes | bytearray) -> Echo:
    """What the first line of an answer is; prompts and blank lines before it are none."""
    return _echo(command, prompt, bytes(output[:_ECHO_BYTES]))[0]


def after_echo(command: str, prompt: bytes, output: bytes | bytearray) -> str:
    """What follows the echo of a command in a short answer; all of it where there is none."""
    return decode(bytes(output[_echo(command, prompt, bytes(output[:_ECHO_BYTES]))[1] :]))[0]


def _echo(command: str, prompt: bytes, start: bytes) -> tuple[Echo, int]:
    """The kind of the first line that has ended, and where the echo ends."""
    position = 0
    while (line_end := start.find(b"\n", position)) >= 0:
        raw, position = start[position:line_end].strip(b"\0\a\r\n "), line_end + 1
        while raw.startswith(prompt) and prompt:
            raw = raw[len(prompt) :].strip(b"\0\a\r\n ")
        line = render(decode(raw)[0]).strip()
        if not line:
            continue
        is_scrolled = line.startswith("$") and len(line) > _LEAST_SCROLLED
        if line == command or (is_scrolled and command.endswith(line[1:])):
            return Echo.OWN, position
        return Echo.OTHER, 0
    return (Echo.OTHER if len(start) == _ECHO_BYTES else Echo.NONE), 0


def text_of(command: str, output: bytes, prompt: bytes, blanks: int) -> tuple[str, int]:
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
    output = output[_echo(command, prompt, output[:_ECHO_BYTES])[1] :]
    for _ in range(blanks + 1):
        if is_at(prompt, b"\n" + output[-len(prompt) - 1 :]):
            output = _without_prompt(prompt, output)
            output += (
                b"\n" if output and not is_at(prompt, b"\n" + output[-len(prompt) - 1 :]) else b""
            )
    lines = [line.rstrip(b"\r") for line in output.split(b"\n")]
    lost = sum(len(line) > _LONGEST_LINE_BYTES for line in lines)
    short_lines = (line if len(line) <= _LONGEST_LINE_BYTES else b"" for line in lines)
    text = decode(b"\n".join(short_lines))[0].replace("\0", "")
    if has_residue(text) or "More" in text:
        text = "\n".join(without_pager(render(line))[0] for line in text.split("\n"))
    return text, lost
