"""Values of the lines of a WAN edge for their templates, and a router in which they are tried."""

from enum import StrEnum
from itertools import chain
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import LanLines, lan_lines
from advisor.design.edge_demand import (
    EdgeDemand,
    LinkLayer,
    usual_card_port,
    usual_ethernet,
)
from advisor.design.wred_plan import DemandError, RowValues
from advisor.device.device import Device
from advisor.device.platform import Decision
from advisor.device.reading import Source, read_source
from advisor.facts.ranges import LEAST_FRAME_RELAY_BC_BITS
from advisor.ground.records import picked
from advisor.ground.units import bps_from_bytes, kbps_from_bps
from advisor.lint.checks.lfi import SerialLfi
from advisor.lint.site import commands
from advisor.outlet.class_service import SMALLEST_DATA_BYTES
from advisor.outlet.shaper import advised_bc_bits
from advisor.settings import Settings, StatedPlatform
from advisor.settings.document import nearest

POLICY, PARENT = "WAN-EDGE", "WAN-SHAPER"
_VIP_BPS: Final = 8_000  # of a distributed platform the CIR is a multiple: Cisco SRND 3.3
DLCI, VPI, GROUP = 100, 1, 1
_ETHERNET_BYTES: Final = 14  # that IOS counts
_XE_FROM: Final = 16
_EDGE: Final = "design/edge.j2"
CLASSES: Final = "design/edge/classes.j2"


class Form(StrEnum):
    """The kind of place that takes the policy: each has its template."""

    PLAIN = "plain"
    BUNDLE = "bundle"
    MIGRATED = "migrated"  # a serial with an address that becomes the member of a new bundle
    FRTS = "frts"
    CIRCUIT = "mqc-circuit"
    PVC = "pvc"


class EdgePlace(Struct, frozen=True):
    """The place of the lines; of a circuit `interface` is the main interface, `home` its own.

    `home` is what follows `interface`; `dlci` what follows `frame-relay interface-dlci`; `pvc` what
    follows `pvc`. `form` is that of the circuit where the configuration decides it. `removed` are
    the output policies that stand there. `kept` are settings of its map-class that move to the new
    one, as they follow `frame-relay`; `kept_input` its input policies.
    `keeps_fragments` says that a bundle stands, whose settings of fragments stay.
    `encapsulates` and `shapes_cells` say that the encapsulation and the rate of the PVC stand.
    """

    interface: str
    members: tuple[str, ...]
    home: str = ""
    dlci: str = str(DLCI)
    pvc: str = f"{VPI}/{DLCI}"
    group: int = GROUP
    form: Form | None = None
    removed: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    kept_input: tuple[str, ...] = ()
    fragment_bytes: int | None = None
    keeps_fragments: bool = False
    encapsulates: bool = False
    shapes_cells: bool = False


class ClassLines(Struct, frozen=True):
    """One class: one of `priority_kbps`, `police_bps`, `kbps` and `ratio` is set.

    `wred` are the thresholds of its codes, `exponent` the weight of the average that they are of.
    `stands` says that the configuration has its class-map.
    """

    name: str
    dscp: str = ""
    is_dlsw: bool = False
    priority_kbps: int | None = None
    police_bps: int | None = None
    kbps: int | None = None
    ratio: int | None = None
    queue_packets: int | None = None
    wred: tuple[RowValues, ...] = ()
    exponent: int | None = None
    stands: bool = False


class EdgeLines(EdgePlace, frozen=True, kw_only=True):
    """All that the templates of an edge take; rates of interfaces in kb/s, of shapers in bit/s.

    `suffix` ends all names that the configuration does not have, `reused` are classes whose
    class-map stands, each with its name.
    """

    form: Form
    encapsulation: str
    matches_ip: bool
    has_fair_queue: bool  # of an interface; QFP takes it in a policy alone
    link_kbps: int
    member_kbps: int
    classes: tuple[ClassLines, ...] = ()
    default_ratio: int | None = None
    shape_bps: int | None = None
    bc_bits: int | None = None
    account_bytes: int | None = None
    ring: int | None = None
    fragment_ms: int | None = None
    policy_map: str = POLICY
    parent: str = PARENT
    map_class: str = PARENT
    cell_kbps: int | None = None  # of a PVC whose rate is to be set
    suffix: str = ""  # of all names that the configuration does not have
    reused: tuple[tuple[str, str], ...] = ()  # classes whose class-map stands, with its name
    serial: SerialLfi | None = None
    budget_ms: int | None = None
    lan: LanLines | None = None

    @property
    def places(self) -> tuple[str, ...]:
        """Names of the interfaces that the policy may be attached to."""
        home = self.home.split(maxsplit=1)[:1]
        return (self.interface, *home, *self.members, f"Multilink{self.group}")

    def named(self, name: str) -> str:
        """A name of the design as it stands in the lines."""
        return dict(self.reused).get(name, f"{name}{self.suffix}")

    def stands(self, name: str) -> bool:
        """Whether the configuration has the class-map of a class of the design."""
        return name in dict(self.reused)


class TrialLines(Struct, frozen=True):
    """A router with the bare interfaces of the edge."""

    version: str
    members: tuple[str, ...]
    lan: str | None
    clock_bps: int | None
    speed_mbps: int | None


def lines_of(values: EdgeLines, template: str = _EDGE) -> tuple[str, ...]:
    """The whole edge or a part, ready to paste.

    Raises
    ------
    UnsafeValueError
        If a name of the configuration is not safe in a snippet.
    """
    return commands(template, values)


def first_lines(
    demand: EdgeDemand,
    platform: Decision,
    place: EdgePlace,
    suffix: str = "",
    of_lan: tuple[str, ...] = (),
) -> EdgeLines:
    """The edge before its classes, ring and fragments are known.

    `suffix` ends all names, `of_lan` are the input policies of the LAN.
    """
    form = place.form or {
        LinkLayer.MULTILINK: Form.BUNDLE,
        LinkLayer.ATM: Form.PVC,
        LinkLayer.FRAME_RELAY: Form.FRTS if shapes_by_frts(platform) else Form.CIRCUIT,
    }.get(demand.layer, Form.PLAIN)
    values = picked(
        EdgeLines,
        place,
        form=form,
        cell_kbps=None if place.shapes_cells else int(kbps_from_bps(demand.link_bps)),
        encapsulation="" if place.encapsulates else encapsulation_of(demand),
        # 12.0 to 12.2 know only `match ip dscp`; from HQF on `match dscp` takes IPv6 too.
        matches_ip=platform.is_pre_hqf,
        has_fair_queue=not platform.is_qfp,
        link_kbps=int(kbps_from_bps(demand.link_bps)),
        member_kbps=int(kbps_from_bps(demand.line_bps)),
        policy_map=f"{POLICY}{suffix}",
        parent=f"{PARENT}{suffix}",
        map_class=f"{PARENT}{suffix}",
        suffix=suffix,
        fragment_bytes=place.fragment_bytes or demand.fragment_bytes,
        lan=_lan(demand, suffix, of_lan),
    )
    is_circuit = form in (Form.FRTS, Form.CIRCUIT)
    if not is_circuit and (form is Form.PVC or not demand.is_shaped):
        return values
    if demand.contract_bytes and platform.is_qfp:
        values = replace(values, account_bytes=demand.contract_bytes)
        return shaped(values, demand.link_bps, platform)
    return shaped(values, _within_contract_bps(demand), platform)


def _within_contract_bps(demand: EdgeDemand) -> float:
    """The rate, as IOS counts it, at which the carrier counts no more than the contract."""
    if not demand.contract_bytes:
        return demand.link_bps
    call_bytes = demand.packet.ip_bytes + _ETHERNET_BYTES
    counted_bps = demand.calls * bps_from_bytes(call_bytes, demand.packet.packet_ms)
    more_bps = demand.calls * bps_from_bytes(demand.contract_bytes, demand.packet.packet_ms)
    data_bytes = SMALLEST_DATA_BYTES + _ETHERNET_BYTES
    data_ratio = data_bytes / (data_bytes + demand.contract_bytes)
    return counted_bps + max(demand.link_bps - counted_bps - more_bps, 0.0) * data_ratio


def shapes_by_frts(platform: Decision) -> bool:
    """Whether `frame-relay traffic-shaping` shapes circuits; a 7500 blocks it (18660)."""
    return platform.is_pre_hqf and not platform.may_be_distributed


def encapsulation_of(demand: EdgeDemand) -> str:
    """Return the words after `encapsulation`; empty for a bundle and for Ethernet."""
    return "" if demand.layer in (LinkLayer.MULTILINK, LinkLayer.ETHERNET) else str(demand.layer)


def _lan(demand: EdgeDemand, suffix: str, removed: tuple[str, ...]) -> LanLines | None:
    if demand.lan is None:
        return None
    codes = (
        queue_class.dscp.split() for queue_class in demand.classes if queue_class.is_signalling
    )
    signalling = tuple(chain.from_iterable(codes))
    return lan_lines(
        demand.lan, suffix, removed, has_calls=bool(demand.calls), signalling=signalling
    )


def shaped(values: EdgeLines, shape_bps: float, platform: Decision) -> EdgeLines:
    """The edge with a shaper of this rate: the Bc that a remedy gives it, no excess burst."""
    step = _VIP_BPS if platform.may_be_distributed else 1
    whole_bps = int(shape_bps) - int(shape_bps) % step
    is_frame_relay = values.form in (Form.FRTS, Form.CIRCUIT)
    bc_bits = advised_bc_bits(whole_bps, platform, is_frame_relay=is_frame_relay)
    if values.form is Form.FRTS:
        bc_bits = max(bc_bits, LEAST_FRAME_RELAY_BC_BITS)
    return replace(values, shape_bps=whole_bps, bc_bits=bc_bits)


def bare_place(demand: EdgeDemand) -> EdgePlace:
    """The place of the lines on a router without a configuration."""
    members = members_of(demand)
    home = f"{members[0]}.{DLCI} point-to-point"
    return EdgePlace(members[0], members, home=home, kept=demand.kept)


def members_of(demand: EdgeDemand) -> tuple[str, ...]:
    """Names of the interfaces of the edge: the first is stated, or the usual one."""
    first = demand.interface or _usual(demand)
    if demand.links == 1:
        return (first,)
    stem, slash, port = first.rpartition("/")
    if not port.isdecimal():
        return (first,)
    return tuple(f"{stem}{slash}{int(port) + index}" for index in range(demand.links))


def _usual(demand: EdgeDemand) -> str:
    if demand.layer is LinkLayer.ETHERNET:
        is_xe = _is_xe_release(demand.release)
        return usual_ethernet(demand.line_bps, demand.platform, is_xe=is_xe)
    kind = "ATM" if demand.layer is LinkLayer.ATM else "Serial"
    return usual_card_port(kind, demand.platform)


def _is_xe_release(release: str) -> bool:
    return int(release.split(".", maxsplit=1)[0]) >= _XE_FROM


def mbps(rate_bps: float) -> int:
    """A rate as `speed` of a port takes it."""
    return int(kbps_from_bps(kbps_from_bps(rate_bps)))


def trial_device(demand: EdgeDemand, settings: Settings) -> Device:
    """A router of the stated platform and release, with the bare interfaces of the edge."""
    serial = demand.layer not in (LinkLayer.ATM, LinkLayer.ETHERNET)
    ethernet = demand.layer is LinkLayer.ETHERNET
    version = ".".join(demand.release.split("(")[0].split(".")[:2])
    values = TrialLines(
        version,
        members_of(demand),
        None if demand.lan is None else demand.lan.interface,
        int(demand.line_bps) if serial else None,
        mbps(demand.line_bps) if ethernet else None,
    )
    image = f"! Image: Software: DESIGN-M, {demand.release}"  # as RANCID keeps it with a config
    lines = (image, *commands("design/edge-trial.j2", values))
    text = "".join(f"{line}\n" for line in lines)
    return _read(Source("design", text.encode()), demand, settings)


def device_on(source: Source, demand: EdgeDemand, settings: Settings) -> Device:
    """The device whose configuration takes the lines.

    Raises
    ------
    DemandError
        If it is no configuration of IOS, or lacks the interface.
    """
    device = _read(source, demand, settings)
    if not device.is_ios:
        raise DemandError(f"--on {source.name}: is no configuration of IOS")
    _must_have(device, source, "--interface", demand.interface or "")
    if demand.lan is not None:
        _must_have(device, source, "--lan", demand.lan.interface)
    return device


def _must_have(device: Device, source: Source, flag: str, name: str) -> None:
    if device.facts.interface(name) is None:
        known = [interface.name for interface in device.facts.interfaces]
        raise DemandError(f"{flag} {name}: not in {source.name}; {nearest(name, known)}")


def _read(source: Source, demand: EdgeDemand, settings: Settings) -> Device:
    if demand.platform is not None:
        platforms = (StatedPlatform("*", demand.platform, "--platform"),)
        settings = replace(settings, platforms=(*platforms, *settings.platforms))
    return read_source(source, settings).device
