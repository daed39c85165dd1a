"""Cells of a table for spreadsheets: none of them is computed."""

from typing import Final

_STARTS_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe(cell: str) -> str:
    """A cell that a spreadsheet shows as it is: where it could be a formula, behind a quote.

    >>> safe("=cmd|' /C calc'!A0"), safe("256 ms"), safe("-1.5")
    ("'=cmd|' /C calc'!A0", '256 ms', '-1.5')
    """
    return f"'{cell}" if cell.startswith(_STARTS_FORMULA) and not _is_number(cell) else cell


def _is_number(cell: str) -> bool:
    return cell.removeprefix("-").replace(".", "", 1).isdecimal() and cell.isascii()
