"""Process-switching rates of platforms, from a table with sources."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.device.platforms import TABLES, table_rows
from advisor.ground.units import decimal

_SOURCED = "sourced"


class Platform(Struct, frozen=True):
    """A platform, and the packets per second that its CPU switches at process level.

    Low and high differ for a family. `measured_by_cisco` names the LAN and WAN of Cisco's DLSw+
    tests with this platform; Cisco did not publish the figures.
    """

    name: str
    aliases: tuple[str, ...]
    pps_low: float
    pps_high: float
    measured_by_cisco: tuple[str, ...]
    grade: str
    source: str

    @property
    def is_sourced(self) -> bool:
        """Whether an available document states the rate; else it is recalled or contested."""
        return self.grade == _SOURCED

    @property
    def is_family(self) -> bool:
        return self.pps_low != self.pps_high


@cache
def platforms() -> tuple[Platform, ...]:
    """The table, slowest first."""
    rows = map(_platform, table_rows(TABLES / "process_switching.csv"))
    return tuple(sorted(rows, key=lambda platform: platform.pps_low))


def _platform(record: dict[str, str]) -> Platform:
    return Platform(
        name=record["platform"],
        aliases=tuple(record["aliases"].split()),
        pps_low=decimal(record["pps_low"]),
        pps_high=decimal(record["pps_high"]),
        measured_by_cisco=tuple(record["measured_by_cisco"].split()),
        grade=record["grade"],
        source=record["source"],
    )


def find_platform(*names: str | None) -> Platform | None:
    """The platform of the first known name, in the spellings of users and routers.

    >>> [platform.name for platform in [find_platform("Cisco 3640")] if platform]
    ['3640']
    >>> [platform.name for platform in [find_platform("NPE300", "7206VXR")] if platform]
    ['NPE-300']
    >>> find_platform("9999"), find_platform(None)
    (None, None)
    """
    by_key = _by_key()
    return next((by_key[key] for name in names for key in _keys(name) if key in by_key), None)


def is_same_name(name: str, other: str) -> bool:
    """Whether two names are spellings of the same platform.

    >>> is_same_name("cisco 3640", "3640"), is_same_name("2801", "2811")
    (True, False)
    """
    return not set(_keys(name)).isdisjoint(_keys(other))


def alike(name: str) -> tuple[str, ...]:
    """Platforms in the series of a name that the table does not have.

    >>> alike("2899")
    ('2801', '2811', '2821', '2851')
    """
    digits = re.search(r"\d{4}", name)
    if digits is None:
        return ()
    start = digits[0][:2]
    names = (spelling for platform in platforms() for spelling in _spellings(platform))
    return tuple(
        sorted(spelling for spelling in names if spelling.startswith(start))
    ) + _ENGINES.get(start, ())


_ENGINES: Final[dict[str, tuple[str, ...]]] = {
    "72": ("NPE-100 to NPE-400", "NPE-G1"),
    "75": ("RSP2", "RSP4", "RSP8", "RSP16"),
    "65": ("MSFC", "MSFC2", "MSFC3"),
    "76": ("MSFC2", "MSFC3"),
    "50": ("RSM", "RSFC"),
}


@cache
def _by_key() -> dict[str, Platform]:
    return {
        _plain(spelling): platform for platform in platforms() for spelling in _spellings(platform)
    }


def _spellings(platform: Platform) -> tuple[str, ...]:
    return (platform.name, *platform.aliases)


# Cisco's tests add these words to the names of routers measured over a serial line.
_SERIAL_WAN: Final = re.compile(r"(?<!\s)\s++(?:with\s++)?serial(?:\s+WAN)?\s*$", re.IGNORECASE)


def _keys(name: str | None) -> Iterable[str]:
    """The name, and the name without vendor, licence and engine."""
    if not name:
        return ()
    name = _SERIAL_WAN.sub("", name)
    plain = _plain(name)
    bare = re.sub(r"^(?:CISCO|C)(?=\d)", "", _plain(name.partition("/")[0]))
    engine = re.search(r"(?:NPE|RSP|MSFC)(?:G?\d+)?$|NSFC2$|RSFC$|RSM$", plain)
    return (plain, bare, *([engine[0]] if engine else []))


def _plain(name: str) -> str:
    return re.sub(r"[^A-Z0-9+]", "", name.upper())
