"""Lists the evidence that rules lacked, and the objects and columns that findings stand at."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from advisor.capture.commands import command_parts
from advisor.capture.outputs import outputs
from advisor.device.coverage import DeviceCoverage, Wanted
from advisor.device.device import Device
from advisor.device.reading import Reading
from advisor.ios.syntax import physical_lines
from advisor.lint.cards import Rule
from advisor.lint.findings import Finding, ObjectKind, Place, Skipped
from advisor.settings import Settings, StatedRate, Traffic, Transactions

if TYPE_CHECKING:
    from advisor.outlet.plain import OutputPoint
    from advisor.outlet.statements import Misstated


# The columns of the lines that findings quote: where their text stands in the file.


def with_columns(findings: Iterable[Finding], reading: Reading) -> tuple[Finding, ...]:
    """Findings of a device whose places have columns where the file holds their text as it stands.

    A log may hold more on the line than what the device printed: a time stamp, a prompt. Of a file
    whose margin was taken off no column is known.
    """
    lines = _LinesOfFiles(reading)
    return tuple(
        replace(finding, locations=tuple(map(lines.place, finding.locations)))
        for finding in findings
    )


class _LinesOfFiles:
    """Lines of the configuration and of the show outputs of a device, as their files hold them."""

    def __init__(self, reading: Reading) -> None:
        self._pasted = reading.pasted
        self._file = reading.device.facts.tree.file
        sections = (reading.config, *reading.shown)
        self._sections = [section for section in sections if section is not None]
        self._split: dict[int, list[str]] = {}

    def place(self, at: Place) -> Place:
        """A place with its columns."""
        is_known = bool(at.text) and at.file not in self._pasted
        start = self._line(at).find(at.text) if is_known else -1
        if start < 0:
            return at
        return replace(at, column=start + 1, end_column=start + 1 + len(at.text))

    def _line(self, at: Place) -> str:
        """The line of the file; empty where it is not known."""
        for index, section in enumerate(self._sections):
            row = at.line - section.first_line
            if (section.file or self._file) != at.file or row < 0:
                continue
            if index not in self._split:
                self._split[index] = physical_lines(section.text)
            if row < len(self._split[index]):
                return self._split[index][row]
        return ""


# The objects of a configuration that findings stand at: a rename is told by them.


class KnownObject(Struct, frozen=True):
    """An interface, a class-map, a policy-map or a class of one, by its object path.

    `nhrp_group` is the group that a tunnel announces as a spoke, `bundle` the path of the multilink
    bundle that an interface is a member of.
    """

    device: str
    path: str
    is_shut: bool = False
    nhrp_group: str | None = None
    bundle: str | None = None


def objects_of(device: Device) -> Iterator[KnownObject]:
    """The objects of a device, in its order."""
    facts = device.facts
    off = _off_with_members(device) if facts.policy_maps else frozenset()
    for own in facts.interfaces:
        is_shut = own.shutdown or own.name in off
        group = own.nhrp_group.value if own.nhrp_group is not None else None
        path = f"interface {own.name}"
        multilink = own.multilink.group
        bundle = None if multilink is None else f"interface Multilink{multilink.value}"
        bundle = None if bundle == path else bundle
        yield KnownObject(device.name, path, is_shut, group, bundle)
    paths = [f"class-map {own.name}" for own in facts.class_maps]
    for policy in facts.policy_maps:
        paths.append(f"policy-map {policy.name}")
        paths += [policy.path_of(own.name) for own in policy.classes]
    yield from (KnownObject(device.name, path) for path in paths)


def _off_with_members(device: Device) -> frozenset[str]:
    """Bundles and Dialers with a policy whose members are all shut."""
    from advisor.outlet.void_places import Lack, void_places  # noqa: PLC0415 -- for QoS alone

    places = void_places(device)
    return frozenset(place.home.name for place in places if place.lack is Lack.MEMBER_UP)


# Evidence that rules lacked, and the statements of the user that apply to a device.

Statement: TypeAlias = Traffic | Transactions | StatedRate

TRAFFIC: Final = "traffic"  # stands in place of a rule where a statement is not used
_NO_DEVICE: Final = "this [[traffic]] is of no device whose whole configuration is in the run"


def wanted_by(rules: Iterable[Rule]) -> tuple[Wanted, ...]:
    """Commands that rules judge by, each with these rules."""
    wanting: dict[str, list[str]] = {}
    for rule in rules:
        for command in rule.wants:
            wanting.setdefault(command, []).append(rule.card.id)
    return tuple(Wanted(command, tuple(ids)) for command, ids in sorted(wanting.items()))


def device_coverage(device: Device, wanted: Sequence[Wanted]) -> DeviceCoverage:
    """Commands captured of a device, and those that rules would have judged by.

    What `| count` or `| redirect` left of an output is none.
    """
    taken = device.seen.taken
    whole = [part.command for part in taken if part.is_read or "|" not in part.command]
    missing = [item for item in wanted if not any(_serves(name, item.command) for name in whole)]
    captured = tuple(dict.fromkeys(whole))
    return DeviceCoverage(device.name, captured, tuple(missing) if device.is_ios else ())


def _serves(taken: str, wanted: str) -> bool:
    """Whether an output is the wanted one: not one of its tables with another layout."""
    name = command_parts(taken).output if wanted in outputs() else taken
    return name is not None and name.startswith(wanted)


def described_outputs(device: Device) -> "tuple[OutputPoint, ...]":
    """Every output, with what queues there: those without a policy have no prediction."""
    from advisor.outlet.plain import output_points  # noqa: PLC0415 -- a lint does without

    return output_points(device)


def used(device: Device) -> tuple[Statement, ...]:
    """Statements of the user that this device answers to."""
    if not (device.traffic or device.stated_rates):
        return tuple(filter(None, (device.transactions,)))
    from advisor.outlet.statements import answered_by  # noqa: PLC0415 -- most runs state nothing

    return (*answered_by(device), *filter(None, (device.transactions,)))


def unused(
    settings: Settings, answered: Collection[Statement], wrong: Collection["Misstated"]
) -> Iterator[Skipped]:
    """A word for each statement that no output, or no device, of the run answers to."""
    reasons = {misstated.statement: misstated.said for misstated in wrong}
    stated: tuple[Statement, ...] = (*settings.traffic, *settings.transactions, *settings.rates)
    for statement in stated:
        if statement in answered:
            continue
        if isinstance(statement, Transactions):
            yield _skipped(statement.device, f"{statement.source}: peak_tps", _NO_DEVICE)
            continue
        named = f"interface {statement.interface}"
        if isinstance(statement, Traffic):
            named += f", class {statement.class_name}"
        if statement in reasons:
            yield _skipped(statement.device, named, reasons[statement])
        else:
            yield _skipped(statement.device, f"{statement.source}: {named}", _NO_DEVICE)


def _skipped(device: str, statement: str, reason: str) -> Skipped:
    return Skipped(device, TRAFFIC, statement, reason, ObjectKind.NAME)
