"""Configurations without indentation nest by the modes that their commands open."""

from collections.abc import Callable

import pytest

from advisor.ios.syntax.reader import parse_config

Outline = Callable[[str], list[str]]

# What `show running-config` prints; each must nest the same with its indentation taken away.
NESTED = [
    pytest.param("""\
class-map match-any VOICE
 match ip dscp ef
 match access-group name VOICE
policy-map CHILD
 class VOICE
  priority 128
 class DATA
  bandwidth remaining percent 40
  random-detect dscp-based
  random-detect dscp 10 20 40 10
 class class-default
  fair-queue
  queue-limit 64 packets
policy-map PARENT
 class class-default
  shape average 512000
  service-policy CHILD
interface Serial0/1/0
 bandwidth 512
 ip address 172.16.1.129 255.255.255.252
 encapsulation ppp
 tx-ring-limit 3
 service-policy output PARENT
""", id="class-map, policy-map, nested policy, interface"),
    pytest.param("""\
policy-map POLICE
 class A
  police cir 128000 bc 4000
   conform-action transmit
   exceed-action drop
  set dscp ef
 class B
  police 128000 8000 conform-action transmit exceed-action drop
""", id="police in both its forms"),
    pytest.param("""\
interface ATM0/0/0
 no ip address
interface ATM0/0/0.2 point-to-point
 description VP
 bandwidth 3560
 pvc infn-qos 0/100
  vbr-nrt 3560 3560
  encapsulation aal5mux ip
  tx-ring-limit 5
  service-policy output wred-out
 ip mtu 1500
ip route 0.0.0.0 0.0.0.0 ATM0/0/0.2
""", id="what a PVC does not know is the interface's"),
    pytest.param("""\
interface Serial0/0.1 point-to-point
 frame-relay interface-dlci 100
  class SHAPE
interface ATM1/0
 bundle B
  protocol ip 10.0.0.1 broadcast
  pvc-bundle P1 1/101
   precedence 5
map-class frame-relay SHAPE
 frame-relay cir 64000
 service-policy output P
vc-class atm V
 vbr-nrt 512 512
""", id="DLCI, bundle, map-class and vc-class"),
    pytest.param("""\
vrf definition V
 rd 1:1
 address-family ipv4
 exit-address-family
router bgp 65000
 bgp log-neighbor-changes
 neighbor 10.0.0.1 remote-as 65001
 address-family ipv4
  neighbor 10.0.0.1 activate
 exit-address-family
 address-family vpnv4
  neighbor 10.0.0.1 activate
 exit-address-family
router eigrp NAMED
 address-family ipv4 unicast autonomous-system 1
  af-interface default
   hello-interval 5
  exit-af-interface
  topology base
  exit-af-topology
  network 10.0.0.0
 exit-address-family
ip route 0.0.0.0 0.0.0.0 Null0
""", id="routing with address families"),
    pytest.param("""\
ip sla 50000
 icmp-jitter 172.16.1.130
 timeout 1000
 frequency 2
ip sla schedule 50000 start-time now
ip sla monitor 5
 type jitter dest-ipaddr 10.0.0.1 dest-port 16384
 frequency 30
rtr 1
 type echo protocol ipIcmpEcho 10.0.0.1
track 1 rtr 1
 delay down 5
""", id="probes of three generations"),
    pytest.param("""\
crypto isakmp policy 10
 encr aes
crypto isakmp profile A
 keyring A
crypto isakmp keepalive 10 10
crypto ipsec transform-set T esp-aes
 mode tunnel
crypto ipsec transform-set U esp-aes
crypto map M 10 ipsec-isakmp
 set peer 10.0.0.1
 match address 101
interface Ethernet0
 crypto map M
key chain K
 key 1
  key-string x
line vty 0 4
 login
ip access-list extended A
 10 permit ip any any
 remark x
aaa group server radius R
 server 10.0.0.1
archive
 log config
  hidekeys
dial-peer voice 1 voip
 destination-pattern 1...
 session target ipv4:10.0.0.2
voice service voip
 sip
  bind all source-interface Loopback0
controller E1 0/0
 channel-group 0 timeslots 1-31
event manager applet X
 event none
""", id="other modes"),
    pytest.param("""\
interface Tunnel0
 qos pre-classify
 mpls traffic-eng tunnels
 max-reserved-bandwidth 90
 mpls ldp igp sync
 ip dvmrp metric 1
 ip arp inspection trust
 ip admission POLICY
 ip auth-proxy POLICY
 ip audit AUDIT in
 ip device tracking maximum 10
 standby redirect
 crypto ipsec client ezvpn HQ inside
 crypto ipsec df-bit clear
 macro description PHONE
 ethernet cfm interface
 decnet cost 5
 class-int V
 dsu bandwidth 44210
 tx-ring-limit 3
interface Dot11Radio0
 encryption mode ciphers aes-ccm
 ssid GUEST
 service-policy output P
""", id="lines of an interface that look global"),
    pytest.param("""\
crypto ikev2 keyring K
 peer BRANCH
  hostname branch.example
  address 10.0.0.2
  pre-shared-key local x
 peer HUB
  address 10.0.0.3
monitor session 1 type erspan-source
 source interface GigabitEthernet0/0
 destination
  erspan-id 5
  ip address 10.0.0.9
  origin ip address 10.0.0.1
monitor session 2 type erspan-destination
 destination interface GigabitEthernet0/1
 source
  erspan-id 5
aaa accounting exec default
 action-type start-stop
 group tacacs+
dot11 ssid GUEST
 vlan 5
 authentication open
 guest-mode
router bgp 65000
 template peer-session S
  remote-as 65001
 exit-peer-session
 neighbor 10.0.0.1 inherit peer-session S
parser view OPERATOR
 secret x
 commands exec include show
""", id="sections inside sections"),
    pytest.param("""\
interface Ethernet0
 ip nat inside
 ip pim sparse-mode
 ip vrf forwarding V
 logging event link-status
 ntp disable
 no cdp enable
ip nat inside source list 1 interface Ethernet0 overload
interface Ethernet1
 ip igmp version 2
ip pim rp-address 10.0.0.1
interface Ethernet2
 mtu 1500
logging buffered 4096
interface Ethernet3
 shutdown
no cdp run
interface Ethernet4
 shutdown
ntp server 10.0.0.1
""", id="words that two modes share are told apart by what follows"),
]  # fmt: skip


def flattened(text: str) -> str:
    return "".join(line.lstrip() for line in text.splitlines(keepends=True))


@pytest.mark.parametrize("text", NESTED)
def test_text_without_its_indentation_nests_the_same(outline: Outline, text: str) -> None:
    assert outline(text) == text.splitlines()
    assert outline(flattened(text)) == text.splitlines()
    assert parse_config(flattened(text)).flat
    assert not parse_config(text).flat


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "interface A0\nmtu 1500\n!\nip cef\n", ["interface A0", " mtu 1500", "ip cef"],
            id="a separator ends a mode",
        ),
        pytest.param(
            "interface A0\nmtu 1500\n!\nlogging event link-status\n",
            ["interface A0", " mtu 1500", "logging event link-status"],
            id="after a separator a word that global mode knows is global",
        ),
        pytest.param(
            "interface A0\nmtu 1500\n!\nip address dhcp\n",
            ["interface A0", " mtu 1500", " ip address dhcp"],
            id="after a separator what only an interface has is the interface's",
        ),
        pytest.param(
            "interface A0\nservice instance 1 ethernet\nencapsulation untagged\n!\n"
            "service instance 2 ethernet\nencapsulation dot1q 2\n",
            ["interface A0", " service instance 1 ethernet", "  encapsulation untagged",
             " service instance 2 ethernet", "  encapsulation dot1q 2"],
            id="a separator between service instances ends no interface",
        ),
        pytest.param(
            "interface A0\ndialer-list 1 protocol ip permit\nmtu 1500\n",
            ["interface A0", " dialer-list 1 protocol ip permit", " mtu 1500"],
            id="a section does not end at a word that its table lacks",
        ),
        pytest.param(
            "interface A0\nmtu 1500\nip cef\nbandwidth 64\n",
            ["interface A0", " mtu 1500", "ip cef", "bandwidth 64"],
            id="a section ends at a command that is surely global",
        ),
        pytest.param(
            "router bgp 1\nneighbor x remote-as 1\n!\naddress-family ipv4\nneighbor x activate\n",
            ["router bgp 1", " neighbor x remote-as 1", " address-family ipv4", "  neighbor x activate"],
            id="a separator inside a block ends nothing",
        ),
        pytest.param(
            "policy-map P\nclass A\npriority 64\nexit\nclass B\nexit\nexit\nip cef\n",
            ["policy-map P", " class A", "  priority 64", "  exit", " class B", "  exit", " exit", "ip cef"],
            id="exit leaves one mode",
        ),
        pytest.param(
            "interface A0\nend\nmtu 1500\n", ["interface A0", "end", "mtu 1500"], id="end leaves all"
        ),
        pytest.param(
            "interface A0\nno mtu 1500\ndefault bandwidth\n",
            ["interface A0", " no mtu 1500", " default bandwidth"],
            id="no and default forms",
        ),
        pytest.param(
            "interface A0\nfrobnicate 3\nmtu 1500\n", ["interface A0", " frobnicate 3", " mtu 1500"],
            id="an unknown word between two lines of a mode is in it",
        ),
        pytest.param(
            "interface A0\nmtu 1500\nfrobnicate 3\nip cef\n",
            ["interface A0", " mtu 1500", "frobnicate 3", "ip cef"],
            id="an unknown word before a global command is global",
        ),
        pytest.param(
            "no interface A0\nmtu 1500\n", ["no interface A0", "mtu 1500"],
            id="what takes a section away does not open it",
        ),
        pytest.param(
            "policy-map P\nclass A\n priority 64\nclass B\nbandwidth 64\nclass C\n",
            ["policy-map P", " class A", "  priority 64", " class B", "  bandwidth 64", " class C"],
            id="one indented line does not make a flat text an indented one",
        ),
        pytest.param(
            "banner motd #\nhi\n#\ninterface A0\nmtu 1500\n",
            ["banner motd #", "interface A0", " mtu 1500"],
            id="a banner has no place in any mode",
        ),
        pytest.param("hostname R1\nip cef\n", ["hostname R1", "ip cef"], id="only global commands"),
    ],
)  # fmt: skip
def test_flat_text(outline: Outline, text: str, expected: list[str]) -> None:
    assert outline(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "R1#conf t\nR1(config)#interface A0\nR1(config-if)#tx-ring-limit 3\nR1(config-if)#end\nR1#\n",
            ["interface A0", " tx-ring-limit 3", "end"],
            id="a session nests as flat text",
        ),
        pytest.param(
            "R1(config)#interface A0\nR1(config-if)#frobnicate\nR1(config-if)#mtu 1500\n",
            ["interface A0", " frobnicate", " mtu 1500"],
            id="the prompt shows that an unknown word is in the mode",
        ),
        pytest.param(
            "R1(config)#interface A0\nR1(config-if)#exit\nR1(config)#ip address x\n",
            ["interface A0", " exit", "ip address x"],
            id="the prompt shows the global mode",
        ),
        pytest.param(
            "interface A0\n mtu 1500\nR1(config)#policy-map P\nR1(config-pmap)#class A\n",
            ["interface A0", " mtu 1500", "policy-map P", " class A"],
            id="a session after an indented text",
        ),
    ],
)
def test_typed_at_prompts(outline: Outline, text: str, expected: list[str]) -> None:
    assert outline(text) == expected


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        pytest.param("interface A0\nmtu 1500\n", [], id="nothing stands outside"),
        pytest.param("tx-ring-limit 3\n", [(1, "misplaced")], id="a line without its section"),
        pytest.param("ip address dhcp\n", [(1, "misplaced")], id="a phrase without its section"),
        pytest.param("mpls traffic-eng tunnels\n", [], id="a phrase of both modes"),
        pytest.param(
            "interface A0\nip cef\nbandwidth 64\n", [(3, "misplaced")],
            id="a line after the end of its section",
        ),
        pytest.param(
            "interface A0\n mtu 1500\n duplex full\nbandwidth 64\n", [],
            id="a line that lost its indentation is put back",
        ),
        pytest.param("bandwidth 64\ninterface A0\n mtu 1500\n", [(1, "misplaced")],
                     id="a line before every section"),
        pytest.param("hostname R1\nfrobnicate 3\n", [(2, "unplaced")], id="an unknown word"),
        pytest.param("interface A0\nfrobnicate 3\nmtu 1500\n", [], id="an unknown word inside"),
        pytest.param("interface A0\n mtu 1500\nfrobnicate 3\n", [],
                     id="indentation shows that an unknown word is global"),
        pytest.param("show running-config\ninterface A0\n mtu 1500\n", [],
                     id="the command that shows a configuration"),
        pytest.param("line vty 0 4\nexit\nexit\nend\n", [], id="exit and end"),
    ],
)  # fmt: skip
def test_lines_that_stand_outside_of_their_section(
    text: str, problems: list[tuple[int, str]]
) -> None:
    shown = parse_config(text).problems
    assert [(problem.number, problem.kind.value) for problem in shown] == problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            "crypto keyring K\n local-address Loopback0\nexit\nip cef\n",
            ["crypto keyring K", " local-address Loopback0", " exit", "ip cef"],
            id="an exit that is printed at the margin",
        ),
        pytest.param(
            "policy-map P\n class A\n  priority 64\n exit\n class B\nexit\nexit\nip cef\n",
            ["policy-map P", " class A", "  priority 64", "  exit", " class B", "  exit", " exit",
             "ip cef"],
            id="an exit leaves the innermost mode",
        ),
    ],
)  # fmt: skip
def test_exit_of_an_indented_text(outline: Outline, text: str, expected: list[str]) -> None:
    assert outline(text) == expected
    assert outline(flattened(text)) == expected
