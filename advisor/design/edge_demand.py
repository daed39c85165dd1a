"""Requirements of a WAN edge, as the flags state them."""

import re
from collections.abc import Sequence
from enum import StrEnum
from re import compile as pattern
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.design.edge_classes import (
    INTERFACE,
    USUAL,
    LanDemand,
    Marking,
    WantedClass,
    lan_demand,
    wanted_classes,
)
from advisor.design.wred_plan import DemandError
from advisor.ground.quantity import Basis, Input, Unknown, exact
from advisor.ground.records import picked
from advisor.ground.units import bps_from_bytes
from advisor.ios.syntax.names import interface_name
from advisor.outlet.wrapping import Wrapping, stated_wrapping
from advisor.settings.rates import rate_bps
from advisor.settings.traffic_keys import CodecError, VoicePacket, load_codecs

# The usual name of a WAN port, where the design has to choose one.
#
# Derived from configurations: ISR 4000, ASR 1000 and Catalyst 8000 have slot/subslot/port,
# CSR1000v and C8000V a number alone, ISR G1 and G2 slot/port on board and three numbers on an
# interface card. Recalled, without a source: one number up to the 1700, slot/port on the 2600,
# 3600 and 3700, and from slot 1 on the 7200; ISR G2 have no FastEthernet on board.

_ONE_NUMBER: Final = pattern(r"(?:8|16|17)\d\d")
_SLOT_PORT: Final = pattern(r"(?:26|36|37)\d\d")
_FROM_SLOT_1: Final = pattern(r"72\d\d")
_GIGABIT_ONLY: Final = pattern(r"(?:19|29|39)\d\d")
_FAST_BPS: Final = 100_000_000
_GIGABIT_BPS: Final = 1_000_000_000
_VIRTUAL: Final = pattern(r"CSR1000V|C8000V")


def usual_card_port(kind: str, platform: str | None) -> str:
    """The first port of an interface card, serial or ATM.

    >>> usual_card_port("Serial", "2621"), usual_card_port("Serial", "2811")
    ('Serial0/0', 'Serial0/0/0')
    >>> usual_card_port("ATM", "877"), usual_card_port("ATM", "7206VXR")
    ('ATM0', 'ATM1/0')
    """
    model = (platform or "").upper()
    if _ONE_NUMBER.match(model):
        return f"{kind}0"
    if _SLOT_PORT.match(model):
        return f"{kind}0/0"
    return f"{kind}1/0" if _FROM_SLOT_1.match(model) else f"{kind}0/0/0"


def usual_ethernet(line_bps: float, platform: str | None, *, is_xe: bool) -> str:
    """The first Ethernet port of a rate.

    >>> usual_ethernet(100e6, "2811", is_xe=False), usual_ethernet(100e6, "2911", is_xe=False)
    ('FastEthernet0/0', 'GigabitEthernet0/0')
    >>> usual_ethernet(1e9, "ISR4331", is_xe=True), usual_ethernet(1e9, "CSR1000V", is_xe=True)
    ('GigabitEthernet0/0/0', 'GigabitEthernet1')
    """
    model = (platform or "").upper()
    if _VIRTUAL.match(model):
        return "GigabitEthernet1"
    kind = "GigabitEthernet" if line_bps <= _GIGABIT_BPS else "TenGigabitEthernet"
    if is_xe:
        return f"{kind}0/0/0"
    is_fast = line_bps <= _FAST_BPS and not _GIGABIT_ONLY.match(model)
    return "FastEthernet0/0" if is_fast else f"{kind}0/0"


DEFAULT_PLATFORM, DEFAULT_RELEASE = "2811", "15.1"
_MOST_CALLS, _MOST_LINKS, _MOST_FRAGMENT_MS = 10_000, 10, 100
_RTCP_RATIO: Final = 0.05  # of the session, by design: RFC 3550
_TAGGED_BYTES: Final = 18  # that IOS counts; whether its policer does has no source
# Bytes of an Ethernet frame beside those that IOS counts (IEEE 802.3): FCS; then preamble and gap.
CONTRACT_BYTES: Final = {"layer2": 0, "fcs": 4, "wire": 24}
_RELEASE = re.compile(r"\d{1,2}\.\d{1,2}(\.\d{1,2}\w?|\(\w{1,8}\)\w{0,8})?", re.ASCII)
_PLATFORM = re.compile(r"[A-Za-z0-9._/-]{0,40}", re.ASCII)


class LinkLayer(StrEnum):
    """Encapsulations that an edge is designed for."""

    PPP = "ppp"
    HDLC = "hdlc"
    MULTILINK = "mlppp"
    FRAME_RELAY = "frame-relay"
    ATM = "aal5snap"
    ETHERNET = "arpa"


class EdgeDemand(Struct, frozen=True):
    """Requirements of one end of a link.

    `line_bps` is the rate of the wire of one member, `cir_bps` the contracted rate where it is
    less. `interface` is None where the design names one, `platform` where the configuration that
    takes the lines says it. `is_layer_stated` is false where `layer` is a default: then that of the
    configuration counts. `fragment_ms` replaces the budget of a fragment; `must_fragment` says
    that a design without fragments is none. `fragment_bytes` is the size of FRF.12 that the other
    end has, `kept` are the settings that its keepalives need here. `wrapping` is what `packet` has
    around it where flags state it. `contract_bytes` are what the carrier counts of each frame and
    IOS does not. With `has_rtcp` the class of calls takes their RTCP too.
    """

    line_bps: float
    cir_bps: float | None
    links: int
    layer: LinkLayer
    calls: int
    codec: str
    packet: VoicePacket
    classes: tuple[WantedClass, ...]
    platform: str | None
    release: str
    interface: str | None
    fragment_ms: float | None
    must_fragment: bool
    lan: LanDemand | None
    far_platform: str | None
    far_release: str | None
    has_rtcp: bool = False
    wrapping: Wrapping | None = None
    contract_bytes: int = 0
    is_layer_stated: bool = True
    fragment_bytes: int | None = None
    kept: tuple[str, ...] = ()  # of the map-class: what follows `frame-relay`

    @property
    def link_bps(self) -> float:
        """The rate that the classes share: the base of all percentages."""
        return self.cir_bps or self.line_bps * self.links

    @property
    def rate_ratio(self) -> float:
        """The rate of the class of calls to that of their voice."""
        return 1 + _RTCP_RATIO if self.has_rtcp else 1.0

    @property
    def is_shaped(self) -> bool:
        return self.cir_bps is not None and self.cir_bps < self.line_bps


class EdgeFlags(Struct, frozen=True):
    """The flags of a design as they are written."""

    link: str | None = None
    encap: str | None = None
    links: int = 1
    cir: str | None = None
    port: str | None = None
    calls: int = 0
    codec: str = "g729"
    signalling: bool = False
    routing: bool = False
    scavenger: bool = False
    rtcp: bool = False
    gre: bool = False
    gre_key: bool = False
    ipsec: Sequence[str] = ()
    contract_counts: str = "layer2"
    data: Sequence[str] = ()
    dlsw: bool = False
    platform: str | None = None
    release: str | None = None
    interface: str | None = None
    fragment_ms: float | None = None
    must_fragment: bool = False
    lan: str | None = None
    mark: str = "trust"
    far_platform: str | None = None
    far_release: str | None = None


def edge_demand(flags: EdgeFlags, *, is_on_config: bool = False) -> EdgeDemand:
    """Read the requirements of an edge, or of one of a configuration.

    Raises
    ------
    DemandError
        If a value is out of range, is not understood, or contradicts another.
    InputError
        If a rate cannot be read.
    """
    layer = _layer(flags)
    line_bps, cir_bps = _rates(flags)
    _must_agree(flags, layer)
    _must_suit_config(flags, is_on_config=is_on_config)
    codec, packet = _codec(flags.codec)
    wrapping = _wrapping(flags, is_on_config=is_on_config)
    platform = flags.platform or (None if is_on_config else DEFAULT_PLATFORM)
    release = flags.release or DEFAULT_RELEASE
    _must_be_names(flags, release)
    named = [name for name in USUAL if getattr(flags, name)]
    classes = tuple(wanted_classes(flags.data, named, dlsw=flags.dlsw))
    has_voice = bool(flags.calls) or any(queue_class.is_signalling for queue_class in classes)
    return picked(
        EdgeDemand,
        flags,
        line_bps=line_bps,
        cir_bps=cir_bps,
        layer=layer,
        codec=codec,
        packet=packet if wrapping is None else wrapped(packet, wrapping),
        classes=classes,
        platform=platform,
        release=release,
        interface=None if flags.interface is None else interface_name(flags.interface),
        lan=lan_demand(flags.mark, flags.lan, _lan_bps(flags, packet), has_voice=has_voice),
        has_rtcp=flags.rtcp or flags.mark == Marking.PORTS,
        wrapping=wrapping,
        contract_bytes=_contract_bytes(flags),
        is_layer_stated=flags.encap is not None,
    )


def wrapped(packet: VoicePacket, around: Wrapping) -> VoicePacket:
    """A packet of a call as it leaves within a tunnel."""
    source = f"{packet.source}; {packet.ip_bytes} bytes in {around.through}"
    return replace(packet, ip_bytes=around.outside(packet.ip_bytes), source=source)


def _wrapping(flags: EdgeFlags, *, is_on_config: bool) -> Wrapping | None:
    around = stated_wrapping(flags.ipsec, is_gre=flags.gre, has_key=flags.gre_key)
    if around is None:
        return None
    if isinstance(around, Unknown):
        raise DemandError(
            f"--ipsec: {around.reason}; write a transform set, like esp-aes,esp-sha-hmac"
        )
    if is_on_config:
        raise DemandError("--gre, --ipsec: the configuration of --on says what is around calls")
    if flags.dlsw:
        raise DemandError("--dlsw: a tunnel hides its ports; mark it and take its DSCP, --data")
    return around


def _contract_bytes(flags: EdgeFlags) -> int:
    """Bytes of a frame that the carrier counts and IOS does not."""
    bytes_ = CONTRACT_BYTES.get(flags.contract_counts)
    if bytes_ is None:
        known = ", ".join(CONTRACT_BYTES)
        raise DemandError(f"--contract-counts {flags.contract_counts}: unknown; it takes {known}")
    if bytes_ and (flags.port is None or flags.cir is None):
        raise DemandError("--contract-counts: is for the shaper of a port, --port with --cir")
    return bytes_


def _lan_bps(flags: EdgeFlags, packet: VoicePacket) -> float:
    """Rate of the calls and their RTCP on the LAN, with the header of a tagged frame."""
    call_bps = bps_from_bytes(packet.ip_bytes + _TAGGED_BYTES, packet.packet_ms)
    return flags.calls * call_bps * (1 + _RTCP_RATIO)


def _must_agree(flags: EdgeFlags, layer: LinkLayer) -> None:
    if not 1 <= flags.links <= _MOST_LINKS:
        raise DemandError(f"--links {flags.links}: must be between 1 and {_MOST_LINKS}")
    if flags.links > 1 and layer is not LinkLayer.MULTILINK:
        raise DemandError("--links: only --encap mlppp bundles links")
    if flags.links > 1 and flags.cir is not None:
        raise DemandError("--cir: a bundle has no contracted rate of its own")
    if not 0 <= flags.calls <= _MOST_CALLS:
        raise DemandError(f"--calls {flags.calls}: must be between 0 and {_MOST_CALLS}")
    if flags.must_fragment and not flags.calls:
        raise DemandError("--calls 0: only calls need fragments")
    if flags.fragment_ms is not None and not 1 <= flags.fragment_ms <= _MOST_FRAGMENT_MS:
        raise DemandError(f"--budget {flags.fragment_ms:g}: must be 1 to {_MOST_FRAGMENT_MS} ms")


def _must_suit_config(flags: EdgeFlags, *, is_on_config: bool) -> None:
    if not is_on_config:
        if flags.interface is not None and "." in flags.interface:
            raise DemandError("--interface: only a configuration, --on, has subinterfaces")
        return
    if flags.interface is None:
        raise DemandError("--on: needs --interface, the interface of the line")
    if flags.release is not None:
        raise DemandError("--ios: the configuration of --on says it")
    if flags.links != 1:
        raise DemandError("--links: the configuration of --on says it")


def _must_be_names(flags: EdgeFlags, release: str) -> None:
    for flag, model in (("--platform", flags.platform), ("--far-platform", flags.far_platform)):
        _matching(flag, model or "", _PLATFORM, "a model, such as 2811 or ISR4331")
    for flag, known in (("--ios", release), ("--far-ios", flags.far_release or release)):
        _matching(flag, known, _RELEASE, "a release, such as 12.4(15)T, 15.1 or 16.9")
    if flags.interface is not None:
        _matching("--interface", flags.interface, INTERFACE, "a name, such as Serial0/0/0")


def _layer(flags: EdgeFlags) -> LinkLayer:
    if flags.encap is None:
        # --port is the speed of an Ethernet port
        return LinkLayer.PPP if flags.port is None else LinkLayer.ETHERNET
    try:
        layer = LinkLayer(flags.encap)
    except ValueError:
        known = ", ".join(LinkLayer)
        raise DemandError(f"--encap {flags.encap}: unknown; it takes {known}") from None
    if flags.port is not None and layer is LinkLayer.PPP:
        return LinkLayer.ETHERNET
    return layer


def _rates(flags: EdgeFlags) -> tuple[float, float | None]:
    """Rate of the wire, and the contracted rate where it is less."""
    if (flags.link is None) == (flags.port is None):
        raise DemandError("state the rate of the line: --link, or --port with --cir")
    text, flag = (flags.link, "--link") if flags.link is not None else (flags.port or "", "--port")
    line_bps = rate_bps(text, flag)
    if flags.cir is None:
        return line_bps, None
    cir_bps = rate_bps(flags.cir, "--cir")
    if cir_bps > line_bps:
        raise DemandError(f"--cir {flags.cir}: is more than the line, {text}")
    return line_bps, (cir_bps if cir_bps < line_bps else None)


def _codec(name: str) -> tuple[str, VoicePacket]:
    try:
        codec, packet = load_codecs().packet(name)
    except CodecError as error:
        raise DemandError(f"--codec: {error}") from None
    return codec.name, packet


def _matching(flag: str, text: str, pattern: re.Pattern[str], wanted: str) -> None:
    if pattern.fullmatch(text) is None:
        raise DemandError(f"{flag} {text}: is not {wanted}")


def inputs_of(demand: EdgeDemand) -> tuple[Input, ...]:
    """The demand as inputs with their basis."""
    stated = Basis.CONFIGURED
    inputs = [exact("line_rate_bps", demand.line_bps, stated, "--link or --port")]
    if demand.cir_bps is not None:
        inputs.append(exact("cir_bps", demand.cir_bps, stated, "--cir"))
    if demand.calls:
        inputs += [
            exact("calls", demand.calls, stated, "--calls"),
            exact(
                "packet_ip_bytes",
                demand.packet.ip_bytes,
                Basis.DEFAULT,
                f"{demand.codec}, {demand.packet.packet_ms} ms: {demand.packet.source}",
            ),
        ]
    for wanted in demand.classes:
        basis = Basis.ASSUMED if wanted.assumed else stated
        source = "--data states it" if wanted.assumed else "--data"
        inputs.append(exact(f"percent of {wanted.name}", wanted.percent, basis, source))
    return tuple(inputs)
