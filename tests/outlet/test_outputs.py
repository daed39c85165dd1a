"""Output points: what queues, the shaper around it, the base of percentages, what carries it."""

import pytest

from advisor.model import Framing
from advisor.outlet.class_bandwidth import class_rate, llq_burst
from advisor.outlet.offer import offers_of
from advisor.outlet.outlet import Outlet, Queueing
from advisor.outlet.outlets import outlets
from advisor.outlet.plain import plain_outputs
from advisor.outlet.ring_homes import ring_homes
from advisor.outlet.scheduler import scheduler_of
from advisor.settings import PacketShare, Traffic
from tests.support.devices import device_of

CHILD = """\
policy-map CHILD
 class VOICE
  priority percent 20
 class DATA
  bandwidth remaining percent 50
 class class-default
  fair-queue
"""


def points(text: str) -> tuple[Outlet, ...]:
    return outlets(device_of(CHILD + text))


def only(text: str) -> Outlet:
    (outlet,) = points(text)
    return outlet


def shaped(shape: str, interface: str = "interface FastEthernet0/0") -> str:
    return (
        f"policy-map P\n class class-default\n  {shape}\n  service-policy CHILD\n"
        f"{interface}\n service-policy output P\n"
    )


@pytest.mark.parametrize(
    ("shape", "rate_bps"),
    [
        pytest.param("shape average 1000000", 1e6, id="average"),
        pytest.param("shape peak 1000000", 2e6, id="peak sends twice by default"),
        pytest.param("shape peak 1000000 8000 4000", 1.5e6, id="peak: rate x (1 + Be/Bc)"),
        pytest.param("shape peak 1000000 8000 0", 1e6, id="peak without Be is the average"),
        pytest.param("shape average percent 10", 1e7, id="percent of the port"),
        pytest.param("shape peak percent 10", 2e7, id="peak in percent"),
        pytest.param("shape peak percent 10 10 ms 5 ms", 1.5e7, id="peak in percent, Be in ms"),
    ],
)
def test_the_rate_of_a_shaper_is_the_base_of_the_child(shape: str, rate_bps: float) -> None:
    outlet = only(shaped(shape))
    assert outlet.shaper_bps == outlet.admission_bps == pytest.approx(rate_bps)
    assert outlet.priority_bps(outlet.llq_classes[0]) == pytest.approx(rate_bps * 0.2)


@pytest.mark.parametrize(
    ("interface", "rate_bps"),
    [
        pytest.param("interface FastEthernet0/0\n bandwidth 2000", 2e5, id="the bandwidth"),
        pytest.param("interface FastEthernet0/0.1", 1e7, id="a subinterface on the port"),
        pytest.param("interface FastEthernet0/0.1\n bandwidth 4000", 4e5, id="its own bandwidth"),
        pytest.param("interface Serial0/0.1", 154_400, id="a serial subinterface: 1544"),
        pytest.param(
            "interface Serial0/0\n bandwidth 512\ninterface Serial0/0.1", 154_400,
            id="a subinterface does not inherit",
        ),
        pytest.param("interface ATM0\n pvc 0/100\n  vbr-nrt 2000 1000\n", 1e5, id="a PVC"),
    ],
)  # fmt: skip
def test_the_base_of_percent_without_a_shaper_around_it(interface: str, rate_bps: float) -> None:
    text = (
        "policy-map P\n class class-default\n  shape average percent 10\n  service-policy CHILD\n"
    )
    indent = "  " if "pvc" in interface else " "
    outlet = only(f"{text}{interface.rstrip()}\n{indent}service-policy output P\n")
    assert outlet.shaper_bps == pytest.approx(rate_bps)


THREE = """\
policy-map CUSTOMER
 class A
  shape average percent 50
  service-policy CHILD
 class B
  shape average 9000000
  service-policy CHILD
policy-map TOP
 class class-default
  shape average 2000000
  service-policy CUSTOMER
interface FastEthernet0/0
 service-policy output TOP
"""


def test_three_levels_have_the_slowest_shaper_around_the_child() -> None:
    assert [(outlet.policy_label, outlet.queueing.name, outlet.shaper_bps) for outlet in
            points(THREE)] == [
        ("interface FastEthernet0/0 > policy-map CUSTOMER > class A", "CHILD", 1e6),
        ("interface FastEthernet0/0 > policy-map CUSTOMER > class B", "CHILD", 2e6),
    ]  # fmt: skip


def test_each_child_has_the_interval_of_its_own_shaper() -> None:
    text = THREE.replace("percent 50", "500000 10000").replace("9000000", "1000000 4000")
    device = device_of(CHILD + text)
    assert [
        scheduler_of(outlet, device.platform)[0].buckets.tc_ms(outlet.shaper_bps or 0.0)
        for outlet in outlets(device)
    ] == [20.0, 4.0]


def test_a_policy_that_nests_itself_is_followed_to_the_deepest_level_of_ios() -> None:
    text = "policy-map P\n class class-default\n  service-policy P\n"
    assert only(text + "interface FastEthernet0/0\n service-policy output P\n").label == (
        "interface FastEthernet0/0"
    )


def test_a_nested_shaper_in_an_unattached_policy_is_no_output() -> None:
    assert points(THREE.partition("interface")[0]) == ()


def test_remaining_percent_is_of_what_priority_and_guarantees_leave() -> None:
    text = CHILD.replace(" class DATA", " class FIX\n  bandwidth percent 30\n class DATA")
    device = device_of(text + "interface FastEthernet0/0\n service-policy output CHILD\n")
    (outlet,) = outlets(device)
    data = outlet.class_named("DATA")
    assert data is not None
    rate = class_rate(outlet, data)
    assert rate is not None
    assert rate.value == pytest.approx(100e6 * (1 - 0.2 - 0.3) * 0.5)


def test_a_class_shaper_in_percent_is_of_the_shaper_around_it() -> None:
    leaf = "policy-map LEAF\n class A\n  shape average percent 25\n class class-default\n"
    outlet = only(leaf + shaped("shape average 800000").replace("CHILD", "LEAF"))
    policy_class = outlet.class_named("A")
    assert policy_class is not None
    rate = class_rate(outlet, policy_class)
    assert rate is not None
    assert rate.value == 200_000


MAP_CLASS = """\
map-class frame-relay WAN
 frame-relay cir 600000
 service-policy output CHILD
interface Serial0/0
 encapsulation frame-relay
 clock rate 1000000
 frame-relay traffic-shaping
interface Serial0/0.1 point-to-point
 frame-relay interface-dlci 101
  class WAN
interface Serial0/0.2 point-to-point
 frame-relay interface-dlci 102
  class WAN
"""


def test_a_map_class_counts_for_each_of_its_circuits() -> None:
    shared = points(MAP_CLASS)
    assert [outlet.circuit for outlet in shared] == ["101", "102"]
    assert {outlet.shaped_sum_bps for outlet in shared} == {1_200_000}
    assert not any(outlet.ring_idle for outlet in shared)


DIALER = """\
interface Dialer1
 bandwidth 8000
 encapsulation ppp
 dialer pool 1
 service-policy output CHILD
"""
PVC = "interface ATM0\n pvc 0/100\n  vbr-nrt 512 512\n  tx-ring-limit 3\n"


@pytest.mark.parametrize(
    ("carrier", "framing"),
    [
        pytest.param("  encapsulation aal5mux ppp dialer\n  dialer pool-member 1\n",
                     "aal5mux ppp dialer", id="PPPoA of a Dialer"),
        pytest.param("  protocol ppp dialer\n  dialer pool-member 1\n", "aal5snap",
                     id="protocol ppp dialer"),
        pytest.param("  pppoe-client dial-pool-number 1\n", "aal5snap pppoe", id="PPPoE of a PVC"),
    ],
)  # fmt: skip
def test_the_pvc_of_a_dialer_gives_rate_ring_and_cells(carrier: str, framing: str) -> None:
    outlet = only(PVC + carrier + DIALER)
    assert (outlet.wire_bps, outlet.admission_bps) == (512_000, 8_000_000)
    assert outlet.attached_to == "Dialer1"
    assert outlet.ring_section == ("interface ATM0", "pvc 0/100")
    assert outlet.ring is not None
    assert outlet.ring.configured == 3
    assert outlet.encapsulation is not None
    assert (outlet.encapsulation.name, outlet.encapsulation.high.cells) == (framing, True)


@pytest.mark.parametrize(
    ("stated", "mtu_bytes"),
    [
        pytest.param(" mtu 1492\n", 1492, id="mtu"),
        pytest.param(" ip mtu 1480\n", 1480, id="ip mtu"),
        pytest.param(" mtu 1492\n ip mtu 1400\n", 1400, id="the smaller one"),
        pytest.param("", 1500, id="none stated"),
    ],
)
def test_the_packets_of_a_pvc_are_cut_to_the_mtu_of_its_dialer(stated: str, mtu_bytes: int) -> None:
    outlet = only(
        "class-map VOICE\n match ip dscp ef\npolicy-map ADSL\n class VOICE\n  priority 100\n"
        "interface ATM0/0/0\n pvc 8/35\n  vbr-nrt 288 288\n  pppoe-client dial-pool-number 1\n"
        "  service-policy output ADSL\n"
        f"interface Dialer1\n{stated} encapsulation ppp\n dialer pool 1\n"
    )

    assert outlet.mtu.value == mtu_bytes


def test_a_virtual_template_is_carried_by_each_of_its_pvcs() -> None:
    text = (
        "interface ATM0\n pvc 0/100\n  cbr 256\n  protocol ppp Virtual-Template1\n"
        " pvc 0/101\n  cbr 512\n  encapsulation aal5mux ppp Virtual-Template 1\n"
        "interface Virtual-Template1\n service-policy output CHILD\n"
    )
    assert [(outlet.label, outlet.wire_bps) for outlet in points(text)] == [
        ("interface Virtual-Template1 > ATM0 > pvc 0/100", 256_000),
        ("interface Virtual-Template1 > ATM0 > pvc 0/101", 512_000),
    ]


def test_an_ethernet_port_carries_the_pppoe_session_of_a_dialer() -> None:
    port = "interface Ethernet0\n pppoe-client dial-pool-number 1\n"
    outlet = only(port + DIALER.replace(" bandwidth 8000\n", ""))
    assert outlet.wire_bps == 10e6
    assert outlet.encapsulation is not None
    assert outlet.encapsulation.high.overhead_bytes == 46


@pytest.mark.parametrize(
    ("lines", "overhead_bytes"),
    [
        pytest.param(" no ip address\n pppoe-client dial-pool-number 1\n", 46, id="sessions alone"),
        pytest.param(
            " ip address 10.0.0.1 255.255.255.0\n pppoe-client dial-pool-number 1\n",
            38,
            id="IP too",
        ),
        pytest.param(" no ip address\n", 38, id="no session"),
    ],
)
def test_a_policy_on_an_ethernet_port_of_a_dialer_counts_pppoe(
    lines: str, overhead_bytes: int
) -> None:
    outlet = only(
        "policy-map P\n class class-default\n  fair-queue\n"
        f"interface FastEthernet0\n{lines} service-policy output P\n"
    )
    assert outlet.encapsulation is not None
    assert outlet.encapsulation.high.overhead_bytes == overhead_bytes


def test_a_dialer_of_another_pool_has_no_carrier() -> None:
    outlet = only(PVC + "  dialer pool-member 2\n" + DIALER)
    assert (outlet.interface.name, outlet.wire_bps) == ("Dialer1", 8_000_000)


BUNDLE = """\
interface Multilink1
 ppp multilink
 ppp multilink group 1
 service-policy output CHILD
interface Serial0/0
 clock rate 1000000
 encapsulation ppp
 ppp multilink group 1
 service-policy output CHILD
interface Serial0/1
 clock rate 1000000
 encapsulation ppp
 ppp multilink group 1
"""


def test_a_bundle_is_one_policy_and_its_members_have_none_of_their_own() -> None:
    assert [(outlet.label, outlet.policy_label) for outlet in points(BUNDLE)] == [
        ("interface Multilink1 > member Serial0/0", "interface Multilink1"),
        ("interface Multilink1 > member Serial0/1", "interface Multilink1"),
    ]


@pytest.mark.parametrize(
    ("interface", "packets_per_s"),
    [
        pytest.param("Multilink1", 25.0, id="traffic of the bundle is split"),
        pytest.param("*", 25.0, id="so is that of every interface"),
        pytest.param("Serial0/0", 50.0, id="traffic of the member is its own"),
    ],
)
def test_traffic_of_a_bundle_is_split_over_its_members(
    interface: str, packets_per_s: float
) -> None:
    sizes = (PacketShare(500, 1.0),)
    traffic = Traffic("r1", interface, "DATA", sizes, 50.0, 1, "poisson", "t.toml:1")
    (offer,) = offers_of(points(BUNDLE)[0], (traffic,))
    assert offer.packets_per_second == packets_per_s


def test_a_group_of_spokes_has_the_policy_of_its_map() -> None:
    text = shaped("shape average 1000000").partition("interface")[0] + (
        "interface Tunnel0\n ip nhrp map group BRANCH service-policy output P\n"
    )
    outlet = only(text)
    assert outlet.label == "interface Tunnel0 > nhrp group BRANCH"
    assert (outlet.shaper_bps, outlet.place) == (1e6, ("Tunnel0", "nhrp group BRANCH"))


def test_a_port_channel_has_the_rate_of_its_members() -> None:
    outlet = only(
        "interface Port-channel1\n service-policy output CHILD\n"
        "interface GigabitEthernet0/0\n channel-group 1\n"
        "interface GigabitEthernet0/1\n channel-group 1 mode active\n"
    )
    assert (outlet.interface.name, outlet.wire_bps, outlet.ring) == ("Port-channel1", 2e9, None)


def test_an_interface_takes_the_policy_of_its_template() -> None:
    outlet = only(
        "template WAN\n service-policy output CHILD\n"
        "interface GigabitEthernet0/0\n source template WAN\n"
    )
    assert (outlet.label, outlet.queueing.name) == ("interface GigabitEthernet0/0", "CHILD")


def test_its_own_policy_wins_over_that_of_the_template() -> None:
    outlet = only(
        "policy-map OWN\n class class-default\n  fair-queue\n"
        "template WAN\n service-policy output CHILD\n"
        "interface GigabitEthernet0/0\n source template WAN\n service-policy output OWN\n"
    )
    assert outlet.queueing.name == "OWN"


ADDRESS = " ip address 10.0.0.1 255.255.255.0\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("version 12.2\ninterface Serial0/0\n" + ADDRESS, Queueing.FAIR_QUEUE),
        ("version 12.2\ninterface Serial0/0\n bandwidth 4000\n" + ADDRESS, Queueing.FIFO),
        ("version 12.2\ninterface Serial0/0\n encapsulation x25\n" + ADDRESS, Queueing.FIFO),
        ("version 12.2\ninterface Serial0/0\n no fair-queue\n" + ADDRESS, Queueing.FIFO),
        ("version 12.2\ninterface Ethernet0\n" + ADDRESS, Queueing.FIFO),
        ("version 12.2\ninterface Ethernet0\n fair-queue\n" + ADDRESS, Queueing.FAIR_QUEUE),
        ("version 12.2\ninterface Ethernet0\n random-detect\n" + ADDRESS, Queueing.RANDOM_DETECT),
        ("version 12.2\ninterface Ethernet0\n priority-group 1\n" + ADDRESS, Queueing.LEGACY),
        ("version 16.9\ninterface Serial0/0/0\n" + ADDRESS, Queueing.UNKNOWN),
        ("version 12.2\ninterface ATM0\n pvc 0/100\n  cbr 256\n", Queueing.CIRCUIT),
        ("version 12.2\n" + MAP_CLASS.replace(" service-policy output CHILD\n", "").partition(
            "interface Serial0/0.2")[0], Queueing.CIRCUIT),
    ],
)  # fmt: skip
def test_an_output_without_a_policy_has_the_queueing_of_ios(text: str, expected: Queueing) -> None:
    (point,) = plain_outputs(device_of(text))
    assert point.queueing is expected


@pytest.mark.parametrize(
    "text",
    [
        "interface Serial0/0\n shutdown\n" + ADDRESS,
        "interface Serial0/0\n no ip address\n",
        "interface Loopback0\n" + ADDRESS,
        "interface Tunnel0\n" + ADDRESS,
        CHILD + "interface Serial0/0\n service-policy output CHILD\n" + ADDRESS,
        CHILD + PVC + "  dialer pool-member 1\n" + DIALER,
    ],
)
def test_an_interface_that_sends_nothing_of_its_own_is_no_output(text: str) -> None:
    assert plain_outputs(device_of(text)) == ()


def test_the_policy_of_a_member_is_named_as_without_effect() -> None:
    (point,) = plain_outputs(device_of(CHILD + BUNDLE))
    assert (point.object_path, point.queueing) == ("interface Serial0/0", Queueing.BUNDLE)


@pytest.mark.parametrize(
    ("text", "queues"),
    [
        pytest.param(
            "interface Ethernet0\n tx-ring-limit 3\n pppoe-client dial-pool-number 1\n" + DIALER,
            True,
            id="the port of a Dialer with a policy",
        ),
        pytest.param(
            "interface Ethernet0\n tx-ring-limit 3\n pppoe-client dial-pool-number 2\n" + DIALER,
            False,
            id="a port of another pool",
        ),
        pytest.param(
            BUNDLE.replace(" clock rate", " tx-ring-limit 3\n clock rate", 1),
            True,
            id="a member of a bundle with a policy",
        ),
    ],
)
def test_a_policy_queues_before_the_rings_of_its_carriers(text: str, queues: bool) -> None:
    (home,) = ring_homes(device_of(CHILD + text))
    assert home.queues_before is queues


@pytest.mark.parametrize("main", ["", " shutdown\n"], ids=["up", "shut"])
def test_a_subinterface_sends_nothing_where_its_main_interface_is_shut(main: str) -> None:
    port = f"interface FastEthernet0/0\n no ip address\n{main}"
    sub = "interface FastEthernet0/0.5\n encapsulation dot1Q 5\n service-policy output P\n"
    shaper = "policy-map P\n class class-default\n  shape average 512000\n  service-policy CHILD\n"

    assert bool(outlets(device_of(f"{CHILD}{shaper}{port}{sub}"))) is (not main)


@pytest.mark.parametrize(
    ("lines", "rate_bps", "burst_bytes"),
    [
        ("priority 200", 200_000, 5000),
        ("priority 200 9000", 200_000, 9000),
        ("priority\n  police 1000000", 1e6, 31_250),
        ("priority\n  police 8000", 8000, 1500),
        ("priority 200\n  police 100000", 100_000, 5000),
        ("priority 100\n  police 200000", 100_000, 2500),
        ("priority percent 20\n  police cir percent 10", 10e6, 500_000),
    ],
)
def test_the_rate_and_the_burst_of_a_priority_class(
    lines: str, rate_bps: float, burst_bytes: float
) -> None:
    port = "interface FastEthernet0/0\n service-policy output CHILD\n"
    (outlet,) = outlets(device_of(CHILD.replace("priority percent 20", lines) + port))
    (voice,) = outlet.llq_classes

    assert outlet.llq_rate_bps(voice) == rate_bps
    assert llq_burst(outlet, voice).size_bytes == burst_bytes


def test_the_policer_of_a_bundle_lets_each_member_have_its_part() -> None:
    device = device_of(CHILD.replace("percent 20", "200") + BUNDLE)
    member = outlets(device)[0]
    (queue,) = scheduler_of(member, device.platform)[0].queues(
        ["VOICE"], Framing(10), {"VOICE": 200.0}
    )
    assert queue.priority_policer is not None
    assert queue.priority_policer.framing == Framing(member.counted_bytes)
    assert queue.priority_policer.rate_bps == 200_000 / 2
    assert queue.priority_policer.burst_bytes == 200_000 * 0.2 / 8


@pytest.mark.parametrize(
    ("lines", "rate_bps"),
    [
        pytest.param(" clock rate 512000\n", 153_600, id="of the line, not of the default of 1544"),
        pytest.param(" bandwidth 64\n clock rate 512000\n", 153_600, id="a label below the line"),
        pytest.param(" bandwidth 500\n clock rate 512000\n", 150_000, id="a label that is right"),
    ],
)
def test_a_percentage_is_of_the_line_where_bandwidth_contradicts_it(
    lines: str, rate_bps: float
) -> None:
    leaf = "policy-map LEAF\n class A\n  bandwidth percent 30\n class class-default\n"
    outlet = only(
        f"{leaf}interface Serial0/0\n encapsulation ppp\n{lines} service-policy output LEAF\n"
    )
    policy_class = outlet.class_named("A")
    assert policy_class is not None
    rate = class_rate(outlet, policy_class)
    assert rate is not None
    assert rate.value == pytest.approx(rate_bps)


T1 = (
    "interface Serial0/0\n bandwidth 1536\n encapsulation ppp\n clock rate 1536000\n{}"
    " service-policy output CHILD\n"
)
CAR = "8000 8000 conform-action transmit exceed-action"


@pytest.mark.parametrize(
    ("line", "is_known"),
    [
        pytest.param("traffic-shape rate 256000", False, id="generic shaping of all packets"),
        pytest.param("traffic-shape rate 2000000", True, id="generic shaping above the line"),
        pytest.param("traffic-shape group 101 64000", True, id="generic shaping of some packets"),
        pytest.param(f"rate-limit output 256000 {CAR} drop", False, id="CAR of all packets"),
        pytest.param(f"rate-limit output 256000 {CAR} transmit", True, id="CAR without a drop"),
        pytest.param(f"rate-limit output dscp 46 64000 {CAR} drop", True, id="CAR of one DSCP"),
        pytest.param(f"rate-limit input 256000 {CAR} drop", True, id="CAR on input"),
    ],
)
def test_behind_a_limit_outside_of_the_policy_nothing_is_known(line: str, is_known: bool) -> None:
    outlet = only(T1.format(f" {line}\n"))

    assert (outlet.ring is not None) is is_known
    assert ("holds Serial0/0 to 256 kb/s" in (outlet.why_unread or "")) is not is_known


PORT_POLICY = (
    "policy-map ALL\n class class-default\n  shape average 5000000\n  service-policy CHILD\n"
)
MAIN = "interface GigabitEthernet0/0\n{0} service-policy output ALL\n"
TAGGED = (
    "interface GigabitEthernet0/0.{0}\n encapsulation {1}\n ip address 192.0.2.1 255.255.255.0\n"
)


@pytest.mark.parametrize(
    ("port", "below", "counted"),
    [
        pytest.param("", "", (74, 74), id="a port alone"),
        pytest.param("", TAGGED.format(10, "dot1Q 10"), (78, 78), id="all packets have a tag"),
        pytest.param("", TAGGED.format(10, "dot1Q 10 second-dot1q 20"), (82, 82), id="two tags"),
        pytest.param("", TAGGED.format(1, "dot1Q 1 native"), (74, 74), id="of the native VLAN none"),
        pytest.param("", TAGGED.format(1, "dot1Q 1") + " shutdown\n", (74, 74), id="no one sends"),
        pytest.param(" ip address 198.51.100.1 255.255.255.0\n", TAGGED.format(10, "dot1Q 10"),
                     (74, 78), id="the port has an address too"),
    ],
)  # fmt: skip
def test_a_policy_of_a_port_counts_the_tags_of_its_subinterfaces(
    port: str, below: str, counted: tuple[int, int]
) -> None:
    outlet = only(PORT_POLICY + MAIN.format(port) + below)

    assert outlet.encapsulation is not None
    assert outlet.encapsulation.counted_ends(60) == counted
