"""Which command opens which mode, and what belongs to a mode."""

import pytest

from advisor.ios.grammar import OPENERS, SUBCOMMANDS
from advisor.ios.syntax.modes import belongs, is_global_command, is_local, opens_mode


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
        ("global", "crypto map M 10 ipsec-isakmp", "crypto-map"),
        ("global", "crypto map M local-address Loopback0", None),
        ("global", "access-list 101 permit ip any any", None),
        ("global", "call-home reporting anonymous", None),
        ("global", "crypto ipsec client ezvpn HQ", "crypto"),
        ("global", "dot11 ssid GUEST", "dot11-ssid"),
        ("global", "aaa accounting exec default", "aaa-accounting"),
        ("global", "aaa accounting exec default start-stop group tacacs+", None),
        ("global", "parser view OPERATOR", "parser-view"),
        ("global", "template peer-session S", None),
        ("router", "template peer-session S", "router-template"),
        ("crypto", "peer BRANCH", "ikev2-peer"),
        ("monitor-session", "destination", "monitor-end"),
        ("monitor-session", "destination interface Gi0/1", None),
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
    opened = {row.rpartition(">")[2].strip() for rows in OPENERS.values() for row in rows}
    assert opened - {"-"} - set(SUBCOMMANDS) == {"ip-sla-operation"}


# What stands under an interface, with a first word that global configuration mode has too.
OF_AN_INTERFACE = """
    cdp enable|clock rate 64000|clock source line|crypto map M|crypto map M redundancy HA
    decnet cost 5|dialer pool-member 1|dot1x pae authenticator|ethernet cfm interface
    ethernet cfm mep domain D mpid 1 vlan 5|ethernet cfm mip level 5|ethernet oam
    frame-relay class C|frame-relay interface-dlci 100|frame-relay map ip 10.0.0.1 100
    ip access-group A in|ip accounting output-packets|ip address 10.0.0.1 255.0.0.0
    ip admission POLICY|ip arp inspection limit rate 15|ip arp inspection trust|ip audit A in
    ip auth-proxy POLICY|ip ddns update U|ip dhcp snooping trust|ip dvmrp metric 1|ip flow ingress
    ip igmp join-group 239.1.1.1|ip inspect FW out|ip ips IPS in|ip nat inside
    ip nbar protocol-discovery|ip nhrp network-id 1|ip ospf 1 area 0|ip ospf cost 5
    ip pim sparse-mode|ip policy route-map R|ip rsvp bandwidth 64|ip rtp priority 16384 16383 64
    ip tcp adjust-mss 1360|ip unnumbered Loopback0|ip vrf forwarding V
    ip wccp web-cache redirect in|ipv6 enable|ipv6 nd ra suppress|ipv6 traffic-filter A in
    isdn spid1 1|lacp port-priority 5|lldp transmit|mac access-group A in|macro description M
    mls qos trust dscp|mpls ldp discovery transport-address interface|mpls ldp igp sync
    mpls traffic-eng administrative-weight 5|multilink max-links 2|ntp disable|power inline never
    ppp multilink|qos pre-classify|service instance 5 ethernet|snmp trap link-status
    source-bridge 1 1 100|spanning-tree cost 5|spanning-tree mst 1 cost 5|spanning-tree portfast
    spanning-tree vlan 5 cost 4|standby 1 ip 10.0.0.1|tunnel source Loopback0|udld port
    vrf forwarding V|x25 address 5|xconnect 10.0.0.1 5 encapsulation mpls
"""
OF_BOTH = """
    crypto ipsec client ezvpn HQ|crypto ipsec df-bit clear|ip device tracking maximum 10
    crypto ipsec fragmentation before-encryption|isdn switch-type basic-net3|load-interval 30
    logging event link-status|mpls ip|mpls traffic-eng tunnels|standby redirect|tag-switching ip
"""
NEVER_OF_AN_INTERFACE = """
    crypto isakmp policy 10|dlsw local-peer peer-id 10.0.0.1|ethernet cfm domain D level 5
    ip admission name A proxy http|ip arp inspection vlan 5|ip audit notify log
    ip auth-proxy name A http|ip cef|ip dhcp pool P|ip dhcp snooping database x|ip dvmrp routehog 1
    ip inspect name FW tcp|ip ips name IPS|ip nat inside source list 1 pool P|ip route 0.0.0.0
    ip wccp web-cache|logging 10.0.0.1|macro name M|mls qos|mls qos map cos-dscp 0 8
    mpls ldp igp sync holddown 5|mpls ldp router-id Loopback0|mpls traffic-eng reoptimize
    multilink bundle-name authenticated|ntp server 10.0.0.1|ntp broadcastdelay 5|qos
    service timestamps log uptime|snmp mib persist|source-bridge ring-group 100
    spanning-tree portfast bpduguard default|spanning-tree mst 1 priority 4096|stun peer-name x
    spanning-tree vlan 5 priority 4096|vpdn enable|x25 route 5
"""


def commands(table: str) -> list[str]:
    return [command.strip() for line in table.strip().splitlines() for command in line.split("|")]


@pytest.mark.parametrize("command", commands(OF_AN_INTERFACE))
def test_command_of_an_interface_is_no_global_one(command: str) -> None:
    assert belongs("interface", command)
    assert belongs("interface", f"no {command}")
    assert is_local(command)


@pytest.mark.parametrize("command", commands(OF_BOTH))
def test_command_of_both_modes_is_the_interface_s_inside_of_one(command: str) -> None:
    assert belongs("interface", command)
    assert not is_local(command)


@pytest.mark.parametrize("command", commands(NEVER_OF_AN_INTERFACE))
def test_global_command_is_never_one_of_an_interface(command: str) -> None:
    assert not belongs("interface", command)
    assert not is_local(command)


@pytest.mark.parametrize(
    "command",
    [
        "authentication mac-move permit",
        "l2protocol-tunnel cos 5",
        "secure boot-image",
        "transceiver type all",
        "wrr-queue bandwidth 1 2 3 4",
        "xconnect logging redundancy",
    ],
)
def test_global_command_is_not_out_of_place(command: str) -> None:
    assert not is_local(command)


@pytest.mark.parametrize(
    ("command", "is_global"),
    [("ip route 0.0.0.0 0.0.0.0 Null0", True), ("router ospf 1", True), ("dialer-list 1", False)],
)
def test_words_that_prove_a_global_command(command: str, is_global: bool) -> None:
    assert is_global_command(command) is is_global
