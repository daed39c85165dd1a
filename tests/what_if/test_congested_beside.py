"""`predict` prints the congested case, which lint judges, beside the stated one."""

import pytest

from advisor.device.reading import Source, read_source
from advisor.ground.quantity import figure
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device, predict_points
from advisor.report.predictions import render
from advisor.settings import PacketShare, Settings, Traffic

CONFIG = """\
version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 96
 class class-default
interface Serial0/0
 clock rate 512000
 encapsulation ppp
 tx-ring-limit 6
 service-policy output WAN
"""


def stated(class_name: str, ip_bytes: int, per_s: float | None, arrivals: str) -> Traffic:
    return Traffic("*", "*", class_name, (PacketShare(ip_bytes, 1.0),), per_s, 1, arrivals, "t:1")


CALL = stated("VOICE", 60, 50, "periodic")
LIGHT = stated("class-default", 1500, 2, "poisson")
FULL = stated("class-default", 1500, None, "saturated")


def predicted(*traffic: Traffic) -> tuple[ClassPrediction, ...]:
    settings = Settings(traffic=traffic)
    device = read_source(Source("r1.ios", CONFIG.encode()), settings).device
    return tuple(
        prediction
        for prediction in predict_device(device, "r1.ios", settings, None, ())
        if isinstance(prediction, ClassPrediction)
    )


def headline(*traffic: Traffic) -> str:
    (line,) = (line for line in render(predicted(*traffic)).splitlines() if "saturated:" in line)
    return line


def test_a_light_load_has_the_congested_case_above_its_own() -> None:
    voice, *_ = predicted(CALL, LIGHT)

    assert voice.congested is not None
    assert voice.congested.mean.value > 2 * voice.mean.value
    shown = figure(voice.congested.mean)
    assert headline(CALL, LIGHT).startswith(f"  VOICE waits {shown} with the lower classes")


@pytest.mark.parametrize("traffic", [(), (CALL, FULL)], ids=["nothing stated", "saturated"])
def test_the_congested_case_is_that_of_the_class_where_it_is_congested(
    traffic: tuple[Traffic, ...],
) -> None:
    voice, *_ = predicted(*traffic)

    assert voice.congested is not None
    assert voice.congested.mean == voice.mean


def test_both_bounds_are_named() -> None:
    assert "ring_bound" in headline(CALL, LIGHT)
    assert "class_bound" in headline(CALL, LIGHT)


def test_a_lower_class_has_no_congested_case_of_its_own() -> None:
    _, default = predicted(CALL, LIGHT)

    assert default.congested is None


def test_a_sweep_leaves_the_congested_case_out() -> None:
    settings = Settings(traffic=(CALL, LIGHT))
    device = read_source(Source("r1.ios", CONFIG.encode()), settings).device

    ((voice, _),) = predict_points(device, "r1.ios", settings, None, [()])

    assert isinstance(voice, ClassPrediction)
    assert voice.congested is None
