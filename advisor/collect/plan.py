"""Commands that may be sent to a device, in which order, and what its account must be permitted."""

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import (
    CPU,
    OUTPUTS,
    PRIVILEGE,
    RUNNING_CONFIG,
    RUNNING_CONFIG_OF_VIEWS,
    VERSION,
)
from advisor.ground.assets import filled
from advisor.ground.records import picked

# Every command that may ever be sent to a device: what the records of show outputs call `sent`.


class NotAllowedError(Exception):
    """A command that is not on the list was about to be sent; no byte was written."""


class Allowed(Struct, frozen=True):
    """One command, exactly as it is sent, and what its record says of sending it."""

    command: str
    is_heavy: bool = False
    counts: bool = False
    older: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()


ALLOWED: Final = tuple(
    picked(Allowed, sent, command=command)
    for output in OUTPUTS
    if (sent := output.sent) is not None
    for command in (output.command, *sent.forms)
)

# Commands that make a session readable and end it. They change nothing but the session itself.
SESSION_COMMANDS: Final = ("terminal length 0", "terminal width 511", "enable", "exit")

_BY_COMMAND: Final = {entry.command: entry for entry in ALLOWED}


def allowed(command: str) -> Allowed:
    """Look a command up, letter by letter.

    Raises
    ------
    NotAllowedError
        If it is not on the list: abbreviated, with a pipe, an argument, a line break, a blank
        more. The message does not repeat the command, which may be anything.
    """
    entry = _BY_COMMAND.get(command)
    if entry is None:
        raise NotAllowedError("this command is not on the list of what may be sent")
    return entry


# Commands that a router must permit to the account of the tool, from the allow list.


def authorization(commands: Sequence[str]) -> str:
    """Write least-privilege snippets for exactly these commands, three ways to choose from.

    Parameters
    ----------
    commands
        What may be sent, as `CollectPlan.may_send` lists it.

    Returns
    -------
    str
        Command authorization for a TACACS+ server (tac_plus), local privilege levels, and a
        parser view. Secrets are left for a person to fill in.
    """
    arguments_by_word: dict[str, list[str]] = {}
    for command in (*commands, *SESSION_COMMANDS):
        word, _, arguments = command.partition(" ")
        arguments_by_word.setdefault(word, []).append(arguments)
    return filled(
        "collect/authorization.j2",
        commands=tuple(commands),
        of_session=SESSION_COMMANDS,
        arguments_by_word=arguments_by_word,
    )


# The commands that are sent to a device, in their order.

# Before anything that costs the router time; then what all else is judged by, as a later command
# may hang and take the session with it.
_FIRST: Final = (PRIVILEGE, VERSION, CPU, RUNNING_CONFIG)


class CollectPlan(Struct, frozen=True):
    """Commands to ask of each device.

    `steps` are in order: privilege, version and CPU, the running-config, then light commands before
    heavy ones. Those that count are asked twice, `interval_s` apart, where that is set.
    """

    steps: tuple[Allowed, ...]
    interval_s: float | None = None

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands in order, each once."""
        return tuple(step.command for step in self.steps)

    @property
    def may_send(self) -> tuple[str, ...]:
        """All that may be sent: with what older trains and privilege views call the same."""
        sent: dict[str, None] = {}
        for step in self.steps:
            sent.update(dict.fromkeys((step.command, *step.older)))
        if RUNNING_CONFIG in sent:
            sent[RUNNING_CONFIG_OF_VIEWS] = None
        return tuple(sent)

    def is_sampled_twice(self, step: Allowed) -> bool:
        """Whether rates are made of two samples of this command."""
        return self.interval_s is not None and step.counts


def plan_of(wanted: Iterable[str], interval_s: float | None = None) -> CollectPlan:
    """Put the wanted commands in order, with those that every collection needs.

    Parameters
    ----------
    wanted
        Commands whose output the selected rules read, in any order.
    interval_s
        Seconds between two samples of counters; None takes one sample.

    Raises
    ------
    NotAllowedError
        If a wanted command is not on the list.
    """
    commands = set(wanted)
    commands |= {other for command in commands for other in allowed(command).beside}
    others = (step for step in ALLOWED if step.command in commands and step.command not in _FIRST)
    first = (allowed(command) for command in _FIRST)
    # Stable: within the light and the heavy ones the order of the list stays.
    return CollectPlan((*first, *sorted(others, key=lambda step: step.is_heavy)), interval_s)
