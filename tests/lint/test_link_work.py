"""Plans of a run where both ends of a link change: their order, and what is cut in between."""

import pytest

from advisor.device.reading import Source
from advisor.lint.cards import load_rules
from advisor.lint.device_plan import LinkWork
from advisor.lint.findings import Finding
from advisor.lint.plan import DevicePlan, RemedySelection, plan_run
from advisor.lint.run import review
from advisor.report.plans import Plans, render_ios
from advisor.settings import Settings

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


def test_an_end_without_a_queueing_policy_gets_its_lines_too() -> None:
    bare = SERIAL.format("Serial0/0", "10.0.0.2")

    branch, hub = plans(source("hub", HUB), source("branch", bare))

    assert hub.links[0].far_has_lines
    assert (branch.device, branch.links[0].is_first) == ("branch", True)
    assert " ppp multilink interleave" in branch.lines
    assert " fair-queue" in branch.lines  # no policy of it queues
    assert "it has the LLQ, and cannot fragment alone" in render_ios(Plans((branch,)))


def test_an_end_without_a_queueing_policy_alone_has_nothing_to_do() -> None:
    far = BRANCH.replace(POLICY, "")

    assert plans(source("hub", HUB.replace(POLICY, "")), source("branch", far)) == ()


BARE = (
    SERIAL.format("Serial0/0", "10.0.0.2")
    + "ip nat inside source list 1 interface Serial0/0 overload\n"
)


def test_no_end_has_lines_alone_where_the_other_end_cannot_change_by_lines() -> None:
    made = plans(source("hub", HUB), source("branch", BARE))

    assert [(plan.steps, [each.rule for each in plan.by_hand]) for plan in made] == [
        ((), ["LFI001"]),
        ((), ["LFI001"]),
    ]
    said = "branch Serial0/0 has none (LFI001 there), and one end alone cuts the link"
    assert said in render_ios(Plans(made))


@pytest.mark.parametrize("is_hub_first", [True, False])
@pytest.mark.parametrize(
    ("far", "is_withheld"),
    [
        pytest.param(BARE, True, id="the other end cannot change by lines"),
        pytest.param(BRANCH, False, id="both ends have lines"),
    ],
)
def test_findings_withhold_lines_as_the_plan_does(
    far: str, *, is_withheld: bool, is_hub_first: bool
) -> None:
    pair = (source("hub", HUB), source("branch", far))
    ends = pair if is_hub_first else pair[::-1]
    told: list[Finding] = []
    review(ends, RULES, Settings(), on_findings=lambda findings, _: told.extend(findings))
    verdict = review(ends, RULES, Settings())

    assert sorted(item.key for item in told) == sorted(item.key for item in verdict.findings)
    for findings in (told, verdict.findings):
        (hub,) = (item for item in findings if (item.device, item.rule) == ("hub", "LFI001"))
        assert bool(hub.lines) is not is_withheld
        assert hub.remedy is not None
        assert ("branch Serial0/0 has none" in (hub.remedy.advice or "")) is is_withheld


def test_no_finding_leans_on_lines_that_are_withheld() -> None:
    ring = HUB.replace(" tx-ring-limit 1\n", " tx-ring-limit 20\n")
    verdict = review((source("hub", ring), source("branch", BARE)), RULES, Settings())

    known = {item.key: item for item in verdict.findings}
    assert all(known[item.cured_by].lines for item in verdict.findings if item.cured_by)
    assert any(item.rule == "TXR001" and item.lines for item in verdict.findings)


def test_an_end_that_the_selection_leaves_out_is_done_by_hand() -> None:
    branch = BRANCH.replace("Serial0/0", "Serial0/1")
    selected = RemedySelection(("LFI001",), interface="Serial0/0")
    sources = (source("hub", HUB), source("branch", branch))

    (hub,) = plan_run(sources, RULES, Settings(), selected).devices

    assert "branch Serial0/1 has no lines here: do it by hand" in render_ios(Plans((hub,)))


FRAGMENTING = """\
interface Multilink1
 bandwidth 512
 ip address 10.0.0.2 255.255.255.252
 ppp multilink
 ppp multilink fragment delay 10
 ppp multilink interleave
 ppp multilink group 1
 service-policy output EDGE
interface Serial0/0
 bandwidth 512
 encapsulation ppp
 tx-ring-limit 1
 ppp multilink
 ppp multilink group 1
"""


def test_an_end_that_fragments_already_waits_for_this_one() -> None:
    (hub,) = plans(source("hub", HUB), source("branch", FRAGMENTING))

    assert hub.links[0].far_fragments
    said = "branch Multilink1 has fragments already; all traffic of the link is cut while hub"
    assert said in render_ios(Plans((hub,)))


CIRCUIT = """\
interface Serial0/0
 encapsulation frame-relay
 bandwidth 512
{}interface Serial0/0.1 point-to-point
 ip address {} 255.255.255.252
 frame-relay interface-dlci 100
"""


def test_the_only_circuit_of_a_port_tells_its_other_end() -> None:
    fragments = " frame-relay fragment 640 end-to-end\n"
    branch = source("branch", CIRCUIT.format(POLICY, "10.0.0.2"))
    hub = source("hub", CIRCUIT.format(fragments, "10.0.0.1"))
    (plan,) = plans(branch, hub)

    (work,) = plan.links
    assert (work.interface, work.far_device, work.far_interface) == (
        "Serial0/0.1",
        "hub",
        "Serial0/0.1",
    )
    assert work.far_fragments


def test_the_end_that_did_not_fragment_does_so_with_the_lines_of_its_bundle() -> None:
    selected = RemedySelection(("LFI001", "LFI006"))
    sources = (source("hub", HUB), source("branch", FRAGMENTING))
    (hub,) = plan_run(sources, RULES, Settings(), selected).devices

    assert [each.rule for each in hub.steps[0].cures] == ["LFI001", "LFI006"]


CLOCK, LABEL = " clock rate 512000\n", " bandwidth 512\n"


@pytest.mark.parametrize(
    ("here", "there", "kbps"),
    [
        pytest.param(CLOCK, LABEL.replace("512", "256"), 512, id="a clock before a far label"),
        pytest.param(LABEL, CLOCK.replace("512", "256"), 256, id="a far clock before a label"),
        pytest.param(LABEL, LABEL.replace("512", "256"), 256, id="the lower of two labels"),
        pytest.param(CLOCK, "", 512, id="an end that states no rate"),
    ],
)
def test_the_bundle_has_the_rate_of_the_slower_end(here: str, there: str, kbps: int) -> None:
    line = SERIAL.replace(" bandwidth 512\n clock rate 512000\n", "{rates}")
    hub = line.format("Serial0/0", "10.0.0.1", rates=here) + POLICY
    branch = line.format("Serial0/0", "10.0.0.2", rates=there) + POLICY

    lines = next(
        plan.lines
        for plan in plans(source("hub", hub), source("branch", branch))
        if plan.device == "hub"
    )

    assert lines[:2] == ("interface Multilink1", f" bandwidth {kbps}")


def test_two_lines_of_a_router_become_two_bundles() -> None:
    second = SERIAL.format("Serial0/1", "10.0.1.1") + POLICY

    (hub,) = plans(source("hub", HUB + second))

    assert [step.place for step in hub.steps] == ["interface Multilink1", "interface Multilink2"]


def test_what_was_found_before_is_not_new_on_the_bundle() -> None:
    wide = BRANCH.replace("EDGE", "WIDE")
    text = "policy-map WIDE\n class VOICE\n  priority 256\n class class-default\n  fair-queue\n"

    (branch,) = plan_run(
        [source("branch", text + wide)], RULES, Settings(), RemedySelection(("LFI001", "LLQ001"))
    ).devices

    assert branch.steps[0].cures[0].rule == "LFI001"
    assert [each.rule for each in branch.by_hand] == ["LLQ001"]


@pytest.mark.parametrize(
    ("ring", "expected"),
    [
        pytest.param(" tx-ring-limit 20\n", [" tx-ring-limit 1"], id="a long ring is shortened"),
        pytest.param("", [" tx-ring-limit 1"], id="without a limit a member has a long ring"),
        pytest.param(" tx-ring-limit 1\n", [], id="a shorter one stays"),
    ],
)
def test_the_ring_is_set_on_the_member(ring: str, expected: list[str]) -> None:
    text = "!Chassis type: 2651XM - a 2600 router\n"
    line = BRANCH.replace(" tx-ring-limit 1\n", ring)

    (branch,) = plans(Source("b.ios", text.encode() + source("branch", line).payload))

    assert [each for each in branch.lines if "tx-ring-limit" in each] == expected


def test_another_end_that_is_not_in_the_run_is_said() -> None:
    (hub,) = plans(source("hub", HUB))

    assert hub.links[0].far_device is None
    assert "its other end is not known here" in render_ios(Plans((hub,)))


def test_the_paste_of_each_end_says_the_order_and_what_is_cut() -> None:
    text = render_ios(Plans(tuple(plans(source("hub", HUB), source("branch", BRANCH)))))

    order = (
        "paste branch Serial0/0 first (the far end), then hub Serial0/0; "
        "in between all traffic of the link is cut"
    )
    assert text.count(order) == len(("hub", "branch"))


def test_the_way_back_takes_the_member_out_before_the_bundle_goes() -> None:
    (branch,) = plans(source("branch", BRANCH))

    assert branch.rollback == (
        "interface Serial0/0",
        " no ppp multilink group 1",
        "interface Multilink1",
        " no service-policy output EDGE",
        " shutdown",
        "no interface Multilink1",
        "interface Serial0/0",
        " no ppp multilink",
        " default fair-queue",
        " ip address 10.0.0.2 255.255.255.252",
        " service-policy output EDGE",
    )
