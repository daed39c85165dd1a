"""Calls and their quality stand beside classes whose matches are voice, and no others."""

from collections.abc import Callable

import pytest

from advisor.lint.checks import CHECKS
from advisor.predict.what_if.path import with_calls
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

LLQ_CALL_CAPACITY = CHECKS["llq-call-capacity"]

STATED = Traffic(
    "*", "*", "FIRST", (PacketShare(60, 1.0),), 50, 1, "periodic", "test", of_calls=True
)


def router(match: str) -> str:
    return (
        "version 15.2\n"
        "access-list 101 permit udp any any eq 123\n"
        "access-list 102 permit udp 10.1.0.0 0.0.255.255 any range 16384 32767\n"
        "access-list 103 permit ip 10.1.0.0 0.0.255.255 any\n"
        "access-list 104 permit gre any any\n"
        f"class-map match-any FIRST\n match {match}\n"
        "policy-map WAN\n class FIRST\n  priority 256\n class class-default\n  fair-queue\n"
        "interface Serial0/0/0\n bandwidth 1536\n clock rate 1536000\n encapsulation ppp\n"
        " tx-ring-limit 1\n service-policy output WAN\n"
    )


def has_quality(config: str, *traffic: Traffic) -> bool:
    settings = Settings(traffic=traffic)
    device = device_read(config, settings)
    known = with_calls(device, predict_device(device, "r1.cfg", settings, None, ()))
    (first,) = (each for each in known if isinstance(each, ClassPrediction))
    return first.call is not None


def has_count(config: str) -> bool:
    device = device_read(config, Settings())
    return bool(hits_of(LLQ_CALL_CAPACITY.find(device, LLQ_CALL_CAPACITY.params(1.0))))


@pytest.mark.parametrize("shown", [has_quality, has_count])
@pytest.mark.parametrize(
    ("match", "is_voice"),
    [
        pytest.param("dscp ef", True, id="EF"),
        pytest.param("ip precedence 5", True, id="precedence 5"),
        pytest.param("protocol rtp audio", True, id="RTP audio by NBAR"),
        pytest.param("ip rtp 16384 16383", True, id="RTP by its ports"),
        pytest.param("access-group 102", True, id="RTP by a list"),
        pytest.param("access-group 103", True, id="a subnet, which may be of phones"),
        pytest.param("access-group 104", True, id="a tunnel, whose inside is not known"),
        pytest.param("cos 5", True, id="a CoS names no other packets"),
        pytest.param("dscp af41", False, id="video"),
        pytest.param("dscp cs3", False, id="signalling"),
        pytest.param("protocol icmp", False, id="ping"),
        pytest.param("protocol ntp", False, id="NTP by NBAR"),
        pytest.param("access-group 101", False, id="NTP by its port"),
        pytest.param("any", False, id="everything"),
    ],
)
def test_which_classes_are_of_voice(
    match: str, is_voice: bool, shown: Callable[[str], bool]
) -> None:
    assert shown(router(match)) is is_voice


def test_calls_that_the_user_states_make_a_class_one_of_voice() -> None:
    assert has_quality(router("dscp af41"), STATED)
