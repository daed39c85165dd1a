"""An interface while its sections are read: settings of later lines replace those of earlier."""

from collections.abc import Mapping

from msgspec import Struct, field

from advisor.facts.dlsw import SourceBridge
from advisor.facts.interface import Interface, Multilink
from advisor.facts.read_circuits import DlciDraft, MapClassDraft, Policies, PvcDraft, VcDraft
from advisor.facts.stated import Stated
from advisor.ios.syntax.names import parent_of
from advisor.ios.syntax.tree import Location


class MultilinkDraft(Struct):
    """The `ppp multilink` lines of an interface."""

    ppp_multilink: Stated[bool] | None = None
    group: Stated[int] | None = None
    fragment_delay_ms: Stated[float] | None = None
    fragment_bytes: Stated[int] | None = None
    interleave: Stated[bool] | None = None

    def freeze(self) -> Multilink:
        return Multilink(
            self.ppp_multilink,
            self.group,
            self.fragment_delay_ms,
            self.fragment_bytes,
            self.interleave,
        )


class Templates(Struct, frozen=True):
    """Settings that interfaces take from other sections of the config."""

    vc_classes: Mapping[str, VcDraft]
    map_classes: Mapping[str, MapClassDraft]
    timeslots_bps: Mapping[str, Stated[float]]


class InterfaceDraft(Struct):
    """Fields as in Interface; `vc_class` and `map_class` are names that `freeze` resolves."""

    name: str
    type: str
    at: Location
    link_mode: str | None = None
    description: Stated[str] | None = None
    shutdown: bool = False
    bandwidth_bps: Stated[float] | None = None
    clock_rate_bps: Stated[float] | None = None
    timeslots_bps: Stated[float] | None = None
    speed_bps: Stated[float] | None = None
    encapsulation: Stated[str] | None = None
    mtu_bytes: Stated[int] | None = None
    ip_mtu_bytes: Stated[int] | None = None
    ip_address: Stated[str] | None = None
    tx_ring_limit: Stated[int] | None = None
    hold_queue_out_packets: Stated[int] | None = None
    fair_queue: Stated[bool] | None = None
    random_detect: Stated[bool] | None = None
    load_interval_s: Stated[int] | None = None
    max_reserved_percent: Stated[int] | None = None
    qos_pre_classify: Stated[bool] | None = None
    frame_relay_traffic_shaping: Stated[bool] | None = None
    frame_relay_fragment_bytes: Stated[int] | None = None
    vc_class: str | None = None
    map_class: Stated[str] | None = None
    policies: Policies = field(default_factory=dict)
    pvcs: dict[tuple[int, int], PvcDraft] = field(default_factory=dict)
    circuits: dict[int, DlciDraft] = field(default_factory=dict)
    multilink: MultilinkDraft = field(default_factory=MultilinkDraft)
    legacy_queueing: dict[str, Stated[str]] = field(default_factory=dict)
    access_group_in: Stated[str] | None = None
    bridge_group: Stated[int] | None = None
    source_bridge: SourceBridge | None = None
    sna_lines: dict[str, Stated[str]] = field(default_factory=dict)

    def freeze(self, main: "InterfaceDraft | None", templates: Templates) -> Interface:
        """Resolve names; `main` is the main interface of a subinterface."""
        vc_classes = (self.vc_class, main.vc_class if main else None)
        map_classes = (self.map_class, main.map_class if main else None)
        fragment = self.frame_relay_fragment_bytes
        if fragment is None and main is not None:
            fragment = main.frame_relay_fragment_bytes
        return Interface(
            name=self.name,
            at=self.at,
            type=self.type,
            parent=parent_of(self.name),
            description=self.description,
            shutdown=self.shutdown,
            bandwidth_bps=self.bandwidth_bps,
            clock_rate_bps=self.clock_rate_bps,
            timeslots_bps=self.timeslots_bps or templates.timeslots_bps.get(self.name),
            speed_bps=self.speed_bps,
            encapsulation=self.encapsulation,
            mtu_bytes=self.mtu_bytes,
            ip_mtu_bytes=self.ip_mtu_bytes,
            ip_address=self.ip_address,
            tx_ring_limit=self.tx_ring_limit,
            hold_queue_out_packets=self.hold_queue_out_packets,
            fair_queue=self.fair_queue,
            random_detect=self.random_detect,
            load_interval_s=self.load_interval_s,
            max_reserved_percent=self.max_reserved_percent,
            qos_pre_classify=self.qos_pre_classify,
            policies=tuple(self.policies.values()),
            pvcs=tuple(pvc.freeze(templates.vc_classes, vc_classes) for pvc in self.pvcs.values()),
            circuits=tuple(
                circuit.freeze(templates.map_classes, map_classes, fragment)
                for circuit in self.circuits.values()
            ),
            multilink=self.multilink.freeze(),
            legacy_queueing=tuple(self.legacy_queueing.values()),
            link_mode=self.link_mode,
            frame_relay_traffic_shaping=self.frame_relay_traffic_shaping,
            frame_relay_fragment_bytes=self.frame_relay_fragment_bytes,
            access_group_in=self.access_group_in,
            bridge_group=self.bridge_group,
            source_bridge=self.source_bridge,
            sna_lines=tuple(self.sna_lines.values()),
        )
