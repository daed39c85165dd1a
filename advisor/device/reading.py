"""Files to devices: each file's sections to tree, facts and observations, joined by host."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import PurePath

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
from advisor.device.coverage import file_coverage, kind_of, not_understood, why_incomplete
from advisor.device.covered import FileCoverage
from advisor.device.device import Device, device_of, train_of
from advisor.device.peers import Fleet, PeerEnd, peer_end
from advisor.facts.read_config import read_facts
from advisor.faults import Guard, guarded
from advisor.ios.exec.terminal import decode
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.reader import parse_config
from advisor.ios.syntax.tree import ConfigTree, Problem, ProblemKind
from advisor.settings.values import Settings
from advisor.shows.observations import Observations

# IOS took the words for a host name: they may be a password typed at the wrong prompt.
_NOT_A_COMMAND = ("Unknown command or computer name", "Translating ")
_MARKS_OF_A_CONFIG = (b"\ninterface ", b"\nhostname ")


class Source(Struct, frozen=True):
    """An input as it was read: a file, or a bundle of which `capture` holds all files."""

    name: str
    payload: bytes
    capture: Capture | None = None


class Reading(Struct, frozen=True):
    """A device with what was read of its files, and why that is not complete."""

    device: Device
    coverage: tuple[FileCoverage, ...]
    incomplete: tuple[str, ...]
    shown: tuple[Section, ...] = ()  # show outputs, for the lines that findings quote


class _Shows(Struct, frozen=True):
    """Show outputs of a file without a configuration, waiting for their device."""

    file: str
    host: str | None
    seen: Observations
    coverage: FileCoverage
    problems: tuple[Problem, ...]
    gaps: tuple[Gap, ...]
    shown: tuple[Section, ...]


def read_devices(
    sources: Iterable[Source], settings: Settings, guard: Guard | None = None
) -> Iterator[Reading]:
    """Read devices from files, a configuration at a time; show outputs join theirs by host.

    A show output without a host (no prompt in it) belongs to the only configuration of its
    folder. `sources` is iterated twice, so that of many configurations one is held at a time.
    With a guard a file whose reading fails by a defect is left out.
    """
    again = list(sources) if isinstance(sources, Iterator) else sources
    waiting: dict[str, list[_Shows]] = {}
    configs_in: dict[str, int] = {}
    speaking: set[str] = set()
    for source in again:
        if _speaks_of_dlsw(source):
            speaking.add(source.name)
        shows = None
        with guarded(guard, source.name):
            shows = _shows_alone(source)
        if shows is None:
            folder = _folder(source.name)
            configs_in[folder] = configs_in.get(folder, 0) + 1
        else:
            waiting.setdefault(shows.host or _folder(shows.file), []).append(shows)
    alone = {shows.file for many in waiting.values() for shows in many}
    fleet = _fleet(again, speaking - alone, settings, guard)
    for source in again:
        if source.name not in alone and not (guard and guard.holds(source.name)):
            whole = None
            with guarded(guard, source.name):
                reading = read_source(source, settings, fleet)
                mine = waiting.pop(reading.device.name, [])
                if configs_in.get(_folder(source.name)) == 1:
                    mine += waiting.pop(_folder(source.name), [])
                whole = _joined(reading, mine)
            if whole is not None:
                yield whole
    for many in waiting.values():
        of_shows = None
        with guarded(guard, many[0].file):
            of_shows = _of_shows(many, settings)
        if of_shows is not None:
            yield of_shows


def read_fleet(sources: Iterable[Source], settings: Settings) -> Fleet:
    """DLSw+ peers of all devices of a run, of which one is held at a time.

    Configurations that speak of DLSw+ are read for it, where there is more than one or the settings
    pair devices by their names: all others are looked through for the word only.
    """
    return _fleet(sources, {each.name for each in sources if _speaks_of_dlsw(each)}, settings)


def _fleet(
    sources: Iterable[Source],
    speaking: Collection[str],
    settings: Settings,
    guard: Guard | None = None,
) -> Fleet:
    ends: dict[str, PeerEnd] = {}
    is_needed = len(speaking) > 1 or settings.dlsw.redundant_peers
    for source in sources if is_needed else ():
        if source.name in speaking:
            with guarded(guard, source.name):
                device = read_source(source, settings).device
                end = peer_end(device.facts, device.name, device.seen)
                if end is not None:
                    ends.setdefault(end.peer_id, end)
    return Fleet(tuple(ends.values()), settings.dlsw)


def _speaks_of_dlsw(source: Source) -> bool:
    if source.capture is not None:
        return any("dlsw" in each.text for each in source.capture.sections)
    return b"dlsw" in source.payload or b"d\0l\0s\0w" in source.payload


def _folder(name: str) -> str:
    """Key of a folder; never equal to a host name."""
    return f"{PurePath(name).parent}/"


def _shows_alone(source: Source) -> _Shows | None:
    """Show outputs of a file that holds no configuration; None for any other file."""
    if source.capture is not None or any(mark in source.payload for mark in _MARKS_OF_A_CONFIG):
        return None
    capture = _capture(source)
    kinds = {each.kind for each in capture.sections}
    if SectionKind.CONFIG in kinds or SectionKind.SHOW not in kinds:
        return None
    seen = _observed(capture)
    host = next((each.host for each in capture.sections if each.host), None)
    coverage = FileCoverage(
        file=source.name,
        device=host,
        taken_for=kind_of(Dialect.IOS, capture.sections),
        lines=_line_count(source),
    )
    return _Shows(
        file=source.name,
        host=host,
        seen=seen,
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
    if all(each.kind is not SectionKind.SHOW for each in capture.sections):
        return Observations()
    from advisor.shows.observe import observe  # noqa: PLC0415 -- most files are configs alone

    return observe(capture.sections, capture.file)


def read_source(source: Source, settings: Settings, fleet: Fleet | None = None) -> Reading:
    """Read one input: what it is, the device it speaks of, what was understood.

    `fleet` are the DLSw+ peers of all inputs of the run, by `read_fleet`.
    """
    capture = _capture(source)
    configs = [each for each in capture.sections if each.kind is SectionKind.CONFIG]
    whole = "".join(each.text for each in capture.sections)
    shows = any(each.kind is SectionKind.SHOW for each in capture.sections)
    first = max(configs, key=_rank_of_config) if configs else None
    dialect, evidence = _dialect(capture, first, whole, shows=shows)
    first = first if dialect is Dialect.IOS else None
    file = first.file or source.name if first is not None else source.name
    tree = ConfigTree(file, ())
    if first is not None:
        tree = parse_config(first.text, file, first.first_line)
    elsewhere = [each for each in capture.sections if each is not first]
    tree = replace(tree, problems=(*tree.problems, *_rejected(elsewhere)))
    host = capture.device or next((each.host for each in capture.sections if each.host), None)
    device = device_of(
        read_facts(tree),
        host,
        seen=_observed(capture),
        traffic=settings.traffic,
        transactions=settings.transactions,
        fleet=fleet or Fleet(design=settings.dlsw),
        dialect=dialect,
        evidence=evidence,
        evidence_line=_line_of(evidence, whole),
        gaps=(*capture.gaps, *partial_configs(capture)),
    )
    lines = sum(each.text.count("\n") for each in capture.sections) or _line_count(source)
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
    for each in capture.sections:
        if each.other_system is not None:
            return each.other_system, ""
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
    problems = tuple(each for one in shows for each in one.problems)
    tree = replace(tree, problems=tree.problems + problems)
    seen = device.seen
    for one in shows:
        seen = seen.joined(one.seen)
    facts = replace(device.facts, tree=tree)
    joined = replace(
        device,
        facts=facts,
        train=train_of(facts, seen),
        seen=seen,
        gaps=device.gaps + tuple(gap for one in shows for gap in one.gaps),
    )
    coverage = reading.coverage + tuple(one.coverage for one in shows)
    failed = [said for one in shows for said in not_understood(one.seen)]
    failed += [f"{one.file}: {gap}" for one in shows for gap in one.gaps]
    shown = reading.shown + tuple(each for one in shows for each in one.shown)
    return Reading(joined, coverage, (*reading.incomplete, *failed), shown)


def _of_shows(shows: list[_Shows], settings: Settings) -> Reading:
    """A device of which no configuration is in the run."""
    first = shows[0]
    device = device_of(
        read_facts(ConfigTree(first.file, ())),
        first.host,
        seen=Observations(),
        traffic=settings.traffic,
        transactions=settings.transactions,
        fleet=Fleet(design=settings.dlsw),
        dialect=Dialect.IOS,
        evidence="",
        evidence_line=1,
        gaps=(),
    )
    return _joined(Reading(device, (), ()), shows)


def _shown(capture: Capture) -> Iterator[Section]:
    """Show outputs of a capture."""
    return (each for each in capture.sections if each.kind is SectionKind.SHOW)


def _rejected(sections: Iterable[Section]) -> Iterator[Problem]:
    """Commands that the device refused outside of the configuration."""
    for each in sections:
        if "% " in each.text:
            problems = parse_config(each.text, each.file, each.first_line).problems
            refused = (one for one in problems if one.kind is ProblemKind.REJECTED)
            if any(mark in each.text for mark in _NOT_A_COMMAND):
                refused = (replace(one, detail="what was typed") for one in refused)
            yield from refused


def _line_of(evidence: str, text: str) -> int:
    """Number of the first line that holds the evidence; 1 where no single line shows it."""
    start = text.find(evidence) if evidence else -1
    return text.count("\n", 0, max(start, 0)) + 1


def _line_count(source: Source) -> int:
    ends = source.payload.count(b"\n")
    return ends + (bool(source.payload) and not source.payload.endswith(b"\n"))
