"""`show call active voice brief`: the calls in progress, by their legs over IP."""

from typing import Final

from msgspec import Struct

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.ios.syntax import Location
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    ShownLine,
    age_s,
    blocks_of,
    declined,
    present,
    read_blocks,
    record_of,
)

_EXPECTED: Final = "show call active voice brief"
_LAYOUT: Final = layout("shows/calls.txt")
_LINES: Final = _LAYOUT.patterns("lines")
_UNUSED: Final = _LAYOUT.any_of("unused")


class CallLeg(Struct, frozen=True):
    """A leg over IP: the far end of its packets, its codec, and their ToS; None: not printed.

    The numbers of the phones are not read. Packets are lost, or come too early or too late for the
    playout buffer, whose delay is the last, the least and the most.
    """

    address: str
    port: int
    codec: str
    tos: int | None
    at: Location
    duration_s: int | None = None
    sent_packets: int | None = None
    sent_bytes: int | None = None
    received_packets: int | None = None
    received_bytes: int | None = None
    round_trip_ms: int | None = None
    lost_packets: int | None = None
    early_packets: int | None = None
    late_packets: int | None = None
    delay_ms: int | None = None
    min_delay_ms: int | None = None
    max_delay_ms: int | None = None


def read_active_calls(text: str, file: str, first_line: int = 1) -> OutputReading[CallLeg]:
    """Legs over IP of the calls in progress, in order; those over telephony ports are left out.

    A leg begins at the line of its duration, for that with the numbers of the phones is masked.

    Raises
    ------
    LayoutError
        If there is neither a leg nor a total.
    """
    output = Output(text, file, first_line, _EXPECTED)
    lines = tuple(output.lines())
    totals = [line for line in lines if _total(line) is not None]
    own = (line for line in lines if not _UNUSED.fullmatch(line.text))
    blocks = blocks_of(own, _LINES["duration"], name=lambda _: "")
    if totals and not blocks.blocks and not blocks.before:
        reading: OutputReading[CallLeg | None] = OutputReading(())
    else:
        reading = read_blocks(output, OutputPart.CALL, blocks, lambda block: _leg(output, block))
    parts = reading.declined
    if totals and _total(totals[0]) != len(blocks.blocks) and not output.is_filtered:
        cut = output.ends(lines[-1], "all of its legs")
        parts = (*parts, declined(OutputPart.LINES, "", output.at(totals[0]), cut))
    return OutputReading(tuple(leg for leg in reading.records if leg is not None), parts)


def _total(line: ShownLine) -> int | None:
    found = _LINES["total"].fullmatch(line.text)
    return whole(found["legs"]) if found is not None else None


def _leg(output: Output, block: Block) -> CallLeg | None:
    """A leg; None of one over a telephony port."""
    if not block.lines:
        raise output.ends(block.head, "the far end of a leg")
    leg = None
    for line in block.lines:
        far = _LINES["ip"].fullmatch(line.text)
        if far is None and not _LINES["telephony"].fullmatch(line.text):
            raise output.unknown(line)
        if far is not None:
            tos = block.match["tos"]
            leg = record_of(
                CallLeg,
                present(block.match) | present(far),
                address=far["address"].strip("[]"),
                tos=None if tos is None else int(tos, 16),
                duration_s=age_s(block.match["duration"]),
                at=output.at(block.head),
            )
    return leg
