"""A TCP flow under random drops: laws, and throughput counted in a packet-level simulation."""

from itertools import pairwise

import numpy as np
import pytest

from advisor.theory.tcp.curve import tcp_curve
from advisor.theory.tcp.cycle import cycle
from advisor.theory.tcp.growth import growth

# One NewReno flow, losses independent, round trip 150.5 ms and nothing queued, minimum RTO 1 s:
# sendings/s counted over 60 000 s of a packet-level simulation, by window and drop probability.
COUNTED = [
    (44, 0.005, 112.77),
    (44, 0.02, 50.20),
    (44, 0.06, 20.22),
    (44, 0.1, 11.24),
    (44, 0.2, 4.494),
    (44, 0.3, 2.384),
    (22, 0.01, 74.20),
    (12, 0.03, 35.53),
    (6, 0.002, 38.73),
    (6, 0.1, 10.19),
    (6, 0.25, 3.213),
]


@pytest.mark.parametrize(("window", "drop", "per_s"), COUNTED)
def test_throughput_is_what_a_simulation_counts(window: int, drop: float, per_s: float) -> None:
    curve = tcp_curve(window, 2, 1 / 0.1505, limited_transmit=False)
    assert curve.at(drop, 0.1505, 1.0).packets_per_second == pytest.approx(per_s, rel=0.025)


def test_without_drops_the_window_is_the_throughput() -> None:
    rate = tcp_curve(20, 2, 5.0, limited_transmit=False).at(0.0, 0.2, 1.0)
    assert rate.packets_per_second == pytest.approx(100)
    assert rate.flight_packets == pytest.approx(20)


@pytest.mark.slow
@pytest.mark.parametrize("window", [4, 12, 44, 120])
def test_more_drops_never_mean_more_throughput(window: int) -> None:
    curve = tcp_curve(window, 2, 6.0, limited_transmit=False)
    rates = [curve.at(p, 0.15, 1.0).packets_per_second for p in np.geomspace(1e-4, 0.8, 60)]
    assert all(after <= before for before, after in pairwise(rates))


def test_limited_transmit_saves_timeouts() -> None:
    drops = np.array([0.05, 0.1])
    plain, limited = (
        cycle(
            drops,
            6.0,
            receiver_window_packets=22,
            initial_window_packets=2,
            limited_transmit=limited_transmit,
        )[0]
        for limited_transmit in (False, True)
    )
    assert (limited.expiries / limited.packets < plain.expiries / plain.packets).all()


def test_short_transfers_are_slower_than_long_ones_where_drops_are_rare() -> None:
    rates = [
        tcp_curve(22, 2, 6.0, limited_transmit=False, transfer_packets=packets)
        .at(0.005, 0.15, 1.0, pause_s=0.15)
        .packets_per_second
        for packets in (20, 68, 200, None)
    ]
    assert rates == sorted(rates)


def test_a_new_connection_doubles_its_window_each_round_trip() -> None:
    paths = growth(44, 2)
    at = [paths.window_at[-1, packet - 1] for packet in (1, 3, 7, 15)]
    assert at == [2, 4, 8, 16]
    assert [paths.time_rtt[-1, packet] for packet in (1, 3, 7)] == pytest.approx([1, 2, 3])
