"""Delays behind a ring, against what can be reckoned by hand."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from advisor.model import Bursts, Fragmentation, Interface, Periodic, Poisson, RingUnit, Saturated
from advisor.theory.analytic import Method, Validity
from advisor.theory.analytic.number import completions
from advisor.theory.ring import Ring, Size, sparse_wait_ms
from tests.theory.analytic.build import (
    DATA_MS,
    VOICE_BYTES,
    VOICE_MS,
    data,
    every,
    fifo,
    interface,
    of,
    poisson,
    voice,
)

RARE = every(10_000.0)


@pytest.mark.parametrize("ring", [1, 4, 40], ids=["one place", "four", "forty"])
def test_a_rare_probe_waits_for_half_a_packet_and_the_places_before_it(ring: int) -> None:
    found = of(interface(voice(RARE), data(), ring=ring))
    wait_ms = DATA_MS / 2 + (ring - 1) * DATA_MS
    assert found.mean_ms == pytest.approx(VOICE_MS + wait_ms, rel=1e-4)
    assert found.p95_ms == pytest.approx(VOICE_MS + (ring - 0.05) * DATA_MS, rel=2e-3)
    assert found.mean is Validity.EXACT
    assert found.method is Method.RING_FULL


def test_a_rare_probe_waits_as_the_ring_formula_says_for_two_sizes() -> None:
    lower = data(Saturated(), (125, 3.0), (1250, 1.0))
    found = of(interface(voice(RARE), lower, ring=6))
    wait_ms = sparse_wait_ms(Ring(6), [Size(3.0, 1.0), Size(1.0, 10.0)])
    assert found.mean_ms == pytest.approx(VOICE_MS + wait_ms, rel=1e-3)


def test_a_rare_probe_waits_for_the_particles_that_a_ring_holds() -> None:
    # 1250 bytes take 3 particles of 512; a ring of 7 is filled up to 9
    found = of(interface(voice(RARE), data(), ring=7, unit=RingUnit.PARTICLES))
    wait_ms = sparse_wait_ms(Ring(7), [Size(1.0, DATA_MS, 3)])
    assert found.mean_ms == pytest.approx(VOICE_MS + wait_ms, rel=1e-3)


def test_a_packet_on_the_wire_that_has_left_the_ring_is_one_place_more() -> None:
    beside = of(interface(voice(RARE), data(), ring=4, beside_wire=1))
    within = of(interface(voice(RARE), data(), ring=5))
    assert beside.mean_ms == pytest.approx(within.mean_ms)


def test_one_place_and_random_packets_are_cobhams_formula() -> None:
    found = of(
        interface(voice(poisson(0.3, VOICE_MS)), data(poisson(0.4, DATA_MS)), ring=1, limit=MANY)
    )
    residual_ms = 0.3 * VOICE_MS / 2 + 0.4 * DATA_MS / 2
    assert found.mean_ms == pytest.approx(VOICE_MS + residual_ms / (1 - 0.3), rel=1e-6)
    assert found.mean is Validity.EXACT


MANY = 300


@pytest.mark.parametrize("streams", [1, 6], ids=["one stream", "six streams"])
def test_one_place_and_periodic_lower_packets_are_cobhams_formula(streams: int) -> None:
    # random packets find each packet on the wire as often as it is there, whatever its arrivals
    lower = replace(data(every(streams * DATA_MS / 0.4)), streams=streams)
    found = of(interface(voice(poisson(0.3, VOICE_MS)), lower))
    residual_ms = 0.3 * VOICE_MS / 2 + 0.4 * DATA_MS / 2
    assert found.mean_ms == pytest.approx(VOICE_MS + residual_ms / (1 - 0.3), rel=1e-6)
    assert found.mean is Validity.EXACT


@pytest.mark.parametrize("limit", [1, 5, 20], ids=["one place", "five places", "twenty places"])
def test_a_lower_queue_that_loses_packets_is_on_the_wire_as_often_as_it_carries(limit: int) -> None:
    case = interface(voice(poisson(0.2, VOICE_MS)), data(poisson(0.9, DATA_MS)), limit=limit)
    found, lower = of(case), of(case, "data")
    residual_ms = 0.2 * VOICE_MS / 2 + lower.carried * DATA_MS / 2
    assert lower.carried < 0.8
    assert found.mean_ms == pytest.approx(VOICE_MS + residual_ms / (1 - 0.2), rel=2e-3)
    assert found.mean is Validity.WITHIN_5


def test_one_place_below_a_class_that_never_empties_has_its_residual_always() -> None:
    found = of(interface(voice(poisson(0.3, VOICE_MS)), data(), ring=1))
    residual_ms = 0.3 * VOICE_MS / 2 + 0.7 * DATA_MS / 2
    assert found.mean_ms == pytest.approx(VOICE_MS + residual_ms / 0.7)


def test_a_ring_without_end_is_the_formula_of_pollaczek_and_khinchine() -> None:
    found = of(
        interface(voice(poisson(0.2, VOICE_MS)), data(poisson(0.5, DATA_MS)), ring=MANY, limit=64)
    )
    residual_ms = 0.2 * VOICE_MS / 2 + 0.5 * DATA_MS / 2
    assert found.mean_ms == pytest.approx(VOICE_MS + residual_ms / (1 - 0.7), rel=1e-4)


def test_littles_law_holds_on_a_full_ring_of_two_places() -> None:
    """N = 2 by hand: a chain of the packet behind the wire, with few LLQ packets at once."""
    load = 0.02  # so few that a slot brings one at most, and the queue is empty after it
    per_ms = load / VOICE_MS
    found = of(interface(voice(poisson(load, VOICE_MS)), data(), ring=2))
    share = per_ms * DATA_MS / (1 + per_ms * (DATA_MS - VOICE_MS))  # of LLQ packets in places
    place_ms = DATA_MS - share * (DATA_MS - VOICE_MS)
    residual_ms = load * VOICE_MS / 2 + (1 - load) * DATA_MS / 2
    assert found.mean_ms == pytest.approx(VOICE_MS + residual_ms + place_ms, rel=0.02)


def test_other_calls_take_places_of_the_ring() -> None:
    alone = of(interface(voice(every(60.0)), data(), ring=4))
    three = of(interface(voice(every(60.0), streams=3), data(), ring=4))
    # one of three finds 2/60 a ms of the others, each 9 ms shorter than a lower packet
    assert alone.mean_ms > three.mean_ms
    per_ms = 2 / 60
    expected = (DATA_MS / 2 + 3 * DATA_MS) / (1 + per_ms * (DATA_MS - VOICE_MS))
    assert three.mean_ms == pytest.approx(VOICE_MS + expected, rel=0.06)


def test_a_call_alone_waits_for_nothing() -> None:
    found = of(interface(voice(every(20.0))))
    assert found.mean_ms == pytest.approx(VOICE_MS)
    assert found.p99_ms == pytest.approx(VOICE_MS)


def test_two_calls_alone_meet_as_often_as_one_is_sent() -> None:
    found = of(interface(voice(every(20.0), streams=2)))
    assert found.mean_ms == pytest.approx(VOICE_MS + VOICE_MS**2 / 2 / 20.0, rel=1e-2)
    assert found.method is Method.ALONE


def test_random_packets_alone_are_the_formula_of_pollaczek_and_khinchine() -> None:
    found = of(interface(voice(poisson(0.6, VOICE_MS))))
    assert found.mean_ms == pytest.approx(VOICE_MS + 0.3 / 0.4, rel=1e-3)


@pytest.mark.parametrize("load", [0.1, 0.2], ids=["a light LLQ", "an LLQ of a fifth"])
@pytest.mark.parametrize(
    "bytes_of_llq", [125, 1250, 12_500], ids=["smaller", "as large", "ten times as large"]
)
def test_the_lower_queue_under_one_place_is_cobhams_second_class(
    bytes_of_llq: int, load: float
) -> None:
    llq_ms = bytes_of_llq * VOICE_MS / VOICE_BYTES
    above = voice(poisson(load, llq_ms), size=bytes_of_llq)
    case = interface(above, data(poisson(0.4, DATA_MS)), ring=1, limit=MANY)
    residual_ms = load * llq_ms / 2 + 0.4 * DATA_MS / 2
    expected = DATA_MS + residual_ms / (1 - load) / (1 - 0.4 - load)
    assert of(case, "data").mean_ms == pytest.approx(expected, rel=0.02)


def test_a_completion_time_has_the_cumulants_of_busy_periods_and_takes_its_packet_at_least() -> (
    None
):
    load, packet_ms, above_ms = 0.3, 1.0, 50.0
    rows = completions([(1.0, packet_ms)], load, (load * above_ms, load * above_ms**2))
    mean_ms = sum(weight * ms for weight, ms in rows)
    second, third = (
        sum(weight * (ms - mean_ms) ** power for weight, ms in rows) for power in (2, 3)
    )
    # a busy period of B that begins in packet_ms has E[B^2] = s^2 / (1 - load)^3, E[B^3] = s^3
    # (1 + 2 load) / (1 - load)^5; load / s of them begin in a ms
    assert mean_ms == pytest.approx(packet_ms / (1 - load))
    assert second == pytest.approx(load * above_ms / (1 - load) ** 3)
    assert third == pytest.approx(load * above_ms**2 * (1 + 2 * load) / (1 - load) ** 5)
    assert min(ms for _, ms in rows) >= packet_ms


def test_what_the_llq_waits_longer_behind_its_ring_the_lower_queue_waits_shorter() -> None:
    arrivals = voice(poisson(0.2, VOICE_MS)), data(poisson(0.5, DATA_MS))
    one = interface(*arrivals, ring=1, limit=MANY)
    many = interface(*arrivals, ring=12, limit=MANY)
    longer_ms = of(many).mean_ms - of(one).mean_ms
    shorter_ms = of(one, "data").mean_ms - of(many, "data").mean_ms
    assert 0.5 * shorter_ms == pytest.approx(0.2 * longer_ms, rel=1e-3)


def test_a_lower_queue_in_overload_is_full_and_loses_the_excess() -> None:
    case = interface(voice(every(20.0)), data(poisson(1.9, DATA_MS)), ring=1, limit=40)
    found = of(case, "data")
    assert found.loss_ratio == pytest.approx(1 - 0.95 / 1.9, rel=1e-3)
    # 41 packets but for x / (2 (x - 1)), each in a completion time of 10 / 0.95
    assert found.mean_ms == pytest.approx((41 - 1.0) * DATA_MS / 0.95, rel=0.03)


def test_one_fifo_of_random_packets_is_the_formula_of_pollaczek_and_khinchine() -> None:
    case = fifo(voice(poisson(0.2, VOICE_MS)), data(poisson(0.5, DATA_MS)))
    residual_ms = 0.2 * VOICE_MS / 2 + 0.5 * DATA_MS / 2
    for name, own_ms in (("voice", VOICE_MS), ("data", DATA_MS)):
        assert of(case, name).mean_ms == pytest.approx(own_ms + residual_ms / 0.3, rel=1e-3)


def test_a_backlog_leaves_as_fast_as_its_class_is_sent() -> None:
    found = of(interface(voice(RARE), data(Saturated(15)), ring=4), "data")
    assert found.mean_ms == pytest.approx((15 + 4) * DATA_MS, rel=1e-3)
    assert found.carried == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize("below", [None, RARE], ids=["in one FIFO", "below a rare probe"])
def test_percentiles_of_packets_of_two_sizes_hold_their_own_sending(below: Periodic | None) -> None:
    # one packet of ten is large; at a load near 0 all wait for nothing, and p95 is the large one
    lower = data(Poisson(0.01), (125, 9.0), (1250, 1.0))
    case = fifo(lower) if below is None else interface(voice(below), lower, ring=4)
    found = of(case, "data")
    assert found.p50_ms == pytest.approx(VOICE_MS, rel=1e-3)
    assert found.p95_ms == pytest.approx(DATA_MS, rel=1e-3)


def test_packets_of_the_llq_pass_between_the_fragments_of_a_packet() -> None:
    whole = interface(voice(poisson(0.3, VOICE_MS)), data(Poisson(0.01)))
    cut = replace(whole, fragmentation=Fragmentation(250, 0))  # five fragments of 2 ms
    passing_ms = 4 * 2.0 * 0.3 / (1 - 0.3)
    assert of(cut, "data").mean_ms == pytest.approx(
        of(whole, "data").mean_ms + passing_ms, rel=1e-3
    )


def test_the_delay_of_a_backlog_varies_as_that_of_the_ring_does() -> None:
    case = interface(voice(poisson(0.05, VOICE_MS)), data(), ring=8)
    assert of(case, "data").law.variance_ms2 > of(case).law.variance_ms2


def test_consecutive_delays_of_a_rare_probe_with_jitter_are_two_draws_of_a_residual() -> None:
    # two uniform times of 10 ms differ by a third of them in the mean
    found = of(interface(voice(every(10_000.0, 30.0)), data(), ring=4))
    assert found.ipdv_ms == pytest.approx(DATA_MS / 3, rel=1e-2)


def test_a_probe_without_jitter_turns_on_the_lattice_of_the_lower_packets() -> None:
    # 10,005 ms less its own 1 are 1000 packets and 0.4: 4 ms less in 6 of 10, else 6 ms more
    found = of(interface(voice(every(10_005.0)), data(), ring=4))
    assert found.ipdv_ms == pytest.approx(0.6 * 4.0 + 0.4 * 6.0, rel=1e-6)


def test_a_call_above_random_packets_forgets_a_long_period() -> None:
    rare, often = (
        interface(voice(every(ms, 1.0)), data(poisson(0.4, DATA_MS)), ring=4)
        for ms in (400.0, 20.0)
    )
    assert of(rare).ipdv_ms == pytest.approx(of(rare).law.difference_ms)
    assert of(often).ipdv_ms is None


MIXED = ((125, 1.0), (2500, 1.0))  # 1 and 20 ms


@pytest.mark.parametrize(
    "case",
    [
        interface(voice(every(40.0)), data(), ring=6),
        interface(voice(poisson(0.02, VOICE_MS)), data(), ring=6),
        replace(interface(voice(every(400.0, 9.0)), data()), fragmentation=Fragmentation(900, 0)),
        interface(voice(every(50.0)), data(None, *MIXED)),
        interface(voice(every(400.0, 30.0), 4), data(), ring=2),
    ],
    ids=[
        "a call that meets its last packet",
        "random packets of which many meet the last one",
        "fragments, which follow each other",
        "a period of two or three large packets",
        "calls that meet the same calls again, as far as jitter lets them",
    ],
)
def test_consecutive_delays_that_depend_on_each_other_have_no_formula_for_ipdv(
    case: Interface,
) -> None:
    assert of(case).ipdv_ms is None


@pytest.mark.parametrize(
    "case",
    [
        interface(voice(poisson(0.002, VOICE_MS)), data(), ring=6),
        interface(voice(every(400.0)), data(None, *MIXED)),
        interface(voice(every(400.0, 30.0), 4), data()),
    ],
    ids=[
        "random packets that hardly ever meet",
        "a long period of packets of two sizes",
        "calls with jitter before a ring of one place",
    ],
)
def test_consecutive_delays_that_are_two_draws_differ_as_two_draws(case: Interface) -> None:
    found = of(case)
    assert found.ipdv_ms == pytest.approx(found.law.difference_ms)


def test_a_train_of_probes_finds_fewer_of_its_own_than_a_call() -> None:
    """A delay of 25 to 35 ms: each probe but the first finds one before it at 20 ms."""
    train = of(interface(voice(Bursts(0.1, 10, 20.0)), data(), ring=4))
    call = of(interface(voice(every(20.0)), data(), ring=4))
    rare = of(interface(voice(RARE), data(), ring=4))
    assert call.mean_ms < train.mean_ms < rare.mean_ms
    shorter = (rare.mean_ms - train.mean_ms) / (rare.mean_ms - call.mean_ms)
    assert shorter == pytest.approx(0.9, rel=0.15)


def test_an_overloaded_lower_queue_has_fewer_places_where_calls_stand_in_the_ring() -> None:
    calls = voice(every(20.0), streams=6)
    case = interface(calls, data(poisson(1.3, DATA_MS)), ring=20, limit=40)
    found = of(case, "data")
    # 60 packets of both, some 6/20 a ms times the 150 ms of the ring of calls
    assert found.mean_ms < 60 * DATA_MS / 0.7
    assert found.loss_ratio == pytest.approx(1 - 0.7 / 1.3, rel=0.01)


@pytest.mark.parametrize("llq_ms", [0.1, 0.35, 1.0], ids="packets of {} ms".format)
def test_below_saturation_a_deeper_ring_delays_random_packets_more_up_to_all_work(
    llq_ms: float,
) -> None:
    """Few lower packets and many small ones of the LLQ: none waits for more than stands there."""
    traffic = (
        voice(poisson(0.25, llq_ms), size=round(llq_ms * VOICE_BYTES)),
        data(poisson(0.25, DATA_MS)),
    )
    means = [of(interface(*traffic, ring=ring, limit=MANY)).mean_ms for ring in range(1, 25)]
    work_ms = 0.25 * (llq_ms + DATA_MS) / 2 / 0.5
    assert all(after >= before * (1 - 1e-3) for before, after in pairwise(means))
    assert means[-1] == pytest.approx(work_ms + llq_ms, rel=0.03)
    assert max(means) < (work_ms + llq_ms) * 1.03
