"""Families of Cisco platforms that queue alike, and generations of IOS queueing.

A family decides which defaults, rules and remedies hold. A default that is sourced for one family
is not known for another one.
"""

from enum import IntEnum, StrEnum
from typing import Final

from msgspec import Struct


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
    UNKNOWN_NAME = 9  # of hardware or an image: it counts where nothing else names a family
    HINT = 10


XE_FAMILIES: Final = (Family.QFP, Family.XE_WITHOUT_QFP, Family.MQC_SWITCH)
SERIES_7500: Final = (Family.SOFTWARE, Family.DISTRIBUTED)  # without VIPs, and with them
SWITCHES: Final = (Family.MLS_SWITCH, Family.MQC_SWITCH)
NOT_JUDGED: Final = (Family.MLS_SWITCH, Family.OTHER)
CLASSIC: Final = (Generation.PRE_HQF, Generation.HQF)


class Trait(Struct, frozen=True):
    """What one text says of a platform. An empty tuple or None: it says nothing of that.

    `families` and `generations` are all that remain possible. `model` is the name of the hardware,
    `processor` that of its engine (NPE300), `release` the software as it is printed.
    """

    families: tuple[Family, ...] = ()
    generations: tuple[Generation, ...] = ()
    model: str | None = None
    processor: str | None = None
    release: str | None = None
    grade: Grade = Grade.SOURCED
