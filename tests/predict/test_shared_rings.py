"""Policies beside each other at one ring: what their prediction leaves out is said."""

import pytest

from advisor.ground.wording import RemarkKind, remark_words
from advisor.outlet.outlets import outlets
from advisor.predict.classes import Question
from advisor.predict.classes.solved import SolvedOutlet, solved
from tests.support.devices import device_of

CONFIG = """\
version 15.1
policy-map CHILD
 class VOICE
  priority 200
policy-map PARENT
 class SITE1
  shape average {first}
  service-policy CHILD
 class SITE2
  shape average {second}
  service-policy CHILD
{default}interface Serial0/0
 clock rate 2048000
 encapsulation ppp
 tx-ring-limit 8
 service-policy output PARENT
"""
SHAPED_REST = " class class-default\n  shape average 64000\n"
WORDS = remark_words(RemarkKind.SHARED_RING)


def answers(first: int, second: int, default: str) -> list[SolvedOutlet]:
    device = device_of(CONFIG.format(first=first, second=second, default=default))
    said = [solved(Question(outlet, (), device.platform)) for outlet in outlets(device)]
    assert len(said) > 1
    assert all(isinstance(each, SolvedOutlet) for each in said)
    return [each for each in said if isinstance(each, SolvedOutlet)]


@pytest.mark.parametrize(
    ("first", "second", "default"),
    [
        pytest.param(1_000_000, 1_500_000, SHAPED_REST, id="shapers above the wire"),
        pytest.param(500_000, 500_000, "", id="a class that is not shaped"),
    ],
)
def test_branches_that_may_fill_the_ring_have_no_bound(
    first: int, second: int, default: str
) -> None:
    for answer in answers(first, second, default):
        for each in answer.classes:
            assert WORDS in each.weak
            assert each.mean.bound is None


def test_branches_whose_shapers_leave_the_ring_idle_have_no_remark() -> None:
    for answer in answers(500_000, 500_000, SHAPED_REST):
        assert all(WORDS not in each.weak for each in answer.classes)
