"""REF001 says what a wrong name costs packets, and what is to be mended once it is right."""

import pytest

from advisor.api import lint, of_texts
from advisor.lint.findings import Finding

VOICE = "class-map match-any VOICE\n match ip dscp ef\n"
LLQ = " class VOICE\n  priority 100\n"
FAIR = " class class-default\n  fair-queue\n"
SLOW = " bandwidth 256\n clock rate 256000\n encapsulation ppp\n tx-ring-limit 64\n"
OUT, IN = " service-policy output WAN-EGDE\n", " service-policy input WAN-EGDE\n"


def config(policy: str, lines: str) -> str:
    parts = (policy, "interface Serial0/0/0\n", SLOW, lines, "end\n")
    return f"version 15.1\nhostname r1\n{VOICE}{''.join(parts)}"


def wrong_name(text: str) -> Finding:
    findings = lint(of_texts({"r1.cfg": text})).findings
    return next(known for known in findings if known.rule == "REF001")


@pytest.mark.parametrize(
    ("policy", "lines", "effect"),
    [
        pytest.param(
            f"policy-map WAN-EDGE\n{LLQ}{FAIR}", OUT,
            "no QoS on this output, voice waits behind data like any other packet: ",
            id="the policy that was meant serves voice first",
        ),
        pytest.param(
            f"policy-map WAN-EDGE\n{FAIR}", OUT,
            "no QoS on this output, no class is served before another: ",
            id="the policy that was meant has no priority class",
        ),
        pytest.param(
            f"policy-map WAN-EDGE\n{LLQ}", IN,
            "no QoS on this input, no packet is marked or policed: ", id="an input",
        ),
        pytest.param(
            f"policy-map WAN-EDGE\n{LLQ}policy-map P\n class class-default\n  shape average 64000\n"
            "  service-policy WAN-EGDE\n", " service-policy output P\n",
            "no QoS in this place, its packets are not told apart: ", id="nested in a class",
        ),
    ],
)  # fmt: skip
def test_a_wrong_name_says_what_packets_lack(policy: str, lines: str, effect: str) -> None:
    finding = wrong_name(config(policy, lines))
    end = "policy-map WAN-EGDE is not defined (did you mean WAN-EDGE?)"
    assert finding.message == f"{effect}{end}"


def test_what_is_found_once_the_name_is_right_is_told_worst_first() -> None:
    finding = wrong_name(config(f"policy-map WAN-EDGE\n{LLQ}{FAIR}", OUT))
    worst = finding.then[0]
    assert (worst.rule, worst.object) == ("TXR001", "interface Serial0/0/0")
    right = config(f"policy-map WAN-EDGE\n{LLQ}{FAIR}", OUT.replace("EGDE", "EDGE"))
    messages = {known.rule: known.message for known in lint(of_texts({"r1.cfg": right})).findings}
    assert all(messages[item.rule] == item.message for item in finding.then)


def test_a_name_that_means_nothing_here_has_nothing_to_follow() -> None:
    finding = wrong_name(config(f"policy-map QUEUES\n{LLQ}{FAIR}", OUT))
    assert finding.then == ()
