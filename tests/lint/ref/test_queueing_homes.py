"""REF007 and REF008: interfaces on which IOS does not queue, or not on two levels."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.findings import Confidence, Severity
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of, skip_of

POLICY_ON_BOTH_PVC_AND_MAIN = CHECKS["policy-on-both-pvc-and-main"]
QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE = CHECKS["queueing-without-shaper-on-subinterface"]

HQF = "version 15.1\nhostname r1\n"
XE = "version 16.9\nhostname r1\nlicense udi pid ISR4331/K9 sn FDO00000000\n"
END = "end\n"
POLICIES = (
    "class-map match-any DATA\n match ip dscp af21\n"
    "policy-map LEAF\n class DATA\n  bandwidth percent 40\n class class-default\n  fair-queue\n"
    "policy-map SHAPED\n class class-default\n  shape average 1000000\n  service-policy LEAF\n"
    "policy-map HALF\n class DATA\n  shape average 64000\n class class-default\n  bandwidth 64\n"
    "policy-map NESTED\n class class-default\n  service-policy LEAF\n"
    "policy-map MARK\n class DATA\n  set ip dscp 0\n"
    "policy-map FLAT\n class class-default\n  shape average 20000000\n"
)
SUB = "interface GigabitEthernet0/1.10\n encapsulation dot1Q 10\n service-policy output {0}\n"
TUNNEL = "interface Tunnel0\n service-policy output {0}\n"
PORT = "interface GigabitEthernet0/1\n service-policy output {0}\n"
PVC = "interface ATM1/0.1 point-to-point\n pvc 0/100\n  vbr-nrt 512 512\n  service-policy output LEAF\n"
SPOKES = (
    "interface Tunnel0\n ip nhrp map group S1 service-policy output SHAPED\n"
    " ip nhrp map group S2 service-policy output SHAPED\n tunnel source GigabitEthernet0/1\n"
)
MAP_CLASS = (
    "interface Serial0/0\n encapsulation frame-relay\n frame-relay traffic-shaping\n"
    "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 100\n  class M\n"
    "map-class frame-relay M\n frame-relay cir 64000\n service-policy output LEAF\n"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(SUB.format("LEAF"), ["class DATA and 1 more"], id="a subinterface"),
        pytest.param(TUNNEL.format("LEAF"), ["class DATA and 1 more"], id="a tunnel"),
        pytest.param("interface Vlan10\n service-policy output LEAF\n", ["class DATA and 1 more"],
                     id="a VLAN interface"),
        pytest.param("interface Serial0/0.1 point-to-point\n service-policy output LEAF\n",
                     ["class DATA and 1 more"], id="a Frame Relay subinterface itself"),
        pytest.param("interface ATM1/0.1 point-to-point\n service-policy output LEAF\n",
                     ["class DATA and 1 more"], id="an ATM subinterface outside of its PVC"),
        pytest.param(SUB.format("SHAPED"), [], id="a shaper around it"),
        pytest.param("interface GigabitEthernet0/1\n service instance 7 ethernet\n"
                     "  service-policy output SHAPED\n", [], id="a shaped service instance"),
        pytest.param(SUB.format("HALF"), ["class class-default"], id="one class without a shaper"),
        pytest.param(SUB.format("NESTED"), ["class class-default"], id="a parent without a shaper"),
        pytest.param(SUB.format("MARK"), [], id="marking needs no queue"),
        pytest.param(PORT.format("LEAF"), [], id="a port"),
        pytest.param(SUB.format("LEAF") + " shutdown\n", [], id="shut down"),
        pytest.param(SUB.format("LEAF").replace("output", "input"), [], id="input is REF006's"),
        pytest.param(PVC, [], id="a PVC"),
        pytest.param(MAP_CLASS, [], id="a map-class"),
        pytest.param("interface Multilink1\n service-policy output LEAF\n", [], id="a bundle"),
        pytest.param("interface Virtual-Template1\n service-policy output LEAF\n", [],
                     id="a Virtual-Template"),
        pytest.param("interface Dialer1\n service-policy output LEAF\n", [], id="a Dialer"),
    ],
)  # fmt: skip
def test_a_queue_needs_a_rate(text: str, expected: list[str]) -> None:
    said = hits_of(
        QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(
            device_of(HQF + POLICIES + text + END), NoParams()
        )
    )
    assert [hit.evidence.classes for hit in said] == expected


@pytest.mark.parametrize(
    ("line", "advised"),
    [
        pytest.param(" description customer A, 10 Mb/s\n", "10 Mb/s by description",
                     id="a description"),
        pytest.param(" bandwidth 6000\n", "6000 kb/s by bandwidth label", id="bandwidth"),
    ],
)  # fmt: skip
def test_the_rate_of_a_circuit_that_the_configuration_names(line: str, advised: str) -> None:
    text = SUB.format("LEAF").replace(" encapsulation", f"{line} encapsulation")
    hit = hit_of(
        QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(
            device_of(HQF + POLICIES + text + END), NoParams()
        )
    )

    assert advised in (hit.advice or "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(XE + POLICIES + SUB.format("LEAF") + END,
                     "whether IOS XE takes a queue on a subinterface without a shaper is not known",
                     id="IOS XE"),
        pytest.param(HQF + POLICIES + "interface GigabitEthernet0/1\n service instance 7 ethernet\n"
                     "  service-policy output LEAF\nend\n",
                     "whether IOS takes a queue on a service instance without a shaper is not known",
                     id="a service instance"),
    ],
)  # fmt: skip
def test_what_has_no_source_is_not_judged(text: str, reason: str) -> None:
    assert (
        skip_of(QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(device_of(text), NoParams())).reason
        == reason
    )


def test_ios_xe_refuses_a_queue_on_a_tunnel() -> None:
    hit = hit_of(
        QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(
            device_of(XE + POLICIES + TUNNEL.format("LEAF") + END), NoParams()
        )
    )
    assert (hit.confidence, hit.evidence.kind) == (Confidence.CERTAIN, "a tunnel")


def test_a_capture_is_only_possible() -> None:
    text = "Building configuration...\n\n" + HQF + POLICIES + SUB.format("LEAF") + END
    hit = hit_of(QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(device_of(text), NoParams()))
    assert hit.confidence is Confidence.POSSIBLE
    assert "the device printed this line" in hit.evidence.doubt


def test_a_printed_policy_without_effect_in_either_case_is_no_doubt() -> None:
    sold = SUB.format("LEAF") + " description Internet 20 Mb/s\n"
    text = "Building configuration...\n\n" + HQF + POLICIES + sold + END
    hit = hit_of(QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(device_of(text), NoParams()))
    assert hit.confidence is Confidence.LIKELY
    assert hit.evidence.doubt.endswith("Without effect in either case")
    assert "`shape average 20000000`" in (hit.advice or "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(HQF + PORT.format("LEAF") + SUB.format("SHAPED"),
                     [("LEAF", "interface GigabitEthernet0/1.10")], id="port and subinterface"),
        pytest.param(HQF + PORT.format("LEAF"), [], id="the port alone"),
        pytest.param(HQF + SUB.format("SHAPED"), [], id="the subinterface alone"),
        pytest.param(HQF + PORT.format("MARK") + SUB.format("SHAPED"), [], id="the port marks"),
        pytest.param(
            HQF + "interface ATM1/0\n service-policy output LEAF\n pvc 0/100\n  vbr-nrt 512 512\n"
            "  service-policy output LEAF\n",
            [("LEAF", "interface ATM1/0 > pvc 0/100")],
            id="a PVC of the interface itself",
        ),
        pytest.param(HQF + PORT.format("FLAT") + SUB.format("SHAPED"),
                     [("FLAT", "interface GigabitEthernet0/1.10")], id="a port shaper under HQF"),
        pytest.param(XE + PORT.format("FLAT") + SUB.format("SHAPED"), [],
                     id="a port shaper on IOS XE"),
        pytest.param(HQF + PORT.format("SHAPED") + SPOKES,
                     [("SHAPED", "interface Tunnel0 > nhrp group S1 and 1 more")],
                     id="a nested policy on the port of per-tunnel policies"),
        pytest.param(HQF + PORT.format("FLAT") + SPOKES, [],
                     id="class-default with a shaper on the port of per-tunnel policies"),
        pytest.param(HQF + PORT.format("SHAPED") + SPOKES.replace("net0/1", "net0/2"), [],
                     id="per-tunnel policies over another port"),
    ],
)  # fmt: skip
def test_policies_on_both_levels(text: str, expected: list[tuple[str, str]]) -> None:
    said = hits_of(POLICY_ON_BOTH_PVC_AND_MAIN.find(device_of(text + POLICIES + END), NoParams()))
    assert [(hit.evidence.main_policy, hit.evidence.below) for hit in said] == expected


def test_before_hqf_two_levels_are_not_judged() -> None:
    text = (
        "version 12.3\nhostname r1\n" + POLICIES + PORT.format("LEAF") + SUB.format("SHAPED") + END
    )
    said = skip_of(POLICY_ON_BOTH_PVC_AND_MAIN.find(device_of(text), NoParams()))
    assert said.reason == "what IOS before HQF does with policies on both levels is not known"


def test_an_open_generation_is_information() -> None:
    text = (
        "version 12.4\nhostname r1\n" + POLICIES + PORT.format("LEAF") + SUB.format("SHAPED") + END
    )
    hit = hit_of(POLICY_ON_BOTH_PVC_AND_MAIN.find(device_of(text), NoParams()))
    assert (hit.severity, hit.confidence) == (Severity.INFO, Confidence.POSSIBLE)


@pytest.mark.parametrize(
    ("text", "advised"),
    [
        pytest.param(
            "interface Vlan10\n service-policy output LEAF\n",
            "take the policy off: a VLAN interface has no queue of its own",
            id="a VLAN interface has no queue, with a shaper or without",
        ),
        pytest.param(
            "interface ATM1/0.1 point-to-point\n service-policy output LEAF\n"
            " pvc 0/33\n  vbr-nrt 512 512\n",
            "then the policy in `pvc 0/33`",
            id="the circuit of an ATM subinterface queues",
        ),
        pytest.param(
            "interface ATM1/0.1 point-to-point\n service-policy output LEAF\n pvc 0/33\n",
            "",
            id="a circuit without a rate has no queue",
        ),
        pytest.param(SUB.format("LEAF"), "", id="a subinterface wants a parent: the card's words"),
    ],
)
def test_the_policy_goes_where_a_queue_is(text: str, advised: str) -> None:
    hit = hit_of(
        QUEUEING_WITHOUT_SHAPER_ON_SUBINTERFACE.find(
            device_of(HQF + POLICIES + text + END), NoParams()
        )
    )

    assert advised in (hit.advice or "") if advised else hit.advice is None


GROUPS = """class-map match-any VOICE
 match ip dscp ef
policy-map Q
 class VOICE
  priority 256
policy-map BRANCH
 class class-default
  shape average 2000000
  service-policy Q
policy-map PORT
 class class-default
  shape average 8000000
interface Tunnel0
 ip nhrp map group B service-policy output BRANCH
 tunnel source FastEthernet0/0
 tunnel mode gre multipoint
interface FastEthernet0/0
 ip address 192.0.2.1 255.255.255.0
 service-policy output {port}
"""


@pytest.mark.parametrize(
    ("version", "port", "advice"),
    [
        pytest.param("12.4", "PORT", "take the policy off", id="12.4T: not even a shaper"),
        pytest.param("12.4", "BRANCH", "take the policy off", id="12.4T: a shaper with classes"),
        pytest.param("15.2", "PORT", None, id="15.2: no source tells"),
        pytest.param("15.2", "BRANCH", "leave the port", id="15.2: classes on the port"),
        pytest.param("16.9", "PORT", None, id="IOS XE takes a shaper"),
        pytest.param("16.9", "BRANCH", "leave the port", id="IOS XE: classes on the port"),
    ],
)
def test_groups_beside_a_policy_of_their_port_by_generation(
    version: str, port: str, advice: str | None
) -> None:
    device = device_of(f"version {version}\nhostname r1\n" + GROUPS.format(port=port))
    told = [
        hit.advice
        for hit in hits_of(CHECKS["policy-on-both-pvc-and-main"].find(device, NoParams()))
    ]

    assert [(each or "")[: len(advice or "")] for each in told] == ([advice] if advice else [])
