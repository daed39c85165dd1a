"""DLSw+ as configured: peers, lists, ports. Defaults of IOS are not included."""

from enum import StrEnum

from msgspec import Struct

from advisor.facts import Stated
from advisor.ios.syntax import Location


class Transport(StrEnum):
    """Transport of the frames to a remote peer."""

    TCP = "tcp"
    FST = "fst"
    FRAME_RELAY = "frame-relay"
    INTERFACE = "interface"  # direct encapsulation on HDLC
    LLC2 = "llc2"


class ListKind(StrEnum):
    """Lists that the first number of a `remote-peer` may name."""

    RINGS = "ring-list"
    BRIDGE_GROUPS = "bgroup-list"
    PORTS = "port-list"


class LocalPeer(Struct, frozen=True):
    """`dlsw local-peer`. A missing keyword is None or false."""

    at: Location
    peer_id: str | None = None  # an address of this router; None: it only takes direct peers
    group: int | None = None
    is_border: bool = False
    cost: int | None = None
    cluster: int | None = None
    lf_bytes: int | None = None
    keepalive_s: int | None = None
    is_passive: bool = False
    is_promiscuous: bool = False
    has_biu_segment: bool = False
    init_pacing_window_frames: int | None = None
    max_pacing_window_frames: int | None = None


class PeerOptions(Struct, frozen=True):
    """Options after the address of a peer, or defaults of peers that are not configured."""

    bytes_netbios_out: str | None = None
    circuit_weight: int | None = None
    cluster: int | None = None
    cost: int | None = None
    dest_mac: str | None = None
    dmac_output_list: int | None = None
    host_netbios_out: str | None = None
    inactivity_minutes: int | None = None
    is_dynamic: bool = False
    is_passive: bool = False
    has_pass_thru: bool = False
    has_priority: bool = False
    keepalive_s: int | None = None
    lf_bytes: int | None = None
    linger_minutes: int | None = None
    lsap_output_list: int | None = None
    no_llc_minutes: int | None = None
    port_list: int | None = None
    rif_passthru_ring: int | None = None
    rsvp: str | None = None
    tcp_queue_max_packets: int | None = None
    timeout_s: int | None = None


class RemotePeer(Struct, frozen=True):
    """`dlsw remote-peer`. List 0 stands for all rings and bridge groups.

    `peer` is an address, or the interface of a direct encapsulation. `backup_of` is the peer that
    this one replaces, as the line names it: "" if `backup-peer` names none.
    """

    at: Location
    list_number: int
    transport: Transport
    peer: str
    dlci: int | None = None
    backup_of: str | None = None
    options: PeerOptions = PeerOptions()


class PeerDefaults(Struct, frozen=True):
    """`dlsw prom-peer-defaults` or `peer-on-demand-defaults`; no transport: of all."""

    at: Location
    transport: Transport | None
    options: PeerOptions


class PeerList(Struct, frozen=True):
    """`dlsw ring-list`, `bgroup-list` or `port-list`; `members` are rings, groups or ports."""

    at: Location
    kind: ListKind
    number: int
    members: tuple[str, ...]


class LoadBalance(Struct, frozen=True):
    """`dlsw load-balance`; `by` is "round-robin" or "circuit-count"."""

    at: Location
    by: str
    circuit_weight: int | None = None


class DlswTimer(Struct, frozen=True):
    """`dlsw timer NAME VALUE`; the unit (seconds, minutes) is that of the timer."""

    at: Location
    name: str
    value: int


class TosMap(Struct, frozen=True):
    """`dlsw tos map`: IP precedence of the TCP connections; None if not named.

    `is_disabled` is `dlsw tos disable`: IOS then marks nothing.
    """

    at: Location
    is_disabled: bool = False
    high: int | None = None
    medium: int | None = None
    normal: int | None = None
    low: int | None = None


class BridgeGroup(Struct, frozen=True):
    """`dlsw bridge-group N`: the transparent bridge group whose frames DLSw+ takes."""

    at: Location
    number: int
    options: str | None = None  # "llc2 …", "locaddr-priority 1", "sap-priority 2"


class SourceBridge(Struct, frozen=True):
    """`source-bridge LOCAL BRIDGE TARGET` of an interface: its ring, and the target ring."""

    at: Location
    local_ring: int
    bridge: int
    target_ring: int


class DlswLines(Struct):
    """Settings of DLSw+ that one line states each; the draft of `Dlsw` has the same fields."""

    local_peer: LocalPeer | None = None
    load_balance: LoadBalance | None = None
    duplicate_path_bias: Stated[str] | None = None
    tos: TosMap | None = None
    is_disabled: Stated[bool] | None = None


class Dlsw(DlswLines, frozen=True):  # type: ignore[misc]  # its draft is not frozen
    """All of DLSw+ in one config, in document order."""

    remote_peers: tuple[RemotePeer, ...] = ()
    lists: tuple[PeerList, ...] = ()
    on_demand_defaults: tuple[PeerDefaults, ...] = ()
    promiscuous_defaults: tuple[PeerDefaults, ...] = ()
    timers: tuple[DlswTimer, ...] = ()
    bridge_groups: tuple[BridgeGroup, ...] = ()
    other: tuple[Stated[str], ...] = ()  # icanreach, mac-addr, multicast…: known, not judged
    ring_groups: tuple[Stated[int], ...] = ()  # source-bridge ring-group
    bridges: tuple[Stated[int], ...] = ()  # bridge N protocol …

    @property
    def is_configured(self) -> bool:
        return bool(self.local_peer or self.remote_peers or self.bridge_groups or self.other)
