"""LLQ006 and LLQ009: what is in the priority queue and should not be, and what should be there."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

BULK_IN_LLQ = CHECKS["bulk-in-llq"]
VOICE_NOT_IN_LLQ = CHECKS["voice-not-in-llq"]

LISTS = (
    "access-list 101 permit tcp any any eq 80\n"
    "access-list 102 permit udp any any range 16384 32767\n"
    "access-list 103 permit ip any any\n"
    "access-list 104 permit ip host 10.0.0.1 any\n"
    "access-list 105 permit ip any any dscp ef\n"
    "access-list 106 permit tcp any any range 2000 2002\naccess-list 106 permit udp any any eq 5060\n"
    "access-list 107 permit tcp any any dscp ef\n"
    "access-list 108 permit udp any any\n"
    "access-list 109 permit udp any range 16384 32767 any\n"
    "access-list 110 deny tcp any any\naccess-list 110 permit tcp any any eq 80\n"
    "access-list 111 permit udp any any range 16000 32767\n"
    "access-list 112 permit ip any any time-range NIGHT\n"
    "access-list 113 permit gre any any\n"
)
END = "interface Serial0/0\n bandwidth 512\n service-policy output P\n"
DEFAULT = " class class-default\n  fair-queue\n"


def policy(*classes: tuple[str, str], rest: str = DEFAULT) -> str:
    """A policy-map of classes with their matches and their action, attached outbound."""
    text, members = LISTS, ""
    for index, (matches, action) in enumerate(classes, start=1):
        lines = "".join(f" match {each}\n" for each in matches.split("; "))
        text += f"class-map match-any C{index}\n{lines}"
        members += f" class C{index}\n  {action}\n"
    return f"{text}policy-map P\n{members}{rest}{END}"


def llq(matches: str) -> str:
    return policy((matches, "priority 128"))


@pytest.mark.parametrize(
    ("matches", "admitted", "severity"),
    [
        pytest.param("dscp ef", None, None, id="EF"),
        pytest.param("precedence 5", None, None, id="precedence 5 is voice"),
        pytest.param("access-group 101", "TCP port 80", None, id="TCP"),
        pytest.param("access-group 103", "any IP packet", None, id="any IP"),
        pytest.param("any", "any IP packet", None, id="match any"),
        pytest.param("access-group 102", None, None, id="RTP"),
        pytest.param("access-group 109", None, None, id="RTP by its source port"),
        pytest.param("access-group 108", None, None, id="UDP without ports is not known"),
        pytest.param("access-group 113", None, None, id="GRE is not known"),
        pytest.param("access-group 105", None, None, id="any IP that is EF"),
        pytest.param("access-group 107", None, None, id="TCP that is EF: who marks knows"),
        pytest.param("access-group 110", None, None, id="TCP that the list denies before"),
        pytest.param("dscp af11 af21", "dscp af11, af21", None, id="AF1x and AF2x"),
        pytest.param("dscp cs1", "dscp cs1", None, id="CS1"),
        pytest.param("dscp default", "dscp default", None, id="default"),
        pytest.param("dscp 6", "dscp 6", Severity.INFO, id="a DSCP without a name is no voice"),
        pytest.param("precedence 1", "dscp cs1, af11, af12, af13", None, id="precedence 1"),
        pytest.param("not dscp ef", "dscp default, cs1, af11, af12, af13, af21, af22, af23", None,
                     id="all but EF"),
        pytest.param("protocol http", "protocol http", None, id="bulk by NBAR"),
        pytest.param("protocol rtp audio", None, None, id="RTP audio by NBAR"),
        pytest.param("protocol telnet", "protocol telnet", Severity.INFO,
                     id="interactive by NBAR"),
        pytest.param("dscp ef; dscp cs3", "dscp cs3", Severity.INFO, id="signalling beside voice"),
        pytest.param("dscp ef; dscp af41", "dscp af41", Severity.INFO, id="video beside voice"),
        pytest.param("dscp ef; access-group 106", "TCP port 2000-2002 and 1 more", Severity.INFO,
                     id="signalling by its ports"),
        pytest.param("protocol rtp video; protocol rtp audio", "protocol rtp video",
                     Severity.INFO, id="RTP video beside audio"),
        pytest.param("dscp cs3", "dscp cs3", Severity.INFO, id="signalling alone"),
        pytest.param("dscp af41", "dscp af41", Severity.INFO, id="video alone"),
        pytest.param("protocol icmp; protocol ntp", "protocol icmp and 1 more", Severity.INFO,
                     id="ping and NTP"),
        pytest.param("dscp ef; dscp cs3; dscp af11", "dscp af11", None, id="bulk is the worse"),
        pytest.param("access-group 199", None, None, id="an undefined list is REF003's"),
    ],
)  # fmt: skip
def test_what_a_priority_class_admits(
    matches: str, admitted: str | None, severity: Severity | None
) -> None:
    said = hits_of(BULK_IN_LLQ.find(device_of(llq(matches)), NoParams()))
    shown = [(hit.evidence.admitted, hit.severity) for hit in said]
    assert shown == ([] if admitted is None else [(admitted, severity)])


def test_an_address_may_be_that_of_a_gateway() -> None:
    hit = hit_of(BULK_IN_LLQ.find(device_of(llq("access-group 104")), NoParams()))
    assert (hit.confidence, hit.evidence.admitted) == (
        Confidence.POSSIBLE, "any IP packet of an address",
    )  # fmt: skip


def test_packets_that_an_earlier_class_takes_do_not_count() -> None:
    text = policy(("access-group 101", "bandwidth 64"), ("access-group 101", "priority 64"))
    assert hits_of(BULK_IN_LLQ.find(device_of(text), NoParams())) == []


def test_an_entry_that_is_not_read_is_not_judged() -> None:
    said = skip_of(BULK_IN_LLQ.find(device_of(llq("access-group 112")), NoParams()))
    assert said.reason == "what its class-map matches is not read in full"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(policy(("dscp ef", "bandwidth 128")), [("C1", "match dscp ef")], id="EF"),
        pytest.param(policy(("dscp ef", "priority 128")), [], id="EF in the LLQ"),
        pytest.param(policy(("dscp ef cs5", "bandwidth 128")), [("C1", "match dscp ef")],
                     id="EF with CS5"),
        pytest.param(policy(("precedence 5", "bandwidth 128")), [], id="precedence 5 may be data"),
        pytest.param(policy(("dscp ef; dscp af41", "bandwidth 128")), [("C1", "match dscp ef")],
                     id="EF among others"),
        pytest.param(policy(("dscp af41", "bandwidth 128")), [], id="video"),
        pytest.param(policy(("ip rtp 16384 16383", "bandwidth 128")),
                     [("C1", "match UDP port 16384-32767")], id="RTP"),
        pytest.param(policy(("access-group 102", "bandwidth 128")),
                     [("C1", "match UDP port 16384-32767")], id="the ports of RTP"),
        pytest.param(policy(("access-group 111", "bandwidth 128")), [], id="more than these ports"),
        pytest.param(policy(("protocol rtp audio", "bandwidth 128")),
                     [("C1", "match protocol rtp audio")], id="RTP audio by NBAR"),
        pytest.param(policy(("protocol rtp video", "bandwidth 128")), [], id="RTP video by NBAR"),
        pytest.param(policy(("access-group 101", "bandwidth 128\n  set ip dscp ef")),
                     [("C1", "set dscp ef")], id="what it marks EF itself"),
        pytest.param(policy(("dscp ef", "priority 64"), ("access-group 102", "bandwidth 64")), [],
                     id="RTP that the LLQ has left is not voice"),
        pytest.param(policy(("dscp ef", "priority 64"), ("dscp ef af41", "bandwidth 64")), [],
                     id="EF that the LLQ has taken before"),
        pytest.param(policy(("dscp ef", "set dscp af41"), rest=""), [], id="nothing queues"),
        pytest.param(policy(("access-group 102", "priority 64"), ("dscp ef", "set dscp default")),
                     [], id="false EF is marked down"),
        pytest.param(policy(("dscp ef", "set ip precedence 0"), ("dscp af21", "bandwidth 64")),
                     [], id="EF is marked down by precedence"),
        pytest.param(policy(("dscp ef", "drop"), ("dscp af21", "bandwidth 64")), [],
                     id="EF is dropped"),
        pytest.param(policy(("dscp ef", "police 64000"), ("dscp af21", "bandwidth 64")), [],
                     id="EF is policed"),
        pytest.param(policy(("dscp ef", "set dscp ef"), ("dscp af21", "bandwidth 64")),
                     [("C1", "match dscp ef")], id="EF that stays EF"),
        pytest.param(policy(("dscp ef", "bandwidth 64\n  set dscp af41")),
                     [("C1", "match dscp ef")], id="EF that is served and marked down"),
        pytest.param(policy(("dscp ef", "set cos 3"), ("dscp af21", "bandwidth 64")),
                     [("C1", "match dscp ef")], id="only its CoS is set"),
        pytest.param(policy(("dscp ef", "bandwidth 64")).replace("output P", "input P"), [],
                     id="not attached outbound"),
    ],
)  # fmt: skip
def test_voice_without_priority(text: str, found: list[tuple[str, str]]) -> None:
    said = hits_of(VOICE_NOT_IN_LLQ.find(device_of(text), NoParams()))
    assert [(hit.evidence.class_name, hit.evidence.sign) for hit in said] == found


MARKING = (
    "class-map match-any PHONES\n match access-group 102\npolicy-map LAN\n class PHONES\n"
    "  set ip dscp {0}\ninterface FastEthernet0/0\n service-policy input LAN\n"
)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(policy(("dscp af21", "bandwidth 64")) + MARKING.format("ef"),
                     ["class-default"], id="no class takes the EF that it marks"),
        pytest.param(policy(("dscp af21", "bandwidth 64")) + MARKING.format("af41"), [],
                     id="it marks no EF"),
        pytest.param(policy(("dscp ef", "priority 64")) + MARKING.format("ef"), [],
                     id="the LLQ takes it"),
        pytest.param(policy(("access-group 102", "priority 64")) + MARKING.format("ef"), [],
                     id="a class that may take it by ports"),
    ],
)  # fmt: skip
def test_what_is_marked_on_input_needs_a_class_on_output(text: str, found: list[str]) -> None:
    said = hits_of(VOICE_NOT_IN_LLQ.find(device_of(text), NoParams()))
    assert [hit.evidence.class_name for hit in said] == found


def test_a_class_that_names_what_does_not_exist_leaves_open_where_ef_goes() -> None:
    text = policy(("access-group 199", "priority 64")) + MARKING.format("ef")
    said = skip_of(VOICE_NOT_IN_LLQ.find(device_of(text), NoParams()))
    assert said.reason == "what its class-maps match is not read in full"


@pytest.mark.parametrize("rate", ["{{ rate }}", "<removed>", "percent 300"])
def test_a_priority_that_is_not_understood_leaves_open_whether_voice_waits(rate: str) -> None:
    text = policy(("dscp ef", f"priority {rate}"), ("dscp af31", "bandwidth 64"))
    said = skip_of(VOICE_NOT_IN_LLQ.find(device_of(text), NoParams()))
    line = text.split("\n").index(f"  priority {rate}") + 1
    assert said.reason == f"whether it has priority is not known: r1.ios:{line} is not understood"


def lan(matches: str, action: str, rest: str = "") -> str:
    """An LLQ of EF on the WAN, and a policy on the LAN with a class of these packets."""
    members = f" class IN\n  {action}\n" if matches else ""
    return (
        f"{llq('dscp ef')}class-map match-any IN\n match {matches or 'dscp cs4'}\n"
        f"policy-map LAN\n{members}{rest}"
        "interface FastEthernet0/0\n service-policy input LAN\n"
    )


REST = " class class-default\n  {}\n"


@pytest.mark.parametrize(
    ("text", "marked_by"),
    [
        pytest.param(lan("dscp af21", "set dscp ef"), "IN", id="data by its DSCP"),
        pytest.param(lan("access-group 101", "set ip dscp ef"), "IN", id="data by its port"),
        pytest.param(
            lan("dscp af11", "police 64000 conform-action set-dscp-transmit ef"), "IN",
            id="by a policer",
        ),
        pytest.param(
            lan("access-group 102", "set dscp ef", REST.format("set dscp ef")), "class-default",
            id="the rest",
        ),
        pytest.param(lan("dscp af21", "set precedence 5"), "IN", id="precedence 5 holds EF"),
        pytest.param(lan("access-group 102", "set dscp ef"), None, id="voice"),
        pytest.param(lan("access-group 104", "set dscp ef"), None, id="an address: a phone"),
        pytest.param(lan("dscp af21", "set dscp af11"), None, id="another DSCP"),
        pytest.param(
            lan("access-group 102", "set dscp ef", REST.format("set dscp default")), None,
            id="the rest is best effort",
        ),
    ],
)  # fmt: skip
def test_bulk_data_that_an_input_marks_as_voice(text: str, marked_by: str | None) -> None:
    found = hits_of(BULK_IN_LLQ.find(device_of(text), NoParams()))
    expected = [f"what class {marked_by} of LAN marks"] if marked_by else []
    assert [hit.evidence.admitted for hit in found] == expected


def test_a_port_whose_packets_are_all_marked_may_be_of_phones() -> None:
    text = lan("", "", REST.format("set dscp ef"))
    assert hit_of(BULK_IN_LLQ.find(device_of(text), NoParams())).confidence is Confidence.POSSIBLE
