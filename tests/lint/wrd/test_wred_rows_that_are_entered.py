"""Rows that a remedy enters hold what WRED needs, whatever the finding that it cures."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.run import review
from advisor.settings import Settings

RULES = load_rules(Settings().budgets)
CONFIG = """\
version 12.3
class-map match-any DATA
 match ip dscp af11 af12 af13
policy-map EDGE
 class DATA
  bandwidth {kbps}
  random-detect
  random-detect precedence 1 {row} 10
  random-detect exponential-weighting-constant 4
interface Serial0/0
 bandwidth 10000
 clock rate 8000000
 service-policy output EDGE
"""


@pytest.mark.parametrize(
    ("kbps", "row", "entered"),
    [
        pytest.param(2000, "6 18", {"6 18 10", "5 18 10", "4 18 10"}, id="room for every row"),
        pytest.param(512, "2 6", {"3 9 10", "3 9 5", "3 9 2"}, id="a range of four packets"),
        pytest.param(512, "1 7", {"3 9 10", "3 9 5", "3 9 2"}, id="a minimum of one packet"),
        pytest.param(
            256, "2 6", {"2 6 10", "1 6 10"}, id="too slow for more: as the user has them"
        ),
    ],
)
def test_rows_by_dscp_have_three_packets_and_a_range_of_six(
    kbps: int, row: str, entered: set[str]
) -> None:
    text = CONFIG.format(kbps=kbps, row=row)
    found = review([Source("r1.ios", text.encode())], RULES, Settings()).findings

    (remedy,) = (each.remedy for each in found if each.rule == "WRD010")

    assert remedy is not None
    rows = [line.split() for line in remedy.lines if "random-detect dscp " in line]
    assert {" ".join(words[3:]) for words in rows} == entered
