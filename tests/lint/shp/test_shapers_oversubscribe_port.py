"""SHP007: the shapers of one port beside its line."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

SHAPERS_OVERSUBSCRIBE_PORT = CHECKS["shapers-oversubscribe-port"]

CHILD = (
    "class-map match-all VOICE\n match ip dscp ef\npolicy-map Q\n class VOICE\n"
    "  priority percent 20\n class class-default\n  fair-queue\n"
)
PARENT = "policy-map P{0}\n class class-default\n  shape average {0}\n{1}"
NEST = "  service-policy Q\n"
PORT = "interface FastEthernet0/0\n no ip address\n speed 10\n"
VLAN = (
    "interface FastEthernet0/0.{0}\n encapsulation dot1Q {0}\n ip address 10.0.{0}.1 255.255.255.0\n"
    " service-policy output P{1}\n"
)


def port(*rates: int, nest: str = NEST, head: str = PORT) -> str:
    policies = "".join(PARENT.format(rate, nest) for rate in dict.fromkeys(rates))
    vlans = "".join(VLAN.format(number, rate) for number, rate in enumerate(rates, start=10))
    return CHILD + policies + head + vlans


@pytest.mark.parametrize(
    ("config", "percent"),
    [
        pytest.param(port(5000000, 5000000), None, id="as much as the line"),
        pytest.param(port(5000000, 5008000), "100", id="a little more"),
        pytest.param(port(6000000, 6000000), "120", id="a fifth more"),
        pytest.param(port(6000000, 6000000, nest=""), None, id="without an LLQ"),
        pytest.param(port(12000000), None, id="one shaper above the line is SHP002"),
        pytest.param(port(12000000, 1000000), "110", id="of one above the line, the line"),
    ],
)
def test_what_the_shapers_of_a_port_let_pass(config: str, percent: str | None) -> None:
    hits = hits_of(SHAPERS_OVERSUBSCRIBE_PORT.find(device_of(config), NoParams()))

    assert [hit.evidence.percent for hit in hits] == ([] if percent is None else [percent])


def test_a_line_known_by_a_label_is_only_possible() -> None:
    frame = "encapsulation frame-relay\n bandwidth 512\n frame-relay traffic-shaping\n"
    circuit = "interface Serial0/0.{0} point-to-point\n frame-relay interface-dlci {0}\n  class C\n"
    text = CHILD + (
        f"map-class frame-relay C\n frame-relay cir 384000\n service-policy output Q\n"
        f"interface Serial0/0\n {frame}" + circuit.format(100) + circuit.format(200)
    )
    hit = hit_of(SHAPERS_OVERSUBSCRIBE_PORT.find(device_of(text), NoParams()))

    assert (hit.evidence.total, hit.confidence) == ("768 kb/s", Confidence.POSSIBLE)


def test_a_line_of_unknown_rate_is_not_judged() -> None:
    head = "interface Serial0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
    circuit = "interface Serial0/0.{0} point-to-point\n frame-relay interface-dlci {0}\n  class C\n"
    text = CHILD + (
        "map-class frame-relay C\n frame-relay cir 384000\n service-policy output Q\n"
        + head + circuit.format(100) + circuit.format(200)
    )  # fmt: skip

    assert "rate" in skip_of(SHAPERS_OVERSUBSCRIBE_PORT.find(device_of(text), NoParams())).reason


WAN = "interface GigabitEthernet0/1\n ip address 192.0.2.1 255.255.255.0\n speed 100\n{0}"
TUNNEL = (
    "interface Tunnel{0}\n ip address 10.1.{0}.1 255.255.255.252\n tunnel source {2}\n"
    " tunnel destination 203.0.113.{0}\n service-policy output P{1}\n"
)
SPEED = "version {}\nhostname r1\n"
FLAT = (
    "class-map match-all D\n match ip dscp af21\npolicy-map F\n class D\n  bandwidth percent 20\n"
)
ONLY = "policy-map OUT\n class class-default\n  shape average 60000000\n"
OUT = " service-policy output {}\n"


def tunnels(*rates: int, own: str = "", source: str = "GigabitEthernet0/1", more: str = "") -> str:
    policies = "".join(PARENT.format(rate, NEST) for rate in dict.fromkeys(rates))
    ends = "".join(TUNNEL.format(n, rate, source) for n, rate in enumerate(rates, start=1))
    return CHILD + policies + FLAT + ONLY + WAN.format(own) + more + ends


VLAN_OUT = (
    "interface GigabitEthernet0/1.7\n encapsulation dot1Q 7\n ip address 192.0.7.1 255.255.255.0\n"
)


@pytest.mark.parametrize("version", ["12.4", "15.1", "16.9"])
@pytest.mark.parametrize(
    ("config", "said"),
    [
        pytest.param(tunnels(40000000, 40000000, 40000000), ("120", "100 Mb/s"),
                     id="three tunnels over their port"),
        pytest.param(tunnels(30000000, 30000000, 40000000), None, id="as much as the port"),
        pytest.param(tunnels(60000000, 60000000, source="192.0.2.1"), ("120", "100 Mb/s"),
                     id="the source is the address of the port"),
        pytest.param(tunnels(60000000, 60000000, source="GigabitEthernet0/1.7", more=VLAN_OUT),
                     ("120", "100 Mb/s"), id="by a subinterface of the port"),
        pytest.param(tunnels(60000000, source="GigabitEthernet0/1.7",
                             more=VLAN_OUT.replace(".7", ".8").replace(" 7", " 8")
                             + OUT.format("P60000000")), None,
                     id="the source has no address here: one shaper alone"),
        pytest.param(tunnels(40000000, 40000000, own=OUT.format("OUT")), ("133", "60 Mb/s"),
                     id="the port shapes to less than its wire"),
        pytest.param(tunnels(80000000, own=OUT.format("OUT")), ("133", "60 Mb/s"),
                     id="one tunnel over the shaper of its port"),
        pytest.param(tunnels(60000000, own=OUT.format("OUT")), None,
                     id="one tunnel as fast as the shaper of its port"),
        pytest.param(tunnels(90000000, own=OUT.format("OUT")).split("interface Tunnel1")[0]
                     + VLAN_OUT + OUT.format("P90000000"), ("150", "60 Mb/s"),
                     id="one subinterface over the shaper of its port"),
        pytest.param(tunnels(60000000, 60000000, own=OUT.format("F")), None,
                     id="a port with classes of its own is PLC002"),
        pytest.param(tunnels(60000000, more=VLAN_OUT + OUT.format("P60000000")),
                     ("120", "100 Mb/s"), id="a tunnel beside a subinterface"),
        pytest.param(tunnels(60000000, 60000000, more=VLAN_OUT + OUT.format("F")),
                     ("120", "100 Mb/s"), id="a subinterface without a shaper takes nothing off"),
        pytest.param(tunnels(60000000, 60000000)
                     + TUNNEL.format(7, "", "GigabitEthernet0/1").replace("output P", "output F"),
                     ("120", "100 Mb/s"), id="a third tunnel whose policy queues nothing"),
        pytest.param(tunnels(60000000)
                     + TUNNEL.format(7, "", "GigabitEthernet0/1").replace("output P", "output F"),
                     None, id="one shaper beside a tunnel whose policy queues nothing"),
    ],
)  # fmt: skip
def test_tunnels_shape_before_the_port_that_they_leave_by(
    version: str, config: str, said: tuple[str, str] | None
) -> None:
    hits = hits_of(
        SHAPERS_OVERSUBSCRIBE_PORT.find(device_of(SPEED.format(version) + config), NoParams())
    )

    assert [(hit.evidence.percent, hit.evidence.line) for hit in hits] == ([said] if said else [])
    assert all(hit.object == "interface GigabitEthernet0/1" for hit in hits)


def test_two_shaped_classes_of_one_policy_are_one_sum() -> None:
    two = (
        "policy-map TWO\n class VOICE\n  shape average 3000000\n  service-policy Q\n"
        " class class-default\n  shape average 3000000\n  service-policy Q\n"
    )
    text = port(3000000, nest=NEST).replace(
        "interface FastEthernet0/0\n", two + "interface FastEthernet0/0\n", 1
    )
    vlan = VLAN.format(20, "x").replace("Px", "TWO")

    assert not hits_of(SHAPERS_OVERSUBSCRIBE_PORT.find(device_of(text + vlan), NoParams()))


def test_tunnels_whose_port_is_not_known_are_said_not_to_be_judged() -> None:
    text = tunnels(60000000, 60000000, source="Loopback0")
    found = SHAPERS_OVERSUBSCRIBE_PORT.find(device_of(text), NoParams())

    assert skip_of(found).reason == "the port of 2 shaped tunnels is not known"
