"""Laws of the whole solver: what must hold for any interface, not the figures of one."""

import math
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.model import (
    Arrival,
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
    Refill,
    RingUnit,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.flows import case_of, flows_of
from advisor.theory.solution import ClassResult, ModelError, Regime, TooLargeError, Weakness
from advisor.theory.solver import _prepared, plan_of, solve

VOICE_QUEUE = Queue("voice", QueueKind.PRIORITY)
DATA_QUEUE = Queue("data", QueueKind.CLASS_DEFAULT)
VOICE = Traffic("voice", "voice", Periodic(50, 1.0), SizeMix(((60, 1.0),)))
KBPS = 1000.0


def fixed(size_bytes: int) -> SizeMix:
    return SizeMix(((size_bytes, 1.0),))


def data(arrival: Arrival, size_bytes: int = 1500) -> Traffic:
    return Traffic("data", "data", arrival, fixed(size_bytes))


def link(
    *traffic: Traffic, limit: int = 2, rate_kbps: float = 512, unit: RingUnit = RingUnit.PACKETS
) -> Interface:
    ring = TxRing(limit, unit)
    return Interface(rate_kbps * KBPS, Framing(7), ring, (VOICE_QUEUE, DATA_QUEUE), traffic)


def of(interface: Interface, name: str = "voice") -> ClassResult:
    return next(result for result in solve(interface).classes if result.name == name)


BELOW = data(Poisson(25))
ARRIVALS = [
    pytest.param(Saturated(), Regime.RING_FULL, id="a backlog keeps the ring full"),
    pytest.param(Periodic(60), Regime.RING_FULL, id="cbr above the line rate keeps it full"),
    pytest.param(Poisson(25), Regime.POISSON, id="Poisson below the line rate"),
    pytest.param(Bursts(2, 12, 0.1), Regime.BURSTS, id="bursts below the line rate"),
    pytest.param(Periodic(25, 2.0), Regime.PERIODIC, id="cbr below the line rate"),
    pytest.param(OnOff(60, 300, 700), Regime.MODULATED, id="on/off: above it only while on"),
    pytest.param(OnOff(60, 30, 70), Regime.POISSON, id="on/off of two packets is nearly Poisson"),
]


@pytest.mark.parametrize(("arrival", "regime"), ARRIVALS)
def test_every_kind_of_background_gets_an_ordered_answer_under_its_bound(
    arrival: Arrival, regime: Regime
) -> None:
    voice = of(link(VOICE, data(arrival)))
    delay = voice.delay

    assert voice.regime is regime
    assert 0 < delay.p50_ms <= delay.p95_ms <= delay.p99_ms
    assert voice.low.mean_ms <= delay.mean_ms <= voice.high.mean_ms
    assert voice.bound_ms is not None
    assert delay.p99_ms <= voice.bound_ms
    assert voice.high.mean_ms <= voice.bound_ms
    assert voice.ipdv_bound_ms is not None
    assert 0 < delay.ipdv_ms <= voice.ipdv_bound_ms


def test_a_sparse_probe_waits_for_the_residual_and_the_other_packets() -> None:
    probe = Traffic("voice", "voice", Periodic(3.7, 200.0), fixed(40))
    found = of(link(probe, data(Saturated()), limit=4, rate_kbps=512))
    packet_ms, own_ms = 1507 * 8 / 512, 47 * 8 / 512

    assert found.delay.mean_ms == pytest.approx(3.5 * packet_ms + own_ms, rel=0.02)
    assert found.bound_ms == pytest.approx(4 * packet_ms + own_ms, rel=0.02)


def test_the_packet_beside_the_ring_adds_one_packet() -> None:
    probe = Traffic("voice", "voice", Periodic(3.7, 200.0), fixed(40))
    inside = link(probe, data(Saturated()), limit=4)
    beside = replace(inside, ring=replace(inside.ring, beside_wire=1))

    # a probe this sparse meets few lanes: more of them for a difference of two means
    means = [solve(each).classes[0].delay.mean_ms for each in (beside, inside)]
    longer_ms = means[0] - means[1]
    assert longer_ms == pytest.approx(1507 * 8 / 512, rel=0.05)


def test_a_sparse_probe_below_saturation_meets_pollaczek_and_khinchine() -> None:
    probe = Traffic("voice", "voice", Periodic(1.0, 0.0), fixed(40))
    found = of(link(probe, data(Poisson(25)), limit=64))
    packet_ms, load = 1507 * 8 / 512, 25 * 1507 * 8 / 512_000
    own_ms = 47 * 8 / 512

    wait_ms = load * packet_ms / 2 / (1 - load)
    assert found.low.mean_ms <= wait_ms + own_ms <= found.high.mean_ms


def test_without_background_the_ring_is_irrelevant() -> None:
    shallow, deep = (of(link(VOICE, limit=limit)) for limit in (1, 64))

    assert shallow.delay.mean_ms == pytest.approx(deep.delay.mean_ms)
    assert shallow.bound_ms == deep.bound_ms
    assert shallow.regime is Regime.ALONE_PERIODIC
    assert shallow.delay.mean_ms == pytest.approx(67 * 8 / 512, rel=0.001)


@pytest.mark.parametrize("arrival", [Saturated(), Poisson(25), Periodic(25, 2.0)])
def test_more_ring_is_never_less_delay(arrival: Arrival) -> None:
    means = [
        of(link(VOICE, data(arrival), limit=limit)).delay.mean_ms for limit in (1, 2, 4, 8, 16)
    ]
    assert all(less <= more * 1.03 for less, more in pairwise(means))


@pytest.mark.parametrize("arrival", [Saturated(), Poisson(25), Bursts(2, 12, 0.1)])
def test_times_scale_with_the_rate_of_link_and_traffic(arrival: Arrival) -> None:
    faster: dict[str, Arrival] = {
        "Saturated": Saturated(),
        "Poisson": Poisson(50),
        "Bursts": Bursts(4, 12, 0.05),
    }
    slow = link(replace(VOICE, arrival=Periodic(50)), data(arrival))
    doubled = data(faster[type(arrival).__name__])
    fast = link(replace(VOICE, arrival=Periodic(100)), doubled, rate_kbps=1024)

    assert of(slow).delay.mean_ms == pytest.approx(2 * of(fast).delay.mean_ms)
    assert of(slow).bound_ms == pytest.approx(2 * (of(fast).bound_ms or math.nan))


def test_where_nothing_is_random_a_delay_is_known_from_few_packets() -> None:
    """A backlog of ten and a ring of four: each packet waits for thirteen others, 10 ms each."""
    queue = Queue("data", QueueKind.FIFO)
    traffic = Traffic("data", "data", Saturated(10), SizeMix(((100, 1.0),)))
    interface = Interface(80_000.0, Framing(0), TxRing(4), (queue,), (traffic,))
    (found,) = solve(interface).classes
    assert found.delay.mean_ms == pytest.approx(140)
    assert found.throughput_bps == pytest.approx(80_000)
    flows = flows_of(interface)
    length = plan_of(case_of(interface, flows), flows).length
    drawn = replace(interface, traffic=(replace(traffic, arrival=Poisson(99)),))
    flows = flows_of(drawn)
    by_chance = plan_of(case_of(drawn, flows), flows).length
    assert length.extent(4).measured_ms < by_chance.extent(4).measured_ms / 5


@pytest.mark.parametrize(
    ("ring", "times"),
    [(4, 8), (2048, 8), (32_767, 3)],
    ids=["a usual ring", "a deep ring", "the deepest ring that IOS takes"],
)
def test_a_ring_that_a_window_fills_hardly_varies_and_is_run_fewer_times(
    ring: int, times: int
) -> None:
    interface = link(VOICE, data(Saturated()))
    flows = flows_of(interface)
    assert plan_of(case_of(interface, flows), flows).length.extent(ring).replications == times


@pytest.mark.parametrize("limit", [1, 2, 9, 2048, 2049])
def test_an_answer_is_the_same_whatever_ring_was_asked_for_before(limit: int) -> None:
    """Points of a sweep share what is before the ring."""
    interface = link(VOICE, BELOW)
    asked = replace(interface, ring=TxRing(limit))
    _prepared.cache_clear()
    alone = solve(asked)
    _prepared.cache_clear()
    solve(replace(interface, ring=TxRing(7)))
    assert solve(asked) == alone


def test_the_same_question_always_gets_the_same_answer() -> None:
    assert solve(link(VOICE, BELOW)) == solve(link(VOICE, BELOW))


def test_a_particle_more_per_packet_can_shorten_the_ring() -> None:
    fits, spills = (
        of(link(VOICE, data(Saturated(), size), limit=40, unit=RingUnit.PARTICLES)).delay.mean_ms
        for size in (505, 513)
    )
    assert spills < 0.65 * fits  # 512 bytes fill one particle, 520 take two


def test_fragments_cap_what_voice_waits_for() -> None:
    whole = link(VOICE, data(Saturated()), limit=1, rate_kbps=128)
    cut = replace(whole, fragmentation=Fragmentation(160, 11))

    assert of(cut).delay.mean_ms < 0.25 * of(whole).delay.mean_ms
    assert of(cut).bound_ms == pytest.approx((171 + 67) * 8 / 128)


def test_a_policer_passes_its_rate_and_drops_the_rest() -> None:
    policer = Policer(64 * KBPS, 1500)
    queues = (replace(VOICE_QUEUE, priority_policer=policer), DATA_QUEUE)
    flood = Traffic("voice", "voice", Poisson(250), fixed(73))
    found = of(replace(link(flood, data(Saturated())), queues=queues))

    assert found.throughput_bps == pytest.approx(64 * KBPS, rel=0.03)
    assert found.loss_ratio == pytest.approx(0.6, abs=0.02)


def test_an_overloaded_class_keeps_its_queue_full_and_loses_the_rest() -> None:
    found = of(link(VOICE, data(Periodic(100))), "data")
    room = 1 - 50 * 67 * 8 / 512_000
    service_ms = 1507 * 8 / 512 / room

    assert found.loss_ratio == pytest.approx(1 - room / (100 * 1507 * 8 / 512_000), rel=0.01)
    assert 64 * service_ms < found.delay.mean_ms < 67 * service_ms


def test_work_is_conserved_between_llq_and_the_class_below() -> None:
    voice = Traffic("voice", "voice", Poisson(75), fixed(193))
    interface = link(voice, BELOW, limit=1)
    loads = [75 * 200 * 8 / 512_000, 25 * 1507 * 8 / 512_000]
    times_ms = [200 * 8 / 512, 1507 * 8 / 512]
    waits_ms = [
        of(interface, name).delay.mean_ms - own
        for name, own in zip(("voice", "data"), times_ms, strict=True)
    ]
    rest_ms = sum(load * time / 2 for load, time in zip(loads, times_ms, strict=True))

    together = sum(load * wait for load, wait in zip(loads, waits_ms, strict=True))
    assert together == pytest.approx(rest_ms * sum(loads) / (1 - sum(loads)), rel=0.1)


def test_priority_at_ring_1_is_cobhams_wait() -> None:
    voice = Traffic("voice", "voice", Poisson(75), fixed(193))
    found = of(link(voice, BELOW, limit=1))
    loads = [75 * 200 * 8 / 512_000, 25 * 1507 * 8 / 512_000]
    rest_ms = (loads[0] * 200 * 8 / 512 + loads[1] * 1507 * 8 / 512) / 2

    assert found.delay.mean_ms == pytest.approx(rest_ms / (1 - loads[0]) + 200 * 8 / 512, rel=0.04)


def test_a_heavier_share_waits_less() -> None:
    gold, silver = (
        Queue(name, QueueKind.BANDWIDTH, s) for name, s in (("gold", 60), ("silver", 20))
    )
    traffic = [Traffic(q.name, q.name, Poisson(14), fixed(1000)) for q in (gold, silver)]
    interface = replace(link(*traffic, limit=2, rate_kbps=256), queues=(gold, silver))

    assert of(interface, "gold").delay.mean_ms < of(interface, "silver").delay.mean_ms


def test_a_backlog_counts_once_in_the_queue_that_holds_it() -> None:
    full = replace(DATA_QUEUE, limit_packets=40)
    interface = replace(link(data(Saturated(40)), limit=4, rate_kbps=512), queues=(full,))

    assert of(interface, "data").bound_ms == pytest.approx((4 + 40) * 1507 * 8 / 512)


def test_a_lower_packet_lets_no_more_of_the_llq_pass_than_its_policer() -> None:
    calls = replace(VOICE, streams=2)
    policed = replace(VOICE_QUEUE, priority_policer=Policer(16 * KBPS, 400))
    interface = replace(
        link(calls, data(Saturated(20)), limit=1, rate_kbps=64), queues=(policed, DATA_QUEUE)
    )
    own_ms, burst_ms = 1507 * 8 / 64, 400 * 8 / 64
    before_ms = DATA_QUEUE.limit_packets * own_ms + burst_ms

    assert of(interface, "data").bound_ms == pytest.approx(before_ms / (1 - 16 / 64) + own_ms)


def test_behind_a_shaper_a_deep_ring_is_nearly_empty() -> None:
    plain = link(VOICE, data(Saturated()), limit=64, rate_kbps=2000)
    shaped = replace(plain, shaper=Shaper(512 * KBPS, 10.0))
    found, alone = of(shaped), of(link(VOICE, data(Saturated()), limit=1))

    assert found.delay.mean_ms < alone.delay.mean_ms + 10 < of(plain).delay.mean_ms
    assert found.bound_ms is not None
    assert found.bound_ms > (alone.bound_ms or math.nan) + 10


def test_the_wait_for_the_next_tc_is_in_the_mean() -> None:
    plain = link(VOICE, data(Poisson(30)), limit=4, rate_kbps=2000)
    stepped, smooth = (
        of(replace(plain, shaper=Shaper(512 * KBPS, 10.0, refill=refill)))
        for refill in (Refill.PER_INTERVAL, Refill.SMOOTH)
    )

    assert stepped.delay.mean_ms > 1.05 * smooth.delay.mean_ms


COUNTED = Framing(14)
SMALL_PACKETS = Traffic("data", "data", Poisson(2000), fixed(100))


def ethernet(traffic: Traffic, rate_kbps: float, shaper_kbps: float) -> Interface:
    plain = replace(link(traffic, rate_kbps=rate_kbps), framing=Framing(38))
    return replace(plain, shaper=Shaper(shaper_kbps * KBPS, 4.0, COUNTED))


def test_a_shaper_passes_its_rate_of_the_bytes_that_it_counts() -> None:
    below, over = (
        of(ethernet(SMALL_PACKETS, 100_000, rate_kbps), "data") for rate_kbps in (1900, 1700)
    )

    assert pytest.approx(1_824_000) == 2000 * 114 * 8  # of the shaper; 2208 kb/s of the wire
    assert below.loss_ratio < 0.01
    assert over.loss_ratio == pytest.approx(1 - 1700 / 1824, abs=0.005)


@pytest.mark.parametrize(
    ("interval_ms", "excess_bits"),
    [
        pytest.param(4.0, 0.0, id="many intervals in a window"),
        pytest.param(1000.0, 0.0, id="an interval as long as a window"),
        pytest.param(8000.0, 0.0, id="an interval longer than all windows"),
        pytest.param(4000.0, 8e6, id="with an excess burst"),
    ],
)
def test_a_shaper_passes_its_rate_whatever_its_interval(
    interval_ms: float, excess_bits: float
) -> None:
    plain = ethernet(data(Saturated()), 100_000, 1000)
    shaper = Shaper(1000 * KBPS, interval_ms, COUNTED, excess_bits)
    short, found = of(plain, "data"), of(replace(plain, shaper=shaper), "data")
    assert found.throughput_bps == pytest.approx(short.throughput_bps, rel=0.01)


def test_the_throughput_behind_a_shaper_is_that_of_the_wire() -> None:
    over = of(ethernet(SMALL_PACKETS, 100_000, 1700), "data")

    assert over.throughput_bps == pytest.approx(1_700_000 * 138 / 114, rel=0.005)


def test_the_wire_limits_small_packets_that_a_shaper_would_let_pass() -> None:
    flood = replace(SMALL_PACKETS, arrival=Poisson(12_000))
    limited = of(ethernet(flood, 10_000, 9500), "data")

    assert limited.throughput_bps == pytest.approx(10_000_000, rel=0.01)


@pytest.mark.parametrize(
    ("traffic", "said"),
    [
        pytest.param(replace(VOICE, queue="gold"), "no queue named gold", id="an unknown queue"),
        pytest.param(replace(VOICE, sizes=SizeMix(())), "no packet sizes", id="no sizes"),
        pytest.param(replace(VOICE, arrival=Poisson(0)), "must be over 0", id="a rate of 0"),
        pytest.param(replace(VOICE, arrival=Saturated()), "never empty", id="a saturated LLQ"),
    ],
)
def test_what_cannot_be_modelled_is_refused_with_the_reason(traffic: Traffic, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        solve(link(traffic, BELOW))


@settings(max_examples=40, deadline=None)
@given(
    limit=st.integers(1, 24),
    size=st.integers(100, 1500),
    load=st.floats(0.1, 2.0),
    rate_kbps=st.sampled_from([128, 512, 2048]),
    unit=st.sampled_from(list(RingUnit)),
)
def test_no_percentile_exceeds_the_bound_and_none_is_under_the_own_time(
    limit: int, size: int, load: float, rate_kbps: int, unit: RingUnit
) -> None:
    arrival = Poisson(load * rate_kbps * KBPS / 8 / (size + 7))
    interface = link(VOICE, data(arrival, size), limit=limit, rate_kbps=rate_kbps, unit=unit)
    for found, own_bytes in zip(solve(interface).classes, (67, size + 7), strict=True):
        own_ms = own_bytes * 8 / rate_kbps
        assert found.delay.p50_ms >= own_ms * (1 - 1e-5)
        assert found.low.mean_ms >= own_ms * (1 - 1e-5)
        if found.bound_ms is not None:
            assert found.delay.p99_ms <= found.bound_ms
        assert 0 <= found.loss_ratio < 1


@pytest.mark.parametrize(
    ("conversations", "limit"),
    [
        pytest.param(1, 16, id="one conversation"),
        pytest.param(3, 48, id="three of them"),
        pytest.param(50, 64, id="more than the queue holds"),
    ],
)
def test_a_fair_queue_holds_what_its_conversations_may(conversations: int, limit: int) -> None:
    fair = replace(DATA_QUEUE, flow_limit_packets=16)
    flood = replace(data(Poisson(100)), conversations=conversations)
    of_limit = replace(link(flood), queues=(VOICE_QUEUE, fair))
    plain = replace(
        link(data(Poisson(100))), queues=(VOICE_QUEUE, replace(DATA_QUEUE, limit_packets=limit))
    )

    expected = of(plain, "data").delay.mean_ms
    found = of(of_limit, "data")
    assert found.delay.mean_ms == pytest.approx(expected, rel=0.1)
    assert found.low.mean_ms <= expected <= found.high.mean_ms


@pytest.mark.parametrize("per_s", [1e4, 1e6, 1e9])
@pytest.mark.parametrize("limit", [1, 64])
def test_a_flood_waits_for_a_full_queue(per_s: float, limit: int) -> None:
    queue = replace(DATA_QUEUE, limit_packets=limit)
    flood = replace(link(VOICE, data(Poisson(per_s))), queues=(VOICE_QUEUE, queue))
    never_empty = replace(link(VOICE, data(Saturated(limit))), queues=(VOICE_QUEUE, queue))

    found, full = of(flood, "data"), of(never_empty, "data")
    assert found.delay.mean_ms == pytest.approx(full.delay.mean_ms, rel=0.02, abs=25)
    assert found.throughput_bps == pytest.approx(full.throughput_bps, rel=0.02)


@pytest.mark.parametrize(("limit", "jitter_ms"), [(8, 15.0), (8, 0.0), (32, 15.0)])
def test_a_queue_that_periodic_packets_hardly_overload_is_full(
    limit: int, jitter_ms: float
) -> None:
    """Two calls of large packets are offered 4 % more than their turn: the queue hardly ever has a
    place, however short it is, but it takes 9 s to fill.
    """
    queues = (
        Queue("small", QueueKind.BANDWIDTH, 10.0, 256),
        Queue("large", QueueKind.CLASS_DEFAULT, 40.0, limit),
    )
    small = Traffic("small", "small", Periodic(96.0, jitter_ms), fixed(200))
    large = Traffic("large", "large", Periodic(22.4, jitter_ms), fixed(1000), streams=2)
    framing = Framing(8, cells=True)
    found = of(Interface(512_000.0, framing, TxRing(1), queues, (small, large)), "large")
    simulated_ms = {8: 186.0, 32: 742.6}[limit]  # of 200 s, from two minutes on

    assert found.low.mean_ms <= simulated_ms <= found.high.mean_ms
    assert found.delay.mean_ms == pytest.approx(simulated_ms, rel=0.02)


def test_conversations_that_together_are_within_their_share_are_no_flood() -> None:
    """Fifty conversations at a load of 0.88: each of them carries little, all of them a lot."""
    queue = Queue("all", QueueKind.FAIR, 100.0, 1000, flow_limit_packets=64)
    traffic = Traffic("all", "all", Poisson(100.0), fixed(1093), conversations=50)
    line = Interface(1_000_000.0, Framing(7), TxRing(1), (queue,), (traffic,))
    load, own_ms = 0.88, 8.8

    assert of(line, "all").delay.mean_ms == pytest.approx(
        own_ms + load * own_ms / (2 * (1 - load)), rel=0.2
    )


def test_rare_packets_differ_by_no_more_than_they_wait() -> None:
    queues = (
        VOICE_QUEUE,
        replace(DATA_QUEUE, share_percent=50),
        Queue("rare", QueueKind.BANDWIDTH, share_percent=50),
    )
    rare = Traffic("rare", "rare", Poisson(1e-6), fixed(100))
    found = of(replace(link(VOICE, data(Saturated(20)), rare), queues=queues), "rare")

    assert found.delay.ipdv_ms < found.delay.p99_ms


@pytest.mark.parametrize("rate_kbps", [1e5, 1e6, 1e7, 1e9])
def test_a_call_within_its_priority_is_not_policed_on_any_line(rate_kbps: float) -> None:
    policed = replace(VOICE_QUEUE, priority_policer=Policer(64_000, 1600))
    fast = replace(
        link(VOICE, data(Saturated(20)), rate_kbps=rate_kbps), queues=(policed, DATA_QUEUE)
    )

    assert of(fast).loss_ratio == 0
    assert of(fast).throughput_bps == pytest.approx(50 * 67 * 8)


@pytest.mark.parametrize("packets_per_s", [50.0, 110.0, 160.0])
def test_sources_of_one_size_have_a_delay_however_their_shares_round(packets_per_s: float) -> None:
    many = replace(VOICE_QUEUE, limit_packets=64)
    traffic = (
        Traffic("a", "voice", Poisson(packets_per_s), fixed(60)),
        Traffic("b", "voice", Poisson(37), fixed(60)),
    )
    fast = Interface(83158 * KBPS, Framing(7), TxRing(64, RingUnit.PACKETS), (many,), traffic)

    assert of(fast, "a").delay.mean_ms == pytest.approx(67 * 8 / 83158, rel=0.01)


def test_fragments_over_atm_are_whole_cells() -> None:
    packet = Traffic("data", "data", Poisson(1), fixed(1500))
    plain = replace(link(packet, rate_kbps=640), framing=Framing(2, cells=True))
    (flow,) = flows_of(replace(plain, fragmentation=Fragmentation(710, 10)))

    cells = [ceil((part + 10 + 8) / 48) for part in (710, 710, 80)]
    assert cells == [16, 16, 3]
    assert flow.piece_ms[0] == pytest.approx([53 * 8 * count / 640 for count in cells])


def test_a_class_beside_trains_longer_than_a_run_is_not_called_starved() -> None:
    """An on time of 70 000 packets fills the line; the wire is free most of the time."""
    trains = replace(VOICE, arrival=OnOff(119_520, 600, 900))
    below = of(link(trains, data(OnOff(609, 200, 300)), limit=64, rate_kbps=45_000), "data")

    assert below.weak == ()
    assert below.loss_ratio < 0.6


def test_a_packet_that_is_never_seen_has_its_own_time() -> None:
    rare = of(link(VOICE, data(Poisson(1e-9))), "data")
    assert rare.weak == (Weakness.UNSAMPLED,)
    assert rare.low.mean_ms <= rare.delay.mean_ms <= rare.high.mean_ms


@pytest.mark.parametrize(
    "arrival", [OnOff(1, 1e-6, 1e6), Poisson(math.inf), Poisson(math.nan), OnOff(10, 1e-9, 1e-9)]
)
def test_traffic_that_never_ends_or_comes_is_refused(arrival: Arrival) -> None:
    with pytest.raises(ModelError, match="class data"):
        solve(link(VOICE, data(arrival)))


@pytest.mark.parametrize("places", [2**30, 2**31, 2**60])
def test_places_beyond_any_memory_are_refused(places: int) -> None:
    deep = link(VOICE, data(Poisson(100)))
    with pytest.raises(TooLargeError):
        solve(replace(deep, ring=TxRing(places)))
    with pytest.raises(TooLargeError):
        solve(replace(deep, queues=(VOICE_QUEUE, replace(DATA_QUEUE, limit_packets=places))))


def test_a_percentile_beyond_the_histogram_is_not_below_the_mean() -> None:
    slow = of(link(VOICE, data(Poisson(10)), rate_kbps=0.001))
    assert slow.delay.mean_ms <= slow.delay.p95_ms
