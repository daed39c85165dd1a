"""The kernel against results that are known exactly."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from math import sqrt

import pytest
from msgspec.structs import replace

from advisor.model import (
    Bursts,
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
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.analytic.number import wait_parts
from advisor.theory.analytic.phases import FIRST_PRIMES
from advisor.theory.flows import flows_of
from advisor.theory.kernel.layout import Start
from advisor.theory.kernel.machine import Extent
from advisor.theory.kernel.threads import Measured, measure
from tools.kernel import HASH, hash_of_sources, sources

EXTENT = Extent(16, 20_000.0, 80_000.0, 400_000, 400_000)
BYTE_MS = 1.0  # 8 kb/s
LLQ = Queue("llq", QueueKind.PRIORITY, limit_packets=1000)


def data(name: str = "data", share: float = 100.0, limit: int = 5000) -> Queue:
    return Queue(name, QueueKind.BANDWIDTH, share, limit)


def flow(queue: str, arrival: object, size: int = 100, **more: int) -> Traffic:
    return Traffic(queue, queue, arrival, SizeMix(((size, 1.0),)), **more)  # type: ignore[arg-type]


def run(
    queues: Sequence[Queue],
    traffic: Sequence[Traffic],
    ring: TxRing | None = None,
    *,
    cut: Fragmentation | None = None,
    starts: dict[str, Start] | None = None,
) -> tuple[Measured, ...]:
    of = Interface(
        8000.0, Framing(0), ring or TxRing(1), tuple(queues), tuple(traffic), fragmentation=cut
    )
    return measure(of, flows_of(of), EXTENT, [0.01] * len(traffic), starts or {})


def run_for(
    extent: Extent,
    queues: Sequence[Queue],
    traffic: Sequence[Traffic],
    ring: TxRing | None = None,
    *,
    starts: dict[str, Start] | None = None,
) -> tuple[Measured, ...]:
    """Just the first replications, of this length."""
    of = Interface(8000.0, Framing(0), ring or TxRing(1), tuple(queues), tuple(traffic))
    return measure(of, flows_of(of), extent, [0.0] * len(traffic), starts or {})


def test_the_kernel_is_built_from_its_sources() -> None:
    assert hash_of_sources() == HASH.read_text("ascii").strip()


def test_the_same_interface_gives_the_same_digits() -> None:
    once, again = (run([data()], [flow("data", Poisson(7.0))]) for _ in range(2))
    assert once == again


@pytest.mark.parametrize("per_s", [2.0, 5.0, 8.0])
def test_random_packets_wait_as_pollaczek_and_khinchine_say(per_s: float) -> None:
    (measured,) = run([data()], [flow("data", Poisson(per_s))])
    load = per_s / 10
    exact_ms = 100 + load * 100 / (2 * (1 - load))
    assert measured.mean_ms == pytest.approx(exact_ms, abs=4 * measured.deviation_ms)
    assert measured.deviation_ms < 0.03 * exact_ms


def test_a_priority_queue_waits_as_cobham_says() -> None:
    voice, rest = run([LLQ, data()], [flow("llq", Poisson(20.0), 10), flow("data", Poisson(6.0))])
    residual_ms = 0.2 * 10 / 2 + 0.6 * 100 / 2
    assert voice.mean_ms == pytest.approx(10 + residual_ms / 0.8, abs=4 * voice.deviation_ms)
    exact_ms = 100 + residual_ms / (0.8 * (1 - 0.8))
    assert rest.mean_ms == pytest.approx(exact_ms, abs=4 * rest.deviation_ms)


def test_a_full_ring_delays_a_sparse_probe_by_its_places_and_half_a_packet() -> None:
    traffic = [flow("llq", Poisson(0.01), 10), flow("data", Saturated())]
    probe, _ = run([LLQ, data()], traffic, TxRing(4))
    assert probe.mean_ms == pytest.approx(3 * 100 + 50 + 10, abs=max(4 * probe.deviation_ms, 1))


def test_the_packet_on_the_wire_can_have_left_the_ring() -> None:
    traffic = [flow("llq", Poisson(0.01), 10), flow("data", Saturated())]
    probe, _ = run([LLQ, data()], traffic, TxRing(4, beside_wire=1))
    assert probe.mean_ms == pytest.approx(4 * 100 + 50 + 10, abs=max(4 * probe.deviation_ms, 1))


def test_queues_that_never_empty_share_by_weight() -> None:
    gold, rest = run(
        [data("gold", 75.0), data("rest", 25.0)],
        [flow("gold", Saturated(), 50), flow("rest", Saturated(), 200)],
    )
    assert gold.carried == pytest.approx(0.75, abs=0.001)
    assert rest.carried == pytest.approx(0.25, abs=0.001)


def test_a_light_conversation_does_not_wait_behind_a_heavy_one() -> None:
    fair = replace(data(limit=60), flow_limit_packets=50)
    heavy, light = (flow("data", Poisson(rate)) for rate in (30.0, 0.1))
    _, seen = run([fair], [heavy, light])
    assert seen.mean_ms < 100 + 100 + 50 + 10  # its own, the wire's and one of the other


def test_what_exceeds_a_full_queue_is_dropped() -> None:
    (measured,) = run(
        [data(limit=20)], [flow("data", Periodic(20.0))], starts={"data": Start(100.0, 20)}
    )
    assert measured.loss_ratio == pytest.approx(0.5, abs=0.001)
    assert measured.mean_ms == pytest.approx(100 * 21 - 25, rel=0.01)  # half a period is free


def test_a_backlog_is_as_old_at_the_start_as_in_the_long_run() -> None:
    """Ten packets of which one leaves each 100 ms: each of them waits a second, and 100 ms more."""
    (found,) = run_for(
        Extent(8, 100.0, 300.0, 1, 10**6),
        [data()],
        [flow("data", Saturated(10))],
        starts={"data": Start(100.0)},
    )
    assert found.mean_ms == pytest.approx(1000 + 100, rel=0.01)


def test_a_ring_and_its_full_queue_are_both_full_at_the_start() -> None:
    """Periodic packets at twice the rate: each finds 19 to 20 places and 50 of the ring before it."""
    (found,) = run_for(
        Extent(8, 0.0, 1000.0, 1, 10**6),
        [data(limit=20)],
        [flow("data", Periodic(20.0))],
        TxRing(50),
        starts={"data": Start(100.0, 20)},
    )
    assert found.mean_ms == pytest.approx(100 * 70, rel=0.02)


def test_the_longest_delay_is_one_of_a_packet_that_came() -> None:
    """What waits at the start is a guess, here a wrong one: an hour old."""
    (found,) = run_for(
        Extent(8, 0.0, 2000.0, 1, 10**6),
        [data()],
        [flow("data", Periodic(2.0))],
        starts={"data": Start(3.6e6, 1)},
    )
    assert found.longest_ms <= 300


def test_replications_that_begin_in_a_wrong_state_are_a_warm_up_only() -> None:
    """Fifty packets too many, gone after ten seconds: the first windows are within those."""
    (found,) = run_for(
        Extent(8, 0.0, 4000.0, 1, 10**6),
        [data()],
        [flow("data", Periodic(5.0, 50.0))],
        starts={"data": Start(200.0, 50)},
    )
    assert found.mean_ms == pytest.approx(100, rel=0.05)


def test_a_replication_without_a_rare_packet_does_not_run_an_interface_to_the_end() -> None:
    """A window has 2.4 rare packets at first: some have none, and the mean is known all the same."""
    rare = flow("data", Poisson(0.06), 80)
    of = Interface(
        8000.0, Framing(0), TxRing(1), (LLQ, data()), (flow("llq", Poisson(5), 80), rare)
    )
    extent = Extent(8, 2000.0, 40_000.0, 10**6, 400_000)
    often, seldom = measure(of, flows_of(of), extent, [0.05, 0.05], {})
    assert 2 * (often.offered + seldom.offered) < 0.5 * extent.most_steps
    assert 2 * seldom.deviation_ms < 0.05 * seldom.mean_ms


@pytest.mark.parametrize("at_once", [1, 3])
def test_exponential_gaps_have_the_moments_of_their_law(at_once: int) -> None:
    """Packets of 10 ms at a load of 0.3: the second moment of the gaps is in the wait."""
    (found,) = run([data()], [flow("data", Poisson(30.0 / at_once), 10, streams=at_once)])
    exact_ms = 10 + 0.3 * 10 / (2 * (1 - 0.3))
    assert found.mean_ms == pytest.approx(exact_ms, abs=4 * found.deviation_ms)


def test_the_policer_passes_its_rate_while_the_ring_is_full() -> None:
    policed = Queue(
        "llq", QueueKind.PRIORITY, limit_packets=1000, priority_policer=Policer(1600.0, 200.0)
    )
    voice, _ = run([policed, data()], [flow("llq", Poisson(5.0)), flow("data", Saturated())])
    assert voice.carried == pytest.approx(0.2, abs=0.01)
    assert voice.policed == pytest.approx(voice.offered * 0.6, rel=0.05)


def test_a_probe_passes_between_fragments() -> None:
    cut = Fragmentation(100, 0)
    traffic = [flow("llq", Poisson(0.01), 10), flow("data", Saturated(), 1000)]
    probe, _ = run([LLQ, data()], traffic, cut=cut)
    assert probe.mean_ms == pytest.approx(50 + 10, abs=max(4 * probe.deviation_ms, 1))


def test_bursts_wait_behind_their_own_packets() -> None:
    (measured,) = run([data()], [flow("data", Bursts(1.0, 5, 0.0))])
    exact_ms = 100 + 2 * 100 + 0.5 * 500 / (2 * (1 - 0.5))
    assert measured.mean_ms == pytest.approx(exact_ms, abs=4 * measured.deviation_ms)


def test_on_off_sources_keep_their_mean_rate() -> None:
    (measured,) = run([data()], [flow("data", OnOff(8.0, 2000.0, 3000.0), streams=2)])
    assert measured.carried == pytest.approx(2 * 0.8 * 0.4, rel=0.03)


def test_a_jitter_longer_than_the_period_keeps_the_rate() -> None:
    (measured,) = run([data()], [flow("data", Periodic(5.0, jitter_ms=1000.0))])
    assert measured.carried == pytest.approx(0.5, rel=0.01)


def test_bursts_that_began_before_are_under_way() -> None:
    bursts = Bursts(0.05, 100, 1000.0)  # of 99 s, so five of them at any time
    (of,) = run_for(Extent(400, 0.0, 2000.0, 1, 10_000), [data()], [flow("data", bursts, 10)])
    assert of.offered == pytest.approx(400 * 2.0 * 0.05 * 100, rel=0.1)


def test_the_bucket_of_an_overloaded_policer_has_long_been_empty() -> None:
    """Else the first of it would pass, and fill the line for as long as its burst lasts."""
    llq = replace(LLQ, priority_policer=Policer(1600.0, 100_000.0))
    traffic = [flow("llq", Poisson(15)), flow("data", Saturated(), 50)]
    sparse, _ = run_for(Extent(8, 0.0, 20_000.0, 1, 10**6), [llq, data()], traffic, TxRing(1))
    assert sparse.policed / sparse.offered == pytest.approx(1 - 2 / 15, abs=0.02)


def test_a_window_is_a_time_so_a_crowded_one_counts_as_much_as_a_quiet_one() -> None:
    """Trains of 600 packets: windows of as many packets would end within one."""
    trains = OnOff(20, 30_000, 70_000)  # half of a full line each 100 s
    found = run_for(
        Extent(400, 0.0, 3000.0, 1, 10**6),
        [LLQ, data()],
        [flow("llq", trains, 25), flow("data", Poisson(2), 50)],
    )
    assert found[1].offered / found[0].offered == pytest.approx(2 / 6, rel=0.1)


def test_every_priority_level_has_its_own_place() -> None:
    levels = [replace(LLQ, name=f"p{level}", level=level) for level in range(1, 13)]
    found = run(levels, [flow(queue.name, Poisson(0.79)) for queue in levels])
    assert found[0].mean_ms < found[5].mean_ms < found[11].mean_ms


def test_conversations_of_equal_tags_go_in_turn() -> None:
    """Five that never empty, of one size: each packet waits for one of each other, none for more."""
    fair = replace(data(), flow_limit_packets=64)
    (found,) = run_for(
        Extent(8, 5000.0, 20_000.0, 1, 10**6),
        [fair],
        [flow("data", Saturated(4), streams=5)],
    )
    assert found.ipdv_ms == pytest.approx(0.0, abs=1e-6)


def test_threads_do_not_meet_in_the_memory_of_the_kernel() -> None:
    questions = [[flow("data", Poisson(per_s))] for per_s in (2, 4, 6, 8)] * 4
    alone = [run([data()], traffic) for traffic in questions]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda traffic: run([data()], traffic), questions)) == alone


@pytest.mark.parametrize("streams", [2, 3, 5, 8])
def test_sixty_four_replications_show_all_phases_of_streams_to_each_other(streams: int) -> None:
    """Streams wait as nD/D/1 says, which is the mean over all phases."""
    period_ms, packet_ms = 1000.0, 100.0
    extent = Extent(64, 2 * period_ms, 4 * period_ms, 1, 1_000_000)
    (measured,) = run_for(extent, [data()], [flow("data", Periodic(1.0), streams=streams)])
    wait_ms = sum(
        part.weight * (part.begin_ms + part.width_ms / 2)
        for part in wait_parts(streams - 1, period_ms, packet_ms)
    )
    assert measured.mean_ms - packet_ms == pytest.approx(wait_ms, rel=0.06)
    assert measured.p99_ms > packet_ms


def test_phases_are_steps_of_the_roots_by_which_formulas_follow_calls() -> None:
    text = next(source for source in sources() if source.name == "sources.c").read_text("ascii")
    steps = re.findall(r"0\.\d{11}", text[text.index("STEP[]") : text.index("};")])
    assert [float(step) for step in steps] == [
        pytest.approx(sqrt(prime) % 1, abs=1e-10) for prime in FIRST_PRIMES
    ]


@pytest.mark.parametrize("pair", [*combinations(FIRST_PRIMES, 2)], ids=str)
def test_no_multiple_of_the_phase_of_two_streams_is_nearly_a_whole_number(
    pair: tuple[int, int],
) -> None:
    apart = sqrt(pair[0]) - sqrt(pair[1])
    nearest = min(times * abs(times * apart - round(times * apart)) for times in range(1, 65))
    assert nearest > 0.05
