"""Exit codes, and the error that says what the user can do about it."""

from collections.abc import Sequence
from enum import IntEnum

from advisor.findings import Severity, Verdict

NEVER = "never"


class Code(IntEnum):
    """How a run ended; of several, the highest of 4 > 2 > 1 > 3 > 0 counts."""

    CLEAN = 0
    FINDINGS = 1
    WRONG_USE = 2
    INCOMPLETE = 3
    INTERNAL = 4
    INTERRUPTED = 130  # by Ctrl-C, as shells count it


class WrongUseError(Exception):
    """A flag, path or file that cannot be used; the message says which and why."""


def code_of(
    verdict: Verdict, incomplete_rules: Sequence[str], fail_on: str, *, bad_path: bool
) -> Code:
    """Exit code of an audit.

    Parameters
    ----------
    verdict : Verdict
        All findings, also those that are not shown.
    incomplete_rules : sequence of str
        Ids of the rules that say "incomplete": they count for 3, not for 1.
    fail_on : str
        The mildest severity that counts for 1, or "never".
    bad_path : bool
        Whether a path could not be read.
    """
    if bad_path:
        return Code.WRONG_USE
    judged = [each for each in verdict.findings if each.rule not in incomplete_rules]
    if fail_on != NEVER and any(each.severity.rank <= Severity(fail_on).rank for each in judged):
        return Code.FINDINGS
    if not verdict.complete or len(judged) < len(verdict.findings):
        return Code.INCOMPLETE
    return Code.CLEAN
