"""`show processes cpu`: the head line, alone or with the process table under it."""

import re

from msgspec import Struct

from advisor.ios.syntax.tree import Location
from advisor.units import whole

_HEAD = re.compile(
    r"CPU utilization for five seconds:\s*(\d+)%(?:/(\d+)%)?;"
    r"\s*one minute:\s*(\d+)%;\s*five minutes:\s*(\d+)%"
)


class CpuLoad(Struct, frozen=True):
    """CPU load in percent; `interrupt_percent` is part of the five-second figure."""

    five_seconds_percent: int
    interrupt_percent: int | None
    one_minute_percent: int
    five_minutes_percent: int
    at: Location
    text: str

    @property
    def process_percent(self) -> int | None:
        """Process-level load of the last five seconds: total minus interrupt; None if unknown.

        An interrupt share above the total is wrong and gives None.
        """
        if self.interrupt_percent is None or self.interrupt_percent > self.five_seconds_percent:
            return None
        return self.five_seconds_percent - self.interrupt_percent


def read_cpu(text: str, file: str, first_line: int = 1) -> CpuLoad | None:
    """The first head line of a `show processes cpu` output; None if there is none.

    >>> head = "CPU utilization for five seconds: 8%/6%; one minute: 8%; five minutes: 5%"
    >>> load = read_cpu(head, "a1.txt")
    >>> load.five_seconds_percent, load.interrupt_percent, load.process_percent
    (8, 6, 2)
    """
    match = _HEAD.search(text)
    if match is None:
        return None
    number = first_line + text.count("\n", 0, match.start())
    five, interrupt, minute, five_minutes = match.groups()
    return CpuLoad(
        five_seconds_percent=whole(five),
        interrupt_percent=whole(interrupt) if interrupt is not None else None,
        one_minute_percent=whole(minute),
        five_minutes_percent=whole(five_minutes),
        at=Location(file, number),
        text=match[0],
    )
