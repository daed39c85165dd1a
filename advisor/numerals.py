"""Numbers out of text that others wrote: read within bounds, or not at all.

`int` and `float` take more than a router prints: digits of any script, underscores, `nan`, `inf`,
and so many digits that the conversion fails or the result overflows. The readers use these instead.
"""

import re
from typing import Final

MOST_DIGITS: Final = 20  # of a counter of 64 bits
_WHOLE: Final = re.compile(rf"-?[0-9]{{1,{MOST_DIGITS}}}")
_DECIMAL: Final = re.compile(
    rf"[+-]?(?:[0-9]{{1,{MOST_DIGITS}}}(?:\.[0-9]{{0,{MOST_DIGITS}}})?|\.[0-9]{{1,{MOST_DIGITS}}})"
    r"(?:[eE][+-]?[0-9]{1,2})?"
)


class NumeralError(ValueError):
    """A text is no number, or has more digits than a counter; `text` is that text."""

    def __init__(self, text: str) -> None:
        super().__init__(f"not a number of at most {MOST_DIGITS} digits")
        self.text = text


def whole(text: str) -> int:
    """Whole number of ASCII digits, with a minus or without.

    Raises
    ------
    NumeralError
        If it is none, or has more than 20 digits.

    Examples
    --------
    >>> whole("18446744073709551615"), whole("-7")
    (18446744073709551615, -7)
    """
    if _WHOLE.fullmatch(text) is None:
        raise NumeralError(text)
    return int(text)


def whole_or_none(text: str) -> int | None:
    """Whole number of ASCII digits; None where `whole` would refuse it.

    >>> whole_or_none("15"), whole_or_none("1_5"), whole_or_none("9" * 21)
    (15, None, None)
    """
    return int(text) if _WHOLE.fullmatch(text) is not None else None


def decimal(text: str) -> float:
    """Decimal number, with an exponent of two digits at most: never infinite.

    Raises
    ------
    NumeralError
        If it is none (`nan` and `inf` are none), or has more than 20 digits on a side.

    Examples
    --------
    >>> decimal("1.5"), decimal("2e3")
    (1.5, 2000.0)
    """
    if _DECIMAL.fullmatch(text) is None:
        raise NumeralError(text)
    return float(text)
