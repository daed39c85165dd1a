"""One device: what its config says, what was observed, what the user states."""

from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from advisor.capture import Gap
from advisor.device.peers import Fleet
from advisor.device.platform import Decision
from advisor.device.platform_evidence import platform_of
from advisor.facts.config import Facts
from advisor.facts.read_config import read_facts
from advisor.ios.syntax.detect import Dialect
from advisor.ios.syntax.tree import ConfigTree, Location
from advisor.settings.values import StatedPlatform, Traffic, Transactions
from advisor.shows.observations import Observations

Made = TypeVar("Made")


class Device(Struct, frozen=True, eq=False, dict=True):
    """The snapshot that predictions and checks work on. Compared by identity: it is large."""

    name: str
    facts: Facts
    platform: Decision
    seen: Observations = field(default_factory=Observations)
    traffic: tuple[Traffic, ...] = ()  # the user's statements that apply to this device
    dialect: Dialect = Dialect.IOS
    evidence: str = ""  # the line that shows a foreign dialect
    evidence_line: int = 1
    gaps: tuple[Gap, ...] = ()  # commands of a capture that are missing or cut
    transactions: Transactions | None = None  # the peak of SNA that the user states
    fleet: Fleet = field(default_factory=Fleet)  # what the devices of the run know of each other
    stated_platforms: tuple[StatedPlatform, ...] = ()

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
    def at(self) -> Location:
        """The line that names the device, else the first of its config."""
        hostname = self.facts.hostname
        return hostname.at if hostname else Location(self.facts.tree.file, 1)


def device_of(
    facts: Facts,
    name: str | None,
    *,
    seen: Observations,
    traffic: tuple[Traffic, ...],
    transactions: tuple[Transactions, ...],
    platforms: tuple[StatedPlatform, ...],
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
        platform=platform_of(facts, seen, name, platforms),
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
        stated_platforms=platforms,
    )


def with_tree(device: Device, tree: ConfigTree) -> Device:
    """Return the same device with another config: what a remedy or a what-if makes of it.

    An edit changes neither the hardware nor the software: its platform stays as it was decided.
    """
    return replace(device, facts=read_facts(tree))


def with_facts(device: Device, facts: Facts, seen: Observations) -> Device:
    """Return the same device with other facts and observations; its platform is decided anew."""
    platform = platform_of(facts, seen, device.name, device.stated_platforms)
    return replace(device, facts=facts, seen=seen, platform=platform)
