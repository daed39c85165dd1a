"""POL001: bursts of policers beside a packet and a round trip."""

import pytest

from advisor.device.device import Device
from advisor.lint.checks import CHECKS
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

POLICE_BURST_TOO_SMALL = CHECKS["police-burst-too-small"]

PARAMS = POLICE_BURST_TOO_SMALL.params(rtt_ms=100.0)
LISTS = (
    "access-list 101 permit tcp any any eq www\naccess-list 102 permit udp any any\n"
    "access-list 103 permit icmp any any\naccess-list 104 permit ip any any\n"
)
PORT = "interface FastEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n service-policy input P\n"


def policed(line: str, match: str = "access-group 101", port: str = PORT) -> Device:
    text = f"{LISTS}class-map match-all C\n match {match}\npolicy-map P\n class C\n{line}"
    return device_of(text + port)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        pytest.param("  police 8000000 99999\n", True, id="just under a round trip"),
        pytest.param("  police 8000000 100000\n", False, id="a round trip"),
        pytest.param("  police 8000 1499\n", True, id="under a packet"),
        pytest.param("  police 8000 1500\n", False, id="one packet, the least that IOS takes"),
        pytest.param("  police 8000000\n", False, id="the burst of IOS"),
        pytest.param("  police 8000000 8000 16000\n", False, id="an excess burst"),
        pytest.param("  police cir 8000000 bc 8000 pir 9000000\n", False, id="a second rate"),
        pytest.param(
            "  police 8000000 8000 conform-action transmit exceed-action set-dscp-transmit 0\n",
            False,
            id="what exceeds is marked",
        ),
        pytest.param("  police 8000000 8000\n  priority\n", False, id="an LLQ"),
        pytest.param("  police cir percent 10 bc 5 ms\n", False, id="in ms of a percentage"),
    ],
)
def test_bursts_on_both_sides_of_what_tcp_needs(line: str, found: bool) -> None:
    assert bool(hits_of(POLICE_BURST_TOO_SMALL.find(policed(line), PARAMS))) is found


@pytest.mark.parametrize(
    ("match", "found"),
    [
        pytest.param("access-group 101", True, id="TCP"),
        pytest.param("access-group 104", True, id="any IP"),
        pytest.param("dscp af11", True, id="bulk by DSCP"),
        pytest.param("protocol http", True, id="bulk by NBAR"),
        pytest.param("access-group 102", False, id="UDP"),
        pytest.param("access-group 103", False, id="ICMP"),
        pytest.param("dscp ef", False, id="voice"),
        pytest.param("protocol rtp", False, id="voice by NBAR"),
        pytest.param("dscp cs3", False, id="signalling"),
        pytest.param("qos-group 3", False, id="a group may be of anything"),
    ],
)
def test_classes_that_may_carry_tcp(match: str, found: bool) -> None:
    device = policed("  police 8000000 8000\n", match)

    assert bool(hits_of(POLICE_BURST_TOO_SMALL.find(device, PARAMS))) is found


def test_both_advised_bursts_are_named() -> None:
    evidence = hit_of(
        POLICE_BURST_TOO_SMALL.find(policed("  police 512000 2000\n"), PARAMS)
    ).evidence

    assert (evidence.default_bytes, evidence.advised_bytes) == (16000, 96000)


def test_a_policy_of_the_control_plane_or_of_no_place_is_not_judged() -> None:
    control = "control-plane\n service-policy input P\n"
    device = policed("  police 8000000 8000\n", port=control)

    assert not list(POLICE_BURST_TOO_SMALL.find(device, PARAMS))


def test_a_class_by_a_list_that_is_not_read_in_full_is_not_judged() -> None:
    device = policed("  police 8000000 8000\n", "access-group name L")
    text = "ip access-list extended L\n permit object-group G any any\n"

    assert not hits_of(POLICE_BURST_TOO_SMALL.find(device, PARAMS))
    lists = text + "class-map match-all C\n match access-group name L\npolicy-map P\n class C\n"
    read = device_of(lists + "  police 8000000 8000\n" + PORT)
    assert "in full" in skip_of(POLICE_BURST_TOO_SMALL.find(read, PARAMS)).reason
