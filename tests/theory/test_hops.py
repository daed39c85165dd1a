"""Delay over hops: laws of sums and of convolution."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.theory.voice import HopDelay, along, fixed


@st.composite
def hop_delays(draw: st.DrawFn) -> HopDelay:
    least, *steps = draw(st.lists(st.floats(0, 100), min_size=5, max_size=5))
    p50, p95 = least + steps[0], least + steps[0] + steps[1]
    p99 = p95 + steps[2]
    mean = (p50 + p95) / 2
    return HopDelay(least, mean, p50, p95, p99, p99 + steps[3], steps[0], 0.01)


HOPS = st.lists(hop_delays(), min_size=1, max_size=4)
UNIFORM = HopDelay(0.0, 50.0, 50.0, 95.0, 99.0, 100.0, 33.3)


@given(HOPS)
@settings(max_examples=50, deadline=None)
def test_quantiles_are_ordered_and_within_the_bound(hops: list[HopDelay]) -> None:
    path = along(hops)
    slack_ms = 1.0  # of a lattice of up to 2000 ms

    assert path.bound_ms is not None
    assert path.least_ms <= path.p50_ms <= path.p95_ms <= path.p99_ms <= path.most_ms
    assert path.most_ms <= path.bound_ms + slack_ms


@given(HOPS, st.floats(0, 500))
@settings(max_examples=50, deadline=None)
def test_a_fixed_hop_moves_everything_by_itself(hops: list[HopDelay], more_ms: float) -> None:
    before, after = along(hops), along([*hops, fixed(more_ms)])

    assert after.mean_ms == pytest.approx(before.mean_ms + more_ms)
    assert after.p95_ms == pytest.approx(before.p95_ms + more_ms, abs=1.0)
    assert after.ipdv_ms == pytest.approx(before.ipdv_ms)


@given(HOPS)
@settings(max_examples=50, deadline=None)
def test_the_order_of_hops_does_not_matter(hops: list[HopDelay]) -> None:
    there, back = along(hops), along(hops[::-1])

    assert there.p99_ms == pytest.approx(back.p99_ms, abs=1.0)


def test_one_hop_keeps_its_quantiles() -> None:
    path = along([UNIFORM])

    assert (path.p50_ms, path.p95_ms, path.p99_ms) == pytest.approx((50, 95, 99), abs=0.1)


def test_two_even_distributions_make_a_triangle() -> None:
    path = along([UNIFORM, UNIFORM])

    assert path.p50_ms == pytest.approx(100, abs=0.2)
    assert path.p95_ms == pytest.approx(200 - 100 * 0.1**0.5, abs=0.3)


def test_losses_of_hops_follow_each_other() -> None:
    hop = HopDelay(1, 1, 1, 1, 1, 1, 0, loss_ratio=0.1)

    assert along([hop, hop]).loss_ratio == pytest.approx(0.19)


def test_a_hop_without_a_bound_leaves_the_path_without() -> None:
    unbounded = HopDelay(1, 2, 2, 3, 4, None, 1)

    assert along([UNIFORM, unbounded]).bound_ms is None
