"""Commands that a release or a platform may not have: the least releases of each, with sources.

A train that a row does not name says nothing: whether it has the command is open, and so it is for
the two numbers of a `version` line where some trains of that version have it.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.device.platforms import TABLES, Family, families_of, table_rows
from advisor.ground.units import whole

_RELEASE: Final = re.compile(r"(\d{1,2})\.(\d{1,2})(?:\((\d{1,3})[^)]*\)([A-Z]*))?", re.ASCII)
Version = tuple[int, int]
_USUAL: Final[Version] = (12, 2)


class Has(Enum):
    """Whether a release has a command."""

    YES = "yes"
    NO = "no"
    OPEN = "open"


class KnownCommand(Struct, frozen=True):
    """A command, and from which release on it is known.

    `under` is how the section around it begins; `line` matches it. `since` is the first rebuild of
    a train that has it; from `everywhere` on all trains have it.
    """

    name: str
    under: str
    line: str
    since: Mapping[str, tuple[int, int, int]]
    everywhere: Version

    def in_release(self, release: str | None) -> Has:
        """Whether a release has it: `12.2(15)T9`, or the two numbers of `version`.

        Without a release it has the usual commands, those of any 12.2.
        """
        match = _RELEASE.match(release or "")
        if match is None:
            return Has.YES if self.everywhere <= _USUAL else Has.OPEN
        version = whole(match[1]), whole(match[2])
        if version >= self.everywhere:
            return Has.YES
        if version < min((*(first[:2] for first in self.since.values()), self.everywhere)):
            return Has.NO
        if match[3] is None:
            return Has.OPEN
        train = match[4][:1] if match[4].startswith("T") else match[4]
        first = self.since.get(train)
        if first is None:
            return Has.NO if train in ("", "T") else Has.OPEN
        return Has.YES if (*version, whole(match[3])) >= first else Has.NO

    @property
    def releases(self) -> str:
        """The least releases in words: "12.2(13)T or 12.3"."""
        first = [f"{a}.{b}({build}){train}" for train, (a, b, build) in self.since.items()]
        last = f"{self.everywhere[0]}.{self.everywhere[1]}"
        return f"{', '.join(first)} or {last}" if first else last


class Absent(Struct, frozen=True):
    """A command that no source has, or that a source denies, on some families."""

    name: str
    under: str
    line: str
    families: tuple[Family, ...]
    why: str
    since: Version


@cache
def _known() -> tuple[KnownCommand, ...]:
    """Asked in the order of the table: the first row that a release lacks gives the reason."""
    return tuple(
        KnownCommand(
            row["name"],
            row["under"],
            row["line"],
            dict(map(_first_release, row["since"].split())),
            _version(row["everywhere"]),
        )
        for row in table_rows(TABLES / "commands.csv")
    )


def _first_release(text: str) -> tuple[str, tuple[int, int, int]]:
    """The train of a release, and its numbers: `12.2(13)T`."""
    numbers, _, train = text.partition(")")
    major, minor, build = re.split(r"[.(]", numbers)
    return train, (whole(major), whole(minor), whole(build))


def _version(text: str) -> Version:
    major, _, minor = text.partition(".")
    return whole(major), whole(minor)


@cache
def _absent() -> tuple[Absent, ...]:
    return tuple(
        Absent(
            row["name"],
            row["under"],
            row["line"],
            families_of(row["families"]),
            row["why"],
            _version(row["since"] or "0.0"),
        )
        for row in table_rows(TABLES / "absent_commands.csv")
    )


def _is(row: KnownCommand | Absent, section: str, text: str) -> bool:
    return section.startswith(row.under) and re.match(row.line, text, re.ASCII) is not None


def rows_of(section: str, text: str) -> Iterator[KnownCommand]:
    """The commands that a line in a section is."""
    return (row for row in _known() if _is(row, section, text))


def absent_of(section: str, text: str) -> Iterator[Absent]:
    """Yield the commands of a line in a section that some families are not known to have."""
    return (row for row in _absent() if _is(row, section, text))


def is_from(release: str | None, version: Version) -> bool:
    """Whether a release is of a version or a later one; of no release nothing speaks against it."""
    match = _RELEASE.match(release or "")
    return match is None or (whole(match[1]), whole(match[2])) >= version
