"""Which command opens which mode, and what belongs to a mode."""

import pytest

from advisor.ios.syntax.modes import SUBCOMMANDS, belongs, opens_mode
from advisor.ios.syntax.openers import OPENERS


@pytest.mark.parametrize(
    ("mode", "command", "opened"),
    [
        ("global", "interface Serial0/0", "interface"),
        ("global", "interface ATM0/0.2 point-to-point", "interface"),
        ("global", "no interface Loopback0", None),
        ("global", "default interface Serial0/0", None),
        ("global", "policy-map P", "policy-map"),
        ("policy-map", "class class-default", "policy-map-class"),
        ("policy-map-class", "police cir 128000 bc 4000", "police"),
        ("policy-map-class", "police 128000 8000 conform-action transmit", None),
        ("policy-map-class", "random-detect dscp-based", None),
        ("global", "class-map match-any A", "class-map"),
        ("global", "map-class frame-relay FR", "map-class"),
        ("interface", "pvc infn-qos 0/100", "pvc"),
        ("interface", "bundle B", "pvc-bundle"),
        ("pvc-bundle", "pvc-bundle P 0/100", "pvc"),
        ("interface", "frame-relay interface-dlci 100", "frame-relay-dlci"),
        ("interface", "range pvc 1/100 1/200", "pvc-range"),
        ("interface", "ip address 10.0.0.1 255.0.0.0", None),
        ("global", "ip sla 5", "ip-sla"),
        ("global", "ip sla monitor 5", "ip-sla"),
        ("global", "rtr 5", "ip-sla"),
        ("global", "ip sla schedule 5 start-time now", None),
        ("global", "ip vrf V", "vrf"),
        ("global", "ip vrf forwarding V", None),
        ("global", "vlan 10", "vlan"),
        ("global", "vlan internal allocation policy ascending", None),
        ("global", "crypto map M 10 ipsec-isakmp", "crypto"),
        ("global", "crypto map M local-address Loopback0", None),
        ("global", "access-list 101 permit ip any any", None),
        ("global", "call-home reporting anonymous", None),
        ("global", "", None),
        ("no such mode", "interface Serial0/0", None),
    ],
    ids=lambda text: str(text) or "nothing",
)
def test_mode_that_a_command_opens(mode: str, command: str, opened: str | None) -> None:
    assert opens_mode(mode, command) == opened


@pytest.mark.parametrize(
    ("mode", "command", "inside"),
    [
        ("interface", "tx-ring-limit 3", True),
        ("interface", "no service-policy output P", True),
        ("interface", "ip address 10.0.0.1 255.0.0.0", True),
        ("interface", "ip route 0.0.0.0 0.0.0.0 Null0", False),
        ("interface", "class-map A", False),
        ("interface", "crypto map M", True),
        ("interface", "crypto map M 10 ipsec-isakmp", False),
        ("interface", "ip nat inside", True),
        ("interface", "ip nat inside source list 1 pool P", False),
        ("policy-map-class", "bandwidth percent 20", True),
        ("policy-map-class", "class B", False),
        ("access-list", "10 permit ip any any", True),
        ("table-map", "default copy", True),
        ("no such mode", "mtu 1500", False),
    ],
    ids=str,
)
def test_command_belongs_to_a_mode(mode: str, command: str, inside: bool) -> None:
    assert belongs(mode, command) is inside


def test_modes_without_words_are_the_ones_that_end_where_they_begin() -> None:
    opened = {
        line.rpartition(">")[2].strip()
        for table in OPENERS.values()
        for line in table.strip().splitlines()
    }
    assert opened - {"-"} - set(SUBCOMMANDS) == {"ip-sla-operation"}
