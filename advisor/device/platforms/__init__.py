"""Families of Cisco platforms that queue alike, and what lines of a config say of them."""

import csv
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from enum import IntEnum, StrEnum
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from advisor.ground.units import whole

# Families of Cisco platforms that queue alike, and generations of IOS queueing.
#
# A family decides which defaults, rules and remedies hold. A default that is sourced for one
# family is not known for another one. What names and lines say stands in `tables/`, with sources.

TABLES: Final = Path(__file__).with_name("tables")


def table_rows(table: Path) -> Iterator[dict[str, str]]:
    """Rows of a table, by the names of their columns."""
    with table.open(encoding="utf-8", newline="") as rows:
        yield from csv.DictReader(rows)


def _short(name: str) -> str:
    """A family or a generation as tables and cards name it: "xe-without-qfp"."""
    return name.lower().replace("_", "-")


class Generation(StrEnum):
    """Queueing implementations of IOS that differ in defaults and in what they refuse."""

    PRE_HQF = "pre-HQF"  # up to 12.4 mainline, 12.4T before 12.4(20)T
    HQF = "HQF"  # 12.4(20)T and later T trains, 15.x
    XE = "IOS XE"


class Family(StrEnum):
    """Platforms that queue alike."""

    SOFTWARE = "software router"
    DISTRIBUTED = "7500 with VIPs"
    QFP = "IOS XE on QFP"  # ISR 4000, ASR 1000, CSR 1000v, Catalyst 8000
    XE_WITHOUT_QFP = "IOS XE without QFP"  # ASR 900, ASR 920
    MLS_SWITCH = "Catalyst with mls qos"  # and the port queues of 6500 and 7600
    MQC_SWITCH = "Catalyst with MQC"
    OTHER = "a platform whose queueing is not known here"
    LAB = "lab image"  # IOL, IOSv, Packet Tracer

    @property
    def short(self) -> str:
        """Its name in tables and cards: "xe-without-qfp"."""
        return _short(self.name)


class Grade(StrEnum):
    """Quality of the source for what a line says of the platform."""

    SOURCED = "sourced"
    DERIVED = "derived"
    RECALLED = "recalled"
    STATED = "stated by the user"


class Strength(IntEnum):
    """Kinds of evidence, strongest first."""

    SHOW_VERSION = 1
    INVENTORY = 2
    BACKUP_HEADER = 3
    LICENCE = 4
    VERSION_LINE = 5
    CONFIG_LINE = 6
    BOOT_IMAGE = 7
    STATED = 8
    SYNTAX = 9  # of a policy: it counts where nothing else decides the generation
    UNKNOWN_NAME = 10  # of hardware or an image: it counts where nothing else names a family
    HINT = 11


XE_FAMILIES: Final = (Family.QFP, Family.XE_WITHOUT_QFP, Family.MQC_SWITCH)
SERIES_7500: Final = (Family.SOFTWARE, Family.DISTRIBUTED)  # without VIPs, and with them
SWITCHES: Final = (Family.MLS_SWITCH, Family.MQC_SWITCH)
NOT_JUDGED: Final = (Family.MLS_SWITCH, Family.OTHER)
CLASSIC: Final = (Generation.PRE_HQF, Generation.HQF)


class Trait(Struct, frozen=True):
    """Statement of one text about a platform. An empty tuple or None: it says nothing of that.

    `families` and `generations` are all that remain possible. `model` is the name of the hardware,
    `processor` that of its engine (NPE300), `release` the software as it is printed.
    """

    families: tuple[Family, ...] = ()
    generations: tuple[Generation, ...] = ()
    model: str | None = None
    processor: str | None = None
    release: str | None = None
    grade: Grade = Grade.SOURCED


def families_of(names: str) -> tuple[Family, ...]:
    """The families that a column of a table names."""
    return tuple(_FAMILIES[name] for name in names.split())


_FAMILIES: Final = {family.short: family for family in Family}
_GENERATIONS: Final = {_short(generation.name): generation for generation in Generation}


def trait_of_row(row: Mapping[str, str]) -> Trait:
    """The trait that a row of a table states of names or of a line."""
    generations = tuple(_GENERATIONS[name] for name in row["generations"].split())
    return Trait(families_of(row["families"]), generations, grade=Grade(row["grade"]))


# Traits that the release and single lines of a configuration show.
#
# Source of the releases: Cisco's HQF documents (12.4(20)T and any 15.x of a software router: HQF).

_RELEASE: Final = re.compile(r"(\d{1,4})\.(\d{1,4})(?:\((\d{1,4})[^)]*\)([A-Z]*))?", re.ASCII)
_FIRST_HQF_12_4_T: Final = 20
_FIRST_HQF_MAJOR: Final = 15
_FIRST_XE_MAJOR: Final = 16
_XE: Final = (Generation.XE,)
_CLASSIC_FAMILIES: Final = (
    *(Family.SOFTWARE, Family.DISTRIBUTED, Family.LAB),
    *(Family.MLS_SWITCH, Family.MQC_SWITCH, Family.OTHER),
)


def trait_of_line(command: str) -> Trait:
    """Return the trait that a command shows, which only some platforms print.

    Raises
    ------
    KeyError
        If the command says nothing of a platform.
    """
    return _traits_of_lines()[command]


@cache
def _traits_of_lines() -> Mapping[str, Trait]:
    return {row["line"]: trait_of_row(row) for row in table_rows(TABLES / "lines.csv")}


def trait_of_release(release: str, *, is_xe: bool = False) -> Trait:
    """Return the trait of a release: `12.4(24)T3`, `15.2(4)M`, `16.9.2`, or that of `version`.

    15.x is HQF, or an early IOS XE (3.xS runs as 15.x). `version 12.4` alone is 12.4 mainline or
    12.4(20)T. A text that is no release says nothing.

    >>> [str(generation) for generation in trait_of_release("12.4").generations]
    ['pre-HQF', 'HQF']
    """
    if is_xe:
        return Trait(XE_FAMILIES, _XE, release=release or None)
    match = _RELEASE.match(release)
    if match is None:
        return Trait(release=release)
    major, minor = whole(match[1]), whole(match[2])
    if major >= _FIRST_XE_MAJOR:
        return Trait(XE_FAMILIES, _XE, release=release)
    if major >= _FIRST_HQF_MAJOR:
        return Trait((), (Generation.HQF, Generation.XE), release=release)
    is_124, rebuild = (major, minor) == (12, 4), match[3]
    if is_124 and rebuild is None:
        return Trait(_CLASSIC_FAMILIES, CLASSIC, release=release)
    is_124_t = is_124 and (match[4] or "").startswith("T")
    is_late = is_124_t and whole(rebuild) >= _FIRST_HQF_12_4_T
    generation = Generation.HQF if is_late else Generation.PRE_HQF
    return Trait(_CLASSIC_FAMILIES, (generation,), release=release)


# Names of platforms to families: product ids, chassis, images, and the words of `show version`.
#
# Sources: `show version` and `show inventory` printouts in genieparser, ntc-templates and Oxidized;
# RANCID's `Chassis type` of 7500s; hardware behind product ids without a printout is recalled.

_VENDOR: Final = re.compile(r"^CISCO\s*(?=[A-Z\d])(?!76)")


class _NameRow(Struct, frozen=True):
    """Names that begin with a pattern have this trait; `examples` are models for a suggestion."""

    pattern: re.Pattern[str]
    trait: Trait
    examples: tuple[str, ...]


@cache
def _rows() -> tuple[_NameRow, ...]:
    """In the order of the table: a Catalyst 2960 before the routers of the 2900 series."""
    return tuple(
        _NameRow(
            re.compile(row["pattern"], re.ASCII), trait_of_row(row), tuple(row["examples"].split())
        )
        for row in table_rows(TABLES / "names.csv")
    )


@cache
def _families() -> Mapping[str, Trait]:
    """Names of families, which a user may give instead of a model."""
    return {row["name"]: trait_of_row(row) for row in table_rows(TABLES / "families.csv")}


def trait_of_name(name: str) -> Trait | None:
    """Return the trait of a product id, chassis, image or software; None if no row has the name.

    >>> [str(family) for family in trait_of_name("ISR4331/K9").families]
    ['IOS XE on QFP']
    >>> [str(family) for family in trait_of_name("WS-C3750G-24TS").families]
    ['Catalyst with mls qos']
    >>> trait_of_name("N9K-C93180YC") is None
    True
    """
    plain = _VENDOR.sub("", name.strip().upper())
    return next((row.trait for row in _rows() if row.pattern.match(plain)), None)


def trait_stated(name: str) -> Trait | None:
    """Return the trait of a model or family that a user names; None if it is unknown."""
    family = _families().get(name.strip().lower())
    if family is not None:
        return family
    trait = trait_of_name(name)
    return None if trait is None else replace(trait, model=name.strip(), grade=Grade.STATED)


def nearest_names(name: str) -> str:
    """Names near an unknown one, else the names of the families, for an error message.

    >>> nearest_names("ISR4431X")
    'did you mean ISR4431?'
    """
    examples = (model for row in _rows() for model in row.examples)
    known = {spelling.upper(): spelling for spelling in (*examples, *_families())}
    close = get_close_matches(name.strip().upper(), known, n=1)
    if close:
        return f"did you mean {known[close[0]]}?"
    return f"name a model, such as 2811 or ISR4331, or one of {', '.join(_families())}"
