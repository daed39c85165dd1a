"""Renderers judge nothing. Here: text from a config, made safe for terminals and sheets."""

from enum import Enum
from typing import Final, TypeVar, cast

from msgspec import Struct
from msgspec.structs import asdict, replace

# Terminals obey escapes, and spreadsheets compute formulas.

T = TypeVar("T")
_TAB = "    "
_LAST_ASCII_LIKE, _LAST_BMP = 0xFF, 0xFFFF

_STARTS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def printable(text: str) -> str:
    r"""Return the text with control, format and invisible characters shown as escapes.

    Examples
    --------
    >>> printable("WAN\x1b[31m")
    'WAN\\x1b[31m'
    >>> printable("EDGE\n")
    'EDGE\\x0a'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else _escape(char) for char in text)


def _escape(char: str) -> str:
    if char == "\t":
        return _TAB
    code = ord(char)
    if code <= _LAST_ASCII_LIKE:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= _LAST_BMP else f"\\U{code:08x}"


def all_printable(value: T) -> T:
    """Return a record with every text in it made printable, at any depth."""
    return cast("T", _rewritten(value))


def _rewritten(value: object) -> object:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple):
        return tuple(_rewritten(item) for item in value)
    if isinstance(value, Struct):
        return replace(value, **{field: _rewritten(text) for field, text in asdict(value).items()})
    return value


def cell(text: str) -> str:
    r"""Text of a configuration as a cell.

    >>> cell("=EDGE"), cell("WAN" + chr(27))
    ("'=EDGE", 'WAN\\x1b')
    """
    return safe(printable(text))


def safe(text: str) -> str:
    """A cell that a spreadsheet shows as it is: where it could be a formula, behind a quote.

    >>> safe("=cmd|' /C calc'!A0"), safe("256 ms"), safe("-1.5")
    ("'=cmd|' /C calc'!A0", '256 ms', '-1.5')
    """
    return f"'{text}" if text.startswith(_STARTS_FORMULA) and not _is_number(text) else text


def _is_number(text: str) -> bool:
    return text.removeprefix("-").replace(".", "", 1).isdecimal() and text.isascii()
