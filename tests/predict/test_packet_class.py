"""Which class takes a packet, as far as the config proves it."""

from ipaddress import IPv4Address

import pytest

from advisor.facts.read_config import read_facts
from advisor.ios.syntax.reader import parse_config
from advisor.outlet.packet_class import Packet, class_of

EF, DEFAULT = 46, 0
UNKNOWN = None


def taken_by(text: str, **known: object) -> str | None:
    facts = read_facts(parse_config(text, "r1.ios"))
    (policy,) = facts.policy_maps
    packet = Packet(
        protocol=str(known.get("protocol", "udp")),
        source=IPv4Address("192.0.2.1"),
        destination=IPv4Address(str(known.get("destination", "192.0.2.2"))),
        destination_port=16400,
        dscp=int(str(known.get("dscp", DEFAULT))),
    )
    return class_of(facts, policy, packet)


def policy(*matches: str, kind: str = "match-all", lists: str = "") -> str:
    lines = "".join(f" match {each}\n" for each in matches)
    return (
        f"{lists}class-map {kind} VOICE\n{lines}policy-map EDGE\n class VOICE\n  priority 64\n"
        " class class-default\n  fair-queue\n"
    )


def by_list(*entries: str) -> str:
    lists = "ip access-list extended CALLS\n" + "".join(f" {each}\n" for each in entries)
    return policy("access-group name CALLS", lists=lists)


@pytest.mark.parametrize(
    ("text", "dscp", "taken"),
    [
        pytest.param(policy("ip dscp ef"), EF, "VOICE", id="its DSCP"),
        pytest.param(policy("ip dscp ef"), DEFAULT, "class-default", id="another DSCP"),
        pytest.param(policy("ip precedence 5"), EF, "VOICE", id="EF is of precedence 5"),
        pytest.param(policy("not ip dscp ef"), DEFAULT, "VOICE", id="anything but EF"),
        pytest.param(policy("any"), DEFAULT, "VOICE", id="any"),
        pytest.param(policy("protocol icmp"), EF, "class-default", id="UDP is not ICMP"),
        pytest.param(policy("protocol rtp"), EF, UNKNOWN, id="NBAR looks into the packet"),
        pytest.param(
            policy("protocol rtp", "ip dscp ef"), DEFAULT, "class-default", id="one of all fails"
        ),
        pytest.param(
            policy("protocol rtp", "ip dscp ef", kind="match-any"),
            EF,
            "VOICE",
            id="one of any holds",
        ),
        pytest.param(
            policy("protocol rtp", "ip dscp ef", kind="match-any"),
            DEFAULT,
            UNKNOWN,
            id="one of any is not known",
        ),
        pytest.param(policy("qos-group 3"), EF, UNKNOWN, id="a group that an input policy sets"),
    ],
)
def test_a_match(text: str, dscp: int, taken: str | None) -> None:
    assert taken_by(text, dscp=dscp) == taken


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        pytest.param(by_list("permit udp any any range 16384 32767"), "VOICE", id="its ports"),
        pytest.param(by_list("permit udp any any eq 5060"), "class-default", id="another port"),
        pytest.param(by_list("permit tcp any any"), "class-default", id="another protocol"),
        pytest.param(by_list("permit ip any host 192.0.2.2"), "VOICE", id="its host"),
        pytest.param(by_list("permit ip any 192.0.2.0 0.0.0.255"), "VOICE", id="its subnet"),
        pytest.param(
            by_list("permit ip 10.0.0.0 0.255.255.255 any"), "class-default", id="not its source"
        ),
        pytest.param(
            by_list("deny udp any any", "permit ip any any"), "class-default", id="a deny first"
        ),
        pytest.param(by_list("permit udp any eq 99 any"), UNKNOWN, id="a source port is not known"),
        pytest.param(
            by_list("deny udp any eq 99 any", "permit ip any any"),
            UNKNOWN,
            id="nor what it leaves",
        ),
        pytest.param(
            by_list("permit udp any eq 99 any", "permit ip any any"),
            "VOICE",
            id="a later entry decides alike",
        ),
        pytest.param(
            by_list("deny udp any eq 99 any"), "class-default", id="the end denies what it leaves"
        ),
        pytest.param(by_list("permit ip any any dscp ef"), "class-default", id="a list by DSCP"),
    ],
)
def test_an_access_list(text: str, taken: str | None) -> None:
    assert taken_by(text) == taken


def test_a_class_after_one_that_cannot_be_told_is_not_known() -> None:
    text = (
        "class-map match-all A\n match protocol http\nclass-map match-all B\n match ip dscp ef\n"
        "policy-map EDGE\n class A\n  bandwidth 8\n class B\n  priority 64\n"
    )

    assert taken_by(text, dscp=EF) is UNKNOWN


def test_icmp_is_no_application_of_nbar() -> None:
    text = (
        "class-map match-all A\n match protocol http\nclass-map match-all B\n match protocol icmp\n"
        "policy-map EDGE\n class A\n  bandwidth 8\n class B\n  priority 64\n"
    )

    assert taken_by(text, protocol="icmp") == "B"
