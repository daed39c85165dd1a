"""Which of the outputs that are known a spelled-out command asks for."""

from functools import lru_cache
from typing import Final

from msgspec import Struct

from advisor.capture.outputs import outputs
from advisor.capture.show_output import ShowOutput


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
