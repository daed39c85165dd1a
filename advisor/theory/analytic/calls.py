"""Chooses calls that are followed through a full ring packet by packet, and judges the result."""

from collections.abc import Iterator
from math import sqrt

from advisor.model import Periodic
from advisor.theory.analytic.orbit import Clock, Delays, delays_of
from advisor.theory.analytic.packets import Stream
from advisor.theory.analytic.result import Validity
from advisor.theory.analytic.setting import SHORT_QUEUE, Setting
from advisor.theory.analytic.validity import Judged, is_on_off, is_short, llq_unanswered
from advisor.theory.flows import Flow

MOST_LOAD = 0.85  # of an LLQ above lower packets
# Standard error of a mean over the phases; few calls may lock in phase with the lower packets.
MOST_SCATTER, MOST_SCATTER_OF_FEW, FEW_CALLS = 0.025, 0.012, 2
MOST_PERIODS = 12  # of few calls, in the time of a ring
MOST_LIGHT = 0.6  # shorter lower packets that come while one of a backlog is sent


def followed(setting: Setting) -> tuple[Delays, ...] | None:
    """Delays of all classes of an LLQ, each of calls of one size, or of a probe of trains alone."""
    case = setting.case
    is_train = len(setting.streams) == 1 and setting.streams[0].train is not None
    are_clocks = all(flow.fixed and isinstance(flow.traffic.arrival, Periodic) for flow in case.llq)
    if not setting.is_full or not setting.packets or not (are_clocks or is_train):
        return None
    if llq_unanswered(setting):
        return None
    clocks = tuple(map(_clock, case.llq, setting.streams))
    return delays_of(clocks, setting.packets, setting.ring)


def _clock(flow: Flow, stream: Stream) -> Clock:
    """Calls; a policer meters all of them, as the ring is always full."""
    arrival = flow.traffic.arrival
    return Clock(
        stream,
        stream.ms,
        stream.period_ms or 0.0,
        arrival.jitter_ms if isinstance(arrival, Periodic) else 0.0,
        flow.units[0],
        flow.frame_bytes[0],
        flow.queue.limit_packets,
        flow.queue.priority_policer,
    )


def followed_validity(setting: Setting, found: Delays) -> Judged:
    """Validity of a delay that was followed."""
    for why in _limits(setting, found):
        return Judged(Validity.WITHIN_20, Validity.WITHIN_20, why)
    return Judged(Validity.WITHIN_5, Validity.WITHIN_5)


def _limits(setting: Setting, found: Delays) -> Iterator[str]:
    calls = sum(stream.number for stream in setting.streams)
    if found.scatter > (MOST_SCATTER_OF_FEW if calls <= FEW_CALLS else MOST_SCATTER):
        yield f"the phases of the calls decide the mean: ± {found.scatter:.0%}"
    if calls <= FEW_CALLS and found.terms.mean_ms > MOST_PERIODS * _period_ms(setting):
        yield "a ring that keeps the pattern of its first packets"
    yield from limits_of_setting(setting)


def limits_of_setting(setting: Setting) -> Iterator[str]:
    """Reasons, known before calls are followed, why their mean may be off by more than 5 %."""
    case = setting.case
    if setting.llq_load > MOST_LOAD:
        yield f"an LLQ of {setting.llq_load:.0%} of the wire"
    if not case.is_never_empty and is_short(setting, SHORT_QUEUE):
        yield "short queues"
    if sum(turn.copies for turn in setting.turns if turn.backlogged) > 1:
        yield "several backlogged queues, which the scheduler sends in a nearly fixed order"
    if not case.is_never_empty and any(map(is_on_off, case.lower)):
        yield "on/off sources that fill the ring only while they are on"
    if _light(setting) > MOST_LIGHT:
        yield "light lower classes that swing with the LLQ"


def _period_ms(setting: Setting) -> float:
    return min((stream.period_ms or 0.0) for stream in setting.streams)


def _light(setting: Setting) -> float:
    """Packets of shorter lower classes that come while one of a backlogged class is sent.

    They take places of the ring as those of the LLQ do: with many of them it swings. Each counts by
    what it is shorter.
    """
    heavy = [flow for turn in setting.turns if turn.backlogged for flow in turn.flows]
    longest_ms = max((sqrt(flow.second_ms2) for flow in heavy), default=0.0)
    return sum(
        turn.copies * flow.rate_per_ms * max(longest_ms - flow.mean_ms, 0.0)
        for turn in setting.turns
        if not turn.backlogged
        for flow in turn.flows
    )
