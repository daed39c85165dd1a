"""Scenarios composed to be awkward: the model holds where its parts meet."""

from functools import cache
from statistics import median

import pytest

from tools.validation.__main__ import own_rows
from tools.validation.errors import INTERVALS, Compared, bound_ratios, inside_share

pytestmark = pytest.mark.slow

SCENARIOS = (
    pytest.param("E16-head", id="the virtual time of the scheduler falls"),
    pytest.param("E16-cells", id="small packets take more cells than a large one"),
    pytest.param("E17-cells", id="a shaper counts cells"),
    pytest.param("E18-mix", id="a crowded WFQ drops large packets first"),
    pytest.param("E18-small", id="a WFQ of few places drops large packets first"),
    pytest.param("E19-start", id="a periodic class beside overload begins short"),
    pytest.param("E20-shaped", id="a shaped class begins with what its shaper holds"),
    pytest.param("E21-fair", id="conversations stay for seconds"),
    pytest.param("E22-phases", id="phases of few long streams"),
    pytest.param("E23-deep", id="a ring of minutes"),
)


@cache
def rows() -> tuple[Compared, ...]:
    return tuple(own_rows("seams"))


def test_no_bound_is_broken() -> None:
    assert [row.name for row in rows() if row.breaks_bound] == []


def test_bounds_of_the_llq_are_close() -> None:
    assert median(bound_ratios(rows())) <= INTERVALS[True].bound_ratio


def test_true_means_lie_within_low_and_high() -> None:
    assert inside_share(rows()) >= INTERVALS[True].inside


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_class_carries_and_loses_what_it_truly_does(scenario: str) -> None:
    found = [row for row in rows() if row.name.startswith(f"{scenario} ")]
    assert found
    for row in found:
        assert row.predicted.throughput_wire_kbps == pytest.approx(
            row.truth.throughput_wire_kbps, rel=0.2, abs=2.0
        ), row.name
        assert row.predicted.loss_ratio == pytest.approx(row.truth.loss_ratio, abs=0.12), row.name
