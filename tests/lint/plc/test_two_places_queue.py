"""PLC002: a tunnel that queues before a port that queues."""

import pytest

from advisor.lint.checks.plc import find_two_places_queue
from advisor.lint.findings import Confidence
from tests.support.devices import device_of
from tests.support.verdicts import hits_of

IOS = "version 15.2\nhostname r1\n"
QFP = "version 16.9\nhostname r1\nlicense udi pid ISR4331/K9 sn FDO00000000\n"
POLICIES = (
    "class-map match-any VOICE\n match ip dscp ef\n"
    "policy-map QUEUES\n class VOICE\n  priority percent 20\n class class-default\n  fair-queue\n"
    "policy-map SITE\n class class-default\n  shape average 5000000\n  service-policy QUEUES\n"
    "policy-map PORT\n class class-default\n  shape average 50000000\n"
    "policy-map MARK\n class VOICE\n  set ip dscp ef\n"
)


def edge(port: str, tunnel: str, *, head: str = IOS, source: str = "GigabitEthernet0/1") -> str:
    return (
        f"{head}{POLICIES}interface GigabitEthernet0/1\n ip address 192.0.2.1 255.255.255.0\n"
        f" service-policy output {port}\ninterface GigabitEthernet0/2\n"
        " ip address 198.51.100.1 255.255.255.0\n"
        f"interface Tunnel0\n tunnel source {source}\n{tunnel}end\n"
    )


OWN = " service-policy output {}\n"


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        pytest.param(edge("QUEUES", OWN.format("SITE")), Confidence.POSSIBLE, id="both queue"),
        pytest.param(edge("SITE", OWN.format("SITE")), Confidence.POSSIBLE, id="both shape"),
        pytest.param(edge("QUEUES", OWN.format("SITE"), head=QFP), Confidence.LIKELY, id="on QFP"),
        pytest.param(
            edge("QUEUES", OWN.format("SITE"), source="192.0.2.1"),
            Confidence.POSSIBLE,
            id="a source by its address",
        ),
    ],
)
def test_voice_of_the_tunnel_waits_twice(text: str, confidence: Confidence) -> None:
    (hit,) = hits_of(find_two_places_queue(device_of(text)))

    assert (hit.object, hit.confidence) == ("interface Tunnel0", confidence)


@pytest.mark.parametrize(
    ("head", "effect"),
    [
        pytest.param(IOS, "voice of the tunnel may wait in both", id="where both are taken"),
        pytest.param(
            QFP,
            "beside it IOS XE takes class-default with `shape` alone on the port, and not "
            "policy-map QUEUES",
            id="QFP takes one of them",
        ),
        pytest.param(
            f"Current configuration : 900 bytes\n{QFP}",
            "voice of the tunnel may wait in both",
            id="a device of QFP that printed both has them",
        ),
    ],
)
def test_what_comes_of_two_places(head: str, effect: str) -> None:
    (hit,) = hits_of(
        find_two_places_queue(device_of(edge("QUEUES", OWN.format("SITE"), head=head)))
    )

    assert hit.evidence.effect == effect


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(edge("PORT", OWN.format("SITE")), id="the port shapes alone"),
        pytest.param(edge("MARK", OWN.format("SITE")), id="the port marks"),
        pytest.param(edge("QUEUES", OWN.format("MARK")), id="the tunnel marks"),
        pytest.param(edge("QUEUES", ""), id="the tunnel has none"),
        pytest.param(edge("QUEUES", OWN.format("QUEUES")), id="a refused one is REF007's"),
        pytest.param(edge("QUEUES", OWN.format("SITE") + " shutdown\n"), id="the tunnel is off"),
        pytest.param(
            edge("QUEUES", OWN.format("SITE"), source="GigabitEthernet0/2"), id="another port"
        ),
        pytest.param(
            edge("QUEUES", " ip nhrp map group A service-policy output SITE\n"),
            id="groups are REF008's",
        ),
    ],
)
def test_one_place_queues(text: str) -> None:
    assert hits_of(find_two_places_queue(device_of(text))) == []
