"""Words for numbers, typed sources and remarks: made here, never read by a decision."""

from enum import StrEnum
from math import floor, log10

from advisor.quantity import Figure, RateKind

_MOST_DIGITS = 12  # an engineer does not need smaller values
_RATES = {
    RateKind.CLOCK_RATE: "clock rate, {}",
    RateKind.TIMESLOTS: "timeslots, {}",
    RateKind.SPEED: "speed, {}",
    RateKind.PORT: "{} port",
    RateKind.BANDWIDTH_LABEL: "bandwidth (a label; the clock may differ), {}",
    RateKind.GUARANTEE: "bandwidth, {}",
    RateKind.CLASS_SHAPER: "shape, {}",
    RateKind.REMAINDER: "{}, less what other classes reserve",
}


def rate_source(kind: RateKind, detail: object) -> str:
    """Source of a rate; `detail` is the line, the kind of port, or the base rate."""
    return _RATES.get(kind, "{}").format(detail)


class RemarkKind(StrEnum):
    """A setting of a class that its predicted figures do not include."""

    PRIORITY_LEVELS = "priority levels"
    RANDOM_DETECT = "random-detect"
    SHAPE = "shape"
    POLICE = "police"
    NESTED_POLICY = "the nested policy"
    SHORTER_QUEUE = "shorter queue"


_REMARKS = {
    RemarkKind.PRIORITY_LEVELS: (
        "priority levels are not in the figures: all classes share one queue"
    ),
    RemarkKind.SHORTER_QUEUE: "solved with a shorter queue-limit than configured: no bound",
}


def remark_words(kind: RemarkKind) -> str:
    """A remark as it is printed beside the figures of a class."""
    return _REMARKS.get(kind) or f"{kind} of this class is not in the figures"


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
