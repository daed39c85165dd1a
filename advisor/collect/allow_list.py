"""Every command that may ever be sent to a device: what the records of show outputs call `sent`."""

from typing import Final

from msgspec import Struct

from advisor.capture.outputs import OUTPUTS


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
    Allowed(command, sent.is_heavy, sent.counts, sent.older, sent.beside)
    for output in OUTPUTS
    if (sent := output.sent) is not None
    for command in (output.command, *sent.forms)
)

# What makes a session readable and ends it. They change nothing but the session itself.
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
