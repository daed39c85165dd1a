"""Properties of analytic answers: sums, order, smoothness, monotony."""

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.model import (
    Arrival,
    Interface,
    Periodic,
    Poisson,
    Refill,
    Saturated,
    Shaper,
    Traffic,
)
from advisor.theory.analytic import Method, Outside, Result, Validity, answer, is_figure
from advisor.theory.analytic.result import Law, Part
from advisor.theory.formulas import formula_of
from advisor.theory.solution import SAMPLED
from advisor.theory.solver import solve
from tests.theory.analytic.build import (
    DATA_MS,
    VOICE_MS,
    data,
    every,
    fifo,
    interface,
    of,
    poisson,
    voice,
)

FIGURES = (Validity.EXACT, Validity.WITHIN_5)


def llq(load: float, streams: int) -> tuple[Arrival, int]:
    """Random packets, or periodic streams, of a load."""
    if not streams:
        return poisson(load, VOICE_MS), 1
    return every(streams * VOICE_MS / load), streams


@st.composite
def cases(draw: st.DrawFn) -> Interface:
    arrival, streams = llq(draw(st.floats(0.01, 0.4)), draw(st.integers(0, 5)))
    small = draw(st.floats(0.0, 3.0))
    pairs = ((250, small), (1250, 1.0)) if small > 0.1 else ((1250, 1.0),)
    mean_ms = sum(size * weight for size, weight in pairs) / sum(w for _, w in pairs) * 0.008
    lower = draw(st.one_of(st.none(), st.floats(0.05, 1.3)))
    offered = data(poisson(lower, mean_ms) if lower else Saturated(), *pairs)
    ring = draw(st.integers(1, 24))
    return interface(voice(arrival, streams), offered, ring=ring, limit=draw(st.integers(8, 64)))


@st.composite
def shaped_cases(draw: st.DrawFn) -> Interface:
    """The same behind a shaper of a third of the wire or less; the lower class is never empty."""
    case = draw(cases())
    call, lower = case.traffic
    tc_ms = draw(st.sampled_from([4.0, 10.0, 125.0]))
    refill = draw(st.sampled_from([*Refill]))
    shaper = Shaper(
        case.rate_bps, tc_ms, excess_bits=draw(st.sampled_from([0.0, 2e4])), refill=refill
    )
    full = replace(lower, arrival=Saturated())
    faster = draw(st.sampled_from([3.0, 10.0, 100.0]))
    return replace(case, rate_bps=faster * case.rate_bps, traffic=(call, full), shaper=shaper)


@settings(max_examples=60, deadline=None)
@given(st.one_of(cases(), shaped_cases()))
def test_the_numbers_of_each_formula_give_the_mean_that_is_printed(case: Interface) -> None:
    """As `explain` prints it: the formula with its numbers, and the parts, are the figure."""
    for found, printed in zip(answer(case), solve(case).classes, strict=True):
        if isinstance(found, Outside):
            assert printed.method == SAMPLED
            continue
        worked = formula_of(found.method).with_numbers(dict(found.values)).replace("^", "**")
        assert re.fullmatch(r"[-0-9.e+*/() ]+", worked)
        assert float(eval(worked)) == pytest.approx(found.mean_ms, rel=0.01)  # noqa: S307 -- numbers
        assert found.terms.mean_ms == found.mean_ms
        if is_figure(found):
            assert printed.method == found.method
            most_ms = printed.bound_ms or found.mean_ms
            assert printed.delay.mean_ms == min(found.mean_ms, most_ms)
        else:
            assert printed.method == SAMPLED


@settings(max_examples=40, deadline=None)
@given(cases())
def test_terms_add_up_and_percentiles_are_in_order(case: Interface) -> None:
    for found in answer(case):
        if isinstance(found, Outside):
            assert found.why
            continue
        terms = found.terms
        total = terms.queue_ms + terms.ring_ms + terms.sending_ms + terms.shaper_ms
        assert total == pytest.approx(found.mean_ms)
        assert min(terms.queue_ms, terms.ring_ms) >= 0
        assert found.mean_ms >= terms.sending_ms > 0
        assert found.p50_ms <= found.p95_ms <= found.p99_ms
        assert 0 <= found.loss_ratio < 1


@settings(max_examples=30, deadline=None)
@given(cases())
def test_classes_together_never_carry_more_than_the_wire(case: Interface) -> None:
    carried = [found.carried for found in answer(case) if isinstance(found, Result)]
    assert sum(carried) <= 1 + 1e-9
    assert min(carried, default=1.0) > 0


SMOOTH = 0.04  # of the mean, for 0.5 % of an input
# The same of two means that scatter by 1.25 % each: five deviations of their difference. A ring that
# swings is chaotic, so two nearly equal questions do not scatter alike.
SMOOTH_OF_FOLLOWED = 0.09
JITTER = 0.2  # of a period


def full(load: float, streams: int, ring: int) -> Interface:
    arrival, number = llq(load, streams)
    return interface(voice(arrival, number), data(), ring=ring)


@settings(max_examples=40, deadline=None)
@given(cases())
@example(full(0.293, 2, ring=18))
@example(full(0.33, 2, ring=17))
@example(full(0.23751291497804827, 0, ring=12))
def test_a_little_more_load_changes_a_figure_a_little(case: Interface) -> None:
    """Calls have jitter: without any, they lock in phase where all times have a common divisor."""
    first, second = case.traffic
    found = answer(replace(case, traffic=(_with_rate(first, 1.0), second)))[0]
    near = answer(replace(case, traffic=(_with_rate(first, 1.005), second)))[0]
    if isinstance(found, Result) and isinstance(near, Result) and found.mean in FIGURES:
        smooth = SMOOTH_OF_FOLLOWED if found.method is Method.FOLLOWED else SMOOTH
        assert near.mean_ms == pytest.approx(found.mean_ms, rel=smooth)


def _with_rate(traffic: Traffic, factor: float) -> Traffic:
    arrival = traffic.arrival
    assert isinstance(arrival, Periodic | Poisson)
    rate = factor * arrival.packets_per_s
    if isinstance(arrival, Periodic):
        return replace(traffic, arrival=Periodic(rate, JITTER * 1000 / rate))
    return replace(traffic, arrival=Poisson(rate))


@pytest.mark.parametrize("lower", [None, 0.6], ids=["full", "below saturation"])
@pytest.mark.parametrize("streams", [0, 1, 3], ids=["random", "a call", "three calls"])
def test_a_deeper_ring_never_delays_less(lower: float | None, streams: int) -> None:
    arrival, number = llq(0.05, streams)
    offered = data(poisson(lower, DATA_MS) if lower else None)
    means = [
        of(interface(voice(arrival, number), offered, ring=ring)).mean_ms for ring in range(1, 20)
    ]
    assert all(before <= after * (1 + 1e-9) for before, after in pairwise(means))


def test_more_lower_load_never_delays_an_llq_less() -> None:
    loads = [0.05 * step for step in range(1, 25)]
    means = [
        of(interface(voice(every(50.0)), data(poisson(load, DATA_MS)), ring=4)).mean_ms
        for load in loads
    ]
    assert all(before <= after * (1 + 1e-6) for before, after in pairwise(means))


CALLS, RANDOM = voice(every(20.0), 3), voice(poisson(0.05, VOICE_MS))
BELOW = data(poisson(0.7, DATA_MS))


def loaded(load: float, ring: int) -> Interface:
    return interface(RANDOM, data(poisson(load, DATA_MS)), ring=ring)


@pytest.mark.parametrize(
    "points",
    [
        pytest.param([interface(CALLS, BELOW, ring=n) for n in range(1, 33)], id="ring, calls"),
        pytest.param([interface(RANDOM, BELOW, ring=n) for n in range(1, 65)], id="ring, random"),
        pytest.param([loaded(n / 50, 1) for n in range(1, 65)], id="load, one place"),
        pytest.param([loaded(n / 50, 4) for n in range(1, 65)], id="load, ring of 4"),
        pytest.param(
            [fifo(RANDOM, data(poisson(n / 20, DATA_MS))) for n in range(1, 25)], id="load, FIFO"
        ),
    ],
)
def test_no_step_of_a_sweep_goes_against_its_direction(points: Sequence[Interface]) -> None:
    found = [answer(point)[0] for point in points]
    means = [row.mean_ms for row in found if is_figure(row)]
    assert len(means) > len(points) - 10
    assert all(before <= after * (1 + 1e-6) for before, after in pairwise(means))


def test_a_deeper_ring_of_followed_calls_delays_less_by_no_more_than_their_scatter() -> None:
    found = [of(interface(CALLS, data(), ring=n)).mean_ms for n in range(2, 24)]
    assert all(before <= after * 1.01 for before, after in pairwise(found))


def test_heavy_load_goes_over_into_a_full_ring() -> None:
    full = of(interface(voice(every(50.0)), data(), ring=4)).mean_ms
    over = of(interface(voice(every(50.0)), data(poisson(1.4, DATA_MS)), ring=4)).mean_ms
    assert over == pytest.approx(full, rel=0.01)


def test_a_faster_line_delays_less() -> None:
    slow = interface(voice(every(50.0)), data(), ring=4)
    fast = replace(slow, rate_bps=2 * slow.rate_bps)
    assert of(fast).mean_ms < of(slow).mean_ms


def test_a_law_with_one_normal_part_has_the_quantiles_of_the_normal_law() -> None:
    law = Law((Part(1.0, 100.0, 10.0, 0.0),))
    assert law.quantile_ms(0.5) == pytest.approx(100.0, rel=1e-4)
    assert law.quantile_ms(0.975) == pytest.approx(119.6, rel=1e-3)


def test_a_law_counts_the_earlier_packets_that_are_still_there() -> None:
    law = Law((Part(1.0, 25.0, 0.0, 10.0),))  # between 25 and 35 ms: one of each 20 ms
    assert law.packets_still_waiting(20.0) == pytest.approx(1.0)
    assert law.packets_still_waiting(15.0) == pytest.approx(1.5)
