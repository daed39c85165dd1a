"""Lower classes behind a `police` that drops: they send what their policers pass, and no more."""

import pytest

from advisor.ground.quantity import LowerLoad
from advisor.lint.checks import CHECKS
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from advisor.predict.classes.figures import SolvedClass
from advisor.predict.classes.solved import SolvedOutlet, solved
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read
from tests.support.verdicts import hit_of

TX_RING_TOO_DEEP_FOR_LLQ = CHECKS["tx-ring-too-deep-for-llq"]

EDGE = """\
!Chassis type: 2811
version 12.4
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map WAN
 class VOICE
  priority {voice}
 class DATA
  bandwidth 200
{data} class class-default
{default}interface Serial0/0/0
 bandwidth 1000
 encapsulation ppp
 clock rate 1000000
 tx-ring-limit 5
 service-policy output WAN
"""
DROPS = "  police {} conform-action transmit exceed-action drop\n"
MARKS = "  police {} conform-action transmit exceed-action set-dscp-transmit 0\n"
POLICED = (DROPS.format(300_000), DROPS.format(200_000))
ALWAYS = Traffic("*", "*", "class-default", (PacketShare(1000, 1.0),), None, 1, "saturated", "test")


def edge(data: str, default: str, voice: int = 100) -> str:
    return EDGE.format(data=data, default=default, voice=voice)


def answer(config: str, *traffic: Traffic) -> SolvedOutlet:
    device = device_read(config, Settings(traffic=traffic), file="r1.cfg")
    outlet = outlets(device)[0]
    said = solved(Question(outlet, offers_of(outlet, device.traffic), device.platform))
    assert isinstance(said, SolvedOutlet)
    return said


def case_of(config: str, *traffic: Traffic) -> CongestedCase:
    device = device_read(config, Settings(traffic=traffic), file="r1.cfg")
    (case,) = solved_cases([congested(device, outlets(device)[0])])
    assert isinstance(case, CongestedCase)
    return case


def llq_of(case: CongestedCase) -> SolvedClass:
    first = case.solved.first_priority
    assert first is not None
    return first


@pytest.mark.parametrize(
    ("data", "default", "kbps"),
    [
        pytest.param(*POLICED, {"DATA": 300, "class-default": 200}, id="both"),
        pytest.param("", POLICED[1], {"class-default": 200}, id="one, the other takes the rest"),
    ],
)
def test_the_share_of_a_policed_class_is_what_its_policer_passes(
    data: str, default: str, kbps: dict[str, float]
) -> None:
    shares = {each.name: each.share for each in answer(edge(data, default)).unstated}

    for name, rate_kbps in kbps.items():
        assert shares[name].value == pytest.approx(rate_kbps, rel=0.02)
    assert sum(share.value for share in shares.values()) <= 1000


@pytest.mark.parametrize(
    ("config", "lower"),
    [
        pytest.param(edge(*POLICED), LowerLoad.POLICED, id="policers pass less than the line"),
        pytest.param(edge(*POLICED, voice=700), LowerLoad.SATURATED, id="more, with the LLQ"),
        pytest.param(edge("", POLICED[1]), LowerLoad.SATURATED, id="one class is not policed"),
        pytest.param(
            edge(MARKS.format(300_000), MARKS.format(200_000)),
            LowerLoad.SATURATED,
            id="policers that mark",
        ),
        pytest.param(
            edge(DROPS.format(300_000), DROPS.format(1_200_000)),
            LowerLoad.SATURATED,
            id="a policer above the line",
        ),
    ],
)
def test_lower_classes_saturate_a_line_that_their_policers_let_them_fill(
    config: str, lower: LowerLoad
) -> None:
    assert case_of(config).lower is lower


def test_an_llq_hardly_waits_for_policed_classes_that_do_not_fill_the_line() -> None:
    policed, full = llq_of(case_of(edge(*POLICED))), llq_of(case_of(edge("", "")))

    assert policed.mean.high < full.mean.value / 2


def test_bursts_that_policers_pass_are_in_the_bounds() -> None:
    alone = edge("", POLICED[1]).replace(" class DATA\n  bandwidth 200\n", "")
    case = case_of(alone, ALWAYS)
    own = next(each for each in case.solved.classes if each.name == "class-default")

    assert case.ring_bound is not None
    assert (llq_of(case).mean.bound or 0) >= case.ring_bound.high_ms
    assert (own.mean.bound or 0) > 6250 * 8 / 1000  # the burst of 250 ms, on the wire
    assert own.mean.high > own.mean.value


def test_a_policed_class_that_always_sends_carries_the_policed_rate() -> None:
    found = answer(edge(*POLICED), ALWAYS)
    own = next(each for each in found.classes if each.name == "class-default")

    assert own.throughput is not None
    assert own.throughput.value == pytest.approx(200, rel=0.02)
    assert not own.never_empty


def test_a_deep_ring_that_only_bursts_could_fill_is_information() -> None:
    params = TX_RING_TOO_DEEP_FOR_LLQ.params(25.0)
    hits = [
        hit_of(TX_RING_TOO_DEEP_FOR_LLQ.find(device_read(config, file="r1.cfg"), params))
        for config in (edge(*POLICED), edge("", ""))
    ]

    assert [(hit.severity, hit.confidence) for hit in hits] == [
        (Severity.INFO, Confidence.POSSIBLE),
        (None, Confidence.CERTAIN),
    ]
    assert ["policers hold" in hit.forecast.metric for hit in hits if hit.forecast is not None] == [
        True,
        False,
    ]
