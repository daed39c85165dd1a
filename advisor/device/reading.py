"""Inputs to one device: sections to tree, facts and observations, joined."""

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture import (
    Capture,
    Gap,
    Section,
    SectionKind,
    partial_configs,
    read_capture,
)
from advisor.capture.outputs import RUNNING_CONFIG
from advisor.device.coverage import (
    file_coverage,
    kind_of,
    not_understood,
    nothing_read,
    why_incomplete,
)
from advisor.device.covered import FileCoverage
from advisor.device.device import Device, device_of, with_facts
from advisor.device.peers import Fleet
from advisor.facts.read_config import read_facts
from advisor.ios.exec.terminal import decode
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree, Problem, ProblemKind
from advisor.settings.values import Settings
from advisor.shows.observations import Observations

# IOS took the line for a host name: it may be a password typed at the wrong prompt.
_NOT_A_COMMAND = ("Unknown command or computer name", "Translating ")
_MARKS_OF_A_CONFIG = (b"\ninterface ", b"\nhostname ")


class Source(Struct, frozen=True):
    """An input as it was read: a file, or a bundle; `capture` holds all files of a bundle."""

    name: str
    payload: bytes
    capture: Capture | None = None

    @property
    def size_bytes(self) -> int:
        """Size of what was read; of a bundle in characters."""
        sections = self.capture.sections if self.capture is not None else ()
        return len(self.payload) + sum(len(section.text) for section in sections)


class DeviceInputs(Struct, frozen=True):
    """The inputs of one device: its configuration or bundle, and show outputs of other files.

    Where the run has no configuration of the device, `shows` holds at least one file.
    """

    config: Source | None
    shows: tuple[Source, ...] = ()

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


class Reading(Struct, frozen=True):
    """A device, what was read of its files, and why that is not complete."""

    device: Device
    coverage: tuple[FileCoverage, ...]
    incomplete: tuple[str, ...]
    shown: tuple[Section, ...] = ()  # show outputs, for the lines that findings quote


class _Shows(Struct, frozen=True):
    """Show outputs of a file without a configuration."""

    file: str
    host: str | None
    seen: Observations
    coverage: FileCoverage
    problems: tuple[Problem, ...]
    gaps: tuple[Gap, ...]
    shown: tuple[Section, ...]


def read_device(inputs: DeviceInputs, settings: Settings, fleet: Fleet | None = None) -> Reading:
    """Read all inputs of one device.

    Parameters
    ----------
    inputs
        Its configuration or bundle, where the run has one, and show outputs of other files.
    settings
        Statements about the device are kept with it.
    fleet
        DLSw+ peers of all devices of the run.
    """
    shows = [_shows_of(source) for source in inputs.shows]
    if inputs.config is None:
        return _of_shows(shows, settings)
    return _joined(read_source(inputs.config, settings, fleet), shows)


def is_config_at_a_glance(source: Source) -> bool:
    """Whether an input is a bundle, or holds a line that only a configuration has."""
    return source.capture is not None or any(mark in source.payload for mark in _MARKS_OF_A_CONFIG)


def loose_shows(source: Source) -> Capture | None:
    """Sections of a file of show outputs; None where it is a bundle or holds anything else."""
    if is_config_at_a_glance(source):
        return None
    capture = _capture(source)
    kinds = {section.kind for section in capture.sections}
    return None if SectionKind.CONFIG in kinds or SectionKind.SHOW not in kinds else capture


def host_of(capture: Capture) -> str | None:
    """The device by the manifest of a bundle, else by the first prompt."""
    shown = next((section.host for section in capture.sections if section.host), None)
    return capture.device or shown


def _shows_of(source: Source) -> _Shows:
    capture = _capture(source)
    host = host_of(capture)
    coverage = FileCoverage(
        file=source.name,
        device=host,
        taken_for=kind_of(Dialect.IOS, capture.sections),
        lines=_line_count(source),
    )
    return _Shows(
        file=source.name,
        host=host,
        seen=_observed(capture),
        coverage=coverage,
        problems=tuple(_rejected(capture.sections)),
        gaps=capture.gaps,
        shown=tuple(_shown(capture)),
    )


def _capture(source: Source) -> Capture:
    if source.capture is not None:
        return source.capture
    return read_capture(decode(source.payload)[0], source.name)


def _observed(capture: Capture) -> Observations:
    if all(section.kind is not SectionKind.SHOW for section in capture.sections):
        return Observations()
    from advisor.shows.observe import observe  # noqa: PLC0415 -- most files are configs alone

    return observe(capture.sections, capture.file)


def read_source(source: Source, settings: Settings, fleet: Fleet | None = None) -> Reading:
    """Read one input: its kind, its device, and what was understood.

    `fleet` are the DLSw+ peers of all inputs of the run.
    """
    capture = _capture(source)
    configs = [section for section in capture.sections if section.kind is SectionKind.CONFIG]
    whole = "".join(section.text for section in capture.sections)
    shows = any(section.kind is SectionKind.SHOW for section in capture.sections)
    first = max(configs, key=_rank_of_config) if configs else None
    dialect, evidence = _dialect(capture, first, whole, shows=shows)
    first = first if dialect is Dialect.IOS else None
    file = first.file or source.name if first is not None else source.name
    tree = ConfigTree(file, ())
    if first is not None:
        tree = parse_config(first.text, file, first.first_line)
    elsewhere = [section for section in capture.sections if section is not first]
    tree = replace(tree, problems=(*tree.problems, *_rejected(elsewhere)))
    device = device_of(
        read_facts(tree),
        host_of(capture),
        seen=_observed(capture),
        traffic=settings.traffic,
        transactions=settings.transactions,
        platforms=settings.platforms,
        fleet=fleet or Fleet(design=settings.dlsw),
        dialect=dialect,
        evidence=evidence,
        evidence_line=_line_of(evidence, whole),
        gaps=(*capture.gaps, *partial_configs(capture)),
    )
    lines = sum(section.text.count("\n") for section in capture.sections) or _line_count(source)
    covered = file_coverage(device, source.name, lines, kind_of(dialect, capture.sections))
    reasons = tuple(why_incomplete(device, source.name))
    return Reading(device, (covered,), reasons, tuple(_shown(capture)))


def _rank_of_config(section: Section) -> tuple[bool, int]:
    """The running-config first; else the longest, not a few lines typed in config mode."""
    return section.taken_for == RUNNING_CONFIG, len(section.text)


def _dialect(
    capture: Capture, first: Section | None, whole: str, *, shows: bool
) -> tuple[Dialect, str]:
    """The system by what an output calls itself, else by the configuration."""
    for section in capture.sections:
        if section.other_system is not None:
            return section.other_system, ""
    if first is not None:
        return first.identity or identify(first.text)
    if not shows:
        return identify(whole)
    return Dialect.IOS, ""


def _joined(reading: Reading, shows: list[_Shows]) -> Reading:
    """Add show outputs of other files to a device."""
    if not shows:
        return reading
    device, tree = reading.device, reading.device.facts.tree
    problems = tuple(part for file in shows for part in file.problems)
    tree = replace(tree, problems=tree.problems + problems)
    seen = device.seen
    for file in shows:
        seen = seen.joined(file.seen)
    facts = replace(device.facts, tree=tree)
    joined = replace(
        with_facts(device, facts, seen),
        gaps=device.gaps + tuple(gap for file in shows for gap in file.gaps),
    )
    coverage = reading.coverage + tuple(file.coverage for file in shows)
    failed = [said for file in shows for said in not_understood(file.seen)]
    failed += [said for file in shows for said in nothing_read(file.seen, file.file)]
    failed += [f"{file.file}: {gap}" for file in shows for gap in file.gaps]
    shown = reading.shown + tuple(part for file in shows for part in file.shown)
    return Reading(joined, coverage, (*reading.incomplete, *failed), shown)


def _of_shows(shows: list[_Shows], settings: Settings) -> Reading:
    """A device without a configuration in the run."""
    first = shows[0]
    device = device_of(
        read_facts(ConfigTree(first.file, ())),
        first.host,
        seen=Observations(),
        traffic=settings.traffic,
        transactions=settings.transactions,
        platforms=settings.platforms,
        fleet=Fleet(design=settings.dlsw),
        dialect=Dialect.IOS,
        evidence="",
        evidence_line=1,
        gaps=(),
    )
    return _joined(Reading(device, (), ()), shows)


def _shown(capture: Capture) -> Iterator[Section]:
    """Show outputs of a capture."""
    return (section for section in capture.sections if section.kind is SectionKind.SHOW)


def _rejected(sections: Iterable[Section]) -> Iterator[Problem]:
    """Commands that the device refused outside of the configuration."""
    for section in sections:
        if "% " in section.text:
            problems = parse_config(section.text, section.file, section.first_line).problems
            refused = (problem for problem in problems if problem.kind is ProblemKind.REJECTED)
            if any(mark in section.text for mark in _NOT_A_COMMAND):
                refused = (replace(problem, detail="what was typed") for problem in refused)
            yield from refused


def _line_of(evidence: str, text: str) -> int:
    """Number of the first line that holds the evidence; 1 where no single line shows it."""
    start = text.find(evidence) if evidence else -1
    return text.count("\n", 0, max(start, 0)) + 1


def _line_count(source: Source) -> int:
    ends = source.payload.count(b"\n")
    return ends + (bool(source.payload) and not source.payload.endswith(b"\n"))
