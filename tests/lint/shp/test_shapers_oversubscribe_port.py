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
