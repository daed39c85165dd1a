"""Colour for terminals, numbers for people."""

from math import floor, log10

from msgspec import Struct

from advisor.lint.findings import Severity
from advisor.quantity import Figure

_RESET = "\x1b[0m"
_COLORS = {
    Severity.ERROR: "\x1b[1;31m",
    Severity.WARNING: "\x1b[1;33m",
    Severity.INFO: "\x1b[1;36m",
}
_MOST_DIGITS = 12  # what is smaller is nothing to an engineer
_BOLD, _FRAME = "\x1b[1m", "\x1b[34m"


class Style(Struct, frozen=True):
    """ANSI colour where `color` is true, plain text else."""

    color: bool = False

    def severity(self, text: str, severity: Severity) -> str:
        return self._in(_COLORS[severity], text)

    def bold(self, text: str) -> str:
        return self._in(_BOLD, text)

    def frame(self, text: str) -> str:
        return self._in(_FRAME, text)

    def _in(self, code: str, text: str) -> str:
        return f"{code}{text}{_RESET}" if self.color else text


def number(value: float) -> str:
    """Three significant digits, two below 1, without an exponent.

    >>> number(1000.4), number(23.437), number(2.0), number(0.123)
    ('1000', '23.4', '2', '0.12')
    >>> number(0.0567), number(2.4e-06), number(1e-300)
    ('0.057', '0.0000024', '0')
    """
    size = abs(value)
    if 0 < size < 0.1:  # noqa: PLR2004
        digits = min(1 - floor(log10(size)), _MOST_DIGITS)
    else:
        digits = 0 if size >= 100 else 1 if size >= 10 else 2  # noqa: PLR2004
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def figure(of: Figure) -> str:
    """A predicted number with its interval and its bound.

    >>> figure(Figure(23.4, 20.0, 25.0, "ms", 26.0))
    '23.4 ms (20 to 25, at most 26)'
    """
    low, high = number(of.low), number(of.high)
    about = [] if low == high else [f"{low} to {high}"]
    if of.bound is not None:
        about.append(f"at most {number(of.bound)}")
    text = f"{number(of.value)} {of.unit}".rstrip()
    return f"{text} ({', '.join(about)})" if about else text


def count(of: int, singular: str, plural: str | None = None) -> str:
    """A number of things.

    >>> count(1, "file"), count(2, "file")
    ('1 file', '2 files')
    """
    return f"{of} {singular}" if of == 1 else f"{of} {plural or singular + 's'}"
