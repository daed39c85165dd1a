"""`show dlsw peers`, `show dlsw circuits` and `show dlsw statistics`; `lines.txt` has the lines."""

import re
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from advisor.ground.units import whole
from advisor.ios.grammar import layout
from advisor.shows.dlsw import (
    DlswCircuit,
    DlswCircuits,
    DlswPeer,
    DlswPeers,
    DlswStatistics,
    FlowControl,
    PeerState,
    QueueDepths,
)
from advisor.shows.output import (
    Block,
    Output,
    OutputPart,
    OutputReading,
    Row,
    ShownLine,
    age_s,
    blocks_of,
    count,
    present,
    read_blocks,
    read_table,
    record_of,
    take_facts,
)

_LAYOUT: Final = layout("shows/dlsw/lines.txt")

# `show dlsw peers`: a row for each peer, the lines of FST and `priority` peers, the totals.

_PEERS: Final = _LAYOUT.part("PEERS")
_TOTAL: Final = _LAYOUT.part("TOTAL", re.IGNORECASE)
_FST: Final = _LAYOUT.part("FST", re.IGNORECASE)
_SEQUENCE_ERRORS: Final = _LAYOUT.part("SEQUENCE_ERRORS", re.IGNORECASE)
_QUEUE: Final = _LAYOUT.part("QUEUE", re.IGNORECASE)
_QUEUES: Final = ("high", "medium", "normal", "low")


class _PeersReading(Struct):
    """The lines of the table; the other figures by the line number of their row."""

    table: list[ShownLine] = field(default_factory=list)
    sequence_errors: dict[int, int] = field(default_factory=dict)
    queue_depths: dict[int, QueueDepths] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)

    def take(self, line: ShownLine) -> None:
        """Take a line. What is not a known other line belongs to the table, which judges it."""
        total = _TOTAL.fullmatch(line.text)
        if total is not None:
            self.totals[total[1].lower()] = whole(total[2])
        elif not self._take_under(line.text):
            self.table.append(line)

    def _take_under(self, line: str) -> bool:
        """Take a line under the last row; False if the line is unknown."""
        if not self.table or _PEERS.match(self.table[-1].text):
            return False
        row_number = self.table[-1].number
        if _FST.fullmatch(line):
            errors = _SEQUENCE_ERRORS.search(line)
            if errors is not None:
                self.sequence_errors[row_number] = whole(errors[1])
            return True
        depths = {name.lower(): whole(depth) for name, depth in _QUEUE.findall(line)}
        if tuple(sorted(depths)) != tuple(sorted(_QUEUES)):
            return False
        self.queue_depths[row_number] = QueueDepths(*(depths[name] for name in _QUEUES))
        return True


def read_dlsw_peers(text: str, file: str, first_line: int = 1) -> OutputReading[DlswPeers]:
    """Peers of a `show dlsw peers` output.

    Raises
    ------
    LayoutError
        If no line of the table is known, or the output is empty.
    """
    output, reading = Output(text, file, first_line, "show dlsw peers"), _PeersReading()
    for line in output.lines():
        reading.take(line)
    if not reading.table:
        raise output.nothing()
    rows = read_table("dlsw_peers", output, reading.table, lambda row: _peer(row, reading, output))
    table = DlswPeers(
        rows.records,
        reading.totals.get("connected peers"),
        reading.totals.get("connections"),
        output.at(reading.table[0]),
        not rows.declined,
    )
    return OutputReading((table,), rows.declined)


def _peer(row: Row, reading: _PeersReading, output: Output) -> DlswPeer:
    cells, line = row
    try:
        state = PeerState(cells["state"])
    except ValueError:
        raise output.unknown(line) from None
    return record_of(
        DlswPeer,
        {name: text for name, text in cells.items() if text != "-"},
        state=state,
        uptime_s=age_s(cells["uptime"]),
        sequence_errors=reading.sequence_errors.get(line.number),
        queue_depths=reading.queue_depths.get(line.number),
        at=output.at(line),
    )


# `show dlsw circuits`, and the lines that `detail` adds under each circuit.

_CIRCUITS: Final = _LAYOUT.part("CIRCUITS")
_CIRCUIT: Final = _LAYOUT.part("CIRCUIT")
_CIRCUIT_TOTAL: Final = _LAYOUT.part("CIRCUIT_TOTAL", re.IGNORECASE)
_PORT: Final = _LAYOUT.part("PORT", re.IGNORECASE)
_PACING: Final = _LAYOUT.part("PACING")
_PAIR: Final = _LAYOUT.part("PAIR")
_PAIRS: Final = frozenset(("bytes", "info-frames", "xid-frames", "uinfo-frames"))
_UNUSED: Final = _LAYOUT.any_of("unused", re.IGNORECASE)


def read_dlsw_circuits(text: str, file: str, first_line: int = 1) -> OutputReading[DlswCircuits]:
    """Circuits of a `show dlsw circuits` output, with `detail` or without.

    Raises
    ------
    LayoutError
        If no line is known, or the output is empty.
    """
    output = Output(text, file, first_line, "show dlsw circuits")
    lines = tuple(output.lines())
    if not lines:
        raise output.nothing()
    totals = [total for line in lines if (total := _CIRCUIT_TOTAL.fullmatch(line.text))]
    others = (_CIRCUITS, _CIRCUIT_TOTAL)
    rows = (line for line in lines if not any(other.fullmatch(line.text) for other in others))
    blocks = blocks_of(rows, _CIRCUIT)

    def read(block: Block) -> DlswCircuit:
        fields = present(block.match)
        pacing: FlowControl | None = None
        for line in block.lines:
            match = _PACING.fullmatch(line.text)
            if match is not None:
                pacing = FlowControl(*map(whole, match.groups()))
            elif not _take_detail(line.text, fields):
                raise output.unknown(line)
        return _circuit(fields, pacing, output, block)

    is_empty = not blocks.blocks and not blocks.before
    circuits: OutputReading[DlswCircuit] = (
        OutputReading(()) if is_empty else read_blocks(output, OutputPart.CIRCUIT, blocks, read)
    )
    connected = whole(totals[-1][1]) if totals else None
    table = DlswCircuits(circuits.records, connected, output.at(lines[0]), not circuits.declined)
    return OutputReading((table,), circuits.declined)


def _take_detail(line: str, fields: dict[str, str]) -> bool:
    """Add the figures of a line of `detail`; False if the line is unknown."""
    port = _PORT.fullmatch(line)
    if port is not None:
        fields.update(present(port))
        return True
    pairs = _PAIR.findall(line)
    is_of_pairs = pairs and not _PAIR.sub("", line)
    if not is_of_pairs or any(name.lower() not in _PAIRS for name, *_ in pairs):
        return _UNUSED.fullmatch(line) is not None
    fields.update({name.lower(): str(whole(sent) + whole(got)) for name, sent, got in pairs})
    return True


def _circuit(
    fields: Mapping[str, str], pacing: FlowControl | None, output: Output, block: Block
) -> DlswCircuit:
    return record_of(
        DlswCircuit,
        fields,
        uptime_s=age_s(fields.get("uptime")),
        flow_control=pacing,
        information_frames=count(fields.get("info-frames")),
        circuit_bytes=count(fields.get("bytes")),
        at=output.at(block.head),
    )


_STATISTICS: Final = _LAYOUT.patterns("statistics", re.IGNORECASE).values()


def read_dlsw_statistics(text: str, file: str, first_line: int = 1) -> DlswStatistics:
    """Frames that the caches answered, of `show dlsw statistics`, with `border-peers` or without.

    >>> statistics = read_dlsw_statistics("100  frames processed via local cache", "r1.txt")
    >>> statistics.local_cache_frames, statistics.group_cache_frames
    (100, None)

    Raises
    ------
    LayoutError
        At an unknown line, and when the output is empty.
    """
    output = Output(text, file, first_line, "show dlsw statistics")
    lines, frames = tuple(output.lines()), dict[str, str]()
    for line in lines:
        if not take_facts(line.text, frames, _STATISTICS):
            raise output.unknown(line)
    if not lines:
        raise output.nothing()
    return record_of(DlswStatistics, frames, at=output.at(lines[0]))
