"""Shows how a device was understood, as a tree: facts, observations, platform, coverage."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from advisor.capture.commands import command_parts, spell_out
from advisor.capture.cuts import read_capture
from advisor.capture.masking import mask_quoted_line
from advisor.capture.outputs import RUNNING_CONFIG, STARTUP_CONFIG
from advisor.capture.sections import Section, SectionKind
from advisor.device.coverage import Wanted
from advisor.device.device import Device
from advisor.device.platform import Decision, Evidence
from advisor.device.platforms import Strength
from advisor.device.reading import Reading, Source
from advisor.facts import Stated
from advisor.ios.syntax import Location
from advisor.ios.syntax.detect import Dialect, identify
from advisor.ios.syntax.names import interface_name
from advisor.ios.terminal import text_of
from advisor.shows.observations import Observations, TakenOutput
from advisor.shows.observe import observe
from advisor.shows.output import Declined
from advisor.shows.redact import redact_text

# A tree of named values, each with the line that states it: what `inspect` shows.

Scalar: TypeAlias = str | int | float | bool | None


def without_secrets(payload: bytes, name: str) -> str:
    """Text of a file without secrets, which reads as before."""
    return redact_text(text_of(payload), name)


class Leaf(Struct, frozen=True):
    """One value; `at` is the line that states it, None where its record has one.

    `is_place` is true of a file with its line: no device printed it.
    """

    value: Scalar
    at: Location | None = None
    is_place: bool = False


class Record(Struct, frozen=True):
    """Named values, in their order."""

    members: tuple[tuple[str, "Node"], ...]
    at: Location | None = None


class Many(Struct, frozen=True):
    """Values of one kind, in the order of the text."""

    items: tuple["Node", ...]


Node: TypeAlias = Leaf | Record | Many


# The decision on a platform as a tree: family, generation and model, with the evidence.


def platform_members(platform: Decision) -> tuple[tuple[str, Node], ...]:
    """Model, family and generation, with the evidence: strongest first."""
    model, family = platform.model, platform.decides_family
    queueing = (
        ("generation", Leaf(platform.generation.value)),
        ("assumed", Leaf(platform.assumed)),
        ("because", Leaf(platform.because)),
        ("possible", _words(platform.generations)),
    )
    return (
        ("platform", Leaf(platform.model_name, model.at if model is not None else None)),
        ("family", Leaf(platform.family, family.at if family is not None else None)),
        ("queueing", Record(queueing)),
        ("platform_evidence", Many(tuple(_evidence(piece) for piece in platform.evidence))),
        ("contradicting", Many(tuple(_evidence(piece) for piece in platform.contradicting))),
    )


def _evidence(piece: Evidence) -> Record:
    trait = piece.trait
    members = (
        ("evidence", Leaf(piece.text)),
        ("kind", Leaf(piece.strength.name.lower().replace("_", " "))),
        ("families", _words(trait.families)),
        ("generations", _words(trait.generations)),
        ("model", Leaf(trait.model)),
        ("processor", Leaf(trait.processor)),
        ("grade", Leaf(trait.grade.value)),
    )
    return Record(members, piece.at)


def named_by_lines(platform: Decision) -> Iterator[tuple[str, Node]]:
    """Model and release that lines of the configuration name."""
    own = [
        piece
        for piece in platform.evidence
        if piece.strength not in (Strength.SHOW_VERSION, Strength.INVENTORY, Strength.STATED)
    ]
    model = next((piece for piece in own if piece.trait.model is not None), None)
    releases = (piece for piece in own if piece.trait.release is not None)
    release = next(
        (piece for piece in releases if piece.strength is not Strength.VERSION_LINE), None
    )
    yield "platform", Leaf(model.trait.model, model.at) if model is not None else Leaf(None)
    yield "release", Leaf(release.trait.release, release.at) if release is not None else Leaf(None)


def _words(values: Iterable[str]) -> Many:
    return Many(tuple(Leaf(str(value)) for value in values))


# Shows how a device was understood: facts, observations, coverage, each with its line.
#
# The tree is made of the fields themselves, so whatever a reader learns to read is shown: names
# end in their unit, what is not known is None.

_CONFIGS: Final = (RUNNING_CONFIG, STARTUP_CONFIG)
_NOT_READ: Final = "kept, not read"
_IN_UNIT: Final = ("amount", "min_threshold", "max_threshold")  # in the unit of the field `unit`


def inspect_device(
    reading: Reading, missing: Sequence[Wanted], points: Sequence[Struct] = ()
) -> Record:
    """Everything that was understood of a device.

    Parameters
    ----------
    reading
        The device and what was read of its files.
    missing
        Commands that rules would have judged by.
    points
        The output points of the device, with what queues there.
    """
    device = reading.device
    coverage = (
        ("files", _node(reading.coverage)),
        ("outputs", _outputs(device.seen)),
        ("missing", _node(tuple(missing))),
        ("incomplete", _node(reading.incomplete)),
    )
    return Record(
        (
            ("device", Leaf(device.name)),
            ("dialect", Leaf(device.dialect.value)),
            *platform_members(device.platform),
            ("coverage", Record(coverage)),
            ("output_points", _node(tuple(points))),
            ("facts", _facts(device)),
            ("observations", _observations(device.seen, is_whole=True)),
        )
    )


def inspect_output(reading: Reading, command: str) -> Record | None:
    """Show how the outputs of one command were understood; None where the device has none.

    Parameters
    ----------
    reading
        The device and what was read of its files.
    command
        Abbreviated or not. With arguments only the outputs that were asked for with the same
        ones; `show running-config` is the configuration.
    """
    device = reading.device
    name = ("device", Leaf(device.name))
    if command_parts(spell_out(command)).output in _CONFIGS:
        return Record((name, ("facts", _facts(device)))) if device.facts.tree.lines else None
    seen = _of_command(device.seen, spell_out(command))
    if not seen.taken:
        return None
    observations = _observations(seen, is_whole=False)
    return Record((name, ("outputs", _outputs(seen)), ("observations", observations)))


# The lines themselves, and bare names of sections: in a file that is cut, any word may stand there.
_NOT_LISTED: Final = ("tree", "sections")


def _facts(device: Device) -> Record:
    facts = device.facts
    members = asdict(facts).items()
    return Record(
        (
            *((name, _node(value)) for name, value in members if name not in _NOT_LISTED),
            *named_by_lines(device.platform),
        ),
        Location(facts.tree.file, 1),
    )


def _outputs(seen: Observations) -> Many:
    return Many(tuple(_output(taken) for taken in seen.taken))


def _output(taken: TakenOutput) -> Record:
    """Return one output that was captured; `remark` says why there are no observations of it."""
    remark = "; ".join(taken.not_understood) or None
    if not taken.is_read:
        remark = _NOT_READ
    members = (
        ("command", Leaf(taken.command)),
        ("time", Leaf(taken.time)),
        ("understood", Leaf(taken.understood)),
        ("remark", Leaf(remark)),
    )
    parts = Many(tuple(_declined(part) for part in taken.declined))
    return Record((*members, *((("not_understood", parts),) if taken.declined else ())), taken.at)


def _declined(part: Declined) -> Record:
    """Return one part that is not understood; `at` is the line that is not."""
    members = (
        ("part", Leaf(part.part.value)),
        ("name", Leaf(part.name)),
        ("is_cut", Leaf(part.is_cut)),
        ("line", Leaf(part.at.line)),
    )
    return Record(members, part.start)


def _observations(seen: Observations, *, is_whole: bool) -> Record:
    members = asdict(seen).items()
    return Record(
        tuple(
            (name, _node(value))
            for name, value in members
            if name != "taken" and (value or is_whole)
        )
    )


def _node(value: object) -> Node:
    if isinstance(value, Stated):
        return Leaf(_scalar(value.value), value.at)
    if isinstance(value, tuple):
        return Many(tuple(_node(member) for member in value))
    if isinstance(value, Struct) and not isinstance(value, Location):
        return _record(asdict(value))
    return Leaf(_scalar(value), is_place=isinstance(value, Location))


def _scalar(value: object) -> Scalar:
    if isinstance(value, Enum):
        return _scalar(value.value)
    if isinstance(value, Location):
        return str(value)
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if value is None or isinstance(value, bool | int | str):
        return value
    raise TypeError(f"{type(value).__name__} has no place in the tree")


def _record(members: Mapping[str, object]) -> Record:
    unit, at = members.get("unit"), members.get("at")
    at = at if isinstance(at, Location) else None
    return Record(
        tuple(
            (_with_unit(name, unit), _node(member))
            for name, member in members.items()
            if name != "at" or at is None
        ),
        at,
    )


def _with_unit(name: str, unit: object) -> str:
    """Name of a field with the unit that stands beside it, where it has none of its own."""
    if name in _IN_UNIT and isinstance(unit, Enum):
        return f"{name}_{str(unit.value).replace(' ', '_')}"
    return name


def _of_command(seen: Observations, command: str) -> Observations:
    """Return what was read of the outputs of a command: what lies in their lines."""
    starts: dict[str, list[tuple[int, bool]]] = {}
    for taken in seen.taken:
        starts.setdefault(taken.at.file, []).append(
            (taken.at.line, _is_asked(taken.command, command))
        )
    for outputs in starts.values():
        outputs.sort()

    def is_wanted(value: object) -> bool:
        if isinstance(value, TakenOutput):
            return _is_asked(value.command, command)
        at = _first_location(value)
        before = starts.get(at.file, []) if at is not None else []
        position = bisect_right(before, at.line, key=lambda start: start[0]) if at else 0
        return position > 0 and before[position - 1][1]

    wanted = {name: tuple(filter(is_wanted, taken)) for name, taken in asdict(seen).items()}
    return Observations(**wanted)


def _is_asked(taken: str, command: str) -> bool:
    wanted_output, taken_output = command_parts(command), command_parts(taken)
    if wanted_output.output is None:
        return taken == command or taken.startswith(f"{command} ")
    if taken_output.output is not wanted_output.output:
        return False
    return not wanted_output.arguments or _spelled(taken_output.arguments) == _spelled(
        wanted_output.arguments
    )


def _spelled(arguments: Sequence[str]) -> str:
    return interface_name("".join(arguments)).lower()


def _first_location(value: object) -> Location | None:
    """Return the first line that a value names, however deep."""
    if isinstance(value, Location):
        return value
    if isinstance(value, tuple):
        inner: Iterable[object] = value
    elif isinstance(value, Struct):
        inner = asdict(value).values()
    else:
        return None
    return next((at for member in inner if (at := _first_location(member)) is not None), None)


def parts(source: Source) -> Iterator[TakenOutput]:
    """Say of each part of an input what it was taken for, how that is known, and when it was taken.

    Configurations, what is not read and what is not recognised are parts too.
    """
    capture = source.capture or read_capture(text_of(source.payload), source.name)
    shows = iter(observe(capture.sections, capture.file).taken)
    for section in capture.sections:
        taken = next(shows) if section.kind is SectionKind.SHOW else None
        remarks = (_remark(section, taken), section.gap)
        yield TakenOutput(
            command=section.command or "",
            said="; ".join(str(part) for part in (section, *remarks) if part),
            time=str(section.time) if section.time is not None else None,
            understood=taken.understood if taken else section.kind is SectionKind.CONFIG,
            at=Location(section.file or capture.file, section.first_line),
        )


def _remark(section: Section, taken: TakenOutput | None) -> str | None:
    """Return what is to say of a part that was not read as what it was taken for."""
    if taken is not None:
        not_read = None if taken.is_read else taken.said
        return "; ".join(taken.not_understood) or not_read
    if section.kind is SectionKind.CONFIG:
        dialect = identify(section.output).dialect
        return f"{dialect.value}, skipped" if dialect is not Dialect.IOS else None
    return None if section.refusal is None else mask_quoted_line(section.refusal)
