"""The table of WRED's regimes: how a class shares its bandwidth, and the figure that shows it.

A class may be in several regimes; a class without TCP is in no regime or in `NO_WRED`. The limits
below separate names, not figures: in every regime shares, drops and delays come from the same
replications.
"""

from collections.abc import Callable

from msgspec import Struct

from advisor.theory.wred.interface import Regime
from advisor.theory.wred.view import RARE_DROP, ClassView

# A class that sends less than this part of its rate is not congested: swings of the flight leave
# 3 % idle on a line that is never without a queue for long.
_BUSY_RATIO = 0.97
# If more than this part of all drops are tail drops, they decide the shares instead of WRED.
_TAIL_PART = 0.2
# Limits of a name: below this part of its rate a class whose average is above max loses more than
# what a swing leaves idle, and this part of its drops comes from there.
_COLLAPSE_RATIO, _ABOVE_PART = 0.9, 0.5


class WredRegimeRow(Struct, frozen=True):
    """One regime: `when` is `applies` in words, `shown_by` the figure that reports print."""

    regime: Regime
    when: str
    applies: Callable[[ClassView], bool]
    shown_by: str
    source: str


def _has_wred(view: ClassView) -> bool:
    return view.wred_class.exponent is not None


def _is_idle(view: ClassView) -> bool:
    return view.utilization_ratio < _BUSY_RATIO


def _drops_rarely(view: ClassView) -> bool:
    return all(group.loss.value < RARE_DROP for _, group in view.tcp)


def _drops(view: ClassView) -> bool:
    return bool(view.tcp) and not _drops_rarely(view)


def _is_tail_drop_first(view: ClassView) -> bool:
    if not _drops(view) or not _has_wred(view):
        return False
    profiles = [group.profile for group, _ in view.tcp if group.profile is not None]
    highest = max((profile.max_threshold_packets for profile in profiles), default=0.0)
    is_short = view.wred_class.queue.limit_packets < highest and view.tail_drop_ratio > 0
    return view.tail_drop_ratio > _TAIL_PART * view.loss_ratio or is_short


def _is_told_apart(view: ClassView) -> bool:
    profiles = {group.profile for group, _ in view.tcp if group.profile is not None}
    return _drops(view) and _has_wred(view) and len(profiles) > 1 and not _is_tail_drop_first(view)


def _is_slow(view: ClassView) -> bool:
    constant_ms, round_trip_ms = view.time_constant_ms, view.round_trip_ms
    if constant_ms is None or round_trip_ms is None:
        return False
    return _drops(view) and constant_ms >= round_trip_ms


def _follows_bursts(view: ClassView) -> bool:
    return _drops(view) and _has_wred(view) and not _is_slow(view)


def _collapses(view: ClassView) -> bool:
    return (
        _is_slow(view)
        and view.utilization_ratio < _COLLAPSE_RATIO
        and view.above_max_ratio > _ABOVE_PART * view.loss_ratio
    )


_CSELT = '"Test of WRED for Bottleneck Link" (CSELT)'
_ROWS = (
    WredRegimeRow(
        Regime.NO_WRED,
        when="no WRED in the class",
        applies=lambda view: not _has_wred(view),
        shown_by="that tail drop is alone",
        source="definition",
    ),
    WredRegimeRow(
        Regime.COLLAPSE,
        when="the average is slower than a round trip, more than half of the drops are of packets "
        "that find it above every maximum, and the class sends less than 90 % of its rate",
        applies=_collapses,
        shown_by="time constant of the average beside the round trip",
        source="the replications; timers of RFC 6298",
    ),
    WredRegimeRow(
        Regime.NO_CONGESTION,
        when="every group loses less than 0.2 %, the class sends less than 97 % of its rate",
        applies=lambda view: bool(view.tcp) and _drops_rarely(view) and _is_idle(view),
        shown_by="part of its rate that the class sends",
        source="definition",
    ),
    WredRegimeRow(
        Regime.WINDOWS_END_FIRST,
        when="every group loses less than 0.2 %, and the class is busy",
        applies=lambda view: bool(view.tcp) and _drops_rarely(view) and not _is_idle(view),
        shown_by="queue that all windows make, beside the lowest minimum threshold",
        source="window and pipe: V. Jacobson, ACM SIGCOMM 1988",
    ),
    WredRegimeRow(
        Regime.TAIL_DROP_FIRST,
        when="more than a fifth of the drops are tail drops, or there are any and the "
        "queue-limit is below the highest maximum threshold",
        applies=_is_tail_drop_first,
        shown_by="queue-limit and the loss by the full queue",
        source=_CSELT,
    ),
    WredRegimeRow(
        Regime.UNDER_USE,
        when="groups lose packets, and the class sends less than 97 % of its rate",
        applies=lambda view: _drops(view) and _is_idle(view),
        shown_by="part of its rate that the class sends",
        source="C. Villamizar, C. Song, ACM CCR 24 (1994) 45-60",
    ),
    WredRegimeRow(
        Regime.DIFFERENTIATION,
        when="groups of several profiles lose packets, and not by a full queue first",
        applies=_is_told_apart,
        shown_by="drops of each group at the average queue",
        source=_CSELT,
    ),
    WredRegimeRow(
        Regime.SYNCHRONIZATION,
        when="groups lose packets, and the average follows the queue within a round trip",
        applies=_follows_bursts,
        shown_by="time constant of the average beside the round trip",
        source="S. Floyd, V. Jacobson, IEEE/ACM Trans. Networking 1 (1993) 397-413: the weight "
        "keeps bursts of a round trip out of the average",
    ),
)
WRED_REGIMES = {row.regime: row for row in _ROWS}


def regimes_of(view: ClassView) -> tuple[Regime, ...]:
    """Mechanisms that decide how the class shares its bandwidth; empty for WRED without TCP."""
    return tuple(row.regime for row in _ROWS if row.applies(view))
