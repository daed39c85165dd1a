"""A device as `ciscoconfparse2.CiscoConfParse`, for checks that are written for it.

ciscoconfparse2 is no dependency: it has the GPL-3.0 and pins packages to exact versions. The extra
The extra `ciscoconfparse` installs it, and it is imported when a check asks for it.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final, Protocol

from msgspec import Struct

from advisor.device.device import Device
from advisor.ground.assets import install_line
from advisor.ground.faults import AdvisorError
from advisor.ground.questions import derived
from advisor.ios import pattern
from advisor.ios.syntax import ConfigTree, Line, LineKind, Location, physical_lines

if TYPE_CHECKING:
    from ciscoconfparse2 import CiscoConfParse

# The head of a text up to a delimiter as ciscoconfparse2 sees it; IOS may differ.
_BANNER: Final = pattern(r"(?:set\s+)?banner\s+\w+\s+(\^C|\S)(.*)")
_MACRO: Final = "macro name "
_MACRO_END: Final = "@"


class MissingExtraError(AdvisorError):
    """ciscoconfparse2 is not installed; the message says how to install it."""


class SecondLine(Protocol):
    """Part of a line of ciscoconfparse2 that is used: its place in the list that was parsed."""

    linenum: int
    text: str


class ListedText(Struct, frozen=True):
    """A configuration as the list of lines that ciscoconfparse2 takes.

    `numbers` has the line of the file for each of `lines`, 0 for a line that an edit made.
    """

    lines: tuple[str, ...]
    numbers: tuple[int, ...]


def as_ciscoconfparse(device: Device, *, factory: bool = False) -> "CiscoConfParse":
    """Return the configuration of a device as ciscoconfparse2 holds it.

    Sections are those of the device's own tree: a flat text is nested, every level is indented by
    one blank, keywords are in full, and there are no prompts, no pager and no blank lines. A
    banner, a certificate, a key or a menu is one line whose text holds the line breaks of its body,
    so no line of a banner passes for a command. Comments are kept.

    It is parsed once for a device. Every check gets the same object: do not change it. The first
    call takes all handlers off the log of ciscoconfparse2 (loguru), which quotes configurations.

    Parameters
    ----------
    device
        The device that the check is asked about.
    factory
        As in ciscoconfparse2: lines of interfaces have the attributes of their kind.

    Raises
    ------
    MissingExtraError
        If ciscoconfparse2 is not installed.
    """
    return _with_kinds(device) if factory else _plain(device)


def location_of(device: Device, line: SecondLine) -> Location:
    """Return where a line of `as_ciscoconfparse(device)` stands in the input.

    Raises
    ------
    IndexError
        If the line is not one of those: a check has added it.
    """
    tree = device.facts.tree
    return Location(tree.file, _listed(device).numbers[line.linenum])


@derived
def _listed(device: Device) -> ListedText:
    return listed(device.facts.tree)


@derived
def _plain(device: Device) -> "CiscoConfParse":
    return parsed(_listed(device).lines)


@derived
def _with_kinds(device: Device) -> "CiscoConfParse":
    return parsed(_listed(device).lines, factory=True)


def listed(tree: ConfigTree) -> ListedText:
    """Write a tree so that ciscoconfparse2 nests it as it is nested."""
    rows = list(_rows(tree.lines))
    return ListedText(tuple(text for text, _ in rows), tuple(number for _, number in rows))


def _rows(lines: Sequence[Line]) -> Iterator[tuple[str, int]]:
    """Text and number of each line; iterative, so depth has no limit."""
    stack = [(line, 0) for line in reversed(lines)]
    while stack:
        line, depth = stack.pop()
        if line.is_command or line.kind is LineKind.COMMENT:
            yield from _row(line, " " * depth)
        stack.extend((child, depth + 1) for child in reversed(line.children))


def _row(line: Line, indent: str) -> Iterator[tuple[str, int]]:
    if line.kind is not LineKind.OPAQUE:
        yield f"{indent}{line.text}{'' if indent else _end_of_banner(line.text)}", line.number
        return
    body = [text.rstrip("\r\n") for text in physical_lines(line.raw)[1:]]
    if not line.text.lower().startswith(_MACRO):
        yield "\n".join((f"{indent}{line.text}", *body)), line.number
        return
    # ciscoconfparse2 fails where no line of its own ends a macro
    yield f"{indent}{line.text}", line.number
    ended = bool(body) and body[-1].strip() == _MACRO_END
    for place, text in enumerate(body[:-1] if ended else body, start=1):
        yield f"{indent} {text}", line.number and line.number + place
    yield f"{indent}{_MACRO_END}", line.number and line.number + len(body)


def _end_of_banner(text: str) -> str:
    """The delimiter that a banner without a body lacks: it would take in the lines behind it."""
    mark = banner_mark(text)
    return "" if mark is None else f"\n{mark}"


def banner_mark(text: str) -> str | None:
    """The delimiter that ciscoconfparse2 looks for behind a command; None where it looks for none.

    >>> banner_mark("banner motd ^C"), banner_mark("banner motd #hi#"), banner_mark("ip bgp")
    ('^C', None, None)
    """
    banner = _BANNER.match(text)
    return None if banner is None or banner[1] in banner[2] else banner[1]


def parsed(lines: Sequence[str], *, factory: bool = False) -> "CiscoConfParse":
    """Parse lines with ciscoconfparse2.

    Raises
    ------
    MissingExtraError
        If ciscoconfparse2 is not installed.
    """
    return _parser()(list(lines), syntax="ios", factory=factory)


def _parser() -> "Callable[..., CiscoConfParse]":
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from ciscoconfparse2 import CiscoConfParse  # noqa: PLC0415 -- an extra, and slow
    except ImportError:
        raise MissingExtraError(
            f"ciscoconfparse2 is not installed: {install_line('ciscoconfparse')}"
        ) from None
    _keep_quiet()
    parse: Callable[..., CiscoConfParse] = CiscoConfParse
    return parse


@cache
def _keep_quiet() -> None:
    """Take the handlers off its log, once: it logs each error with the values around it.

    These are lines of a configuration, secrets too. Its import puts its own handler in place of all
    others; who adds one later keeps it.
    """
    from loguru import logger  # noqa: PLC0415 -- comes with ciscoconfparse2

    logger.remove()
    warnings.filterwarnings("ignore", module="ciscoconfparse2")
