"""Plans of a run where both ends of a link change: their order, and what is cut in between."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.link_work import LinkWork
from advisor.lint.plan import DevicePlan, RemedySelection, plan_run
from advisor.report.snippet import render_ios
from advisor.settings.values import Settings

RULES = load_rules(Settings().budgets)
SELECTED = RemedySelection(("LFI001",))
HEAD = """\
version 12.3
hostname {}
class-map match-all VOICE
 match ip dscp ef
policy-map EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
"""
SERIAL = """\
interface {}
 ip address {} 255.255.255.252
 encapsulation ppp
 bandwidth 512
 clock rate 512000
 tx-ring-limit 1
"""
POLICY = " service-policy output EDGE\n"
BRANCH = SERIAL.format("Serial0/0", "10.0.0.2") + POLICY
HUB = SERIAL.format("Serial0/0", "10.0.0.1") + POLICY
SECOND_LINK = "interface FastEthernet0/0\n ip address 10.0.9.1 255.255.255.252\n"
CORE = "interface FastEthernet0/0\n ip address 10.0.9.2 255.255.255.252\n"


def source(name: str, text: str) -> Source:
    return Source(f"{name}.ios", f"{HEAD.format(name)}{text}end\n".encode())


def plans(*sources: Source) -> tuple[DevicePlan, ...]:
    return plan_run(sources, RULES, Settings(), SELECTED).devices


@pytest.mark.parametrize("is_hub_first", [True, False])
def test_the_end_with_fewer_links_is_far_and_comes_first(*, is_hub_first: bool) -> None:
    hub, branch = source("hub", HUB + SECOND_LINK), source("branch", BRANCH)
    core = source("core", CORE)
    given = (hub, branch, core) if is_hub_first else (core, branch, hub)

    assert [plan.device for plan in plans(*given)] == ["branch", "hub"]


def test_each_end_knows_the_other_and_that_it_has_lines() -> None:
    hub, branch = plans(source("hub", HUB), source("branch", BRANCH))[::-1]

    expected = LinkWork(
        "hub", "Serial0/0", "branch", "Serial0/0", is_first=False, far_has_lines=True
    )
    assert hub.links == (expected,)
    assert branch.links[0].is_first


def test_an_end_without_a_queueing_policy_is_left_by_hand_and_said() -> None:
    bare = SERIAL.format("Serial0/0", "10.0.0.2")

    (hub,) = plans(source("hub", HUB), source("branch", bare))

    assert not hub.links[0].far_has_lines
    assert "branch Serial0/0 has no lines here: do it by hand" in render_ios([hub])


def test_another_end_that_is_not_in_the_run_is_said() -> None:
    (hub,) = plans(source("hub", HUB))

    assert hub.links[0].far_device is None
    assert "its other end is not known here" in render_ios([hub])


def test_the_paste_of_each_end_says_the_order_and_what_is_cut() -> None:
    text = render_ios(plans(source("hub", HUB), source("branch", BRANCH)))

    order = (
        "paste branch Serial0/0 first (the far end), then hub Serial0/0; "
        "in between all traffic of the link is cut"
    )
    assert text.count(order) == len(("hub", "branch"))
