"""PLC001: a policy at a place that gives it no queue, or no packet; nothing is predicted of it."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import NoParams
from advisor.lint.coverage import objects_of
from advisor.lint.findings import Confidence, Severity
from advisor.outlet.outlets import outlets
from tests.support.devices import device_of, device_read
from tests.support.verdicts import hit_of, hits_of

POLICY_WHERE_NOTHING_QUEUES = CHECKS["policy-where-nothing-queues"]

ROUTER = "version 12.3\nhostname r1\n"
QUEUES = (
    "class-map match-any VOICE\n match ip dscp ef\n"
    "policy-map EDGE\n class VOICE\n  priority 64\n class class-default\n  fair-queue\n"
    "policy-map SHAPED\n class class-default\n  shape average 256000\n  service-policy EDGE\n"
    "policy-map MARK\n class VOICE\n  set ip dscp 0\n"
)
SHAPING = " frame-relay traffic-shaping\n"


def circuit(main: str = "", policy: str = "EDGE", *, head: str = ROUTER) -> str:
    return (
        f"{head}{QUEUES}interface Serial0/0\n encapsulation frame-relay\n clock rate 512000\n{main}"
        "interface Serial0/0.1 point-to-point\n frame-relay interface-dlci 100\n  class M\n"
        "map-class frame-relay M\n frame-relay cir 256000\n frame-relay mincir 256000\n"
        f" frame-relay fragment 320\n service-policy output {policy}\n"
    )


def bundle(*members: str, head: str = ROUTER) -> str:
    own = "interface Multilink1\n ppp multilink\n ppp multilink group 1\n service-policy output EDGE\n"
    serials = (
        f"interface Serial0/{number}\n clock rate 384000\n{lines} ppp multilink group 1\n"
        for number, lines in enumerate(members)
    )
    return f"{head}{QUEUES}{own}{''.join(serials)}end\n"


def dialer(carrier: str) -> str:
    own = "interface Dialer7\n bandwidth 256\n dialer pool 7\n service-policy output EDGE\n"
    return f"{ROUTER}{QUEUES}{own}interface FastEthernet0/0\n no shutdown\n{carrier}end\n"


PPP = " encapsulation ppp\n"
NO_QUEUE = (Confidence.CERTAIN, None, "has no `frame-relay traffic-shaping`")


@pytest.mark.parametrize(
    ("text", "confidence", "severity", "said"),
    [
        pytest.param(circuit(), *NO_QUEUE, id="a circuit without traffic shaping"),
        pytest.param(circuit(" no frame-relay traffic-shaping\n"), *NO_QUEUE, id="taken away"),
        pytest.param(circuit(head="version 15.1\nhostname r1\n"), Confidence.LIKELY, *NO_QUEUE[1:],
                     id="and of HQF"),
        pytest.param(circuit(" frame-relay fragment 640 end-to-end\n"), Confidence.POSSIBLE,
                     Severity.WARNING, NO_QUEUE[2], id="fragments of the interface"),
        pytest.param(bundle(), Confidence.CERTAIN, Severity.WARNING, "no member carries it",
                     id="a bundle without members"),
        pytest.param(bundle(" encapsulation hdlc\n", ""), Confidence.CERTAIN, None,
                     "Serial0/0, Serial0/1 cannot join Multilink1", id="members without PPP"),
        pytest.param(bundle(PPP + " service-policy output EDGE\n").replace(
                         "group 1\n service-policy output EDGE", "group 1", 1),
                     Confidence.POSSIBLE, Severity.WARNING, "Serial0/0 is a member of Multilink1",
                     id="a member of a bundle"),
        pytest.param(dialer(""), Confidence.CERTAIN, Severity.WARNING, "in dialer pool 7",
                     id="a Dialer without a pool member"),
    ],
)  # fmt: skip
def test_nothing_queues_there_and_nothing_is_predicted(
    text: str, confidence: Confidence, severity: Severity | None, said: str
) -> None:
    hit = hit_of(POLICY_WHERE_NOTHING_QUEUES.find(device_of(text), NoParams()))

    assert (hit.confidence, hit.severity) == (confidence, severity)
    assert said in hit.evidence.lack
    assert outlets(device_of(text)) == ()


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(circuit(SHAPING), id="traffic shaping"),
        pytest.param(circuit("", "SHAPED"), id="a policy that is the shaper"),
        pytest.param(circuit("", "MARK"), id="marking needs no queue"),
        pytest.param(
            circuit(" frame-relay traffic-shapping\n"), id="a line that is not understood"
        ),
        pytest.param(bundle(PPP, " encapsulation hdlc\n shutdown\n"), id="one member is shut"),
        pytest.param(bundle("", head=""), id="a change of some lines of a member"),
        pytest.param(bundle(head=""), id="a part of a configuration"),
        pytest.param(dialer(" pppoe-client dial-pool-number 7\n"), id="an interface of the pool"),
        pytest.param(
            dialer("vpdn-group 1\n request-dialout\n  pool-member 7\n"), id="a tunnel of VPDN"
        ),
    ],
)
def test_a_policy_that_queues(text: str) -> None:
    assert hits_of(POLICY_WHERE_NOTHING_QUEUES.find(device_of(text), NoParams())) == []
    assert outlets(device_of(text))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(bundle(PPP + " shutdown\n"), id="members that are shut"),
        pytest.param(dialer(" dialer pool-member 7\n shutdown\n"), id="a pool that is shut"),
        pytest.param(circuit(" shutdown\n"), id="a port that is shut"),
    ],
)
def test_what_is_off_is_not_judged(text: str) -> None:
    assert hits_of(POLICY_WHERE_NOTHING_QUEUES.find(device_of(text), NoParams())) == []
    assert outlets(device_of(text)) == ()


@pytest.mark.parametrize("lines", ["", " shutdown\n"], ids=["up", "shut"])
def test_a_bundle_whose_members_are_shut_is_shut(lines: str) -> None:
    known = {each.path: each.is_shut for each in objects_of(device_of(bundle(PPP + lines)))}

    assert known["interface Multilink1"] is bool(lines)


def test_a_member_that_cannot_join_is_told_while_others_carry_the_bundle() -> None:
    device = device_of(bundle(PPP, " encapsulation hdlc\n"))
    hit = hit_of(POLICY_WHERE_NOTHING_QUEUES.find(device, NoParams()))

    assert hit.object == "interface Serial0/1"
    assert [each.label for each in outlets(device)] == ["interface Multilink1 > member Serial0/0"]


COUNTED = """r1#show policy-map interface
 Serial0/0.1: DLCI 100 -

  Service-policy output: EDGE

    Class-map: VOICE (match-any)
      100 packets, 6400 bytes
      5 minute offered rate 0 bps, drop rate 0 bps
      Match: ip dscp ef (46)

    Class-map: class-default (match-any)
      20 packets, 1200 bytes
      5 minute offered rate 0 bps, drop rate 0 bps
      Match: any
r1#
"""


def test_counters_of_the_policy_are_stronger_than_a_line_that_the_text_lacks() -> None:
    device = device_read(f"r1#show running-config\n{circuit()}end\n{COUNTED}")

    assert hits_of(POLICY_WHERE_NOTHING_QUEUES.find(device, NoParams())) == []
    assert len(outlets(device)) == 1


AGGREGATE = "platform qos port-channel-aggregate 1\n"


@pytest.mark.parametrize(
    ("aggregate", "policy", "found"),
    [
        pytest.param(AGGREGATE, "EDGE", 1, id="a policy that queues"),
        pytest.param(AGGREGATE, "SHAPED", 1, id="a parent that shapes helps nothing"),
        pytest.param(AGGREGATE, "MARK", 0, id="marking is no queue"),
        pytest.param("", "SHAPED", 0, id="a channel that is no aggregate"),
        pytest.param(AGGREGATE.replace("1", "2"), "SHAPED", 0, id="another channel is one"),
    ],
)
def test_service_instances_of_an_aggregate_have_no_qos(
    aggregate: str, policy: str, found: int
) -> None:
    device = device_of(
        f"version 16.6\nhostname r1\nlicense udi pid ASR1001-X sn F1\n{aggregate}{QUEUES}"
        "interface Port-channel1\n service instance 10 ethernet\n  encapsulation dot1q 10\n"
        f"  service-policy output {policy}\n"
    )
    hits = hits_of(POLICY_WHERE_NOTHING_QUEUES.find(device, NoParams()))
    unshaped = list(CHECKS["queueing-without-shaper-on-subinterface"].find(device, NoParams()))

    assert len([hit for hit in hits if "aggregate Port-channel1" in hit.evidence.lack]) == found
    assert not found or unshaped == []


@pytest.mark.parametrize(
    ("own", "advised"),
    [
        pytest.param("", "attach the policy to Multilink1", id="the bundle has no policy"),
        pytest.param(
            " service-policy output EDGE\n",
            "`no service-policy output EDGE` on Serial0/0: Multilink1 has a policy",
            id="the bundle has one",
        ),
        pytest.param(
            " service-policy input MARK\n", "attach the policy to Multilink1", id="of its input"
        ),
    ],
)
def test_a_policy_on_a_member_goes_to_its_bundle_or_off(own: str, advised: str) -> None:
    device = device_of(
        f"{ROUTER}{QUEUES}interface Multilink1\n ppp multilink\n ppp multilink group 1\n{own}"
        "interface Serial0/0\n encapsulation ppp\n ppp multilink\n ppp multilink group 1\n"
        " service-policy output EDGE\n"
    )
    (hit,) = (
        item
        for item in hits_of(POLICY_WHERE_NOTHING_QUEUES.find(device, NoParams()))
        if "is a member" in item.evidence.lack
    )

    assert (hit.advice or "").startswith(advised)


@pytest.mark.parametrize(
    ("main", "policy", "dlci", "found"),
    [
        pytest.param("", "EDGE", "100 ppp Virtual-Template1", 1, id="nothing shapes the circuit"),
        pytest.param(SHAPING, "EDGE", "100 ppp Virtual-Template1", 0, id="traffic shaping"),
        pytest.param("", "SHAPED", "100 ppp Virtual-Template1", 0, id="the policy shapes"),
        pytest.param("", "EDGE", "100 ppp Virtual-Template2", 0, id="another template"),
        pytest.param("", "EDGE", "100", 0, id="no PPP in the circuit"),
    ],
)
def test_ppp_over_a_circuit_that_nothing_shapes_never_fills(
    main: str, policy: str, dlci: str, found: int
) -> None:
    device = device_of(
        f"{ROUTER}{QUEUES}interface Serial0/0\n encapsulation frame-relay\n{main}"
        f"interface Serial0/0.1 point-to-point\n frame-relay interface-dlci {dlci}\n"
        f"interface Virtual-Template1\n service-policy output {policy}\n"
    )
    hits = hits_of(POLICY_WHERE_NOTHING_QUEUES.find(device, NoParams()))

    lacks = [hit for hit in hits if "no `frame-relay traffic-shaping`" in hit.evidence.lack]
    assert len(lacks) == found
    assert all(hit.confidence is Confidence.POSSIBLE for hit in lacks)
