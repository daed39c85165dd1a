"""An input at a glance: whose it is, and whether the devices of a run bear upon each other."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec import Struct

from advisor.device.source import Source, host_of, loose_shows
from advisor.faults import Fault
from advisor.units import whole

_HOSTNAME: Final = re.compile(rb"^(?:[\[(\d][^\n#>]{0,40}[ \])])?hostname ([^\s]+)", re.MULTILINE)
_ADDRESS: Final = re.compile(
    rb"^[ \t]++ip address (\d++\.\d++\.\d++\.)(\d{1,3}+) 255\.255\.255\.(252|254)", re.MULTILINE
)
_IN_SMALL_SUBNET: Final = b" 255.255.255.25"
_ROOM: Final = {b"252": 4, b"254": 2}  # addresses of a subnet, by the end of its mask
_POLICY: Final = b"service-policy "


class Outline(Struct, frozen=True):
    """An input at a glance; `host` is the device of loose show outputs or of a configuration.

    `session` is the address that a log hopped to. `addresses` are those in subnets with room for
    two routers, by subnet. `has_policy` and `has_neighbors` tell that it names a policy, or holds
    `show cdp neighbors`.
    """

    name: str
    is_shows: bool = False
    host: str | None = None
    session: str | None = None
    speaks_of_dlsw: bool = False
    has_policy: bool = False
    has_neighbors: bool = False
    addresses: tuple[tuple[bytes, bytes], ...] = ()
    faults: tuple[Fault, ...] = ()


def outline(source: Source) -> Outline:
    """Look at any input."""
    capture = loose_shows(source)
    if capture is None:
        return config_outline(source)
    return Outline(source.name, is_shows=True, host=host_of(capture))


def config_outline(source: Source) -> Outline:
    """Look at a configuration or a bundle; a bundle is not looked through for its name."""
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
        has_policy=any(_POLICY in text for text in texts),
        has_neighbors=any("cdp" in command for command in asked),
        addresses=tuple(
            (b"%s%d/%s" % (net, whole(last.decode()) // _ROOM[mask], mask), last)
            for text in texts
            if _IN_SMALL_SUBNET in text
            for net, last, mask in _ADDRESS.findall(text)
        ),
    )


def that_share_links(outlines: Mapping[int, Outline]) -> Collection[int]:
    """Places of configurations with an end of a link whose other end may be in the run.

    The subnet of a link holds two addresses of different inputs, and one of the two has a policy:
    without one no rule asks for the other end. Where two inputs hold neighbors that CDP saw, both
    count.
    """
    places: defaultdict[bytes, dict[bytes, int]] = defaultdict(dict)
    for place, known in outlines.items():
        for network, address in known.addresses:
            places[network].setdefault(address, place)
    linked = (set(by_address.values()) for by_address in places.values())
    sharing = {place for ends in linked if _matters(ends, outlines) for place in ends}
    seeing = {place for place, known in outlines.items() if known.has_neighbors}
    return frozenset(sharing | (seeing if len(seeing) > 1 else set()))


def _matters(ends: Collection[int], outlines: Mapping[int, Outline]) -> bool:
    return len(ends) > 1 and any(outlines[place].has_policy for place in ends)


def that_speak_of_dlsw(outlines: Mapping[int, Outline]) -> Iterable[int]:
    """Places of inputs that speak of DLSw+."""
    return (place for place, known in outlines.items() if known.speaks_of_dlsw)
