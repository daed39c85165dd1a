"""Numbers with their source, the type that replaces an unknown number, and numbers as text."""

from collections.abc import Sequence
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
    """Load of the classes below the LLQ in the congested case: all they can send."""

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
    DESCRIBED_LINE = "description of a line"  # a label too
    MEMBERS = "members of a bundle"
    SHAPER = "shaper"
    CIR = "CIR"  # of a circuit that nothing shapes
    STATED = "statement of the user"  # `--rate`, `[rates]`
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
        """Whether the only source of a rate is the interface `bandwidth`, or its description."""
        return self.kind in (RateKind.BANDWIDTH_LABEL, RateKind.DESCRIBED_LINE)


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
    """A predicted number: value (the mean, for a delay), interval, and bound where it has one.

    `contested`: an input that sources disagree on, or that no source gives, decides it. The value
    is then the worst of what a router may have, and reports show the ends.
    """

    value: float
    low: float
    high: float
    unit: str
    bound: float | None = None
    contested: bool = False

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

    @property
    def span(self) -> str:
        """Its interval in whole units; see `span`."""
        return span(self.low, self.high)


def point(value: float, unit: str) -> Figure:
    """The figure of a number without an interval.

    >>> point(8.0, "ms")
    Figure(value=8.0, low=8.0, high=8.0, unit='ms', bound=None, contested=False)
    """
    return Figure(value, value, value, unit)


class Outcome(Struct, frozen=True):
    """A figure where an input is stated: the statement with its unit, and what it then is."""

    stated: str
    figure: Figure


class Narrowing(Struct, frozen=True):
    """An input that nobody states, and what a figure becomes with it at either end of its range.

    `key` is what to state: a key of `[[traffic]]`, or a command; `of` is the class or interface.
    `narrower_percent` is the part of the interval that goes, as the mean of both ends.
    """

    key: str
    of: str
    low: Outcome
    high: Outcome
    narrower_percent: float


_APART_RATIO: Final = 1.5
_APART: Final = 1.0  # ms, percent or kb/s: less is of no consequence


def are_apart(one: float, other: float) -> bool:
    """Whether two answers are so far apart that a value between them is that of no router.

    >>> are_apart(24.0, 47.0), are_apart(240.0, 264.0), are_apart(0.2, 0.6)
    (True, False, False)
    """
    low, high = sorted((one, other))
    return high > _APART_RATIO * low and high - low > _APART


def enclosing(
    value: float,
    low: float,
    high: float,
    unit: str,
    bound: float | None = None,
    *,
    contested: bool = False,
) -> Figure:
    """The figure of an estimate and of ends from other formulas, or of contradictory readings.

    The bound is proved: it limits the estimate. The interval is widened to the estimate.

    >>> enclosing(44.0, 27.0, 40.0, "ms", 36.0)
    Figure(value=36.0, low=27.0, high=36.0, unit='ms', bound=36.0, contested=False)
    """
    most = inf if bound is None else bound
    value = min(value, most)
    return Figure(value, min(low, value), max(min(high, most), value), unit, bound, contested)


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


_MEGABITS_KBPS: Final = 10_000.0  # from this rate on


def rate_words(rate_kbps: float) -> str:
    """A rate with its unit, as people say it.

    >>> rate_words(512.0), rate_words(1228.8), rate_words(10_000.0), rate_words(1e6)
    ('512 kb/s', '1228.8 kb/s', '10 Mb/s', '1000 Mb/s')
    """
    if rate_kbps >= _MEGABITS_KBPS:
        return f"{rate_text(rate_kbps / 1000)} Mb/s"
    return f"{rate_text(rate_kbps)} kb/s"


def figure(predicted: Figure, about: str = "about ") -> str:
    """A number with its interval and its bound; of one with a unit, digits in doubt go.

    `about` stands before an estimate; a measured number has none, a contested one only its ends.

    >>> figure(Figure(69.4, 30.2, 247.3, "ms", 316.0))
    'about 69 ms (range 30–247, worst case 316)'
    >>> figure(Figure(23.55, 23.5, 23.6, "ms")), figure(point(10.2, "ms"))
    ('about 23.6 ms (range 23.5–23.6)', '10.2 ms')
    >>> figure(Figure(247.3, 30.2, 247.3, "ms", 316.0, contested=True))
    '30–247 ms (contested, worst case 316)'
    """
    if predicted.unit == "min" and predicted.low == predicted.high:
        return duration(predicted.value)
    value, span = _value_and_ends(predicted)
    notes: list[str] = []
    if span and predicted.contested:
        value, notes = span, ["contested"]
    elif span:
        value, notes = f"{about}{value}", [f"range {span}"]
    if predicted.bound is not None:
        notes.append(f"worst case {number(predicted.bound)}")
    text = f"{value} {predicted.unit}".rstrip()
    return f"{text} ({', '.join(notes)})" if notes else text


_HOURS_FROM_MIN: Final = 120.0
_DAYS_FROM_MIN: Final = 2 * 24 * 60.0


def duration(time_min: float) -> str:
    """A time in the unit that people say.

    >>> duration(12), duration(300), duration(1_286_107)
    ('12 minutes', '5 hours', '893 days')
    """
    if time_min < _HOURS_FROM_MIN:
        return count(round(time_min), "minute")
    if time_min < _DAYS_FROM_MIN:
        return f"{number(time_min / 60)} hours"
    return f"{number(time_min / (24 * 60))} days"


def cell(predicted: Figure) -> str:
    """A number with its interval for a table that names the unit.

    >>> cell(Figure(69.4, 30.2, 247.3, "ms")), cell(point(10.2, "ms"))
    ('69 (30–247)', '10.2')
    >>> cell(Figure(247.3, 30.2, 247.3, "ms", contested=True))
    '30–247'
    """
    value, span = _value_and_ends(predicted)
    if span and predicted.contested:
        return span
    return f"{value} ({span})" if span else value


def ends(predicted: Figure) -> str:
    """The interval of a number, or the number where it has none.

    >>> ends(Figure(69.4, 30.2, 247.3, "ms")), ends(Figure(23.55, 23.5, 23.6, "ms"))
    ('30–247', '23.5–23.6')
    """
    value, span = _value_and_ends(predicted)
    return span or value


def _value_and_ends(predicted: Figure) -> tuple[str, str]:
    """A number and its interval, without digits in doubt; no interval where both ends are one."""
    low, high = number(predicted.low), number(predicted.high)
    if low == high:
        return number(predicted.value), ""
    rough_low, rough_high = _rough(predicted.low), _rough(predicted.high)
    if rough_low == rough_high or not predicted.unit:
        return number(predicted.value), f"{low}–{high}"
    return _rough(predicted.value), f"{rough_low}–{rough_high}"


def _rough(value: float) -> str:
    """Two significant digits, all digits before the point.

    >>> _rough(247.3), _rough(69.44), _rough(6.61), _rough(0.123)
    ('247', '69', '6.6', '0.12')
    """
    if abs(value) < 1:
        return number(value)
    return f"{value:.0f}" if abs(value) >= 10 else f"{value:.1f}".removesuffix(".0")  # noqa: PLR2004


def count(total: int, singular: str, plural: str | None = None) -> str:
    """A number of things.

    >>> count(1, "file"), count(2, "file")
    ('1 file', '2 files')
    """
    return f"{total} {singular}" if total == 1 else f"{total} {plural or singular + 's'}"


def span(low: float, high: float) -> str:
    """A range in whole units, one number where its ends print the same.

    >>> span(23.4, 46.9), span(23.4, 23.4)
    ('23-47', '23')
    """
    ends = (f"{low:.0f}", f"{high:.0f}")
    return ends[0] if ends[0] == ends[1] else "-".join(ends)


def first_of(names: Sequence[str], shown: int = 1) -> str:
    """The first names, and how many more there are.

    >>> first_of(["VOICE"]), first_of(["VOICE", "DATA", "REST"])
    ('VOICE', 'VOICE and 2 more')
    """
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more
