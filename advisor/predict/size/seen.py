"""DLSw+ load that a device shows: frames per second, CPU, platform, LAN and WAN.

Frames are counted, best first, by the packets of `show dlsw peers` between two captures whose time
is known, by the packets of the LAN interfaces between two, or by their rates over the load
interval. The LAN counts LLC2 acknowledgements and whatever else is on it: a rate from there is
more than the data frames.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.device.platforms.process_switching import Platform, find_platform
from advisor.ground.records import picked
from advisor.ios.syntax import Location
from advisor.ios.syntax.names import interface_name
from advisor.predict.size.platform_line import moving
from advisor.shows.observations import TakenOutput

if TYPE_CHECKING:
    from advisor.shows.cpu import CpuLoad
    from advisor.shows.dlsw import DlswPeers
    from advisor.shows.interfaces.reader import ObservedInterface

_UP = "CONNECT"
_TIME_LENGTH = len("2008-04-18 13:15:22")


class Rate(Struct, frozen=True):
    """Frames per second, in and out together, and where they were counted."""

    fps: float
    source: str


class SeenCpu(Struct, frozen=True):
    """One head line of `show processes cpu`. `moving` says why it is not steady, None where it is.

    `process_percent` is the most that DLSw+ can use: the five-second total less interrupts, None if
    those are not printed or above the total.
    """

    five_seconds_percent: int
    interrupt_percent: int | None
    process_percent: int | None
    one_minute_percent: int
    moving: str | None
    at: str


class SeenLoad(Struct, frozen=True):
    """Observations of one device. `rates` and `cpu` are in the order of the captures."""

    router: str
    platform_name: str | None
    platform: Platform | None
    rates: tuple[Rate, ...]
    cpu: tuple[SeenCpu, ...]
    peers: int | None
    largest_frame_bytes: int | None
    lan: tuple[str, ...]
    wan: tuple[str, ...]
    remarks: tuple[str, ...]


def has_dlsw(device: Device) -> bool:
    """Whether a device is configured for DLSw+ or shows something of it."""
    return device.facts.dlsw.is_configured or bool(device.seen.dlsw_peers)


def seen_load(device: Device) -> SeenLoad:
    """Gather the observations of a device about its DLSw+ load."""
    ports = lan_ports(device)
    time_of = _times(device)
    rates = tuple(_peer_rates(device, time_of)) or tuple(_counted(device, ports, time_of))
    return SeenLoad(
        router=device.name,
        platform_name=device.platform.model_name,
        platform=find_platform(device.platform.processor_name, device.platform.model_name),
        rates=rates or _load_intervals(device, ports),
        cpu=tuple(_seen_cpu(load) for load in device.seen.cpu),
        peers=_peers(device),
        largest_frame_bytes=_largest_frame(device),
        lan=tuple(dict.fromkeys(ports.values())),
        wan=_wan(device, ports),
        remarks=tuple(_remarks(device)),
    )


def _seen_cpu(load: CpuLoad) -> SeenCpu:
    return picked(SeenCpu, load, moving=moving(load), at=str(load.at))


def _peers(device: Device) -> int | None:
    """Connected peers if they were shown, else configured peers that are not backups.

    Of a table with a row that is not understood only the printed total counts.
    """
    table = next(reversed(device.seen.dlsw_peers), None)
    if table is not None and not table.is_whole:
        return table.connected_peers
    if table is not None:
        return sum(peer.state == _UP for peer in table.peers)
    configured = [peer for peer in device.facts.dlsw.remote_peers if peer.backup_of is None]
    return len(configured) or None


def _largest_frame(device: Device) -> int | None:
    """The smallest `lf` of the config: its peer has the most frames per transaction."""
    dlsw = device.facts.dlsw
    limits = [peer.options.lf_bytes for peer in dlsw.remote_peers]
    limits.append(dlsw.local_peer.lf_bytes if dlsw.local_peer is not None else None)
    return min((limit for limit in limits if limit is not None), default=None)


def lan_ports(device: Device) -> dict[str, str]:
    """Type by name of interfaces in a bridge group of DLSw+ or with source-route bridging."""
    groups = {group.number for group in device.facts.dlsw.bridge_groups}
    return {
        interface.name: interface.type
        for interface in device.facts.interfaces
        if interface.source_bridge is not None
        or (interface.bridge_group is not None and interface.bridge_group.value in groups)
    }


def _wan(device: Device, ports: Mapping[str, str]) -> tuple[str, ...]:
    """Kinds of interfaces with an address that are not the LAN of DLSw+."""
    other_interfaces = (
        interface for interface in device.facts.interfaces if interface.name not in ports
    )
    with_address = (interface for interface in other_interfaces if interface.ip_address is not None)
    return tuple(
        dict.fromkeys(interface.type for interface in with_address if interface.type != "Loopback")
    )


def _remarks(device: Device) -> Iterator[str]:
    other_peers = [peer for peer in device.facts.dlsw.remote_peers if peer.transport != "tcp"]
    if other_peers:
        kinds = ", ".join(dict.fromkeys(peer.transport.value for peer in other_peers))
        yield f"{len(other_peers)} peers by {kinds}: another switching path, sized as if over TCP"


class _Sample(Struct, frozen=True):
    """Counters at a time; `counted` is by interface or peer, None if its counter is missing."""

    time: datetime
    clock: str
    counted: dict[str, int | None]


_Times = Callable[[Location], tuple[datetime, str] | None]


def _times(device: Device) -> _Times:
    """Time and clock of the capture of an observation, by its location."""
    by_file: dict[str, list[TakenOutput]] = {}
    for capture in sorted(device.seen.taken, key=lambda capture: capture.at.line):
        by_file.setdefault(capture.at.file, []).append(capture)

    def time_of(location: Location) -> tuple[datetime, str] | None:
        captures = by_file.get(location.file, [])
        place = bisect_right(captures, location.line, key=lambda capture: capture.at.line)
        time = captures[place - 1].time if place else None
        if time is None:
            return None
        return datetime.fromisoformat(time[:_TIME_LENGTH]), time[_TIME_LENGTH:]

    return time_of


def _peer_rates(device: Device, time_of: _Times) -> Iterator[Rate]:
    whole = (table for table in device.seen.dlsw_peers if table.is_whole)
    timed = ((table, time_of(table.at)) for table in whole)
    samples = [_Sample(*time, _of_peers(table)) for table, time in timed if time is not None]
    return _between(samples, "packets of show dlsw peers")


def _of_peers(table: DlswPeers) -> dict[str, int | None]:
    return {
        f"{peer.transport} {peer.peer}": None
        if peer.received_packets is None or peer.sent_packets is None
        else peer.received_packets + peer.sent_packets
        for peer in table.peers
    }


def _counted(device: Device, ports: Mapping[str, str], time_of: _Times) -> Iterator[Rate]:
    samples: dict[tuple[datetime, str], _Sample] = {}
    for interface in device.seen.interfaces:
        name, time = interface_name(interface.name), time_of(interface.at)
        if name in ports and time is not None:
            sample = samples.setdefault(time, _Sample(*time, {}))
            sample.counted[name] = _both(interface)
    whole = [sample for sample in samples.values() if sample.counted.keys() == ports.keys()]
    return _between(whole, f"packets of {', '.join(sorted(ports))}")


def _both(interface: ObservedInterface) -> int | None:
    counters = interface.counters
    if counters.input_packets is None or counters.output_packets is None:
        return None
    return counters.input_packets + counters.output_packets


def _between(samples: Sequence[_Sample], words: str) -> Iterator[Rate]:
    """Rates between neighbouring samples of one clock; none if a counter fell or is missing."""
    series = sorted(samples, key=lambda sample: (sample.clock, sample.time))
    for earlier, later in pairwise(series):
        seconds = (later.time - earlier.time).total_seconds()
        if (
            earlier.clock != later.clock
            or seconds <= 0
            or earlier.counted.keys() != later.counted.keys()
        ):
            continue
        total = 0
        for name, first in earlier.counted.items():
            last = later.counted[name]
            if first is None or last is None or last < first:
                break
            total += last - first
        else:
            yield Rate(total / seconds, f"{words} over {seconds:g} s, {later.time}")


def _load_intervals(device: Device, ports: Mapping[str, str]) -> tuple[Rate, ...]:
    """Rates that the LAN interfaces print, one for each capture that shows all of them."""
    by_port: list[list[ObservedInterface]] = [
        [
            interface
            for interface in device.seen.interfaces
            if interface_name(interface.name) == port
        ]
        for port in ports
    ]
    if not by_port:
        return ()
    rates = []
    for intervals in zip(*by_port, strict=False):
        directions = [
            way for interface in intervals for way in (interface.input_rate, interface.output_rate)
        ]
        rates_seen = [
            direction
            for direction in directions
            if direction and direction.rate_packets_per_s is not None
        ]
        if len(rates_seen) == len(directions):
            interval_s = max(rate.interval_s for rate in rates_seen)
            names = ", ".join(interface.name for interface in intervals)
            fps = sum(rate.rate_packets_per_s or 0 for rate in rates_seen)
            rates.append(Rate(fps, f"rates of {names} over {interval_s} s, {intervals[0].at}"))
    return tuple(rates)
