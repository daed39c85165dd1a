"""The interval of a class covers the inputs that are printed with it."""

import pytest
from msgspec.structs import replace

from advisor.ground.quantity import Figure, Input
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.outlet.ring import RingType
from advisor.predict.classes import Question, demand_of
from advisor.predict.classes.corners import corners
from advisor.predict.classes.figures import SolvedClass, UnstatedClass
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


QFP = "16.9\nlicense udi pid ISR4331/K9 sn FDO00000000"
TUNNEL = """\
version {version}
hostname r1
policy-map CHILD
 class VOICE
  priority percent 20
 class DATA
  bandwidth percent 30
 class class-default
policy-map WAN
 class class-default
  shape average {kbps}000
  service-policy CHILD
interface Tunnel1
 tunnel source GigabitEthernet0/1
 tunnel destination 203.0.113.1
 service-policy output WAN
interface GigabitEthernet0/1
 ip address 192.0.2.1 255.255.255.0
 speed 100
"""
BESIDE = 1.03  # a sampled run is short


def through_tunnel(version: str, kbps: int, *traffic: Traffic) -> Question:
    device = device_read(TUNNEL.format(version=version, kbps=kbps), Settings(traffic=traffic))
    (outlet,) = outlets(device)
    return Question(outlet, offers_of(outlet, device.traffic), device.platform)


def counting(asked: Question, counted_bytes: int) -> Question:
    """The question whose shaper is known to count so many bytes beside IP."""
    framing = asked.outlet.encapsulation
    assert framing is not None
    low, high = (replace(end, counted_bytes=counted_bytes) for end in (framing.low, framing.high))
    known = replace(framing, low=low, high=high, counted_bytes=counted_bytes)
    return replace(asked, outlet=replace(asked.outlet, encapsulation=known))


def figures(asked: Question) -> dict[tuple[str, str], Figure]:
    said = solved(asked)
    assert isinstance(said, SolvedOutlet)
    found: list[SolvedClass | UnstatedClass] = [*said.classes, *said.unstated]
    of_classes = {
        (known.name, each): getattr(known, each)
        for known in found
        for each in known.__struct_fields__
    }
    return {key: figure for key, figure in of_classes.items() if isinstance(figure, Figure)}


@pytest.mark.parametrize("version", ["15.1", QFP])
@pytest.mark.parametrize("kbps", [4000, 40_000])
@pytest.mark.parametrize(
    "traffic",
    [
        pytest.param((), id="nothing is stated"),
        pytest.param((stated("DATA", 1000, None, "saturated"),), id="a class is saturated"),
        pytest.param((stated("VOICE", 60, 500, "periodic"),), id="10 calls"),
    ],
)
def test_figures_at_any_bytes_that_a_shaper_may_count_are_in_the_interval(
    version: str, kbps: int, traffic: tuple[Traffic, ...]
) -> None:
    asked = through_tunnel(version, kbps, *traffic)
    framing = asked.outlet.encapsulation
    assert framing is not None
    whole = figures(asked)
    least, most = framing.low.counted_bytes, framing.high.counted_bytes
    assert least is not None
    assert most is not None
    assert least < most

    for counted_bytes in (least, asked.outlet.counted_bytes, most):
        known = figures(counting(asked, counted_bytes))
        for key, figure in known.items():
            if key not in whole:
                continue  # a loss that depends on the bytes is not told
            assert whole[key].low <= figure.value * BESIDE, (key, counted_bytes)
            assert figure.value <= whole[key].high * BESIDE, (key, counted_bytes)


@pytest.mark.parametrize("version", ["15.1", QFP])
def test_the_value_is_of_the_bytes_that_calls_are_counted_with(version: str) -> None:
    asked = through_tunnel(version, 40_000)
    whole, known = figures(asked), figures(counting(asked, asked.outlet.counted_bytes))

    # a loss that depends on the bytes is not told
    assert {key: figure.value for key, figure in whole.items()} == pytest.approx(
        {key: figure.value for key, figure in known.items() if key in whole}, rel=0.01
    )
