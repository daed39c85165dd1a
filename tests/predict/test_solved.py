"""Every class of an output, from its config: what must hold of the figures."""

import math
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from advisor.ground.quantity import Basis, Figure, Unknown
from advisor.model import Refill, Saturated
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question, demand_of
from advisor.predict.classes.congested import breakdown
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
  bandwidth 128
 class class-default
interface Serial0/0
 bandwidth 512
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output WAN
"""


def stated(
    class_name: str, ip_bytes: int, per_s: float | None, arrivals: str = "poisson"
) -> Traffic:
    sizes = (PacketShare(ip_bytes, 1.0),)
    return Traffic("*", "*", class_name, sizes, per_s, 1, arrivals, "test")


CALL = stated("VOICE", 60, 50, "periodic")
NO_DATA = stated("DATA", 1000, 0)


def question(config: str, *traffic: Traffic, load_percent: float | None = None) -> Question:
    device = device_read(config, Settings(traffic=traffic), file="r1.cfg")
    (outlet,) = outlets(device)
    return Question(outlet, offers_of(outlet, device.traffic), device.platform, load_percent)


def answer(config: str, *traffic: Traffic, load_percent: float | None = None) -> SolvedOutlet:
    said = solved(question(config, *traffic, load_percent=load_percent))
    assert isinstance(said, SolvedOutlet)
    return said


def class_of(said: SolvedOutlet, name: str) -> SolvedClass:
    return next(each for each in said.classes if each.name == name)


def unstated_of(said: SolvedOutlet, name: str) -> UnstatedClass:
    return next(each for each in said.unstated if each.name == name)


def figures(of: SolvedClass) -> Iterator[Figure]:
    yield from (of.mean, of.p50, of.p95, of.p99, of.jitter)
    yield from (each for each in (of.loss, of.throughput) if each is not None)


TRAFFIC = [
    pytest.param((), id="nothing is known of the traffic"),
    pytest.param((CALL,), id="a call is stated"),
    pytest.param((CALL, NO_DATA, stated("class-default", 1000, 30)), id="below saturation"),
    pytest.param((CALL, NO_DATA, stated("class-default", 1000, 99)), id="above saturation"),
    pytest.param(
        (CALL, NO_DATA, stated("class-default", 1000, None, "saturated")), id="never empty"
    ),
    pytest.param((CALL, NO_DATA, stated("class-default", 1000, 0)), id="the call alone"),
]


@pytest.mark.parametrize("traffic", TRAFFIC)
def test_every_figure_lies_in_its_interval_under_its_bound(traffic: tuple[Traffic, ...]) -> None:
    for each in answer(EDGE, *traffic).classes:
        assert all(math.isfinite(f.value) and f.low <= f.value <= f.high for f in figures(each))
        assert each.p50.value <= each.p95.value <= each.p99.value
        if each.mean.bound is not None:
            assert max(each.mean.high, each.p99.high) <= each.mean.bound


def test_where_nothing_is_known_only_the_llq_has_a_delay() -> None:
    said = answer(EDGE)

    assert [each.name for each in said.classes] == ["VOICE"]
    assert [each.name for each in said.unstated] == ["DATA", "class-default"]
    assert not said.silent


def test_an_llq_without_known_traffic_is_predicted_at_its_reserved_rate() -> None:
    calls = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 187.5, 3, "periodic", "test")
    assumed, known = (class_of(answer(EDGE, *of), "VOICE").mean for of in ((), (calls,)))

    assert assumed.value == pytest.approx(known.value, rel=0.02)
    assert assumed.high > known.high


def test_a_class_without_known_traffic_says_what_is_to_be_stated() -> None:
    said = unstated_of(answer(EDGE), "DATA")

    assert said.delay.reason.endswith("state it in [[traffic]]")


def test_sizes_without_a_rate_are_not_enough_for_a_delay() -> None:
    said = unstated_of(answer(EDGE, stated("DATA", 1000, None)), "DATA")

    assert "states no rate" in said.delay.reason


def test_the_shares_of_classes_without_known_traffic_leave_the_line_to_the_llq() -> None:
    said = answer(EDGE, CALL)
    lower = sum(each.share_percent.value for each in said.unstated)

    assert lower == pytest.approx(100 * (1 - 50 * 67.5 * 8 / 512_000), rel=0.01)


def test_a_share_is_of_the_wire() -> None:
    share = unstated_of(answer(EDGE, CALL), "DATA")

    assert share.share_percent.value == pytest.approx(100 * share.share.value / 512)


def test_the_unknown_background_lies_between_imix_and_the_mtu() -> None:
    background = next(
        each for each in answer(EDGE).inputs if each.name == "background_mean_ip_bytes"
    )

    assert (background.low, background.high, background.basis) == (340, 1500, Basis.ASSUMED)


def test_a_class_beside_a_stated_one_stays_unknown() -> None:
    said = answer(EDGE, CALL, stated("class-default", 1000, 30))

    assert [each.name for each in said.classes] == ["VOICE", "class-default"]
    assert [each.name for each in said.unstated] == ["DATA"]
    assert any(each.basis is Basis.ASSUMED for each in said.inputs)


def test_guarantees_first_and_the_rest_to_class_default() -> None:
    said = answer(EDGE, CALL)
    data, default = unstated_of(said, "DATA").share, unstated_of(said, "class-default").share

    call_kbps = 8 * (60 + 9) * 50 / 1000  # with the header and flags of PPP
    assert data.value == pytest.approx(128, rel=0.05)
    assert default.value == pytest.approx(512 - call_kbps - 128, rel=0.05)


def test_without_a_version_the_interval_covers_equal_parts_of_the_excess_too() -> None:
    known, unknown = (
        unstated_of(answer(config, CALL), "DATA").share
        for config in (EDGE, EDGE.replace("version 15.1\n", ""))
    )

    assert unknown.high > known.high * 1.5


def test_below_saturation_the_interval_is_far_narrower_than_up_to_a_full_ring() -> None:
    mean = class_of(answer(EDGE, CALL, NO_DATA, stated("class-default", 1000, 30)), "VOICE").mean

    assert mean.high - mean.low < mean.value


def test_a_class_offered_more_than_its_share_loses_the_rest() -> None:
    said = answer(EDGE, CALL, NO_DATA, stated("class-default", 1000, 99))
    default = class_of(said, "class-default")

    assert default.loss is not None
    assert default.throughput is not None
    assert default.loss.value == pytest.approx(
        100 * (1 - default.throughput.value / (99 * 1007.5 * 8 / 1000)), abs=1
    )


def test_a_queue_that_never_empties_has_no_loss_and_goes_from_one_packet_to_a_full_queue() -> None:
    default = class_of(
        answer(EDGE, CALL, stated("class-default", 1000, None, "saturated")), "class-default"
    )

    assert default.never_empty
    assert default.loss is None
    assert default.mean.high > 20 * default.mean.low


def test_calls_over_the_priority_rate_are_dropped() -> None:
    many = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 400, 8, "periodic", "test")
    loss = class_of(answer(EDGE, many), "VOICE").loss

    assert loss is not None
    assert loss.value == pytest.approx(100 * (1 - 96 / (400 * 64 * 8 / 1000)), abs=2)


def test_calls_of_exactly_the_priority_rate_pass_though_ios_counts_no_flags() -> None:
    calls = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 150, 3, "periodic", "test")
    config = EDGE.replace("priority 96", "priority 77")
    loss = class_of(answer(config, calls), "VOICE").loss

    assert loss is not None
    assert loss.high == 0


@pytest.mark.parametrize("load_percent", [20, 60, 90], ids=lambda load: f"load {load} %")
def test_load_is_what_the_lower_classes_put_on_the_wire(load_percent: float) -> None:
    said = answer(EDGE, CALL, load_percent=load_percent)
    rates = [each.throughput for each in said.classes if each.name != "VOICE"]

    assert sum(rate.value for rate in rates if rate) == pytest.approx(5.12 * load_percent, rel=0.02)


def test_more_load_is_more_delay() -> None:
    means = [
        class_of(answer(EDGE, CALL, load_percent=load), "VOICE").mean.value
        for load in (20, 50, 80, 110)
    ]

    assert means == sorted(means)


def test_parts_of_the_delay_add_up_to_it() -> None:
    asked = question(EDGE, CALL)
    said = solved(asked)
    assert isinstance(said, SolvedOutlet)

    parts = breakdown(asked, said)

    assert [each.name for each in parts] == ["ring", "own queue", "serialization"]
    assert sum(each.ms for each in parts) == pytest.approx(class_of(said, "VOICE").mean.value)


def test_without_background_the_ring_has_no_part_of_the_delay() -> None:
    asked = question(EDGE, CALL, NO_DATA, stated("class-default", 1000, 0))
    said = solved(asked)
    assert isinstance(said, SolvedOutlet)

    ring = breakdown(asked, said)[0]

    assert (ring.name, ring.ms) == ("ring", 0)


SHAPED = """\
version 15.1
hostname EDGE
policy-map CHILD
 class VOICE
  priority 96
policy-map SHAPE
 class class-default
  shape average 512000
  service-policy CHILD
interface FastEthernet0/0
 service-policy output SHAPE
"""


def test_behind_a_shaper_the_queue_is_the_shapers() -> None:
    asked = question(SHAPED, CALL)
    said = solved(asked)
    assert isinstance(said, SolvedOutlet)

    assert [each.name for each in breakdown(asked, said)] == ["shaper", "serialization"]
    assert "tc_ms" in [each.name for each in said.inputs]


def test_the_interval_on_qfp_holds_a_shaper_with_steps_and_one_without() -> None:
    config = "version 16.9\nlicense udi pid ISR4331/K9 sn F1\n" + SHAPED.partition("\n")[2].replace(
        "FastEthernet0/0", "GigabitEthernet0/0/0"
    )
    said = solved(question(config, CALL))
    assert isinstance(said, SolvedOutlet)

    refills = {(each.interface.shaper.refill, each.counts) for each in said.corners
               if each.interface.shaper is not None}  # fmt: skip
    voice = said.classes[0]
    refilled = (Refill.SMOOTH, Refill.PER_INTERVAL)  # small packets below only widen the interval
    assert refills == {(each, counts) for each in refilled for counts in (True, False)}
    (step,) = [each for each in said.inputs if each.name == "token_step_ms"]
    assert (step.low, step.high, step.basis) == (0.0, 4.0, Basis.ASSUMED)
    assert step.value == step.high / 2
    ends_ms = (voice.mean.low, voice.mean.high)
    assert ends_ms[0] + 1 < voice.mean.value < ends_ms[1]


def test_small_packets_pass_a_shaper_that_does_not_count_preamble_and_gap() -> None:
    config = SHAPED.replace("512000", "2000000")
    default = class_of(
        answer(config, stated("VOICE", 60, 0), stated("class-default", 100, 2125)), "class-default"
    )

    assert default.loss is not None
    assert default.loss.value < 1
    assert default.throughput is not None
    assert default.throughput.value == pytest.approx(2125 * 138 * 8 / 1000, rel=0.01)


def test_the_load_of_a_shaped_line_is_that_of_the_shaper() -> None:
    default = class_of(
        answer(SHAPED, CALL, stated("class-default", 986, 1), load_percent=50), "class-default"
    )

    assert default.throughput is not None
    assert default.throughput.value == pytest.approx(256 * 1024 / 1000, rel=0.02)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        pytest.param(" clock rate 512000\n", "", "", id="bandwidth stands for the clock"),
        pytest.param(" encapsulation ppp\n", " encapsulation x25\n", "encapsulation", id="X.25"),
    ],
)
def test_what_is_not_known_of_the_wire_is_said(old: str, new: str, why: str) -> None:
    said = solved(question(EDGE.replace(old, new)))

    assert why in said.reason if isinstance(said, Unknown) else not why


def test_measured_rates_widen_up_to_bursts() -> None:
    asked = question(EDGE, CALL, NO_DATA, stated("class-default", 1000, 20))
    measured = tuple(
        each if each.is_llq else replace(each, basis=Basis.MEASURED) for each in asked.offers
    )
    asked = Question(asked.outlet, measured, asked.platform)
    found = corners(asked, demand_of(asked))

    assert [each.counts for each in found] == [True, False, False]
    assert any(isinstance(each.arrival, Saturated) for each in found[-1].interface.traffic)


def test_no_delay_is_shorter_than_the_transmission_of_the_packet() -> None:
    config = SHAPED.replace("512000", "10000000").replace("priority 96", "priority 3000")
    voice = class_of(answer(config), "VOICE")

    assert min(voice.mean.low, voice.p50.low, voice.p95.low) >= voice.least_ms
