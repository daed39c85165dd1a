"""A formula beside a run of the kernel: what agrees, what differs, what has no formula."""

import pytest
from msgspec.structs import replace

from advisor.model import (
    Framing,
    Interface,
    Periodic,
    Queue,
    QueueKind,
    Saturated,
    Shaper,
    SizeMix,
    Traffic,
    TxRing,
)
from advisor.theory.analytic import Validity
from advisor.theory.check import FormulaCheck, checks_of, joined
from advisor.theory.solver import solve

VOICE, DATA = Queue("voice", QueueKind.PRIORITY), Queue("data", QueueKind.CLASS_DEFAULT)
PPP = Framing(8)
EDGE = Interface(
    512_000.0,
    PPP,
    TxRing(4),
    (VOICE, DATA),
    (
        Traffic("voice", "voice", Periodic(50.0), SizeMix(((60, 1.0),))),
        Traffic("data", "data", Saturated(), SizeMix(((300, 1.0),))),
    ),
)
SHAPED = replace(EDGE, shaper=Shaper(256_000.0, 10.0))
AGREES = FormulaCheck("by law", Validity.WITHIN_5, 10.0, 10.2, 0.1, agrees=True)
OUTSIDE = FormulaCheck(None, Validity.OUTSIDE, None, 30.0, 0.1, None, "no law")


def test_a_formula_and_a_run_of_the_same_interface_agree() -> None:
    for check, result in zip(checks_of(EDGE), solve(EDGE).classes, strict=True):
        assert check.agrees
        assert check.method == result.method
        assert check.analysis_ms == pytest.approx(result.delay.mean_ms)


def test_a_run_is_made_though_formulas_are_the_figure() -> None:
    assert all(check.sampled_ms != check.analysis_ms for check in checks_of(EDGE))


def test_without_a_formula_the_run_stands_alone_and_says_why() -> None:
    unanswered = [check for check in checks_of(SHAPED) if check.analysis_ms is None]

    for check in unanswered:
        assert check.agrees is None
        assert check.method is None
        assert check.why


@pytest.mark.parametrize(
    ("second", "weights", "analysis_ms", "agrees", "validity"),
    [
        pytest.param(AGREES, (1, 1), 10.0, True, Validity.WITHIN_5, id="two alike are as one"),
        pytest.param(replace(AGREES, analysis_ms=20.0, sampled_ms=20.4), (3, 1), 12.5, True,
                     Validity.WITHIN_5, id="each counts with its weight"),
        pytest.param(replace(AGREES, analysis_ms=20.0, agrees=False), (1, 1), 15.0, False,
                     Validity.WITHIN_5, id="a mean that is too far off differs"),
        pytest.param(OUTSIDE, (1, 1), None, None, Validity.OUTSIDE,
                     id="one without a formula leaves the run alone"),
    ],
)  # fmt: skip
def test_cases_of_a_class_are_joined(
    second: FormulaCheck,
    weights: tuple[float, float],
    analysis_ms: float | None,
    agrees: bool | None,
    validity: Validity,
) -> None:
    found = joined((AGREES, second), weights)

    assert found.analysis_ms == (None if analysis_ms is None else pytest.approx(analysis_ms))
    assert found.agrees is agrees
    assert found.validity is validity
