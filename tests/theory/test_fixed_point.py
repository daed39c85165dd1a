"""The fixed point of WRED and TCP: laws, the published test, and errors against the kernel."""

import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from advisor.model import (
    DropProfile,
    Framing,
    Interface,
    Queue,
    QueueKind,
    RingUnit,
    Traffic,
    TxRing,
)
from advisor.predict.scenario_interface import interface_of
from advisor.settings.read_scenarios import read_scenarios
from advisor.theory.fixed_point import FixedPoint, fixed_points, greedy_rate_per_s, limit_of
from advisor.theory.wred import Regime
from advisor.theory.wred.solver import solve_wred
from advisor.theory.wred.view import drop_probability, shares_by_flows_over_p
from tests.support.outside import VALIDATION, needs
from tests.support.wred_classes import behind, tcp_flows, udp_packets, wred_class
from tools.validation.wred_test import balanced, with_many

SETS = (
    Path(__file__).parents[2] / "fixtures/scenarios/wred_reference.json",
    *(VALIDATION / f"wred_{name}.json" for name in ("tuning", "wide")),
)
ATM = Interface(3_560_000, Framing(0, cells=True), TxRing(14), (), ())
SERIAL = Interface(3_000_000, Framing(7), TxRing(8), (), ())
UDP = wred_class(
    Queue("udp", QueueKind.BANDWIDTH, 25, 64), (udp_packets("UDP", 325.521, 604),), None
)
MOST_OFF = 0.20  # of nine in ten
LEAST_SHARE = 0.10  # of a class: the error of a smaller share is of few packets


def tcp(
    name: str, flows: int, profile: DropProfile | None, rtt_ms: float = 60.0, window: int = 44
) -> Traffic:
    return tcp_flows(name, flows, rtt_ms, 1500, window, profile)


def alone(*groups: Traffic, limit: int = 128) -> FixedPoint:
    queue = Queue("c", QueueKind.CLASS_DEFAULT, 100, limit)
    (point,) = fixed_points(behind(SERIAL, wred_class(queue, groups)))
    return point


def published(*flows: int, minimum: float = 15.0) -> tuple[FixedPoint, tuple[float, ...]]:
    """The test on an ATM PVC (denominators 10, 5, 2), and its own rule of flows / p."""
    groups = tuple(
        tcp_flows(
            name, count, 8.0, 1500, 22, DropProfile(minimum, 2 * minimum, denominator), transfer=68
        )
        for name, count, denominator in zip(
            ("AF11", "AF12", "AF13"), flows, (10, 5, 2), strict=True
        )
    )
    queue = Queue("tcp", QueueKind.BANDWIDTH, 75, 1000)
    (point,) = fixed_points(behind(ATM, wred_class(queue, groups), UDP))
    return point, shares_by_flows_over_p(groups)


def shares(point: FixedPoint) -> list[float]:
    return [group.share for group in point.groups if group.share is not None]


def test_the_published_test_shares_about_as_flows_over_p() -> None:
    point, rule = published(3, 3, 3)

    assert 15 < point.aqs_packets < 30
    assert rule == pytest.approx((30 / 51, 15 / 51, 6 / 51))
    assert shares(point) == pytest.approx(rule, abs=0.03)


@pytest.mark.slow
def test_it_is_nearer_to_the_kernel_than_flows_over_p_at_the_points_of_the_published_test() -> None:
    points = [*balanced(), *(point for place in range(3) for point in with_many(place))]
    kernel = [share.estimate for point in points for share in point.shares]
    off, rule_off = (
        [abs(own - true) for own, true in zip(ratios, kernel, strict=True)]
        for ratios in (
            [share for point in points for share in point.by_fixed_point],
            [share for point in points for share in point.by_flows_over_p],
        )
    )
    assert max(off) <= 0.07
    assert max(off) < max(rule_off)
    assert median(off) < median(rule_off) / 2


def test_af11_keeps_more_than_a_fifth_beside_twenty_flows_of_af12() -> None:
    assert shares(published(3, 20, 3)[0])[0] >= 0.20


def test_high_minima_give_shares_as_flows_because_windows_end_first() -> None:
    point, _ = published(3, 3, 3, minimum=120.0)

    assert point.aqs_packets < 120
    assert all(group.drop_ratio == 0 for group in point.groups)
    assert shares(point) == pytest.approx([1 / 3] * 3)


@settings(max_examples=30, deadline=None)
@given(
    counts=st.lists(st.integers(1, 20), min_size=2, max_size=3),
    denominators=st.permutations((2, 5, 10)),
    minimum=st.integers(5, 40),
    rtt_ms=st.sampled_from((8.0, 50.0, 120.0)),
)
def test_rates_add_up_to_the_class_and_each_drop_lies_on_its_curve(
    counts: list[int], denominators: list[int], minimum: int, rtt_ms: float
) -> None:
    rows = [DropProfile(minimum, 2 * minimum, d) for d in denominators[: len(counts)]]
    groups = [
        tcp(str(place), count, row, rtt_ms)
        for place, (count, row) in enumerate(zip(counts, rows, strict=True))
    ]
    point = alone(*groups)
    total = sum(group.packets_per_second for group in point.groups)

    assert sum(shares(point)) == pytest.approx(1)
    assert point.used_ratio <= 1 + 1e-6
    if point.aqs_packets:
        assert point.used_ratio == pytest.approx(1, abs=1e-4)
        assert total == pytest.approx(3_000_000 / 8 / 1507, rel=1e-3)
    if point.aqs_packets < 2 * minimum:
        assert [group.drop_ratio for group in point.groups] == pytest.approx(
            [drop_probability(point.aqs_packets, row) for row in rows]
        )


@pytest.mark.parametrize("others", [2, 5, 10])
def test_a_larger_denominator_gives_a_larger_share(others: int) -> None:
    found = [
        shares(
            alone(
                tcp("a", 5, DropProfile(15, 45, denominator)),
                tcp("b", 5, DropProfile(15, 45, others)),
            )
        )[0]
        for denominator in (1, 2, 5, 10, 20, 50)
    ]
    assert found == sorted(found)
    assert len(set(found)) == len(found)


def test_flows_that_fill_the_class_at_every_average_below_max_find_it_at_max() -> None:
    point = alone(tcp("a", 30, DropProfile(5, 20, 100)))

    assert point.aqs_packets == 20
    assert 0 < point.above_max_ratio < 1
    assert point.used_ratio == pytest.approx(1, abs=1e-4)


def test_a_queue_limit_below_max_drops_of_every_group() -> None:
    point = alone(
        tcp("a", 30, DropProfile(10, 60, 100)), tcp("b", 30, DropProfile(10, 60, 50)), limit=30
    )
    assert point.aqs_packets == 30
    assert all(group.drop_ratio > 1 / 50 for group in point.groups)


def test_a_class_that_its_windows_do_not_fill_leaves_its_rest_to_the_other() -> None:
    row = DropProfile(15, 45, 10)
    few, many = (
        wred_class(Queue(name, QueueKind.BANDWIDTH, weight), (group,))
        for name, weight, group in (
            ("few", 80, tcp("few", 1, row, 150.0, 10)),
            ("many", 20, tcp("many", 20, row)),
        )
    )
    first, second = fixed_points(behind(SERIAL, few, many))

    assert first.used_ratio * first.rate_ratio + second.rate_ratio == pytest.approx(1, abs=0.01)
    assert second.rate_ratio > 0.5


def test_udp_of_the_class_takes_its_rate_and_the_flows_the_rest() -> None:
    row = DropProfile(15, 45, 10)
    point = alone(tcp("a", 8, row), udp_packets("udp", 100.0, 700, row))
    flows, udp = point.groups

    assert udp.share is None
    assert udp.packets_per_second == pytest.approx(100 * (1 - udp.drop_ratio))
    assert flows.part_of_class + udp.part_of_class == pytest.approx(1)


def test_a_class_without_wred_or_with_fair_queue_has_no_fixed_point() -> None:
    group = tcp("a", 8, None)
    fair = Queue("fair", QueueKind.BANDWIDTH, 50, 64, flow_limit_packets=16)
    plain = wred_class(Queue("plain", QueueKind.BANDWIDTH, 50), (group,), None)

    assert fixed_points(behind(SERIAL, wred_class(fair, (group,)), plain)) == ()


def test_a_ring_of_particles_holds_the_packets_that_fill_it() -> None:
    row = DropProfile(15, 45, 10)
    packets, particles = (
        replace(SERIAL, ring=ring) for ring in (TxRing(4), TxRing(12, RingUnit.PARTICLES))
    )
    queue = Queue("c", QueueKind.CLASS_DEFAULT, 100)
    classes = [wred_class(queue, (tcp("a", 8, row),))]

    assert fixed_points(behind(packets, *classes)) == fixed_points(behind(particles, *classes))


@given(st.floats(1e-4, 0.5), st.floats(0.01, 1.0), st.integers(4, 64))
def test_a_flow_sends_less_the_more_it_loses_and_the_longer_its_round_trip(
    drop: float, round_trip_s: float, window: int
) -> None:
    rate = greedy_rate_per_s(drop, round_trip_s, 1.0, window)

    assert rate <= window / round_trip_s
    assert greedy_rate_per_s(1.1 * drop, round_trip_s, 1.0, window) < rate
    assert greedy_rate_per_s(drop, 1.1 * round_trip_s, 1.0, window) < rate


@pytest.mark.parametrize(
    ("regimes", "limit"),
    [
        ((Regime.DIFFERENTIATION,), None),
        ((), None),
        ((Regime.COLLAPSE, Regime.DIFFERENTIATION), Regime.COLLAPSE),
        ((Regime.DIFFERENTIATION, Regime.SYNCHRONIZATION), Regime.SYNCHRONIZATION),
        ((Regime.WINDOWS_END_FIRST,), Regime.WINDOWS_END_FIRST),
    ],
)
def test_it_explains_a_class_that_does_nothing_but_tell_groups_apart(
    regimes: tuple[Regime, ...], limit: Regime | None
) -> None:
    assert limit_of(regimes) is limit


class Off(Struct, frozen=True):
    """Relative errors of a class against the kernel: of its average, of shares that count."""

    aqs: float
    shares: tuple[float, ...]
    points: tuple[float, ...]


def compared(path: Path) -> Iterator[Off]:
    """Classes of a file of scenarios where the fixed point is to explain."""
    for scenario in read_scenarios(path.read_text("utf-8"), path.name):
        interface = interface_of(scenario)
        forecast = solve_wred(interface)
        of_classes = {item.name: item for item in forecast.classes}
        of_groups = {item.name: item for item in forecast.groups}
        for point in fixed_points(interface):
            found = of_classes[point.class_name]
            if limit_of(found.regimes) is not None or found.aqs_packets is None:
                continue
            pairs = [
                (group.share, sampled.estimate)
                for group in point.groups
                if group.share is not None and (sampled := of_groups[group.name].share)
            ]
            yield Off(
                abs(point.aqs_packets / found.aqs_packets.estimate - 1),
                tuple(abs(own / true - 1) for own, true in pairs if true >= LEAST_SHARE),
                tuple(abs(own - true) for own, true in pairs),
            )


def ninth(values: list[float]) -> float:
    return sorted(values)[int(0.9 * len(values))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem, marks=needs(path)) if path.is_relative_to(VALIDATION)
             else pytest.param(path, id=path.stem) for path in SETS]
)  # fmt: skip
def test_nine_in_ten_averages_and_shares_are_within_20_percent_of_the_kernel(path: Path) -> None:
    rows = list(compared(path))
    averages = [row.aqs for row in rows]
    relative = [error for row in rows for error in row.shares]
    points = [error for row in rows for error in row.points]
    figures = " ".join(
        f"{name} {median(errors):.3f} {ninth(errors):.3f} {max(errors):.3f}"
        for name, errors in (("AQS", averages), ("share", relative), ("points", points))
    )
    sys.stdout.write(f"{path.stem}: {len(rows)} classes, median, 90 %, worst: {figures}\n")
    assert ninth(averages) <= MOST_OFF
    assert ninth(relative) <= MOST_OFF
