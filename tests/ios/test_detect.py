"""What a text is: IOS is taken, everything else is named with the line that shows it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.ios.syntax.detect import Dialect, identify

ROUTER = "hostname R1\ninterface Serial0/0\n ip address 10.0.0.1 255.0.0.0\n"


@pytest.mark.parametrize(
    ("text", "dialect"),
    [
        pytest.param(ROUTER, Dialect.IOS, id="a draft for a router"),
        pytest.param("tx-ring-limit 3\n", Dialect.IOS, id="one line that only IOS has"),
        pytest.param(
            "ver 12.4\nclass-m match-any VOICE\n mat ip ds ef\npolicy-m WAN\n cl VOICE\n  prio 400\n",
            Dialect.IOS,
            id="`version` abbreviated: that of FastIron has three numbers",
        ),
        pytest.param(
            "class-map VOICE\nmatch ip dscp ef\npolicy-map P\nclass VOICE\npriority 64\n",
            Dialect.IOS,
            id="a flat policy",
        ),
        pytest.param(
            "banner motd ^C\nWelcome to the network.\nPlease behave, or leave.\n^C\nhostname R1\n",
            Dialect.IOS,
            id="prose in a banner does not count",
        ),
        pytest.param(
            f"version 15.1\n{ROUTER} description feature of vdc\n", Dialect.IOS,
            id="words of another system inside a line do not count",
        ),
        pytest.param(
            "version 7.3(1)D1(1)\nfeature bgp\nvrf context M\n", Dialect.NXOS, id="NX-OS by its version"
        ),
        pytest.param("hostname r1\nfeature bgp\n", Dialect.NXOS, id="NX-OS by its features"),
        pytest.param(
            "interface GigabitEthernet0/0\n nameif outside\n security-level 0\n"
            "priority-queue outside\n tx-ring-limit 3\n", Dialect.ASA,
            id="ASA by its interfaces, with a ring as IOS has it",
        ),
        pytest.param(
            "version RGOS 10.4(3)\ninterface serial 1/0\n service-policy output WAN\n",
            Dialect.RUIJIE, id="Ruijie by its version",
        ),
        pytest.param(
            "policy-map type quality-of-service WAN\n class VOICE\n  set traffic-class 5\n",
            Dialect.EOS, id="EOS by the type of its policy-map",
        ),
        pytest.param("ASA Version 9.7(1)24\nhostname fw\n", Dialect.ASA, id="ASA by its version"),
        pytest.param(
            "interface GigabitEthernet0/0\n nameif inside\n security-level 100\n", Dialect.ASA,
            id="ASA by its interfaces",
        ),
        pytest.param(
            "!! IOS XR Configuration 6.1.2\nhostname P1\n", Dialect.IOS_XR, id="IOS XR by its header"
        ),
        pytest.param(
            "interface GigabitEthernet0/0/0/0\n ipv4 address 10.0.0.1 255.0.0.0\n", Dialect.IOS_XR,
            id="IOS XR by its interfaces",
        ),
        pytest.param(
            "! device: leaf1 (DCS-7260, EOS-4.22.3M)\nhostname leaf1\n", Dialect.EOS,
            id="EOS by its header",
        ),
        pytest.param(
            "hostname s1\ninterface Ethernet1\n   ip address 10.0.0.1/31\n", Dialect.EOS,
            id="EOS by its addresses",
        ),
        pytest.param(
            "set system host-name r1\nset interfaces ge-0/0/0 unit 0\n", Dialect.JUNOS,
            id="JunOS as commands",
        ),
        pytest.param(
            "version 20.4R3.8;\nsystem {\n    host-name r1;\n}\n", Dialect.JUNOS, id="JunOS in braces"
        ),
        pytest.param("ltm node /Common/a {\n    address 192.0.2.1\n}\n", Dialect.F5, id="F5"),
        pytest.param("auto lo\niface lo inet loopback\n", Dialect.DEBIAN, id="Linux interfaces"),
        pytest.param("thing {\n  a b;\n  c d;\n}\n", Dialect.OTHER, id="braces of an unknown system"),
        pytest.param(
            "Dear colleague,\nthe router in Rome is slow again.\nPlease have a look.\n",
            Dialect.NOT_A_CONFIG,
            id="prose",
        ),
        pytest.param(
            "{\\rtf1\\ansi version 15.1\\par\nhostname R1\\par\n", Dialect.MARKED_UP, id="WordPad"
        ),
        pytest.param("%PDF-1.4\nversion 15.1\nhostname R1\n", Dialect.MARKED_UP, id="PDF"),
        pytest.param(
            "Content-Transfer-Encoding: quoted-printable\n\nversion 15.1\nhostname R1\n"
            "policy-map P\n class class-default=20\n",
            Dialect.MARKED_UP,
            id="a mail that encodes blanks",
        ),
        pytest.param(
            "Content-Transfer-Encoding: quoted-printable\n\nversion 15.1\nhostname R1\nend\n",
            Dialect.IOS,
            id="a mail that has nothing to encode",
        ),
        pytest.param(
            f"Content-Transfer-Encoding: base64\n\n{'dmVyc2lvbiAxNS4x' * 4}\n",
            Dialect.MARKED_UP,
            id="a mail in base64",
        ),
        pytest.param(
            "version 15.1\nhostname R1\ninterface Serial0/0\n bandwidth 64\n"
            f"Content-Transfer-Encoding: base64\n\n{'dmVyc2lvbiAxNS4x' * 4}\n",
            Dialect.IOS,
            id="a mail with a picture behind the text",
        ),
        pytest.param("\x00\x01\x02\xffELF", Dialect.NOT_A_CONFIG, id="binary"),
        pytest.param("import re\nfrom os import path\n", Dialect.NOT_A_CONFIG, id="a program"),
        pytest.param(
            "Interface   IP-Address  OK? Method Status  Protocol\nSerial0  10.0.0.1  YES NVRAM up up\n",
            Dialect.NOT_A_CONFIG,
            id="a show output",
        ),
        pytest.param(
            "route-map MARK, permit, sequence 10\n  Match clauses:\n  Set clauses:\n"
            "    ip precedence critical\n  Policy routing matches: 0 packets, 0 bytes\n",
            Dialect.NOT_A_CONFIG,
            id="show route-map",
        ),
        pytest.param(
            "Clock is synchronized, stratum 4, reference is 192.0.2.9\n"
            "nominal freq is 250.0000 Hz, actual freq is 250.0001 Hz\n"
            "clock offset is 1.2 msec, root delay is 7.5 msec\nroot dispersion is 3.1 msec\n",
            Dialect.NOT_A_CONFIG,
            id="show ntp status, whose root dispersion is no command of IOS XR",
        ),
        pytest.param("", Dialect.EMPTY, id="nothing"),
        pytest.param("\n  \r\n", Dialect.EMPTY, id="blanks"),
    ],
)  # fmt: skip
def test_dialect_of_a_text(text: str, dialect: Dialect) -> None:
    assert identify(text).dialect is dialect


# Parts of configurations of other systems, without the header that names the system.
OTHER_SYSTEMS = [
    pytest.param(Dialect.NXOS, "interface Ethernet1/1\n  vrf member A\n  ip address 10.0.0.1/30\n",
                 id="NX-OS, an interface"),
    pytest.param(Dialect.NXOS, "role name OPERATOR\n  rule 1 permit read\n", id="NX-OS, a role"),
    pytest.param(Dialect.ASA, "access-list OUT extended permit tcp any host 192.0.2.1 eq 443\n",
                 id="ASA, an access list"),
    pytest.param(Dialect.ASA, "object network WEB\n host 192.0.2.1\nroute outside 0.0.0.0 0.0.0.0 192.0.2.9 1\n",
                 id="ASA, objects and routes"),
    pytest.param(Dialect.ASA, "tunnel-group 192.0.2.1 type ipsec-l2l\ncrypto map M interface outside\n",
                 id="ASA, a tunnel"),
    pytest.param(Dialect.ASA, "class-map inspection_default\n match default-inspection-traffic\n"
                 "service-policy global_policy global\n", id="ASA, an inspection policy"),
    pytest.param(Dialect.ASA, "mtu inside 1500\nssh 10.0.0.0 255.0.0.0 inside\ntimeout xlate 3:00:00\n",
                 id="ASA, lines without sections"),
    pytest.param(Dialect.IOS_XR, "!RANCID-CONTENT-TYPE: cisco\n!\nhostname P1\n"
                 "interface TenGigE0/0/0/0\n ipv4 address 192.0.2.1 255.255.255.252\n",
                 id="IOS XR behind a RANCID header"),
    pytest.param(Dialect.IOS_XR, "!RANCID-CONTENT-TYPE: cisco\nroute-policy PASS\n  pass\nend-policy\n",
                 id="a route policy behind a RANCID header"),
    pytest.param(Dialect.CATOS, "#version 8.4(2)\nset vtp domain LAB\nset spantree enable 1\n", id="CatOS"),
    pytest.param(Dialect.AIREOS, "config wlan create 1 guest guest\nconfig mobility group domain A\n",
                 id="AireOS"),
    pytest.param(Dialect.SMALL_BUSINESS, "config-file-header\nsw1\nv1.4.1\n@\nhostname sw1\n",
                 id="a Small Business switch"),
    pytest.param(Dialect.EOS, "vlan 5\nvrf instance A\ninterface Ethernet1\n   no switchport\n", id="EOS"),
    pytest.param(Dialect.JUNOS, "interfaces {\n    ge-0/0/0 {\n        unit 0;\n    }\n}\n", id="JunOS"),
    pytest.param(Dialect.AOS_CX, "hostname sw1\ninterface 1/1/1\n    no shutdown\n    vlan access 5\n",
                 id="AOS-CX"),
    pytest.param(Dialect.ARUBA_OS, 'version 8.10\nhostname "wlc1"\nwlan ssid-profile "A"\n   essid "A"\n!\n',
                 id="ArubaOS"),
    pytest.param(Dialect.ARUBA_OS, "virtual-controller-country DE\nname vc1\nterminal-access\n",
                 id="Aruba Instant"),
    pytest.param(Dialect.PROCURVE, '; J9728A Configuration Editor; Created on release\nhostname "sw1"\n',
                 id="ProCurve"),
    pytest.param(Dialect.COMWARE, "#\n sysname sw1\n#\ninterface Vlan-interface1\n ip address 10.0.0.1 24\n",
                 id="Comware"),
    pytest.param(Dialect.COMWARE, "interface Vlanif10\n undo shutdown\nip route-static 0.0.0.0 0 10.0.0.1\n",
                 id="VRP"),
    pytest.param(Dialect.FASTPATH, 'hostname "sw1"\nserviceport protocol none\nvlan database\nvlan 10\nexit\n',
                 id="EFOS"),
    pytest.param(Dialect.FASTPATH, "interface 0/9\nservice-policy in SHARED\nno shutdown\n"
                 "vlan participation include 10\nexit\n", id="EFOS, an interface"),
    pytest.param(Dialect.FASTPATH, "policy-map SHARED in\nclass C5\nassign-queue 5\nexit\nexit\n",
                 id="EFOS, a policy"),
    pytest.param(Dialect.FASTIRON, "ver 08.0.30\nvlan 5 name A by port\n tagged ethe 1/1/1\n", id="FastIron"),
    pytest.param(Dialect.DELL, "hostname sw1\nstack-unit 0 provision S4810\n", id="Dell OS9"),
    pytest.param(Dialect.DELL, "interface mgmt1/1/1\n no shutdown\n", id="Dell OS10"),
    pytest.param(Dialect.EXOS, 'create vlan "A"\nconfigure vlan A tag 5\n', id="EXOS"),
    pytest.param(Dialect.ALLIEDWARE, "hostname awplus\ninterface port1.0.1\n switchport\n", id="AlliedWare"),
    pytest.param(Dialect.SROS, "# TiMOS-B-14.0.R4\nexit all\nconfigure\n", id="SR OS"),
    pytest.param(Dialect.V_SOL, "hostname olt1\nprofile dba id 1 name A\ninterface gpon 0/1\n"
                 "onu 1 profile line id 1\n", id="V-SOL"),
    pytest.param(Dialect.A10, "hostname lb1\nslb server S1 10.0.0.1\n  port 80 tcp\n", id="A10"),
    pytest.param(Dialect.FORTIOS, 'config system interface\n    edit "port1"\n    next\nend\n', id="FortiOS"),
    pytest.param(Dialect.PANOS, "set deviceconfig system hostname fw1\n", id="PAN-OS"),
    pytest.param(Dialect.GAIA, "set interface eth0 state on\nset static-route default nexthop gateway address 10.0.0.1 on\n",
                 id="Gaia"),
    pytest.param(Dialect.TNSR, "nacm enable\ndataplane dpdk dev 0000:06:00.0 network name WAN\n"
                 "interface WAN\n    enable\n    ip address 10.0.0.1/24\nexit\n", id="TNSR"),
    pytest.param(Dialect.VYOS, "set interfaces ethernet eth0 address dhcp\nset service ssh port 22\n", id="VyOS"),
    pytest.param(Dialect.ROUTEROS, "/ip address\nadd address=10.0.0.1/24 interface=ether1\n", id="RouterOS"),
    pytest.param(Dialect.FRR, "frr version 7.5\nfrr defaults traditional\nhostname r1\nrouter bgp 1\n", id="FRR"),
]  # fmt: skip


@pytest.mark.parametrize(("dialect", "text"), OTHER_SYSTEMS)
def test_other_system_is_named(dialect: Dialect, text: str) -> None:
    assert identify(text).dialect is dialect


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "interface Serial0 is down since the change of yesterday\nclock and line are fine\n"
            "please have a look at the router\n",
            id="prose that begins with words of IOS",
        ),
        pytest.param(
            "ip prefix-list A: 2 entries\n   seq 5 deny 10.0.0.0/24\n   seq 10 permit 0.0.0.0/0\n",
            id="show ip prefix-list",
        ),
        pytest.param(
            "        show policy-map\n\n        Policy Map A\n            Class B\n",
            id="show policy-map, indented",
        ),
        pytest.param("show processes cpu | include CPU\nCPU utilization: 7%\n", id="a filter"),
        pytest.param(
            "name            state    vlan\nserver          up       5\nservice         down     6\n",
            id="a table whose rows begin with words of IOS",
        ),
        pytest.param("exit\nquit\nend\n", id="the end of a session"),
        pytest.param(
            "hostname box1\nuplink eth0 on\nfoo bar\nstp-guard on\nsyslog-host 10.0.0.1\n",
            id="a host name among commands of an unknown system",
        ),
    ],
)  # fmt: skip
def test_text_that_only_looks_like_ios_is_none(text: str) -> None:
    assert identify(text).dialect is Dialect.NOT_A_CONFIG


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("username admin privilege 15\nusername guest privilege 1\n", id="users"),
        pytest.param("ip sla 1\n icmp-echo 10.0.0.1\nip sla schedule 1 start-time now\n", id="probes"),
        pytest.param("interface Vlan5\n description to the core and to you.\n", id="free text"),
        pytest.param("policy-map A\nclass B\npriority 64\nexit\nexit\nexit\n", id="many exits"),
        pytest.param("interface Vlan5\n no ip address\n ipv6 unreachables\n", id="IPv6 of an interface"),
        pytest.param("show running-config interface Vlan5\n\ninterface Vlan5\n mtu 1500\n", id="a command before"),
        pytest.param(
            "r1(config)#class-m VOICE\nr1(config-cmap)#mat ip ds ef\nr1(config-cmap)#policy-m WAN\n"
            "r1(config-pmap)#cl VOICE\nr1(config-pmap-c)#prio 128\nr1(config-pmap-c)#^Z\n",
            id="abbreviated commands at the prompts of modes",
        ),
        pytest.param("dial-peer voice 1 pots\n destination-pattern 1...\n", id="a dial peer"),
        pytest.param("access-list 1 remark this is the office\naccess-list 1 permit any\n", id="remarks"),
    ],
)  # fmt: skip
def test_part_of_an_ios_configuration_is_taken(text: str) -> None:
    assert identify(text).dialect is Dialect.IOS


def test_evidence_is_the_line_that_weighs_most() -> None:
    text = "hostname leaf1\ninterface Ethernet1\n! device: leaf1 (vEOS, EOS-4.21.1.1F)\n"
    assert identify(text).evidence == "! device: leaf1 (vEOS, EOS-4.21.1.1F)"


@given(st.text() | st.binary().map(lambda payload: payload.decode("latin-1")))
def test_any_text_is_something(text: str) -> None:
    assert identify(text).dialect in Dialect
