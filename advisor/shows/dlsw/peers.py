"""`show dlsw peers`: one row for each peer, lines of FST and `priority` peers, totals.

Sources: the layout of the table and of the totals is that of Cisco IOS Cookbook, recipe 15.14; the
lines under a row are recalled, and read by their words alone.
"""

import re
from collections.abc import Sequence
from typing import Final

from msgspec import Struct, field

from advisor.shows.dlsw.records import DlswPeer, DlswPeers, PeerState, QueueDepths
from advisor.shows.figures import age_s, count
from advisor.shows.flat_table import Row, read_table
from advisor.shows.indent import ShownLine
from advisor.shows.output import Output
from advisor.units import whole

_EXPECTED: Final = "show dlsw peers"
_HEAD: Final = re.compile(r"Peers:\s")
_TOTAL: Final = re.compile(
    r"Total number of (connected peers|connections)\s*:\s*([0-9]{1,9})", re.IGNORECASE
)
# `Expected: 12  Next Send: 14  Seq errors: 0` under an FST peer.
_FST: Final = re.compile(r"Expected:\s*[0-9]{1,20}\b.*", re.IGNORECASE)
_SEQUENCE_ERRORS: Final = re.compile(r"Seq errors:\s*([0-9]{1,20})\b", re.IGNORECASE)
_QUEUE: Final = re.compile(r"(high|medium|normal|low)\D{1,40}([0-9]{1,9})", re.IGNORECASE)
_QUEUES: Final = ("high", "medium", "normal", "low")


class _Under(Struct):
    """What is printed under the rows, by the line number of the row above."""

    sequence_errors: dict[int, int] = field(default_factory=dict)
    queue_depths: dict[int, QueueDepths] = field(default_factory=dict)
    totals: dict[str, int] = field(default_factory=dict)


def read_dlsw_peers(text: str, file: str, first_line: int = 1) -> DlswPeers:
    """Read the table of peers.

    Parameters
    ----------
    text
        The output, as captured.
    file
        Its file.
    first_line
        Number of its first line in the file.

    Raises
    ------
    LayoutError
        Where a line is not known, or nothing was printed.
    """
    output = Output(text, file, first_line, _EXPECTED)
    under = _Under()
    table: list[ShownLine] = []
    for line in output.lines():
        if not _is_under(line.text, table, under):
            table.append(line)
    if not table:
        raise output.nothing()
    peers = tuple(_peer(row, under, output) for row in read_table("dlsw_peers", output, table))
    return DlswPeers(
        peers,
        under.totals.get("connected peers"),
        under.totals.get("connections"),
        output.at(table[0]),
    )


def _is_under(line: str, table: Sequence[ShownLine], under: _Under) -> bool:
    """Take a line that is no row; false where it is one, or unknown."""
    total = _TOTAL.fullmatch(line)
    if total is not None:
        under.totals[total[1].lower()] = whole(total[2])
        return True
    if not table or _HEAD.match(table[-1].text):
        return False
    if _FST.fullmatch(line):
        errors = _SEQUENCE_ERRORS.search(line)
        if errors is not None:
            under.sequence_errors[table[-1].number] = whole(errors[1])
        return True
    depths = {name.lower(): whole(depth) for name, depth in _QUEUE.findall(line)}
    if tuple(sorted(depths)) != tuple(sorted(_QUEUES)):
        return False
    under.queue_depths[table[-1].number] = QueueDepths(*(depths[name] for name in _QUEUES))
    return True


def _peer(row: Row, under: _Under, output: Output) -> DlswPeer:
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
        sequence_errors=under.sequence_errors.get(line.number),
        queue_depths=under.queue_depths.get(line.number),
        at=output.at(line),
    )


def _state(text: str, line: ShownLine, output: Output) -> PeerState:
    try:
        return PeerState(text)
    except ValueError:
        raise output.unknown(line) from None


def _figure(text: str) -> int | None:
    return None if text == "-" else count(text)
