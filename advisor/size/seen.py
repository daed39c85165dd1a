"""What a device shows of its DLSw+ load: frames per second, CPU, platform, LAN and WAN.

Frames are counted, best first, by the packets of `show dlsw peers` between two captures whose time
is known, by the packets of the LAN interfaces between two, or by their rates over the load
interval. The LAN counts LLC2 acknowledgements and whatever else is on it: a rate from there is
more than the data frames.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.device.device import Device
from advisor.facts.interface import Interface
from advisor.ios.syntax.names import interface_name
from advisor.ios.syntax.tree import Location
from advisor.platform.process_switching import Platform, find_platform
from advisor.shows.observations import Taken
from advisor.size.calibration import moving

if TYPE_CHECKING:
    from advisor.shows.cpu.load import CpuLoad
    from advisor.shows.dlsw.records import DlswPeers
    from advisor.shows.interfaces.reader import ObservedInterface

_UP = "CONNECT"
_TIME_LENGTH = len("2008-04-18 13:15:22")


class Rate(Struct, frozen=True):
    """Frames per second, in and out together, and where they were counted."""

    fps: float
    source: str


class SeenCpu(Struct, frozen=True):
    """One head line of `show processes cpu`. `moving` says why it is not steady, None where it is.

    `process_percent` is what DLSw+ could have: the five-second total less interrupts, None where
    those are not printed or above the whole.
    """

    five_seconds_percent: int
    interrupt_percent: int | None
    process_percent: int | None
    one_minute_percent: int
    moving: str | None
    at: str


class SeenLoad(Struct, frozen=True):
    """What was seen of one device. `rates` and `cpu` are in the order of the captures."""

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
    """Gather what a device shows of its DLSw+ load."""
    version = next(reversed(device.seen.versions), None)
    processor = None if version is None else version.processor
    ports = _lan_interfaces(device)
    time_of = _times(device)
    rates = tuple(_peer_rates(device, time_of)) or tuple(_counted(device, ports, time_of))
    return SeenLoad(
        router=device.name,
        platform_name=device.platform,
        platform=find_platform(processor, device.platform),
        rates=rates or _load_intervals(device, ports),
        cpu=tuple(_seen_cpu(each) for each in device.seen.cpu),
        peers=_peers(device),
        largest_frame_bytes=_largest_frame(device),
        lan=tuple(dict.fromkeys(each.type for each in ports)),
        wan=_wan(device, ports),
        remarks=tuple(_remarks(device)),
    )


def _seen_cpu(load: CpuLoad) -> SeenCpu:
    return SeenCpu(
        load.five_seconds_percent,
        load.interrupt_percent,
        load.process_percent,
        load.one_minute_percent,
        moving(load),
        str(load.at),
    )


def _peers(device: Device) -> int | None:
    """Connected peers where they were shown, else those of the config that stand by for none."""
    shown = next(reversed(device.seen.dlsw_peers), None)
    if shown is not None:
        return sum(each.state == _UP for each in shown.peers)
    configured = [each for each in device.facts.dlsw.remote_peers if each.backup_of is None]
    return len(configured) or None


def _largest_frame(device: Device) -> int | None:
    """The smallest `lf` of the config: that of the peer whose frames are cut most."""
    dlsw = device.facts.dlsw
    limits = [each.options.lf_bytes for each in dlsw.remote_peers]
    limits.append(dlsw.local_peer.lf_bytes if dlsw.local_peer is not None else None)
    return min((each for each in limits if each is not None), default=None)


def _lan_interfaces(device: Device) -> tuple[Interface, ...]:
    """Interfaces in a bridge group of DLSw+ or with a ring."""
    groups = {each.number for each in device.facts.dlsw.bridge_groups}
    return tuple(
        each
        for each in device.facts.interfaces
        if each.source_bridge is not None
        or (each.bridge_group is not None and each.bridge_group.value in groups)
    )


def _wan(device: Device, ports: Sequence[Interface]) -> tuple[str, ...]:
    """Kinds of interfaces with an address that are not the LAN of DLSw+."""
    others = (each for each in device.facts.interfaces if each not in ports)
    with_address = (each for each in others if each.ip_address is not None)
    return tuple(dict.fromkeys(each.type for each in with_address if each.type != "Loopback"))


def _remarks(device: Device) -> Iterator[str]:
    other = [each for each in device.facts.dlsw.remote_peers if each.transport != "tcp"]
    if other:
        kinds = ", ".join(dict.fromkeys(each.transport.value for each in other))
        yield f"{len(other)} peers by {kinds}: another switching path, sized as if over TCP"


class _Sample(Struct, frozen=True):
    """Counters at a time; `counted` is by the thing that counts, None where it did not."""

    time: datetime
    clock: str
    counted: dict[str, int | None]


_Times = Callable[[Location], tuple[datetime, str] | None]


def _times(device: Device) -> _Times:
    """Time and clock of the capture that an observation was read from, by its location."""
    by_file: dict[str, list[Taken]] = {}
    for each in sorted(device.seen.taken, key=lambda taken: taken.at.line):
        by_file.setdefault(each.at.file, []).append(each)

    def time_of(at: Location) -> tuple[datetime, str] | None:
        mine = by_file.get(at.file, [])
        place = bisect_right(mine, at.line, key=lambda each: each.at.line)
        time = mine[place - 1].time if place else None
        if time is None:
            return None
        return datetime.fromisoformat(time[:_TIME_LENGTH]), time[_TIME_LENGTH:]

    return time_of


def _peer_rates(device: Device, time_of: _Times) -> Iterator[Rate]:
    timed = ((each, time_of(each.at)) for each in device.seen.dlsw_peers)
    samples = [_Sample(*time, _of_peers(each)) for each, time in timed if time is not None]
    return _between(samples, "packets of show dlsw peers")


def _of_peers(shown: DlswPeers) -> dict[str, int | None]:
    return {
        f"{each.transport} {each.peer}": None
        if each.received_packets is None or each.sent_packets is None
        else each.received_packets + each.sent_packets
        for each in shown.peers
    }


def _counted(device: Device, ports: Sequence[Interface], time_of: _Times) -> Iterator[Rate]:
    names = {each.name for each in ports}
    samples: dict[tuple[datetime, str], _Sample] = {}
    for each in device.seen.interfaces:
        name, time = interface_name(each.name), time_of(each.at)
        if name in names and time is not None:
            found = samples.setdefault(time, _Sample(*time, {}))
            found.counted[name] = _both(each)
    whole = [each for each in samples.values() if each.counted.keys() == names]
    return _between(whole, f"packets of {', '.join(sorted(names))}")


def _both(seen: ObservedInterface) -> int | None:
    of = seen.counters
    if of.input_packets is None or of.output_packets is None:
        return None
    return of.input_packets + of.output_packets


def _between(samples: Sequence[_Sample], words: str) -> Iterator[Rate]:
    """Rates between neighbouring samples of one clock; none where a counter fell or is missing."""
    ordered = sorted(samples, key=lambda each: (each.clock, each.time))
    for one, other in pairwise(ordered):
        seconds = (other.time - one.time).total_seconds()
        if one.clock != other.clock or seconds <= 0 or one.counted.keys() != other.counted.keys():
            continue
        total = 0
        for name, before in one.counted.items():
            after = other.counted[name]
            if before is None or after is None or after < before:
                break
            total += after - before
        else:
            yield Rate(total / seconds, f"{words} over {seconds:g} s, {other.time}")


def _load_intervals(device: Device, ports: Sequence[Interface]) -> tuple[Rate, ...]:
    """Rates that the LAN interfaces print, one for each time that all of them were shown."""
    shown: list[list[ObservedInterface]] = [
        [each for each in device.seen.interfaces if interface_name(each.name) == port.name]
        for port in ports
    ]
    if not shown:
        return ()
    rates = []
    for together in zip(*shown, strict=False):
        directions = [way for each in together for way in (each.input_rate, each.output_rate)]
        known = [each for each in directions if each and each.rate_packets_per_s is not None]
        if len(known) == len(directions):
            interval_s = max(each.interval_s for each in known)
            names = ", ".join(each.name for each in together)
            fps = sum(each.rate_packets_per_s or 0 for each in known)
            rates.append(Rate(fps, f"rates of {names} over {interval_s} s, {together[0].at}"))
    return tuple(rates)
