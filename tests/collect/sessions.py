"""Terminals of routers that do what none should, in words of what they print after a command."""

from collections.abc import Callable, Mapping
from typing import Final

from tests.collect.doors import Wire

PROMPT: Final = "r1#"
CONFIG: Final = "version 15.1\nhostname r1\n!\ninterface Serial0/0\n bandwidth 512\n!\nend\n"
ANSWERS: Final = {
    "show privilege": "Current privilege level is 15\n",
    "show version": "Cisco IOS Software, Version 15.1(4)M, RELEASE SOFTWARE (fc1)\n",
    "show processes cpu": "CPU utilization for five seconds: 4%/0%; one minute: 5%; "
    "five minutes: 5%\n",
    "show interfaces": "Serial0/0 is up, line protocol is up\n",
    "show running-config": CONFIG,
}
INVALID: Final = "                 ^\n% Invalid input detected at '^' marker.\n"
Spoken = Callable[[Wire], None]
Hook = Callable[[Wire, int], bool]


def router(
    answers: Mapping[str, str] = ANSWERS,
    hooks: Mapping[str, Hook] = {},
    *,
    prompt: str = PROMPT,
    latency_s: float = 0.0,
) -> Spoken:
    """A router that answers; a hook is told how often its command was asked, and says if it did."""

    def session(wire: Wire) -> None:
        wire.say(f"\nAuthorised users only\n{prompt}")
        asked: dict[str, int] = {}
        while (line := wire.heard(echo=False)) != "exit":
            wire.say(f"{line}\n", latency_s)
            asked[line] = asked.get(line, 0) + 1
            hook = hooks.get(line)
            if hook is None or not hook(wire, asked[line]):
                is_known = not line or line.startswith("terminal ")
                wire.say(answers.get(line, "" if is_known else INVALID) + prompt)

    return session


def asks(text: str, *, from_time: int = 1) -> Hook:
    """Print a question in place of an answer, and wait at it for good."""

    def hook(wire: Wire, times: int) -> bool:
        if times < from_time:
            return False
        wire.say(text)
        while True:
            wire.heard()

    return hook


def says(text: str, *, from_time: int = 1) -> Hook:
    """Print something else in place of the answer."""

    def hook(wire: Wire, times: int) -> bool:
        if times >= from_time:
            wire.say(f"{text}{PROMPT}")
        return times >= from_time

    return hook
