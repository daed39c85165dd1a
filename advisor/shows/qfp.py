"""Counters of the QFP of IOS XE: the load of its data path, and drops of its queues."""

from typing import Final

from msgspec import Struct

from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    blocks_of,
    present,
    read_blocks,
    record_of,
)

_LAYOUT: Final = layout("shows/qfp.txt")

# `datapath utilization`, with `summary` or without: the load of each part of the processor.

_EXPECTED_LOAD: Final = "show platform hardware qfp active datapath utilization"
_CPP: Final = _LAYOUT.part("CPP")
_LOAD: Final = _LAYOUT.part("LOAD")
_RATES: Final = _LAYOUT.patterns("rates").values()


class DatapathLoad(Struct, frozen=True):
    """Load of one part of the processor that forwards packets, in percent."""

    five_seconds_percent: int
    one_minute_percent: int
    five_minutes_percent: int
    at: Location


def read_datapath_load(text: str, file: str, first_line: int = 1) -> OutputReading[DatapathLoad]:
    """Loads of the parts of a QFP, in order; of a filtered output those that are left.

    Raises
    ------
    LayoutError
        If no part begins, and no filter took its head.
    """
    output = Output(text, file, first_line, _EXPECTED_LOAD)
    lines = tuple(output.lines())
    if output.is_filtered:
        left = ((_LOAD.fullmatch(line.text), line) for line in lines)
        return OutputReading(
            tuple(
                record_of(DatapathLoad, present(load), at=output.at(line))
                for load, line in left
                if load is not None
            )
        )

    def read(block: Block) -> DatapathLoad:
        found: DatapathLoad | None = None
        for line in block.lines:
            load = _LOAD.fullmatch(line.text)
            if load is not None:
                found = record_of(DatapathLoad, present(load), at=output.at(line))
            elif not any(row.fullmatch(line.text) for row in _RATES):
                raise output.unknown(line)
        if found is None:
            raise output.ends((block.head, *block.lines)[-1], "its load")
        return found

    return read_blocks(output, OutputPart.MODULE, blocks_of(lines, _CPP), read)


# `feature qos queue output`: the queues of an interface as the hardware counts them.

_EXPECTED_QUEUE: Final = "show platform hardware qfp active feature qos queue output"
_INTERFACE: Final = _LAYOUT.part("INTERFACE")
_QUEUE: Final = _LAYOUT.part("QUEUE")
_TAIL_DROPS: Final = _LAYOUT.part("TAIL_DROPS")
_CONTROL: Final = _LAYOUT.patterns("control").values()


class HardwareQueue(Struct, frozen=True):
    """A queue of an interface, by its place, and the packets that it had no room for."""

    interface: str
    index: int
    tail_drops_packets: int | None
    at: Location


def read_hardware_queues(text: str, file: str, first_line: int = 1) -> OutputReading[HardwareQueue]:
    """Queues of the interfaces of an output, in order. One with an unknown line is declined.

    Raises
    ------
    LayoutError
        If no interface begins.
    """
    output = Output(text, file, first_line, _EXPECTED_QUEUE)
    home, column = "", 0

    def read(block: Block) -> HardwareQueue | None:
        nonlocal home, column
        is_queue = block.match.re is _QUEUE
        if not is_queue:
            home, column = block.match["interface"], block.head.column
        elif not home:
            raise output.unknown(block.head)
        fields = present(block.match)
        for line in block.lines:
            drops = _TAIL_DROPS.fullmatch(line.text) if is_queue else None
            if drops is not None:
                fields.update(present(drops))
            elif not any(row.fullmatch(line.text) for row in _CONTROL):
                # Where it is as far left as an interface, it may be the head of another.
                home = "" if line.column <= column else home
                raise output.unknown(line)
        if not is_queue:
            return None
        if "tail_drops_packets" not in fields:
            raise output.ends((block.head, *block.lines)[-1], "its drops")
        return record_of(HardwareQueue, fields, interface=home, at=output.at(block.head))

    blocks = blocks_of(output.lines(), _INTERFACE, _QUEUE)
    reading = read_blocks(output, OutputPart.SECTION, blocks, read)
    records = tuple(record for record in reading.records if record is not None)
    return OutputReading(records, reading.declined)
