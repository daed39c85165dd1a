"""Subjects of a prediction: a configuration, a bundle, or a link that flags describe."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from advisor.device.index import read_devices
from advisor.device.inputs import Inputs, first_folder
from advisor.device.reading import Reading, Source, read_source
from advisor.device.sources import device_sources
from advisor.ground.bounded import STDIN
from advisor.ground.units import kbps_from_bps, s_from_ms
from advisor.predict.what_if import InputError, refuse_wrong_statements
from advisor.predict.what_if.moves import LINK, Moves, moves_of
from advisor.settings import Flags, PacketShare, Settings, Traffic
from advisor.settings.file import load_settings, read_traffic
from advisor.settings.rates import rate_bps
from advisor.settings.traffic_keys import CodecError, load_codecs

# A link that flags describe, without any config: read as an equivalent config.

LLQ_CLASS = "VOICE"
DEFAULT_CODEC = "g729"
_SERIAL = ("ppp", "hdlc", "frame-relay")
_ATM = ("aal5snap", "aal5mux", "aal5ciscoppp")
_ETHERNET = ("arpa", "dot1q")
_MULTILINK = "mlppp"
ENCAPSULATIONS = (*_SERIAL, _MULTILINK, *_ATM, *_ETHERNET)
DEFAULT_ENCAPSULATION = "ppp"
_LARGEST_IP_BYTES = 65_535
_MOST_CALLS = 100_000


class StatedLink(Struct, frozen=True):
    """The link that flags describe; rates as written (512k, 2M), sizes in IP bytes.

    `prefix` stands before the names of its settings: none where they are keys of a file.
    """

    link: str
    encap: str = DEFAULT_ENCAPSULATION
    llq: str | None = None
    tx_ring_limit: int | None = None
    calls: int | None = None
    codec: str | None = None
    background: int | None = None
    prefix: str = "--"


class StatedSource(Struct, frozen=True):
    """The link as a config, with the traffic and the settings that its flags state."""

    source: Source
    traffic: tuple[Traffic, ...]
    moves: Moves


def stated_source(link: StatedLink, name: str = "link") -> StatedSource:
    """The config of a link that flags describe.

    Raises
    ------
    InputError
        If a flag cannot be read, or contradicts another.
    """
    wire_bps = rate_bps(link.link, f"{link.prefix}link")
    if link.encap not in ENCAPSULATIONS:
        known = ", ".join(ENCAPSULATIONS)
        raise InputError(f"{link.prefix}encap {link.encap}: unknown; it takes {known}")
    values = [("bandwidth", kbps_from_bps(wire_bps))]
    if link.tx_ring_limit is not None:
        values.append(("tx-ring-limit", float(link.tx_ring_limit)))
    text = "\n".join([f"hostname {name}", *_policy(link, wire_bps), *_interface(link, wire_bps)])
    source = Source(name, f"{text}\n".encode())
    return StatedSource(source, _traffic(link), Moves(tuple(values), LINK))


def _policy(link: StatedLink, wire_bps: float) -> list[str]:
    lines = ["policy-map EDGE"]
    if link.llq is not None:
        llq_bps = rate_bps(link.llq, f"{link.prefix}llq")
        if llq_bps > wire_bps:
            raise InputError(f"{link.prefix}llq {link.llq}: is more than the link, {link.link}")
        lines += [f" class {LLQ_CLASS}", f"  priority {max(1, round(kbps_from_bps(llq_bps)))}"]
    return [*lines, " class class-default"]


def _interface(link: StatedLink, wire_bps: float) -> list[str]:
    ring = [] if link.tx_ring_limit is None else [f"tx-ring-limit {link.tx_ring_limit}"]
    label = f" bandwidth {max(1, round(kbps_from_bps(wire_bps)))}"
    service = "service-policy output EDGE"
    if link.encap in _ATM:
        kbps = max(1, round(kbps_from_bps(wire_bps)))
        inner = [f"encapsulation {link.encap}", f"vbr-nrt {kbps} {kbps}", *ring, service]
        return ["interface ATM0", " pvc 0/100", *(f"  {line}" for line in inner)]
    if link.encap == _MULTILINK:
        member = ["interface Serial0", " encapsulation ppp", " ppp multilink group 1"]
        clock = [f" clock rate {round(wire_bps)}", *(f" {line}" for line in ring)]
        return ["interface Multilink1", label, f" {service}", *member, *clock]
    if link.encap in _ETHERNET:
        kind, words = "interface FastEthernet0", []
        if link.encap == "dot1q":
            words = [" encapsulation dot1q 1"]
        return [kind, label, *words, *(f" {line}" for line in ring), f" {service}"]
    clock = [f" clock rate {round(wire_bps)}", f" encapsulation {link.encap}"]
    return ["interface Serial0", label, *clock, *(f" {line}" for line in ring), f" {service}"]


def _traffic(link: StatedLink) -> tuple[Traffic, ...]:
    traffic = []
    if link.codec is not None and link.calls is None:
        raise InputError(f"{link.prefix}codec: needs {link.prefix}calls")
    if link.calls is not None:
        if link.llq is None:
            raise InputError(f"{link.prefix}calls: needs {link.prefix}llq, the rate of the LLQ")
        traffic.append(offered_calls(link.calls, link.codec or DEFAULT_CODEC))
    if link.background is not None:
        if not 1 <= link.background <= _LARGEST_IP_BYTES:
            raise InputError(
                f"{link.prefix}background {link.background}: must be between 1 and "
                f"{_LARGEST_IP_BYTES} bytes"
            )
        sizes = (PacketShare(link.background, 1.0),)
        traffic.append(
            Traffic("*", "*", "class-default", sizes, None, 1, "saturated", "--background")
        )
    return tuple(traffic)


def offered_calls(calls: int, name: str, class_name: str = LLQ_CLASS) -> Traffic:
    """The packets of calls of a codec in a class.

    Raises
    ------
    InputError
        If the number is out of range, or the codec is unknown.
    """
    if not 1 <= calls <= _MOST_CALLS:
        raise InputError(f"--calls {calls}: must be between 1 and {_MOST_CALLS}")
    try:
        codec, packet = load_codecs().packet(name)
    except CodecError as error:
        raise InputError(f"--codec {name}: {error}") from None
    per_second = calls / s_from_ms(packet.packet_ms)
    sizes = (PacketShare(packet.ip_bytes, 1.0),)
    source = f"--calls {calls} of {codec.name}, {packet.packet_ms} ms"
    stated = Traffic("*", "*", class_name, sizes, per_second, calls, "periodic", source)
    return replace(stated, of_calls=True)


# Subjects of a prediction: one configuration or bundle, or the configuration of a stated link.


class Subject(Struct, frozen=True):
    """A device to predict with the settings in force and the moves that flags ask for."""

    reading: Reading
    settings: Settings
    interface: str | None = None
    moves: tuple[Moves, ...] = ()

    @property
    def file(self) -> str:
        """Its first input."""
        return self.reading.coverage[0].file


def subject_of(
    path: str | None,
    flags: Flags,
    *,
    link: StatedLink | None = None,
    interface: str | None = None,
    overrides: Sequence[str] = (),
) -> Subject:
    """The config that is asked for, or that the flags of a link would have, with its settings.

    Raises
    ------
    InputError
        If none is named, several are, or it cannot be read, or a statement names a class or an
        interface that the device has not.
    SettingsError
        If the settings cannot be used.
    """
    moves = moves_of(_key_values(overrides))
    if link is not None:
        if path is not None:
            raise InputError("--link: replaces PATH; give only one of them")
        stated = stated_source(link)
        settings = load_settings(Path.cwd(), flags)
        if flags.traffic is not None:  # a site's own tables need not be about this link
            own = replace(settings, traffic=read_traffic(flags.traffic).stated.traffic)
            refuse_wrong_statements((read_source(stated.source, own).device,))
        settings = replace(settings, traffic=(*stated.traffic, *settings.traffic))
        reading = read_source(stated.source, settings)
        return Subject(reading, settings, interface, (stated.moves, moves))
    if path is None:
        raise InputError("predict: takes PATH, --link RATE, --hops FILE or --scenario FILE")
    settings = load_settings(first_folder([path]), flags)
    reading = read_source(only_source(path), settings)
    if settings.traffic:
        refuse_wrong_statements((reading.device,))
    return Subject(reading, settings, interface, (moves,))


def subjects_in(path: str, flags: Flags) -> Iterator[Subject] | None:
    """The devices of the files in a folder; None where the path is a file, or one bundle.

    Show outputs join the configuration of their device, as for lint.

    Raises
    ------
    InputError
        If a statement names a class or an interface that no device has.
    SettingsError
        If the settings cannot be used.
    """
    sources = list(Inputs([path])) if path != STDIN and Path(path).is_dir() else []
    if all(source.is_bundle for source in sources[:1]) and len(sources) <= 1:
        return None
    settings = load_settings(first_folder([path]), flags)
    readings = partial(read_devices, sources, settings)
    if settings.traffic:
        refuse_wrong_statements(reading.device for reading in readings())
    return (Subject(reading, settings) for reading in readings())


def only_source(path: str) -> Source:
    """The one file or bundle that a path names.

    Raises
    ------
    InputError
        If it names none, or several.
    """
    inputs = Inputs([path])
    sources = list(islice(inputs, 2))
    is_folder = path != STDIN and Path(path).is_dir()
    if is_folder and any(not source.is_bundle for source in sources):
        raise InputError(f"{path}: is a folder; predict takes one file or bundle")
    if not sources:
        raise InputError("; ".join((*inputs.unreadable, *inputs.declined)))
    if len(sources) > 1:
        raise InputError(f"{path}: names more than one file; predict takes one")
    devices = device_sources(sources[0])
    if len(devices) > 1:
        raise InputError(f"{path}: holds {len(devices)} devices; predict takes a file of one")
    return sources[0]


def _key_values(overrides: Sequence[str]) -> Mapping[str, str]:
    moved: dict[str, str] = {}
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals:
            raise InputError(f"--set {override}: write KEY=VALUE, like tx-ring-limit=5")
        if key.strip() in moved:
            raise InputError(f"--set {override}: {key.strip()} is set twice")
        moved[key.strip()] = value.strip()
    return moved
