"""The number law of M/G/1 and of nD/D/1, against what can be reckoned by hand."""

from math import comb, exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.theory.analytic.number import exceeds, number_law, periodic_numbers

ONE = {1: 1.0}
MANY = 300


@pytest.mark.parametrize("load", [0.1, 0.5, 0.9], ids=["light", "half", "heavy"])
def test_equal_packets_are_as_many_as_pollaczek_and_khinchine_say(load: float) -> None:
    law = number_law(load, ONE, [(1.0, 1.0)], MANY)
    assert law.mean == pytest.approx(load + load**2 / 2 / (1 - load), rel=1e-6)
    assert law.busy == pytest.approx(load)
    assert law.all_residual_ms == pytest.approx(load / 2)


def test_two_sizes_follow_from_their_second_moment() -> None:
    per_ms, services = 0.1, [(0.75, 1.0), (0.25, 9.0)]
    law = number_law(per_ms, ONE, services, MANY)
    mean, second = 3.0, 21.0
    wait_ms = per_ms * second / 2 / (1 - per_ms * mean)
    assert law.mean == pytest.approx(per_ms * (wait_ms + mean))


def test_bursts_wait_for_the_packets_of_their_own_burst() -> None:
    # M^X/D/1: residual of the work that bursts of 3 bring, and one packet before a mean one
    per_ms, law = 0.2, number_law(0.2, {3: 1.0}, [(1.0, 1.0)], MANY)
    load = 3 * per_ms
    wait_ms = (load * 0.5 + load * 1.0) / (1 - load) + 1.0
    assert law.mean == pytest.approx(load * (wait_ms + 1.0))


def test_a_place_for_one_beside_the_wire_is_lost_as_erlang_counts() -> None:
    # M/D/1/2: a departure leaves none with a = exp(-load); idle a / (a + load)
    load = 0.7
    law = number_law(load, ONE, [(1.0, 1.0)], 2)
    assert law.at[0] == pytest.approx(exp(-load) / (exp(-load) + load))
    assert law.passed_per_ms == pytest.approx(1 - law.at[0])


def test_an_overloaded_queue_has_half_a_place_free_for_each_part_of_the_excess() -> None:
    # M/D/1/K at a load x: x / (2 (x - 1)) places are free; 2 is far enough over
    law = number_law(1.5, ONE, [(1.0, 1.0)], 60)
    assert law.busy == pytest.approx(1.0)
    assert 60 - law.mean == pytest.approx(1.5 / 2 / 0.5, rel=0.25)


@given(
    load=st.floats(0.05, 1.6),
    burst=st.integers(1, 6),
    longer=st.floats(1.0, 30.0),
    most=st.integers(2, 60),
)
def test_probabilities_residuals_and_throughput_hold_together(
    load: float, burst: int, longer: float, most: int
) -> None:
    services = [(0.8, 1.0), (0.2, longer)]
    mean = 0.8 + 0.2 * longer
    law = number_law(load / mean / burst, {burst: 1.0}, services, most)
    assert sum(law.at) == pytest.approx(1)
    assert min(law.at) >= 0
    assert sum(law.residual_ms) <= law.all_residual_ms * (1 + 1e-9)
    assert law.busy == pytest.approx(1 - law.at[0], abs=1e-9)
    assert law.passed_per_ms * mean == pytest.approx(law.busy)
    assert law.busy <= min(load, 1) + 1e-9
    full, residual_ms = law.from_on(1)
    assert full == pytest.approx(law.busy, abs=1e-9)
    assert residual_ms == pytest.approx(law.all_residual_ms)


def test_places_between_two_whole_numbers_are_between_their_laws() -> None:
    law = number_law(0.6, ONE, [(1.0, 1.0)], MANY)
    low, high = law.from_on(2)[0], law.from_on(3)[0]
    assert law.from_on(2.5)[0] == pytest.approx((low + high) / 2)


def test_two_periodic_streams_leave_work_only_where_they_meet() -> None:
    # two packets of 1 in 10: both at once with probability 1/10 before a packet ends
    assert exceeds(0.0, 1, 10.0) == pytest.approx(0.1)
    assert exceeds(0.0, 2, 10.0) == pytest.approx(0.2)
    # the second one waits where the first is at most x away: work over 1
    assert exceeds(1.0, 2, 10.0) == pytest.approx(comb(2, 2) * 0.1**2 * 9 / 8 * 8 / 9, rel=0.3)


def test_periodic_streams_below_the_line_never_queue_without_end() -> None:
    law = periodic_numbers(9, 10.0, 1.0, 12)
    assert sum(law.at) == pytest.approx(1)
    assert law.busy == pytest.approx(0.9)
    poisson = number_law(0.9, ONE, [(1.0, 1.0)], MANY)
    assert law.mean < poisson.mean
