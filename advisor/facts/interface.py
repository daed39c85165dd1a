"""An interface or PVC as configured. Its defaults are not included: see predict."""

from enum import StrEnum
from ipaddress import IPv4Interface
from typing import Final

from msgspec import Struct

from advisor.facts import Stated
from advisor.facts.dlsw import SourceBridge
from advisor.facts.policy import Wred
from advisor.ios.syntax import Location

_SERIAL_LINES: Final = ("Serial", "POS", "Hssi")


class Side(StrEnum):
    """Side of an interface that a policy is attached to."""

    INPUT = "input"
    OUTPUT = "output"


class Attachment(Struct, frozen=True):
    """A `service-policy` statement."""

    policy: str
    direction: Side
    at: Location


class PlaceKind(StrEnum):
    """Kinds of places of an interface that have policies of their own."""

    NHRP_GROUP = "nhrp group"  # of a DMVPN hub: each spoke of the group has the policy
    SERVICE_INSTANCE = "service instance"


class PlacePolicy(Struct, frozen=True):
    """A policy of a place of an interface; `opener` is the command that enters its mode."""

    kind: PlaceKind
    name: str
    policy: Attachment
    opener: str | None = None

    @property
    def label(self) -> str:
        """Its part of an object path: "nhrp group G", "service instance 100"."""
        return f"{self.kind} {self.name}"


class UserRate(Struct, frozen=True):
    """The rate of a line as the user states it, and where: "advisor.toml:3", "--rate"."""

    rate_bps: float
    source: str


class RsvpBandwidth(Struct, frozen=True):
    """`ip rsvp bandwidth [total [flow]]` or `percent`; bare, 75 % of the interface `bandwidth`.

    `flow_bps` is the most that one flow may reserve: all of the total where none is stated.
    Source: Cisco IOS Quality of Service Command Reference, ip rsvp bandwidth.
    """

    total_bps: float | None
    percent: float | None
    flow_bps: float | None
    at: Location


class PvcRate(Struct, frozen=True):
    """Traffic class of an ATM PVC: `vbr-nrt 3560 3560`, `cbr 1000`, `ubr 512`…

    `sustained_bps` is the lasting rate of the PVC, in cells (headers counted): the sustained
    rate of VBR, else the peak that the router shapes to; None for a `ubr` without a rate.
    """

    service: str  # "cbr", "vbr-nrt", "vbr-rt", "abr", "ubr", "ubr+"
    peak_bps: float | None
    sustained_bps: float | None
    at: Location


class VcLines(Struct):
    """Settings of a PVC or a vc-class that one line states each; drafts have the same fields."""

    rate: PvcRate | None = None
    encapsulation: Stated[str] | None = None  # "aal5snap", "aal5mux ip", "aal5mux ppp …"
    tx_ring_limit: Stated[int] | None = None
    session: Stated[str] | None = None  # "protocol ppp Virtual-Template1", "dialer pool-member 1"
    dial_pool: Stated[int] | None = None  # of the Dialer whose session it carries
    ppp_interface: Stated[str] | None = None  # "Virtual-Template1"


class Pvc(VcLines, frozen=True, kw_only=True):  # type: ignore[misc]  # its draft is not frozen
    """An ATM permanent virtual circuit."""

    name: str | None
    vpi: int
    vci: int
    at: Location
    policies: tuple[Attachment, ...] = ()
    seen_rate_bps: Stated[float] | None = None  # in an output, where it is another one

    @property
    def carries_ppp(self) -> bool:
        """Whether a PPP session of another interface runs in it: the policy may be there."""
        encapsulation = self.encapsulation.value.lower() if self.encapsulation else ""
        return self.session is not None or "ppp" in encapsulation

    @property
    def label(self) -> str:
        return pvc_label(self.name, self.vpi, self.vci)


def pvc_label(name: str | None, vpi: int, vci: int) -> str:
    """The command that enters a PVC."""
    return f"pvc {name} {vpi}/{vci}" if name else f"pvc {vpi}/{vci}"


class MapClassLines(Struct):
    """Settings of a map-class that one line states each; its draft has the same fields."""

    cir_bps: Stated[float] | None = None
    min_cir_bps: Stated[float] | None = None
    bc_bits: Stated[int] | None = None
    be_bits: Stated[int] | None = None
    fragment_bytes: Stated[int] | None = None
    fair_queue: Stated[bool] | None = None
    hold_queue_packets: Stated[int] | None = None  # `frame-relay holdq`


class FrameRelayCircuit(MapClassLines, frozen=True, kw_only=True):  # type: ignore[misc]  # see above
    """A `frame-relay interface-dlci` or the settings of the map-class it names."""

    dlci: int
    at: Location
    map_class: Stated[str] | None = None
    policies: tuple[Attachment, ...] = ()
    legacy_queueing: tuple[Stated[str], ...] = ()  # of its map-class
    ppp_interface: Stated[str] | None = None  # "Virtual-Template1", whose session it carries
    # What lines state, where an output behind them shows another value, which is the one in force.
    stated_cir_bps: Stated[float] | None = None
    stated_fragment_bytes: Stated[int] | None = None


class Multilink(Struct, frozen=True):
    """MLPPP settings of a bundle or a member.

    `old_delay_words` are set where the delay has the spelling of IOS up to 12.2.
    """

    ppp_multilink: Stated[bool] | None = None
    group: Stated[int] | None = None
    fragment_delay_ms: Stated[float] | None = None
    old_delay_words: str | None = None
    fragment_bytes: Stated[int] | None = None
    fragment_disable: Stated[bool] | None = None
    interleave: Stated[bool] | None = None
    multiclass: Stated[bool] | None = None

    @property
    def delay_words(self) -> str:
        """How the fragment delay is spelled: the other spelling may be unknown there."""
        return self.old_delay_words or "fragment delay"

    @property
    def uninterleaved(self) -> Stated[float] | Stated[int] | None:
        """The statement of fragments that nothing goes between; None without one."""
        if self.interleave is not None and self.interleave.value:
            return None
        return self.fragment_delay_ms or self.fragment_bytes


class InterfaceLines(Struct):
    """Settings of an interface that one line states each. `at` is its (last) `interface` line.

    Each is declared only here: the draft that readers fill has the same fields.
    """

    name: str  # as IOS prints it in full: "Serial0/1/0", "ATM1/0.1"
    at: Location
    type: str  # "Serial", "FastEthernet", "ATM", "Multilink", "Tunnel", …
    parent: str | None = None  # the main interface of a subinterface
    link_mode: str | None = None  # of a subinterface: "point-to-point", "multipoint"
    description: Stated[str] | None = None
    shutdown: bool = False
    bandwidth_bps: Stated[float] | None = None  # a label, not the rate of the wire
    clock_rate_bps: Stated[float] | None = None
    timeslots_bps: Stated[float] | None = None  # from `controller T1` channel-group, or `timeslots`
    speed_bps: Stated[float] | None = None  # Ethernet `speed 100`
    encapsulation: Stated[str] | None = None  # "ppp", "hdlc", "frame-relay", "frame-relay ietf", …
    macsec: Stated[bool] | None = None
    mtu_bytes: Stated[int] | None = None
    ip_mtu_bytes: Stated[int] | None = None
    other_protocol: Stated[str] | None = None  # beside IPv4, whose packets `ip mtu` does not cut
    ip_address: Stated[str] | None = None  # "172.16.1.129 255.255.255.252"
    tx_ring_limit: Stated[int] | None = None
    hold_queue_out_packets: Stated[int] | None = None
    fair_queue: Stated[bool] | None = None
    compress: Stated[str] | None = None  # payload of the link
    rtp_compression: Stated[str] | None = None  # of headers: "iphc-format", "passive", ""
    random_detect: Stated[bool] | None = None
    load_interval_s: Stated[int] | None = None
    max_reserved_percent: Stated[int] | None = None
    qos_pre_classify: Stated[bool] | None = None
    multilink: Multilink = Multilink()
    frame_relay_traffic_shaping: Stated[bool] | None = None  # map-classes shape only if it is set
    frame_relay_fragment_bytes: Stated[int] | None = None  # FRF.12 of all its circuits
    access_group_in: Stated[str] | None = None
    dialer_pool: Stated[int] | None = None  # of a Dialer: the pool that it takes circuits from
    nhrp_group: Stated[str] | None = None  # of a spoke: names its policy at the hub
    nhrp_servers: tuple[str, ...] = ()  # of a spoke: addresses of its hubs in the tunnel
    channel_group: Stated[int] | None = None  # of a member of a port-channel
    rsvp: RsvpBandwidth | None = None
    rsvp_only_admits: Stated[bool] | None = None  # its flows are queued by the policy
    bridge_group: Stated[int] | None = None
    source_bridge: SourceBridge | None = None


class Interface(InterfaceLines, frozen=True, cache_hash=True):  # type: ignore[misc]  # its draft is not frozen
    """An interface or subinterface as configured."""

    policies: tuple[Attachment, ...] = ()
    pvcs: tuple[Pvc, ...] = ()
    circuits: tuple[FrameRelayCircuit, ...] = ()
    open_timeslots: Stated[int] | None = None  # of a T1, of 56 or of 64 kb/s: not stated
    modem: Stated[str] | None = None  # "controller VDSL 0": it trains the rate of its Ethernet side
    legacy_queueing: tuple[Stated[str], ...] = ()  # priority-group, custom-queue-list, rate-limit…
    port_queues: tuple[Stated[str], ...] = ()  # srr-queue, mls qos trust…: of switches, not judged
    sna_lines: tuple[Stated[str], ...] = ()  # sdlc, llc2, qllc: kept, not judged
    wred: Wred | None = None  # `random-detect` on the interface itself, with its rows
    place_policies: tuple[PlacePolicy, ...] = ()
    pool_memberships: tuple[int, ...] = ()  # dialer pools that take this interface
    seen_rate_bps: Stated[float] | None = (
        None  # that an output shows: a DCE's clock, a port's speed
    )
    seen_bandwidth_bps: Stated[float] | None = None  # BW of an output, where no line states it
    user_rate: UserRate | None = None
    seen_down: Stated[str] | None = None  # of a member: the command that shows it without traffic

    @property
    def is_subinterface(self) -> bool:
        return self.parent is not None

    @property
    def is_serial_line(self) -> bool:
        """Whether it is a line of serial hardware: HDLC is its default."""
        return self.type in _SERIAL_LINES

    @property
    def address(self) -> IPv4Interface | None:
        """Its primary address with the prefix; None without one and for a mask that is none."""
        if self.ip_address is None:
            return None
        try:
            return IPv4Interface("/".join(self.ip_address.value.split()))
        except ValueError:
            return None
