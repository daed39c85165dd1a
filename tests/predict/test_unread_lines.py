"""Lines of a policy that are not understood are not in its figures, and the figures say so."""

import pytest

from advisor.outlet.outlets import outlets
from advisor.predict.classes.congested import CongestedCase, congested, solved_cases
from advisor.wording import RemarkKind, remark_words
from tests.support.devices import device_read

_CONFIG = """version 15.1
hostname r1
class-map match-any VOICE
 match ip dscp ef
class-map match-any DATA
 match ip dscp af21
policy-map CHILD
 class VOICE
  priority 128
 class DATA
  bandwidth 100
policy-map PARENT
 class class-default
  shape average 512000
  service-policy CHILD
interface Serial0/0
 bandwidth 1000
 encapsulation ppp
 tx-ring-limit 4
 service-policy output PARENT
policy-map OTHER
 class DATA
  frobnicate 3
"""
_SAID = remark_words(RemarkKind.UNREAD_LINES)


def _cautions(config: str) -> set[bool]:
    device = device_read(config)
    (case,) = solved_cases([congested(device, outlets(device)[0])])
    assert isinstance(case, CongestedCase)
    said = [each.weak for each in case.solved.classes]
    said += [each.weak for each in case.solved.unstated]
    return {_SAID in weak for weak in said}


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        pytest.param("  bandwidth 100", "  bandwith 100", id="an action of a nested policy"),
        pytest.param("  bandwidth 100", "  bandwidth 100\n  frobnicate 3", id="beside others"),
        pytest.param(" class DATA\n", ' class DATA\n  bandwidth 50\n class "A B"\n', id="a class"),
        pytest.param("  shape average 512000", "  shape average 512000\n  frob 1", id="the parent"),
    ],
)
def test_every_class_of_the_output_has_the_caution(line: str, unread: str) -> None:
    assert _cautions(_CONFIG.replace(line, unread, 1)) == {True}


def test_a_line_of_another_policy_gives_none() -> None:
    assert _cautions(_CONFIG) == {False}
