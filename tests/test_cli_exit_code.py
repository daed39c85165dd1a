"""Exit codes: the highest of 4 > 2 > 1 > 3 > 0 that applies."""

import pytest

from advisor.cli.endings import code_of
from advisor.lint.findings import Confidence, Finding, Severity, Verdict

INCOMPLETE_RULES = ("PRS002",)


def verdict(*found: tuple[str, Severity], incomplete: tuple[str, ...] = ()) -> Verdict:
    findings = tuple(
        Finding("R1", rule, rule, severity, Confidence.CERTAIN, "o", (), "m", None, None, ())
        for rule, severity in found
    )
    return Verdict(findings, (), (), incomplete=incomplete)


ERROR, WARNING, INFO = Severity.ERROR, Severity.WARNING, Severity.INFO
CUT = ("PRS002", ERROR)


@pytest.mark.parametrize(
    ("said", "fail_on", "bad_path", "expected"),
    [
        pytest.param(verdict(), "warning", False, 0, id="nothing found is clean"),
        pytest.param(verdict(("A", WARNING)), "warning", False, 1, id="a warning fails"),
        pytest.param(verdict(("A", INFO)), "warning", False, 0, id="an info does not"),
        pytest.param(verdict(("A", INFO)), "info", False, 1, id="an info fails where asked"),
        pytest.param(
            verdict(("A", WARNING)), "error", False, 0, id="a warning under --fail-on error"
        ),
        pytest.param(verdict(("A", ERROR)), "error", False, 1, id="an error under --fail-on error"),
        pytest.param(verdict(("A", ERROR)), "never", False, 0, id="never fails on findings"),
        pytest.param(
            verdict(CUT), "warning", False, 3, id="a rule that says incomplete counts for 3"
        ),
        pytest.param(verdict(CUT), "never", False, 3, id="and does so under --fail-on never"),
        pytest.param(verdict(CUT, ("A", WARNING)), "warning", False, 1, id="1 wins over 3"),
        pytest.param(verdict(CUT, ("A", INFO)), "warning", False, 3, id="3 wins over 0"),
        pytest.param(verdict(incomplete=("x",)), "warning", False, 3, id="not all was read"),
        pytest.param(verdict(("A", ERROR)), "warning", True, 2, id="2 wins over 1"),
        pytest.param(verdict(incomplete=("x",)), "never", True, 2, id="2 wins over 3"),
        pytest.param(
            Verdict((), (), (), misstated=("x",)), "never", False, 2, id="a wrong statement"
        ),
    ],
)
def test_exit_code(said: Verdict, fail_on: str, bad_path: bool, expected: int) -> None:
    assert code_of(said, INCOMPLETE_RULES, fail_on, bad_path=bad_path) == expected
