"""Numbers: read out of text within bounds, and converted between units.

`int` and `float` take more than a router prints: digits of any script, underscores, `nan`, `inf`,
and so many digits that the conversion fails or the result overflows. The readers use `whole` and
`decimal` instead. The only places where 8, 100 or 1000 turn one unit into another are here.
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
    """`text` is no number, or has more digits than a counter."""

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


BITS_PER_BYTE = 8


def bps_from_kbps(rate_kbps: float) -> float:
    """Rate in bit/s of a rate in kbit/s.

    >>> bps_from_kbps(512)
    512000
    """
    return rate_kbps * 1000


def kbps_from_bps(rate_bps: float) -> float:
    """Rate in kbit/s of a rate in bit/s.

    >>> kbps_from_bps(64000)
    64.0
    """
    return rate_bps / 1000


def ms_from_s(time_s: float) -> float:
    """Milliseconds of a time in seconds.

    >>> ms_from_s(0.2)
    200.0
    """
    return time_s * 1000


def s_from_ms(time_ms: float) -> float:
    """Seconds of a time in milliseconds.

    >>> s_from_ms(250)
    0.25
    """
    return time_ms / 1000


def percent_from_ratio(ratio: float) -> float:
    """Percent of a ratio.

    >>> percent_from_ratio(0.5)
    50.0
    """
    return ratio * 100


def ratio_from_percent(value_percent: float) -> float:
    """Ratio of a percent value.

    >>> ratio_from_percent(75)
    0.75
    """
    return value_percent / 100


def serialization_ms(size_bytes: float, rate_bps: float) -> float:
    """Time on the wire, in ms, of `size_bytes` at `rate_bps`.

    >>> round(serialization_ms(1500, 512_000), 2)
    23.44
    """
    return size_bytes * BITS_PER_BYTE / rate_bps * 1000


def bits_from_bytes(size_bytes: float) -> float:
    """Bits of so many bytes.

    >>> bits_from_bytes(1500)
    12000
    """
    return size_bytes * BITS_PER_BYTE


def bytes_in_ms(rate_bps: float, time_ms: float) -> float:
    """Bytes that a rate carries in a time.

    >>> bytes_in_ms(512_000, 10)
    640.0
    """
    return rate_bps * time_ms / BITS_PER_BYTE / 1000


def bps_from_bytes(size_bytes: float, time_ms: float) -> float:
    """Rate in bit/s of `size_bytes` every `time_ms`.

    >>> bps_from_bytes(60, 20)
    24000.0
    """
    return size_bytes * BITS_PER_BYTE / time_ms * 1000
