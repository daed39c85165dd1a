"""Lists the parts of a file that were read, and the others: the coverage section of a report."""

from collections.abc import Collection, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.outputs import CLOCK, PRIVILEGE, outputs
from advisor.capture.sections import Section, SectionKind
from advisor.device.device import (
    Device,
)
from advisor.device.platforms import NOT_JUDGED, Family, Generation
from advisor.facts import Stated
from advisor.ios.syntax import ProblemKind
from advisor.ios.syntax.detect import Dialect

# Records of what was read of files and devices; reports call them coverage.


class Unjudged(Struct, frozen=True):
    """A kind of line that is kept but that no rule judges."""

    what: str
    lines: int


class FileCoverage(Struct, frozen=True):
    """Read and unread parts of one file."""

    file: str
    device: str | None
    taken_for: str  # "Cisco IOS configuration", "show ip route, not used", "Cisco NX-OS, skipped"
    lines: int
    qos_lines: int = 0
    qos_lines_understood: int = 0
    is_draft: bool = False
    unjudged: tuple[Unjudged, ...] = ()
    assumed: tuple[str, ...] = ()  # defaults and assumptions in force: "IOS generation: pre-HQF"
    platform: tuple[str, ...] = ()  # what is known of the platform, and what follows from that
    other_system: str | None = None  # "Cisco NX-OS", "no configuration"; None where it is IOS


class Wanted(Struct, frozen=True):
    """A show command that was not captured, and the rules that would judge by it."""

    command: str
    rules: tuple[str, ...]


class DeviceCoverage(Struct, frozen=True):
    """Which commands of a device were captured, and which rules lack one."""

    device: str
    captured: tuple[str, ...]
    missing: tuple[Wanted, ...]


_TIMES = (CLOCK, PRIVILEGE)  # taken from the sections, not by a reader


def kind_of(dialect: Dialect, sections: Iterable[Section]) -> str:
    """Kind of a file, in words."""
    if dialect is not Dialect.IOS:
        return f"{dialect.value}, skipped"
    parts = []
    for section in sections:
        if section.kind is SectionKind.CONFIG:
            parts.append("Cisco IOS configuration")
        elif section.kind is SectionKind.SHOW:
            command = section.command or "show output"
            parts.append(command if _is_read(section) else f"{command}, not used")
    return ", ".join(dict.fromkeys(parts))


def _is_read(section: Section) -> bool:
    """Whether the tool reads outputs of this command, or takes the time or the level from them."""
    output = outputs().get(section.taken_for or "")
    return output is not None and (bool(output.reads) or output.command in _TIMES)


def file_coverage(device: Device, file: str, lines: int, taken_for: str) -> FileCoverage:
    """Lines that were understood, kept without a verdict, and what was assumed."""
    facts, platform = device.facts, device.platform
    sna_lines = sum(len(interface.sna_lines) for interface in facts.interfaces)
    rsvp_lines = sum(interface.rsvp is not None for interface in facts.interfaces)
    kept = (
        ("dlsw", len(facts.dlsw.other)),
        ("sdlc, llc2 and qllc", sna_lines),
        ("ip rsvp bandwidth", rsvp_lines),
        ("QoS of a switch", len(switch_lines(device))),
    )
    unjudged = [Unjudged(what, count) for what, count in kept if count]
    has_config = bool(facts.tree.lines)
    assumed = []
    if has_config and platform.assumed:
        assumed.append(f"IOS generation {platform.generation} ({platform.because})")
    if has_config and platform.is_open_7500:
        assumed.append(f"{platform.title}: defaults are those of software routers, rings not known")
    elif has_config and platform.family is None and platform.has_classic_rings:
        assumed.append("platform unknown: transmit rings are those of software routers")
    problems = {problem.kind for problem in facts.tree.problems}
    return FileCoverage(
        file=file,
        device=device.name,
        taken_for=taken_for,
        lines=lines,
        qos_lines=facts.qos_lines_seen,
        qos_lines_understood=facts.qos_lines_understood,
        is_draft=has_config and not facts.tree.is_capture and ProblemKind.NO_END not in problems,
        unjudged=tuple(unjudged),
        assumed=tuple(assumed),
        platform=tuple(platform_words(device)) if has_config or device.seen.versions else (),
        other_system=None if device.is_ios else device.dialect.value,
    )


def with_assumed(coverage: FileCoverage, sentences: Iterable[str]) -> FileCoverage:
    """Add what was taken for granted in the reading of a file."""
    return replace(coverage, assumed=(*coverage.assumed, *sentences))


def platform_words(device: Device) -> Iterator[str]:
    """The family with the evidence for it, and the notes on it."""
    platform = device.platform
    if platform.family is not None:
        model = f" ({platform.model_name})" if platform.model_name is not None else ""
        yield f"platform: {platform.family}{model}, by {platform.decides_family}"
    elif device.is_ios and device.facts.policy_maps and platform.generation is not Generation.XE:
        yield (
            "platform: not known: name it with --platform or platform = in advisor.toml (2811, "
            "qfp), or give show version; figures are ranges over platforms, findings `possible`"
        )
    yield from platform_notes(device)


def platform_notes(device: Device) -> Iterator[str]:
    """Name the assumptions on the platform that every figure of the device rests on."""
    platform = device.platform
    if platform.family is None and platform.generation is Generation.XE:
        yield (
            f"{platform.title}: its rings and defaults are not known; name it with --platform "
            "(ISR4331, qfp), or give show version"
        )
    stronger = platform.decides_family or platform.because
    for evidence in platform.contradicting:
        yield f"platform: {evidence} contradicts {stronger} and is not used"
    if platform.family is Family.LAB:
        yield "lab image: its transmit rings and times mean nothing for a router"
    if platform.family in NOT_JUDGED:
        yield f"not judged: the QoS of {platform.title}"


def switch_lines(device: Device) -> tuple[Stated[str], ...]:
    """QoS lines that only switches have."""
    ports = (line for interface in device.facts.interfaces for line in interface.port_queues)
    return (*device.facts.switch_qos, *ports)


def nothing_judged(files: Collection[FileCoverage]) -> Iterator[str]:
    """Say that a run has files of other systems alone: its verdict would be of nothing."""
    if files and all(file.other_system is not None for file in files):
        yield "nothing to judge: no file holds a configuration or an output of Cisco IOS"
