"""What classes get behind a shaper, together, is its rate at most: also on QFP, of several sizes."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from advisor.device.reading import Source
from advisor.predict.what_if.prediction import ClassPrediction, Prediction, UnstatedPrediction
from advisor.predict.what_if.predictions import predict_device, predict_sources
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


ROUTER = """\
version 15.2
hostname r
policy-map CHILD
 class VOICE
  priority {voice}
 class BULK
  bandwidth percent 30
{of_class} class class-default
policy-map WAN
 class class-default
  shape average {rate}{buckets}
  service-policy CHILD
interface {port}
 ip address 10.0.0.1 255.255.255.0
 service-policy output WAN
end
"""
PORTS = {
    "Serial0/0\n clock rate 2048000\n encapsulation ppp": (2_048_000, 5),
    "FastEthernet0/0\n speed 100\n duplex full": (100_000_000, 24),
    "GigabitEthernet0/0": (1_000_000_000, 24),
}
IP_BYTES = (64, 200, 1500)


def offered(name: str, ip_bytes: int, per_s: float | None) -> Traffic:
    arrivals = "saturated" if per_s is None else "poisson"
    return Traffic("*", "*", name, (PacketShare(ip_bytes, 1.0),), per_s, 1, arrivals, "test")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(PORTS)),
    st.sampled_from([256, 1000, 1900, 20_000, 80_000, 600_000]),
    st.sampled_from(["", " {bc} 0", " {bc} {bc}"]),
    st.booleans(),
    st.lists(
        st.tuples(st.sampled_from(IP_BYTES), st.none() | st.floats(0.05, 3.0)),
        min_size=3,
        max_size=3,
    ),
)
def test_classes_together_carry_no_more_than_their_shaper_and_the_line(
    port: str, kbps: int, buckets: str, is_class_shaped: bool, loads: list[tuple[int, float | None]]
) -> None:
    line_bps, uncounted = PORTS[port]
    of_class = f"  shape average {kbps * 200}\n" if is_class_shaped else ""
    config = ROUTER.format(
        voice=kbps // 5, rate=kbps * 1000, port=port, of_class=of_class,
        buckets=buckets.format(bc=kbps * 10),
    )  # fmt: skip
    names, bytes_per_s = ("VOICE", "BULK", "class-default"), min(kbps * 125, line_bps / 8)
    traffic = [
        offered(name, ip_bytes, (load or 0.2) * bytes_per_s / (ip_bytes + 14))
        if load is not None or name == "VOICE"
        else offered(name, ip_bytes, None)
        for name, (ip_bytes, load) in zip(names, loads, strict=True)
    ]
    found = predict_sources(
        Source("r.cfg", config.encode()), Settings(traffic=tuple(traffic)), None, {}
    )

    carried = [each.throughput for each in found if isinstance(each, ClassPrediction)]
    known_bps = [(1000 * each.value, 1000 * each.high) for each in carried if each is not None]
    most = max((size + 14 + uncounted) / (size + 14) for size in IP_BYTES)
    sum_bps = sum(value for value, _ in known_bps)
    assert sum_bps <= line_bps * (1 + 1e-9)
    assert sum_bps <= kbps * 1000 * most * (1 + 1e-9)
    assert max(high for _, high in known_bps) <= line_bps * (1 + 1e-9)


HQF = """\
version 15.2
hostname r
class-map match-any VOICE
 match dscp ef
policy-map CHILD
 class VOICE
  priority percent 20
 class BULK
  bandwidth percent 40
 class class-default
policy-map WAN
 class class-default
  shape average 18000000
  service-policy CHILD
interface FastEthernet0/0
 ip address 10.0.0.1 255.255.255.0
 speed 100
 service-policy output WAN
end
"""


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param((), id="calls that fill the priority"),
        pytest.param((offered("VOICE", 60, 500.0),), id="10 calls"),
        pytest.param((offered("VOICE", 60, 3000.0),), id="60 calls"),
    ],
)
def test_a_guarantee_behind_a_shaper_is_of_the_bytes_that_the_shaper_counts(
    calls: tuple[Traffic, ...],
) -> None:
    lower = (offered("BULK", 1500, None), offered("class-default", 1500, None))
    stated = Settings(traffic=(*calls, *lower))
    found = predict_device(device_read(HQF, stated), "r", stated, None, ())
    on_wire = {each.class_name: wire_bps(each) for each in found}

    ratio = COUNTED / ON_WIRE
    assert on_wire["BULK"] * ratio == pytest.approx(0.4 * 18e6, rel=0.002)
    voice = on_wire["VOICE"] * 74 / 98
    total = voice + (on_wire["BULK"] + on_wire["class-default"]) * ratio
    assert total == pytest.approx(18e6, rel=0.01)
