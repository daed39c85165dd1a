"""Inputs to one device: sections to tree, facts and observations, joined."""

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.devices import configured_name
from advisor.capture.sections import Capture, Gap, GapKind, Section, SectionKind
from advisor.capture.unread import partial_configs
from advisor.device.config_parts import is_part, said_of_changes, said_of_parts, with_later_views
from advisor.device.coverage import FileCoverage, file_coverage, kind_of, with_assumed
from advisor.device.device import Device, device_of, with_facts
from advisor.device.incomplete import ends_early, filtered_alone, not_understood, why_incomplete
from advisor.device.peers import Fleet
from advisor.device.repeated import (
    main_config,
    newest_last,
    running_configs,
    said_of_addresses,
    said_of_configs,
    said_of_cut,
    said_of_hardware,
    said_of_repeated,
    said_of_rivals,
    unjudged_users,
)
from advisor.device.sources import DeviceInputs, Source, capture_of, host_of
from advisor.facts.read_config import read_facts
from advisor.ios.syntax import ConfigTree, Problem, ProblemKind
from advisor.ios.syntax.detect import Dialect, identify, identity_of
from advisor.ios.syntax.reader import parse_config
from advisor.settings import Settings
from advisor.shows.observations import Observations, TakenOutput

__all__ = ["DeviceInputs", "Reading", "Source", "read_device", "read_source"]

# IOS took the line for a host name: it may be a password typed at the wrong prompt.
_NOT_A_COMMAND = ("Unknown command or computer name", "Translating ")


class Reading(Struct, frozen=True):
    """A device, what was read of its files, and why that is not complete."""

    device: Device
    coverage: tuple[FileCoverage, ...]
    incomplete: tuple[str, ...]
    shown: tuple[Section, ...] = ()  # show outputs, for the lines that findings quote
    config: Section | None = None  # where the configuration is read from
    pasted: frozenset[str] = frozenset()  # files whose lines are shown without marks of a paste


class _Shows(Struct, frozen=True):
    """Show outputs of a file without a configuration."""

    file: str
    host: str | None
    coverage: FileCoverage
    problems: tuple[Problem, ...]
    gaps: tuple[Gap, ...]
    shown: tuple[Section, ...]
    is_pasted: bool = False


def read_device(inputs: DeviceInputs, settings: Settings, fleet: Fleet | None = None) -> Reading:
    """Read all inputs of one device.

    Parameters
    ----------
    inputs
        Its configuration or bundle, where the run has one, and show outputs of other files.
    settings
        Statements about the device are kept with it.
    fleet
        What the devices of the run know of each other.
    """
    shows = [_shows_of(source) for source in inputs.shows]
    if inputs.config is None:
        reading = _of_shows(shows, settings)
        return replace(reading, incomplete=(*_said_of_rivals(inputs), *reading.incomplete))
    reading = read_source(inputs.config, settings, fleet)
    same_name = [
        f"{name} holds another configuration of {reading.device.name}, and nothing tells that one "
        "is an older state of the other: both are judged"
        for name in inputs.others
    ]
    first, *more = reading.coverage
    coverage = (with_assumed(first, same_name), *more)
    return _joined(replace(reading, coverage=coverage), shows)


def _said_of_rivals(inputs: DeviceInputs) -> Iterator[str]:
    """Say that a cut prompt, or a name that several configurations bear, fits several devices."""
    for source in inputs.shows if inputs.others else ():
        yield (
            f"{source.name}: the configurations of {', '.join(inputs.others)} bear its name, and "
            "none stands nearer than the others: its outputs are joined with none; put them into "
            "the folder of theirs"
        )
    if inputs.rivals:
        for source in inputs.shows:
            yield (
                f"{source.name}: the prompt is cut and fits {', '.join(inputs.rivals)}: nothing "
                "tells which, and its outputs are joined with none; take `show version` with them"
            )


def _shows_of(source: Source) -> _Shows:
    capture = capture_of(source)
    host = host_of(capture)
    coverage = FileCoverage(
        file=source.name,
        device=host,
        taken_for=_taken_for(capture),
        lines=_line_count(source),
    )
    return _Shows(
        file=source.name,
        host=host,
        coverage=coverage,
        problems=tuple(_rejected(capture.sections)),
        gaps=capture.gaps,
        shown=tuple(_shown(capture)),
        is_pasted=source.is_pasted,
    )


def _taken_for(capture: Capture) -> str:
    """Name the kind of device that loose show outputs were taken for."""
    taken = kind_of(Dialect.IOS, capture.sections)
    is_older = any(section.kind is SectionKind.CONFIG for section in capture.sections)
    return f"{taken}; its configuration is older than another one" if is_older else taken


def _observed(sections: Sequence[Section], file: str) -> Observations:
    if all(section.kind is not SectionKind.SHOW for section in sections):
        return Observations()
    from advisor.shows.observe import observe  # noqa: PLC0415 -- most files are configs alone

    return observe(newest_last(sections), file)


def read_source(source: Source, settings: Settings, fleet: Fleet | None = None) -> Reading:
    """Read one input: its kind, its device, and what was understood.

    `fleet` are the DLSw+ peers of all inputs of the run.
    """
    capture = capture_of(source)
    configs = [section for section in capture.sections if section.kind is SectionKind.CONFIG]
    first = main_config(configs)
    dialect, evidence = _dialect(capture, first)
    first = first if dialect is Dialect.IOS else None
    file = first.file or source.name if first is not None else source.name
    tree, config, of_outputs = ConfigTree(file, ()), first, tuple[str, ...]()
    if first is not None:
        viewed = with_later_views(first, configs)
        config, of_outputs = _with_outputs(viewed, capture.sections)
        tree = parse_config(config.shown, file, config.first_line)
        tree = replace(tree, is_capture=tree.is_capture or _is_printed(first, capture.sections))
    elsewhere = [section for section in capture.sections if section is not first]
    tree = replace(tree, problems=(*tree.problems, *_rejected(elsewhere)))
    device = device_of(
        read_facts(tree),
        host_of(capture),
        seen=_observed(capture.sections, capture.file),
        settings=settings,
        fleet=fleet or Fleet(design=settings.dlsw),
        dialect=dialect,
        evidence=evidence,
        evidence_line=_line_of(evidence, capture.sections),
        gaps=(*capture.gaps, *partial_configs(capture)),
    )
    device = replace(
        device,
        is_among_others=source.is_among_others,
        unjudged=() if first is None else tuple(unjudged_users(configs, first)),
    )
    lines = sum(section.text.count("\n") for section in capture.sections) or _line_count(source)
    covered = file_coverage(device, source.name, lines, kind_of(dialect, capture.sections))
    doubles = (
        *of_outputs,
        *said_of_configs(configs, first),
        *said_of_parts(configs, first),
        *said_of_repeated(newest_last(capture.sections)),
        *_said_of_manifest(source, capture, first),
    )
    covered = with_assumed(covered, doubles)
    reasons = (*why_incomplete(device, source.name), *said_of_hardware(device.seen.versions))
    reasons += tuple(said_of_changes(capture.sections, first))
    if first is not None:
        reasons += tuple(said_of_addresses(first, running_configs(configs)))
        reasons += (*said_of_rivals(configs, first), *said_of_cut(configs, first))
    pasted = frozenset({source.name} if source.is_pasted else ())
    return Reading(device, (covered,), reasons, tuple(_shown(capture)), config, pasted)


def _with_outputs(config: Section, sections: Sequence[Section]) -> tuple[Section, tuple[str, ...]]:
    """A part of a configuration with the policies that outputs print, and what is told of them."""
    if not is_part(config):
        return config, ()
    from advisor.device.shown_policies import with_shown_policies  # noqa: PLC0415 -- most are whole

    return with_shown_policies(config, sections)


def _said_of_manifest(source: Source, capture: Capture, first: Section | None) -> Iterator[str]:
    """Say that the manifest of a bundle names another device than its configuration."""
    name = configured_name(first) if source.is_bundle and first is not None else None
    named = (capture.device or "").lower()
    if name is None or not named or name.lower().startswith(named.partition(".")[0]):
        return
    yield (
        f"the manifest names {capture.device}, and the configuration {name}: the bundle may be of "
        "another device, or lie in its folder"
    )


def _is_printed(config: Section, sections: Sequence[Section]) -> bool:
    """Whether a prompt or a show output around a configuration tells that a device printed it."""
    others = (section for section in sections if section is not config)
    return any(other.host is not None or other.kind is SectionKind.SHOW for other in others)


def _dialect(capture: Capture, first: Section | None) -> tuple[Dialect, str]:
    """The system by what an output calls itself, else by the configuration."""
    for section in capture.sections:
        if section.other_system is not None:
            return section.other_system, ""
    if first is not None:
        return first.identity or identity_of(first.lines)
    is_shown = any(section.kind is SectionKind.SHOW for section in capture.sections)
    if is_shown or any(gap.kind is GapKind.CUT for gap in capture.gaps):
        return Dialect.IOS, ""
    return identify("".join(section.text for section in capture.sections))


def _joined(reading: Reading, shows: list[_Shows]) -> Reading:
    """Add show outputs of other files to a device."""
    if not shows:
        return reading
    device, tree = reading.device, reading.device.facts.tree
    problems = tuple(part for file in shows for part in file.problems)
    tree = replace(tree, problems=tree.problems + problems)
    taken = (*reading.shown, *(section for file in shows for section in file.shown))
    ordered = newest_last(taken)
    seen = _observed(ordered, device.name)
    facts = replace(device.facts, tree=tree)
    joined = replace(
        with_facts(device, facts, seen),
        gaps=device.gaps + tuple(gap for file in shows for gap in file.gaps),
    )
    assumed = {sentence for covered in reading.coverage for sentence in covered.assumed}
    doubles = [sentence for sentence in said_of_repeated(ordered) if sentence not in assumed]
    coverage = reading.coverage + tuple(file.coverage for file in shows)
    coverage = (*coverage[:-1], with_assumed(coverage[-1], doubles))
    failed = [*not_understood(seen), *ends_early(joined), *said_of_hardware(seen.versions)]
    failed = [said for said in failed if said not in reading.incomplete]
    for file in shows:
        failed += filtered_alone(_taken_of(file.file, seen), file.file)
    failed += [f"{file.file}: {gap}" for file in shows for gap in file.gaps]
    incomplete = (*reading.incomplete, *failed)
    pasted = reading.pasted | {file.file for file in shows if file.is_pasted}
    return replace(
        reading,
        device=joined,
        coverage=coverage,
        incomplete=incomplete,
        shown=taken,
        pasted=pasted,
    )


def _taken_of(file: str, seen: Observations) -> tuple[TakenOutput, ...]:
    return tuple(taken for taken in seen.taken if taken.at.file == file)


def _of_shows(shows: list[_Shows], settings: Settings) -> Reading:
    """A device without a configuration in the run."""
    first = shows[0]
    device = device_of(
        read_facts(ConfigTree(first.file, ())),
        first.host,
        seen=Observations(),
        settings=settings,
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
            problems = parse_config(section.shown, section.file, section.first_line).problems
            refused = (problem for problem in problems if problem.kind is ProblemKind.REJECTED)
            if any(mark in section.text for mark in _NOT_A_COMMAND):
                refused = (replace(problem, detail="what was typed") for problem in refused)
            yield from refused


def _line_of(evidence: str, sections: Sequence[Section]) -> int:
    """Number of the first line that holds the evidence; the first where no line shows it."""
    for section in sections:
        start = section.shown.find(evidence) if evidence else -1
        if start >= 0:
            return section.first_line + section.shown.count("\n", 0, start)
    return sections[0].first_line if sections else 1


def _line_count(source: Source) -> int:
    ends = source.payload.count(b"\n")
    return ends + (bool(source.payload) and not source.payload.endswith(b"\n"))
