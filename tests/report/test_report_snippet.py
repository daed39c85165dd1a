"""Remedies as text to paste."""

import json

from advisor.findings import Confidence, Finding, Level, Remedy, Severity
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
    edited = snippet.Edited("r1.cfg", "shutdown\r\nmtu 1\r\n", "shutdown\r\nmtu 2\r\n")
    assert snippet.render_diff([edited]).splitlines() == [
        "--- a/r1.cfg",
        "+++ b/r1.cfg",
        "@@ -1,2 +1,2 @@",
        " shutdown",
        "-mtu 1",
        "+mtu 2",
    ]


def test_diff_of_an_unchanged_file_is_empty() -> None:
    assert not snippet.render_diff([snippet.Edited("r1.cfg", "a\n", "a\n")])
