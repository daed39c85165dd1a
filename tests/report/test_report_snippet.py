"""Remedies as text to paste."""

import json

import pytest
from msgspec.structs import replace

from advisor.lint.device_plan import PlanStep
from advisor.lint.findings import Confidence, Finding, Level, Remedy, Severity, Verification
from advisor.lint.plan import DevicePlan, Edited
from advisor.lint.run import DeviceVerdict
from advisor.report import plans
from advisor.report.mask import masked_finding
from advisor.report.plans import Plans, cured_and_left, render_json


def finding(device: str, remedy: Remedy) -> Finding:
    return Finding(
        device,
        "TXR001",
        "tx-ring-too-deep-for-llq",
        Severity.WARNING,
        Confidence.LIKELY,
        "interface Serial0/0",
        (),
        "a ring of 10 is too deep",
        None,
        remedy,
        (),
    )


RING = Remedy(
    Level.NEEDS_WINDOW,
    ("interface Serial0/0", " tx-ring-limit 1"),
    ("interface Serial0/0", " tx-ring-limit 10"),
    ("the finding is gone",),
)
MANUAL = Remedy(Level.MANUAL, advice="a higher rate")


def plan_of(device: str, remedy: Remedy) -> DevicePlan:
    found = finding(device, remedy)
    if not remedy.lines:
        return DevicePlan(DeviceVerdict(), device, f"{device}.cfg", by_hand=(found,))
    step = PlanStep(1, remedy.lines[0], remedy.level, remedy.lines, (found,))
    checks = (Verification("show controllers Serial0/0", "tx_limited, with 1 in brackets"),)
    return DevicePlan(
        DeviceVerdict(),
        device,
        f"{device}.cfg",
        (step,),
        remedy.rollback,
        checks,
        ("re-linted: 1 found before",),
    )


IOS = """\
! R1 (R1.cfg): plan by advisor 0.1.0: 1 step, needs-window
! ============================================================
! a paste over a link that it changes can cut itself off: copy this text to the router and enter \
`copy FILE running-config`, or see --guard
!
! step 1 of 1 (needs-window): interface Serial0/0
! TXR001 tx-ring-too-deep-for-llq (warning): interface Serial0/0
! a ring of 10 is too deep
interface Serial0/0
 tx-ring-limit 1
!
! proof: re-linted: 1 found before
! verify: show controllers Serial0/0: tx_limited, with 1 in brackets
! rollback:
!   interface Serial0/0
!    tx-ring-limit 10
! R2 (R2.cfg): plan by advisor 0.1.0: no lines
! ============================================================
!
! TXR001 tx-ring-too-deep-for-llq (warning): interface Serial0/0
! a ring of 10 is too deep
! manual: a higher rate
"""


def test_a_plan_is_numbered_steps_with_one_rollback_as_comments() -> None:
    assert plans.render_ios(Plans((plan_of("R1", RING), plan_of("R2", MANUAL)))) == IOS


def test_a_guarded_plan_saves_and_arms_the_reload_before_the_first_step() -> None:
    said = plans.render_ios(Plans((plan_of("R1", RING),), guard_minutes=5)).splitlines()

    typed = [line for line in said if not line.startswith("!")]
    before = ["write memory", "", "reload in 5", "", "configure terminal"]
    assert typed == [*before, "interface Serial0/0", " tx-ring-limit 1", "end"]
    assert "! when the checks show what they should: `reload cancel`, then `write memory`" in said
    assert any("Recalled, no source at hand" in line for line in said)


def test_the_rollback_of_a_device_is_a_text_of_its_own() -> None:
    said = plans.render_rollback(plan_of("R1", RING)).splitlines()

    assert said[1:] == ["interface Serial0/0", " tx-ring-limit 10"]
    assert not plans.render_rollback(plan_of("R2", MANUAL))


def test_json_holds_one_plan_for_each_device() -> None:
    (said,) = json.loads(render_json(Plans((plan_of("R1", RING),))))
    assert (said["device"], said["level"]) == ("R1", "needs-window")
    assert said["rollback"] == ["interface Serial0/0", " tx-ring-limit 10"]
    (step,) = said["steps"]
    assert step["lines"] == ["interface Serial0/0", " tx-ring-limit 1"]
    assert [cured["rule"] for cured in step["cures"]] == ["TXR001"]
    assert said["verify"] == [
        {"command": "show controllers Serial0/0", "shows": "tx_limited, with 1 in brackets"}
    ]


def test_markdown_has_the_lines_in_fences_and_escapes_markup_of_a_config() -> None:
    hostile = replace(plan_of("R1_*x*", RING))
    said = plans.render_markdown(Plans((hostile,)))

    assert "# R1\\_\\*x\\*\n" in said
    assert "```text\ninterface Serial0/0\n tx-ring-limit 1\n```" in said
    assert "## Rollback of the whole plan" in said


def test_diff_names_the_file_on_both_sides() -> None:
    edited = Edited("r1.cfg", "shutdown\r\nmtu 1\r\n", "shutdown\r\nmtu 2\r\n")
    assert list(plans.masked_diff(edited)) == [
        "--- a/r1.cfg",
        "+++ b/r1.cfg",
        "@@ -1,2 +1,2 @@",
        " shutdown",
        "-mtu 1",
        "+mtu 2",
    ]


def test_diff_of_an_unchanged_file_is_empty() -> None:
    assert not list(plans.masked_diff(Edited("r1.cfg", "a\n", "a\n")))


@pytest.mark.parametrize(
    "typed",
    [
        pytest.param(" description s3nt1nel", id="a description"),
        pytest.param(" service-policy output WAN s3nt1nel", id="a word that is not known"),
        pytest.param(" ppp chap password 0 s3nt1nel", id="a password"),
    ],
)
@pytest.mark.parametrize("part", ["lines", "rollback"])
def test_remedy_that_would_quote_what_reports_leave_out_is_advice(typed: str, part: str) -> None:
    remedy = replace(RING, **{part: ("interface Serial0/0", typed)})
    for said in (
        plans.render_ios(Plans((plan_of("R1", remedy),))),
        render_json(Plans((plan_of("R1", remedy),))),
        plans.render_markdown(Plans((plan_of("R1", remedy),))),
    ):
        assert "s3nt1nel" not in said
        assert "tx-ring-limit" not in said
        assert "must not show" in said
    assert cured_and_left([plan_of("R1", remedy), plan_of("R1", RING)]) == (1, 1)
    assert not plans.render_rollback(plan_of("R1", remedy))


def test_a_remedy_that_is_left_out_says_why_and_keeps_its_advice() -> None:
    remedy = replace(
        RING, lines=("interface Serial0/0", " ppp chap password 0 x"), advice="interrupts: the link"
    )
    shown = masked_finding(finding("R1", remedy)).remedy
    assert shown is not None
    assert shown.advice == (
        "reports must not show all of its line `ppp chap password <removed>`; interrupts: the link"
    )


def test_diff_shows_a_change_whose_words_it_leaves_out() -> None:
    before, after = "interface Serial0/0\n description a\n", "interface Serial0/0\n description b\n"
    assert list(plans.masked_diff(Edited("r1.cfg", before, after)))[3:] == [
        " interface Serial0/0",
        "- description <removed>",
        "+ description <removed>",
    ]


def test_diff_leaves_out_the_text_of_a_banner_beside_a_change() -> None:
    banner = "banner motd ^C\nclass s3nt1nel\n^C\n"
    said = "\n".join(plans.masked_diff(Edited("r1.cfg", f"{banner}mtu 1\n", f"{banner}mtu 2\n")))
    assert "s3nt1nel" not in said
