"""One device: what its config says, what was observed, what the user states."""

import re
from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase

from advisor.facts.config import Facts
from advisor.ios.detect import Dialect
from advisor.ios.tree import Location
from advisor.observed.cpu import CpuLoad
from advisor.settings import Traffic


class Generation(StrEnum):
    """Queueing implementations of IOS that differ in defaults and in what they refuse."""

    PRE_HQF = "pre-HQF"  # up to 12.4 mainline, 12.4T before 12.4(20)T
    HQF = "HQF"  # 12.4(20)T and later T trains, 15.x
    XE = "IOS XE"


@dataclass(frozen=True, slots=True)
class Train:
    """The generation of a device and whether it is known or taken for granted."""

    generation: Generation
    assumed: bool
    because: str


@dataclass(frozen=True, eq=False)
class Device:
    """The snapshot that predictions and checks work on. Compared by identity: it is large."""

    name: str
    facts: Facts
    train: Train
    cpu: tuple[CpuLoad, ...] = ()
    traffic: tuple[Traffic, ...] = ()  # the user's statements that apply to this device
    dialect: Dialect = Dialect.IOS
    evidence: str = ""  # the line that shows a foreign dialect
    evidence_line: int = 1

    @property
    def at(self) -> Location:
        """The line that names the device, else the first of its config."""
        hostname = self.facts.hostname
        return hostname.at if hostname else Location(self.facts.tree.file, 1)


_VERSION = re.compile(r"(\d+)\.(\d+)(?:\((\d+)[^)]*\)([A-Z]*))?")
_FIRST_HQF_12_4_T = 20
_FIRST_HQF_MAJOR = 15
_FIRST_XE_MAJOR = 16


def train_of(facts: Facts) -> Train:
    """Generation from the release where it is known, else from the config's `version` line.

    `version 12.4` alone cannot tell 12.4 mainline from 12.4(20)T: it is taken for pre-HQF and
    said to be assumed. 15.x may be IOS or early IOS XE (3.xS runs as 15.x): taken for HQF.
    Source: Cisco's HQF documents (12.4(20)T and any 15.x: HQF).
    """
    stated = facts.release or facts.version
    if stated is None:
        return Train(Generation.PRE_HQF, assumed=True, because="no `version` line")
    because = f"version {stated.value}"
    found = _VERSION.match(stated.value)
    if found is None:
        return Train(Generation.PRE_HQF, assumed=True, because=because)
    major, minor, rebuild, letter = found.groups()
    if int(major) >= _FIRST_XE_MAJOR:
        return Train(Generation.XE, assumed=False, because=because)
    if int(major) == _FIRST_HQF_MAJOR:
        return Train(Generation.HQF, assumed=False, because=because)
    is_124 = (int(major), int(minor)) == (12, 4)
    if is_124 and letter == "T" and rebuild is not None and int(rebuild) >= _FIRST_HQF_12_4_T:
        return Train(Generation.HQF, assumed=False, because=because)
    return Train(Generation.PRE_HQF, assumed=is_124 and rebuild is None, because=because)


def device_of(
    facts: Facts,
    name: str | None,
    *,
    cpu: tuple[CpuLoad, ...],
    traffic: tuple[Traffic, ...],
    dialect: Dialect,
    evidence: str,
    evidence_line: int,
) -> Device:
    """Join what is known of one device. Its hostname wins over the name of a prompt."""
    if facts.hostname is not None:
        name = facts.hostname.value
    name = name or facts.tree.file
    mine = tuple(each for each in traffic if fnmatchcase(name, each.device))
    return Device(name, facts, train_of(facts), cpu, mine, dialect, evidence, evidence_line)
