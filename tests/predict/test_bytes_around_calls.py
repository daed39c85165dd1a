"""Calls are predicted with the bytes that are around them; what is not known is an interval."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.findings import Severity
from advisor.predict.what_if.prediction import ClassPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read
from tests.support.verdicts import hits_of

LLQ_CALL_CAPACITY = CHECKS["llq-call-capacity"]

CONFIG = """\
version 15.1
class-map match-any VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 384
 class class-default
{head}interface Serial0/0/0
 bandwidth 1536
 clock rate 1536000
 ip address 203.0.113.2 255.255.255.252
 encapsulation ppp
 tx-ring-limit 2
{port} service-policy output WAN
"""
AES = "crypto ipsec transform-set TS esp-aes esp-sha-hmac\n"
MAP = "crypto map CM 10 ipsec-isakmp\n set transform-set TS\n match address VPN\n"
CRYPTO, CRTP = " crypto map CM\n", " ip rtp header-compression iphc-format\n"


def calls_of(calls: int) -> Traffic:
    sizes = (PacketShare(60, 1.0),)
    return Traffic("*", "*", "VOICE", sizes, 50.0 * calls, calls, "periodic", "test", of_calls=True)


def voice_of(calls: int, head: str = "", port: str = "") -> ClassPrediction:
    settings = Settings(traffic=(calls_of(calls),))
    device = device_read(CONFIG.format(head=head, port=port), settings, file="r1.cfg")
    found = predict_device(device, "r1.cfg", settings, None, ())
    return next(
        each for each in found if isinstance(each, ClassPrediction) and each.class_name == "VOICE"
    )


@pytest.mark.parametrize(
    ("head", "port", "calls", "least", "most"),
    [
        pytest.param("", "", 15, 0, 0, id="15 calls fit bare"),
        pytest.param(AES + MAP, CRYPTO, 7, 0, 0, id="7 of 49.6 kb/s fit in AES"),
        pytest.param(MAP, CRYPTO, 8, 0, 1, id="8 fit in 3DES, not in AES with SHA-256"),
        pytest.param("", CRTP, 34, 0, 0, id="34 fit with cRTP"),
    ],
)
def test_the_loss_of_calls_spans_what_may_be_around_them(
    head: str, port: str, calls: int, least: float, most: float
) -> None:
    loss = voice_of(calls, head, port).loss

    assert loss is not None
    assert loss.low == least
    assert (loss.high > 0) is (most > 0)


@pytest.mark.parametrize(
    ("calls", "severities"),
    [
        pytest.param(7, [], id="7 calls fit with any cipher"),
        pytest.param(8, [Severity.INFO], id="8 with some ciphers: information"),
        pytest.param(9, [None], id="9 with none"),
    ],
)
def test_a_need_over_the_rate_with_some_ciphers_alone_is_information(
    calls: int, severities: list[Severity | None]
) -> None:
    settings = Settings(traffic=(calls_of(calls),))
    device = device_read(CONFIG.format(head=MAP, port=CRYPTO), settings, file="r1.cfg")

    hits = hits_of(LLQ_CALL_CAPACITY.find(device, LLQ_CALL_CAPACITY.params(1.0)))

    assert [hit.severity for hit in hits] == severities
