"""A class without a bound says why there is none."""

import pytest

from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.report.predictions import render
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

EDGE = """\
version 15.1
policy-map WAN
 class VOICE
  priority 512
 class DATA
  bandwidth 200
{data} class class-default
policy-map OUT
 class class-default
  shape average {shape} 0
  service-policy WAN
interface Serial0/0/0
 encapsulation ppp
 clock rate 2000000
 tx-ring-limit 64
 service-policy output {policy}
"""
DATA = Traffic("*", "*", "DATA", (PacketShare(500, 1.0),), 10, 1, "poisson", "test")
DEFAULT = Traffic("*", "*", "class-default", (PacketShare(900, 1.0),), 10, 1, "poisson", "test")
SHAPER = "  shape average 300000\n"
LONG, SHORT = "1500000 150000", "1500000 6000"


def predicted(policy: str, shape: str, data: str) -> dict[str, str]:
    settings = Settings(traffic=(DATA, DEFAULT))
    text = EDGE.format(data=data, shape=shape, policy=policy)
    found = predict_device(device_read(text, settings, file="r1.cfg"), "r1.cfg", settings, None, ())
    known = [each for each in found if isinstance(each, ClassPrediction)]
    for each in known:
        assert (each.bound_ms is None) is (each.why_no_bound is not None)
        is_said = f"no bound: {each.why_no_bound}" in render((each,))
        assert is_said is (each.kind == "priority" and each.bound_ms is None)
    return {each.class_name: each.why_no_bound or "" for each in known}


@pytest.mark.parametrize(
    ("policy", "shape", "data", "name", "said"),
    [
        pytest.param("WAN", LONG, "", "VOICE", "", id="a policed LLQ has one"),
        pytest.param("OUT", LONG, "", "VOICE", "", id="the ring behind a shaper has room"),
        pytest.param("OUT", SHORT, "", "VOICE", "the ring behind", id="a bucket of half a packet"),
        pytest.param("WAN", LONG, SHAPER, "DATA", "a shaper of its own", id="a class shaper"),
    ],
)
def test_a_class_says_why_it_has_no_bound(
    policy: str, shape: str, data: str, name: str, said: str
) -> None:
    why = predicted(policy, shape, data)[name]

    assert said in why if said else not why
