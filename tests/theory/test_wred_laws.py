"""Laws of WRED and TCP that hold for any numbers, by the kernel."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.model import (
    DropProfile,
    Framing,
    Interface,
    Periodic,
    Policer,
    Queue,
    QueueKind,
    Traffic,
    TxRing,
)
from advisor.theory.wred import WredForecast
from advisor.theory.wred.solver import solve_wred
from tests.support.wred_classes import behind, tcp_flows, udp_packets, wred_class

LINK = Interface(2_000_000, Framing(7), TxRing(4), (), ())
PROFILE = DropProfile(10, 30, 10)
FLOWS = st.integers(1, 12)


def tcp(name: str, flows: int, profile: DropProfile | None = PROFILE) -> Traffic:
    return tcp_flows(name, flows, 50, 1500, 30, profile)


def alone(*groups: Traffic, exponent: int | None = 7) -> WredForecast:
    return solve_wred(
        behind(LINK, wred_class(Queue("c", QueueKind.BANDWIDTH, 100, 64), groups, exponent))
    )


def shares(forecast: WredForecast) -> list[float]:
    return [group.share.estimate for group in forecast.groups if group.share]


@settings(max_examples=8, deadline=None)
@given(FLOWS, FLOWS)
def test_shares_of_all_tcp_add_up_to_one(one: int, other: int) -> None:
    assert sum(shares(alone(tcp("a", one), tcp("b", other)))) == pytest.approx(1)


@settings(max_examples=6, deadline=None)
@given(FLOWS, FLOWS)
def test_more_flows_of_a_group_have_a_larger_share(flows: int, other: int) -> None:
    few, many = (alone(tcp("a", count), tcp("b", other)) for count in (flows, 2 * flows + 1))
    assert shares(many)[0] > shares(few)[0]


@settings(max_examples=6, deadline=None)
@given(st.integers(3, 12), st.integers(3, 12))
def test_with_one_profile_and_one_round_trip_shares_go_as_flows(one: int, other: int) -> None:
    found = alone(tcp("a", one), tcp("b", other))
    assert shares(found)[0] == pytest.approx(one / (one + other), abs=0.05)


def test_the_same_numbers_give_the_same_digits() -> None:
    groups = (tcp("a", 4), tcp("b", 6, DropProfile(5, 20, 2)))
    first = alone(*groups)
    solve_wred.__globals__["_solved"].cache_clear()
    assert alone(*groups) == first


def test_little_s_law_holds_in_the_queue() -> None:
    """Packets in queue and ring are throughput times delay."""
    found = alone(tcp("a", 12))
    (group,) = found.groups
    packets = group.packets_per_second * group.mean_ms.estimate / 1000
    assert packets == pytest.approx(found.classes[0].queue_packets.estimate + 4, rel=0.03)


def test_the_ring_delays_a_class_without_a_queue_of_its_own() -> None:
    """Another class keeps the ring full: a sparse class waits for all of it."""
    sparse = wred_class(
        Queue("sparse", QueueKind.BANDWIDTH, 50, 64), (udp_packets("udp", 5, 1500),), None
    )
    busy = wred_class(Queue("busy", QueueKind.BANDWIDTH, 50, 64), (tcp("a", 12),), 7)
    shallow, deep = (
        solve_wred(behind(Interface(2_000_000, Framing(7), TxRing(ring), (), ()), sparse, busy))
        for ring in (2, 12)
    )
    rise_ms = deep.groups[0].mean_ms.estimate - shallow.groups[0].mean_ms.estimate
    assert rise_ms == pytest.approx(10 * 1507 * 8 / 2000, rel=0.1)


def test_the_llq_goes_before_tcp_and_waits_for_the_ring() -> None:
    calls = udp_packets("calls", 50, 200, arrival=Periodic(50, 1.0))
    llq = wred_class(Queue("llq", QueueKind.PRIORITY, 1, 64), (calls,), None)
    found = solve_wred(
        behind(
            LINK, llq, wred_class(Queue("data", QueueKind.BANDWIDTH, 100, 64), (tcp("a", 12),), 7)
        )
    )
    voice, data = found.groups
    assert voice.loss_ratio.estimate == 0
    assert voice.mean_ms.estimate < 4.2 * 1507 * 8 / 2000
    assert data.mean_ms.estimate > 3 * voice.mean_ms.estimate


def test_a_policer_of_the_llq_drops_what_is_beyond_its_rate() -> None:
    flood = udp_packets("flood", 400, 500, arrival=Periodic(400, 1.0))
    llq = wred_class(
        Queue("llq", QueueKind.PRIORITY, 1, 64, Policer(400_000, 2000)), (flood,), None
    )
    found = solve_wred(
        behind(
            LINK, llq, wred_class(Queue("data", QueueKind.BANDWIDTH, 100, 64), (tcp("a", 12),), 7)
        )
    )
    assert found.groups[0].loss_ratio.estimate == pytest.approx(
        1 - 400 / (400 * 507 * 8e-3), abs=0.1
    )


def test_conversations_of_fair_queue_share_alike_whatever_their_round_trips() -> None:
    near, far = (tcp_flows(name, 4, rtt, 1500, 30) for name, rtt in (("near", 10), ("far", 90)))
    fifo, fair = (
        solve_wred(
            behind(
                LINK,
                wred_class(
                    Queue("c", QueueKind.BANDWIDTH, 100, 64, flow_limit_packets=limit),
                    (near, far),
                    None,
                ),
            )
        )
        for limit in (None, 16)
    )
    assert shares(fair)[1] == pytest.approx(0.5, abs=0.05)
    assert shares(fifo)[1] < shares(fair)[1] - 0.05
