"""Numbers with their source, the type that replaces an unknown number, and numbers as text."""

from enum import StrEnum
from math import floor, inf, log10
from typing import Final

from msgspec import Struct
from msgspec.structs import force_setattr

_ROUNDING: Final = 1e-9  # of a figure: sums in another order differ by less
_MOST_DIGITS: Final = 12  # an engineer does not need smaller values


class Basis(StrEnum):
    """Where a number comes from, best first."""

    MEASURED = "measured"
    CONFIGURED = "configured"  # the config, settings or the user's traffic file state it
    DEFAULT = "default"  # a sourced table of IOS defaults
    ASSUMED = "assumed"


class LowerLoad(StrEnum):
    """What the classes below the LLQ send in the congested case: all they can."""

    SATURATED = "saturated"  # the queue of at least one of them never empties
    POLICED = "policed"  # what their policers pass, which fills no queue


class RateKind(StrEnum):
    """The statement that gives a rate: decisions read this, `source` is only for a reader."""

    CLOCK_RATE = "clock rate"
    TIMESLOTS = "timeslots"
    SPEED = "speed"
    PORT = "port"
    PVC = "PVC"
    BANDWIDTH_LABEL = "bandwidth label"  # the interface `bandwidth`: the line may have another rate
    MEMBERS = "members of a bundle"
    SHAPER = "shaper"
    CIR = "CIR"  # of a circuit that nothing shapes
    DESCRIPTION = "description"  # of the interface, where it names a rate
    MOVED = "moved"  # by `--set`, a sweep or a path
    MEASURED = "measured"  # an average over IOS's own interval
    GUARANTEE = "guarantee"  # `bandwidth` of a class in kb/s
    PART_OF_BASE = "part of a base"  # `bandwidth percent` and the like
    CLASS_SHAPER = "shaper of a class"
    REMAINDER = "remainder"  # the rate that the guarantees of other classes leave
    SHARE = "share"  # of the line, while all classes have packets waiting


class Unknown(Struct, frozen=True):
    """A quantity that is not known, and why. The reason is for a reader, never for a decision."""

    reason: str


class Input(Struct, frozen=True):
    """One input of a prediction. `name` ends in its unit; low = value = high if it is exact.

    `kind` is set for rates and for values that are computed from a measured rate.
    """

    name: str
    value: float
    low: float
    high: float
    basis: Basis
    source: str
    kind: RateKind | None = None

    def __post_init__(self) -> None:
        """Make whole numbers floats: JSON has one form of a number."""
        _make_floats(self, self.value, self.low, self.high)

    @property
    def is_label(self) -> bool:
        """Whether the only source of a rate is the interface `bandwidth`."""
        return self.kind is RateKind.BANDWIDTH_LABEL


def _make_floats(figure: Struct, value: float, low: float, high: float) -> None:
    if type(value) is type(low) is type(high) is float:
        return
    for name, given in (("value", value), ("low", low), ("high", high)):
        force_setattr(figure, name, float(given))


def exact(
    name: str, value: float, basis: Basis, source: str, kind: RateKind | None = None
) -> Input:
    """An input without uncertainty."""
    return Input(name, value, value, value, basis, source, kind)


class Figure(Struct, frozen=True):
    """A predicted number: value (the mean, for a delay), interval, and bound where it has one."""

    value: float
    low: float
    high: float
    unit: str
    bound: float | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless low <= value <= high <= bound, to the precision of sums."""
        _make_floats(self, self.value, self.low, self.high)
        most = inf if self.bound is None else self.bound
        slack = _ROUNDING * max(abs(self.low), abs(self.value), 1.0)
        ordered = (
            self.low <= self.value + slack
            and self.value <= self.high + slack
            and self.high <= most + slack
        )
        if not ordered:
            raise ValueError(
                f"a figure must have low <= value <= high <= bound: {self.low:g}, {self.value:g}, "
                f"{self.high:g}, {self.bound} {self.unit}"
            )


def point(value: float, unit: str) -> Figure:
    """The figure of a number without an interval.

    >>> point(8.0, "ms")
    Figure(value=8.0, low=8.0, high=8.0, unit='ms', bound=None)
    """
    return Figure(value, value, value, unit)


def enclosing(
    value: float, low: float, high: float, unit: str, bound: float | None = None
) -> Figure:
    """The figure of an estimate and of ends from other formulas, or of contradictory readings.

    The bound is proved: it limits the estimate. The interval is widened to the estimate.

    >>> enclosing(44.0, 27.0, 40.0, "ms", 36.0)
    Figure(value=36.0, low=27.0, high=36.0, unit='ms', bound=36.0)
    """
    most = inf if bound is None else bound
    value = min(value, most)
    return Figure(value, min(low, value), max(min(high, most), value), unit, bound)


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


def plain(value: float, digits: int = 15) -> str:
    """A value of a config, a setting or a table, with its digits and, if large, no exponent.

    >>> plain(15.0), plain(102.4), plain(1_000_000.0), plain(9_457_676.3, 6)
    ('15', '102.4', '1000000', '9457680')
    """
    return f"{float(f'{value:.{digits}g}'):.15g}"


def rate_text(rate_kbps: float) -> str:
    """A rate in kb/s, without its unit and without an exponent: one decimal above 100.

    >>> rate_text(10e6), rate_text(102.4), rate_text(33.3333), rate_text(8.0)
    ('10000000', '102.4', '33.3', '8')
    """
    return number(rate_kbps) if rate_kbps < 100 else plain(round(rate_kbps, 1))  # noqa: PLR2004


def figure(predicted: Figure) -> str:
    """A predicted number with its interval and its bound.

    >>> figure(Figure(23.4, 20.0, 25.0, "ms", 26.0))
    '23.4 ms (20 to 25, at most 26)'
    """
    low, high = number(predicted.low), number(predicted.high)
    about = [] if low == high else [f"{low} to {high}"]
    if predicted.bound is not None:
        about.append(f"at most {number(predicted.bound)}")
    text = f"{number(predicted.value)} {predicted.unit}".rstrip()
    return f"{text} ({', '.join(about)})" if about else text


def count(total: int, singular: str, plural: str | None = None) -> str:
    """A number of things.

    >>> count(1, "file"), count(2, "file")
    ('1 file', '2 files')
    """
    return f"{total} {singular}" if total == 1 else f"{total} {plural or singular + 's'}"
