"""The share of warnings and errors that print lines, over composed production configurations."""

import pytest

from tools.production_configs import KINDS, all_composed
from tools.remedy_share import of_composed, share_of

_GOAL_PERCENT = 85.0


def test_a_seed_composes_the_same_text_and_every_kind_of_access() -> None:
    configs = all_composed(each=1)

    assert configs == all_composed(each=1)
    assert len(configs) == len(KINDS)


@pytest.mark.slow
def test_most_findings_of_composed_configurations_print_lines() -> None:
    share = share_of(of_composed(all_composed()))

    assert share.given.total() >= len(KINDS)
    assert share.percent >= _GOAL_PERCENT, share.withheld
