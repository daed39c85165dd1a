"""The table of WRED's regimes: how a class shares its bandwidth, and the figure that shows it.

A class may be in several regimes; a class without TCP is in no regime or in `NO_WRED`. The limits
below separate names, not figures: in every regime shares, drops and delays come from the fixed
point.
"""

from collections.abc import Callable

from msgspec import Struct

from advisor.theory.wred.interface import Regime, TcpFlows
from advisor.theory.wred.point import GroupPoint
from advisor.theory.wred.view import RARE_DROP, ClassView

# A class that sends less than this part of its rate is not congested: swings of the flight leave
# 3 % idle on a line that is never without a queue for long.
_BUSY_RATIO = 0.97
# If more than this part of all drops are tail drops, they decide the shares instead of WRED.
_TAIL_PART = 0.2


class WredRegimeRow(Struct, frozen=True):
    """One regime: `when` is `applies` in words, `shown_by` the figure that reports print."""

    regime: Regime
    when: str
    applies: Callable[[ClassView], bool]
    shown_by: str
    source: str


def _tcp(view: ClassView) -> list[tuple[TcpFlows, GroupPoint]]:
    pairs = zip(view.wred_class.groups, view.point.groups, strict=True)
    return [(group, point) for group, point in pairs if isinstance(group, TcpFlows)]


def _has_wred(view: ClassView) -> bool:
    return view.wred_class.exponent is not None


def _is_idle(view: ClassView) -> bool:
    return view.point.through_per_s < _BUSY_RATIO * view.capacity_per_s


def _drops_rarely(view: ClassView) -> bool:
    return all(point.drop < RARE_DROP for _, point in _tcp(view))


def _drops(view: ClassView) -> bool:
    return bool(_tcp(view)) and not _drops_rarely(view)


def _is_tail_drop_first(view: ClassView) -> bool:
    if not _drops(view) or not _has_wred(view):
        return False
    tcp, tail_drop = _tcp(view), view.point.tail_drop
    profiles = [group.profile for group, _ in tcp if group.profile is not None]
    highest = max((profile.max_threshold_packets for profile in profiles), default=0.0)
    sent_per_s = sum(point.sent_per_s for _, point in tcp)
    mean_drop = sum(point.drop * point.sent_per_s for _, point in tcp) / sent_per_s
    is_short = view.wred_class.queue_limit_packets < highest and tail_drop > 0
    return tail_drop > _TAIL_PART * mean_drop or is_short


def _is_told_apart(view: ClassView) -> bool:
    profiles = {group.profile for group, _ in _tcp(view) if group.profile is not None}
    return _drops(view) and _has_wred(view) and len(profiles) > 1 and not _is_tail_drop_first(view)


def _follows_bursts(view: ClassView) -> bool:
    constant_ms, round_trip_ms = view.time_constant_ms, view.round_trip_ms
    if constant_ms is None or round_trip_ms is None:
        return False
    return _drops(view) and constant_ms < round_trip_ms


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
        when="flows that all timed out together keep doing so in the mean field: below 75 % "
        "utilization, and never back above 85 % of the rate over two seconds",
        applies=lambda view: bool(_tcp(view)) and view.herd is not None,
        shown_by="time constant of the average beside the round trip",
        source="mean field of our own, `wred_collapse`; timers of RFC 6298",
    ),
    WredRegimeRow(
        Regime.NO_CONGESTION,
        when="every group loses less than 0.2 %, the class sends less than 97 % of its rate",
        applies=lambda view: bool(_tcp(view)) and _drops_rarely(view) and _is_idle(view),
        shown_by="part of its rate that the class sends",
        source="definition",
    ),
    WredRegimeRow(
        Regime.WINDOWS_END_FIRST,
        when="every group loses less than 0.2 %, and the class is busy",
        applies=lambda view: bool(_tcp(view)) and _drops_rarely(view) and not _is_idle(view),
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
