"""The kernel's TCP and WRED beside the simulator, which shares no code with it."""

import pytest

from advisor.model import DropProfile, Framing, Interface, Queue, QueueKind, Traffic, TxRing
from advisor.simulate import simulate
from advisor.theory.wred.solver import solve_wred
from tests.support.wred_classes import WredClass, behind, tcp_flows, udp_packets, wred_class

pytestmark = pytest.mark.slow

LINK = Interface(1_500_000, Framing(7), TxRing(4), (), ())
MILD, HARSH = DropProfile(10, 30, 20), DropProfile(8, 24, 3)


def tcp(name: str, flows: int, profile: DropProfile | None, rtt_ms: float = 40) -> Traffic:
    return tcp_flows(name, flows, rtt_ms, 1500, 20, profile)


SHORT = tcp_flows("short", 4, 60, 1500, 30, MILD, transfer=40, minimum_rto_ms=200)
CASES = [
    pytest.param(
        (
            wred_class(
                Queue("c", QueueKind.BANDWIDTH, 100, 64), (tcp("a", 4, MILD), tcp("b", 4, HARSH)), 7
            ),
        ),
        id="two profiles",
    ),
    pytest.param(
        (
            wred_class(
                Queue("c", QueueKind.BANDWIDTH, 100, 40),
                (tcp("a", 3, None, 20), tcp("b", 3, None, 90)),
                None,
            ),
        ),
        id="tail drop and unlike round trips",
    ),
    pytest.param(
        (wred_class(Queue("c", QueueKind.BANDWIDTH, 100, 64), (SHORT, tcp("b", 3, HARSH)), 5),),
        id="transfers",
    ),
    pytest.param(
        (
            wred_class(
                Queue("c", QueueKind.BANDWIDTH, 60, 64),
                (tcp("a", 4, MILD), udp_packets("udp", 40, 1000, HARSH)),
                8,
            ),
            wred_class(
                Queue("d", QueueKind.BANDWIDTH, 40, 32), (udp_packets("other", 90, 1000),), None
            ),
        ),
        id="UDP beside TCP, and a class that is full",
    ),
    pytest.param(
        (
            wred_class(Queue("c", QueueKind.BANDWIDTH, 70, 64), (tcp("a", 6, MILD),), 7),
            wred_class(Queue("d", QueueKind.BANDWIDTH, 30, 64), (tcp("b", 1, HARSH, 120),), 6),
        ),
        id="a class without backlog",
    ),
]


@pytest.mark.parametrize("classes", CASES)
def test_shares_delays_and_losses_are_those_of_the_simulation(
    classes: tuple[WredClass, ...],
) -> None:
    forecast = solve_wred(behind(LINK, *classes))
    simulated = simulate(behind(LINK, *classes), 60_000, 4, seed=5).classes
    for group, result in zip(forecast.groups, simulated, strict=True):
        assert result.delay is not None
        assert result.loss_ratio is not None
        assert group.mean_ms.estimate == pytest.approx(result.delay.mean_ms.value, rel=0.06)
        assert group.loss_ratio.estimate == pytest.approx(
            result.loss_ratio.value, rel=0.25, abs=0.003
        )
        if group.share is not None:
            assert result.tcp_share_ratio is not None
            assert group.share.estimate == pytest.approx(result.tcp_share_ratio.value, abs=0.04)
