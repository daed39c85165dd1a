"""Typed records of the `show dlsw` outputs: peers, circuits, caches."""

from enum import StrEnum

from msgspec import Struct

from advisor.ios.syntax import Location


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
    """Frames (explorers) that the reachability caches answered.

    Only a border peer prints the border fields, which are of frames from other groups; with
    `border-peers` it prints no others. The last three say where a frame found its destination.
    """

    local_cache_frames: int | None
    remote_cache_frames: int | None
    group_cache_frames: int | None
    border_frames: int | None
    border_unprocessed_frames: int | None
    border_local_frames: int | None
    border_remote_frames: int | None
    border_group_cache_frames: int | None
    at: Location
