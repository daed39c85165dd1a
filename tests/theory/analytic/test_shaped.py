"""Behind a full shaper: delays by formula are those of the simulation; sums and limits hold."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Framing,
    Interface,
    Periodic,
    Poisson,
    Policer,
    Queue,
    QueueKind,
    Refill,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.simulate import simulate
from advisor.theory.analytic import Outside, Result, Validity, answer
from advisor.theory.check import checks_of
from advisor.theory.solver import solve

LLQ = Queue("voice", QueueKind.PRIORITY)
DATA = Queue("data", QueueKind.CLASS_DEFAULT, 70.0)
GOLD = Queue("gold", QueueKind.BANDWIDTH, 30.0)
COUNTED, FRAMING = Framing(14), Framing(38)
PACKETS, REPLICATIONS = 100_000, 20
CALLS = Periodic(50.0)


def offer(name: str, arrival: Arrival, *ip_bytes: int, streams: int = 1) -> Traffic:
    return Traffic(name, name, arrival, SizeMix(tuple((size, 1.0) for size in ip_bytes)), streams)


def shaped(
    rate_bps: float,
    tc_ms: float,
    *traffic: Traffic,
    faster: float = 10.0,
    ring: int = 4,
    refill: Refill = Refill.PER_INTERVAL,
    excess_bits: float = 0.0,
    limit: int = 64,
) -> Interface:
    queues = (replace(LLQ, limit_packets=limit), DATA, GOLD)
    shaper = Shaper(rate_bps, tc_ms, COUNTED, excess_bits, refill)
    return Interface(faster * rate_bps, FRAMING, TxRing(ring), queues, traffic, shaper=shaper)


FULL = offer("data", Saturated(20), 1500)


def llq(arrival: Arrival, ip_bytes: int = 60, streams: int = 1) -> Traffic:
    return offer("voice", arrival, ip_bytes, streams=streams)


RANDOM = shaped(2e6, 10.0, llq(Poisson(250.0)), FULL)
CASES = [
    pytest.param(RANDOM, id="random packets, Tc of one data packet"),
    pytest.param(
        shaped(2e6, 4.0, llq(Poisson(100.0), 200), FULL, faster=2.5, excess_bits=8e3),
        id="Bc less than a packet, Be",
    ),
    pytest.param(
        shaped(128e3, 125.0, llq(Poisson(20.0)), FULL, faster=4.0, ring=16),
        id="a wire four times as fast, whose ring a Tc fills",
    ),
    pytest.param(
        shaped(5e6, 25.0, llq(Poisson(500.0), 200), offer("data", Saturated(20), 64, 1500)),
        id="data of two sizes",
    ),
    pytest.param(
        shaped(20e6, 10.0, llq(CALLS, 200, 40), FULL, faster=50.0), id="forty calls in a Tc of 10 ms"
    ),
    pytest.param(
        shaped(256e3, 10.0, llq(CALLS), FULL, faster=40.0), id="a bucket smaller than the data packet"
    ),
    pytest.param(
        shaped(512e3, 10.0, llq(CALLS), FULL, faster=2.5, refill=Refill.SMOOTH, excess_bits=12e3),
        id="tokens as time goes, one call",
    ),
    pytest.param(
        shaped(2e6, 10.0, llq(Poisson(600.0)), FULL, refill=Refill.SMOOTH),
        id="tokens as time goes, random packets",
    ),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("interface", CASES)
def test_the_delays_of_llq_and_data_are_those_of_the_simulation(interface: Interface) -> None:
    found = answer(interface)
    truth = simulate(interface, PACKETS, REPLICATIONS, seed=1).classes
    for each, true in zip(found, truth, strict=True):
        assert isinstance(each, Result), each
        assert true.delay is not None
        mean, p99 = true.delay.mean_ms, true.delay.p99_ms
        assert each.mean is Validity.WITHIN_5
        assert each.mean_ms == pytest.approx(
            mean.value, abs=0.06 * mean.value + 1.5 * (mean.half_width or 0.0)
        )
        if each.p99 is Validity.WITHIN_5:
            assert each.p99_ms == pytest.approx(
                p99.value, abs=0.12 * p99.value + 1.5 * (p99.half_width or 0.0)
            )


@pytest.mark.parametrize("interface", CASES)
def test_terms_of_a_delay_behind_a_shaper_add_up_to_its_mean_and_its_law(
    interface: Interface,
) -> None:
    for each in answer(interface):
        assert isinstance(each, Result)
        assert each.law.mean_ms == pytest.approx(each.mean_ms, rel=1e-6)
        assert each.terms.shaper_ms + each.terms.ring_ms > 0


@pytest.mark.slow
@pytest.mark.parametrize("interface", CASES)
def test_a_run_of_the_kernel_agrees_behind_a_shaper(interface: Interface) -> None:
    assert [check.agrees for check in checks_of(interface)] == [True] * len(interface.traffic)


@pytest.mark.parametrize(
    ("rate_bps", "tc_ms", "refill"),
    [
        (600e6, 4.0, Refill.PER_INTERVAL),
        (80e6, 10.0, Refill.PER_INTERVAL),
        (100e6, 4.0, Refill.SMOOTH),
    ],
)
def test_a_class_alone_has_all_of_its_shaper_and_needs_no_run(
    rate_bps: float, tc_ms: float, refill: Refill
) -> None:
    """64 packets wait k packets at the shaper's rate, whole Tc or not."""
    interface = shaped(
        rate_bps, tc_ms, offer("data", Saturated(64), 1500), faster=1e9 / rate_bps, refill=refill
    )
    (found,) = solve(interface).classes
    assert found.method != "sampled"
    assert found.throughput_bps == pytest.approx(rate_bps * 1538 / 1514, rel=1e-9)
    assert found.delay.mean_ms == pytest.approx(64 * 1514 * 8 / rate_bps * 1e3, rel=0.15)
    assert found.low.mean_ms > 0.9 * found.delay.mean_ms
    assert found.high.mean_ms < 1.1 * found.delay.mean_ms


def test_a_class_of_small_packets_gets_its_weight_in_the_bytes_that_the_shaper_counts() -> None:
    interface = shaped(1e6, 10.0, offer("gold", Saturated(20), 100), FULL)
    (gold, data) = solve(interface).classes
    on_wire, counted = (100 + 38) / (1500 + 38), (100 + 14) / (1500 + 14)
    ratio = gold.throughput_bps / data.throughput_bps
    assert ratio == pytest.approx(30 / 70 * on_wire / counted)


POLICED = replace(LLQ, priority_policer=Policer(32e3, 80.0))
VOICE = llq(Poisson(100.0))


@pytest.mark.parametrize(
    ("interface", "why"),
    [
        (shaped(1e6, 10.0, VOICE, offer("data", Poisson(20.0), 1500)), "run empty"),
        (shaped(1e6, 10.0, llq(Poisson(1600.0)), FULL), "of a shaper"),
        (shaped(1e6, 125.0, llq(Poisson(600.0)), FULL, limit=50), "than its queue holds"),
        (shaped(1e6, 10.0, VOICE, FULL, faster=1.1), "hardly faster"),
        (replace(RANDOM, queues=(POLICED, DATA)), "policer"),
    ],
    ids=[
        "data that runs empty",
        "an LLQ that takes most of the shaper",
        "more packets of the LLQ in a Tc than its queue holds",
        "a wire as slow as the shaper",
        "a policer of the LLQ",
    ],
)
def test_where_no_formula_holds_behind_a_shaper_the_answer_says_why(
    interface: Interface, why: str
) -> None:
    first = answer(interface)[0]
    assert isinstance(first, Outside)
    assert why in first.why
