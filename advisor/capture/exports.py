"""Exports that other tools save of a device: texts inside of JSON, and consoles of pyATS, as a log.

A JSON file of Ansible's `ios_facts` or of SuzieQ holds what a device printed in strings. These
become a log, each behind its prompt; lines are counted in that log, which the name says. A console
of pyATS names each command in a line of its own; there, lines stay those of the file.
"""

import re
from collections.abc import Iterator, Mapping
from json import JSONDecoder
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import RUNNING_CONFIG
from advisor.ios.terminal import text_of

# Looked for in every file, so it has to be cheap.
_OF_FACTS: Final = (b'net_config"',)
_OF_POLLER: Final = (b'"cmd"', b'"data"')
_OF_CONSOLE: Final = b": executing command '"


class Export(Struct, frozen=True):
    """A log made of a file of another tool. `part` is what holds it; empty where lines are kept."""

    text: bytes
    part: str = ""


class _Text(Struct, frozen=True):
    """The text that a device printed for a command, and the key that holds it."""

    host: str
    command: str
    text: str
    key: str

    @property
    def logged(self) -> str:
        """The same behind its prompt."""
        prompt = f"{self.host}#{self.command}"
        head = prompt if self.host else f"{_RULE} {self.command} {_RULE}"
        return f"{head}\n{self.text.rstrip()}\n"


def is_json_export(payload: bytes) -> bool:
    """Whether a file is JSON that may hold what a device printed."""
    is_json = payload.lstrip()[:1] in (b"[", b"{")
    return is_json and any(
        all(mark in payload for mark in marks) for marks in (_OF_FACTS, _OF_POLLER)
    )


def export_of(payload: bytes) -> Export | None:
    r"""Make a log of a file of another tool; None of any other file, and of JSON that is cut.

    >>> export_of(b'{"cmd": "show clock", "data": "10:11 UTC", "hostname": "r1"}').text
    b'r1#show clock\n10:11 UTC\n'
    >>> export_of(b"+++ r1 with via 'cli': executing command 'show clock' +++\nshow clock\n").text
    b'r1#show clock\n\n'
    """
    if _OF_CONSOLE in payload:
        return Export(_console(text_of(payload)).encode())
    if _OF_FACTS[0] not in payload and not all(mark in payload for mark in _OF_POLLER):
        return None
    try:
        texts = [item for host, value in _values(text_of(payload)) for item in _texts(value, host)]
    except (ValueError, RecursionError):  # no JSON, a number of too many digits, nested too deeply
        return None
    if not texts:
        return None
    return Export("".join(item.logged for item in texts).encode(), texts[0].key)


# JSON: several values may follow one another, each behind the name of its host.

_HEAD: Final = re.compile(
    r"\s*(?:([\w.:-]{1,80}) \| [A-Z]{1,20}!? (?:\| rc=\d{1,3} )?=>\s*"
    r"|(?:ok|changed): \[([\w.:-]{1,80})\] =>\s*)?"
)
_HOST: Final = re.compile(r"[A-Za-z0-9_][\w.-]{0,62}", re.ASCII)
_SHOWN: Final = re.compile(r"show [ -~]{1,200}")
_PLAIN: Final = re.compile(r"[\w./()-]{1,60}", re.ASCII)
_RULE: Final = "-" * 18
_DONE: Final = (None, 0, 200)  # of SuzieQ: a command over SSH, a request over REST
_PREFIXES: Final = ("ansible_net_", "net_")  # `ansible_facts` saved by a play has the short ones


def _values(text: str) -> Iterator[tuple[str, object]]:
    decoder, position = JSONDecoder(), 0
    while (head := _HEAD.match(text, position)) is not None and head.end() < len(text):
        value, position = decoder.raw_decode(text, head.end())
        yield head[1] or head[2] or "", value


def _texts(value: object, host: str) -> Iterator[_Text]:
    """The texts of a value and of all that it holds, in the order of the file."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            yield from _of_facts(item, host)
            yield from _of_poller(item)
            stack += reversed(item.values())
        elif isinstance(item, list):
            stack += reversed(item)


def _of_facts(table: Mapping[str, object], host: str) -> Iterator[_Text]:
    """The configuration of `ios_facts`, behind its model and release as RANCID writes them."""
    for prefix in _PREFIXES:
        config = table.get(f"{prefix}config")
        if not isinstance(config, str) or not config.strip():
            continue
        name, model, system, release = (
            _plain(table.get(prefix + key)) for key in ("hostname", "model", "iostype", "version")
        )
        head = f"!Chassis type: {model}\n" if model else ""
        if release:
            head += f"!Image: Software: {system or 'IOS'}, {release}\n"
        yield _Text(_name(name) or _name(host), RUNNING_CONFIG, head + config, f"{prefix}config")


def _of_poller(table: Mapping[str, object]) -> Iterator[_Text]:
    """An answer as the poller of SuzieQ gathers it."""
    command, text = table.get("cmd"), table.get("data")
    if not isinstance(command, str) or not isinstance(text, str) or not text.strip():
        return
    if _SHOWN.fullmatch(command) and table.get("status") in _DONE:
        yield _Text(_name(_plain(table.get("hostname"))), command, text, "data")


def _plain(value: object) -> str:
    return value if isinstance(value, str) and _PLAIN.fullmatch(value) else ""


def _name(text: str) -> str:
    return text if _HOST.fullmatch(text) else ""


# Consoles of pyATS: `genie learn`, `genie parse` and the logs of Unicon.

_STAMP: Final = r"(?:\d{4}-\d\d-\d\d[T ][\d:,.]{5,16}: )?"
_EXECUTED: Final = re.compile(
    rf"{_STAMP}(?:%UNICON-INFO: )?\+\+\+ ([A-Za-z0-9_][\w.-]{{0,62}})(?:\([^()\n]{{0,80}}\))?"
    r"(?: with (?:via|alias) '[\w.-]{1,40}')?: executing command '([^'\n]{1,200})' \+\+\+\s*"
)
_TOLD: Final = re.compile(rf"{_STAMP}%[A-Z]{{2,20}}-(?:INFO|WARNING|ERROR|DEBUG): .*")


def _console(text: str) -> str:
    """The prompts that a console lost, in place of the lines that name the commands.

    A console without any, as that of a connection, holds nothing: its prompts are of no output.
    """
    lines, typed = text.split("\n"), ""
    if not any((told := _EXECUTED.fullmatch(line)) and _SHOWN.fullmatch(told[2]) for line in lines):
        return "\n" * (len(lines) - 1)
    for row, line in enumerate(lines):
        executed = _EXECUTED.fullmatch(line)
        if executed is not None:
            lines[row], typed = f"{executed[1]}#{executed[2]}", executed[2]
            continue
        if (typed and line.strip() == typed) or _TOLD.fullmatch(line):
            lines[row] = ""
        typed = typed if not line.strip() else ""
    return "\n".join(lines)
