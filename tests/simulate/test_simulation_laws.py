"""The simulation obeys what queueing theory proves; no number here comes from a simulation."""

from itertools import pairwise

import pytest
from msgspec import structs

from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import (
    Arrival,
    Cbr,
    DefaultQueue,
    DiscreteSizes,
    FairQueue,
    FifoQueue,
    FixedSize,
    Fragmentation,
    Poisson,
    PriorityQueue,
    Queue,
    Saturated,
    Scenario,
    ScenarioLink,
    SharedQueue,
    Sizes,
    Stream,
    TxRing,
)
from advisor.simulate import ClassSummary, Estimate, SimulationError, SimulationResult, simulate

pytestmark = pytest.mark.slow


# 1000 bytes on the wire take 8 ms.
LINK = ScenarioLink(rate_kbps=1000, l2_overhead_bytes_per_packet=0)
ATM = ScenarioLink(rate_kbps=1000, l2_overhead_bytes_per_packet=8, atm_cell_tax=True)
FIFO = FifoQueue(name="all", queue_limit_packets=200)
LLQ = PriorityQueue(
    name="llq",
    queue_limit_packets=100,
    priority_kbps=200,
    burst_bytes=5000,
    policed_under_congestion=False,
)
DEFAULT = DefaultQueue(name="default", queue_limit_packets=100, bandwidth_percent=50)
OTHER = SharedQueue(name="other", queue_limit_packets=100, bandwidth_percent=25)
MIX = DiscreteSizes(bytes_and_weights=((100, 6), (500, 3), (1500, 1)))
MIX_MS, MIX_MS2 = 0.6 * 0.8 + 0.3 * 4 + 0.1 * 12, 0.6 * 0.8**2 + 0.3 * 4**2 + 0.1 * 12**2
# Gaps of 65 ms at least: never two of them behind a ring of five packets.
SPARSE = Cbr(packets_per_second=8, uniform_jitter_ms=60)
PROBE_MS = 0.008


def traffic(queue: Queue, arrival: Arrival, sizes: Sizes | int, name: str = "") -> Stream:
    drawn = FixedSize(bytes=sizes) if isinstance(sizes, int) else sizes
    return Stream(
        class_name=name or queue.name, queue=queue.name, arrival=arrival, ip_packet_bytes=drawn
    )


def interface(
    queues: tuple[Queue, ...],
    streams: tuple[Stream, ...],
    ring: TxRing = TxRing(unit="packets", limit=1),  # noqa: B008 - frozen
    link: ScenarioLink = LINK,
    fragmentation: Fragmentation | None = None,
) -> Scenario:
    has_llq = any(isinstance(queue, PriorityQueue) for queue in queues)
    return Scenario(
        id="law",
        link=link,
        tx_ring=ring,
        scheduler="fifo" if FIFO in queues else "llq+cbwfq" if has_llq else "cbwfq",
        queues=queues,
        traffic=streams,
        fragmentation=fragmentation,
    )


def run(scenario: Scenario, packets: int = 10_000, replications: int = 8) -> list[ClassSummary]:
    return list(simulate(interface_of(scenario), packets, replications, seed=1).classes)


def mean(result: ClassSummary) -> Estimate:
    assert result.delay is not None
    return result.delay.mean_ms


def largest_ms(result: ClassSummary) -> float:
    assert result.delay is not None
    return result.delay.max_ms


def agrees(estimate: Estimate, expected: float) -> bool:
    """Within 1.6 half-widths of 95 %, that is 99.8 % of all seeds, and within 6 %."""
    assert estimate.half_width is not None
    off = abs(estimate.value - expected)
    return off <= 1.6 * estimate.half_width and off <= 0.06 * expected


@pytest.mark.parametrize("load", [0.5, 0.8])
def test_poisson_arrivals_of_one_size_wait_as_in_m_d_1(load: float) -> None:
    arrival = Poisson(packets_per_second=load * 125)
    (result,) = run(interface((FIFO,), (traffic(FIFO, arrival, 1000),)), packets=40_000)
    assert agrees(mean(result), 8 + load * 8 / (2 * (1 - load)))


def test_mixed_sizes_wait_as_pollaczek_and_khinchine_say() -> None:
    arrival = Poisson(packets_per_second=0.7 / MIX_MS * 1000)
    (result,) = run(interface((FIFO,), (traffic(FIFO, arrival, MIX),)), packets=40_000)
    wait_ms = 0.7 / MIX_MS * MIX_MS2 / (2 * (1 - 0.7))
    assert agrees(mean(result), MIX_MS + wait_ms)


def test_two_priorities_wait_as_cobham_says() -> None:
    voice, bulk = Poisson(packets_per_second=40), Poisson(packets_per_second=40)
    streams = (traffic(LLQ, voice, 1000), traffic(DEFAULT, bulk, 1000))
    llq, default = run(interface((LLQ, DEFAULT), streams), packets=40_000)
    load, residual_ms = 0.32, 0.64 * 8 / 2
    assert agrees(mean(llq), 8 + residual_ms / (1 - load))
    assert agrees(mean(default), 8 + residual_ms / (1 - load) / (1 - 2 * load))


@pytest.mark.parametrize("ring", [1, 5])
@pytest.mark.parametrize("sizes", [pytest.param(1000, id="one size"), pytest.param(MIX, id="mix")])
def test_a_sparse_probe_behind_a_full_ring_waits_for_the_residual_and_the_rest(
    ring: int, sizes: Sizes | int
) -> None:
    full = traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=5), sizes)
    streams = (traffic(LLQ, SPARSE, 1), full)
    probe, _ = run(interface((LLQ, DEFAULT), streams, TxRing("packets", ring)), packets=40_000)
    size_ms, size_ms2 = (MIX_MS, MIX_MS2) if sizes is MIX else (8.0, 64.0)
    assert agrees(mean(probe), PROBE_MS + size_ms2 / (2 * size_ms) + (ring - 1) * size_ms)


@pytest.mark.parametrize(("ring", "backlog"), [(1, 1), (4, 20)])
def test_a_saturated_class_alone_obeys_little_to_the_bit(ring: int, backlog: int) -> None:
    full = traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=backlog), 1000)
    (result,) = run(interface((DEFAULT,), (full,), TxRing("packets", ring)), packets=4000)
    assert mean(result).value == pytest.approx((backlog + ring) * 8.0)
    assert result.throughput_wire_bps.value == pytest.approx(1e6, rel=0.01)
    assert result.loss_ratio is None


@pytest.mark.parametrize(
    ("limit", "sizes", "packets_in_ring"),
    [
        pytest.param(5, 1000, 3, id="5 particles hold 3 packets of 2: the last overshoots"),
        pytest.param(6, 1000, 3, id="6 particles hold 3 packets of 2"),
        pytest.param(7, 1500, 3, id="7 particles hold 3 packets of 3"),
        pytest.param(4, 512, 4, id="512 bytes fill one particle"),
        pytest.param(4, 513, 2, id="513 bytes need two particles"),
    ],
)
def test_a_ring_of_particles_admits_while_one_is_free(
    limit: int, sizes: int, packets_in_ring: int
) -> None:
    full = traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=5), sizes)
    scenario = interface(
        (LLQ, DEFAULT), (traffic(LLQ, SPARSE, 1), full), TxRing("particles", limit)
    )
    probe, _ = run(scenario, packets=20_000)
    bound_ms = packets_in_ring * sizes * 0.008 + PROBE_MS
    assert bound_ms * 0.98 < largest_ms(probe) <= bound_ms + 1e-9


def test_a_packet_alone_takes_its_cells() -> None:
    scenario = interface((FIFO,), (traffic(FIFO, Cbr(10), 1000),), link=ATM)
    (result,) = run(scenario, packets=1000)
    assert largest_ms(result) == pytest.approx(22 * 53 * 0.008)


def test_a_fifo_does_not_know_its_ring() -> None:
    arrival = Poisson(packets_per_second=100)
    one, many = (
        run(interface((FIFO,), (traffic(FIFO, arrival, 1000),), TxRing("packets", ring)))
        for ring in (1, 40)
    )
    assert one == many


def test_without_background_the_ring_of_an_llq_is_irrelevant() -> None:
    arrival = Poisson(packets_per_second=100)
    one, many = (
        run(interface((LLQ, DEFAULT), (traffic(LLQ, arrival, 1000),), TxRing("packets", ring)))
        for ring in (1, 40)
    )
    assert one == many


def test_a_deeper_ring_never_makes_voice_wait_less() -> None:
    streams = (traffic(LLQ, Cbr(50, 1.0), 60), traffic(DEFAULT, Poisson(100), 1000))
    waits_ms = [
        mean(run(interface((LLQ, DEFAULT), streams, TxRing("packets", ring)), 5000)[0]).value
        for ring in (1, 2, 4, 8, 16)
    ]
    assert all(deeper >= shallower for shallower, deeper in pairwise(waits_ms))


def test_scheduling_conserves_work() -> None:
    voice, bulk = Poisson(packets_per_second=40), Poisson(packets_per_second=50)
    sorted_out = run(
        interface(
            (LLQ, DEFAULT), (traffic(LLQ, voice, 1000, "a"), traffic(DEFAULT, bulk, 1000, "b"))
        )
    )
    in_turn = run(
        interface((FIFO,), (traffic(FIFO, voice, 1000, "a"), traffic(FIFO, bulk, 1000, "b")))
    )
    # the same seed draws the same packets: only who waits differs (but for the ends of the run)
    total_ms = [
        sum(mean(each).value * each.delivered_packets for each in classes)
        for classes in (sorted_out, in_turn)
    ]
    assert total_ms[0] == pytest.approx(total_ms[1], rel=1e-3)
    assert mean(sorted_out[0]).value < mean(in_turn[0]).value


def test_an_overloaded_queue_loses_what_the_link_cannot_send() -> None:
    short = FifoQueue(name="all", queue_limit_packets=20)
    scenario = Scenario(
        id="overload",
        link=LINK,
        tx_ring=TxRing("packets", 3),
        scheduler="fifo",
        queues=(short,),
        traffic=(traffic(short, Poisson(200), 1000),),
    )
    (result,) = run(scenario)
    assert result.loss_ratio is not None
    assert agrees(result.loss_ratio, 1 - 125 / 200)
    assert result.throughput_wire_bps.value == pytest.approx(1e6, rel=0.01)
    assert largest_ms(result) <= (20 + 3) * 8 + 1e-9


@pytest.mark.parametrize("other_bytes", [1000, 200])
def test_cbwfq_shares_bytes_by_the_ratio_of_the_percentages(other_bytes: int) -> None:
    full = Saturated(backlog_packets_kept_in_queue=10)
    streams = (traffic(DEFAULT, full, 1000), traffic(OTHER, full, other_bytes))
    default, other = run(interface((DEFAULT, OTHER), streams), packets=8000, replications=2)
    ratio = default.throughput_wire_bps.value / other.throughput_wire_bps.value
    assert ratio == pytest.approx(2, rel=0.02)


def test_a_class_cannot_save_up_while_it_is_idle() -> None:
    streams = (
        traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=10), 1000),
        traffic(OTHER, SPARSE, 1000),
    )
    _, other = run(interface((DEFAULT, OTHER), streams), packets=20_000)
    # one on the wire, then at most as many as the ratio of the percentages, and its own
    assert largest_ms(other) <= (1 + 2 + 1) * 8 + 1e-9


def test_fair_queue_gives_conversations_equal_shares() -> None:
    fair = DefaultQueue(
        name="default",
        queue_limit_packets=64,
        bandwidth_percent=100,
        fair_queue=FairQueue(per_flow_queue_limit_packets=16),
    )
    streams = (
        traffic(fair, Poisson(400), 500, "small"),
        traffic(fair, Poisson(120), 1500, "large"),
    )
    small, large = run(interface((fair,), streams), replications=2)
    assert small.throughput_wire_bps.value == pytest.approx(5e5, rel=0.02)
    assert large.throughput_wire_bps.value == pytest.approx(5e5, rel=0.02)


POLICED = PriorityQueue("llq", 100, 200, burst_bytes=5000, policed_under_congestion=True)


def test_under_congestion_the_policer_holds_an_llq_to_its_rate() -> None:
    full = traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=5), 1000)
    streams = (traffic(POLICED, Poisson(100), 500), full)
    llq, _ = run(interface((POLICED, DEFAULT), streams), packets=40_000)
    assert llq.throughput_wire_bps.value == pytest.approx(200e3, rel=0.02)


def test_what_a_full_bucket_passes_at_first_is_not_measured() -> None:
    policed = structs.replace(POLICED, burst_bytes=400_000)  # two seconds of its rate
    full = traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=5), 1000)
    streams = (traffic(policed, Cbr(100), 500), full)
    llq, _ = run(interface((policed, DEFAULT), streams), packets=3_000)
    assert llq.throughput_wire_bps.value == pytest.approx(200e3, rel=0.02)


def test_without_congestion_the_policer_is_silent() -> None:
    scenario = interface((POLICED, DEFAULT), (traffic(POLICED, Cbr(100), 1000),))
    (llq,) = run(scenario)
    assert llq.loss_ratio == Estimate(0.0, 0.0)


def test_fragments_let_voice_in_after_one_of_them() -> None:
    full = traffic(DEFAULT, Saturated(backlog_packets_kept_in_queue=5), 1500)
    scenario = interface(
        (LLQ, DEFAULT), (traffic(LLQ, SPARSE, 1), full), fragmentation=Fragmentation(300, 10)
    )
    probe, data = run(scenario, packets=20_000)
    bound_ms = 310 * 0.008 + PROBE_MS
    assert bound_ms * 0.98 < largest_ms(probe) <= bound_ms + 1e-9
    assert largest_ms(data) >= 5 * 310 * 0.008


def test_other_classes_wait_for_all_fragments() -> None:
    streams = (traffic(DEFAULT, Cbr(1), 1500), traffic(OTHER, Poisson(20), 100))
    scenario = interface((DEFAULT, OTHER), streams, fragmentation=Fragmentation(300, 10))
    data, _ = run(scenario, packets=10_000)
    assert largest_ms(data) < 5 * 310 * 0.008 + 2 * 100 * 0.008


def test_the_same_seed_gives_the_same_result() -> None:
    scenario = interface((FIFO,), (traffic(FIFO, Poisson(100), MIX),))
    first, second, other = (simulate(interface_of(scenario), 2000, 4, seed) for seed in (5, 5, 6))
    assert first == second
    assert first != other


def test_one_replication_has_no_confidence_interval() -> None:
    result: SimulationResult = simulate(
        interface_of(interface((FIFO,), (traffic(FIFO, Poisson(100), 1000),))), 1000, 1, seed=1
    )
    assert mean(result.classes[0]).half_width is None


@pytest.mark.parametrize(("packets", "replications"), [(0, 1), (1000, 0)])
def test_nothing_to_simulate_is_refused(packets: int, replications: int) -> None:
    scenario = interface((FIFO,), (traffic(FIFO, Poisson(100), 1000),))
    with pytest.raises(SimulationError, match="at least 1 each"):
        simulate(interface_of(scenario), packets, replications, seed=1)
