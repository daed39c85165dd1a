"""The table of WRED's regimes: traffic that is in each row, and rows that say what they must."""

from collections.abc import Callable
from functools import partial

import pytest

from advisor.model import DropProfile, Framing, Interface, Queue, QueueKind, Traffic, TxRing
from advisor.theory.wred import Regime, WredForecast
from advisor.theory.wred.solver import WRED_REGIMES, solve_wred
from tests.support.wred_classes import behind, tcp_flows, udp_packets, wred_class

LOW_DROP, HIGH_DROP = DropProfile(15, 30, 10), DropProfile(15, 30, 2)


def tcp(
    name: str, flows: int, profile: DropProfile, rtt_ms: float = 60, window: int = 44
) -> Traffic:
    return tcp_flows(name, flows, rtt_ms, 1500, window, profile)


def forecast(
    *groups: Traffic,
    exponent: int | None = 9,
    limit: int = 128,
    rate_kbps: float = 3000,
) -> WredForecast:
    link = Interface(rate_kbps * 1000, Framing(7), TxRing(8), (), ())
    return solve_wred(
        behind(
            link,
            wred_class(Queue("class-default", QueueKind.BANDWIDTH, 100, limit), groups, exponent),
        )
    )


TWO = (tcp("a", 5, LOW_DROP), tcp("b", 5, HIGH_DROP))
CASES = [
    pytest.param(partial(forecast, *TWO, exponent=None), Regime.NO_WRED, id="no WRED"),
    pytest.param(partial(forecast, *TWO), Regime.DIFFERENTIATION, id="two profiles"),
    pytest.param(
        partial(forecast, tcp("a", 60, LOW_DROP, 40), tcp("b", 60, HIGH_DROP, 40), rate_kbps=8000),
        Regime.COLLAPSE,
        id="many flows and a slow average",
    ),
    pytest.param(
        partial(forecast, tcp("a", 1, LOW_DROP, 60, window=4)),
        Regime.NO_CONGESTION,
        id="one small window",
    ),
    pytest.param(
        partial(forecast, tcp("a", 8, DropProfile(60, 120, 10), 60, window=8)),
        Regime.WINDOWS_END_FIRST,
        id="windows that end below the thresholds",
    ),
    pytest.param(
        partial(forecast, tcp("a", 30, DropProfile(60, 120, 10)), limit=64),
        Regime.TAIL_DROP_FIRST,
        id="a queue-limit below the thresholds",
    ),
    pytest.param(
        partial(
            forecast, tcp("a", 8, DropProfile(1, 3, 1), 300), exponent=4, limit=64, rate_kbps=8000
        ),
        Regime.UNDER_USE,
        id="thresholds far below the pipe",
    ),
    pytest.param(
        partial(forecast, *TWO, exponent=1), Regime.SYNCHRONIZATION, id="an average that jumps"
    ),
]


@pytest.mark.parametrize(("found", "regime"), CASES)
def test_a_class_is_in_the_regime(found: Callable[[], WredForecast], regime: Regime) -> None:
    assert regime in found().classes[0].regimes


@pytest.mark.parametrize("regime", Regime)
def test_every_regime_has_a_class_that_is_in_it(regime: Regime) -> None:
    assert regime in {case.values[1] for case in CASES}


@pytest.mark.parametrize("regime", Regime)
def test_every_row_says_when_what_shows_it_and_by_whom(regime: Regime) -> None:
    row = WRED_REGIMES[regime]

    assert all((row.when, row.shown_by, row.source))


def test_traffic_without_tcp_is_in_none_but_that_without_wred() -> None:
    udp = udp_packets("udp", 500, 1500, LOW_DROP)

    assert forecast(udp).classes[0].regimes == ()
    assert forecast(udp, exponent=None).classes[0].regimes == (Regime.NO_WRED,)
