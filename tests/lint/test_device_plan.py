"""One plan for a device: merged findings, dropped remedies, order, one way back."""

import pytest
from msgspec.structs import replace

from advisor.device.reading import Source, read_source
from advisor.ground.faults import Guard
from advisor.ios.edit.apply import apply
from advisor.ios.edit.canonical import same_config
from advisor.ios.syntax import ConfigTree
from advisor.ios.syntax.reader import parse_config
from advisor.lint.accepted import why_not_taken
from advisor.lint.candidates import candidates_of, settings_of
from advisor.lint.cards import Rule, load_rules
from advisor.lint.findings import Finding, Severity
from advisor.lint.plan import DevicePlan, Plan, RemedySelection, plan_run
from advisor.lint.run import review
from advisor.predict.what_if.subject import offered_calls
from advisor.settings import Settings
from tests.support.runs import all_fixtures

RULES = load_rules(Settings().budgets)
ALL = RemedySelection(tuple(rule.card.id for rule in RULES))

LOW_RING = """\
version 12.3
hostname R1
interface ATM0/0
 no ip address
interface ATM0/0.1 point-to-point
 pvc 0/35
  vbr-nrt 512 512
  tx-ring-limit 1
"""


def planned(
    text: str, selection: RemedySelection = ALL, rules: tuple[Rule, ...] = RULES
) -> DevicePlan:
    plan = plan_run([Source("r1.ios", text.encode())], rules, Settings(), selection)
    return plan.devices[0]


def snippet(lines: tuple[str, ...]) -> ConfigTree:
    return parse_config("".join(f"{line}\n" for line in lines), "paste")


def by_rule(findings: tuple[Finding, ...]) -> dict[str, Finding]:
    return {finding.rule: finding for finding in findings}


def test_a_remedy_that_another_contains_gives_no_step_of_its_own() -> None:
    plan = planned(LOW_RING)

    (step,) = plan.steps
    assert step.lines[-1] == "  tx-ring-limit 3"
    assert [finding.rule for finding in step.cures] == ["TXR005", "TXR009"]
    assert "TXR009" not in by_rule(plan.by_hand)


SLOW_SERIAL = """\
version 12.4
hostname R1
class-map match-all VOICE
 match ip dscp ef
policy-map WAN-EDGE
 class VOICE
  priority 64
 class class-default
  fair-queue
interface Serial0/0
 bandwidth 512
 ip address 172.20.1.1 255.255.255.252
 encapsulation ppp
 clock rate 512000
 tx-ring-limit 1
 service-policy output WAN-EDGE
"""


@pytest.fixture(scope="module")
def moved() -> DevicePlan:
    """The plan of a slow line that becomes a bundle, whose LLQ is too small for its calls."""
    calls = offered_calls(3, "G.729", "VOICE")
    source = Source("r1.ios", SLOW_SERIAL.encode())
    return plan_run([source], RULES, Settings(traffic=(calls,)), ALL).devices[0]


def test_a_rate_is_that_of_the_bundle_to_which_its_policy_moves(moved: DevicePlan) -> None:
    # (60 + 6) bytes and 50 packets/s for three calls; PPP alone would need 76.8 kb/s
    assert "  priority 80" in moved.lines
    assert [step.cures[0].rule for step in moved.steps] == ["LFI001", "LLQ003"]


def test_what_a_step_cures_without_lines_of_its_own_is_told_with_it(moved: DevicePlan) -> None:
    (step, _) = moved.steps

    assert [finding.rule for finding in step.cures] == ["LFI001", "TXR002"]
    assert "TXR002" not in by_rule(moved.by_hand)


# Three steps have findings on this output; only the bundle fragments what a ring of 1 leaves.
DLSW_BESIDE = (
    SLOW_SERIAL.replace("tx-ring-limit 1", "tx-ring-limit 4")
    .replace("ip dscp ef", "ip precedence 5")
    .replace("interface Serial", "dlsw local-peer peer-id 172.20.1.1\n"
             "dlsw remote-peer 0 tcp 172.20.1.2\ninterface Serial")
)  # fmt: skip


def test_of_several_steps_at_an_output_the_one_that_cures_a_finding_tells_it() -> None:
    plan = planned(DLSW_BESIDE)

    told = {step.cures[0].rule: [each.rule for each in step.cures] for step in plan.steps}
    assert told == {"DLS009": ["DLS009"], "LFI001": ["LFI001", "TXR001", "TXR002"]}


# A shorter queue alone leaves the ring with more time than the queue (TXR008: information, told
# beside the lines, unless the user states that it is a warning).
DEEP_RING_AND_QUEUE = """\
!RANCID-CONTENT-TYPE: cisco
!Chassis type: 2811
version 12.4
hostname R1
class-map match-all VOICE
 match ip dscp ef
class-map match-all APP
 match ip dscp af21
policy-map WAN-EDGE
 class VOICE
  priority 300
 class APP
  bandwidth 400
  queue-limit 128
 class class-default
  fair-queue
interface Serial0/0/1
 bandwidth 1536
 encapsulation ppp
 clock rate 1536000
 tx-ring-limit 24
 service-policy output WAN-EDGE
"""


def test_what_does_not_hold_alone_is_tried_behind_the_steps() -> None:
    rules = tuple(
        replace(rule, severity=Severity.WARNING) if rule.card.id == "TXR008" else rule
        for rule in RULES
    )
    alone = planned(DEEP_RING_AND_QUEUE, RemedySelection(("QLM001",)), rules)
    together = planned(DEEP_RING_AND_QUEUE, rules=rules)

    assert (alone.steps, "QLM001" in by_rule(alone.by_hand)) == ((), True)
    assert [step.cures[0].rule for step in together.steps] == ["TXR001", "QLM001"]
    assert "QLM001" not in by_rule(together.by_hand)


def test_information_that_a_step_brings_about_is_its_cost() -> None:
    alone = planned(DEEP_RING_AND_QUEUE, RemedySelection(("QLM001",)))

    (cost,) = alone.costs
    assert [step.cures[0].rule for step in alone.steps] == ["QLM001"]
    assert str(cost) == "TXR008 (info) appears on interface Serial0/0/1 > class APP"


def test_lint_says_when_the_plan_merges_the_remedy_of_a_finding() -> None:
    verdict = review([Source("r1.ios", LOW_RING.encode())], RULES, Settings())

    ring = by_rule(verdict.findings)["TXR009"].remedy
    assert ring is not None
    assert str(ring.merged) == "the remedy of TXR005 interface ATM0/0.1 > pvc 0/35 cures it too"


def test_what_removes_all_rows_changes_each_of_them() -> None:
    mode = ("policy-map EDGE", " class DATA")

    removed = settings_of((*mode, "  no random-detect"))
    row = settings_of((*mode, "  random-detect dscp af11 10 30 10"))

    assert removed & row


def test_rows_of_two_classes_are_two_settings() -> None:
    row = "  random-detect dscp af11 10 30 10"

    one = settings_of(("policy-map EDGE", " class DATA", row))
    other = settings_of(("policy-map EDGE", " class BULK", row))

    assert not one & other


@pytest.fixture(scope="module")
def of_fixtures() -> Plan:
    return plan_run(all_fixtures(), RULES, Settings(), ALL, Guard())


@pytest.mark.slow
def test_the_plan_of_every_fixture_is_taken_step_by_step_and_its_rollback_restores(
    of_fixtures: Plan,
) -> None:
    with_lines = [plan for plan in of_fixtures.devices if plan.steps]

    assert len(with_lines) > 20
    for plan in with_lines:
        assert plan.edited is not None
        before = parse_config(plan.edited.before, plan.file)
        device = read_source(Source(plan.file, plan.edited.before.encode()), Settings()).device
        edit = apply(before, snippet(plan.lines))
        back = apply(edit.tree, snippet(plan.rollback))
        assert not edit.refused
        assert not back.refused
        assert same_config(back.tree, before), plan.file
        assert not why_not_taken(device, device.facts.tree, plan.lines)


@pytest.mark.slow
def test_every_finding_of_a_fixture_is_cured_by_one_step_or_left_by_hand(
    of_fixtures: Plan,
) -> None:
    kept = [
        (finding.device, finding.rule, finding.object)
        for device in of_fixtures.devices
        for finding in (*(f for step in device.steps for f in step.cures), *device.by_hand)
    ]
    open_ = [each for each in of_fixtures.verdict.findings if each.suppressed is None]
    found = [
        (each.device, each.rule, each.object) for each in open_ if not each.rule.startswith("SUP")
    ]
    assert sorted(kept) == sorted(found)


def test_findings_with_the_same_lines_are_one_step() -> None:
    verdict = review([Source("r1.ios", LOW_RING.encode())], RULES, Settings())

    twice = candidates_of((*verdict.findings, *verdict.findings))

    assert {len(candidate.findings) for candidate in twice} == {2}


def two_faults_of_one_class(version: str) -> str:
    return (
        f"version {version}\nhostname R1\nclass-map match-any DATA\n match ip dscp af21 af22 af23\n"
        "policy-map EDGE\n class DATA\n  bandwidth 2000\n  random-detect dscp-based\n"
        "  random-detect dscp af21 60 100 10\n  random-detect dscp af22 70 110 10\n"
        "  random-detect dscp af23 80 120 10\n class class-default\n  fair-queue\ninterface Serial0/0\n bandwidth 4000\n"
        " service-policy output EDGE\n"
    )


@pytest.mark.parametrize("version", ["12.3", "15.2"])
def test_all_findings_on_the_wred_of_a_class_are_one_step(version: str) -> None:
    plan = planned(two_faults_of_one_class(version))

    (step,) = plan.steps
    cured = {finding.rule for finding in step.cures}
    assert {"WRD001", "WRD002", "WRD005"} <= cured
    rows = [line.split() for line in step.lines if " dscp af2" in line]
    assert [row[2] for row in rows] == ["af21", "af22", "af23"]
    assert all(int(row[3]) >= 3 and int(row[4]) - int(row[3]) >= 6 for row in rows)
    assert [int(row[3]) for row in rows] == sorted((int(row[3]) for row in rows), reverse=True)
    assert any("exponential-weighting-constant" in line for line in step.lines)


def test_a_class_on_dscp_with_rows_of_precedence_goes_back_by_the_same_detour() -> None:
    text = two_faults_of_one_class("12.3").replace("random-detect dscp-based", "random-detect")
    text = text.replace("dscp af21 60 100 10", "precedence 2 30 90 10")
    text = "".join(line + "\n" for line in text.splitlines() if ("dscp af22" not in line
                   and "dscp af23" not in line) or "match" in line)  # fmt: skip
    plan = planned(text)

    lines = [line.strip() for step in plan.steps for line in step.lines]
    back = [line.strip() for line in plan.rollback]
    assert lines[2:4] == ["no random-detect", "random-detect dscp-based"]
    assert back[:5] == [
        "policy-map EDGE",
        "class DATA",
        "no random-detect",
        "random-detect",
        "random-detect precedence 2 30 90 10",
    ]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        pytest.param("class-map match-all OLD\n match ip dscp ef\n",
                     "show running-config | include class-map match-all", id="class-map"),
        pytest.param("policy-map OLD\n class class-default\n  fair-queue\n",
                     "show running-config | include policy-map OLD", id="policy-map"),
    ],
)  # fmt: skip
def test_what_a_plan_removes_is_looked_for_by_its_own_line(text: str, command: str) -> None:
    plan = planned(f"{LOW_RING}{text}end\n")

    assert command in [check.command for check in plan.checks]
