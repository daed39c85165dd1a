"""The known show outputs: one `ShowOutput` record each, with how it begins and its readers.

`ios/grammar/outputs.txt` lists them, and nothing else does: what is recognised, read and sent
follows from these records.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.ios.grammar import headed_rows

RUNNING_CONFIG: Final = "show running-config"
RUNNING_CONFIG_OF_VIEWS: Final = "show running-config view full"
STARTUP_CONFIG: Final = "show startup-config"
CLOCK: Final = "show clock"
PRIVILEGE: Final = "show privilege"
VERSION: Final = "show version"
CPU: Final = "show processes cpu"
CPU_HISTORY: Final = "show processes cpu history"
_OF_SENT: Final = ("older", "beside", "forms")


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
    turn the command into one with another layout. Without `sent` it is never sent. `prints` are
    beginnings of its lines in the notation of `masking/printed.txt`, beside the rows of that file:
    such lines and their words are no secrets. `goes_on` are regular expressions of lines behind
    which IOS always prints another: an output that ends in one was cut. `is_foreign` where the
    layout is only told apart from ours: the command counts as any other.
    """

    command: str
    opens: tuple[str, ...] = ()
    opens_as: tuple[str, ...] = ()
    other_layouts: tuple[str, ...] = ()
    reads: tuple[Read, ...] = ()
    sent: Sent | None = None
    prints: tuple[str, ...] = ()
    goes_on: tuple[str, ...] = ()
    is_foreign: bool = False


def _record(command: str, rows: Iterable[str]) -> ShowOutput:
    """The record of a command under its heading in `outputs.txt`."""
    stated: dict[str, list[str]] = {}
    for row in rows:
        key, _, value = row.partition(" ")
        stated.setdefault(key, []).append(value)
    sent = None
    if "sent" in stated:
        words = stated["sent"][0].split()
        sent = Sent("heavy" in words, "counts" in words, *map(tuple, _lists(stated, _OF_SENT)))
    opens, opens_as, prints, goes_on = map(
        tuple, _lists(stated, ("opens", "as", "prints", "goes-on"))
    )
    return ShowOutput(
        command,
        opens,
        opens_as,
        tuple(" ".join(stated.get("other", ())).split()),
        tuple(map(_read, stated.get("reads", ()))),
        sent,
        prints,
        goes_on,
        "foreign" in stated,
    )


def _lists(stated: Mapping[str, list[str]], keys: Iterable[str]) -> Iterator[list[str]]:
    return (stated.get(key, []) for key in keys)


def _read(row: str) -> Read:
    field, reader, *more = row.split()
    return Read(field, reader, "by-line" in more, more[-1] if "mark" in more else "")


# The first record whose opening fits tells what a text is. Commands are sent in this order, too.
OUTPUTS: Final = tuple(_record(*heading) for heading in headed_rows("outputs").items())


class Opening(Struct, frozen=True):
    """First line of an output. Commands in `also` begin alike: the file's name decides."""

    pattern: re.Pattern[str]
    command: str
    also: frozenset[str]


@cache
def outputs() -> Mapping[str, ShowOutput]:
    """The outputs that are not foreign, by command; longer commands first."""
    ours = (output for output in OUTPUTS if not output.is_foreign)
    return {
        output.command: output for output in sorted(ours, key=lambda output: -len(output.command))
    }


@cache
def openings() -> tuple[Opening, ...]:
    """First lines of all outputs, in the order in which they are tried."""
    return tuple(
        Opening(
            re.compile(pattern),
            output.command,
            frozenset(other.command for other in OUTPUTS if output.command in other.opens_as),
        )
        for output in OUTPUTS
        for pattern in output.opens
    )


@cache
def any_opening() -> re.Pattern[str]:
    """Whether a line begins any output."""
    return re.compile("|".join(f"(?:{pattern})" for output in OUTPUTS for pattern in output.opens))
