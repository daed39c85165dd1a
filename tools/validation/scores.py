"""Tables of errors of a set of scenarios: goals, by regime, by feature, and the worst by name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from advisor.theory.regimes import words_of
from tools.validation.errors import (
    GOALS,
    INTERVALS,
    MOST_WIDE,
    PRINTED,
    Compared,
    Reached,
    bound_ratios,
    inside_share,
    ninth,
    reached,
    widths,
)
from tools.validation.markdown import percent, shown, signed, table, yes

WORST = 20
_HEAD = ("n", "mean: median", "90 %", "worst", "p95", "p99", "ipdv", "inside", "width", "bound")


def goals(rows: Sequence[Compared], *, wide: bool) -> str:
    """Result beside every goal; errors are absolute."""
    lines = [
        _goal(result) for goal in GOALS if (result := reached(goal, rows, wide=wide)) is not None
    ]
    head = ("figure", "goal", "classes", "median", "90 %", "within", "worst", "holds")
    return table(head, [*lines, *_interval_lines(rows, wide=wide)])


def _goal(result: Reached) -> tuple[str, ...]:
    limits = result.limits
    words = [f"median {percent(limits.median)}"]
    if limits.share is not None and limits.within is not None:
        words.append(f"{percent(limits.share)} within {percent(limits.within)}")
    if limits.worst is not None:
        words.append(f"worst {percent(limits.worst)}")
    return (
        result.goal.title,
        ", ".join(words).replace(".0 %", " %"),
        str(result.count),
        percent(result.median),
        percent(result.nine_of_ten),
        "" if result.share is None else percent(result.share),
        percent(result.worst),
        yes(result.holds),
    )


def _interval_lines(rows: Sequence[Compared], *, wide: bool) -> list[tuple[str, ...]]:
    goal = INTERVALS[wide]
    bounded = [row for row in rows if row.bound_ratio is not None]
    broken = sum(row.breaks_bound for row in rows)
    lines: list[tuple[str, ...]] = [
        ("bound exceeded", "never", str(len(bounded)), f"{broken} times", "", "", "",
         yes(not broken)),
    ]  # fmt: skip
    llq, lower = bound_ratios(rows), bound_ratios(rows, llq=False)
    for title, ratios in (
        ("bound / largest delay: LLQ", llq),
        ("lower classes", lower),
        ("all", llq + lower),
    ):
        if ratios:
            holds = median(ratios) <= goal.bound_ratio
            lines.append(
                (title, f"median {goal.bound_ratio:g}", str(len(ratios)), f"{median(ratios):.2f}",
                 f"{ninth(ratios):.2f}", "", f"{max(ratios):.2f}", yes(holds))
            )  # fmt: skip
    inside, width = inside_share(rows), widths(rows)
    lines.append(
        ("true mean within low-high", f"{percent(goal.inside)} of classes".replace(".0", ""),
         str(len(rows)), "", "", percent(inside), "", yes(inside >= goal.inside))
    )  # fmt: skip
    if width:
        holds = median(width) <= goal.width and ninth(width) <= goal.width_most
        share = sum(value <= goal.width_most for value in width) / len(width)
        words = f"median {goal.width:g}, {MOST_WIDE:.0%} within {goal.width_most:g}"
        lines.append(
            ("width of low-high / mean",
             words.replace("%", " %"),
             str(len(width)), f"{median(width):.2f}", f"{ninth(width):.2f}", percent(share),
             f"{max(width):.2f}", yes(holds))
        )  # fmt: skip
    return lines


def by_regime(rows: Sequence[Compared]) -> str:
    """Absolute errors by the mathematics that answered."""
    return _table_of("regime", rows, lambda row: (words_of(row.predicted.regime),))


def by_feature(rows: Sequence[Compared]) -> str:
    """Absolute errors by what scenarios are made of; a scenario of several parts is in each."""
    return _table_of("scenarios with", rows, lambda row: row.features)


def _table_of(
    title: str, rows: Sequence[Compared], groups_of: Callable[[Compared], Iterable[str]]
) -> str:
    groups: dict[tuple[str, bool], list[Compared]] = {}
    for row in rows:
        for group in groups_of(row):
            groups.setdefault((group, row.llq), []).append(row)
    lines = [
        (name, "LLQ" if llq else "lower", *_spread(part))
        for (name, llq), part in sorted(groups.items(), key=lambda item: (item[0][0], -item[0][1]))
    ]
    return table((title, "class", *_HEAD), lines)


def _spread(rows: Sequence[Compared]) -> tuple[str, ...]:
    means = [abs(row.mean_error) for row in rows]
    ratios = [row.bound_ratio for row in rows if row.bound_ratio is not None]
    width = widths(rows)
    return (
        str(len(rows)),
        *(percent(value) for value in (median(means), ninth(means), max(means))),
        percent(median(abs(row.p95_error) for row in rows)),
        percent(median(abs(row.p99_error) for row in rows)),
        percent(median(abs(row.ipdv_error) for row in rows)),
        percent(inside_share(rows)),
        f"{median(width):.2f}" if width else "none",
        f"{median(ratios):.2f}" if ratios else "none",
    )


def worst(rows: Sequence[Compared], causes: Mapping[str, str], count: int = WORST) -> str:
    """The classes whose means are furthest off, in terms of what the truth itself leaves open.

    Parameters
    ----------
    rows : Sequence[Compared]
        All classes.
    causes : Mapping[str, str]
        What is known of why, by name; else the scenario's features and the model's own words.
    count : int
        How many.
    """
    lines = [
        (
            row.name,
            f"{shown(row.truth.mean_ms)} ±{percent(row.spread)}",
            f"{shown(row.predicted.mean_ms)} ({_interval(row)})",
            signed(row.mean_error),
            "yes" if row.inside else "**no**",
            causes.get(row.name) or _traits(row),
        )
        for row in sorted(rows, key=lambda row: -abs(row.mean_error))[:count]
    ]
    head = ("scenario, class", "true mean ms", "predicted", "error", "inside", "likely cause")
    return table(head, lines)


def _interval(row: Compared) -> str:
    return f"{shown(row.predicted.mean_low_ms)}-{shown(row.predicted.mean_high_ms)}"


def _traits(row: Compared) -> str:
    side = "LLQ" if row.llq else "lower"
    weak = f"; {row.predicted.weak}" if row.predicted.weak else ""
    return f"{side}; {', '.join(row.features)}; {words_of(row.predicted.regime)}{weak}"


def broken_bounds(rows: Sequence[Compared]) -> str:
    """Classes with a delay above their bound."""
    lines = [
        (row.name, shown(row.truth.max_ms), shown(row.predicted.bound_ms), _traits(row))
        for row in rows
        if row.breaks_bound
    ]
    if not lines:
        return f"No delay is above its bound (beyond {PRINTED:g}, the rounding of the truth).\n"
    return table(("scenario, class", "largest delay ms", "bound", "made of"), lines)


def outside(rows: Sequence[Compared]) -> str:
    """Classes whose true mean is not within low and high."""
    lines = [
        (
            row.name,
            f"{shown(row.truth.mean_ms)} ±{percent(row.spread)}",
            _interval(row),
            _traits(row),
        )
        for row in rows
        if not row.inside
    ]
    return table(("scenario, class", "true mean ms", "low-high", "made of"), lines) if lines else ""
