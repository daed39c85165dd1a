"""A policy of a multilink bundle: all members together serve its queues."""

import pytest

from advisor.model import Interface
from advisor.outlet.offer import offers_of
from advisor.outlet.outlet import Outlet
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question, demand_of, of_bundle
from advisor.predict.classes.corners import corners
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.predict.what_if.prediction import ClassPrediction, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import PacketShare, Settings, Traffic
from advisor.theory.regimes import words_of
from advisor.theory.solution import Regime
from tests.support.devices import device_read

POLICY = """\
version 15.1
policy-map WAN
 class VOICE
  priority 96
 class class-default
interface Multilink1
 ppp multilink
 ppp multilink group 1
 service-policy output WAN
"""
MEMBER = """\
interface Serial0/{place}
 clock rate {rate_bps}
 encapsulation ppp
 ppp multilink
 ppp multilink group 1
 tx-ring-limit 4
"""


def stated(interface: str, class_name: str, ip_bytes: int, per_s: float) -> Traffic:
    sizes = (PacketShare(ip_bytes, 1.0),)
    return Traffic("*", interface, class_name, sizes, per_s, 1, "poisson", "test")


def questions(*rates_bps: int, interface: str = "Multilink1") -> tuple[Question, ...]:
    members = "".join(
        MEMBER.format(place=place, rate_bps=rate_bps) for place, rate_bps in enumerate(rates_bps)
    )
    traffic = (
        stated(interface, "VOICE", 60, 40),
        stated(interface, "class-default", 1000, 30),
    )
    device = device_read(POLICY + members, Settings(traffic=traffic), file="r1.cfg")
    return tuple(
        Question(outlet, offers_of(outlet, device.traffic), device.platform)
        for outlet in outlets(device)
    )


def interface_of(question: Question) -> Interface:
    whole = of_bundle(question)
    return corners(whole, demand_of(whole))[0].interface


def rates_of(interface: Interface) -> dict[str, float]:
    return {
        traffic.queue: traffic.arrival.packets_per_s * traffic.streams  # type: ignore[union-attr]
        for traffic in interface.traffic
    }


def answer(question: Question) -> SolvedOutlet:
    said = solved(question)
    assert isinstance(said, SolvedOutlet)
    return said


def test_every_member_has_a_ring_of_its_own_and_the_queues_are_shared() -> None:
    first, second = map(interface_of, questions(512_000, 256_000))
    assert first == second
    assert list(first.members_bps) == [512_000, 256_000]
    assert first.rate_bps == 768_000


@pytest.mark.parametrize(
    ("interface", "rates"),
    [
        pytest.param("Multilink1", {"VOICE": 40, "class-default": 30}, id="of the bundle"),
        pytest.param("Serial0/*", {"VOICE": 80, "class-default": 60}, id="of each member"),
    ],
)
def test_the_bundle_carries_what_is_stated(interface: str, rates: dict[str, float]) -> None:
    for question in questions(512_000, 256_000, interface=interface):
        assert rates_of(interface_of(question)) == pytest.approx(rates)


def test_a_policer_keeps_its_whole_rate() -> None:
    interface = interface_of(questions(512_000, 256_000)[0])
    policer = next(queue.priority_policer for queue in interface.queues if queue.name == "VOICE")
    assert policer is not None
    assert policer.rate_bps == 96_000


def test_the_figures_are_of_the_bundle_whichever_member_is_asked() -> None:
    first, second = map(answer, questions(512_000, 128_000))
    assert [each.mean for each in first.classes] == [each.mean for each in second.classes]
    assert {each.regime for each in first.classes} == {words_of(Regime.BUNDLE)}


def test_a_slow_member_is_not_offered_half_of_the_traffic() -> None:
    """Half of 240 kb/s would be nearly all of 128 kb/s: the queue would wait for seconds."""
    default = next(
        each for each in answer(questions(512_000, 128_000)[1]).classes if not each.is_priority
    )
    assert default.mean.value < 100


def test_a_bundle_of_one_member_is_one_wire() -> None:
    (question,) = questions(512_000)
    assert of_bundle(question) == question
    assert interface_of(question).members_bps == ()


def test_a_member_without_a_known_rate_leaves_the_bundle_to_its_parts() -> None:
    without = (
        POLICY
        + MEMBER.format(place=0, rate_bps=512_000)
        + MEMBER.format(place=1, rate_bps=0).replace(" clock rate 0\n", "")
    )
    outlet: Outlet = outlets(device_read(without, Settings(), file="r1.cfg"))[0]
    assert outlet.members_bps == ()


@pytest.mark.parametrize("rates_bps", [(256_000,), (256_000, 256_000), (128_000, 256_000, 384_000)])
def test_a_member_carries_its_part_of_what_its_bundle_does(rates_bps: tuple[int, ...]) -> None:
    members = "".join(
        MEMBER.format(place=place, rate_bps=rate_bps) for place, rate_bps in enumerate(rates_bps)
    )
    settings = Settings(
        traffic=(
            stated("Multilink1", "VOICE", 60, 40),
            stated("Multilink1", "class-default", 1000, 15),
        )
    )
    device = device_read(POLICY + members, settings, file="r1.cfg")
    found = [
        each
        for each in predict_device(device, "r1.cfg", settings, None, ())
        if isinstance(each, ClassPrediction)
    ]

    assert len(found) == 2 * len(rates_bps)
    for each in found:  # nothing is lost: what comes is carried, with FCS and flags on the wire
        assert each.offered is not None
        assert each.throughput is not None
        assert each.offered.value <= each.throughput.high <= 1.3 * each.offered.value


def test_the_share_of_a_member_is_a_part_of_that_of_its_bundle() -> None:
    one, two = (
        sum(
            each.share.value
            for each in predict_device(
                device_read(POLICY + "".join(members), file="r1.cfg"),
                "r1.cfg",
                Settings(),
                None,
                (),
            )
            if isinstance(each, UnstatedPrediction)
        )
        for members in (
            [MEMBER.format(place=0, rate_bps=512_000)],
            [MEMBER.format(place=place, rate_bps=256_000) for place in (0, 1)],
        )
    )

    assert two == pytest.approx(one, rel=0.02)
