"""The table of regimes: the condition, method, source and accuracy of each regime.

`REGIMES` is in the order of decision: the first row that applies is the regime. The derivations
are in docs/model.md, row by row. No numerics are imported here: lint reads the words.

Half-widths of intervals are the only kind of number here that theory does not give. They come from
`benchmarks/half_widths.py`: errors against packet-level simulation of the reference scenarios
(`fixtures/scenarios/reference.json`) and of variants that `benchmarks/random_scenarios.py` draws.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from advisor.theory.beyond import Beyond, parts_beyond
from advisor.theory.half_widths import BY_PACKETS
from advisor.theory.interface import Interface, Regime, Weakness

if TYPE_CHECKING:
    from advisor.theory.case import Case

# Load of periodic packets of one size up to which no queue lasts longer than a period: 1, less the
# rounding error of a sum of floats.
CRITICAL_LOAD = 1 - 1e-9
# Load from which a lower queue hardly empties: its memory, E[s] / (1 - load)^2, is then 40 000
# packets, more than a queue holds, so a full ring is the better description.
FULL_LOAD = 0.995


class RegimeRow(Struct, frozen=True):
    """One regime.

    `words` is the text of reports, `when` is `applies` in words. `solver` is a module of
    `advisor.theory`. `half_width` of the interval of the mean is relative. `is_open` is true if the
    queue empties now and then: the assumptions are then solved at their other ends (`ends`).
    """

    regime: Regime
    words: str
    when: str
    applies: Callable[["Case"], bool]
    solver: str
    method: str
    source: str
    half_width: float
    weakness: str
    is_open: bool


class WeaknessRow(Struct, frozen=True):
    """One weakness: the words of reports, and its effect on the interval of the mean."""

    words: str
    interval: str


def _is_served_by_fluid(case: "Case") -> bool:
    if case.is_fifo:
        return case.has_on_off
    if not case.has_trains or case.is_never_empty:
        return False
    # between the trains even a queue over its share empties, if the wire is its own
    is_alone = len(case.lower_queues) == 1
    return case.load < FULL_LOAD or (is_alone and case.llq_load < FULL_LOAD)


def _is_full(case: "Case") -> bool:
    return case.is_never_empty or case.load >= (CRITICAL_LOAD if case.is_even else FULL_LOAD)


def _packet_row(
    regime: Regime, words: str, when: str, part: Beyond, weakness: str = "no weakness is known"
) -> RegimeRow:
    """A regime that only the kernel answers."""
    return RegimeRow(
        regime,
        words=words,
        when=when,
        applies=lambda case: part in parts_beyond(case.interface),
        solver="packet_run",
        method="every packet through buckets, queues, ring and wire (docs/simulation.md)",
        source="S. J. Golestani, IEEE INFOCOM (1994) 636-646; Cisco IOS QoS guides",
        half_width=BY_PACKETS,
        weakness=weakness,
        is_open=False,
    )


_PACKET_ROWS = (
    _packet_row(
        Regime.SHAPED,
        "packets wait for a shaper",
        "a shaper below the rate of the wire, of all traffic or of a class",
        Beyond.SHAPER,
        "the phase of the shaper's timer is random",
    ),
    _packet_row(
        Regime.LEVELS,
        "several priority levels",
        "priority classes of more than one level",
        Beyond.LEVELS,
    ),
    _packet_row(
        Regime.POLICE,
        "a policer that always meters",
        "a class with a `police` statement",
        Beyond.POLICE,
    ),
    _packet_row(
        Regime.PRECEDENCE,
        "fair queueing by IP precedence",
        "conversations of several precedences in one fair queue",
        Beyond.PRECEDENCE,
    ),
    _packet_row(
        Regime.EXCESS,
        "guarantees first, then the rest",
        "a guarantee where excess bandwidth is not shared in proportion",
        Beyond.EXCESS,
    ),
    _packet_row(
        Regime.SPURTS,
        "on/off sources in the LLQ",
        "a priority class with on/off sources",
        Beyond.SPURTS,
    ),
    _packet_row(
        Regime.BUNDLE,
        "a multilink bundle",
        "members that share the queues of a bundle, each with a ring of its own",
        Beyond.BUNDLE,
        "a piece goes to the member where it is sent first: assumed",
    ),
    _packet_row(
        Regime.DEEP,
        "a ring of more than 2048 units",
        "the ring is longer than formulas solve",
        Beyond.DEEP,
    ),
)

_ROWS = (
    *_PACKET_ROWS,
    RegimeRow(
        Regime.LLQ_OVERLOADED,
        words="the LLQ alone is offered more than the link carries",
        when="the LLQ's load is 1 or more, no policer, other classes beside it",
        applies=lambda case: bool(case.lower) and case.llq_fills_wire,
        solver="full_queue",
        method="Little's law on a queue that never has room; the others get nothing",
        source="J. D. C. Little, Oper. Res. 9 (1961) 383-387",
        half_width=0.10,
        weakness="its percentiles are the mean and 5 and 10 % more, not derived",
        is_open=False,
    ),
    RegimeRow(
        Regime.MODULATED,
        words="below saturation on average, on/off sources",
        when="on/off sources below the LLQ, more than two packets an on time, and a wire that "
        "is free between their trains; in one FIFO any on/off source",
        applies=_is_served_by_fluid,
        solver="fluid_on_off",
        method="fluid queue of on/off sources; where it is empty, packets of periodic sources",
        source="D. Anick, D. Mitra, M. M. Sondhi, Bell Syst. Tech. J. 61 (1982) 1871-1894; "
        "J. W. Roberts, J. T. Virtamo, IEEE Trans. Commun. 39 (1991) 298-303",
        half_width=0.25,
        weakness="sources unlike each other are taken as copies of the largest; ipdv of the "
        "lower classes is an upper value",
        is_open=True,
    ),
    RegimeRow(
        Regime.ALONE_PERIODIC,
        words="no other traffic: the ring is irrelevant",
        when="an LLQ alone, all sources periodic, load below 1",
        applies=lambda case: not case.lower and case.is_periodic and case.load < 1,
        solver="nd_d_1",
        method="Lindley's recursion, averaged over the phases of the sources",
        source="D. V. Lindley, Proc. Camb. Phil. Soc. 48 (1952) 277-289",
        half_width=0.05,
        weakness="an average over a finite set of phases; its error is added to the interval",
        is_open=False,
    ),
    RegimeRow(
        Regime.ALONE,
        words="no other traffic: the ring is irrelevant",
        when="an LLQ alone",
        applies=lambda case: not case.lower,
        solver="mx_g1_k",
        method="M^X/G/1/K: chain of the number left at departures",
        source="H. Takagi, Queueing Analysis 2 (1993)",
        half_width=0.05,
        weakness="periodic sources beside random ones are taken as random",
        is_open=False,
    ),
    RegimeRow(
        Regime.FIFO_PERIODIC,
        words="one queue for everything",
        when="one FIFO, all sources periodic, load below 1",
        applies=lambda case: case.is_fifo and case.is_periodic and case.load < 1,
        solver="nd_d_1",
        method="Lindley's recursion, averaged over the phases of the sources",
        source="D. V. Lindley, Proc. Camb. Phil. Soc. 48 (1952) 277-289",
        half_width=0.06,
        weakness="no queue-limit: below a load of 1 the queue is no longer than the sources",
        is_open=True,
    ),
    RegimeRow(
        Regime.FIFO,
        words="one queue for everything",
        when="one FIFO",
        applies=lambda case: case.is_fifo,
        solver="mx_g1_k",
        method="M^X/G/1/K: chain of the number left at departures",
        source="H. Takagi, Queueing Analysis 2 (1993)",
        half_width=0.06,
        weakness="bursts of several lengths are taken as equal ones of the same residual work",
        is_open=True,
    ),
    RegimeRow(
        Regime.RING_FULL,
        words="a lower class keeps the ring full",
        when="a class below the LLQ never empties, or the load is 0.995 or more (1 or more where "
        "all is periodic and of one size)",
        applies=_is_full,
        solver="saturated_ring",
        method="recursion of ring and wire over phases for the LLQ; for the others the "
        "scheduler's shares, a chain or Little's law for each queue",
        source="A. K. Parekh, R. G. Gallager, IEEE/ACM Trans. Networking 1 (1993) 344-357; "
        "H. Takagi, Queueing Analysis 2 (1993); J. D. C. Little, Oper. Res. 9 (1961) 383-387",
        half_width=0.04,
        weakness="tails of a queue that is always full are a packet's time or two, those of a "
        "fair queue twice and three times the mean: not derived",
        is_open=False,
    ),
    RegimeRow(
        Regime.PERIODIC,
        words="below saturation, periodic sources",
        when="all sources periodic",
        applies=lambda case: case.is_periodic,
        solver="nd_d_1",
        method="recursion of ring and wire, averaged over the phases of the sources",
        source="D. V. Lindley, Proc. Camb. Phil. Soc. 48 (1952) 277-289",
        half_width=0.06,
        weakness="several lower classes are served as one FIFO",
        is_open=True,
    ),
    RegimeRow(
        Regime.BURSTS,
        words="below saturation, bursts",
        when="the classes below the LLQ send bursts faster than the wire",
        applies=lambda case: case.has_bursts,
        solver="work_conservation",
        method="as for independent packets, with batch arrivals",
        source="H. Takagi, Queueing Analysis 2 (1993); L. Kleinrock, Naval Res. Logist. Q. 12 "
        "(1965) 181-192",
        half_width=0.12,
        weakness="percentiles of the classes that send them are up to 40 % high",
        is_open=True,
    ),
    RegimeRow(
        Regime.POISSON,
        words="below saturation, independent packets",
        when="everything else",
        applies=lambda case: bool(case.lower),
        solver="work_conservation",
        method="M^X/G/1/K for the lower classes together; recursion of ring and wire from its "
        "state, or its law up to the ring, for the LLQ; the conservation law for the rest",
        source="F. Pollaczek, Math. Z. 32 (1930) 64-100; L. Kleinrock, Naval Res. Logist. Q. 12 "
        "(1965) 181-192; S. J. Golestani, IEEE INFOCOM (1994) 636-646",
        half_width=0.06,
        weakness="the division between several lower classes is an interpolation",
        is_open=True,
    ),
)
REGIMES = {row.regime: row for row in _ROWS}

WEAKNESSES = {
    Weakness.POLICED: WeaknessRow(
        "the policer drops only while the ring is full: no loss, up to that of constant metering",
        "wider; reaches over the case of a policer that always meters",
    ),
    Weakness.SHED: WeaknessRow(
        "the policer drops only the excess over the link: the ring is not always full",
        "wider; reaches over the case of a policer that always meters",
    ),
    Weakness.FEW: WeaknessRow(
        "on/off sources of few packets per on time: taken as Poisson",
        "wider; reaches over the case of even sources",
    ),
    Weakness.FLUID: WeaknessRow(
        "on/off sources: a fluid with the phase, packets only where the queue is empty",
        "the regime's; near two packets an on time it reaches over the case of random packets",
    ),
    Weakness.TRAINS: WeaknessRow(
        "on/off sources over their share: the queue empties between trains, which is left out",
        "wider",
    ),
    Weakness.SPACED: WeaknessRow(
        "bursts whose packets are sent as they come, unless other traffic delays them: "
        "between apart and at once",
        "reaches over the case of bursts at once",
    ),
    Weakness.CUT: WeaknessRow(
        "bursts that do not fit whole: the rest of a burst waits less behind its own packets",
        "reaches over the mean without the wait behind its own burst",
    ),
    Weakness.ORDERED: WeaknessRow(
        "much of the load is periodic or in bursts and taken as random: a wide interval",
        "wider by the share of the load that is so",
    ),
    Weakness.LARGE: WeaknessRow(
        "large packets of a single LLQ stream stop the others: from hardly to as often as they "
        "come",
        "reaches over the mean with each of those stops",
    ),
    Weakness.DIVIDED: WeaknessRow(
        "shares between classes: an interpolation",
        "wider",
    ),
    Weakness.WITHIN: WeaknessRow(
        "a class within its share beside an overloaded one: its own queue is an estimate",
        "wider; reaches over the least and the most rate that its turns may give",
    ),
    Weakness.JUST_OVER: WeaknessRow(
        "a class just over its share: its turns vary, and so its queue is not always full",
        "wider; reaches over the mean with places that stay free",
    ),
    Weakness.CLOSED: WeaknessRow(
        "a closed backlog: the delay only shows how much is kept waiting",
        "wider",
    ),
    Weakness.OVERLOADED: WeaknessRow(
        "the LLQ alone is offered more than the link carries",
        "the regime's",
    ),
    Weakness.STARVED: WeaknessRow(
        "starved by an LLQ that has no policer",
        "none: nothing gets through",
    ),
    Weakness.UNSAMPLED: WeaknessRow(
        "too few of its packets pass to say how long they wait",
        "none: it has bounds only",
    ),
}


def classify(interface: Interface) -> Regime:
    """The regime of an interface.

    Raises
    ------
    ModelError
        If the interface cannot be modelled as described; see `advisor.theory.solver.solve`.
    """
    from advisor.theory.case import case_of  # noqa: PLC0415 -- lint must not wait for numpy
    from advisor.theory.flows import flows_of  # noqa: PLC0415

    return regime_of(case_of(interface, flows_of(interface)))


def regime_of(case: "Case") -> Regime:
    """The regime of sorted traffic: the first row that applies."""
    return next(row.regime for row in _ROWS if row.applies(case))


def words_of(regime: Regime) -> str:
    """Words of a regime in reports."""
    return REGIMES[regime].words


def weak_words(weaknesses: Sequence[Weakness]) -> str | None:
    """Words of the weaknesses of a result in reports; None without weaknesses."""
    return "; ".join(WEAKNESSES[weakness].words for weakness in weaknesses) or None
