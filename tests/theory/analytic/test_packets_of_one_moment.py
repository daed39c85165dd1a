"""Packets of one call that arrive at one moment are counted one by one."""

import pytest

from advisor.theory.analytic.orbit import without_lost

FIRST, TWIN, LATER = (1.0, 0), (1.0, 0), (2.0, 0)


@pytest.mark.parametrize(
    ("lost", "kept"),
    [
        pytest.param([], [FIRST, TWIN, LATER], id="none is lost"),
        pytest.param([TWIN], [FIRST, LATER], id="the second of a burst finds a full queue"),
        pytest.param([FIRST, TWIN], [LATER], id="both of them do"),
    ],
)
def test_a_lost_packet_takes_no_other_with_it(
    lost: list[tuple[float, int]], kept: list[tuple[float, int]]
) -> None:
    assert list(without_lost([FIRST, TWIN, LATER], lost)) == kept
