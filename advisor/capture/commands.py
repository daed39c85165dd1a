"""Which of the outputs that are known a spelled-out command asks for."""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import outputs
from advisor.capture.show_output import ShowOutput
from advisor.ios.exec.commands import spell_out


class CommandParts(Struct, frozen=True):
    """A spelled-out command in its parts; `line_filter` is what stands after the bar.

    `output` is the command of a known output, without arguments.
    """

    output: str | None
    arguments: tuple[str, ...]
    line_filter: str | None


_SHORTEST_ABBREVIATION: Final = 3


@lru_cache(maxsize=1024)
def command_parts(command: str) -> CommandParts:
    """Take a spelled-out command apart.

    Examples
    --------
    >>> parts = command_parts("show processes cpu sorted 5min | include CPU")
    >>> parts.output, parts.arguments, parts.line_filter
    ('show processes cpu', ('sorted', '5min'), 'include CPU')
    >>> command_parts("show interfaces status").output is None
    True
    """
    typed, bar, line_filter = command.partition("|")
    name = " ".join(typed.split())
    rest = line_filter.strip() if bar else None
    for command_of_output, output in outputs().items():
        if name == command_of_output or name.startswith(f"{command_of_output} "):
            arguments = tuple(name[len(command_of_output) :].split())
            if _has_other_layout(output, arguments):
                break
            return CommandParts(command_of_output, arguments, rest)
    return CommandParts(None, (), rest)


def scrolled_command(typed: str) -> str | None:
    """Spell out a command whose start IOS does not show: `$` stands for it.

    Returns
    -------
    str | None
        None where the rest is that of no known output, or of several.

    Examples
    --------
    >>> scrolled_command("$licy-map interface Serial0/1/0 output")
    'show policy-map interface Serial0/1/0 output'
    >>> scrolled_command("$terface Serial0/1/0") is None
    True
    """
    rest, bar, line_filter = typed.removeprefix("$").partition("|")
    shown = " ".join(rest.split())
    longest = max((_overlap(command, shown) for command in outputs()), default=0)
    known = [command for command in outputs() if _overlap(command, shown) == longest]
    if longest < _SHORTEST_ABBREVIATION or len(known) != 1:
        return None
    return spell_out(f"{known[0]}{shown[longest:]} {bar} {line_filter}".rstrip())


def _overlap(command: str, shown: str) -> int:
    """Length of the end of a command that a text starts with, as whole words at its end."""
    starts = (place for place in range(1, len(command)))
    for start in starts:
        tail = command[start:]
        if shown == tail or shown.startswith(f"{tail} "):
            return len(tail)
    return 0


def _has_other_layout(output: ShowOutput, arguments: tuple[str, ...]) -> bool:
    others = output.other_layouts
    return any(
        argument.lower() in others
        or (
            len(argument) >= _SHORTEST_ABBREVIATION
            and any(other.startswith(argument.lower()) for other in others)
        )
        for argument in arguments
    )
