"""What the product knows of a show output: how it begins, what reads it, whether it is sent."""

from msgspec import Struct


class Read(Struct, frozen=True):
    """The part of an output that fills a field of the observations, and the function that reads it.

    `reader` is `module:function` below `advisor.shows`: a function of the text, the file and the
    number of its first line, that returns one observation, a tuple of them, or None for nothing.
    `by_line` where each line tells its part by itself: then the lines that a filter left are read
    as well. `mark` must be in the output.
    """

    field: str
    reader: str
    by_line: bool = False
    mark: str = ""


class Sent(Struct, frozen=True):
    """The command may be sent to a device, letter by letter as it stands in its record.

    `is_heavy` where IOS walks all interfaces or writes the whole configuration for it: held back
    while the CPU is busy. `counts` where its counters make rates of two samples. `older` are the
    names of the same output in older trains, tried where the image does not know the command.
    `beside` are asked too where this one is: they tell the same of another time. `forms` may be
    sent too: the command with arguments, letter by letter.
    """

    is_heavy: bool = False
    counts: bool = False
    older: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()


class ShowOutput(Struct, frozen=True):
    """A command whose output has a layout of its own, spelled out and without arguments.

    `opens` are regular expressions of its first lines. `opens_as` are commands whose outputs may
    begin as this one does: then the name of the file decides. `other_layouts` are arguments that
    turn the command into one with another layout. Without `sent` it is never sent. `is_foreign`
    where the layout is only told apart from ours: the command counts as any other.
    """

    command: str
    opens: tuple[str, ...] = ()
    opens_as: tuple[str, ...] = ()
    other_layouts: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    sent: Sent | None = None
    is_foreign: bool = False
