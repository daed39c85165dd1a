"""An LLQ that nobody states has a delay at its reserved rate; a loss is that of stated calls."""

import pytest

from advisor.predict.what_if.prediction import ClassPrediction, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.predict.what_if.simulated import Figured, SimulatedClass
from advisor.report.predictions import render
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

DEEP = """\
!Chassis type: 2811
version 12.4
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 254
 class class-default
interface Serial0/0/0
 bandwidth 768
 encapsulation ppp
 clock rate 768000
 tx-ring-limit 20
 service-policy output WAN
"""
SIZED = Traffic("*", "*", "class-default", (PacketShare(1500, 1.0),), None, 1, "saturated", "test")
CALLS = Traffic("*", "*", "VOICE", (PacketShare(60, 1.0),), 496, 9, "periodic", "test")


def predicted(
    config: str, *traffic: Traffic, simulated: bool = False
) -> tuple[ClassPrediction, dict[str, ClassPrediction | UnstatedPrediction]]:
    settings = Settings(traffic=traffic)
    device = device_read(config, settings, file="r1.cfg")
    found = predict_device(device, "r1.cfg", settings, None, (), simulated=simulated)
    known = {
        each.class_name: each
        for each in found
        if isinstance(each, ClassPrediction | UnstatedPrediction)
    }
    voice = known["VOICE"]
    assert isinstance(voice, ClassPrediction)
    return voice, known


def test_only_calls_that_somebody_states_are_lost() -> None:
    reserved, _ = predicted(DEEP, SIZED)
    stated, _ = predicted(DEEP, SIZED, CALLS)

    assert reserved.loss is None
    assert "its loss depends on its traffic" in render((reserved,))
    assert stated.loss is not None
    assert stated.loss.high > 10
    assert "loss" in render((stated,))


def test_the_congested_case_has_the_loss_too() -> None:
    voice, _ = predicted(DEEP, SIZED, CALLS)

    assert voice.congested is not None
    assert voice.congested.loss == voice.loss


@pytest.mark.parametrize("ring", [2, 10, 20, 40])
def test_what_classes_carry_is_at_most_the_line(ring: int) -> None:
    _, known = predicted(DEEP.replace("tx-ring-limit 20", f"tx-ring-limit {ring}"))
    voice, rest = known["VOICE"], known["class-default"]

    assert isinstance(voice, ClassPrediction)
    assert isinstance(rest, UnstatedPrediction)
    assert voice.throughput is not None
    assert voice.throughput.value + rest.share.value <= 768 * 1.02  # both are sampled


def test_the_loss_is_compared_with_a_simulation() -> None:
    voice, _ = predicted(DEEP, CALLS, simulated=True)

    assert isinstance(voice.simulated, SimulatedClass)
    assert voice.simulated.loss is not None
    assert voice.loss is not None
    assert Figured.LOSS not in voice.simulated.apart
    assert voice.loss.low <= voice.simulated.loss.high
    assert voice.simulated.loss.low <= voice.loss.high


def test_an_llq_whose_priority_has_no_rate_has_no_loss() -> None:
    voice, _ = predicted(DEEP.replace("priority 254", "priority"))

    assert (voice.loss, voice.throughput) == (None, None)
