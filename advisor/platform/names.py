"""Names of platforms to families: product ids, chassis, images, and the words of `show version`.

Sources: `show version` and `show inventory` printouts in genieparser, ntc-templates and Oxidized;
RANCID's `Chassis type` of 7500s; hardware behind product ids without a printout is recalled.
"""

import re
from difflib import get_close_matches
from functools import cache
from typing import Final

from msgspec import Struct

from advisor.platform import CLASSIC, SERIES_7500, Family, Generation, Grade, Trait

_HQF: Final = (Generation.HQF,)
_XE: Final = (Generation.XE,)
_SOURCED, _RECALLED, _DERIVED = Grade.SOURCED, Grade.RECALLED, Grade.DERIVED


class _NameRow(Struct, frozen=True):
    """Names that begin with a pattern belong to these families and generations."""

    pattern: str
    families: tuple[Family, ...]
    generations: tuple[Generation, ...]
    grade: Grade


# In this order: a Catalyst 2960 before the routers of the 2900 series.
_ROWS: Final = (
    _NameRow(r"CSR ?1000V|C8000V|VIRTUAL XE", (Family.QFP,), _XE, _SOURCED),
    _NameRow(r"ISR ?4\d{3}|ISR$|4[234][2-6]1(?!\d)|4451-X", (Family.QFP,), _XE, _SOURCED),
    _NameRow(r"ASR ?-?100\d|ASR1000", (Family.QFP,), _XE, _SOURCED),
    _NameRow(r"C8K30BE", (Family.QFP,), _XE, _SOURCED),
    _NameRow(r"(?:C|CATALYST ?)8[235]\d\dL?", (Family.QFP,), _XE, _RECALLED),
    _NameRow(r"A?S?R?-?901(?!\d)", (Family.OTHER,), CLASSIC, _SOURCED),
    _NameRow(r"ASR ?-?9(?:0[0-9]|20|00)(?!\d)", (Family.XE_WITHOUT_QFP,), _XE, _SOURCED),
    _NameRow(r"CAT9K|CAT3K_CAA", (Family.MQC_SWITCH,), _XE, _SOURCED),
    _NameRow(r"C9[2-6]\d\d[A-Z]*(?!\d)", (Family.MQC_SWITCH,), _XE, _SOURCED),
    _NameRow(r"(?:WS-)?C3[68]50", (Family.MQC_SWITCH,), _XE, _RECALLED),
    _NameRow(r"CAT4500ES?\d*-UNIVERSAL", (Family.MQC_SWITCH,), _XE, _SOURCED),
    _NameRow(
        r"CAT4500E|CATALYST 4500|WS-C45\d\d",
        (Family.MQC_SWITCH,),
        (Generation.PRE_HQF, Generation.HQF, Generation.XE),
        _RECALLED,
    ),
    _NameRow(
        r"(?:WS-)?C29(?:[467]\d|5[05])|WS-C2918|29[67]0(?!\d)",
        (Family.MLS_SWITCH,),
        CLASSIC,
        _SOURCED,
    ),
    _NameRow(r"(?:WS-)?C?3(?:55|56|75)0", (Family.MLS_SWITCH,), CLASSIC, _SOURCED),
    _NameRow(r"S72033|S3223|WS-C65\d\d|C7600|C?7600RSP", (Family.MLS_SWITCH,), CLASSIC, _SOURCED),
    _NameRow(r"CISCO76\d\d|S2T54|S6T64|C68\d\d", (Family.MLS_SWITCH,), CLASSIC, _RECALLED),
    _NameRow(r"IOSV|VIOS", (Family.LAB,), _HQF, _SOURCED),
    _NameRow(r"I86BI|X86BI|IOL|LINUX UNIX|LINUX$", (Family.LAB,), _HQF, _DERIVED),
    _NameRow(r"PACKET TRACER|PT\d{4}", (Family.LAB,), CLASSIC, _DERIVED),
    _NameRow(r"VIP", (Family.DISTRIBUTED,), CLASSIC, _RECALLED),
    _NameRow(
        r"RSP(?:1|2|4|8|16|7000)?(?![\w])|75(?:0[57]|13|76)|7500",
        SERIES_7500,
        CLASSIC,
        _SOURCED,
    ),
    _NameRow(
        r"C?(?:1905|19[24]1|29[0125]1|39[24]5|[123]900)(?!\d)", (Family.SOFTWARE,), _HQF, _SOURCED
    ),
    _NameRow(
        r"C?(?:8\d\d|1[678]\d[\dX]|25\d\d|26\d\d|28\d\d|36\d\d|37[024][05]|38[024][05]|7[12]\d\d)"
        r"(?!\d)",
        (Family.SOFTWARE,),
        CLASSIC,
        _SOURCED,
    ),
    _NameRow(
        r"NPE-?(?:G\d|\d{3})|MC3810|AS5[34]\d\d|C?7[34]0[01]|C4[57]00(?!\w)|C?32\d\d|C?100\d"
        r"|C?(?:IAD)?24\d\d|VG2\d\d|SOHO\d\d|IGS",
        (Family.SOFTWARE,),
        CLASSIC,
        _RECALLED,
    ),
)
# Names of families, which a user may give instead of a model.
_FAMILY_NAMES: Final = {
    "software": Trait((Family.SOFTWARE,), CLASSIC, grade=Grade.STATED),
    "pre-hqf": Trait((Family.SOFTWARE,), (Generation.PRE_HQF,), grade=Grade.STATED),
    "hqf": Trait((Family.SOFTWARE,), (Generation.HQF,), grade=Grade.STATED),
    "vip": Trait((Family.DISTRIBUTED,), CLASSIC, grade=Grade.STATED),
    "qfp": Trait((Family.QFP,), _XE, grade=Grade.STATED),
    "xe-without-qfp": Trait((Family.XE_WITHOUT_QFP,), _XE, grade=Grade.STATED),
    "mls-qos": Trait((Family.MLS_SWITCH,), CLASSIC, grade=Grade.STATED),
    "catalyst-mqc": Trait((Family.MQC_SWITCH,), grade=Grade.STATED),
    "lab": Trait((Family.LAB,), CLASSIC, grade=Grade.STATED),
}
# Models that stand for their series in a suggestion.
_EXAMPLES: Final = (
    *("877", "1721", "1841", "1941", "2610XM", "2651XM", "2691", "2801", "2811", "2821", "2851"),
    *("2901", "2911", "2921", "2951", "3640", "3660", "3725", "3745", "3825", "3845", "3925"),
    *("3945", "7204VXR", "7206VXR", "7505", "7507", "7513", "ISR4321", "ISR4331", "ISR4351"),
    *("ISR4431", "ISR4451-X", "ASR1001-X", "ASR1002-X", "ASR1004", "ASR1006", "CSR1000V"),
    *("C8000V", "C8200", "C8300", "C8500", "ASR-903", "ASR-920", "WS-C2960", "WS-C3560"),
    *("WS-C3750", "WS-C3650", "WS-C3850", "WS-C6509", "C9200", "C9300", "C9500", "IOSv", "IOL"),
)
_VENDOR: Final = re.compile(r"^CISCO\s*(?=[A-Z\d])(?!76)")


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], _NameRow], ...]:
    return tuple((re.compile(row.pattern, re.ASCII), row) for row in _ROWS)


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
    for pattern, row in _patterns():
        if pattern.match(plain):
            return Trait(row.families, row.generations, grade=row.grade)
    return None


def trait_stated(name: str) -> Trait | None:
    """Return the trait of a model or family that a user names; None if it is unknown."""
    family = _FAMILY_NAMES.get(name.strip().lower())
    if family is not None:
        return family
    trait = trait_of_name(name)
    if trait is None:
        return None
    return Trait(trait.families, trait.generations, name.strip(), grade=Grade.STATED)


def nearest_names(name: str) -> str:
    """Names near an unknown one, else the names of the families, for an error message.

    >>> nearest_names("ISR4431X")
    'did you mean ISR4431?'
    """
    known = {spelling.upper(): spelling for spelling in (*_EXAMPLES, *_FAMILY_NAMES)}
    close = get_close_matches(name.strip().upper(), known, n=1)
    if close:
        return f"did you mean {known[close[0]]}?"
    return f"name a model, such as 2811 or ISR4331, or one of {', '.join(_FAMILY_NAMES)}"
