"""The lines that tell the configuration of one system from that of another."""

import re
from enum import StrEnum
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.ios.grammar import headed_rows


class Dialect(StrEnum):
    """The system that a text configures, by the name that a user knows."""

    IOS = "Cisco IOS / IOS XE"
    NXOS = "Cisco NX-OS"
    ASA = "Cisco ASA"
    IOS_XR = "Cisco IOS XR"
    CATOS = "Cisco CatOS"
    AIREOS = "Cisco AireOS"
    SMALL_BUSINESS = "Cisco Small Business switch"
    EOS = "Arista EOS"
    JUNOS = "Juniper JunOS"
    AOS_CX = "Aruba AOS-CX"
    ARUBA_OS = "ArubaOS"
    PROCURVE = "HP ProCurve / ArubaOS-Switch"
    COMWARE = "HPE Comware / Huawei VRP"
    FASTPATH = "EFOS / FASTPATH"
    FASTIRON = "Ruckus FastIron / NetIron"
    DELL = "Dell OS9 / OS10"
    EXOS = "Extreme EXOS"
    ADTRAN = "Adtran AOS"
    ZYXEL = "Zyxel ZLD"
    TELDAT = "Teldat CIT"
    ALLIEDWARE = "AlliedWare Plus"
    SROS = "Nokia SR OS"
    V_SOL = "V-SOL OLT"
    A10 = "A10 ACOS"
    F5 = "F5 BIG-IP"
    FORTIOS = "FortiOS"
    PANOS = "Palo Alto PAN-OS"
    GAIA = "Check Point Gaia"
    TNSR = "Netgate TNSR"
    VYOS = "VyOS"
    ROUTEROS = "MikroTik RouterOS"
    FRR = "FRRouting"
    DEBIAN = "Linux /etc/network/interfaces"
    OTHER = "configuration of another system"
    MARKED_UP = "RTF, PDF or encoded mail (save it as plain text)"
    NOT_A_CONFIG = "no configuration"
    EMPTY = "empty"


# How strong a sign is.
DECISIVE: Final = 10  # no other system prints this line
STRONG: Final = 5  # enough alone if there is no sign of IOS
SUGGESTIVE: Final = 4
WEAK: Final = 2
_WEIGHTS: Final = {"decisive": DECISIVE, "strong": STRONG, "suggestive": SUGGESTIVE, "weak": WEAK}


class DialectSign(Struct, frozen=True):
    """A line that is evidence for a dialect; the weight says how strong."""

    dialect: Dialect
    weight: int
    pattern: str

    @property
    def line(self) -> re.Pattern[str]:
        return _compiled(self.pattern)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compiled when a text has the first word: of some 300 patterns a text needs a few."""
    return re.compile(pattern)


def _first_words(pattern: str) -> list[str]:
    head = pattern.removeprefix("(?:no )?")
    if head.startswith("(?:"):
        return re.sub(r"[\\$]", "", head[3 : head.index(")")]).split("|")
    return [re.sub(r"\\([#?])", r"\1", re.split(r" |\\s|\$", head)[0])]


def _indexed() -> dict[str, tuple[DialectSign, ...]]:
    signs: dict[str, list[DialectSign]] = {}
    for heading, patterns in headed_rows("dialects").items():
        dialect, _, weight = heading.partition(": ")
        for pattern in patterns:
            sign = DialectSign(Dialect[dialect], _WEIGHTS[weight], pattern)
            for word in _first_words(pattern):
                signs.setdefault(word, []).append(sign)
    return {word: tuple(word_signs) for word, word_signs in signs.items()}


SIGNS: Final = _indexed()


@cache
def any_sign(word: str) -> re.Pattern[str]:
    """Matches a line that shows any of the signs with this first word: most lines show none."""
    return re.compile("|".join(f"(?:{sign.pattern})" for sign in SIGNS[word]))
