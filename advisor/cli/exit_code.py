"""A verdict to an exit code."""

from collections.abc import Sequence

from advisor.cli.errors import Code
from advisor.lint.findings import Severity, Verdict, is_failure

NEVER = "never"


def code_of(
    verdict: Verdict,
    incomplete_rules: Sequence[str],
    fail_on: str,
    *,
    bad_path: bool,
    has_fault: bool = False,
) -> Code:
    """Exit code of an audit.

    Parameters
    ----------
    verdict : Verdict
        All findings, also those that are not shown. Suppressed ones do not count for 1.
    incomplete_rules : sequence of str
        Ids of the rules that say "incomplete": they count for 3, not for 1.
    fail_on : str
        The mildest severity that counts for 1, or "never".
    bad_path : bool
        Whether a path could not be read.
    has_fault : bool
        Whether a guard kept a defect to a device or a rule.
    """
    if has_fault:
        return Code.INTERNAL
    if bad_path or verdict.misstated:
        return Code.WRONG_USE
    mildest = None if fail_on == NEVER else Severity(fail_on)
    if any(is_failure(finding, incomplete_rules, mildest) for finding in verdict.findings):
        return Code.FINDINGS
    if not verdict.complete or any(
        finding.rule in incomplete_rules for finding in verdict.findings
    ):
        return Code.INCOMPLETE
    return Code.CLEAN
