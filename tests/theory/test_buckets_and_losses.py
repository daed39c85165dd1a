"""What policers, shapers and full queues let pass, where packets are rare, large or in trains."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Bursts,
    Framing,
    Interface,
    OnOff,
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
from advisor.theory.flows import flows_of, passed_share
from advisor.theory.solution import ClassResult, Weakness
from advisor.theory.solver import solve

_BULK = Queue("bulk", QueueKind.BANDWIDTH, 50.0)
_OWN = Queue("own", QueueKind.BANDWIDTH, 50.0)
_VOICE = Queue("own", QueueKind.PRIORITY)


def _fixed(size_bytes: int) -> SizeMix:
    return SizeMix(((size_bytes, 1.0),))


def _interface(own: Queue, *traffic: Traffic, rate_bps: float = 100e6) -> Interface:
    return Interface(rate_bps, Framing(0), TxRing(2), (_BULK, own), traffic)


def _own(arrival: Arrival, sizes: SizeMix) -> Traffic:
    return Traffic("own", "own", arrival, sizes)


def _result(interface: Interface) -> ClassResult:
    return next(each for each in solve(interface).classes if each.name == "own")


@pytest.mark.parametrize(
    ("beside_per_s", "spread"),
    [(0.0, 0.02), pytest.param(6000.0, 0.07, id="rare among others: few packets are seen")],
)
@pytest.mark.parametrize(
    ("per_s", "passed_per_s"), [(2.0, 1.25), (1.3, 1.25), (1.2, 1.2), (0.5, 0.5)]
)
def test_a_police_statement_passes_its_rate_of_periodic_packets(
    per_s: float, passed_per_s: float, beside_per_s: float, spread: float
) -> None:
    own = replace(_OWN, class_policer=Policer(8_000, 1600))
    traffic = [_own(Periodic(per_s), _fixed(800))]
    if beside_per_s:
        traffic.append(Traffic("bulk", "bulk", Poisson(beside_per_s), _fixed(1500)))
    result = _result(_interface(own, *traffic))
    assert result.throughput_bps == pytest.approx(passed_per_s * 800 * 8, rel=spread)
    assert result.loss_ratio == pytest.approx(1 - passed_per_s / per_s, abs=spread)


def test_rare_packets_do_not_wait_for_each_other_at_their_shaper() -> None:
    shaped = replace(_OWN, shaper=Shaper(8_000, 125.0))
    bulk = Traffic("bulk", "bulk", Poisson(6000.0), _fixed(1500))
    result = _result(_interface(shaped, _own(Periodic(0.5), _fixed(125)), bulk))
    assert result.delay.mean_ms < 1


def test_a_policer_that_drops_large_packets_leaves_little_to_carry() -> None:
    small_and_large = SizeMix(((100, 1.0), (1500, 1.0)))
    own = replace(_OWN, class_policer=Policer(1_000_000, 1000))
    result = _result(_interface(own, _own(Poisson(100), small_and_large)))
    assert result.loss_ratio == pytest.approx(0.5, abs=0.03)
    assert result.throughput_bps == pytest.approx(50 * 100 * 8, rel=0.1)


def test_a_class_beside_a_backlog_of_its_queue_loses_what_finds_the_queue_full() -> None:
    own = replace(_OWN, limit_packets=40)
    backlog = Traffic("backlog", "own", Saturated(4), _fixed(1500))
    train = _own(OnOff(50, 200, 4000), _fixed(300))
    result = _result(_interface(own, backlog, train, rate_bps=1e6))
    assert result.loss_ratio == 0
    assert result.throughput_bps == pytest.approx(50 * 200 / 4200 * 300 * 8, rel=0.01)


def test_a_flood_of_a_queue_of_one_packet_hardly_waits_less_than_a_turn() -> None:
    own = Queue("own", QueueKind.BANDWIDTH, 1.0, limit_packets=1)
    bulk = replace(_BULK, share_percent=99.0)
    backlog = Traffic("bulk", "bulk", Saturated(20), _fixed(100))
    interface = _interface(own, backlog, _own(Poisson(2000), _fixed(100)), rate_bps=1e6)
    turn_ms = 100 * 8 / 1e6 / 0.01 * 1000
    result = _result(replace(interface, queues=(bulk, own)))
    assert result.delay.mean_ms == pytest.approx(turn_ms, rel=0.03)


@pytest.mark.parametrize(
    ("arrival", "sizes", "policer", "share"),
    [
        pytest.param(Poisson(10), _fixed(100), Policer(16_000, 1000), 1.0, id="within the rate"),
        pytest.param(Poisson(40), _fixed(100), Policer(16_000, 1000), 0.5, id="twice the rate"),
        pytest.param(
            Poisson(10), SizeMix(((100, 1.0), (900, 1.0))), Policer(1e6, 500), 0.1, id="too large"
        ),
        pytest.param(Bursts(1, 10, 0), _fixed(100), Policer(1e6, 400), 0.4, id="a burst at once"),
        pytest.param(
            Bursts(1, 11, 10), _fixed(100), Policer(16_000, 450), 0.59, id="a burst that takes time"
        ),
        pytest.param(
            OnOff(10, 500, 500), _fixed(100), Policer(1e6, 500), 1.0, id="within its peak"
        ),
    ],
)
def test_the_share_that_passes_a_bucket(
    arrival: Arrival, sizes: SizeMix, policer: Policer, share: float
) -> None:
    interface = _interface(replace(_OWN, class_policer=policer), _own(arrival, sizes))
    (flow,) = flows_of(interface)
    assert passed_share(flow) == pytest.approx(share, abs=0.005)


def test_more_of_a_train_passes_a_deeper_bucket() -> None:
    shares = []
    for burst_bytes in (200, 2000, 20_000, 200_000):
        own = replace(_OWN, class_policer=Policer(100_000, burst_bytes))
        (flow,) = flows_of(_interface(own, _own(OnOff(500, 300, 3000), _fixed(100))))
        shares.append(passed_share(flow))
    assert shares == sorted(shares)
    assert shares[0] < 0.3
    assert shares[-1] > 0.999


def test_a_burst_above_the_queue_limit_of_the_llq_does_not_pass_whole() -> None:
    voice = replace(_VOICE, limit_packets=4)
    (flow,) = flows_of(_interface(voice, _own(Bursts(1, 20, 0), _fixed(100))))
    assert passed_share(flow) == 0.25


def test_a_class_is_starved_below_an_llq_whose_policer_passes_all() -> None:
    voice = replace(_VOICE, priority_policer=Policer(4e6, 100_000))
    bulk = Traffic("bulk", "bulk", Poisson(20), _fixed(1000))
    llq = _own(Periodic(2000), _fixed(100))
    solution = solve(_interface(voice, llq, bulk, rate_bps=1e6))
    starved = next(each for each in solution.classes if each.name == "bulk")
    assert starved.weak == (Weakness.STARVED,)
    assert starved.loss_ratio == 1


def test_a_class_that_overloads_its_own_shaper_takes_no_tokens_of_the_others() -> None:
    shaped = replace(_OWN, name="bulk", shaper=Shaper(1e6, 125.0))
    bulk = Traffic("bulk", "bulk", Poisson(2000), _fixed(1500))
    own = Queue("own", QueueKind.BANDWIDTH, 50.0)
    interface = replace(
        _interface(own, bulk, _own(Poisson(200_000), _fixed(250)), rate_bps=1e9),
        queues=(shaped, own),
        shaper=Shaper(500e6, 125.0),
    )
    assert _result(interface).loss_ratio == 0


def test_a_packet_that_waited_for_tokens_and_then_for_its_turn_has_lost_none() -> None:
    """True means: 31.9 and 46.3 ms, each give or take 1 (`advisor.simulate`, a million packets)."""
    shaped = replace(_OWN, shaper=Shaper(384_000, 10.0, refill=Refill.SMOOTH))
    packets_per_s = 768_000 / 8 / 582
    bulk = Traffic("bulk", "bulk", Poisson(0.55 * packets_per_s), _fixed(576))
    own = _own(Poisson(0.35 * packets_per_s), _fixed(576))
    interface = _interface(shaped, bulk, own, rate_bps=768_000)
    solution = solve(replace(interface, framing=Framing(6)))
    means = {each.name: each.delay.mean_ms for each in solution.classes}
    assert means == pytest.approx({"bulk": 31.9, "own": 46.3}, rel=0.15)


def test_a_class_beside_a_short_queue_does_not_begin_full() -> None:
    """True mean of gold: 10.2 ms, give or take 0.4 (`advisor.simulate`, 16 million packets)."""
    gold = Queue("gold", QueueKind.BANDWIDTH, 20.0)
    short = Queue("short", QueueKind.CLASS_DEFAULT, 80.0, limit_packets=4)
    long, mixed = SizeMix(((64, 1.0), (1500, 1.0))), SizeMix(((40, 7.0), (576, 4.0), (1500, 1.0)))
    traffic = (
        Traffic("gold", "gold", Poisson(515), long),
        Traffic("short", "short", Poisson(405), mixed, streams=5),
    )
    line = Interface(10e6, Framing(8, cells=True), TxRing(12), (gold, short), traffic)
    waits = solve(line).classes[0]
    assert waits.low.mean_ms < 10.2 < waits.high.mean_ms


def test_percentiles_count_packets_that_stay_longer_than_the_run() -> None:
    slow = replace(_OWN, limit_packets=2000)
    overload = _own(OnOff(100, 2000, 2000), _fixed(1000))
    result = _result(_interface(slow, overload, rate_bps=100_000))
    assert result.delay.p50_ms > result.delay.mean_ms / 2


def test_a_class_that_never_finds_a_place_is_starved() -> None:
    """A backlog as long as the limit keeps every place of their queue."""
    own = replace(_OWN, limit_packets=4)
    backlog = Traffic("backlog", "own", Saturated(4), _fixed(1500))
    result = _result(_interface(own, backlog, _own(Periodic(20), _fixed(300)), rate_bps=1e6))
    assert result.weak == (Weakness.STARVED,)
    assert (result.loss_ratio, result.throughput_bps) == (1, 0)


@pytest.mark.parametrize("burst_bytes", [50, 99])
def test_nothing_of_an_llq_passes_a_bucket_that_is_smaller_than_its_packets(
    burst_bytes: float,
) -> None:
    voice = replace(_VOICE, priority_policer=Policer(64_000, burst_bytes))
    bulk = Traffic("bulk", "bulk", Saturated(20), _fixed(1500))
    result = _result(_interface(voice, _own(Periodic(50), _fixed(100)), bulk, rate_bps=1e6))
    assert result.weak == (Weakness.STARVED,)
    assert (result.loss_ratio, result.throughput_bps) == (1, 0)
