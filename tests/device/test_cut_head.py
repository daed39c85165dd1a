"""Names that only the lost head of a log defines are unknown; they are not undefined."""

import pytest

from advisor import api
from tests.support.branch_log import CONFIG, LOG, POLICY

PRIORITY = LOG.index("  priority 96\n")
INTERFACE = LOG.index("interface Serial0/1/0\n")
FRAGMENT = CONFIG[CONFIG.index("interface Serial0/1/0\n") :]
NAMED = "version 12.4\nhostname kiel-1\n"
PROMPT = "kiel-1#"


def rules(text: str) -> tuple[bool, set[str]]:
    report = api.lint(api.of_texts({"x.log": text}))
    return report.complete, {finding.rule for finding in report.findings}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(LOG[PRIORITY:], id="cut inside a class of a policy"),
        pytest.param(LOG[LOG.index(" class class-default\n") :], id="cut ahead of a class"),
        pytest.param(LOG[INTERFACE:], id="cut ahead of the interface"),
        pytest.param(
            LOG[PRIORITY : LOG.index("kiel-1#show policy-map")] + PROMPT,
            id="cut, and no output shows the policy",
        ),
        pytest.param(
            " match ip dscp ef\n!\ninterface Serial0/0\n service-policy output X\nend\n",
            id="a draft pasted from inside a class-map",
        ),
        pytest.param(
            "r 192.0.2.1\n!\ninterface Serial0/0\n service-policy output X\n!\nend\n",
            id="cut inside the first word of a command",
        ),
        pytest.param(
            "ndom-detect\n  random-detect dscp af11 32 40 10\n"
            "interface Serial0/0\n service-policy output X\nend\n",
            id="cut inside a word of a class",
        ),
        pytest.param(
            f"{NAMED}{FRAGMENT}{PROMPT}show policy-map interface\n{POLICY}",
            id="a whole name above lines that the terminal lost, and counters",
        ),
    ],
)
def test_policy_of_a_lost_part_is_not_called_undefined(text: str) -> None:
    complete, found = rules(text)

    assert not complete
    assert "REF001" not in found


def test_class_that_counters_show_is_not_called_undefined() -> None:
    lost = LOG.replace("class-map match-any CALLS\n match ip dscp ef\n!\n", "")
    assert "REF002" not in rules(lost)[1]


def test_policy_that_a_whole_configuration_lacks_is_undefined() -> None:
    whole = f"{NAMED}{FRAGMENT}{PROMPT}show clock\n10:11:12.123 UTC Fri Mar 1 2024\n"
    assert "REF001" in rules(whole)[1]


@pytest.mark.parametrize(
    ("head", "rule"),
    [
        pytest.param("crypto isakmp policy 1\ninterface Serial0/0\n service-policy output X\n",
                     "REF001", id="all policy-maps"),
        pytest.param("policy-map X\n class VOICE\n  priority 64\ninterface Serial0/0\n"
                     " service-policy output X\n", "REF002", id="the class-maps"),
        pytest.param("interface ATM0/0.1 point-to-point\n pvc 1/32\n  class-vc GOLD\n",
                     "REF011", id="the vc-classes"),
    ],
)  # fmt: skip
def test_a_text_with_its_end_alone_lost_definitions_and_is_incomplete(head: str, rule: str) -> None:
    complete, found = rules(f"{head}line vty 0 4\nend\n")

    assert not complete
    assert rule not in found


@pytest.mark.parametrize("mark", ["<output omitted>", "! Output suppressed.", "..."])
def test_what_a_part_that_is_left_out_may_use_is_not_called_unused(mark: str) -> None:
    text = f"{NAMED}class-map CALLS\n match ip dscp ef\npolicy-map X\n{mark}\n{FRAGMENT}end\n"

    complete, found = rules(text)

    assert not complete
    assert "REF010" not in found
    assert "REF010" in rules(text.replace(f"{mark}\n", ""))[1]
