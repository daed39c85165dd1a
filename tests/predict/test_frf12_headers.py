"""Under FRF.12 fragments have a header each; voice that is not cut has none."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.outlet.outlets import outlets
from advisor.predict.classes import demand_of
from advisor.predict.classes.congested import congested
from advisor.predict.classes.corners import corners
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read
from tests.support.verdicts import hit_of

LLQ_CALL_CAPACITY = CHECKS["llq-call-capacity"]

CIRCUIT = """\
!Chassis type: 2621
version 12.2
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority {rate}
 class class-default
  fair-queue
interface Serial0/0
 clock rate 384000
 encapsulation frame-relay
{fragment} service-policy output WAN
"""
FRAGMENT = " frame-relay fragment 480 end-to-end\n"
CALLS = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 200, 4, "periodic", "test")


def voice_of(fragment: str, *traffic: Traffic, rate: int = 100) -> ClassPrediction:
    settings = Settings(traffic=traffic)
    device = device_read(CIRCUIT.format(fragment=fragment, rate=rate), settings, file="r1.cfg")
    (voice,) = (
        each
        for each in predict_device(device, "r1.cfg", settings, None, ())
        if isinstance(each, ClassPrediction) and each.class_name == "VOICE"
    )
    return voice


@pytest.mark.parametrize(
    ("fragment", "kbps", "rate"),
    [
        pytest.param(FRAGMENT, 4 * (60 + 4) * 8 / 20, "103", id="FRF.12"),
        pytest.param("", 4 * (60 + 4) * 8 / 20, "103", id="whole packets"),
    ],
)
def test_lint_and_predict_offer_the_same_rate_and_ask_for_the_same_priority(
    fragment: str, kbps: float, rate: str
) -> None:
    voice = voice_of(fragment, CALLS)
    settings = Settings(traffic=(CALLS,))
    device = device_read(CIRCUIT.format(fragment=fragment, rate=100), settings, file="r1.cfg")
    hit = hit_of(LLQ_CALL_CAPACITY.find(device, LLQ_CALL_CAPACITY.params(1.0)))

    assert voice.offered is not None
    assert voice.offered.value == pytest.approx(kbps)
    assert hit.evidence.rate == rate
    assert f"offered {kbps:g} " in hit.evidence.said
    assert any(line.startswith(f"priority {rate}:") for line in voice.advice)


def test_calls_that_fit_without_a_header_lose_nothing() -> None:
    voice = voice_of(FRAGMENT, CALLS, rate=103)

    assert voice.loss is not None
    assert voice.loss.high == 0


def test_calls_that_nobody_states_have_no_header_either() -> None:
    plain, cut = (voice_of(fragment) for fragment in ("", FRAGMENT))

    assert cut.least_ms == pytest.approx(plain.least_ms)


def test_each_fragment_of_frame_relay_has_a_header_beside_its_framing() -> None:
    cut = CIRCUIT.format(fragment=FRAGMENT, rate=100)
    device = device_read(cut, file="r1.cfg")
    question = congested(device, outlets(device)[0])

    found = {corner.interface for corner in corners(question, demand_of(question))}

    headers = {
        item.fragmentation.overhead_bytes - item.framing.overhead_bytes
        for item in found
        if item.fragmentation is not None
    }
    assert headers == {4}
