"""PRS001, PRS002, PRS003: what was not understood, lost, or refused."""

import pytest

from advisor.lint.checks import CHECKS
from advisor.lint.checks.base import AnyCheck, NoParams
from tests.support.devices import device_of
from tests.support.verdicts import hit_of, hits_of

QOS_LINE_NOT_UNDERSTOOD = CHECKS["qos-line-not-understood"]
REJECTED_COMMAND_IN_CAPTURE = CHECKS["rejected-command-in-capture"]
TRUNCATED_CONFIG = CHECKS["truncated-config"]

NOT_UNDERSTOOD, CUT = QOS_LINE_NOT_UNDERSTOOD, TRUNCATED_CONFIG
REJECTED = REJECTED_COMMAND_IN_CAPTURE
POLICY = "policy-map P\n class class-default\n  fair-queue\n"


def lines(check: AnyCheck, text: str) -> list[list[int]]:
    results = check.find(device_of(text), NoParams())
    return [[at.line for at in result.at] for result in hits_of(results)]


@pytest.mark.parametrize(
    ("check", "text", "expected"),
    [
        pytest.param(NOT_UNDERSTOOD, POLICY, [], id="all lines are understood"),
        pytest.param(
            NOT_UNDERSTOOD, "policy-map P\n class class-default\n  bandwith 20\n  prioritize\n",
            [[3, 4]], id="lines of one section are one finding",
        ),
        pytest.param(
            NOT_UNDERSTOOD, "class-map A\n match colour blue\nclass-map B\n match colour red\n",
            [[2], [4]], id="each section has its own",
        ),
        pytest.param(
            NOT_UNDERSTOOD, "router ospf 1\n colour blue\n", [], id="other sections are not QoS"
        ),
        pytest.param(
            NOT_UNDERSTOOD, "interface Multlink1\ninterface FastEthenet0/0\ninterface Serail0/0.1\n",
            [[1, 2, 3]], id="types of interfaces that are misspelt",
        ),
        pytest.param(
            NOT_UNDERSTOOD,
            "interface Wlan-GigabitEthernet0\ninterface ucse1/0\ninterface Cellular0\n"
            "interface AppGigabitEthernet1/0/1\ninterface Embedded-Service-Engine0/0\n"
            "interface Dot11Radio0\ninterface se0/0\ninterface Vxlan1\ninterface swp1\n",
            [], id="types that are rare, short, or of no known kind",
        ),
        pytest.param(
            NOT_UNDERSTOOD,
            "interface Tunnel1\n tunnel source Seral0/0\ninterface Dialer1\n dialer pol 1\n"
            " ip unnumbered Lopback0\ninterface Tunnel2\n tunnel souce Serial0/0\n"
            " tunel protection ipsec profile P\n cyrpto map CM\n",
            [[2], [4, 5], [7, 8, 9]], id="lines of the link are misspelt",
        ),
        pytest.param(
            NOT_UNDERSTOOD,
            "interface Tunnel1\n tunnel source s0/0\n tunnel source 10.0.0.1\n"
            " tunnel source dynamic\n ip unnumbered Loopback0\n dialer pool 1\n",
            [], id="lines of the link are read in short",
        ),
        pytest.param(
            NOT_UNDERSTOOD,
            "access-list 101 permit upd any any\nip access-list extended A\n permit tpc any any\n"
            " 20 deny icpm any any\n",
            [[1, 3, 4]], id="protocols of an access list are misspelt",
        ),
        pytest.param(
            NOT_UNDERSTOOD,
            "access-list 101 permit ud any any\naccess-list 10 permit host 10.0.0.1\n"
            "ip access-list extended A\n permit 17 any any\n permit object-group G any any\n"
            " permit ipv6 any any\n permit ip any any\n 20 deny eigrp any any\n",
            [], id="protocols of an access list are known, short or of another family",
        ),
        pytest.param(CUT, POLICY, [], id="a draft needs no end"),
        pytest.param(CUT, f"version 12.4\nhostname R1\n{POLICY}end\n", [], id="whole"),
        pytest.param(CUT, f"version 12.4\nhostname R1\n{POLICY}", [[5]], id="no end"),
        pytest.param(
            CUT, f"version 12.4\n{POLICY}banner motd ^C\nKeep out\n", [[5]],
            id="cut inside a banner",
        ),
        pytest.param(REJECTED, POLICY, [], id="no error"),
        pytest.param(
            REJECTED, f"R1#show runn\n% Invalid input detected at '^' marker.\nR1#show run\n{POLICY}",
            [[2]], id="an error that IOS printed",
        ),
    ],
)  # fmt: skip
def test_lines_that_are_marked(check: AnyCheck, text: str, expected: list[list[int]]) -> None:
    assert lines(check, text) == expected


def test_a_number_out_of_range_is_quoted_with_the_range() -> None:
    device = device_of("policy-map P\n class A\n  priority 1000000000\n")
    hit = hit_of(NOT_UNDERSTOOD.find(device, NoParams()))

    assert hit.evidence.lines == "`priority 1000000000` (it takes 1 to 400000000)"
