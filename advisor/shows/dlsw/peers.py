"""`show dlsw peers` and `show dlsw statistics`.

`show dlsw statistics`: frames that the reachability caches answered.

`show dlsw statistics border-peers` is not read: its layout is not known.

>>> statistics = read_dlsw_statistics("100  frames processed via local cache", "r1.txt")
>>> statistics.local_cache_frames, statistics.group_cache_frames
(100, None)
"""

import re
from typing import Final

from msgspec import Struct, field

from advisor.shows.dlsw import (
    DlswPeer,
    DlswPeers,
    DlswReader,
    DlswStatistics,
    PeerState,
    QueueDepths,
    take_lines,
)
from advisor.shows.output import (
    Output,
    OutputReading,
    Row,
    ShownLine,
    age_s,
    count,
    read_table,
)
from advisor.units import whole

# `show dlsw peers`: a row for each peer, the lines of FST and `priority` peers, the totals.
#
# Sources: the layout of the table and of the totals is that of Cisco IOS Cookbook, recipe 15.14;
# the lines under a row are recalled, and only their words are read.

_HEAD: Final = re.compile(r"Peers:\s")
_TOTAL: Final = re.compile(
    r"Total number of (connected peers|connections)\s*:\s*([0-9]{1,9})", re.IGNORECASE
)
# `Expected: 12  Next Send: 14  Seq errors: 0` under an FST peer.
_FST: Final = re.compile(r"Expected:\s*[0-9]{1,20}\b.*", re.IGNORECASE)
_SEQUENCE_ERRORS: Final = re.compile(r"Seq errors:\s*([0-9]{1,20})\b", re.IGNORECASE)
_QUEUE: Final = re.compile(r"(high|medium|normal|low)\D{1,40}([0-9]{1,9})", re.IGNORECASE)
_QUEUES: Final = ("high", "medium", "normal", "low")


class _PeersReading(Struct):
    """The lines of the table; the other figures by the line number of their row."""

    table: list[ShownLine] = field(default_factory=list)
    sequence_errors: dict[int, int] = field(default_factory=dict)
    queue_depths: dict[int, QueueDepths] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)

    def take(self, line: ShownLine) -> None:
        """Take a line. What is not a known other line belongs to the table, which judges it."""
        if not self._take_total(line.text) and not self._take_under(line.text):
            self.table.append(line)

    def _take_total(self, line: str) -> bool:
        total = _TOTAL.fullmatch(line)
        if total is None:
            return False
        self.totals[total[1].lower()] = whole(total[2])
        return True

    def _take_under(self, line: str) -> bool:
        """Take a line under the last row; False if the line is unknown."""
        if not self.table or _HEAD.match(self.table[-1].text):
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


def _peers(output: Output) -> OutputReading[DlswPeers]:
    reading = _PeersReading()
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
    return DlswPeer(
        transport=cells["Transport"],
        peer=cells["Peer"],
        state=_state(cells["State"], line, output),
        received_packets=_figure(cells["Received"]),
        sent_packets=_figure(cells["Sent"]),
        kind=cells["Kind"],
        drops_packets=_figure(cells["Drops"]),
        circuits=_figure(cells["Circuits"]),
        tcp_queue_packets=_figure(cells["TcpQueue"]),
        uptime_s=age_s(cells["Uptime"]),
        sequence_errors=reading.sequence_errors.get(line.number),
        queue_depths=reading.queue_depths.get(line.number),
        at=output.at(line),
    )


def _state(text: str, line: ShownLine, output: Output) -> PeerState:
    try:
        return PeerState(text)
    except ValueError:
        raise output.unknown(line) from None


def _figure(text: str) -> int | None:
    return None if text == "-" else count(text)


read_dlsw_peers: Final = DlswReader("show dlsw peers", _peers)


_LINE: Final = re.compile(r"(-?[0-9]{1,20})\s+frames processed via (local|remote|group) cache")


def _statistics(output: Output) -> DlswStatistics:
    frames: dict[str, int | None] = {}

    def take(line: ShownLine) -> bool:
        match = _LINE.fullmatch(line.text)
        if match is not None:
            frames[match[2]] = count(match[1])
        return match is not None

    start = take_lines(output, take)
    return DlswStatistics(frames.get("local"), frames.get("remote"), frames.get("group"), start)


read_dlsw_statistics: Final = DlswReader("show dlsw statistics", _statistics)
