"""The table of regimes: what each row applies to, and that nothing in it hangs in the air."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Excess,
    Fragmentation,
    Framing,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory import regimes
from advisor.theory.regimes import REGIMES, WEAKNESSES, classify, weak_words
from advisor.theory.solution import Regime, Weakness
from advisor.theory.solver import solve

FIFO = Queue("c0", QueueKind.FIFO, limit_packets=40)
LLQ = Queue("voice", QueueKind.PRIORITY)
FAIR = Queue("c0", QueueKind.FAIR, limit_packets=1000, flow_limit_packets=64, by_precedence=True)
GOLD, DATA = Queue("c0", QueueKind.BANDWIDTH, 60), Queue("c1", QueueKind.CLASS_DEFAULT, 40)


def policed(rate_kbps: float, burst_bytes: float) -> Queue:
    return replace(LLQ, priority_policer=Policer(rate_kbps * 1000, burst_bytes))


def stream(queue: Queue, arrival: Arrival, ip_bytes: int = 1000, precedence: int = 0) -> Traffic:
    name = f"{queue.name} {type(arrival).__name__} {ip_bytes}"
    sizes = SizeMix(((ip_bytes, 1.0),))
    return Traffic(name, queue.name, arrival, sizes, precedence=precedence)


Pair = tuple[Queue, Arrival] | tuple[Queue, Arrival, int] | tuple[Queue, Arrival, int, int]


def link(*pairs: Pair) -> Interface:
    """A link of 512 kb/s with a ring of 4: 1000 bytes take 15.7 ms, 63.5 packets/s fill it."""
    queues = tuple({pair[0].name: pair[0] for pair in pairs}.values())
    traffic = tuple(stream(*pair) for pair in pairs)
    return Interface(512_000.0, Framing(7), TxRing(4), queues, traffic)


CALL = (LLQ, Periodic(50), 60)
TRAINS, SPARSE = OnOff(60, 300, 700), OnOff(60, 30, 70)  # 18 and 1.8 packets an on time
CASES = [
    pytest.param(link(CALL), Regime.ALONE_PERIODIC, id="a call alone"),
    pytest.param(link(CALL, (LLQ, Poisson(20))), Regime.ALONE, id="a call and random packets"),
    pytest.param(link((LLQ, Periodic(70))), Regime.ALONE, id="an LLQ alone over the link"),
    pytest.param(link((FIFO, Periodic(30))), Regime.FIFO_PERIODIC, id="periodic packets in a FIFO"),
    pytest.param(link((FIFO, Periodic(70))), Regime.FIFO, id="a FIFO over the link"),
    pytest.param(link((FIFO, Poisson(30))), Regime.FIFO, id="random packets in a FIFO"),
    pytest.param(link((FIFO, TRAINS)), Regime.MODULATED, id="trains in a FIFO"),
    pytest.param(link((FIFO, SPARSE)), Regime.MODULATED, id="sparse on/off packets in a FIFO"),
    pytest.param(link(CALL, (GOLD, Saturated())), Regime.RING_FULL, id="data that never ends"),
    pytest.param(link(CALL, (GOLD, Poisson(70))), Regime.RING_FULL, id="data over the link"),
    pytest.param(
        link(CALL, (GOLD, Periodic(60.1))), Regime.PERIODIC, id="periodic, 99.8 % of the link"
    ),
    pytest.param(
        link(CALL, (GOLD, Poisson(60.1))), Regime.RING_FULL, id="random, 99.8 % of the link"
    ),
    pytest.param(
        link((LLQ, Periodic(70)), (GOLD, Poisson(10))),
        Regime.LLQ_OVERLOADED,
        id="an LLQ over the link above data",
    ),
    pytest.param(
        link((policed(100, 3000), Periodic(70)), (GOLD, Poisson(10))),
        Regime.RING_FULL,
        id="a policed LLQ over the link above data",
    ),
    pytest.param(
        link((LLQ, Periodic(70)), (GOLD, Saturated())),
        Regime.LLQ_OVERLOADED,
        id="an LLQ over the link above data that never ends",
    ),
    pytest.param(link(CALL, (GOLD, Periodic(30))), Regime.PERIODIC, id="periodic data"),
    pytest.param(link(CALL, (GOLD, Poisson(30))), Regime.POISSON, id="random data"),
    pytest.param(link(CALL, (GOLD, SPARSE)), Regime.POISSON, id="sparse on/off data"),
    pytest.param(link(CALL, (GOLD, TRAINS)), Regime.MODULATED, id="trains of data"),
    pytest.param(
        link(CALL, (GOLD, OnOff(200, 300, 300))), Regime.MODULATED, id="trains over the link"
    ),
    pytest.param(
        link(CALL, (GOLD, OnOff(200, 300, 300)), (DATA, Poisson(1))),
        Regime.RING_FULL,
        id="trains over the link beside another class",
    ),
    pytest.param(link(CALL, (GOLD, Bursts(3, 10, 0.0))), Regime.BURSTS, id="bursts of data"),
    pytest.param(
        link(CALL, (GOLD, Bursts(3, 10, 20.0))), Regime.POISSON, id="bursts slower than the wire"
    ),
    pytest.param(
        replace(link(CALL, (GOLD, Poisson(20))), shaper=Shaper(256_000.0, 10.0)),
        Regime.SHAPED,
        id="a shaper around all queues",
    ),
    pytest.param(
        replace(link(CALL, (GOLD, Poisson(20))), shaper=Shaper(600_000.0, 10.0)),
        Regime.POISSON,
        id="a shaper above the wire",
    ),
    pytest.param(
        link(CALL, (replace(GOLD, shaper=Shaper(256_000.0, 10.0)), Poisson(20))),
        Regime.SHAPED,
        id="a shaper of a class",
    ),
    pytest.param(
        link(CALL, (Queue("video", QueueKind.PRIORITY, level=2), Poisson(20)), (GOLD, Poisson(9))),
        Regime.LEVELS,
        id="two priority levels",
    ),
    pytest.param(
        link(
            (replace(LLQ, class_policer=Policer(24_000.0, 3000)), Periodic(50), 60),
            (GOLD, Poisson(20)),
        ),
        Regime.POLICE,
        id="a policer that always meters",
    ),
    pytest.param(
        link((FAIR, Poisson(20)), (FAIR, Poisson(20), 600, 5)),
        Regime.PRECEDENCE,
        id="two precedences in a fair queue",
    ),
    pytest.param(
        link((FAIR, Poisson(20)), (FAIR, Poisson(20), 600)),
        Regime.POISSON,
        id="one precedence in a fair queue",
    ),
    pytest.param(
        replace(
            link((replace(GOLD, guarantee_bps=100_000.0), Poisson(20)), (DATA, Poisson(20))),
            excess=Excess.EQUAL,
        ),
        Regime.EXCESS,
        id="a guarantee, and equal parts of the rest",
    ),
    pytest.param(link((LLQ, TRAINS, 60), (GOLD, Poisson(20))), Regime.SPURTS, id="talk spurts"),
    pytest.param(
        replace(link((LLQ, Poisson(20), 60)), members_bps=(256_000.0, 256_000.0)),
        Regime.BUNDLE,
        id="two members",
    ),
    pytest.param(
        replace(link(CALL, (GOLD, Poisson(20))), ring=TxRing(2049)), Regime.DEEP, id="a deep ring"
    ),
]


@pytest.mark.parametrize(("interface", "regime"), CASES)
def test_traffic_decides_the_regime(interface: Interface, regime: Regime) -> None:
    assert classify(interface) is regime


@pytest.mark.parametrize(("interface", "regime"), CASES)
def test_every_class_is_answered_by_the_regime_of_its_interface(
    interface: Interface, regime: Regime
) -> None:
    assert {result.regime for result in solve(interface).classes} == {regime}


@pytest.mark.parametrize("regime", Regime)
def test_every_regime_has_traffic_that_is_in_it(regime: Regime) -> None:
    assert regime in {case.values[1] for case in CASES}


def test_the_table_has_one_row_for_each_regime_in_the_order_of_the_enumeration() -> None:
    assert list(REGIMES) == list(Regime)


@pytest.mark.parametrize("regime", Regime)
def test_every_row_says_when(regime: Regime) -> None:
    assert REGIMES[regime].words
    assert REGIMES[regime].when


WEAK = [
    pytest.param(link((GOLD, Saturated())), Weakness.CLOSED, id="a closed backlog"),
    pytest.param(
        link((LLQ, Periodic(70)), (GOLD, Poisson(10))), Weakness.STARVED, id="below an LLQ over all"
    ),
    pytest.param(
        link((LLQ, Poisson(60)), (GOLD, Poisson(1e-7))), Weakness.UNSAMPLED, id="a rare packet"
    ),
]


@pytest.mark.parametrize(("interface", "weakness"), WEAK)
def test_what_a_result_cannot_say_is_of_its_kind(interface: Interface, weakness: Weakness) -> None:
    assert weakness in {kind for result in solve(interface).classes for kind in result.weak}


def test_every_weakness_has_traffic_that_shows_it() -> None:
    assert set(Weakness) == {case.values[1] for case in WEAK}


def test_weaknesses_are_told_apart_by_their_words() -> None:
    assert list(WEAKNESSES) == list(Weakness)
    assert len(set(WEAKNESSES.values())) == len(Weakness)


def test_several_weaknesses_are_said_in_their_order() -> None:
    first, second = Weakness.CLOSED, Weakness.STARVED

    assert weak_words((first, second)) == f"{WEAKNESSES[first]}; {WEAKNESSES[second]}"
    assert weak_words(()) is None


@pytest.mark.parametrize("interface", [case.values[0] for case in (*CASES, *WEAK)])
def test_no_figure_depends_on_the_words(
    interface: Interface, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = solve(interface)
    reworded = {kind: kind.value for kind in WEAKNESSES}
    monkeypatch.setattr(regimes, "WEAKNESSES", reworded)
    for regime, row in list(REGIMES.items()):
        monkeypatch.setitem(REGIMES, regime, replace(row, words="reworded"))

    assert solve(interface) == before


def test_fragments_do_not_change_the_regime() -> None:
    whole = link(CALL, (GOLD, Poisson(30)))

    assert classify(replace(whole, fragmentation=Fragmentation(300, 10))) is Regime.POISSON
