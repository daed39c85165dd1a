"""PLC001 at logical places: sessions, ports before a modem, port-channels; no figure beside it."""

import pytest

from advisor.ground.quantity import Unknown
from advisor.lint.cards import load_rules
from advisor.lint.checks.base import Hit
from advisor.lint.checks.plc import find_policy_where_nothing_queues
from advisor.lint.findings import Confidence, Severity
from advisor.lint.judge import judge, severity_of
from advisor.outlet.offer import offers_of
from advisor.outlet.outlets import outlets, policies_out
from advisor.predict.classes import Question
from advisor.predict.classes.solved import solved
from advisor.settings import Settings
from tests.support.devices import device_of, device_read

RULES = load_rules(Settings().budgets)
IOS = "version 15.1\nhostname r1\n"
QFP = "version 16.9\nhostname r1\nlicense udi pid ISR4331/K9 sn FDO00000000\n"
QUEUES = (
    "class-map match-any VOICE\n match ip dscp ef\n"
    "policy-map EDGE\n class VOICE\n  priority percent 20\n class class-default\n  fair-queue\n"
    "policy-map SHAPED\n class class-default\n  shape average 2000000\n  service-policy EDGE\n"
)
E = Severity.ERROR
W = Severity.WARNING


def dialer(own: str = "", policy: str = "EDGE", port: str = "") -> str:
    port = port or "interface FastEthernet4\n pppoe-client dial-pool-number 1\n"
    return (
        f"{port}interface Dialer1\n mtu 1492\n encapsulation ppp\n dialer pool 1\n{own}"
        f" service-policy output {policy}\nend\n"
    )


def on(name: str, lines: str = "", policy: str = "EDGE") -> str:
    return f"interface {name}\n{lines} service-policy output {policy}\nend\n"


BRI = "interface BRI0\n encapsulation ppp\n dialer pool-member 1\n ppp multilink\n"
PVC = "interface ATM0\n pvc 8/35\n  vbr-nrt 1024 1024\n  pppoe-client dial-pool-number 1\n"
PPPOA = (
    "interface ATM0\n pvc 8/35\n  vbr-nrt 512 512\n  encapsulation aal5mux ppp dialer\n"
    "  dialer pool-member 1\n"
)
TEMPLATE = "interface ATM0\n pvc 8/35\n  vbr-nrt 512 512\n  protocol ppp Virtual-Template1\n"
IN_PVC = f"{PPPOA}  service-policy output EDGE\ninterface Dialer1\n dialer pool 1\nend\n"
CHANNEL = on("Port-channel1") + "interface GigabitEthernet0/0/0\n channel-group 1 mode active\n"
AGGREGATE = "platform qos port-channel-aggregate "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(IOS + dialer(), ("PLC001", W), id="a Dialer of PPPoE"),
        pytest.param(IOS + dialer(" ppp multilink\n"), ("PLC001", W), id="a bundle of PPPoE"),
        pytest.param(QFP + dialer(), ("PLC001", E), id="which QFP refuses"),
        pytest.param(QFP + dialer(" bandwidth 1000\n"), ("PLC001", E), id="whatever names a rate"),
        pytest.param(IOS + dialer(" bandwidth 1000\n"), ("SHP003", W), id="a line names the rate"),
        pytest.param(IOS + dialer(" description DSL access, 2 Mb/s\n"), ("SHP003", W),
                     id="so does a description"),
        pytest.param(IOS + dialer(port=PVC), ("PLC001", W), id="PPPoE over a circuit of ATM"),
        pytest.param(IOS + dialer(port=PPPOA), ("PLC001", W), id="PPPoA"),
        pytest.param(IOS + dialer(port=PPPOA.replace("  vbr-nrt 512 512\n", "")), ("PLC001", W),
                     id="PPPoA over a circuit without a rate"),
        pytest.param(IOS + TEMPLATE + on("Virtual-Template1"), ("PLC001", W),
                     id="the template of PPPoA"),
        pytest.param(QFP + dialer(port=PPPOA), ("PLC001", E), id="PPPoA of QFP"),
        pytest.param(IOS + on("Virtual-Template1"), ("PLC001", W), id="a template of sessions"),
        pytest.param(IOS + on("FastEthernet4", " pppoe-client dial-pool-number 1\n"),
                     ("PLC001", W), id="the port before the modem"),
        pytest.param(IOS + on("BVI1"), ("PLC001", W), id="a bridged interface"),
        pytest.param(QFP + on("BDI10"), ("PLC001", W), id="a bridge domain"),
        pytest.param(IOS + "control-plane\n service-policy output EDGE\nend\n", ("PLC001", W),
                     id="the control plane"),
        pytest.param(QFP + CHANNEL, ("PLC001", E), id="a port-channel of QFP"),
        pytest.param(f"{AGGREGATE}2\n{QFP}{CHANNEL}", ("PLC001", E), id="of another number"),
        pytest.param(IOS + CHANNEL, ("PLC001", W), id="a port-channel of a software router"),
    ],
)  # fmt: skip
def test_nothing_queues_there(text: str, found: tuple[str, Severity]) -> None:
    device = device_of(QUEUES + text)

    said = [
        (rule.card.id, severity_of(rule, hit))
        for rule, hit in judge(device, RULES).pairs
        if rule.card.id[:3] in ("PLC", "SHP", "REF")
    ]
    assert [(name, severity) for name, severity in said if name != "REF004"] == [found]
    for outlet in outlets(device):
        assert isinstance(solved(Question(outlet, offers_of(outlet, ()), device.platform)), Unknown)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(IOS + dialer(policy="SHAPED"), id="a shaper is around the classes"),
        pytest.param(QFP + dialer(policy="SHAPED"), id="of QFP too"),
        pytest.param(IOS + dialer(" ppp multilink\n", port=BRI), id="a bundle of another link"),
        pytest.param(IOS + dialer(" ppp multilink\n", port=PPPOA), id="a bundle over a circuit"),
        pytest.param(IOS + dialer(policy="SHAPED", port=PVC), id="a shaper before a circuit"),
        pytest.param(IOS + IN_PVC, id="the circuit of a session"),
        pytest.param(IOS + on("Virtual-Template1", " ppp multilink\n"), id="a template of bundles"),
        pytest.param(IOS + on("FastEthernet4"), id="a port without a session"),
        pytest.param(IOS + on("BVI1", policy="SHAPED"), id="a shaped bridge"),
        pytest.param(f"{AGGREGATE}1\n{QFP}{CHANNEL}", id="the line of the port-channel"),
        pytest.param(CHANNEL, id="a part of a configuration may lack the line"),
        pytest.param(
            QFP + on("GigabitEthernet0/0/0", " channel-group 1 mode active\n"), id="a member"
        ),
    ],
)
def test_a_queue_forms(text: str) -> None:
    device = device_of(QUEUES + text)

    assert not any(rule.card.id == "PLC001" for rule, _ in judge(device, RULES).pairs)
    assert policies_out(device)
    assert not any(outlet.is_never_full for outlet in outlets(device))


def test_the_policy_of_a_service_instance_is_attached_there() -> None:
    instance = (
        "interface GigabitEthernet0/0/0\n service instance 100 ethernet\n"
        "  encapsulation dot1q 100\n  service-policy output {}\n  bridge-domain 100\nend\n"
    )
    shaped, bare = (device_of(QUEUES + QFP + instance.format(name)) for name in ("SHAPED", "EDGE"))

    (outlet,) = outlets(shaped)
    assert (outlet.label, outlet.circuit, outlet.line_bps) == (
        "interface GigabitEthernet0/0/0 > service instance 100",
        "100",
        2e6,
    )
    assert not shaped.facts.unread
    assert [item.is_never_full for item in outlets(bare)] == [True]


def test_a_circuit_that_reserves_nothing_has_no_figures() -> None:
    pvc = "interface ATM0\n pvc 8/35\n  {}\n  service-policy output EDGE\nend\n"
    answers = {}
    for rate in ("ubr 1024", "vbr-nrt 1024 1024"):
        device = device_of(QUEUES + "version 12.3\nhostname r1\n" + pvc.format(rate))
        (outlet,) = outlets(device)
        answers[rate] = solved(Question(outlet, offers_of(outlet, ()), device.platform))

    assert isinstance(answers["ubr 1024"], Unknown)
    assert "UBR" in answers["ubr 1024"].reason
    assert not isinstance(answers["vbr-nrt 1024 1024"], Unknown)


@pytest.mark.parametrize(
    ("port", "said"),
    [
        pytest.param(PPPOA, "attach the policy inside of `pvc 8/35` of ATM0", id="it reserves"),
        pytest.param(PPPOA.replace("vbr-nrt 512 512", "ubr 512"), "put the policy into a parent",
                     id="UBR reserves nothing"),
    ],
)  # fmt: skip
def test_a_session_over_a_circuit_queues_in_the_circuit(port: str, said: str) -> None:
    (hit,) = find_policy_where_nothing_queues(device_of(QUEUES + IOS + dialer(port=port)))

    assert isinstance(hit, Hit)
    assert hit.confidence is Confidence.POSSIBLE  # that it never fills is recalled
    assert hit.evidence.instead == "the packets wait in the one queue of pvc 8/35, without priority"
    assert hit.advice is not None
    assert hit.advice.startswith(said)


@pytest.mark.parametrize(
    ("depth", "is_judged"),
    [
        pytest.param("0/0/0", True, id="nothing waits"),
        pytest.param("12/0/0", False, id="packets wait"),
        pytest.param("0/3456/0", False, id="packets were dropped"),
    ],
)
def test_counters_of_a_queue_that_filled_are_stronger_than_the_text(
    depth: str, is_judged: bool
) -> None:
    (found,) = find_policy_where_nothing_queues(device_read(counted(dialer(), depth)))

    assert isinstance(found, Hit) is is_judged


def test_a_session_over_a_circuit_that_filled_is_judged_as_any_queue() -> None:
    device = device_read(counted(dialer(port=PPPOA), "12/34/0"))

    assert not list(find_policy_where_nothing_queues(device))
    assert not any(outlet.is_never_full for outlet in outlets(device))


def counted(config: str, depth: str) -> str:
    counters = (
        " Dialer1\n\n  Service-policy output: EDGE\n\n    Class-map: class-default (match-any)\n"
        "      2000 packets, 200000 bytes\n      Match: any\n      Queueing\n"
        "      queue limit 64 packets\n      (queue depth/total drops/no-buffer drops) "
        f"{depth}\n      (pkts output/bytes output) 2000/200000\n"
    )
    return (
        f"r1#show running-config\n{QUEUES}{IOS}{config}"
        f"r1#show policy-map interface Dialer1\n{counters}r1#\n"
    )
