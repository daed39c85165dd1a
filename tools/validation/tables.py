"""Tables of the evidence in Markdown."""

from collections.abc import Iterator, Sequence
from statistics import median

from advisor.theory.regimes import words_of
from advisor.units import percent_from_ratio
from advisor.wording import number
from tools.validation.errors import (
    BOUND_RATIO,
    GOALS,
    INSIDE,
    Compared,
    Reached,
    bound_ratios,
    inside_share,
    reached,
)
from tools.validation.ip_sla import Run, Triplet


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


def goals(rows: Sequence[Compared]) -> str:
    """What was reached of every goal."""
    lines = [_goal(result) for goal in GOALS if (result := reached(goal, rows)) is not None]
    breaches = sum(row.breaks_bound for row in rows)
    bounded = sum(row.bound_ratio is not None for row in rows)
    ratio = median(bound_ratios(rows))
    inside_ratio = inside_share(rows)
    lines.append(
        ("bound exceeded", "never", str(bounded), f"{breaches} times", "", "", _mark(breaches == 0))
    )
    lines.append(
        (
            "LLQ bound / largest delay",
            f"median {BOUND_RATIO:g}",
            str(len(bound_ratios(rows))),
            f"{ratio:.2f}",
            "",
            f"{max(bound_ratios(rows)):.2f}",
            _mark(ratio <= BOUND_RATIO),
        )
    )
    lines.append(
        (
            "true mean within low-high",
            f"{INSIDE:.0%} of classes".replace("%", " %"),
            str(len(rows)),
            "",
            percent(inside_ratio),
            "",
            _mark(inside_ratio >= INSIDE),
        )
    )
    return table(("figure", "goal", "classes", "median", "within", "worst", "holds"), lines)


def _goal(result: Reached) -> tuple[str, ...]:
    goal = result.goal
    words = [f"median {percent(goal.median)}"]
    if goal.share is not None and goal.within is not None:
        words.append(f"{percent(goal.share)} within {percent(goal.within)}")
    if goal.worst is not None:
        words.append(f"worst {percent(goal.worst)}")
    return (
        goal.title,
        ", ".join(words).replace(".0 %", " %"),
        str(result.count),
        percent(result.median),
        "" if result.share is None else percent(result.share),
        percent(result.worst),
        _mark(result.holds),
    )


def _mark(holds: bool) -> str:
    return "yes" if holds else "**no**"


def regimes(rows: Sequence[Compared]) -> str:
    """Errors by the mathematics that answered."""
    lines = []
    for words in dict.fromkeys(words_of(row.predicted.regime) for row in rows):
        matches = [row for row in rows if words_of(row.predicted.regime) == words]
        for llq in (True, False):
            part = [row for row in matches if row.llq is llq]
            if part:
                lines.append((words, "LLQ" if llq else "lower", *_spread(part)))
    head = ("regime", "class", "n", "mean, median", "worst", "p95, median", "p99, median", "ipdv")
    return table(head, lines)


def _spread(rows: Sequence[Compared]) -> tuple[str, ...]:
    means = [abs(row.mean_error) for row in rows]
    return (
        str(len(rows)),
        percent(median(means)),
        percent(max(means)),
        percent(median(abs(row.p95_error) for row in rows)),
        percent(median(abs(row.p99_error) for row in rows)),
        percent(median(abs(row.ipdv_error) for row in rows)),
    )


def every_class(rows: Sequence[Compared]) -> str:
    """One line a class: true and predicted mean, and all errors."""
    head = (
        *("scenario, class", "true mean ms", "predicted", "low-high", "mean", "p95", "p99", "ipdv"),
        "bound / largest",
    )
    return table(head, [_class_line(row) for row in rows])


def _class_line(row: Compared) -> tuple[str, ...]:
    prediction, ratio, half_ms = row.predicted, row.bound_ratio, row.truth.mean_ci95_ms
    low, high = _shown(prediction.mean_low_ms), _shown(prediction.mean_high_ms)
    return (
        row.name,
        number(row.truth.mean_ms) + ("" if half_ms is None else f" ±{number(half_ms)}"),
        _shown(prediction.mean_ms),
        f"{low}-{high}" + ("" if row.inside else " (missed)"),
        signed(row.mean_error),
        signed(row.p95_error),
        signed(row.p99_error),
        signed(row.ipdv_error),
        "none" if ratio is None else f"{ratio:.2f}",
    )


def _shown(value: float | None) -> str:
    return "none" if value is None else number(value)


def misses(rows: Sequence[Compared]) -> tuple[str, ...]:
    """Classes beyond the limit that most have to keep, worst first, with what is known of why."""
    return tuple(f"- {line}" for _, line in sorted(_misses(rows), reverse=True))


def _misses(rows: Sequence[Compared]) -> Iterator[tuple[float, str]]:
    for row in rows:
        limits = [goal for goal in GOALS if goal.llq is row.llq]
        breaches = [
            (goal, goal.error(row))
            for goal in limits
            if abs(goal.error(row)) > (goal.within if goal.within is not None else goal.median)
        ]
        words = [
            f"{goal.title.split(', ')[-1].split()[-1]} {signed(error)}" for goal, error in breaches
        ]
        if not row.inside:
            words.append("true mean outside low-high")
        if row.breaks_bound:
            words.append("**bound exceeded**")
        if words:
            worst = max((abs(error) for _, error in breaches), default=0.0)
            weak = f" The model says itself: {row.predicted.weak}." if row.predicted.weak else ""
            regime = words_of(row.predicted.regime)
            yield worst, f"{row.name} ({regime}): {', '.join(words)}.{weak}"


def ip_sla(runs: Sequence[Run]) -> str:
    """Both triplets of every run beside their predictions."""
    head = (
        *("line, ring, background", "RTT measured", "predicted", "avg low-high", "avg", "max"),
        *("jitter measured", "predicted", "at most", "avg", "simulated RTT, jitter"),
    )
    return table(head, [_run_line(run) for run in runs])


def _run_line(run: Run) -> tuple[str, ...]:
    measured = run.measured
    least, mean, bound = run.rtt_least_ms, run.rtt_ms, run.rtt_bound_ms
    return (
        f"{measured.line_kbps:g} kb/s, {measured.tx_ring_limit}, {measured.background}",
        _triplet(measured.rtt),
        f"{least:.0f} / {mean:.1f} / {bound:.1f}",
        f"{run.rtt_low_ms:.1f}-{run.rtt_high_ms:.1f}",
        f"{mean - measured.rtt.avg_ms:+.1f} ms, {signed(run.rtt_error)}",
        f"{bound - measured.rtt.max_ms:+.1f} ms",
        _triplet(measured.jitter),
        f"{run.jitter_ms:.1f}",
        f"{run.jitter_bound_ms:.0f}",
        signed(run.jitter_error),
        f"{run.simulated_rtt_ms:.1f}, {run.simulated_jitter_ms:.1f}",
    )


def _triplet(triplet: Triplet) -> str:
    return f"{triplet.min_ms:g} / {triplet.avg_ms:g} / {triplet.max_ms:g}"
