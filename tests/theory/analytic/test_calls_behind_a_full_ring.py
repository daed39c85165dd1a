"""Calls that are followed through a full ring, packet after packet."""

from itertools import islice
from math import exp

import pytest
from msgspec.structs import replace

from advisor.model import Arrival, Bursts, Framing, Interface, Poisson, Policer, Traffic
from advisor.theory.analytic import Method, Validity
from advisor.theory.analytic.orbit import Delays, delays_of
from advisor.theory.analytic.packets import Stream
from advisor.theory.analytic.phases import Clock, LowerQueue, pieces_of
from advisor.theory.analytic.seen import Places
from advisor.theory.analytic.setting import overflow_ratio, refused
from advisor.theory.flows import flows_of
from advisor.theory.solver import solve
from tests.theory.analytic.build import (
    DATA_MS,
    VOICE_BYTES,
    VOICE_MS,
    data,
    every,
    interface,
    of,
    poisson,
    voice,
)

OFFERED_BPS = 8 * VOICE_BYTES * 1000 / 23.0


def calls(number: int = 1, period_ms: float = 84.236, limit: int = 64) -> Clock:
    stream = Stream(number / period_ms, VOICE_MS, ((1.0, VOICE_MS),), 1.0, 1, period_ms, number)
    return Clock(stream, VOICE_MS, period_ms, 0.0, 1, VOICE_BYTES, limit)


def delay(clock: Clock, places: Places, units: int = 1) -> Delays:
    lower = LowerQueue(((1.0, 1.0, ((DATA_MS, units),)),), backlogged=True)
    found = delays_of((clock,), (lower,), places)
    assert found is not None
    return found[0]


@pytest.mark.parametrize("ring", [1, 2, 7], ids="{} places".format)
def test_a_call_that_never_meets_itself_waits_for_half_a_packet_and_the_places(ring: int) -> None:
    found = delay(calls(), Places(ring))
    assert found.terms.mean_ms == pytest.approx((ring - 0.5) * DATA_MS + VOICE_MS, rel=0.005)
    longest_ms = ring * DATA_MS + VOICE_MS
    assert found.law.quantile_ms(0.99) == pytest.approx(longest_ms - 0.01 * DATA_MS, rel=0.005)


def test_a_packet_on_the_wire_that_has_left_the_ring_is_one_place_more() -> None:
    assert delay(calls(5), Places(2, beside_wire=1)).terms.mean_ms == pytest.approx(
        delay(calls(5), Places(3)).terms.mean_ms, rel=0.01
    )


def test_a_ring_of_particles_takes_a_packet_while_one_is_free() -> None:
    assert delay(calls(), Places(4, is_packets=False), units=3).terms.mean_ms == pytest.approx(
        delay(calls(), Places(2)).terms.mean_ms, rel=0.01
    )


def test_waits_and_packets_that_are_found_are_littles_law() -> None:
    """Of 12 calls a packet meets 11, and the parts of D follow from the queue before the ring."""
    period_ms, ring = 29.0, 3
    found = delay(calls(12, period_ms), Places(ring)).terms
    others = 11 / period_ms
    queued = others * found.queue_ms
    residual_ms = others * VOICE_MS**2 / 2 + (1 - others * VOICE_MS) * DATA_MS / 2
    wait_ms = residual_ms + (ring - 1 + queued) * DATA_MS
    wait_ms /= 1 + others * (DATA_MS - VOICE_MS)
    assert found.mean_ms - VOICE_MS == pytest.approx(wait_ms, rel=0.03)


@pytest.mark.parametrize("part", [0.4, 0.8], ids="{} of the rate is paid".format)
def test_a_full_policer_passes_its_rate(part: float) -> None:
    policer = Policer(part * OFFERED_BPS, 4000.0)
    found = delay(replace(calls(1, 23.0), policer=policer), Places(4))
    assert found.loss_ratio == pytest.approx(1 - part, abs=0.003)


def test_a_short_queue_drops_what_a_ring_of_lower_packets_keeps_out() -> None:
    assert delay(calls(30, 60.0, limit=2), Places(8)).loss_ratio > 0.1
    assert delay(calls(30, 60.0), Places(8)).loss_ratio == 0


def test_random_packets_and_one_place_wait_as_a_priority_queue_says() -> None:
    """R / (1 - rho), A. Cobham: exact, and the recursion takes its own points of the arrivals."""
    stream = Stream(0.3, VOICE_MS, ((1.0, VOICE_MS),), 1.0)
    found = delay(Clock(stream, VOICE_MS, 0.0, 0.0, 1, VOICE_BYTES, 1000), Places(1)).terms
    residual_ms = 0.3 * VOICE_MS**2 / 2 + 0.7 * DATA_MS / 2
    assert found.mean_ms == pytest.approx(residual_ms / 0.7 + VOICE_MS, rel=0.02)


def test_backlogged_queues_are_sent_by_their_clocks_and_light_ones_between_them() -> None:
    """Of 100 and 50 bytes at weights 2 and 1 each sends in turn, and one of ten is light."""
    heavy = [((0.45, clock, ((clock, 1),)),) for clock in (50.0, 51.0)]
    lower = (
        *(LowerQueue(packets, backlogged=True) for packets in heavy),
        LowerQueue(((0.1, 1.0, ((7.0, 1),)),), backlogged=False),
    )
    order = [ms for ms, _ in islice(pieces_of(lower), 400)]
    assert order.count(7.0) == pytest.approx(40, abs=10)
    sent = [ms for ms in order if ms != 7.0]
    assert sent[:6] == [50.0, 51.0] * 3


SWINGS = interface(voice(every(20.0), 12), data(), ring=3)


def test_the_same_calls_have_the_same_digits_and_nearly_the_same_ones_nearly_the_same() -> None:
    found = of(SWINGS)
    assert found == of(interface(voice(every(20.0), 12), data(), ring=3))
    nearly = of(interface(voice(every(20.05), 12), data(), ring=3))
    assert nearly.mean_ms == pytest.approx(found.mean_ms, rel=0.04)
    assert found.terms.mean_ms == pytest.approx(found.law.mean_ms, rel=0.02)


def test_what_calls_leave_of_the_wire_is_that_of_the_backlog() -> None:
    both = [of(SWINGS, name).carried for name in ("voice", "data")]
    assert sum(both) == pytest.approx(1.0)
    assert {row.method for row in solve(SWINGS).classes} == {Method.FOLLOWED, Method.BACKLOG}


LIGHT = data(poisson(0.2, VOICE_MS), (VOICE_BYTES, 1.0))


def with_light_class(case: Interface) -> Interface:
    gold = replace(case.queues[1], name="gold")
    more = replace(LIGHT, name="gold", queue="gold")
    return replace(case, queues=(*case.queues, gold), traffic=(*case.traffic, more))


def test_a_light_class_of_short_packets_swings_with_the_calls_and_is_an_explanation() -> None:
    found = of(with_light_class(SWINGS))
    assert (found.method, found.mean) == (Method.FOLLOWED, Validity.WITHIN_20)
    assert "swing" in found.why


def train(packets: int) -> Traffic:
    """A probe that sends so many packets, one each 20 ms, and pauses."""
    return voice(Bursts(0.2, packets, 20.0))


def test_the_first_packets_of_a_train_find_lower_packets_alone_and_later_ones_their_own() -> None:
    """One packet finds a residual, three slots and itself; ten displace some of the slots."""
    first = of(interface(train(2), data(), ring=4)).mean_ms
    later = of(interface(train(10), data(), ring=4))
    rare_ms = DATA_MS / 2 + 3 * DATA_MS + VOICE_MS
    assert later.method is Method.FOLLOWED
    assert later.mean_ms < first <= rare_ms * 1.01
    assert later.p99_ms == pytest.approx(rare_ms + DATA_MS / 2, rel=0.03)
    assert later.ipdv_ms is not None


def test_jitter_that_brings_packets_of_a_call_together_is_not_exact() -> None:
    """A slot and three in the ring: two packets 20 ms apart never meet, 5 ms apart they do."""
    calm = of(interface(voice(every(50.0)), data(), ring=4))
    jittered = of(interface(voice(every(50.0, 40.0)), data(), ring=4))
    assert calm.mean is Validity.EXACT
    assert jittered.mean is not Validity.EXACT


@pytest.mark.parametrize(
    ("arrival", "streams", "burst_bytes", "least", "most"),
    [
        pytest.param(every(20.0), 4, 500.0, 0.0, 0.0, id="calls whose packets all fit"),
        pytest.param(every(20.0), 4, 200.0, 0.01, 0.6, id="calls of which two do not fit"),
        pytest.param(poisson(0.2, VOICE_MS), 1, 4000.0, 0.0, 1e-3, id="random, a long bucket"),
        pytest.param(poisson(0.2, VOICE_MS), 1, 300.0, 0.02, 1.0, id="random, two packets"),
        pytest.param(poisson(0.5, VOICE_MS), 1, 4000.0, 0.5, 0.501, id="random, twice the rate"),
    ],
)
def test_a_bucket_lacks_tokens_as_often_as_work_in_it_is_over_its_depth(
    arrival: Arrival, streams: int, burst_bytes: float, least: float, most: float
) -> None:
    policer = Policer(250_000.0, burst_bytes, Framing(0))
    case = interface(voice(arrival, streams), data(), ring=2)
    first, *others = case.queues
    case = replace(case, queues=(replace(first, priority_policer=policer), *others))
    assert least <= overflow_ratio(flows_of(case)[0]) <= most


@pytest.mark.parametrize(
    ("load", "room", "lost"),
    [
        (0.7, 0.0, 0.7 / 1.7),
        (0.7, 0.5, 1 - 1 / (exp(-0.35) + 0.7)),
        (1.0, 9.0, 3 / 59),
        (1.0, 40.3, 1 - 1 / (1 / 81.2667 + 1)),
        (0.9, 30.4, 1.7212e-4),
        (3.0, 25.0, 2 / 3),
        (1e6, 3.0, 1 - 1e-6),
        (1.0, 1e12, 0.0),
        (1.5, 1e12, 1 / 3),
    ],
    ids=[
        "one packet, as Erlang counts",
        "one packet and a half",
        "as much as is paid, and ten packets",
        "as much as is paid, and a long bucket",
        "nine tenths and a long bucket",
        "three times what is paid",
        "a flood",
        "as much as is paid, and a bucket that never ends",
        "half more than is paid, and a bucket that never ends",
    ],
)
def test_a_policer_refuses_the_part_of_random_packets_that_level_crossing_gives(
    load: float, room: float, lost: float
) -> None:
    """A bucket of one packet and `room` more; at a load of 1 G is 2 room + 2 / 3 for long ones."""
    assert refused(load, room) == pytest.approx(lost, rel=2e-3)


def test_random_packets_of_a_policer_in_a_full_ring_lose_what_the_formula_says() -> None:
    """True loss: 0.0507, give or take 0.0006 (simulated, 4 million packets)."""
    policer = Policer(193_200.0, 690.0, Framing(9))
    case = interface(voice(Poisson(350.0), size=60), data(), ring=2)
    first, *others = case.queues
    case = replace(
        case,
        framing=Framing(9),
        rate_bps=2_048_000.0,
        queues=(replace(first, priority_policer=policer), *others),
    )
    assert of(case).loss_ratio == pytest.approx(0.0507, abs=0.0006)
