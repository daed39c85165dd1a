"""Denominators between those of the candidates, if no candidate keeps every floor."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from advisor.design.wred_demand import WredDemand
from advisor.design.wred_plan import Plan, Row, drop_orders
from advisor.design.wred_shares import Share

ROUNDS = 6
_LEAST_OF_LAST = 4.0  # whole numbers from here on are fine enough steps
_MOST = 100.0  # beyond, a row hardly drops before its maximum
_DAMPED = 0.7
_TINY = 1e-3


def refined(demand: WredDemand, plan: Plan, shares: Sequence[Share]) -> Plan | None:
    """The plan with denominators moved towards shares that keep every floor with room.

    A share is nearly proportional to flows over drop probability. None if the floors exceed the
    whole, or no denominator changes.
    """
    target_shares = _wanted(shares)
    if target_shares is None or len(plan.rows) == 1:
        return None
    ratios: dict[int, float] = {}
    for group, share, target_share in zip(demand.groups, shares, target_shares, strict=True):
        ratios.setdefault(demand.code(group), (target_share / max(share.share, _TINY)) ** _DAMPED)
    unscaled = {row.code: row.denominator * ratios.get(row.code, 1.0) for row in plan.rows}
    scale = max(1.0, _LEAST_OF_LAST / min(unscaled.values()))
    scale = min(scale, _MOST / max(unscaled.values()))
    denominators = {
        code: max(1, round(denominator * scale)) for code, denominator in unscaled.items()
    }
    denominators |= dict(_in_order(denominators, drop_orders(demand)))
    rows = tuple(replace(row, denominator=denominators[row.code]) for row in plan.rows)
    if rows == plan.rows or _are_equal(rows):
        return None
    return replace(plan, rows=rows)


def _wanted(shares: Sequence[Share]) -> list[float] | None:
    """Each floor plus an equal part of the rest; groups without a floor keep half of the rest."""
    floors = [share.floor for share in shares if share.floor is not None]
    free_share = sum(share.share for share in shares if share.floor is None)
    rest = 1.0 - sum(floors)
    if rest <= 0 or not floors:
        return None
    reserve = rest / 2 if len(floors) < len(shares) else 0.0
    return [
        share.floor + (rest - reserve) / len(floors)
        if share.floor is not None
        else reserve * share.share / max(free_share, _TINY)
        for share in shares
    ]


def _in_order(
    denominators: dict[int, int], orders: Sequence[Sequence[int]]
) -> Iterator[tuple[int, int]]:
    """Denominators of each order of drop, never lower for a code that is dropped later."""
    for codes in orders:
        least = 1
        for code in reversed([code for code in codes if code in denominators]):
            least = max(least, denominators[code])
            yield code, least


def _are_equal(rows: Sequence[Row]) -> bool:
    treatments = {(row.min_threshold, row.max_threshold, row.denominator) for row in rows}
    return len(treatments) == 1
