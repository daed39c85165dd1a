"""Tables of the evidence in Markdown."""

from collections.abc import Iterator, Sequence

from advisor.ground.quantity import number
from advisor.theory.regimes import words_of
from tools.validation.errors import GOALS, Compared
from tools.validation.ip_sla import Run, Triplet
from tools.validation.markdown import shown, signed, table


def every_class(rows: Sequence[Compared]) -> str:
    """One line a class: true and predicted mean, and all errors."""
    head = (
        *("scenario, class", "true mean ms", "predicted", "low-high", "mean", "p95", "p99", "ipdv"),
        "bound / largest",
    )
    return table(head, [_class_line(row) for row in rows])


def _class_line(row: Compared) -> tuple[str, ...]:
    prediction, ratio, half_ms = row.predicted, row.bound_ratio, row.truth.mean_ci95_ms
    low, high = shown(prediction.mean_low_ms), shown(prediction.mean_high_ms)
    return (
        row.name,
        number(row.truth.mean_ms) + ("" if half_ms is None else f" ±{number(half_ms)}"),
        shown(prediction.mean_ms),
        f"{low}-{high}" + ("" if row.inside else " (missed)"),
        signed(row.mean_error),
        signed(row.p95_error),
        signed(row.p99_error),
        signed(row.ipdv_error),
        "none" if ratio is None else f"{ratio:.2f}",
    )


def misses(rows: Sequence[Compared]) -> tuple[str, ...]:
    """Classes beyond the limit that most have to keep, worst first, with what is known of why."""
    return tuple(f"- {line}" for _, line in sorted(_misses(rows), reverse=True))


def _misses(rows: Sequence[Compared]) -> Iterator[tuple[float, str]]:
    for row in rows:
        breaches = [
            (goal, goal.error(row))
            for goal in GOALS
            if goal.llq is row.llq
            and abs(goal.error(row)) > (goal.tuning.within or 2 * goal.tuning.median)
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
