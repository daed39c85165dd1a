"""Interfaces solved together have the answers that they have alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.theory.flows import as_one, flows_of
from advisor.theory.interface import (
    Interface,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    RingUnit,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.ring.full_ring import police
from advisor.theory.ring.sampling import side
from advisor.theory.solver import solve, solve_all
from advisor.theory.wire import Framing

VOICE = Queue("voice", QueueKind.PRIORITY)
DATA = Queue("data", QueueKind.BANDWIDTH, 60.0)
REST = Queue("rest", QueueKind.CLASS_DEFAULT, 40.0)
CALLS = Traffic("calls", "voice", Periodic(50.0), SizeMix(((60, 1.0),)), 3)
SIGNALS = Traffic("signals", "voice", Poisson(20.0), SizeMix(((60, 1.0), (200, 1.0))))
BULK = Traffic("bulk", "data", Saturated(), SizeMix(((1500, 1.0),)))
MIXED = Traffic("mixed", "rest", Saturated(), SizeMix(((64, 7.0), (576, 4.0), (1500, 1.0))))
QUERIES = Traffic("queries", "data", Poisson(30.0), SizeMix(((300, 1.0),)))


def interface(ring: TxRing, *traffic: Traffic, voice: Queue = VOICE) -> Interface:
    return Interface(512_000.0, Framing(7), ring, (voice, DATA, REST), traffic)


def packets(limit: int, beside_wire: int = 0) -> TxRing:
    return TxRing(limit, beside_wire=beside_wire)


def particles(limit: int) -> TxRing:
    return TxRing(limit, RingUnit.PARTICLES)


POLICED = Queue("voice", QueueKind.PRIORITY, policer=Policer(40_000.0, 200.0))
KINDS = {
    "rings of any depth, the LLQ in clumps or not": [
        interface(packets(limit, beside), CALLS, BULK)
        for limit in (1, 2, 5, 9, 33)
        for beside in (0, 1)
    ],
    "rings of particles": [
        interface(particles(limit), CALLS, BULK, MIXED) for limit in (4, 5, 12, 40)
    ],
    "several LLQ flows, and sizes that vary": [
        interface(packets(limit), CALLS, SIGNALS, MIXED) for limit in (2, 3, 8)
    ],
    "an LLQ whose bucket drops": [
        interface(packets(limit), CALLS, BULK, voice=POLICED) for limit in (2, 4, 6)
    ],
    "every regime in one list": [
        interface(packets(3), CALLS, QUERIES),
        interface(packets(3), CALLS),
        interface(packets(3), CALLS, BULK),
        interface(packets(3)),
        interface(packets(4), QUERIES, BULK),
    ],
}


@pytest.mark.parametrize("interfaces", KINDS.values(), ids=KINDS)
def test_together_as_alone(interfaces: list[Interface]) -> None:
    assert solve_all(interfaces) == tuple(map(solve, interfaces))


def test_a_shaper_is_regarded_when_solved_together() -> None:
    plain = interface(packets(4), CALLS, BULK)
    shaped = Interface(
        plain.rate_bps,
        plain.framing,
        plain.ring,
        plain.queues,
        plain.traffic,
        shaper=Shaper(256_000.0, 25.0),
    )

    assert solve_all((plain, shaped)) == (solve(plain), solve(shaped))


def test_independent_flows_as_one_keep_rate_and_moments() -> None:
    lower = flows_of(
        Interface(
            512_000.0,
            Framing(7),
            packets(4),
            (DATA, REST),
            (QUERIES, Traffic("web", "rest", Poisson(12.0), SizeMix(((300, 1.0), (1500, 2.0))))),
        )
    )

    (one,) = as_one(lower)

    assert one.rate_per_ms == pytest.approx(sum(flow.rate_per_ms for flow in lower))
    assert one.load == pytest.approx(sum(flow.load for flow in lower))
    assert one.rate_per_ms * one.second_ms2 == pytest.approx(
        sum(flow.rate_per_ms * flow.second_ms2 for flow in lower)
    )
    assert len(one.times_ms) == 2


def test_periodic_flows_stay_several() -> None:
    lower = flows_of(
        interface(packets(4), QUERIES, Traffic("b", "rest", Periodic(9.0), BULK.sizes))
    )

    assert as_one(lower) is lower


@given(
    burst=st.floats(100.0, 4000.0),
    kbps=st.floats(20.0, 400.0),
    per_s=st.floats(20.0, 300.0),
)
def test_a_bucket_drops_what_a_count_packet_by_packet_drops(
    burst: float, kbps: float, per_s: float
) -> None:
    voice = Queue("voice", QueueKind.PRIORITY, policer=Policer(kbps * 1000, burst))
    calls = Traffic("calls", "voice", Poisson(per_s), SizeMix(((93, 1.0),)))
    (flow,) = flows_of(interface(packets(4), calls, voice=voice))
    offered = side((flow,), 100, 400.0, 4)

    kept, _ = police(offered, (flow,))

    bytes_per_ms = kbps / 8
    overdrawn = flow.rate_per_ms * 100 > bytes_per_ms
    for lane in range(4):
        tokens, last, passed = (100.0 if overdrawn else burst), 0.0, 0
        for now in offered.arrivals.due_ms[:-1, lane].tolist():
            tokens = min(tokens + (now - last) * bytes_per_ms, burst)
            last = now
            if tokens >= 100:
                tokens -= 100
                passed += 1
        assert int(np.sum(kept.arrivals.due_ms[:, lane] < 1e14)) == passed
