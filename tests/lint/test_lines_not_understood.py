"""A line that is not understood has neither its own value nor the default of its command."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
CONFIG = """\
version 15.1
hostname R1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map WAN
 class VOICE
  priority 128
 class DATA
  bandwidth 256
  queue-limit 400
 class class-default
  fair-queue
policy-map PORT
 class class-default
  shape average 10000000 40000 0
  service-policy WAN
interface Serial0/0
 bandwidth 2048
 encapsulation ppp
 service-policy output WAN
interface GigabitEthernet0/1
 description WAN 10 Mb/s
 service-policy output PORT
end
"""


def said(old: str = "", new: str = "") -> tuple[set[str], set[str]]:
    """Rules with a finding, and those that were not judged, with a line changed."""
    assert old in CONFIG
    source = Source("r1.cfg", CONFIG.replace(old, new).encode())
    verdict = review([source], RULES, Settings())
    lines = {each.rule for each in verdict.skipped if "is not understood" in each.reason}
    return {each.rule for each in verdict.findings}, lines


@pytest.mark.parametrize(
    ("old", "new", "rules"),
    [
        pytest.param(
            "shape average 10000000 40000 0", "shape average <removed>", {"SHP003"},
            id="the shaper of the port",
        ),
        pytest.param(
            "shape average 10000000 40000 0", "shape avrage 10000000", {"SHP003"},
            id="a misspelt shaper",
        ),
        pytest.param(
            "  queue-limit 400\n", "  queue-limit 400\n  random-detect <removed>\n", {"QLM001"},
            id="WRED in a class with a limit",
        ),
        pytest.param(
            "  queue-limit 400\n", "  queue-limit 400\n  queue-limit {{ x }}\n", {"QLM001"},
            id="a second limit",
        ),
    ],
)  # fmt: skip
def test_rules_that_depend_on_the_line_are_not_judged(old: str, new: str, rules: set[str]) -> None:
    found, skipped = said(old, new)
    assert rules <= skipped
    assert not rules & found


def test_without_such_a_line_they_are_judged() -> None:
    found, skipped = said()
    assert "QLM001" in found
    assert not skipped


def test_a_port_without_a_shaper_is_found() -> None:
    assert "SHP003" in said("  shape average 10000000 40000 0\n  service-policy WAN\n",
                            "  bandwidth percent 10\n")[0]  # fmt: skip
