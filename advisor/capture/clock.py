"""Finds when an output was taken, as far as the text around it says so."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import whole
from advisor.ios import pattern


class TimeSource(StrEnum):
    """Source of a time of capture."""

    ROUTER = "clock of the router"
    LOG = "time stamp of the log"
    CHANGE = "last configuration change"
    MANIFEST = "manifest"


class CaptureTime(Struct, frozen=True):
    """The time at which an output was taken.

    `local` is the time on that clock; `zone` is its name as printed, None where there is none.
    `is_synchronized` is false where IOS marks its clock as not set (`*`) or lost (`.`), None
    where the source does not say.
    """

    local: datetime
    zone: str | None
    source: TimeSource
    is_synchronized: bool | None

    def __str__(self) -> str:
        """Say the time for a report."""
        zone = f" {self.zone}" if self.zone else ""
        return f"{self.local.isoformat(' ', 'seconds')}{zone}, {self.source}"


def can_be_ordered(times: Iterable[CaptureTime | None]) -> bool:
    """Say whether times are of one clock that was set, so that the later one is the newer one.

    The clocks of router and log may differ; so may zones.
    """
    known = list(times)
    clocks = {(time.source, time.zone) for time in known if time is not None}
    return len(clocks) <= 1 and all(
        time is not None and time.is_synchronized is not False for time in known
    )


_MONTH_NAMES: Final = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS: Final = tuple(_MONTH_NAMES.split())
_CLOCK: Final = pattern(
    r"""(?P<mark>[*.]?) (?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.(?P<ms>\d{1,3}))?
        \s+ (?P<zone>[A-Za-z][\w+\-]*) \s+ [A-Z][a-z]{2} \s+ (?P<month>[A-Z][a-z]{2})
        \s+ (?P<day>[0-9]{1,2}) \s+ (?P<year>\d{4})\s*$""",
    re.VERBOSE,
)
_TIME_LINE: Final = pattern(r"(?:Time source is [^,]*|No time source), ?(?=[*.\d])")
# Stamps that a terminal program or `ts` writes ahead of a line: a date with its time, a time, or
# both in brackets. `03/04/2025` is ambiguous: it gives no time. A time ahead of
# zone and weekday is the clock of the router.
_STAMP: Final = pattern(
    r"""(?P<open>[\[(<])? (?:[A-Z][a-z]{2},?[ ])?
        (?: (?P<date>\d{4}[-/]\d\d[-/]\d\d) [T _] | (?P<month>[A-Z][a-z]{2})[ ]+\d{1,2}[ ]
          | \d\d[-/.](?:\d\d|[A-Z][a-z]{2})[-/.]\d{4} [ :] )?
        (?P<time>\d\d:\d\d:\d\d) (?:[.,:]\d{1,6})? (?:(?P<utc>Z) | [+-]\d\d:?\d\d)?
        (?(open) (?:[ ]\d{4})? [\])>] :?[ \t]? | (?: [ ]\|[ \t]? | \| | [:>]?[ \t] | $ ) )
        (?![A-Za-z][\w+-]*[ ]+[A-Z][a-z]{2}[ ]+[A-Z][a-z]{2}[ ])""",
    re.VERBOSE | re.ASCII,
)
_CHANGE_MARK: Final = "! Last configuration change at "
_FIRST_OF_STAMPS: Final = frozenset("[(<0123456789JFMASONDTW")
_ROWS_LOOKED_AT: Final = 6


def printed_time(lines: Sequence[str], *, is_clock: bool) -> CaptureTime | None:
    """Find the time that a router printed with an output.

    Parameters
    ----------
    lines
        The output. `Time source is NTP, 13:15:22.851 UTC Fri Apr 18 2008` near its top is taken.
    is_clock
        Whether it is that of `show clock`, which is the time alone.

    Returns
    -------
    CaptureTime | None
        None where no time is printed.
    """
    for row in lines[:_ROWS_LOOKED_AT]:
        line = row.strip()
        head = _TIME_LINE.match(line)
        clock = line[head.end() :] if head is not None else line if is_clock else ""
        match = _CLOCK.match(clock) if clock else None
        if match is not None:
            return _router_time(match)
    return None


def _router_time(match: re.Match[str]) -> CaptureTime | None:
    if match["month"] not in _MONTHS:
        return None
    milliseconds = (match["ms"] or "").ljust(3, "0")
    local = _datetime(
        f"{match['year']}-{_MONTHS.index(match['month']) + 1:02}-{whole(match['day']):02}"
        f"T{match['hour']}:{match['minute']}:{match['second']}.{milliseconds}"
    )
    if local is None:
        return None
    return CaptureTime(local, match["zone"], TimeSource.ROUTER, not match["mark"])


def changed_time(lines: Iterable[str]) -> CaptureTime | None:
    """Find when a configuration was changed last, by the comment that IOS writes ahead of it.

    Examples
    --------
    >>> time = changed_time(["! Last configuration change at 10:11:12 UTC Mon Mar 3 2025 by x"])
    >>> str(time)
    '2025-03-03 10:11:12 UTC, last configuration change'
    """
    for line in lines:
        if not line.startswith(_CHANGE_MARK):
            continue
        clock = line.removeprefix(_CHANGE_MARK).strip().rpartition(" by ")
        match = _CLOCK.match(clock[0] or clock[2])
        time = _router_time(match) if match is not None else None
        return replace(time, source=TimeSource.CHANGE) if time is not None else None
    return None


def stamp_end(line: str) -> int:
    """Column behind the time stamp of a terminal log and one blank; 0 where a line has none.

    Examples
    --------
    >>> stamp_end("[2008-04-18 13:15:22]  mtu 1500"), stamp_end("*13:15:22.851 UTC")
    (22, 0)
    >>> stamp_end("13:15:22.851 UTC Fri Apr 18 2008")
    0
    """
    if line[:1] not in _FIRST_OF_STAMPS:
        return 0
    match = _STAMP.match(line)
    return match.end() if match is not None else 0


def without_stamp(line: str) -> tuple[str, CaptureTime | None]:
    """Take the time stamp of a terminal log off a line.

    Examples
    --------
    >>> line, time = without_stamp("[2008-04-18 13:15:22] a1#sh clock")
    >>> line, time.local.isoformat()
    ('a1#sh clock', '2008-04-18T13:15:22')
    """
    match = _STAMP.match(line) if line[:1] in _FIRST_OF_STAMPS else None
    if match is None:
        return line, None
    rest = line[match.end() :].lstrip()
    date = (match["date"] or "").replace("/", "-")
    local = _datetime(f"{date}T{match['time']}") if date else None
    if local is None:
        return rest, None
    return rest, CaptureTime(local, "UTC" if match["utc"] else None, TimeSource.LOG, None)


def _datetime(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
