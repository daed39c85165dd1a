"""Cells of a table for spreadsheets: none of them is computed."""

from typing import Final

from advisor.report.printable import printable

_STARTS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


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
