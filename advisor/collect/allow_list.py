"""Every command that may ever be sent to a device. There is no other place."""

from typing import Final

from msgspec import Struct

RUNNING_CONFIG: Final = "show running-config"
RUNNING_CONFIG_OF_VIEWS: Final = "show running-config view full"
PRIVILEGE: Final = "show privilege"
VERSION: Final = "show version"
CPU: Final = "show processes cpu"


class NotAllowedError(Exception):
    """A command that is not on the list was about to be sent; nothing of it was written."""


class Allowed(Struct, frozen=True):
    """One command, exactly as it is sent.

    `is_heavy` where IOS walks all interfaces or writes the whole configuration for it: held back
    while the CPU is busy. `counts` where its counters make rates of two samples. `older` are the
    names of the same output in older trains, tried where the image does not know the command.
    `beside` are asked too where this one is: they tell the same of another time.
    """

    command: str
    is_heavy: bool = False
    counts: bool = False
    older: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


ALLOWED: Final = (
    Allowed(PRIVILEGE),
    Allowed(VERSION),
    Allowed(CPU),
    Allowed("show processes cpu history"),
    Allowed(
        "show ip sla statistics",
        older=("show ip sla monitor statistics", "show rtr operational-state"),
        beside=("show ip sla statistics aggregated",),
    ),
    Allowed("show ip sla monitor statistics"),
    Allowed("show rtr operational-state"),
    Allowed(
        "show ip sla statistics aggregated",
        older=("show ip sla monitor statistics aggregated", "show rtr collection-statistics"),
    ),
    Allowed("show ip sla monitor statistics aggregated"),
    Allowed("show rtr collection-statistics"),
    Allowed("show class-map"),
    Allowed("show policy-map"),
    Allowed("show policy-map interface", is_heavy=True, counts=True),
    Allowed("show policy-map control-plane"),
    Allowed("show interfaces", is_heavy=True, counts=True),
    Allowed("show controllers", is_heavy=True),
    Allowed("show queueing", is_heavy=True),
    Allowed("show queueing interface", is_heavy=True),
    Allowed("show queueing random-detect", is_heavy=True),
    Allowed("show queueing fair", is_heavy=True),
    Allowed("show atm pvc", is_heavy=True),
    Allowed("show atm vc", is_heavy=True),
    Allowed("show dlsw peers", counts=True),
    Allowed("show dlsw circuits", is_heavy=True),
    Allowed("show dlsw statistics"),
    Allowed("show dlsw capabilities"),
    Allowed("show dlsw reachability", is_heavy=True),
    Allowed(RUNNING_CONFIG, is_heavy=True),
    Allowed(RUNNING_CONFIG_OF_VIEWS, is_heavy=True),
)

# What makes a session readable and ends it. They change nothing but the session itself.
SESSION_COMMANDS: Final = ("terminal length 0", "terminal width 511", "enable", "exit")

_BY_COMMAND: Final = {each.command: each for each in ALLOWED}


def allowed(command: str) -> Allowed:
    """Look a command up, letter by letter.

    Raises
    ------
    NotAllowedError
        If it is not on the list: abbreviated, with a pipe, an argument, a line break, a blank
        more. The message does not repeat the command, which may be anything.
    """
    found = _BY_COMMAND.get(command)
    if found is None:
        raise NotAllowedError("this command is not on the list of what may be sent")
    return found
