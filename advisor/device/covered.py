"""What was read of files and devices: the records that reports call coverage."""

from msgspec import Struct


class Unjudged(Struct, frozen=True):
    """A kind of line that is kept but that no rule judges."""

    what: str
    lines: int


class FileCoverage(Struct, frozen=True):
    """What was read of one file."""

    file: str
    device: str | None
    taken_for: str  # "Cisco IOS configuration", "show processes cpu", "Cisco NX-OS, declined"…
    lines: int
    qos_lines: int = 0
    qos_lines_understood: int = 0
    is_draft: bool = False
    unjudged: tuple[Unjudged, ...] = ()
    assumed: tuple[str, ...] = ()  # defaults and assumptions in force: "IOS generation: pre-HQF"
    platform: tuple[str, ...] = ()  # what is known of the platform, and what follows from that


class Wanted(Struct, frozen=True):
    """A show command that was not captured, and the rules that would judge by it."""

    command: str
    rules: tuple[str, ...]


class DeviceCoverage(Struct, frozen=True):
    """Which commands of a device were captured, and which rules lack one."""

    device: str
    captured: tuple[str, ...]
    missing: tuple[Wanted, ...]
