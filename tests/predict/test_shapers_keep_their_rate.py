"""What classes get behind a shaper, together, is its rate at most: also on QFP, of several sizes."""

import pytest

from advisor.predict.what_if.prediction import ClassPrediction, Prediction, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device
from advisor.settings import PacketShare, Settings, Traffic
from tests.support.devices import device_read

HEAD = (
    "version 16.9\nlicense udi pid ASR1001-X sn F1\nhostname qfp\n"
    "class-map match-any BULK\n match dscp af11\n"
)
PARENT = (
    "policy-map CHILD\n class BULK\n  bandwidth remaining ratio 10\n class class-default\n"
    "policy-map WAN\n class class-default\n  shape average 600000000\n  service-policy CHILD\n"
)
OUTPUT = (
    "interface GigabitEthernet0/0/0\n ip address 10.0.0.1 255.255.255.0\n"
    " service-policy output WAN\nend\n"
)
COUNTED, ON_WIRE = 1514, 1538  # bytes of a packet of 1500: for the shaper, with gap and preamble
STATED = Settings(
    traffic=(Traffic("*", "*", "BULK", (PacketShare(1500, 1.0),), None, 1, "saturated", "test"),)
)


def wire_bps(prediction: Prediction) -> float:
    """Bits on the wire."""
    if isinstance(prediction, UnstatedPrediction):
        return 1000 * prediction.share.value
    assert isinstance(prediction, ClassPrediction)
    assert prediction.throughput is not None
    return 1000 * prediction.throughput.value


def test_saturated_classes_of_qfp_carry_no_more_than_their_shaper_of_600_mbps() -> None:
    device = device_read(HEAD + PARENT + OUTPUT, STATED)
    found = predict_device(device, "qfp", STATED, None, ())
    counted_bps = sum(map(wire_bps, found)) * COUNTED / ON_WIRE
    assert counted_bps == pytest.approx(600e6, rel=0.002)
