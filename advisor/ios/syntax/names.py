"""Names that IOS prints and their canonical form: interfaces, DSCP, precedence, ports."""

import re
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from advisor.ground.units import whole
from advisor.ios.grammar import rows_of

TYPES: Final = tuple(" ".join(rows_of("types")["interface"]).split())
_BY_NAME: Final = MappingProxyType({name.lower(): name for name in TYPES})
_ABBREVIATIONS: Final = MappingProxyType(
    dict(row.split() for row in rows_of("type-abbreviations")["interface"])
)
# One type name has digits; a unit may have letters (ATM0/IMA1).
_NAME = re.compile(
    r"((?:Virtual-)?Dot11(?:Radio)?|[A-Z][A-Z-]*)\s*(\d\S*)?", re.ASCII | re.IGNORECASE
)
_SUBINTERFACE = re.compile(r"(.*\d)\.\d+", re.ASCII)
_POS_UNIT = re.compile(r"\d+/", re.ASCII)


@lru_cache(maxsize=512)
def interface_type(word: str, unit: str = "") -> str:
    """Full type of an interface from any unambiguous abbreviation.

    An unknown type is returned as written.

    >>> interface_type("gi"), interface_type("Se"), interface_type("swp")
    ('GigabitEthernet', 'Serial', 'swp')
    """
    lower = word.lower()
    if lower == "po":  # Port-channel1, but POS1/0: only the unit tells
        return "POS" if _POS_UNIT.match(unit) else "Port-channel"
    exact = _BY_NAME.get(lower) or _ABBREVIATIONS.get(lower)
    if exact is not None:
        return exact
    return next((name for name in TYPES if len(lower) > 1 and name.lower().startswith(lower)), word)


def unknown_type(text: str) -> str:
    """The type that begins a name of an interface, in lower case; "" where IOS knows the type.

    >>> unknown_type("Serail0/0"), unknown_type("Gi0/1"), unknown_type("0/1")
    ('serail', '', '')
    """
    if text.rstrip("0123456789/.:").lower() in _BY_NAME:
        return ""  # nearly always: no expression looks at it
    match = _NAME.match(text)
    if match is None or interface_type(match[1], match[2] or "") != match[1]:
        return ""
    lower = match[1].lower()
    return "" if lower in _BY_NAME else lower


def begins_a_type(word: str) -> bool:
    """Say whether a type of interfaces begins so: `a` is short for ATM or Async."""
    return any(name.lower().startswith(word.lower()) for name in TYPES)


@lru_cache(maxsize=1 << 14)  # of a device that is read again for each proof
def interface_name(text: str) -> str:
    """Name of an interface as IOS prints it in full, without the words after it.

    >>> interface_name("serial 0/0.1 point-to-point"), interface_name("Gi0/0/1")
    ('Serial0/0.1', 'GigabitEthernet0/0/1')
    """
    text = " ".join(text.split())
    match = _NAME.match(text)
    if match is None:
        return text
    unit = match[2] or ""
    return interface_type(match[1], unit) + unit


@lru_cache(maxsize=1 << 14)
def parent_of(name: str) -> str | None:
    """Main interface of a subinterface, None for a main interface.

    >>> parent_of("Serial1/0:0.16"), parent_of("Serial1/0:0")
    ('Serial1/0:0', None)
    """
    match = _SUBINTERFACE.fullmatch(name) if "." in name else None
    return match[1] if match else None


_CODES: Final = (row.split() for row in rows_of("codes")["precedence"])
PRECEDENCES: Final = MappingProxyType({name: whole(code) for name, code in _CODES})
# RFC 2474 class selectors, RFC 2597 AFxy = 8x + 2y, RFC 3246 EF.
DSCPS: Final = MappingProxyType(
    {"default": 0, "ef": 46}
    | {f"cs{selector}": 8 * selector for selector in range(8)}
    | {
        f"af{af_class}{drop}": 8 * af_class + 2 * drop
        for af_class in range(1, 5)
        for drop in range(1, 4)
    }
)
_MAX_PRECEDENCE, _MAX_DSCP = 7, 63


def _code(word: str, names: MappingProxyType[str, int], highest: int) -> int | None:
    code = names.get(word.lower())
    if code is not None:
        return code
    if word.isdecimal() and word.isascii() and len(word) <= len(str(highest)):
        return whole(word) if whole(word) <= highest else None
    return None


def precedence_code(word: str) -> int | None:
    """IP precedence 0-7 of a name or number; None for any other word.

    >>> precedence_code("flash-override"), precedence_code("8")
    (4, None)
    """
    return _code(word, PRECEDENCES, _MAX_PRECEDENCE)


def dscp_code(word: str) -> int | None:
    """DSCP 0-63 of a name or number; None for any other word.

    >>> dscp_code("af31"), dscp_code("EF"), dscp_code("64")
    (26, 46, None)
    """
    return _code(word, DSCPS, _MAX_DSCP)


def dscp_name(code: int) -> str:
    """Name of a DSCP if it has one, else the number.

    >>> dscp_name(46), dscp_name(47), dscp_name(0)
    ('ef', '47', 'default')
    """
    return next((name for name, value in DSCPS.items() if value == code), str(code))
