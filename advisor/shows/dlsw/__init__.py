"""Typed records of the `show dlsw` outputs, and the way all of them are read."""

from collections.abc import Callable
from enum import StrEnum
from typing import Generic, TypeVar

from msgspec import Struct

from advisor.ios.syntax import Location
from advisor.shows.output import Output, ShownLine

# The way that all `show dlsw` outputs are read: line by line, and no line stays unknown.

Record = TypeVar("Record")


class DlswReader(Struct, Generic[Record], frozen=True):
    """Reader of one `show dlsw` command: `read` makes the record of its output."""

    expected: str
    read: Callable[[Output], Record]

    def __call__(self, text: str, file: str, first_line: int = 1) -> Record:
        """Read one output.

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
            At an unknown line, and when the output is empty.
        """
        return self.read(Output(text, file, first_line, self.expected))


def take_lines(output: Output, take: Callable[[ShownLine], bool]) -> Location:
    """Hand every line of an output to `take`, which returns False for an unknown line.

    Returns
    -------
    Location
        The place of the first line.

    Raises
    ------
    LayoutError
        At an unknown line, and when the output is empty.
    """
    start: Location | None = None
    for line in output.lines():
        if not take(line):
            raise output.unknown(line)
        start = start or output.at(line)
    if start is None:
        raise output.nothing()
    return start


# Typed records of the `show dlsw` outputs: peers, circuits, caches.


class PeerState(StrEnum):
    """State of a peer, as `show dlsw peers` spells it."""

    CONNECT = "CONNECT"
    DISCONN = "DISCONN"
    CAP_EXG = "CAP_EXG"
    WAIT_RD = "WAIT_RD"
    WAN_BUSY = "WAN_BUSY"


class QueueDepths(Struct, frozen=True):
    """Packets in the four TCP queues of a peer with `priority`."""

    high_packets: int
    medium_packets: int
    normal_packets: int
    low_packets: int


class DlswPeer(Struct, frozen=True):
    """One peer.

    `peer` is its address, or the interface of a direct encapsulation. `kind` is the origin of the
    peer: `conf`, `prom`, `pod` or `group`. `tcp_queue_packets` and `uptime_s` are None where a
    dash is printed. IOS cuts an uptime of more than a day to whole hours.
    """

    transport: str
    peer: str
    state: PeerState
    received_packets: int | None
    sent_packets: int | None
    kind: str
    drops_packets: int | None
    circuits: int | None
    tcp_queue_packets: int | None
    uptime_s: int | None
    sequence_errors: int | None
    queue_depths: QueueDepths | None
    at: Location


class DlswPeers(Struct, frozen=True):
    """`show dlsw peers`. Only newer trains print the totals; None where not printed.

    `is_whole` is false where a row is not understood: it may be any peer in any state.
    """

    peers: tuple[DlswPeer, ...]
    connected_peers: int | None
    connections: int | None
    at: Location
    is_whole: bool = True


class FlowControl(Struct, frozen=True):
    """Pacing of one circuit, in frames."""

    send_window_frames: int
    permitted_frames: int
    receive_window_frames: int
    granted_frames: int


class DlswCircuit(Struct, frozen=True):
    """One circuit.

    Only `show dlsw circuits detail` prints the fields after `uptime_s`.
    `information_frames` and `circuit_bytes` are sums of both directions.
    """

    index: int
    local_mac: str
    local_sap: str
    remote_mac: str
    remote_sap: str
    state: str
    uptime_s: int | None
    port: str | None
    peer: str | None
    flow_control: FlowControl | None
    information_frames: int | None
    circuit_bytes: int | None
    at: Location


class DlswCircuits(Struct, frozen=True):
    """`show dlsw circuits`. `is_whole` is false where a circuit is not understood."""

    circuits: tuple[DlswCircuit, ...]
    connected_circuits: int | None
    at: Location
    is_whole: bool = True


class DlswStatistics(Struct, frozen=True):
    """Frames (explorers) that the reachability caches answered."""

    local_cache_frames: int | None
    remote_cache_frames: int | None
    group_cache_frames: int | None
    at: Location
