"""Markdown of tables and figures."""

from collections.abc import Sequence

from advisor.ground.quantity import number
from advisor.ground.units import percent_from_ratio
from advisor.theory.wred import EstimateRange


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first column is of words, the others of figures."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows)) + "\n"


def percent(ratio: float) -> str:
    """Percent with one decimal.

    >>> percent(0.0314)
    '3.1 %'
    """
    return f"{percent_from_ratio(ratio):.1f} %"


def signed(ratio: float) -> str:
    """Percent of an error with its sign.

    >>> signed(-0.0314)
    '-3.1 %'
    """
    text = f"{percent_from_ratio(ratio):+.1f} %"
    return "0.0 %" if text in {"-0.0 %", "+0.0 %"} else text


def shown(value: float | None) -> str:
    """A figure, or that there is none."""
    return "none" if value is None else number(value)


def yes(holds: bool | None) -> str:
    """Whether a goal holds; a failure is bold."""
    return "yes" if holds else "**no**"


def share_text(share: EstimateRange) -> str:
    """A share with its interval, in percent."""
    value, low, high = (percent_from_ratio(end) for end in (share.estimate, share.low, share.high))
    return f"{value:.1f} ({low:.1f}-{high:.1f})"
