"""The recursion of all queues as a solver: its draws, its extent, and the laws that it keeps."""

import numpy as np
import pytest
from msgspec.structs import replace

from advisor.theory.case import Case, case_of
from advisor.theory.flows import flows_of
from advisor.theory.interface import (
    Arrival,
    Bursts,
    ClassResult,
    Fragmentation,
    Interface,
    OnOff,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Saturated,
    SizeMix,
    Traffic,
    TxRing,
    Weakness,
)
from advisor.theory.queues.arrivals import draw_arrivals
from advisor.theory.queues.plan import Plan, plan_of
from advisor.theory.queues.start import waiting_of
from advisor.theory.solver import estimate, solve
from advisor.theory.wire import Framing

LLQ = Queue("voice", QueueKind.PRIORITY)
GOLD = Queue("gold", QueueKind.BANDWIDTH, 40.0)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 20.0)
FAIR = replace(DATA, flow_limit_packets=32)
CALL = Traffic("voice", "voice", Periodic(50.0), SizeMix(((60, 1.0),)))


def stream(queue: Queue, arrival: Arrival, size_bytes: int = 1000, **more: int) -> Traffic:
    return Traffic(queue.name, queue.name, arrival, SizeMix(((size_bytes, 1.0),)), **more)


def link(*traffic: Traffic, queues: tuple[Queue, ...] = (LLQ, GOLD, DATA), ring: int = 4,
         lfi: Fragmentation | None = None) -> Interface:  # fmt: skip
    return Interface(512_000.0, Framing(7), TxRing(ring), queues, traffic, fragmentation=lfi)


def case(interface: Interface) -> Case:
    return case_of(interface, flows_of(interface))


def plan(interface: Interface) -> Plan | None:
    return plan_of(case(interface), estimate(interface))


def result(interface: Interface, name: str) -> ClassResult:
    return next(found for found in solve(interface).classes if found.name == name)


@pytest.mark.parametrize(
    "arrival",
    [
        pytest.param(Periodic(50.0), id="periodic"),
        pytest.param(Periodic(50.0, 35.0), id="periodic, late by more than a period"),
        pytest.param(Poisson(50.0), id="Poisson"),
        pytest.param(Bursts(5.0, 10, 4.0), id="bursts"),
        pytest.param(OnOff(100.0, 200.0, 200.0), id="on/off"),
        pytest.param(OnOff(100.0, 5.0, 5.0), id="on/off, half a packet an on time"),
    ],
)
def test_sources_send_at_their_rate_from_the_start(arrival: Arrival) -> None:
    (flow,) = flows_of(link(stream(DATA, arrival, streams=2)))
    times_ms = draw_arrivals(flow, 400.0, 2000, np.random.default_rng(1))
    early, late = (times_ms < 200).mean(axis=1).sum(), ((times_ms >= 200) & (times_ms < 400)).sum()

    assert (np.diff(times_ms, axis=0) >= 0).all()
    assert (times_ms >= 0).all()
    assert early == pytest.approx(20.0, rel=0.05)
    assert late / 2000 == pytest.approx(20.0, rel=0.05)


def test_the_packets_of_on_off_sources_vary_as_their_phases() -> None:
    (flow,) = flows_of(link(stream(DATA, OnOff(100.0, 200.0, 200.0))))
    counts = (draw_arrivals(flow, 200.0, 4000, np.random.default_rng(1)) < 200).sum(axis=0)

    # variance of the on time of a phase that forgets in 100 ms: 2 p (1 - p) 100^2 (2 - 1 + e^-2)
    variance = 0.1**2 * 2 * 0.25 * 100**2 * (1 + np.exp(-2.0))
    assert counts.var() == pytest.approx(variance, rel=0.08)


DECLINED = [
    pytest.param(link(stream(GOLD, Poisson(20)), ring=100_000), id="a ring longer than the run"),
    pytest.param(
        link(CALL, replace(CALL, name="video", queue="video"), stream(DATA, Poisson(20)),
             queues=(LLQ, Queue("video", QueueKind.PRIORITY), DATA)),
        id="two priority queues",
    ),
    pytest.param(
        link(stream(FAIR, Poisson(60), conversations=50), queues=(LLQ, FAIR)),
        id="more conversations than rows",
    ),
    pytest.param(
        link(stream(GOLD, Poisson(10)), stream(DATA, Poisson(1e6))), id="a flood"
    ),
    pytest.param(
        link(stream(GOLD, Poisson(10)), stream(DATA, Bursts(1e-5, 1_000_000, 20.0))),
        id="bursts longer than a lane",
    ),
]  # fmt: skip


@pytest.mark.parametrize("interface", DECLINED)
def test_what_is_too_large_is_left_to_the_formulas(interface: Interface) -> None:
    assert plan(interface) is None
    assert solve(interface) == estimate(interface)


def test_a_queue_is_a_row_behind_the_llq() -> None:
    found = plan(link(CALL, stream(GOLD, Poisson(10)), stream(DATA, Saturated())))

    assert found is not None
    assert [[flow.traffic.name for flow in row.flows] for row in found.rows] == [
        ["voice"], ["gold"], ["data"]
    ]  # fmt: skip
    assert [row.is_closed for row in found.rows] == [False, False, True]


def test_a_conversation_of_fair_queue_is_a_row() -> None:
    found = plan(link(stream(FAIR, Poisson(20), conversations=3), queues=(LLQ, FAIR)))

    assert found is not None
    assert [row.limit_packets for row in found.rows[1:]] == [32, 32, 32]


def test_a_queue_that_is_offered_too_much_is_full_at_the_start() -> None:
    interface = link(CALL, stream(GOLD, Poisson(5)), stream(DATA, Poisson(200)))
    found = plan(interface)

    assert found is not None
    waiting = waiting_of(case(interface), found, estimate(interface))
    assert (waiting[2] == 63).all()
    assert waiting[1].mean() < 1


def test_work_is_conserved_between_two_classes() -> None:
    """Load times wait, summed: Pollaczek and Khinchine (L. Kleinrock 1965)."""
    interface = link(stream(GOLD, Poisson(30), 600), stream(DATA, Poisson(15), 1400), ring=2)
    times_ms = {"gold": 607 * 8 / 512, "data": 1407 * 8 / 512}
    rates = {"gold": 0.03, "data": 0.015}
    loads = {name: rates[name] * times_ms[name] for name in rates}
    rest_ms = sum(rates[name] * times_ms[name] ** 2 / 2 for name in rates)
    expected = rest_ms * sum(loads.values()) / (1 - sum(loads.values()))
    solved = {found.name: found.delay.mean_ms - times_ms[found.name]
              for found in solve(interface).classes}  # fmt: skip

    together = sum(loads[name] * solved[name] for name in loads)
    assert together == pytest.approx(expected, rel=0.06)


def test_a_lane_is_drawn_alike_every_time() -> None:
    interface = link(CALL, stream(GOLD, OnOff(60, 200, 300)), stream(DATA, Poisson(15)))

    assert solve(interface) == solve(interface)


POLICED = replace(LLQ, policer=Policer(24_000.0, 600))


@pytest.mark.parametrize(
    "interface",
    [
        pytest.param(link(CALL, stream(GOLD, Poisson(20)), stream(DATA, Poisson(15))), id="two"),
        pytest.param(
            link(replace(CALL, arrival=Periodic(100.0)), stream(DATA, Poisson(35)),
                 queues=(POLICED, GOLD, DATA)),
            id="policed",
        ),
        pytest.param(link(CALL, stream(GOLD, OnOff(60, 200, 300)), stream(DATA, Poisson(9))),
                     id="trains"),
    ],
)  # fmt: skip
def test_no_assumption_is_left_in_its_results(interface: Interface) -> None:
    assert {weakness for found in estimate(interface).classes for weakness in found.weak}
    assert not {weakness for found in solve(interface).classes for weakness in found.weak}


def test_a_class_that_never_empties_keeps_its_estimate() -> None:
    interface = link(CALL, stream(GOLD, Poisson(10)), stream(DATA, Saturated(8)))

    assert result(interface, "data").weak == (Weakness.CLOSED,)
    assert result(interface, "data") == estimate(interface).classes[2]


def test_a_class_of_rare_packets_keeps_its_estimate_with_its_other_ends() -> None:
    rare = stream(GOLD, Poisson(0.001))
    interface = link(CALL, rare, stream(DATA, OnOff(60, 200, 300)))

    assert result(interface, "gold") == estimate(interface).classes[1]
    assert result(interface, "data").weak == ()
