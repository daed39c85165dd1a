"""Regimes and ranges of WRED on published scenarios; skipped where they are not at hand."""

import pytest

from advisor.theory.wred import Regime
from tests.support.outside import VALIDATION, needs
from tools.validation.sets import files_of, scored
from tools.validation.wred_errors import WredCompared

# Scenarios whose true link utilization is below 0.6 while flows lose packets.
COLLAPSED = {"W1-08", "Z-004", "Z-012", "Z-016"}

pytestmark = [
    needs(*(VALIDATION / f"{kind}_{name}.json" for kind in ("delay", "wred") for name in
            ("tuning", "wide"))),
    pytest.mark.slow,
]  # fmt: skip


@pytest.fixture(scope="module", params=("tuning", "wide"))
def groups(request: pytest.FixtureRequest) -> list[WredCompared]:
    return list(scored(files_of(request.param)).groups)


def test_nine_true_values_in_ten_lie_inside_the_range(groups: list[WredCompared]) -> None:
    for inside in (
        [row.inside for row in groups],
        [row.delay_inside for row in groups],
        [row.loss_inside for row in groups],
    ):
        assert sum(inside) / len(inside) >= 0.90


def test_a_collapse_is_named_where_there_is_one_and_nowhere_else(
    groups: list[WredCompared],
) -> None:
    named = {row.scenario for row in groups if Regime.COLLAPSE in row.regimes}
    assert named
    assert named <= COLLAPSED
