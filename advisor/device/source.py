"""An input of a run as it was read: which device it is of, and what it holds."""

import re

from msgspec import Struct

from advisor.capture import Capture, Section, SectionKind, by_device, read_capture, version_name
from advisor.capture.pasted import plain_payload
from advisor.device.repeated import main_config
from advisor.ios.exec.terminal import text_of

_MARKS_OF_A_CONFIG = (b"\ninterface ", b"\nhostname ")
_TOLD_TWICE = (b"\nhostname ", b"\nversion ")
_SIGNS_OF_MANY = (
    *(b"#", b">", b" uptime is ", b"\nsystem {", b"\nset system ", b"\nset version "),
    *(b"\n: Saved", b"\nASA Version "),
)
_FOREIGN_STARTS = (b";", b"#", b"/", b"! model", b"! ADTRAN", b"! Version")
# What a file of several devices holds: a prompt, a second configuration, a second `show version`.
_MANY_DEVICES = re.compile(
    rb"^(?:[\[(\d][^\n#>]{0,40}[ \])])?[^\n ]{0,64}[#>]|^hostname [^\0]*\nhostname "
    rb"|^version [^\0]*\nversion | uptime is [^\0]*(?: uptime is |\nhostname )"
    rb"|^hostname [^\0]* uptime is |^end[ \t]*\r?\n(?:[ \t]*(?:![^\n]*)?\n)*+[ \t]*[^\s!]"
    rb"|^(?:system \{|set (?:system|version) |: Saved|ASA Version )"
    rb"|\A\s*(?:[;#/]|[\w-]+ \{|! (?:model|ADTRAN|Version))[^\0]*\nversion 1[0-7]\.\d",
    re.MULTILINE,
)


class Source(Struct, frozen=True):
    """An input as it was read: a file, a bundle, or what a file holds of one of its devices.

    `capture` holds all files of a bundle, or the part of a file, which is `payload` too.
    `is_pasted` where a margin or marks were taken off its lines: columns in the file are not known.
    """

    name: str
    payload: bytes
    capture: Capture | None = None
    is_pasted: bool = False

    @property
    def is_bundle(self) -> bool:
        """Whether it is a bundle, not a file or a part of one."""
        return self.capture is not None and not self.payload

    @property
    def size_bytes(self) -> int:
        """Size of what was read; of a bundle in characters."""
        sections = self.capture.sections if self.capture is not None else ()
        return len(self.payload) + sum(len(section.text) for section in sections)


class DeviceInputs(Struct, frozen=True):
    """The inputs of one device: its configuration or bundle, and show outputs of other files.

    Where the run has no configuration of it, `shows` holds at least one file.
    """

    config: Source | None
    shows: tuple[Source, ...] = ()
    others: tuple[str, ...] = ()  # files with another configuration of the same name
    rivals: tuple[str, ...] = ()  # names that the cut prompt of the shows may be of

    @property
    def sources(self) -> tuple[Source, ...]:
        """All inputs."""
        return (*filter(None, (self.config,)), *self.shows)

    @property
    def name(self) -> str:
        """Name of the first input."""
        return self.sources[0].name

    @property
    def size_bytes(self) -> int:
        """Size of all inputs."""
        return sum(source.size_bytes for source in self.sources)


def source_of(name: str, payload: bytes) -> Source:
    """Make an input of a file, without what a paste adds ahead of its lines."""
    plain = plain_payload(payload)
    return Source(name, plain, is_pasted=plain is not payload)


def capture_of(source: Source) -> Capture:
    """Sections of an input."""
    if source.capture is not None:
        return source.capture
    return read_capture(text_of(source.payload), source.name)


def is_config_at_a_glance(source: Source) -> bool:
    """Whether an input is a bundle, or holds a line that only a configuration has."""
    return source.is_bundle or any(mark in source.payload for mark in _MARKS_OF_A_CONFIG)


def loose_shows(source: Source) -> Capture | None:
    """Sections of a file of show outputs of IOS; None of a bundle, or where it holds more."""
    if is_config_at_a_glance(source):
        return None
    capture = capture_of(source)
    kinds = {section.kind for section in capture.sections}
    if any(section.other_system is not None for section in capture.sections):
        return None
    return None if SectionKind.CONFIG in kinds or SectionKind.SHOW not in kinds else capture


def device_sources(source: Source) -> tuple[Source, ...]:
    """Part a file into what it holds of each device; the file itself where it is of one."""
    if source.capture is not None or not _may_hold_many(source.payload):
        return (source,)
    captures = by_device(capture_of(source))
    if len(captures) == 1:
        return (source,)
    return tuple(
        Source(
            source.name,
            "".join(section.text for section in part.sections).encode(),
            part,
            source.is_pasted,
        )
        for part in captures
    )


def _may_hold_many(payload: bytes) -> bool:
    """Whether a file has what only one of several devices has; most are passed by a few marks."""
    text = b"\n" + payload
    has_sign = (
        any(mark in text for mark in _SIGNS_OF_MANY)
        or any(text.count(mark) > 1 for mark in _TOLD_TWICE)
        or text.lstrip().startswith(_FOREIGN_STARTS)
        or b" {" in text.lstrip().partition(b"\n")[0]
        or text.partition(b"\nend")[2].strip(b" \t\r\n!")
    )
    return bool(has_sign) and _MANY_DEVICES.search(payload) is not None


def config_of(source: Source) -> Section | None:
    """The configuration that counts of those that an input holds."""
    sections = capture_of(source).sections
    return main_config([section for section in sections if section.kind is SectionKind.CONFIG])


def host_of(capture: Capture) -> str | None:
    """The device by the manifest of a bundle, else by a `show version` or by the first prompt."""
    shown = next((section.host for section in capture.sections if section.host), None)
    told = next((name for section in capture.sections if (name := version_name(section))), None)
    return capture.device or told or shown
