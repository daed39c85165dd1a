"""Remedies as text to paste."""

import json

import pytest
from msgspec.structs import replace

from advisor.lint.findings import Confidence, Finding, Level, Remedy, Severity
from advisor.lint.plan import Edited
from advisor.report import snippet


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

IOS = """\
! R1: remedies by advisor 0.1.0
! ============================================================
!
! TXR001 tx-ring-too-deep-for-llq (warning, needs-window): interface Serial0/0
! a ring of 10 is too deep
! proof: the finding is gone
interface Serial0/0
 tx-ring-limit 1
! rollback:
!   interface Serial0/0
!    tx-ring-limit 10
! R2: remedies by advisor 0.1.0
! ============================================================
!
! TXR001 tx-ring-too-deep-for-llq (warning, manual): interface Serial0/0
! a ring of 10 is too deep
! manual: a higher rate
"""


def test_snippet_is_grouped_by_device_with_proof_and_rollback_as_comments() -> None:
    assert snippet.render_ios([finding("R2", MANUAL), finding("R1", RING)]) == IOS


def test_json_holds_the_remedy_of_each_finding() -> None:
    (said,) = json.loads(snippet.render_json([finding("R1", RING)]))
    assert (said["device"], said["rule"]) == ("R1", "TXR001")
    assert said["remedy"] == {
        "level": "needs-window",
        "lines": ["interface Serial0/0", " tx-ring-limit 1"],
        "rollback": ["interface Serial0/0", " tx-ring-limit 10"],
        "proof": ["the finding is gone"],
        "verify": [],
        "advice": None,
    }


def test_diff_names_the_file_on_both_sides() -> None:
    edited = Edited("r1.cfg", "shutdown\r\nmtu 1\r\n", "shutdown\r\nmtu 2\r\n")
    assert snippet.render_diff([edited]).splitlines() == [
        "--- a/r1.cfg",
        "+++ b/r1.cfg",
        "@@ -1,2 +1,2 @@",
        " shutdown",
        "-mtu 1",
        "+mtu 2",
    ]


def test_diff_of_an_unchanged_file_is_empty() -> None:
    assert not snippet.render_diff([Edited("r1.cfg", "a\n", "a\n")])


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
        snippet.render_ios([finding("R1", remedy)]),
        snippet.render_json([finding("R1", remedy)]),
    ):
        assert "s3nt1nel" not in said
        assert "tx-ring-limit" not in said
        assert "manual" in said
    assert snippet.pasted([finding("R1", remedy), finding("R1", RING)]) == 1


def test_diff_shows_a_change_whose_words_it_leaves_out() -> None:
    before, after = "interface Serial0/0\n description a\n", "interface Serial0/0\n description b\n"
    assert snippet.render_diff([Edited("r1.cfg", before, after)]).splitlines()[3:] == [
        " interface Serial0/0",
        "- description <removed>",
        "+ description <removed>",
    ]


def test_diff_leaves_out_the_text_of_a_banner_beside_a_change() -> None:
    banner = "banner motd ^C\nclass s3nt1nel\n^C\n"
    said = snippet.render_diff([Edited("r1.cfg", f"{banner}mtu 1\n", f"{banner}mtu 2\n")])
    assert "s3nt1nel" not in said
