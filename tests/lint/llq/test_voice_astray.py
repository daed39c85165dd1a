"""LLQ014 to LLQ016: voice marked anew, an LLQ without a packet, a slow link without an LLQ."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of, skip_of

PRIORITY_CLASS_COUNTS_NOTHING = CHECKS["priority-class-counts-nothing"]
SLOW_VOICE_LINK_WITHOUT_LLQ = CHECKS["slow-voice-link-without-llq"]
VOICE_REMARKED_BEFORE_LLQ = CHECKS["voice-remarked-before-llq"]

CLASSES = (
    "class-map match-all EF\n match ip dscp ef\nclass-map match-all RTP\n"
    " match ip rtp 16384 16383\nclass-map match-all AF31\n match ip dscp af31\n"
    "class-map match-any MIXED\n match ip dscp ef\n match ip rtp 16384 16383\n"
)
EDGE = "policy-map EDGE\n class {0}\n  priority 128\n class class-default\n  fair-queue\n"
WAN = "interface Serial0/0\n ip address 192.0.2.2 255.255.255.252\n clock rate {0}\n"
OUT = " service-policy output EDGE\n"
LAN = (
    "policy-map IN\n{0}\ninterface FastEthernet0/{1}\n ip address 10.0.{1}.1 255.255.255.0\n"
    " service-policy input IN\n"
)
OPEN = "interface FastEthernet0/7\n ip address 10.0.7.1 255.255.255.0\n"
RESET = " class class-default\n  set ip dscp default"


def edge(lan: str, llq: str = "EF") -> Device:
    return device_of(CLASSES + EDGE.format(llq) + lan + WAN.format(512000) + OUT)


@pytest.mark.parametrize(
    ("lan", "llq", "found"),
    [
        pytest.param(LAN.format(" class RTP\n  set ip dscp cs5", 0), "EF", ["RTP"], id="cs5"),
        pytest.param(LAN.format(" class EF\n  set ip dscp af31", 0), "EF", ["EF"], id="EF to AF31"),
        pytest.param(LAN.format(" class RTP\n  set ip precedence 5", 0), "EF", [], id="EF in it"),
        pytest.param(LAN.format(" class RTP\n  set ip dscp ef", 0), "EF", [], id="as it matches"),
        pytest.param(LAN.format(" class RTP\n  set ip dscp cs5", 0), "MIXED", [], id="by ports"),
        pytest.param(LAN.format(" class AF31\n  set ip dscp cs3", 0), "EF", [], id="signalling"),
        pytest.param(LAN.format(" class RTP\n  set ip dscp cs5", 0), "AF31", [], id="LLQ of data"),
        pytest.param(LAN.format(RESET, 0), "EF", ["class-default"], id="all is reset to 0"),
        pytest.param(LAN.format(RESET, 0) + OPEN, "EF", [], id="EF comes in by another port"),
        pytest.param(
            LAN.format(" class EF\n  set ip dscp default\n" + RESET, 0) + OPEN,
            "EF",
            [],
            id="false EF is kept out of one port",
        ),
        pytest.param(
            LAN.format(" class RTP\n  set ip dscp ef\n" + RESET, 0),
            "EF",
            [],
            id="the rest is reset",
        ),
        pytest.param(
            LAN.format(" class EF\n  police 128000\n" + RESET, 0), "EF", [], id="EF is let in"
        ),
        pytest.param(
            LAN.format(" class RTP\n  set ip dscp cs1\n" + RESET, 0), "EF", ["RTP"], id="all is low"
        ),
        pytest.param(
            LAN.format(RESET, 0) + "dial-peer voice 1 voip\n session target ipv4:192.0.2.1\n",
            "EF",
            [],
            id="the router makes calls itself",
        ),
    ],
)
def test_voice_that_the_input_takes_from_the_llq(lan: str, llq: str, found: list[str]) -> None:
    hits = hits_of(VOICE_REMARKED_BEFORE_LLQ.find(edge(lan, llq), NoParams()))

    assert [hit.evidence.class_name for hit in hits] == found


def test_a_policy_on_the_way_in_of_the_link_itself_is_of_other_packets() -> None:
    text = CLASSES + EDGE.format("EF") + "policy-map IN\n class RTP\n  set ip dscp cs5\n"
    device = device_of(text + WAN.format(512000) + OUT + " service-policy input IN\n")

    assert not list(VOICE_REMARKED_BEFORE_LLQ.find(device, NoParams()))


def test_an_llq_whose_voice_is_marked_anew_has_that_verdict_alone() -> None:
    video = "class-map match-all AF41\n match ip dscp af41\n"
    second = " class AF41\n  priority 64\n class class-default"
    marked = CLASSES + video + EDGE.format("EF").replace(" class class-default", second)
    lan = LAN.format(" class RTP\n  set ip dscp cs5", 0)
    device = device_of(marked + lan + WAN.format(512000) + OUT)

    relies = hits_of(CHECKS["llq-relies-on-upstream-marking"].find(device, NoParams()))

    assert [each.evidence.class_name for each in relies] == ["AF41"]  # EF: LLQ014


def test_the_mark_and_the_codes_that_the_llq_takes_are_named() -> None:
    lan = LAN.format(" class RTP\n  set ip dscp cs5", 0)
    evidence = hit_of(VOICE_REMARKED_BEFORE_LLQ.find(edge(lan), NoParams())).evidence

    assert (evidence.marking, evidence.wanted) == ("dscp cs5", "dscp ef")


SHOWN = """\
r1#show policy-map interface
 Serial0/0

  Service-policy output: EDGE

{0}
    Class-map: class-default (match-any)
      {1} packets, 900 bytes
      5 minute offered rate 0 bps, drop rate 0 bps
      Match: any
r1#
"""
PRIORITY = """\
    Class-map: {0} (match-all)
      {1} packets, 0 bytes
      5 minute offered rate 0 bps, drop rate 0 bps
      Match: ip dscp ef (46)
      Queueing
        Strict Priority
        Output Queue: Conversation 264
        Bandwidth 128 (kbps) Burst 3200 (Bytes)
        (pkts matched/bytes matched) 0/0
        (total drops/bytes drops) 0/0
"""


@pytest.mark.parametrize(
    ("priority", "others", "found"),
    [
        pytest.param((0,), 10000, ["C0"], id="none of a load"),
        pytest.param((0,), 9999, [], id="too few to say"),
        pytest.param((1,), 10000, [], id="one packet"),
        pytest.param((0, 0), 10000, ["C0, C1"], id="two classes without one"),
        pytest.param((0, 7), 10000, [], id="one of two classes has some"),
        pytest.param((), 10000, [], id="no LLQ"),
    ],
)
def test_an_llq_without_a_packet_under_load(
    priority: tuple[int, ...], others: int, found: list[str]
) -> None:
    classes = "\n".join(PRIORITY.format(f"C{n}", seen) for n, seen in enumerate(priority))
    params = PRIORITY_CLASS_COUNTS_NOTHING.params(other_packets=10000)
    device = device_read(SHOWN.format(classes, others))
    hits = hits_of(PRIORITY_CLASS_COUNTS_NOTHING.find(device, params))

    assert [hit.evidence.classes for hit in hits] == found


PEER = "dial-peer voice 1 voip\n session target ipv4:192.0.2.1\n"
SERIAL1 = "interface Serial0/1\n ip address 192.0.2.6 255.255.255.252\n{0}"


@pytest.mark.parametrize(
    ("config", "because"),
    [
        pytest.param(PEER + WAN.format(2048000), "dial-peer 1 carries calls over IP", id="E1"),
        pytest.param(PEER + WAN.format(2064000), None, id="faster than E1"),
        pytest.param(PEER + " shutdown\n" + WAN.format(512000), None, id="the peer is shut down"),
        pytest.param(WAN.format(512000), None, id="no voice"),
        pytest.param(
            "interface Vlan1\ninterface FastEthernet0/1\n switchport voice vlan 20\n"
            + WAN.format(512000),
            "it has a voice VLAN",
            id="phones of a VLAN",
        ),
        pytest.param(
            "voice-port 1/0/0\n" + WAN.format(512000), "it has voice-port 1/0/0", id="a phone"
        ),
        pytest.param(
            "telephony-service\n max-ephones 9\n" + WAN.format(512000),
            "it serves phones (telephony-service)",
            id="phones of the router",
        ),
        pytest.param(
            CLASSES + LAN.format(" class RTP\n  set ip dscp ef", 0) + WAN.format(512000),
            "it marks packets of its input EF",
            id="marked here",
        ),
        pytest.param(
            PEER + CLASSES + EDGE.format("EF") + WAN.format(512000) + OUT, None, id="with LLQ"
        ),
        pytest.param(
            PEER + CLASSES + EDGE.format("AF31").replace("priority", "bandwidth")
            + WAN.format(512000) + OUT,
            "dial-peer 1 carries calls over IP",
            id="a policy of data alone",
        ),
        pytest.param(
            PEER + CLASSES + EDGE.format("EF").replace("priority", "bandwidth")
            + WAN.format(512000) + OUT,
            None,
            id="voice in a class without priority is LLQ009",
        ),
        pytest.param(
            PEER + WAN.format(512000) + OUT, None, id="a policy that is not defined is REF001"
        ),
        pytest.param(
            PEER + WAN.format(512000) + " ip rtp priority 16384 16383 128\n", None, id="older LLQ"
        ),
    ],
)  # fmt: skip
def test_a_slow_link_of_a_device_with_voice(config: str, because: str | None) -> None:
    hits = hits_of(SLOW_VOICE_LINK_WITHOUT_LLQ.find(device_of(config), NoParams()))

    assert [hit.evidence.because for hit in hits] == ([] if because is None else [because])


def test_beside_an_llq_of_another_output_it_is_information() -> None:
    config = PEER + CLASSES + EDGE.format("EF") + WAN.format(512000) + OUT
    second = SERIAL1.format(" clock rate 512000\n")
    hit = hit_of(SLOW_VOICE_LINK_WITHOUT_LLQ.find(device_of(config + second), NoParams()))

    assert (hit.severity, hit.confidence) == (Severity.INFO, Confidence.POSSIBLE)


def test_a_link_of_unknown_rate_is_not_judged() -> None:
    device = device_of(PEER + SERIAL1.format(""))

    assert "rate" in skip_of(SLOW_VOICE_LINK_WITHOUT_LLQ.find(device, NoParams())).reason
