"""Thresholds by the delay that they mean: MaxThreshold = target delay x rate of the class.

Source: Test of WRED for Bottleneck Link, CSELT and INFN/CNAF, 2000.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import ceil
from typing import Final

from msgspec.structs import replace

from advisor.facts.policy import Unit
from advisor.outlet.class_service import ClassService
from advisor.outlet.wred_rows import WredRow
from advisor.quantity import Figure

TARGET_MS: Final = 100.0
LEAST_FACTOR: Final = 0.5
MOST_FACTOR: Final = 2.0
MET_FACTOR: Final = 1.5  # of what WRED needs: a class with more misses the target
LARGEST_PACKETS: Final = 4096  # of a threshold: random-detect precedence, IOS command reference
_LEAST_LOW_PACKETS: Final = 3  # fewer: one burst of a flow passes the minimum
_LEAST_GAP_PACKETS: Final = 6  # fewer: the probability of a drop jumps from packet to packet
# Rows of a lower maximum keep this part of the highest, to stay near the target.
_LEAST_OF_TOP: Final = 0.6


def is_off(
    row: WredRow,
    services: Sequence[ClassService],
    target_ms: float = TARGET_MS,
    factors: tuple[float, float] = (LEAST_FACTOR, MOST_FACTOR),
) -> bool:
    """Whether a maximum is off the target at every output, for the whole range of the packet.

    It may be too long at one output and too short at another.
    """
    delays = [service.queue_ms(row.max_threshold, row.unit) for service in services]
    return all(
        delay.low > factors[1] * target_ms or delay.high < factors[0] * target_ms
        for delay in delays
    )


def moved(rows: Sequence[WredRow], service: ClassService) -> tuple[WredRow, ...]:
    """The rows moved to the target, their order kept; minima are under half of the maximum.

    Minima that differed still do, where the whole numbers leave room. No row has fewer packets than
    WRED needs.
    """
    top = {
        row.unit: max(other.max_threshold for other in rows if other.unit is row.unit)
        for row in rows
    }
    steepest = max(row.min_threshold / max(row.max_threshold, 1) for row in rows)
    after = {row: _moved(row, service, top[row.unit], steepest) for row in rows}
    return _told_apart(rows, after, service)


def _told_apart(
    rows: Sequence[WredRow], after: dict[WredRow, WredRow], service: ClassService
) -> tuple[WredRow, ...]:
    """The rows with minima apart that only rounding made equal: the lower one goes down."""
    by_minimum = sorted(rows, key=lambda row: -row.min_threshold)
    for higher, row in pairwise(by_minimum):
        above, own = after[higher], after[row]
        least, _ = least_thresholds(service, row.unit)
        same_top = higher.unit is row.unit and above.max_threshold == own.max_threshold
        differed = higher.min_threshold > row.min_threshold
        if same_top and differed and own.min_threshold >= above.min_threshold > least:
            after[row] = replace(own, min_threshold=above.min_threshold - 1)
    return tuple(after[row] for row in rows)


def _moved(row: WredRow, service: ClassService, top: float, steepest: float) -> WredRow:
    least_low, least_high = least_thresholds(service, row.unit)
    aim = max(least_high, round(service.amount_in(TARGET_MS, row.unit)))
    part = max(_LEAST_OF_TOP, row.max_threshold / max(top, 1))
    high = max(least_high, round(aim * part))
    share = row.min_threshold / max(row.max_threshold, 1)
    low = round(high * share if steepest < 1 / 2 else high / 3 * share / steepest)
    low = max(least_low, min(low, (high - 1) // 2, high - (least_high - least_low)))
    return replace(row, min_threshold=low, max_threshold=high)


def least_thresholds(service: ClassService, unit: Unit) -> tuple[int, int]:
    """The least minimum and the least maximum of WRED in a class, in a unit."""
    low = ceil(service.of_packets(_LEAST_LOW_PACKETS, unit))
    gap = ceil(service.of_packets(_LEAST_GAP_PACKETS, unit))
    return max(_LEAST_LOW_PACKETS, low), max(_LEAST_LOW_PACKETS, low) + gap


def is_too_small(row: WredRow, service: ClassService) -> bool:
    """Whether a row has a minimum or a range of fewer packets than WRED needs."""
    low, high = least_thresholds(service, row.unit)
    return row.min_threshold < low or row.max_threshold - row.min_threshold < high - low


def shortest_wred(service: ClassService) -> tuple[int, Figure]:
    """The least packets of a maximum that WRED needs, and the time in ms that they take."""
    packets = _LEAST_LOW_PACKETS + _LEAST_GAP_PACKETS
    return packets, service.queue_ms(packets, Unit.PACKETS)
