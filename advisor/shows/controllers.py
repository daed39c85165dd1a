"""`show controllers`."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.ios.terminal import prompt_of
from advisor.shows.output import (
    Block,
    Blocks,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    blocks_of,
    present,
    read_blocks,
    record_of,
)

# `show controllers`: the transmit ring of a serial or LAN interface, and its cable.
#
# The rest of the output dumps the registers of the chip, and every chip has its own form. The
# reader skips the dump. It must know only the lines that hold one of its words.

_EXPECTED: Final = "show controllers of an interface with a transmit ring"


class Controller(Struct, frozen=True):
    """The state of one interface, as its driver prints it.

    `ring_packets` is the length of the transmit ring in force. `is_ring_shortened` is the digit
    before it: it is set if IOS shortened the ring for a software queue. On some LAN interfaces it
    stays clear for a length that the user set. `ring_entries` counts the listed descriptors of
    the hardware ring. `cable` is `DCE` or `DTE`; `clock_rate_bps` is the clock of a DCE.
    """

    interface: str | None
    hardware: str | None
    cable: str | None
    cable_type: str | None
    clock_rate_bps: int | None
    is_ring_shortened: bool | None
    ring_packets: int | None
    ring_entries: int | None
    at: Location
    ring_at: Location | None = None  # the line of the ring in force


_LAYOUT: Final = layout("shows/controllers.txt")
_PORT_ADAPTER: Final = _LAYOUT.part("ADAPTER")
_RING: Final = _LAYOUT.part("RING")
_RINGLESS: Final = _LAYOUT.part("RINGLESS")
_WORDS: Final = _LAYOUT.part("WORDS")
_HEADS: Final = tuple(_LAYOUT.patterns("heads").values())
_FACTS: Final = tuple(_LAYOUT.patterns("facts").values())
_DESCRIPTOR: Final = re.compile(r"tmd\([0-9A-Fa-f]+\): ")
_TYPED: Final = re.compile(r"sh\w*\s+cont\w*\s+(\S+(?:\s+\d\S*)?)", re.IGNORECASE)


def read_controllers(text: str, file: str, first_line: int = 1) -> OutputReading[Controller]:
    """Controllers of a `show controllers [serial X]` output, in order.

    A controller that prints no interface, and the line of the ring that a filter kept
    (`| include tx_limited`), are of the interface in the typed command. A controller with an
    unknown line about the ring or the cable is declined. None where the controllers have no such
    ring: T1, VDSL, and ports of IOS XE.

    Raises
    ------
    LayoutError
        If the output does not begin with a controller of these kinds.
    """
    output = Output(text, file, first_line, _EXPECTED)
    blocks = _with_ring_alone(blocks_of(_joined(output.lines()), *_HEADS, name=_name))
    if blocks.before and _RINGLESS.fullmatch(blocks.before[0].text):
        blocks = Blocks((), blocks.blocks)
        if not blocks.blocks:
            return OutputReading(())
    is_alone = len(blocks.blocks) == 1

    def read(block: Block) -> Controller:
        fields = present(block.match)
        ring_at = None
        for line in block.lines:
            found = _facts(line, output)
            fields.update(found)
            ring_at = output.at(line) if "ring_packets" in found else ring_at
        if is_alone and "interface" not in fields:
            fields["interface"] = _typed_interface(text)
        descriptors = sum(_DESCRIPTOR.match(line.text) is not None for line in block.lines)
        return _controller(fields, descriptors, output.at(block.head), ring_at)

    return read_blocks(output, OutputPart.CONTROLLER, blocks, read)


def _joined(lines: Iterable[ShownLine]) -> Iterator[ShownLine]:
    """The lines without the head of a port adapter right below that of its interface."""
    last: ShownLine | None = None
    for line in lines:
        is_below = last is not None and (_matched(_HEADS, last) or {}).get("interface")
        if not (is_below and _PORT_ADAPTER.fullmatch(line.text)):
            yield line
        last = line


def _with_ring_alone(blocks: Blocks) -> Blocks:
    """The line of the ring as a block of its own, where nothing stands above it."""
    ring = _RING.fullmatch(blocks.before[0].text) if blocks.before else None
    if blocks.blocks or ring is None:
        return blocks
    return Blocks((), (Block("", blocks.before[0], ring, blocks.before),))


def _name(head: re.Match[str]) -> str:
    shown = present(head)
    return shown.get("interface", shown.get("hardware", ""))


def _facts(line: ShownLine, output: Output) -> dict[str, str]:
    """Return the facts of a line; none for a line of the dump."""
    if not _WORDS.match(line.text):
        return {}
    facts = _matched(_FACTS, line)
    if facts is None:
        raise output.unknown(line)
    return facts


def _matched(patterns: tuple[re.Pattern[str], ...], line: ShownLine) -> dict[str, str] | None:
    for pattern in patterns:
        match = pattern.fullmatch(line.text)
        if match is not None:
            return {key: text for key, text in match.groupdict().items() if text is not None}
    return None


def _typed_interface(text: str) -> str:
    for line in text.splitlines():
        prompt = prompt_of(line.strip())
        typed = _TYPED.match(prompt.command if prompt else line.strip())
        if typed is not None:
            return "".join(typed[1].split())
    return ""


def _controller(
    fields: Mapping[str, str], descriptors: int, at: Location, ring_at: Location | None
) -> Controller:
    flag = fields.get("flag")
    return record_of(
        Controller,
        fields,
        interface=fields.get("interface") or None,
        is_ring_shortened=None if flag is None else flag != "0",
        ring_entries=descriptors or None,
        at=at,
        ring_at=ring_at,
    )
