"""Scans inputs without parsing them: their device, and which devices of a run need each other.

Also finds the newest of several configurations of one name.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from advisor.capture.devices import configured_name
from advisor.capture.sections import Section
from advisor.device.repeated import may_be_one_device, order_of_configs
from advisor.device.sources import Source, Sources, config_of, host_of, loose_shows
from advisor.ground.faults import Fault
from advisor.ground.units import whole

# Scan of one input, and the devices of a run that need each other.

_HOSTNAME: Final = re.compile(rb"^(?:[\[(\d][^\n#>]{0,40}[ \])])?hostname ([^\s]+)", re.MULTILINE)
_ADDRESS: Final = re.compile(
    rb"^[ \t]++ip address (\d++\.\d++\.\d++\.)(\d{1,3}+) 255\.255\.255\.(252|254)", re.MULTILINE
)
_IN_SMALL_SUBNET: Final = b" 255.255.255.25"
_ROOM: Final = {b"252": 4, b"254": 2}  # addresses of a subnet, by the end of its mask
_ASKING: Final = (b"service-policy ", b"frame-relay fragment ")
_GROUPS: Final = (b"nhrp group ", b"nhrp map group ")
_MULTIPOINT: Final = b"tunnel mode gre multipoint"


class Outline(Struct, frozen=True):
    """The result of a scan; `host` is the device of loose show outputs or of a configuration.

    `session` is the address that a log hopped to. `addresses` are those in subnets with room for
    two routers, by subnet. `asks_far_end` and `has_neighbors` tell that it names a policy or
    fragments, or holds `show cdp neighbors`.
    """

    name: str
    is_shows: bool = False
    host: str | None = None
    session: str | None = None
    speaks_of_dlsw: bool = False
    asks_far_end: bool = False
    has_neighbors: bool = False
    has_groups: bool = False  # of NHRP, which a spoke names and its hub maps
    has_multipoint: bool = False  # a tunnel that may be of a hub
    addresses: tuple[tuple[bytes, bytes], ...] = ()
    faults: tuple[Fault, ...] = ()


def outline(source: Source) -> Outline:
    """Scan any input."""
    capture = loose_shows(source)
    if capture is None:
        return config_outline(source)
    return Outline(source.name, is_shows=True, host=host_of(capture))


def config_outline(source: Source) -> Outline:
    """Scan a configuration or a bundle; the host name of a bundle is not searched."""
    if source.capture is not None:
        texts = [section.text.encode() for section in source.capture.sections]
        asked = [section.command or "" for section in source.capture.sections]
    else:
        texts, asked = [source.payload], []
    is_named = not source.is_bundle and b"hostname " in source.payload
    host = _HOSTNAME.search(source.payload) if is_named else None
    return Outline(
        source.name,
        host=host[1].decode("utf-8", "replace") if host is not None else None,
        session=source.capture.session if source.capture is not None else None,
        speaks_of_dlsw=any(b"dlsw" in text for text in texts),
        asks_far_end=any(words in text for text in texts for words in _ASKING),
        has_neighbors=any("cdp" in command for command in asked),
        has_groups=any(words in text for text in texts for words in _GROUPS),
        has_multipoint=any(_MULTIPOINT in text for text in texts),
        addresses=tuple(
            (b"%s%d/%s" % (net, whole(last.decode()) // _ROOM[mask], mask), last)
            for text in texts
            if _IN_SMALL_SUBNET in text
            for net, last, mask in _ADDRESS.findall(text)
        ),
    )


def places_with_links(outlines: Mapping[int, Outline]) -> Collection[int]:
    """Places of configurations with an end of a link whose other end may be in the run.

    The subnet of a link holds two addresses of different inputs, and one of the two has a policy
    or fragments: else no rule asks for the other end. Where two inputs hold neighbors that CDP
    saw, both count; where one has groups of NHRP, so do all that may be its hub.
    """
    places: defaultdict[bytes, dict[bytes, int]] = defaultdict(dict)
    for place, known in outlines.items():
        for network, address in known.addresses:
            places[network].setdefault(address, place)
    linked = (set(by_address.values()) for by_address in places.values())
    sharing = {place for ends in linked if _matters(ends, outlines) for place in ends}
    seeing = {place for place, known in outlines.items() if known.has_neighbors}
    grouped = {place for place, known in outlines.items() if known.has_groups}
    if grouped:
        grouped |= {place for place, known in outlines.items() if known.has_multipoint}
    pairs = [places for places in (seeing, grouped) if len(places) > 1]
    return frozenset(sharing.union(*pairs))


def _matters(ends: Collection[int], outlines: Mapping[int, Outline]) -> bool:
    return len(ends) > 1 and any(outlines[place].asks_far_end for place in ends)


def places_with_dlsw(outlines: Mapping[int, Outline]) -> Iterable[int]:
    """Places of inputs that mention DLSw+."""
    return (place for place, known in outlines.items() if known.speaks_of_dlsw)


# Several configurations of one name in a run: which one is the newest, if any clock tells.


class Doubles(Struct, frozen=True):
    """The newest configuration for each older one; files of the others if no clock tells."""

    newer: Mapping[int, int]
    others: Mapping[int, tuple[str, ...]]


def doubles_of(sources: Sources, configs_of_each: Iterable[Mapping[int, str]]) -> Doubles:
    """Compare the times of configurations of one name.

    Parameters
    ----------
    sources
        All inputs.
    configs_of_each
        For each name the places of its configurations, and their files.
    """
    newer: dict[int, int] = {}
    others: dict[int, tuple[str, ...]] = {}
    for files in configs_of_each:
        for rivals in _of_one_name(sources, files):
            last = _newest(rivals)
            for rival in rivals:
                if last is None:
                    others[rival.place] = tuple(
                        files[other.place] for other in rivals if other is not rival
                    )
                elif rival is not last:
                    newer[rival.place] = last.place
    return Doubles(newer, others)


class _Rival(Struct, frozen=True):
    """A configuration of a name that others have, too."""

    place: int
    config: Section


def _of_one_name(sources: Sources, files: Mapping[int, str]) -> Iterator[list[_Rival]]:
    """Configurations that have one name after parsing, not only by the scan."""
    named: dict[str, list[_Rival]] = {}
    for place in files:
        source = sources.load(place)
        config = config_of(source) if source is not None else None
        name = configured_name(config) if config is not None else None
        if config is not None and name is not None:
            named.setdefault(name, []).append(_Rival(place, config))
    return (rivals for rivals in named.values() if len(rivals) > 1)


def _newest(rivals: Sequence[_Rival]) -> _Rival | None:
    """The configuration with the last time; None where nothing tells."""
    configs = [rival.config for rival in rivals]
    order = order_of_configs(configs)
    pairs = combinations(configs, 2)
    if order is None or not all(may_be_one_device(*pair) for pair in pairs):
        return None
    local = [time.local for time in order.times]
    last = max(local)
    return rivals[local.index(last)] if local.count(last) == 1 else None
