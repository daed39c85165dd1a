"""Tables of errors of TCP groups: goals, by regime, and the worst by name."""

from collections.abc import Sequence
from statistics import median

from advisor.ground.units import percent_from_ratio
from tools.validation.errors import ninth
from tools.validation.markdown import percent, share_text, shown, signed, table, yes
from tools.validation.wred_errors import WredCompared, wred_goals

WORST = 20


def goals(rows: Sequence[WredCompared], *, wide: bool) -> str:
    """Result beside every goal."""
    lines = [
        (goal.figure, goal.goal, goal.said, yes(goal.holds)) for goal in wred_goals(rows, wide=wide)
    ]
    return table(("figure", "goal", "reached", "holds"), lines)


def by_regime(rows: Sequence[WredCompared]) -> str:
    """Errors by the regimes that a class is in; one without any is calm."""
    groups: dict[str, list[WredCompared]] = {}
    for row in rows:
        for words in row.regimes or ("calm",):
            groups.setdefault(str(words), []).append(row)
    head = ("regime", "groups", "share: median", "90 %", "worst", "delay", "loss", "inside")
    return table(head, [(words, *_spread(part)) for words, part in sorted(groups.items())])


def _spread(rows: Sequence[WredCompared]) -> tuple[str, ...]:
    shares = [abs(row.share_error) for row in rows]
    return (
        str(len(rows)),
        f"{median(shares):.4f}",
        f"{ninth(shares):.3f}",
        f"{max(shares):.3f}",
        percent(median(abs(row.delay_error) for row in rows)),
        percent(median(abs(row.loss_error) for row in rows)),
        percent(sum(row.inside for row in rows) / len(rows)),
    )


def worst(rows: Sequence[WredCompared], count: int = WORST) -> str:
    """The groups whose shares are furthest off."""
    lines = [
        (
            row.name,
            f"{percent_from_ratio(row.truth.share):.1f}",
            share_text(row.share),
            f"{percent_from_ratio(row.share_error):+.1f}",
            yes(row.inside),
            f"{signed(row.delay_error)} of {shown(row.truth.mean_ms)} ms",
            f"{signed(row.loss_error)} of {percent(row.truth.loss_ratio)}",
            "; ".join(row.regimes),
        )
        for row in sorted(rows, key=lambda row: -abs(row.share_error))[:count]
    ]
    head = (
        *("scenario, group", "true share %", "predicted", "points off", "inside"),
        *("delay", "loss", "regime"),
    )
    return table(head, lines)
