"""A policy at several outputs: an edit says that all of them change."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings.values import Settings

RULES = load_rules(Settings().budgets)
POLICY = """\
version 12.3
hostname R1
class-map match-all DATA
 match ip precedence 3
policy-map EDGE
 class DATA
  bandwidth 2000
  random-detect
  random-detect precedence 3 20 30 10
"""
OUTPUT = "interface Serial0/{}\n bandwidth 4000\n service-policy output EDGE\n"


@pytest.mark.parametrize(
    ("outputs", "is_said"),
    [pytest.param(1, False, id="one output"), pytest.param(2, True, id="two outputs")],
)
def test_an_edit_of_a_shared_policy_names_all_outputs(outputs: int, is_said: bool) -> None:
    text = POLICY + "".join(OUTPUT.format(number) for number in range(outputs))

    verdict = review([Source("r1.ios", text.encode())], RULES, Settings())

    (remedy,) = (each.remedy for each in verdict.findings if each.rule == "WRD002")
    assert remedy is not None
    words = "EDGE is shared, and all of interface Serial0/0, interface Serial0/1 change"
    assert (words in (remedy.advice or "")) is is_said
