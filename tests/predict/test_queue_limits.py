"""Queue-limits, shapers and priority levels of an output: what is converted, and what is said."""

import pytest

from advisor.ground.quantity import Basis, Input
from advisor.model import Framing, Queue, Saturated
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question, demand_of
from advisor.predict.classes.corners import corners
from advisor.predict.classes.figures import SolvedClass, UnstatedClass
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

EDGE = """\
version 15.1
hostname EDGE
policy-map WAN
 class VOICE
  priority 96
 class DATA
  {of_data}
 class class-default
interface Serial0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
"""
SIZED = Traffic(
    "*", "*", "DATA", (PacketShare(500, 1.0),), None, 1, "saturated", "test"
)  # fmt: skip


def question(config: str, *traffic: Traffic) -> Question:
    device = device_read(config, Settings(traffic=traffic), file="r1.cfg")
    (outlet,) = outlets(device)
    return Question(outlet, offers_of(outlet, device.traffic), device.platform)


def answer(config: str, *traffic: Traffic) -> SolvedOutlet:
    said = solved(question(config, *traffic))
    assert isinstance(said, SolvedOutlet)
    return said


def given(said: SolvedOutlet, name: str) -> Input:
    return next(each for each in said.inputs if each.name == name)


@pytest.mark.parametrize(
    ("limit", "packets"),
    [
        pytest.param("queue-limit 40", (40, 40, 40), id="packets are packets"),
        # 30000 / 1500 (as in the value), / 340
        pytest.param("queue-limit 30000 bytes", (20, 20, 88), id="bytes hold fewer full packets"),
        # 128 kb/s for 1000 ms are 16000 bytes
        pytest.param("queue-limit 1000 ms", (10, 10, 47), id="time is of the guarantee"),
        pytest.param("queue-limit 100 bytes", (1, 1, 1), id="there is room for a packet"),
    ],
)
def test_a_queue_limit_is_of_mean_packets(limit: str, packets: tuple[float, float, float]) -> None:
    said = given(
        answer(EDGE.format(of_data=f"bandwidth 128\n  {limit}")), "queue_limit_packets of DATA"
    )

    assert (said.low, said.value, said.high) == packets
    assert said.basis is Basis.CONFIGURED


def test_known_packets_make_a_queue_limit_of_bytes_exact() -> None:
    config = EDGE.format(of_data="bandwidth 128\n  queue-limit 30000 bytes")
    said = given(answer(config, SIZED), "queue_limit_packets of DATA")

    assert (said.low, said.value, said.high) == (60, 60, 60)


def test_the_queue_of_bytes_is_what_is_solved() -> None:
    asked = question(EDGE.format(of_data="bandwidth 128\n  queue-limit 30000 bytes"))
    kept = {
        traffic.arrival.backlog_packets
        for corner in corners(asked, demand_of(asked))
        for traffic in corner.interface.traffic
        if traffic.queue == "DATA" and isinstance(traffic.arrival, Saturated)
    }

    assert kept == {20, 88}


def test_time_at_a_rate_that_is_not_known_is_not_converted() -> None:
    config = EDGE.format(of_data="bandwidth remaining percent 20\n  queue-limit 50 ms")
    said = given(answer(config.replace("priority 96", "priority")), "queue_limit_packets of DATA")

    assert (said.value, said.basis) == (64, Basis.ASSUMED)
    assert "the rate of the class is not known" in said.source


def weak_of(said: SolvedOutlet, name: str) -> tuple[str, ...]:
    known: list[SolvedClass | UnstatedClass] = [*said.classes, *said.unstated]
    return next(each.weak for each in known if each.name == name)


def queue_of(config: str, name: str) -> Queue:
    asked = question(config)
    interface = corners(asked, demand_of(asked))[0].interface
    return next(queue for queue in interface.queues if queue.name == name)


def test_a_shaper_of_a_class_is_a_shaper_of_its_queue() -> None:
    queue = queue_of(EDGE.format(of_data="bandwidth 128\n  shape average 200000"), "DATA")

    assert queue.shaper is not None
    assert (queue.shaper.rate_bps, queue.shaper.framing) == (200_000, Framing(4))


@pytest.mark.parametrize(("exceed", "meters"), [("drop", True), ("set-dscp-transmit 0", False)])
def test_a_police_that_drops_meters_its_class_always(exceed: str, meters: bool) -> None:
    line = f"police 64000 8000 8000 conform-action transmit exceed-action {exceed}"
    queue = queue_of(EDGE.format(of_data=f"bandwidth 128\n  {line}"), "DATA")

    assert (queue.class_policer is not None) is meters


@pytest.mark.parametrize("level", [1, 2])
def test_a_priority_level_is_the_level_of_its_queue(level: int) -> None:
    config = EDGE.replace("priority 96", "priority level 1")
    queue = queue_of(config.format(of_data=f"priority level {level}"), "DATA")

    assert queue.level == level


POLICED = EDGE.replace(
    "priority 96", "priority level 1\n  police cir 96000 bc 2000 conform-action transmit"
)


def test_a_priority_class_without_a_rate_has_that_of_its_police() -> None:
    outlet = question(POLICED.format(of_data="bandwidth 128")).outlet
    (voice,) = outlet.llq_classes

    assert outlet.priority_bps(voice) is None
    assert outlet.llq_rate_bps(voice) == 96_000


def test_its_calls_are_those_that_its_police_admits() -> None:
    stated, policed = (
        next(
            each
            for each in answer(config.format(of_data="bandwidth 128")).inputs
            if each.name == "offered_kbps of VOICE"
        )
        for config in (EDGE, POLICED)
    )

    assert policed.high == stated.high


FRTS = """\
version 12.4
hostname FR
policy-map WAN
 class VOICE
  priority 96
map-class frame-relay FRTS
 frame-relay cir 256000
 frame-relay mincir 256000
{bc} service-policy output WAN
interface Serial0/0
 bandwidth 768
 encapsulation frame-relay
 frame-relay traffic-shaping
interface Serial0/0.1 point-to-point
 frame-relay interface-dlci 100
  class FRTS
"""


@pytest.mark.parametrize(
    ("bc", "tc_ms", "basis"),
    [
        pytest.param("", 125, Basis.DEFAULT, id="by default an eighth of a second"),
        pytest.param(" frame-relay bc 2560\n", 10, Basis.CONFIGURED, id="Bc over the CIR"),
        pytest.param(" frame-relay bc out 2560\n", 10, Basis.CONFIGURED, id="Bc of the way out"),
        pytest.param(" frame-relay bc in 2560\n", 125, Basis.DEFAULT, id="not that of the way in"),
    ],
)
def test_the_interval_of_frame_relay_traffic_shaping(bc: str, tc_ms: float, basis: Basis) -> None:
    said = given(answer(FRTS.format(bc=bc)), "tc_ms")

    assert (said.value, said.basis) == (tc_ms, basis)


@pytest.mark.parametrize(
    ("of_data", "packets", "in_force", "words"),
    [
        pytest.param(
            "bandwidth 128\n  random-detect",
            40,
            1000,
            "the highest maximum threshold: WRED drops every packet there",
            id="WRED by default",
        ),
        pytest.param(
            "bandwidth 128\n  random-detect\n  random-detect precedence 5 20 100 10",
            100,
            1000,
            "the highest maximum threshold: WRED drops every packet there",
            id="WRED with a row of its own",
        ),
        pytest.param(
            "bandwidth 128\n  queue-limit 4000",
            2048,
            4000,
            "a longer queue is solved as one of 2048",
            id="longer than is solved",
        ),
    ],
)
def test_the_queue_limit_that_is_solved_is_printed_beside_the_one_in_force(
    of_data: str, packets: int, in_force: int, words: str
) -> None:
    config = EDGE.replace("15.1", "12.4").format(of_data=of_data)
    asked = question(config, SIZED)
    (used,) = {
        queue.limit_packets
        for corner in corners(asked, demand_of(asked))
        for queue in corner.interface.queues
        if queue.name == "DATA"
    }

    said = answer(config, SIZED)
    solved_limit = given(said, "solved_limit_packets of DATA")

    assert (solved_limit.value, used) == (packets, packets)
    assert solved_limit.source == words
    assert given(said, "queue_limit_packets of DATA").value == in_force
