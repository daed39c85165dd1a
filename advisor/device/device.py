"""One device: what its config says, what was observed, what the user states."""

import re
from collections.abc import Callable
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture import Gap
from advisor.device.peers import Fleet
from advisor.facts.config import Facts
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.tree import ConfigTree, Location
from advisor.settings.values import Traffic, Transactions
from advisor.shows.observations import Observations
from advisor.units import whole

if TYPE_CHECKING:
    from advisor.shows.version.reader import Version

Made = TypeVar("Made")


class Generation(StrEnum):
    """Queueing implementations of IOS that differ in defaults and in what they refuse."""

    PRE_HQF = "pre-HQF"  # up to 12.4 mainline, 12.4T before 12.4(20)T
    HQF = "HQF"  # 12.4(20)T and later T trains, 15.x
    XE = "IOS XE"


class Train(Struct, frozen=True):
    """The generation of a device, and whether it is known or assumed.

    `possible` are all generations that it may be, the one taken among them.
    """

    generation: Generation
    assumed: bool
    because: str
    possible: tuple[Generation, ...]


class Device(Struct, frozen=True, eq=False, dict=True):
    """The snapshot that predictions and checks work on. Compared by identity: it is large."""

    name: str
    facts: Facts
    train: Train
    seen: Observations = field(default_factory=Observations)
    traffic: tuple[Traffic, ...] = ()  # the user's statements that apply to this device
    dialect: Dialect = Dialect.IOS
    evidence: str = ""  # the line that shows a foreign dialect
    evidence_line: int = 1
    gaps: tuple[Gap, ...] = ()  # commands of a capture that are missing or cut
    transactions: Transactions | None = None  # the peak of SNA that the user states
    fleet: Fleet = field(default_factory=Fleet)  # DLSw+ peers of all devices of the run

    def derived(self, make: "Callable[[Device], Made]") -> Made:
        """Return what a pure function makes of this device: made once, kept as long as the device.

        It is no part of the device: a copy or a pickle of the device makes it anew.
        """
        made: dict[Callable[[Device], object], object] = self.__dict__.setdefault("_derived", {})
        if make not in made:
            made[make] = make(self)
        return cast("Made", made[make])

    @property
    def is_ios(self) -> bool:
        """Whether it runs IOS or IOS XE: no other system is judged."""
        return self.dialect is Dialect.IOS

    @property
    def platform(self) -> str | None:
        """Platform by `show version`, else by the config; None where neither tells."""
        shown = next((each.platform for each in self.seen.versions if each.platform), None)
        stated = self.facts.platform
        return shown or (stated.value if stated is not None else None)

    @property
    def at(self) -> Location:
        """The line that names the device, else the first of its config."""
        hostname = self.facts.hostname
        return hostname.at if hostname else Location(self.facts.tree.file, 1)


_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})(?:\((\d{1,4})[^)]*\)([A-Z]*))?", re.ASCII)
_FIRST_HQF_12_4_T = 20
_FIRST_HQF_MAJOR = 15
_FIRST_XE_MAJOR = 16


def train_of(facts: Facts, seen: Observations | None = None) -> Train:
    """Generation by `show version`, else the release in the config, else its `version` line.

    `version 12.4` alone cannot tell 12.4 mainline from 12.4(20)T: it is taken for pre-HQF and
    said to be assumed. 15.x may be IOS or early IOS XE (3.xS runs as 15.x): taken for HQF.
    Source: Cisco's HQF documents (12.4(20)T and any 15.x: HQF).
    """
    shown = next((each for each in seen.versions), None) if seen is not None else None
    if shown is not None:
        return _shown_train(shown)
    stated = facts.release or facts.version
    if stated is None:
        return _any_train("no `version` line")
    because = f"version {stated.value}"
    match = _VERSION.match(stated.value)
    if match is None:
        return _any_train(because)
    major, minor, rebuild, letter = match.groups()
    if whole(major) >= _FIRST_HQF_MAJOR:
        new = Generation.XE if whole(major) >= _FIRST_XE_MAJOR else Generation.HQF
        return _known_train(new, because)
    is_124 = (whole(major), whole(minor)) == (12, 4)
    late = letter == "T" and rebuild is not None and whole(rebuild) >= _FIRST_HQF_12_4_T
    generation = Generation.HQF if is_124 and late else Generation.PRE_HQF
    if is_124 and rebuild is None:
        possible = (Generation.PRE_HQF, Generation.HQF)
        return Train(generation, assumed=True, because=because, possible=possible)
    return _known_train(generation, because)


def _known_train(generation: Generation, because: str) -> Train:
    return Train(generation, assumed=False, because=because, possible=(generation,))


def _any_train(because: str) -> Train:
    """The oldest generation, where nothing says which one it is."""
    return Train(Generation.PRE_HQF, assumed=True, because=because, possible=tuple(Generation))


def _shown_train(shown: "Version") -> Train:
    because = f"show version: {shown.version_text}"
    if shown.is_xe:
        return _known_train(Generation.XE, because)
    release = shown.release
    if release is None:
        return _any_train(because)
    hqf_t = (release.major, release.minor) == (12, 4) and release.train.startswith("T")
    late = hqf_t and release.release >= _FIRST_HQF_12_4_T
    hqf = release.major >= _FIRST_HQF_MAJOR or late
    return _known_train(Generation.HQF if hqf else Generation.PRE_HQF, because)


def device_of(
    facts: Facts,
    name: str | None,
    *,
    seen: Observations,
    traffic: tuple[Traffic, ...],
    transactions: tuple[Transactions, ...],
    fleet: Fleet,
    dialect: Dialect,
    evidence: str,
    evidence_line: int,
    gaps: tuple[Gap, ...],
) -> Device:
    """Join what is known of one device. Its hostname wins over the name of a prompt."""
    if facts.hostname is not None:
        name = facts.hostname.value
    name = name or facts.tree.file
    own_traffic = tuple(statement for statement in traffic if fnmatchcase(name, statement.device))
    return Device(
        name=name,
        facts=facts,
        train=train_of(facts, seen),
        seen=seen,
        traffic=own_traffic,
        dialect=dialect,
        evidence=evidence,
        evidence_line=evidence_line,
        gaps=gaps,
        transactions=next(
            (statement for statement in transactions if fnmatchcase(name, statement.device)), None
        ),
        fleet=fleet,
    )


def with_tree(device: Device, tree: ConfigTree) -> Device:
    """Return the same device with another config: what a remedy or a what-if makes of it."""
    facts = read_facts(tree)
    return replace(device, facts=facts, train=train_of(facts, device.seen))
