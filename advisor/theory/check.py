"""A formula beside a run of the kernel: the check of each."""

from collections.abc import Iterable, Sequence
from math import hypot, isfinite

from msgspec import Struct

from advisor.ground.questions import question
from advisor.model import Interface
from advisor.theory.analytic import Answer, Outside, Result, Validity, answer
from advisor.theory.results import HALF_WIDTHS
from advisor.theory.solution import ClassResult
from advisor.theory.solver import sampled

ERRORS = 3.0  # standard errors of a run within which it agrees with a formula, beside its validity
# Relative errors that each validity allows; `HALF_WIDTHS` are those of figures.
ALLOWED = {
    **{validity: widths[0] for validity, widths in HALF_WIDTHS.items()},
    Validity.WITHIN_20: 0.2,
}


class FormulaCheck(Struct, frozen=True):
    """Mean delay of a class in ms by analysis and by a run of the kernel.

    `analysis_ms` and `method` are None where no formula holds; `why` says that, or what limits the
    validity. `error_ms` is the standard error of `sampled_ms`; that is None where no packet passed.
    `agrees` is None where one of both is missing; false if they differ by more than three standard
    errors and the error that the validity allows.
    """

    method: str | None
    validity: Validity
    analysis_ms: float | None
    sampled_ms: float | None
    error_ms: float
    agrees: bool | None
    why: str = ""


@question(512)
def checks_of(interface: Interface) -> tuple[FormulaCheck, ...]:
    """Both means of every class, in the order of the interface's traffic.

    Raises
    ------
    ModelError
        If the interface cannot be modelled as described.
    """
    if not interface.traffic:
        return ()
    pairs = zip(answer(interface), sampled(interface).classes, strict=True)
    return tuple(_check(found, result) for found, result in pairs)


def _check(found: Answer, result: ClassResult) -> FormulaCheck:
    sampled_ms = result.delay.mean_ms if result.delay.mean_ms > 0 and result.error_ms else None
    sampled_ms = sampled_ms if sampled_ms is not None and isfinite(sampled_ms) else None
    error_ms = result.error_ms or 0.0
    if isinstance(found, Outside) or found.mean is Validity.OUTSIDE:
        return FormulaCheck(None, Validity.OUTSIDE, None, sampled_ms, error_ms, None, found.why)
    mean_ms = _within_bound(found, result)
    agrees = None if sampled_ms is None else _agree(found.mean, mean_ms, sampled_ms, error_ms)
    method = found.method.value
    return FormulaCheck(method, found.mean, mean_ms, sampled_ms, error_ms, agrees, found.why)


def _within_bound(found: Result, result: ClassResult) -> float:
    return found.mean_ms if result.bound_ms is None else min(found.mean_ms, result.bound_ms)


def _agree(validity: Validity, mean_ms: float, sampled_ms: float, error_ms: float) -> bool:
    return abs(mean_ms - sampled_ms) <= ERRORS * error_ms + ALLOWED[validity] * sampled_ms


def joined(checks: Sequence[FormulaCheck], weights: Sequence[float]) -> FormulaCheck:
    """Several cases of one class as one, each with its weight; as valid as the least valid one."""
    if len(checks) == 1:
        return checks[0]
    least = max(checks, key=lambda check: list(Validity).index(check.validity))
    analysis_ms = _mean([check.analysis_ms for check in checks], weights)
    sampled_ms = _mean([check.sampled_ms for check in checks], weights)
    pairs = zip(checks, weights, strict=True)
    error_ms = hypot(*(check.error_ms * weight for check, weight in pairs)) / (sum(weights) or 1.0)
    methods = dict.fromkeys(check.method for check in checks if check.method is not None)
    agrees = None
    if analysis_ms is not None and sampled_ms is not None:
        agrees = _agree(least.validity, analysis_ms, sampled_ms, error_ms)
    method = " or ".join(methods) if analysis_ms is not None else None
    return FormulaCheck(
        method, least.validity, analysis_ms, sampled_ms, error_ms, agrees, least.why
    )


def _mean(values: Iterable[float | None], weights: Sequence[float]) -> float | None:
    known = [value for value in values if value is not None]
    if len(known) < len(weights):
        return None
    total = sum(weights) or 1.0
    return sum(value * weight for value, weight in zip(known, weights, strict=True)) / total
