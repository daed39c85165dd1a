"""A design on a configuration: what stands is left, and what gives way is named."""

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.design.edge import EdgeDesign, RefusedDemand, design_edge
from advisor.design.edge_demand import EdgeFlags, edge_demand
from advisor.device.reading import Source
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.syntax.reader import parse_config
from advisor.predict.what_if.prediction import UnstatedPrediction
from advisor.report.design import loss_words, render_edge
from advisor.report.design import render_edge_markdown as render_markdown
from advisor.settings import Settings

pytestmark = pytest.mark.slow

CLASSES = """\
class-map match-all VOICE
 match ip dscp ef
class-map match-any SIGNAL
 match ip dscp cs3
 match ip dscp af31
class-map match-any ERP
 match ip dscp af21
class-map match-any NETCTL
 match ip dscp cs6 cs7
"""
QUEUES = """\
policy-map QUEUES
 class VOICE
  priority 112
 class SIGNAL
  bandwidth 26
 class ERP
  bandwidth 150
  queue-limit 30
 class NETCTL
  bandwidth percent 5
  random-detect
  set ip dscp cs6
 class class-default
  fair-queue
  random-detect
"""
MAP_CLASS = """\
map-class frame-relay FR-512
 frame-relay cir 512000
 frame-relay bc 5120
 frame-relay be 0
 frame-relay mincir 512000
 frame-relay adaptive-shaping becn
 frame-relay fragment 640
 frame-relay end-to-end keepalive mode bidirectional
 service-policy input REMARK
 service-policy output QUEUES
policy-map REMARK
 class class-default
  set ip dscp default
"""
SHARED = """\
interface Serial0/0
 bandwidth 1536
 no ip address
 encapsulation frame-relay IETF
 frame-relay traffic-shaping
 frame-relay lmi-type ansi
interface Serial0/0.102 point-to-point
 bandwidth 500
 ip address 172.16.2.2 255.255.255.252
 frame-relay interface-dlci 102 IETF
  class FR-512
interface Serial0/0.103 point-to-point
 ip address 172.16.3.2 255.255.255.252
 frame-relay interface-dlci 103
  class FR-512
"""
FRTS = f"version 12.4\nhostname br\nip cef\n{CLASSES}{QUEUES}{MAP_CLASS}{SHARED}router ospf 1\n"
MQC = FRTS.replace(" frame-relay traffic-shaping\n", "").replace("12.4", "15.1")
MQC = MQC.replace("output QUEUES", "output SHAPE").replace(
    " frame-relay adaptive-shaping becn\n", ""
)
MQC += "policy-map SHAPE\n class class-default\n  shape average 486400 4864 0\n"
MQC += "  service-policy QUEUES\n"
SERIAL = f"""\
version 12.4
hostname br
ip cef
{CLASSES}{QUEUES}interface Serial0/1
 bandwidth 1544
 ip address 10.0.0.1 255.255.255.252
 ip tcp adjust-mss 1360
 encapsulation ppp
 ip rtp header-compression
 ppp authentication chap
 max-reserved-bandwidth 90
 tx-ring-limit 4
 hold-queue 100 out
 service-policy input REMARK
 service-policy output QUEUES
policy-map REMARK
 class class-default
  set ip dscp default
"""
PVC = f"""\
version 12.4
hostname hub
ip cef
{CLASSES}{QUEUES}interface ATM1/0
 no ip address
interface ATM1/0.101 point-to-point
 ip address 10.9.1.1 255.255.255.252
 pvc braga 1/101
  protocol ip 10.9.1.2 broadcast
  vbr-nrt 8000 8000 94
  oam-pvc manage
  encapsulation aal5snap
  service-policy output QUEUES
"""
BUNDLE = f"""\
version 12.4
hostname br
ip cef
{CLASSES}{QUEUES}interface Multilink1
 ip address 10.7.0.1 255.255.255.252
 ppp multilink
 ppp multilink group 1
 ppp multilink fragment delay 8
 ppp multilink interleave
 service-policy output QUEUES
interface Serial0/0
 no ip address
 encapsulation ppp
 ppp multilink
 ppp multilink group 1
 tx-ring-limit 2
interface Serial0/1
 no ip address
 encapsulation ppp
 ppp multilink
 ppp multilink group 1
"""
METRO = f"""\
version 15.2
hostname br
ip cef
{CLASSES}{QUEUES}policy-map SHAPE
 class class-default
  shape average 50000000
  service-policy QUEUES
interface GigabitEthernet0/0
 ip address 192.0.2.1 255.255.255.0
 service-policy output SHAPE
interface GigabitEthernet0/1
 no ip address
interface GigabitEthernet0/1.30
 encapsulation dot1Q 30
 ip address 10.30.0.1 255.255.255.0
 service-policy output SHAPE
"""
CAR = "rate-limit output 1000000 187500 375000 conform-action transmit exceed-action drop"
OF_CIRCUIT = {"link": "1536k", "cir": "512k", "interface": "Serial0/0.102"}
PLACES = {
    "FRTS": (FRTS, OF_CIRCUIT),
    "policy of a circuit": (MQC, OF_CIRCUIT),
    "serial": (SERIAL, {"link": "1544k", "interface": "Serial0/1"}),
    "PVC": (PVC, {"link": "8m", "interface": "ATM1/0.101"}),
    "bundle": (BUNDLE, {"link": "1536k", "interface": "Multilink1"}),
    "port": (METRO, {"port": "1g", "cir": "20m", "interface": "GigabitEthernet0/0"}),
    "VLAN": (METRO, {"port": "1g", "cir": "20m", "interface": "GigabitEthernet0/1.30"}),
}


def on(text: str, **stated: object) -> EdgeDesign | RefusedDemand:
    return _on(text, tuple(sorted(stated.items())))


@cache
def _on(text: str, stated: tuple[tuple[str, object], ...]) -> EdgeDesign | RefusedDemand:
    flags = EdgeFlags(**{"calls": 4, **dict(stated)})  # type: ignore[arg-type]
    source = Source("r1.cfg", text.encode())
    return design_edge(edge_demand(flags, is_on_config=True), Settings(), source)


def designed(text: str, **stated: object) -> EdgeDesign:
    design = on(text, **stated)
    assert isinstance(design, EdgeDesign), design
    return design


def losses(design: EdgeDesign) -> str:
    return "\n".join(map(loss_words, design.losses))


@pytest.mark.parametrize("place", PLACES)
def test_an_encapsulation_that_stands_is_in_no_line(place: str) -> None:
    text, stated = PLACES[place]
    design = designed(text, **stated)

    pasted = [*design.lines, *design.rollback]
    assert not [line for line in pasted if "encapsulation" in line or "lmi-type" in line]


@pytest.mark.parametrize("place", PLACES)
def test_every_guarantee_that_is_dropped_is_named_with_its_rate_above_the_lines(place: str) -> None:
    text, stated = PLACES[place]
    design = designed(text, **stated)

    for name in ("SIGNAL", "ERP", "NETCTL"):
        (loss,) = (each for each in design.losses if each.class_name == name)
        assert loss.rate_kbps is not None
    for report in (render_edge(design), render_markdown(design)):
        before, _, _ = report.partition("Lines")
        assert "ERP: the design has no such class" in " ".join(before.split())
        assert "150 kb/s" in " ".join(before.split())


@pytest.mark.parametrize("place", PLACES)
def test_an_equal_class_map_is_used_whatever_its_name_and_form(place: str) -> None:
    text, stated = PLACES[place]
    design = designed(text, signalling=True, data=("af21=20%",), **stated)

    assert not [line for line in design.lines if line.startswith("class-map")]
    assert {" class VOICE", " class SIGNAL", " class ERP"} <= set(design.lines)
    assert "no such class" in losses(design)  # NETCTL
    assert "ERP: the design has no such class" not in losses(design)


def test_a_circuit_keeps_its_fragments_keepalive_and_input_policy_and_its_dlci_words() -> None:
    design = designed(FRTS, **OF_CIRCUIT)

    kept = (
        " frame-relay fragment 640",
        " frame-relay end-to-end keepalive mode bidirectional",
        " service-policy input REMARK",
        " frame-relay interface-dlci 102 IETF",
    )
    assert [line for line in kept if line not in design.lines] == []
    assert any("FRF.12 of 640 bytes stays" in remark for remark in design.remarks)
    assert design.far is not None
    assert " frame-relay fragment 640" in design.far.lines
    assert kept[1] in design.far.lines
    assert "`frame-relay adaptive-shaping becn` is taken off" in losses(design)


def test_the_far_end_replies_to_the_keepalives_that_this_end_sends() -> None:
    text = FRTS.replace("mode bidirectional", "mode request")
    design = designed(
        text.replace(
            "mode request", "mode request\n frame-relay end-to-end keepalive timer send 20"
        ),
        **OF_CIRCUIT,
    )

    assert design.far is not None
    assert " frame-relay end-to-end keepalive mode reply" in design.far.lines
    assert " frame-relay end-to-end keepalive timer recv 20" in design.far.lines


def test_a_shared_map_class_is_not_edited() -> None:
    design = designed(FRTS, **OF_CIRCUIT)

    assert not any("FR-512" in line for line in design.lines)


def test_new_fragments_ask_for_both_ends() -> None:
    text = FRTS.partition("interface Serial0/0.103")[0].replace(" frame-relay fragment 640\n", "")
    text = text.replace("bandwidth 1536", "bandwidth 512")
    design = designed(text, interface="Serial0/0.102", link="512k", cir="256k", calls=2)

    assert any("FRF.12 is new on this circuit: change both ends" in each for each in design.remarks)


@pytest.mark.parametrize(
    ("place", "said"),
    [
        pytest.param("serial", "`tx-ring-limit 4` becomes `tx-ring-limit 1`", id="a ring"),
        pytest.param(
            "FRTS", "`bandwidth 500` becomes `bandwidth 512`", id="the bandwidth of a subinterface"
        ),
        pytest.param("FRTS", "class-default: `random-detect` is taken off", id="WRED"),
        pytest.param("FRTS", "`priority 112` becomes `priority 103`", id="the rate of voice"),
        pytest.param(
            "port",
            "`shape average 50000000` becomes `shape average 20000000 80000 0`",
            id="a shaper",
        ),
        pytest.param("serial", "`random-detect`, `set ip dscp cs6`", id="a marking"),
        pytest.param("FRTS", "--data af21=30% keeps a class for it", id="how to keep a class"),
        pytest.param(
            "FRTS", "--data signalling=6% keeps a class for it", id="how to keep signalling"
        ),
    ],
)
def test_what_gives_way_is_named(place: str, said: str) -> None:
    text, stated = PLACES[place]

    assert said in losses(designed(text, **stated))


def test_a_class_that_asks_for_more_than_the_line_has_no_option_that_keeps_it() -> None:
    text = METRO.replace("service-policy output SHAPE", "service-policy output QUEUES", 1)
    port = "GigabitEthernet0/0"
    said = losses(
        designed(
            text.replace("bandwidth 150", "bandwidth 30000"), port="1g", cir="20m", interface=port
        )
    )
    assert "the design has no such class; it loses" in said
    assert "--data af21" not in said


XE = """\
version 16.9
hostname xe
class-map match-any VOICE
 match dscp ef
policy-map CHILD
 class VOICE
  priority level 1
{actions} class class-default
  bandwidth remaining percent 80
policy-map SHAPE
 class class-default
  shape average 20000000
  service-policy CHILD
interface GigabitEthernet0/0/0
 bandwidth 20000
 ip address 192.0.2.2 255.255.255.252
 service-policy output SHAPE
end
"""
OF_XE = {"port": "1g", "cir": "20m", "interface": "GigabitEthernet0/0/0", "platform": "ISR4331"}


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        pytest.param("  police cir percent 20\n",
                     ["`police cir percent 20` becomes `police cir 119000`"], id="of a percent"),
        pytest.param("  police cir 4000000\n",
                     ["`police cir 4000000` becomes `police cir 119000`"], id="of a rate"),
        pytest.param("  police cir 4000000\n   conform-action set-dscp-transmit ef\n",
                     ["`police cir 4000000` becomes", "`conform-action set-dscp-transmit ef` is"],
                     id="of a rate with actions"),
        pytest.param("", ["`police cir 119000` is new: it drops what is above that rate"],
                     id="there was none"),
        pytest.param("  police cir 119000\n", [], id="the same one"),
        pytest.param("  police cir 4000000\n  set dscp ef\n  queue-limit 30\n",
                     ["`police cir 4000000` becomes", "`set dscp ef` is taken off",
                      "`queue-limit 30` is taken off"], id="and all else of the class"),
    ],
)  # fmt: skip
def test_a_policer_that_is_another_one_is_named(actions: str, said: list[str]) -> None:
    named = losses(designed(XE.format(actions=actions), **OF_XE)).splitlines()
    of_voice = [line for line in named if "policy-map CHILD > class VOICE" in line]

    assert len(of_voice) == len(said)
    assert all(any(words in line for line in of_voice) for words in said)


HUB = f"""\
version 12.4
hostname hub
{CLASSES}policy-map QUEUES
 class VOICE
  priority 128
 class class-default
  fair-queue
map-class frame-relay FR-512
 frame-relay cir 512000
 frame-relay mincir 512000
 frame-relay fragment 160
 service-policy output QUEUES
map-class frame-relay FR-128
 frame-relay cir 128000
 frame-relay mincir 128000
 frame-relay fragment 160
interface Serial0/0
 no ip address
 encapsulation frame-relay
 clock rate 1536000
 frame-relay traffic-shaping
interface Serial0/0.101 point-to-point
 frame-relay interface-dlci 101
  class FR-128
interface Serial0/0.102 point-to-point
 ip address 192.0.2.1 255.255.255.252
 frame-relay interface-dlci 102
  class FR-512
end
"""


def test_fragments_that_the_other_end_has_are_a_note_of_the_far_end_and_refuse_nothing() -> None:
    design = designed(HUB, **OF_CIRCUIT)

    (note,) = (each for each in design.remarks if "LFI002" in each)
    assert note.startswith("at the far end: LFI002 is found on interface Serial0/0/0.100")
    assert design.fragment_bytes == 160
    assert design.far is not None
    assert " frame-relay fragment 160" in design.far.lines


AUTO_QOS = BUNDLE.replace(" ppp multilink group 1\n", " auto qos voip\n ppp multilink group 1\n")


def test_a_macro_whose_policy_gives_way_marks_nothing() -> None:
    text, stated = PLACES["bundle"]
    plain = designed(text, **stated)

    assert AUTO_QOS != BUNDLE
    assert [each for each in designed(AUTO_QOS, **stated).remarks if "LLQ011" in each] == [
        each for each in plain.remarks if "LLQ011" in each
    ]


@pytest.mark.parametrize(
    ("text", "stated", "fits"),
    [
        pytest.param(
            XE.format(actions=""), {**OF_XE, "platform": None}, "--platform MODEL",
            id="hardware that the text does not show",
        ),
        pytest.param(
            f"{SERIAL}controller T1 0/2/0\n channel-group 0 timeslots 1-24\n"
            "interface Serial0/2/0:0\n ip address 10.9.3.1 255.255.255.252\n",
            {"link": "512k", "interface": "Serial0/2/0:0"}, "--link 1536k", id="its timeslots",
        ),
        pytest.param(
            SERIAL.replace("interface Serial0/1\n", f"interface Serial0/1\n {CAR}\n"),
            PLACES["serial"][1], f"`no {CAR}` first", id="a limit that drops voice too",
        ),
        pytest.param(
            SERIAL.replace("  priority 112\n", "  priority 1500\n"), PLACES["serial"][1],
            "`no service-policy output QUEUES` first", id="a policy that IOS refuses",
        ),
    ],
)  # fmt: skip
def test_what_would_fit_is_what_is_missing(text: str, stated: dict[str, object], fits: str) -> None:
    design = on(text, **stated)

    assert isinstance(design, RefusedDemand), design
    assert design.fits == (fits,)


def test_what_keeps_a_class_keeps_it() -> None:
    design = designed(FRTS, data=("af21=30%",), **OF_CIRCUIT)

    assert "class ERP: the design has no such class" not in losses(design)
    assert "`queue-limit 30` is taken off" in losses(design)


@pytest.mark.parametrize("place", PLACES)
def test_a_design_that_stands_already_has_nothing_to_paste(place: str) -> None:
    text, stated = PLACES[place]
    design = designed(text, **stated)
    after = apply(parse_config(text, "r1"), parse_config("\n".join((*design.lines, "")), "paste"))
    again = designed(after.tree.text(), **stated)

    assert (again.lines, again.rollback, again.losses) == ((), (), ())


@pytest.mark.parametrize("mark", ["acl", "nbar"])
def test_a_lan_that_marks_already_has_nothing_to_paste(mark: str) -> None:
    text = f"{SERIAL}interface FastEthernet0/0\n ip address 10.9.1.1 255.255.255.0\n"
    stated = {"link": "1544k", "interface": "Serial0/1", "mark": mark, "lan": "fa0/0"}
    design = designed(text, signalling=True, **stated)
    after = apply(parse_config(text, "r1"), parse_config("\n".join((*design.lines, "")), "paste"))
    again = designed(after.tree.text(), signalling=True, **stated)

    assert "policy-map LAN-MARK" in design.lines
    assert again.lines == ()


def test_a_name_with_other_content_is_said_and_avoided() -> None:
    text = SERIAL.replace(" match ip dscp ef", " match access-group 101").replace(
        "QUEUES", "WAN-EDGE"
    )
    design = designed(text, link="1544k", interface="Serial0/1")

    assert "class-map match-any VOICE-2" in design.lines
    assert "VOICE, WAN-EDGE: taken in the configuration; new names of the design end in -2" in (
        design.remarks
    )


LIST = """\
ip access-list extended SNA-PORTS
 permit tcp any any range 1981 1983
 permit tcp any any eq 2065
 permit tcp any any eq 2067
 permit tcp any range 1981 1983 any
 permit tcp any eq 2065 any
 permit tcp any eq 2067 any
class-map match-any SNA
 match access-group name SNA-PORTS
"""


@pytest.mark.parametrize(
    ("text", "name", "is_new"),
    [
        pytest.param(LIST, "SNA", False, id="the same ports in another order"),
        pytest.param(LIST.replace(" eq 2067 any", " eq 2069 any"), "DLSW", True, id="another port"),
        pytest.param(LIST.replace("SNA", "DLSW"), "DLSW", False, id="its own name"),
        pytest.param(
            LIST.replace("extended SNA-PORTS", "extended DLSW"),
            "DLSW-2",
            True,
            id="a list of the name",
        ),
    ],
)
def test_a_class_by_a_list_is_used_where_it_takes_the_same_packets(
    text: str, name: str, *, is_new: bool
) -> None:
    design = designed(SERIAL + text, link="1544k", interface="Serial0/1", dlsw=True)

    assert f" class {name}" in design.lines
    assert any(line.startswith("ip access-list") for line in design.lines) is is_new


def test_ipv6_tells_match_ip_dscp_from_match_dscp() -> None:
    text = METRO.replace(" ip address 192", " ipv6 address 2001:db8::1/64\n ip address 192")
    stated = {"port": "1g", "cir": "20m", "interface": "GigabitEthernet0/0"}

    assert "class-map match-any VOICE-2" in designed(text, **stated).lines
    assert not any(line.startswith("class-map") for line in designed(METRO, **stated).lines)


def test_a_limit_of_some_packets_or_above_the_link_refuses_nothing() -> None:
    for line in (CAR.replace("1000000", "2000000"), CAR.replace("output", "output access-group 9")):
        text = SERIAL.replace("interface Serial0/1\n", f"interface Serial0/1\n {line}\n")
        designed(text, **PLACES["serial"][1])


def test_new_fragments_of_a_bundle_ask_its_members_to_join_anew() -> None:
    bare = BUNDLE.replace(" ppp multilink interleave\n", "").replace(
        "Serial0/1\n", "Serial0/1\n shutdown\n"
    )
    remarks = designed(bare, link="512k", calls=2, interface="Multilink1").remarks

    assert any("`no shutdown` Serial0/0 after the lines" in each for each in remarks)


@pytest.mark.parametrize(
    ("speed", "stated", "refusal"),
    [
        ("", {"link": "10m"}, "FastEthernet0/1 has 100000 kb/s (FastEthernet port), not the 10000"),
        (" speed 10\n", {"link": "10m"}, ""),
        ("", {"cir": "5m", "port": "10m"}, ""),
        (" speed 100\n", {"cir": "5m", "port": "10m"}, "not the 10000 of --port"),
        ("", {"cir": "5m", "port": "1g"}, "not the 1000000 of --port"),
    ],
)
def test_the_speed_of_a_port_decides(speed: str, stated: dict[str, str], refusal: str) -> None:
    text = f"{SERIAL}interface FastEthernet0/1\n ip address 10.9.2.1 255.255.255.0\n{speed}"
    design = on(text, interface="FastEthernet0/1", encap="arpa", calls=5, **stated)

    if refusal:
        assert isinstance(design, RefusedDemand)
        assert refusal in design.reason
    else:
        assert isinstance(design, EdgeDesign)
        (rest,) = (each for each in design.classes if isinstance(each, UnstatedPrediction))
        assert rest.share.value < 10_000


TUNNEL = (
    "crypto ipsec transform-set TS {words}\ncrypto ipsec profile P\n set transform-set TS\n"
    "interface Tunnel0\n tunnel source Serial0/1/0\n tunnel protection ipsec profile P\n"
)


@pytest.mark.parametrize(
    ("words", "counted_kbps", "is_predicted"),
    [
        pytest.param("esp-aes esp-sha-hmac", 65.6, True, id="with the header of UDP behind a NAT"),
        pytest.param("esp-aes ah-sha-hmac", 25.6, False, id="sizes that are not known"),
    ],
)
def test_calls_are_counted_as_they_leave_in_a_tunnel(
    words: str, counted_kbps: float, *, is_predicted: bool
) -> None:
    text = (
        f"{TUNNEL.format(words=words)}interface Serial0/1/0\n ip address 10.9.3.1 255.255.255.252\n"
        " clock rate 2000000\n encapsulation ppp\n"
    )
    design = on(text, interface="Serial0/1/0", link="2000k", calls=5)

    assert isinstance(design, EdgeDesign)
    assert design.voice is not None
    assert design.voice.call_counted_kbps == pytest.approx(counted_kbps)
    assert (design.not_predicted is None) is is_predicted
    assert any(each.startswith("calls ") for each in design.remarks)


def test_a_changed_bandwidth_is_told_where_routing_counts_with_it() -> None:
    assert "router ospf: the metric changes with `bandwidth` of the interface" in (
        designed(FRTS, **OF_CIRCUIT).remarks
    )


def test_what_moves_to_a_bundle_is_no_loss_and_asks_for_both_ends() -> None:
    text = SERIAL.replace(" ip tcp adjust-mss 1360\n", "").replace(" ppp authentication chap\n", "")
    text = text.replace(" ip rtp header-compression\n", "").replace(
        "bandwidth 1544", "bandwidth 512"
    )
    design = designed(text, link="512k", interface="Serial0/1", calls=2)

    gone = {line for each in design.losses for line in each.lines}
    assert not {"ip address 10.0.0.1 255.255.255.252", "service-policy input REMARK"} & gone
    assert "service-policy output QUEUES" in gone
    assert any("becomes Multilink PPP" in each and "both ends" in each for each in design.remarks)


TARGETS = """\
version 15.2
hostname r
ip cef
policy-map ANY
 class class-default
  shape average 9000000
interface Tunnel0
 ip address 10.5.0.1 255.255.255.0
interface Dialer1
 encapsulation ppp
 dialer pool 1
interface Virtual-Template1
 ppp multilink
interface Vlan10
 ip address 10.6.0.1 255.255.255.0
interface Port-channel1
 ip address 10.8.0.1 255.255.255.0
interface Loopback0
 ip address 10.255.0.1 255.255.255.255
interface BRI0/0
 encapsulation ppp
interface Cellular0
 encapsulation slip
interface GigabitEthernet0/0
 service-policy output ANY
interface GigabitEthernet0/0.20
 encapsulation dot1Q 20
interface GigabitEthernet0/2
 channel-group 1
interface GigabitEthernet0/3
 service instance 10 ethernet
  encapsulation dot1q 10
  service-policy output ANY
interface GigabitEthernet0/4
 switchport
interface GigabitEthernet0/5
 xconnect 10.9.9.9 100 encapsulation mpls
interface GigabitEthernet0/6
 service-policy output PARENT
interface Tunnel6
 ip nhrp map group S1 service-policy output PARENT
 tunnel source GigabitEthernet0/6
policy-map QUEUE
 class class-default
  fair-queue
policy-map PARENT
 class class-default
  shape average 9000000
  service-policy QUEUE
interface Serial0/7
 encapsulation frame-relay
 frame-relay fragment 640 end-to-end
interface Serial0/7.1 point-to-point
 frame-relay interface-dlci 301
  class SHAPED
map-class frame-relay SHAPED
 service-policy output PARENT
interface Serial0/0
 priority-group 1
interface Serial0/1
 random-detect
interface Serial0/2
 ip rtp priority 16384 16383 200
interface Serial0/3
 traffic-shape rate 1200000 12000 0
interface Serial0/4
 encapsulation x25
interface Serial0/5
 encapsulation ppp
interface Serial0/6
 encapsulation frame-relay
interface Serial0/6.1 point-to-point
 frame-relay interface-dlci 201 ppp Virtual-Template1
interface ATM1/0.1 point-to-point
 pvc 1/102
  vbr-nrt 512 512
"""
OF_SERIAL = {"link": "1544k"}
OF_PORT = {"port": "100m", "cir": "20m"}


@pytest.mark.parametrize(
    ("interface", "stated", "said"),
    [
        pytest.param("Tunnel0", OF_SERIAL, "the interface that carries it", id="a tunnel"),
        pytest.param("Dialer1", OF_SERIAL, "run over other lines", id="a dialer"),
        pytest.param("Virtual-Template1", OF_SERIAL, "run over other lines", id="a template"),
        pytest.param("Vlan10", OF_PORT, "the ports of the VLAN", id="a VLAN interface"),
        pytest.param("Port-channel1", OF_PORT, "queue on its members", id="a port-channel"),
        pytest.param("Loopback0", OF_SERIAL, "sends nothing", id="a loopback"),
        pytest.param("BRI0/0", OF_SERIAL, "B channels", id="ISDN"),
        pytest.param("Cellular0", OF_SERIAL, "not constant", id="a radio link"),
        pytest.param("GigabitEthernet0/0.20", OF_PORT, "would both", id="under another policy"),
        pytest.param("GigabitEthernet0/2", OF_PORT, "member of Port-channel1", id="a member"),
        pytest.param("GigabitEthernet0/3", OF_PORT, "service instances", id="an EVC"),
        pytest.param("GigabitEthernet0/4", OF_PORT, "it carries frames", id="a switched port"),
        pytest.param("GigabitEthernet0/5", OF_PORT, "it carries frames", id="a pseudowire"),
        pytest.param("GigabitEthernet0/6", OF_PORT, "nhrp group S1", id="per-tunnel policies"),
        pytest.param("Serial0/7.1", OF_SERIAL, "cuts fragments", id="fragments of the port"),
        pytest.param("Serial0/0", OF_SERIAL, "`priority-group 1`", id="a priority list"),
        pytest.param("Serial0/1", OF_SERIAL, "`random-detect`", id="WRED of an interface"),
        pytest.param("Serial0/2", OF_SERIAL, "`ip rtp priority", id="ip rtp priority"),
        pytest.param("Serial0/3", OF_SERIAL, "`traffic-shape", id="generic shaping"),
        pytest.param("Serial0/4", OF_SERIAL, "has encapsulation x25", id="X.25"),
        pytest.param(
            "Serial0/5", {**OF_SERIAL, "encap": "hdlc"}, "has ppp, not the hdlc", id="other end"
        ),
        pytest.param("Serial0/6.1", OF_SERIAL, "`201 ppp Virtual-Template1`", id="PPP of a DLCI"),
        pytest.param("ATM1/0.1", {"link": "2m"}, "has 512 kb/s, not the 2000", id="rate of a PVC"),
    ],
)
def test_an_interface_for_which_no_lines_are_right_is_refused_with_the_reason(
    interface: str, stated: dict[str, object], said: str
) -> None:
    design = on(TARGETS, interface=interface, **stated)

    assert isinstance(design, RefusedDemand), design
    assert said in design.reason


EXTRAS = st.lists(
    st.sampled_from(
        (
            " description to the provider",
            " ip tcp adjust-mss 1360",
            " load-interval 30",
            " ip nat outside",
            " ip access-group 101 in",
            " mtu 1600",
        )
    ),
    unique=True,
)
ACTIONS = st.lists(
    st.sampled_from(
        ("  queue-limit 20", "  random-detect", "  set ip dscp af22", "  police 64000")
    ),
    unique=True,
)


@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
@given(place=st.sampled_from(sorted(PLACES)), extras=EXTRAS, actions=ACTIONS, data=st.booleans())
def test_the_rollback_restores_and_what_is_gone_is_named(
    place: str, extras: list[str], actions: list[str], *, data: bool
) -> None:
    text, stated = PLACES[place]
    head = f"interface {stated['interface']}"
    first = next(line for line in text.splitlines() if line.split(" point")[0] == head)
    text = text.replace(f"{first}\n", "\n".join((first, *extras, "")), 1)
    text = text.replace("  queue-limit 30\n", "".join(f"{each}\n" for each in actions), 1)
    design = designed(text, data=("af21=20%",) if data else (), **stated)

    before = parse_config(text, "r1")
    edit = apply(before, parse_config("\n".join((*design.lines, "")), "paste"))
    back = apply(edit.tree, parse_config("\n".join((*design.rollback, "")), "rollback"))
    assert not edit.refused
    assert not back.refused
    assert same_config(back.tree, before)
    left = {line.text for line in edit.tree.walk()}
    named = {line for each in design.losses for line in each.lines}
    assert {line.text for line in before.walk() if line.is_command} - left <= named
    for action in actions:
        assert action.strip() in named


@pytest.mark.parametrize("rate", ["ubr", "ubr 2048", "ubr+ 2048 512"])
def test_a_circuit_that_guarantees_no_rate_is_refused_for_that(rate: str) -> None:
    text = (
        "version 12.4\nhostname br\nip cef\ninterface ATM1/0\n no ip address\n"
        "interface ATM1/0.101 point-to-point\n ip address 10.0.0.1 255.255.255.252\n"
        f" pvc 1/101\n  {rate}\n  encapsulation aal5snap\nend\n"
    )
    flags = EdgeFlags(link="2m", calls=5, platform="7206VXR", interface="ATM1/0.101")
    demand = edge_demand(flags, is_on_config=True)
    design = design_edge(demand, Settings(), Source("br.cfg", text.encode()))

    assert isinstance(design, RefusedDemand)
    assert "guarantees no rate" in design.reason
    assert design.fits[0].startswith("`vbr-nrt")


def test_a_policer_of_the_lan_that_stands_is_used_as_it_is() -> None:
    text = "version 15.1\nhostname br\ninterface Serial0/0/0\n clock rate 2000000\n"
    text += " encapsulation ppp\ninterface FastEthernet0/1\nend\n"
    flags = EdgeFlags(
        link="2m", calls=3, interface="Serial0/0/0", platform="2811", mark="acl", lan="fa0/1"
    )
    demand = edge_demand(flags, is_on_config=True)
    first = design_edge(demand, Settings(), Source("br.cfg", text.encode()))
    assert isinstance(first, EdgeDesign)
    edited = apply(parse_config(text), parse_config("\n".join(first.lines))).tree
    standing = "\n".join(line.raw for line in edited.walk()) + "\n"
    second = design_edge(demand, Settings(), Source("br.cfg", standing.encode()))

    assert isinstance(second, EdgeDesign)
    assert second.lines == ()
