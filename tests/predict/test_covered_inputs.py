"""The interval of a class covers the inputs that are printed with it."""

import pytest
from msgspec.structs import replace

from advisor.ground.quantity import Input
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingType
from advisor.predict.classes import Question, demand_of
from advisor.predict.classes.corners import corners
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

EDGE = """\
version 15.1
policy-map WAN
 class VOICE
  priority {priority}
 class BULK
  bandwidth 100
 class class-default
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
"""
_FRAMED_BYTES, _COUNTED_BYTES = (67, 68), 64  # of a packet of 60 bytes: the wire, the policer


def stated(class_name: str, ip_bytes: int, per_s: float | None, arrivals: str) -> Traffic:
    sizes = (PacketShare(ip_bytes, 1.0),)
    return Traffic("*", "*", class_name, sizes, per_s, 1, arrivals, "test")


LOWER = (
    stated("BULK", 1000, None, "saturated"),
    stated("class-default", 1000, None, "saturated"),
)


def question(priority: int, *traffic: Traffic) -> Question:
    device = device_read(EDGE.format(priority=priority), Settings(traffic=traffic), file="r1.cfg")
    (outlet,) = outlets(device)
    return Question(outlet, offers_of(outlet, device.traffic), device.platform)


def answer(asked: Question) -> tuple[dict[str, SolvedClass], dict[str, Input]]:
    said = solved(asked)
    assert isinstance(said, SolvedOutlet)
    classes = {solved_class.name: solved_class for solved_class in said.classes}
    return classes, {known.name: known for known in said.inputs}


@pytest.mark.parametrize("priority", [24, 64, 300], ids=lambda kbps: f"priority {kbps}")
def test_the_lower_classes_get_what_an_llq_of_unknown_rate_leaves(priority: int) -> None:
    classes, inputs = answer(question(priority, *LOWER))
    offered = inputs["offered_kbps of VOICE"]
    lower = [classes[name].throughput for name in ("BULK", "class-default")]
    left_kbps = sum(figure.low for figure in lower if figure is not None)  # some are sampled

    assert (offered.low, offered.high) == (0, priority)
    assert left_kbps == pytest.approx(
        512 - priority * max(_FRAMED_BYTES) / _COUNTED_BYTES, rel=0.04
    )


def test_a_line_slower_than_the_priority_carries_whole_calls() -> None:
    _, inputs = answer(question(600, *LOWER))

    assert inputs["offered_kbps of VOICE"].high == pytest.approx(19 * _COUNTED_BYTES * 8 / 20)


def test_the_least_and_most_work_of_lower_classes_are_kept_beside_the_waits_of_the_llq() -> None:
    # With 7 bytes of layer 2 a packet takes one particle of 512 bytes, with 8 it takes two.
    particles = tuple(RingType("particles", size, 0, 1) for size in (512, 576))
    asked = question(
        64,
        stated("VOICE", 60, 50, "periodic"),
        stated("BULK", 505, 40, "poisson"),
        stated("class-default", 505, 40, "poisson"),
    )
    assert asked.outlet.ring is not None
    ring = replace(asked.outlet.ring, types=particles)
    asked = replace(asked, outlet=replace(asked.outlet, ring=ring))

    kept = corners(asked, demand_of(asked))

    assert {(corner.interface.framing.overhead_bytes, corner.counts) for corner in kept} == {
        (8, True),
        (7, False),
    }
