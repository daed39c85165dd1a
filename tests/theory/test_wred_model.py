"""WRED and TCP: curves, the published test of WRED, and laws any answer has to keep."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from advisor.model import DropProfile, Framing, Interface, Queue, QueueKind, Traffic, TxRing
from advisor.theory.solution import ModelError
from advisor.theory.wred import GroupForecast, Regime, WredForecast
from advisor.theory.wred.solver import solve_wred
from advisor.theory.wred.view import (
    average_after,
    average_after_idle,
    drop_probability,
    time_constant_ms,
)
from tests.support.wred_classes import behind, tcp_flows, udp_packets, wred_class

ATM = Interface(3_560_000, Framing(0, cells=True), TxRing(8), (), ())
SERIAL = Interface(3_000_000, Framing(7), TxRing(8), (), ())
LOW_DROP, MEDIUM_DROP, HIGH_DROP = (DropProfile(15, 30, d) for d in (10, 5, 2))


def tcp(
    name: str,
    flows: int,
    profile: DropProfile | None = LOW_DROP,
    rtt_ms: float = 60,
    *,
    window: int = 44,
    transfer: int | None = None,
) -> Traffic:
    return tcp_flows(name, flows, rtt_ms, 1500, window, profile, transfer)


def published(
    *flows: int, minimum: float = 15, exponent: int | None = 9, window: int = 22, limit: int = 128
) -> WredForecast:
    groups = tuple(
        tcp(
            name,
            count,
            DropProfile(minimum, 2 * minimum, denominator),
            8,
            window=window,
            transfer=68,
        )
        for name, count, denominator in zip(
            ("AF11", "AF12", "AF13"), flows, (10, 5, 2), strict=True
        )
    )
    udp = wred_class(
        Queue("udp", QueueKind.BANDWIDTH, 25, 64), (udp_packets("UDP", 325.521, 604),), None
    )
    return solve_wred(
        behind(ATM, wred_class(Queue("tcp", QueueKind.BANDWIDTH, 75, limit), groups, exponent), udp)
    )


def alone(*groups: Traffic, exponent: int | None = 9, limit: int = 128) -> WredForecast:
    return solve_wred(
        behind(
            SERIAL,
            wred_class(Queue("class-default", QueueKind.BANDWIDTH, 100, limit), groups, exponent),
        )
    )


def shares(forecast: WredForecast) -> list[float]:
    return [group.share.estimate for group in forecast.groups if group.share]


@pytest.mark.parametrize(
    ("average", "expected"),
    [
        pytest.param(14.9, 0.0, id="nothing below min"),
        pytest.param(22.5, 0.05, id="half of one in ten halfway"),
        pytest.param(29.999, 0.1, id="one in ten just below max"),
        pytest.param(30.0, 1.0, id="all from max on"),
    ],
)
def test_drop_curve(average: float, expected: float) -> None:
    assert drop_probability(average, LOW_DROP) == pytest.approx(expected, abs=1e-4)


def test_a_larger_exponent_remembers_the_past_longer() -> None:
    assert average_after(10, 40, exponent=9) < average_after(10, 40, exponent=1)
    assert time_constant_ms(9, 250) == pytest.approx(2048)


def test_an_idle_queue_lets_the_average_fall_as_empty_samples_would() -> None:
    fallen = 20.0
    for _ in range(100):
        fallen = average_after(fallen, 0, exponent=6)
    assert average_after_idle(20, idle_ms=400, packet_ms=4, exponent=6) == pytest.approx(fallen)


def test_balanced_classes_are_differentiated_as_published() -> None:
    found = shares(published(3, 3, 3))
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.5


@pytest.mark.parametrize("flows", [5, 10, 15, 20])
def test_af11_never_goes_below_a_fifth(flows: int) -> None:
    af11 = published(3, flows, 3).groups[0].share
    assert af11
    assert af11.estimate >= 0.2
    assert af11.low >= 0.2


def test_the_rule_of_thumb_stands_beside_the_shares() -> None:
    rule = [group.share_by_flows_over_p for group in published(3, 20, 3).groups]
    assert rule[0] == pytest.approx(30 / 136)
    assert rule[3] is None


@pytest.mark.parametrize("flows", [(3, 3, 3), (3, 10, 3), (5, 3, 20)])
def test_without_wred_shares_go_as_flows(flows: tuple[int, int, int]) -> None:
    found = published(*flows, exponent=None)
    assert shares(found) == pytest.approx([count / sum(flows) for count in flows], abs=0.02)
    assert Regime.NO_WRED in found.classes[0].regimes


def test_above_the_flows_windows_thresholds_do_nothing() -> None:
    found = published(3, 3, 3, minimum=100, window=8)
    assert shares(found) == pytest.approx([1 / 3] * 3, abs=0.01)
    assert Regime.WINDOWS_END_FIRST in found.classes[0].regimes


def test_a_queue_limit_below_the_thresholds_drops_first() -> None:
    found = published(10, 10, 10, minimum=60, limit=64)
    assert Regime.TAIL_DROP_FIRST in found.classes[0].regimes


def test_udp_and_tcp_split_the_published_link() -> None:
    *tcps, udp = published(3, 3, 3).groups
    udp_kbps = udp.packets_per_second * 576 * 8 / 1000
    tcp_kbps = sum(group.packets_per_second for group in tcps) * 1460 * 8 / 1000
    assert udp_kbps / (udp_kbps + tcp_kbps) == pytest.approx(0.238, abs=0.03)
    assert udp_kbps + tcp_kbps == pytest.approx(2980, rel=0.05)


def test_many_flows_and_a_slow_average_are_near_collapse() -> None:
    link = replace(SERIAL, rate_bps=8_000_000, ring=TxRing(16))
    groups = (tcp("low", 30, LOW_DROP, 40), tcp("high", 30, MEDIUM_DROP, 40))
    found = solve_wred(
        behind(link, wred_class(Queue("class-default", QueueKind.BANDWIDTH, 100, 128), groups, 9))
    )
    assert Regime.COLLAPSE in found.classes[0].regimes
    assert found.utilization_ratio < 0.6


def test_a_calm_class_is_not_called_near_collapse() -> None:
    found = alone(tcp("low", 5), tcp("high", 5, HIGH_DROP))
    assert Regime.COLLAPSE not in found.classes[0].regimes
    assert found.converged


def test_thresholds_far_below_the_pipe_leave_the_line_idle() -> None:
    tight = DropProfile(1, 3, 1)
    long_way = tcp_flows("far", 8, 300, 1500, 44, tight)
    found = solve_wred(
        behind(
            replace(SERIAL, rate_bps=8_000_000, ring=TxRing(2)),
            wred_class(Queue("class-default", QueueKind.BANDWIDTH, 100, 64), (long_way,), 4),
        )
    )
    assert Regime.UNDER_USE in found.classes[0].regimes
    assert found.utilization_ratio < 0.9


def test_unresponsive_traffic_above_the_rate_of_its_class_fills_its_queue() -> None:
    udp = published(3, 3, 3).groups[3]
    assert udp.loss_ratio.estimate == pytest.approx(0.5, abs=0.03)
    assert udp.mean_ms.estimate == pytest.approx(400, rel=0.1)


def test_unresponsive_traffic_in_the_class_takes_from_tcp() -> None:
    with_udp = alone(tcp("tcp", 10), udp_packets("udp", 50, 1500, LOW_DROP))
    without = alone(tcp("tcp", 10))
    assert with_udp.groups[0].packets_per_second < without.groups[0].packets_per_second - 35


@pytest.mark.parametrize(
    "group",
    [
        pytest.param(tcp("none", 0), id="no flows"),
        pytest.param(tcp("still", 3, rtt_ms=0), id="no round trip"),
        pytest.param(tcp("crossed", 3, DropProfile(30, 15, 10)), id="min above max"),
        pytest.param(tcp("half", 3, DropProfile(15, 30, 0.5)), id="more drops than packets"),
        pytest.param(udp_packets("silent", 0, 100), id="no packets"),
    ],
)
def test_impossible_numbers_are_refused(group: Traffic) -> None:
    with pytest.raises(ModelError, match=group.name):
        alone(group)


FLOWS = st.integers(1, 15)
PROFILES = st.tuples(st.integers(5, 30), st.sampled_from((2, 5, 10, 20)))


@settings(max_examples=15, deadline=None)
@given(FLOWS, FLOWS, PROFILES, st.sampled_from((20, 60, 120)))
def test_answers_keep_their_bounds(
    one: int, other: int, profile: tuple[int, int], rtt_ms: int
) -> None:
    minimum, denominator = profile
    low, high = (DropProfile(minimum, 2 * minimum, d) for d in (denominator, 2))
    found = alone(tcp("one", one, low, rtt_ms), tcp("other", other, high, rtt_ms))
    assert sum(shares(found)) == pytest.approx(1)
    assert found.utilization_ratio <= 1
    for group in found.groups:
        assert_in_order(group)


def assert_in_order(group: GroupForecast) -> None:
    for found in (group.share, group.share_of_link, group.loss_ratio, group.mean_ms):
        assert found
        assert 0 <= found.low <= found.estimate <= found.high


@settings(max_examples=10, deadline=None)
@given(FLOWS, st.sampled_from((3, 5, 10)))
def test_dropping_a_group_more_often_never_gives_it_more(flows: int, denominator: int) -> None:
    kind = alone(tcp("steady", 5), tcp("judged", flows, DropProfile(15, 30, denominator)))
    harsh = alone(tcp("steady", 5), tcp("judged", flows, DropProfile(15, 30, denominator / 2)))
    assert shares(harsh)[1] <= shares(kind)[1] + 0.01


def test_an_average_within_a_round_trip_is_named_a_risk_of_synchronization() -> None:
    slow, fast = (
        alone(tcp("a", 4), tcp("b", 4, MEDIUM_DROP), exponent=exponent) for exponent in (7, 1)
    )
    assert Regime.SYNCHRONIZATION in fast.classes[0].regimes
    assert Regime.SYNCHRONIZATION not in slow.classes[0].regimes


def test_the_same_flows_do_not_collapse_with_a_faster_average() -> None:
    link = replace(SERIAL, rate_bps=8_000_000, ring=TxRing(16))
    groups = (tcp("low", 30, LOW_DROP, 40), tcp("high", 30, MEDIUM_DROP, 40))
    slow, fast = (
        solve_wred(
            behind(
                link,
                wred_class(Queue("class-default", QueueKind.BANDWIDTH, 100, 128), groups, exponent),
            )
        )
        for exponent in (9, 5)
    )
    assert Regime.COLLAPSE in slow.classes[0].regimes
    assert Regime.COLLAPSE not in fast.classes[0].regimes


def test_shares_of_next_to_nothing_go_as_flows() -> None:
    found = solve_wred(
        behind(
            replace(SERIAL, rate_bps=64_000),
            wred_class(Queue("c", QueueKind.BANDWIDTH, 100, 64), (tcp("a", 300), tcp("b", 100))),
        )
    )
    assert shares(found) == pytest.approx([0.75, 0.25], abs=0.03)
