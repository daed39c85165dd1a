"""The table of regimes: what kind of queueing an interface has, in words for reports.

`REGIMES` is in the order of decision: the first row that applies is the regime. The kernel answers
all of them.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct

from advisor.model import Interface
from advisor.theory.flows import CRITICAL_LOAD, SortedTraffic, case_of, flows_of
from advisor.theory.solution import Feature, Regime, Weakness

# Load from which a lower queue hardly empties: its relaxation time, 2 load E[s] / (1 - load)^2, is
# then about 80 000 packets, more than a queue holds, so a full ring is the better description.
FULL_LOAD = 0.995


class RegimeRow(Struct, frozen=True):
    """One regime.

    `words` is the text of reports, `when` is `applies` in words. `part` is the part of an interface
    that has it, whatever the traffic.
    """

    regime: Regime
    words: str
    when: str
    applies: Callable[[SortedTraffic], bool] = lambda _: False
    part: Feature | None = None


def _has_trains_below_saturation(case: SortedTraffic) -> bool:
    if case.is_fifo:
        return case.has_on_off
    if not case.has_trains or case.is_never_empty:
        return False
    # between the trains even a queue over its share empties, if the wire is its own
    is_alone = len(case.lower_queues) == 1
    return case.load < FULL_LOAD or (is_alone and case.llq_load < FULL_LOAD)


def _is_full(case: SortedTraffic) -> bool:
    return case.is_never_empty or case.load >= (CRITICAL_LOAD if case.is_even else FULL_LOAD)


def _packet_row(regime: Regime, words: str, when: str, part: Feature) -> RegimeRow:
    """A regime of a part of an interface, whatever the traffic."""
    return RegimeRow(regime, words, when, part=part)


_PACKET_ROWS = (
    _packet_row(
        Regime.SHAPED,
        "packets wait for a shaper",
        "a shaper below the rate of the wire, of all traffic or of a class",
        Feature.SHAPER,
    ),
    _packet_row(
        Regime.LEVELS,
        "several priority levels",
        "priority classes of more than one level",
        Feature.LEVELS,
    ),
    _packet_row(
        Regime.POLICE,
        "a policer that always meters",
        "a class with a `police` statement",
        Feature.POLICE,
    ),
    _packet_row(
        Regime.PRECEDENCE,
        "fair queueing by IP precedence",
        "conversations of several precedences in one fair queue",
        Feature.PRECEDENCE,
    ),
    _packet_row(
        Regime.EXCESS,
        "guarantees first, then the rest",
        "a guarantee where excess bandwidth is not shared in proportion",
        Feature.EXCESS,
    ),
    _packet_row(
        Regime.SPURTS,
        "on/off sources in the LLQ",
        "a priority class with on/off sources",
        Feature.SPURTS,
    ),
    _packet_row(
        Regime.BUNDLE,
        "a multilink bundle",
        "members that share the queues of a bundle, each with a ring of its own",
        Feature.BUNDLE,
    ),
    _packet_row(
        Regime.DEEP,
        "a deep ring",
        "more than 2048 packets or particles",
        Feature.DEEP,
    ),
)

_ROWS = (
    *_PACKET_ROWS,
    RegimeRow(
        Regime.LLQ_OVERLOADED,
        words="the LLQ alone is offered more than the link carries",
        when="the load that passes the policers of the LLQ is 1 or more, other classes beside it",
        applies=lambda case: bool(case.lower) and case.llq_fills_wire,
    ),
    RegimeRow(
        Regime.MODULATED,
        words="below saturation on average, on/off sources",
        when="on/off sources, more than two packets an on time, and a wire that "
        "is free between their trains; in one FIFO any on/off source",
        applies=_has_trains_below_saturation,
    ),
    RegimeRow(
        Regime.ALONE_PERIODIC,
        words="no other traffic: the ring is irrelevant",
        when="an LLQ alone, all sources periodic, load below 1",
        applies=lambda case: not case.lower and case.is_periodic and case.load < 1,
    ),
    RegimeRow(
        Regime.ALONE,
        words="no other traffic: the ring is irrelevant",
        when="an LLQ alone",
        applies=lambda case: not case.lower,
    ),
    RegimeRow(
        Regime.FIFO_PERIODIC,
        words="one queue for everything",
        when="one FIFO, all sources periodic, load below 1",
        applies=lambda case: case.is_fifo and case.is_periodic and case.load < 1,
    ),
    RegimeRow(
        Regime.FIFO,
        words="one queue for everything",
        when="one FIFO",
        applies=lambda case: case.is_fifo,
    ),
    RegimeRow(
        Regime.RING_FULL,
        words="a lower class keeps the ring full",
        when="a class below the LLQ never empties, or the load is 0.995 or more (1 or more where "
        "all is periodic and of one size)",
        applies=_is_full,
    ),
    RegimeRow(
        Regime.PERIODIC,
        words="below saturation, periodic sources",
        when="all sources periodic",
        applies=lambda case: case.is_periodic,
    ),
    RegimeRow(
        Regime.BURSTS,
        words="below saturation, bursts",
        when="the classes below the LLQ send bursts faster than the wire",
        applies=lambda case: case.has_bursts,
    ),
    RegimeRow(
        Regime.POISSON,
        words="below saturation, independent packets",
        when="everything else",
        applies=lambda case: bool(case.lower),
    ),
)
REGIMES = {row.regime: row for row in _ROWS}

WEAKNESSES = {
    Weakness.CLOSED: "a closed backlog: the delay only shows how much is kept waiting",
    Weakness.STARVED: "starved by an LLQ that fills the link: no policer takes enough of it",
    Weakness.UNSAMPLED: "too few of its packets pass to say how long they wait",
}


def classify(interface: Interface) -> Regime:
    """The regime of an interface.

    Raises
    ------
    ModelError
        If the interface cannot be modelled as described; see `advisor.theory.solver.solve`.
    """
    return regime_of(case_of(interface, flows_of(interface)))


def regime_of(case: SortedTraffic) -> Regime:
    """The regime of sorted traffic: the first row that applies."""
    return next(row.regime for row in _ROWS if row.part in case.parts or row.applies(case))


def words_of(regime: Regime) -> str:
    """Words of a regime in reports."""
    return REGIMES[regime].words


def weak_words(weaknesses: Sequence[Weakness]) -> str | None:
    """Words of the weaknesses of a result in reports; None without weaknesses."""
    return "; ".join(WEAKNESSES[weakness] for weakness in weaknesses) or None
