"""Rows that a remedy enters hold what WRED needs, whatever the finding that it cures."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings.values import Settings

RULES = load_rules(Settings().budgets)
CONFIG = """\
version 12.3
class-map match-any DATA
 match ip dscp af11 af12 af13
policy-map EDGE
 class DATA
  bandwidth {kbps}
  random-detect
  random-detect precedence 1 {low} {high} 10
  random-detect exponential-weighting-constant 4
interface Serial0/0
 bandwidth 10000
 clock rate 8000000
 service-policy output EDGE
"""
REMOVED = "  no random-detect"


@pytest.mark.parametrize(
    ("kbps", "low", "high", "is_removed"),
    [
        pytest.param(2000, 6, 18, False, id="room for every row"),
        pytest.param(512, 2, 6, True, id="a range of four packets"),
        pytest.param(512, 1, 7, True, id="a minimum of one packet"),
    ],
)
def test_rows_by_dscp_need_three_packets_and_a_range_of_six(
    kbps: int, low: int, high: int, *, is_removed: bool
) -> None:
    text = CONFIG.format(kbps=kbps, low=low, high=high)
    found = review([Source("r1.ios", text.encode())], RULES, Settings()).findings

    (remedy,) = (each.remedy for each in found if each.rule == "WRD010")

    assert remedy is not None
    assert REMOVED in remedy.lines
    assert any("random-detect dscp " in line for line in remedy.lines) is not is_removed
