"""Lines to paste are withheld where outputs contradict what they would rest on."""

from pathlib import Path

import pytest

from advisor.device.inputs import Inputs
from advisor.lint.cards import load_rules
from advisor.lint.judge import judge
from advisor.lint.run import review
from advisor.lint.trial import has_lines
from advisor.settings import Budgets, Settings
from tests.support.devices import device_read

RULES = load_rules(Budgets())
CONFIG = """\
version 12.4
hostname R1
class-map match-all VOICE
 match ip dscp ef
policy-map WAN
 class VOICE
  priority 96
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 ip address 192.0.2.1 255.255.255.252
 encapsulation ppp
 clock rate 512000
 tx-ring-limit 10
 service-policy output WAN
end
"""
CLOCK = """\
R1#show controllers serial 0/0
Interface Serial0/0
Hardware is PowerQUICC MPC860
DCE V.35, clock rate {clock}
tx_limited=1({ring})
"""


def curable(clock: int, ring: int) -> dict[str, bool]:
    """Whether each finding has lines to paste, by its rule."""
    shown = CLOCK.format(clock=clock, ring=ring)
    device = device_read(f"R1#show running-config\n{CONFIG}{shown}R1#\n")
    pairs = judge(device, RULES).pairs
    return {rule.card.id: has_lines(rule, hit) for rule, hit in pairs}


@pytest.mark.parametrize(
    ("clock", "has_some"),
    [
        pytest.param(512_000, True, id="the line runs as configured"),
        pytest.param(128_000, False, id="the line runs at another clock"),
    ],
)
def test_lines_are_withheld_at_a_port_of_another_state(clock: int, *, has_some: bool) -> None:
    found = curable(clock, ring=10)
    assert found["LFI001"] is has_some
    assert any(found.values()) is has_some


def test_lines_that_put_a_contradiction_out_of_sight_do_not_cure_it(tmp_path: Path) -> None:
    shown = CLOCK.format(clock=512_000, ring=2)
    file = tmp_path / "r1.txt"
    file.write_text(f"R1#show running-config\n{CONFIG}{shown}R1#\n")
    verdict = review(Inputs([str(file)]), RULES, Settings())
    (own,) = (item for item in verdict.findings if item.rule == "TXR007")

    assert any(item.lines for item in verdict.findings)
    assert own.remedy is None or own.remedy.merged is None
