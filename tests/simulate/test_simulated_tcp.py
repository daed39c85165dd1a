"""TCP and WRED of the simulation: the rules they follow, and laws of what they lead to."""

from math import inf
from random import Random

import pytest
from msgspec.structs import replace

from advisor.model import DropProfile, Tcp, WredAverage
from advisor.predict.scenario_interface import interface_of
from advisor.settings.scenario import (
    DefaultQueue,
    Queue,
    Scenario,
    ScenarioLink,
    SharedQueue,
    TcpGroup,
    TxRing,
)
from advisor.simulate import ClassSummary, SimulationError, simulate
from advisor.simulate.queues import AverageQueue
from advisor.simulate.tcp import Receiver, Sender

GREEDY = Tcp(100, 20)


def opened(group: Tcp, packets: int) -> Sender:
    """A sender that has had acknowledgements up to a window of so many packets."""
    sender = Sender(group)
    sender.send(0)
    for number in range(1, packets - group.initial_window_packets + 1):
        sender.acknowledged(number, 100.0)
    return sender


def test_slow_start_sends_two_packets_for_each_acknowledgement() -> None:
    sender = Sender(GREEDY)
    assert sender.send(0) == [0, 1]
    assert sender.acknowledged(1, 100) == [2, 3]
    assert sender.acknowledged(2, 100) == [4, 5]


def test_the_receiver_window_ends_the_growth() -> None:
    sender = opened(replace(GREEDY, receiver_window_packets=5), packets=9)
    assert sender.acknowledged(8, 100) == [12]


def test_the_third_duplicate_repeats_the_missing_packet() -> None:
    sender = opened(GREEDY, packets=10)  # 0..7 acknowledged, 8..17 in flight
    assert sender.acknowledged(8, 200) == []
    assert sender.acknowledged(8, 201) == []
    assert sender.acknowledged(8, 202) == [8]


def test_limited_transmit_sends_a_new_packet_for_the_first_duplicates() -> None:
    sender = opened(replace(GREEDY, limited_transmit=True), packets=10)
    assert sender.acknowledged(8, 200) == [18]
    assert sender.acknowledged(8, 201) == [19]
    assert sender.acknowledged(8, 202) == [8]


def test_fast_recovery_ends_with_half_the_flight() -> None:
    sender = opened(GREEDY, packets=10)
    for _ in range(3):
        sender.acknowledged(8, 200)
    # all that was in flight arrives: a window of 5 packets is open
    assert sender.acknowledged(18, 300) == [18, 19, 20, 21, 22]


def test_a_partial_acknowledgement_repeats_the_next_missing_packet() -> None:
    sender = opened(GREEDY, packets=10)
    for _ in range(3):
        sender.acknowledged(8, 200)
    assert sender.acknowledged(11, 300)[0] == 11


def test_a_timeout_goes_back_to_the_missing_packet_with_a_window_of_one() -> None:
    sender = opened(GREEDY, packets=10)
    assert sender.timeout_at_ms == 1100.0  # 100 ms round trip: the minimum of 1 s rules
    assert sender.time_out(1100) == [8]
    assert sender.timeout_at_ms == 3100.0
    assert sender.acknowledged(9, 1200) == [9, 10]


def test_a_finished_transfer_waits_for_nothing() -> None:
    sender = Sender(replace(GREEDY, transfer_packets=2))
    assert sender.send(0) == [0, 1]
    sender.acknowledged(2, 100)
    assert sender.finished
    assert sender.timeout_at_ms == inf


def test_the_receiver_acknowledges_what_it_misses() -> None:
    receiver = Receiver()
    assert [receiver.receive(number) for number in (0, 2, 3, 1, 1)] == [1, 1, 1, 4, 4]


AF11, AF12 = DropProfile(15, 30, 10), DropProfile(15, 30, 2)


def average() -> AverageQueue:
    return AverageQueue(WredAverage(9), 4.0, Random(1))  # noqa: S311


def test_the_average_closes_in_by_its_weight() -> None:
    queue = average()
    drops = [queue.drops(0.0, 31, AF11) for _ in range(3000)]
    # 31 (1 - (1 - 1/512)^k) reaches 30 at k = 1757: everything is dropped from there on
    assert all(drops[1757:])
    assert not all(drops[1600:1756])


@pytest.mark.parametrize(("profile", "ratio"), [(AF11, 1 / 20), (AF12, 1 / 4)])
def test_half_way_between_the_thresholds_half_of_the_denominators_part_is_dropped(
    profile: DropProfile, ratio: float
) -> None:
    queue = average()
    drops = [queue.drops(0.0, 22 + k % 2, profile) for k in range(40_000)]
    assert sum(drops[10_000:]) / 30_000 == pytest.approx(ratio, rel=0.06)


def test_the_average_decays_while_the_queue_is_idle() -> None:
    queue = average()
    for _ in range(3000):
        queue.drops(0.0, 31, AF11)
    queue.emptied(1000.0)
    # 512 ln(31 / 15) = 372 packet times of 4 ms later the average is below the minimum
    assert queue.drops(1000.0, 0, AF11)
    assert not queue.drops(1000.0 + 375 * 4.0, 0, AF11)


def flow(**changed: object) -> TcpGroup:
    given: dict[str, object] = {"class_name": "tcp", "queue": "default", "tcp_flows": 1}
    given |= {"base_rtt_ms": 100, "ip_packet_bytes": 1500, "receiver_window_packets": 20}
    return TcpGroup(**(given | changed))  # type: ignore[arg-type]


def run(*groups: TcpGroup, queues: tuple[Queue, ...]) -> tuple[ClassSummary, ...]:
    scenario = Scenario("tcp", ScenarioLink(2000, 7), TxRing("packets", 4), "cbwfq", queues, groups)
    return simulate(interface_of(scenario), 6000, 2, seed=1).classes


DEFAULT = DefaultQueue("default", 64, 75)


def test_a_window_that_never_fills_the_link_gives_window_by_round_trip() -> None:
    (result,) = run(flow(receiver_window_packets=8), queues=(DEFAULT,))
    wire_bits, round_trip_s = 8 * 1507 * 8, 0.100 + 1507 * 8 / 2e6
    assert result.throughput_wire_bps.value == pytest.approx(wire_bits / round_trip_s, rel=0.02)
    assert result.loss_ratio is not None
    assert result.loss_ratio.value == 0


@pytest.mark.slow
def test_two_greedy_classes_fill_the_link_in_the_ratio_of_their_percentages() -> None:
    other = SharedQueue("other", 64, 25)
    default, shared = run(
        flow(tcp_flows=4),
        flow(class_name="b", queue="other", tcp_flows=4),
        queues=(DEFAULT, other),
    )
    total_bps = default.throughput_wire_bps.value + shared.throughput_wire_bps.value
    assert total_bps == pytest.approx(2e6, rel=0.01)
    assert default.tcp_share_ratio is not None
    assert default.tcp_share_ratio.value == pytest.approx(0.75, abs=0.02)


def test_delayed_acknowledgements_are_refused() -> None:
    with pytest.raises(SimulationError, match="delayed_ack is not simulated"):
        run(flow(delayed_ack=True), queues=(DEFAULT,))
