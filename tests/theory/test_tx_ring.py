"""Laws of the ring, not snapshots of code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.theory.ring import Ring, Size, bound_ms, deepest_limit, sparse_wait_ms, units_held

DATA = Size(packets_per_ms=1.0, wire_ms=20.0)
SIZES = st.builds(
    Size,
    packets_per_ms=st.floats(0.01, 5),
    wire_ms=st.floats(0.1, 50),
    units=st.integers(1, 4),
)


@pytest.mark.parametrize(
    ("limit", "beside", "expected_ms"),
    [
        pytest.param(1, 0, 10.0, id="ring of 1: the residual of the packet on the wire"),
        pytest.param(4, 0, 70.0, id="ring of 4: the residual and three whole packets"),
        pytest.param(1, 1, 30.0, id="one packet beside the ring adds a whole packet"),
    ],
)
def test_a_sparse_probe_waits_for_the_residual_and_the_other_packets(
    limit: int, beside: int, expected_ms: float
) -> None:
    assert sparse_wait_ms(Ring(limit, beside), [DATA]) == pytest.approx(expected_ms)


def test_the_mean_of_mixed_sizes_is_the_residual_of_renewal_theory() -> None:
    mix = [Size(7, 1.0), Size(4, 9.0), Size(1, 23.0)]
    mean = (7 * 1 + 4 * 9 + 23) / 12
    second = (7 * 1 + 4 * 81 + 23**2) / 12
    expected_ms = second / 2 / mean + 4 * mean
    assert sparse_wait_ms(Ring(5), mix) == pytest.approx(expected_ms)


@pytest.mark.parametrize(
    ("limit", "units", "held"),
    [
        pytest.param(40, [2], 40.0, id="packets of 2 fill an even ring exactly"),
        pytest.param(5, [2], 6.0, id="packets of 2 overshoot an odd ring by one"),
        pytest.param(40, [3], 42.0, id="packets of 3 overshoot a ring of 40 by two"),
        pytest.param(10, [1], 10.0, id="single units never overshoot"),
    ],
)
def test_a_packet_is_admitted_whole(limit: int, units: list[int], held: float) -> None:
    sizes = [Size(1.0, 1.0, each) for each in units]
    assert units_held(Ring(limit), sizes) == pytest.approx(held)


@given(st.lists(SIZES, min_size=1, max_size=4), st.integers(1, 40), st.integers(1, 10))
def test_more_ring_never_means_less_wait(sizes: list[Size], limit: int, more: int) -> None:
    shallow = sparse_wait_ms(Ring(limit), sizes)
    deep = sparse_wait_ms(Ring(limit + more), sizes)
    assert deep >= shallow - 1e-9


@given(st.lists(SIZES, min_size=1, max_size=4), st.integers(1, 300), st.integers(0, 1))
def test_the_bound_is_never_under_the_mean(sizes: list[Size], limit: int, beside: int) -> None:
    ring = Ring(limit, beside)
    assert bound_ms(ring, sizes) >= sparse_wait_ms(ring, sizes) - 1e-9


def test_the_bound_takes_the_mixture_of_most_wire_time() -> None:
    whole, snug = Size(1, 11.4, units=3), Size(1, 8.9, units=2)
    assert bound_ms(Ring(40), [whole, snug]) == pytest.approx(18 * 8.9 + 11.4 + 11.4)


def test_an_empty_ring_has_no_wait() -> None:
    with pytest.raises(ValueError, match="nothing is offered"):
        sparse_wait_ms(Ring(1), [])


@given(st.floats(1, 500), st.floats(0.5, 60))
def test_the_deepest_limit_meets_the_budget_and_the_next_does_not(
    budget_ms: float, packet_ms: float
) -> None:
    limit = deepest_limit(budget_ms, 1, lambda packets: packets * packet_ms)
    if limit is None:
        assert packet_ms > budget_ms
    else:
        assert limit * packet_ms <= budget_ms < (limit + 1) * packet_ms
