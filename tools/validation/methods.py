"""Each method beside a run of the kernel and the truth: the table of docs/validation.md."""

from collections.abc import Iterator, Sequence
from statistics import median

from advisor.theory.check import FormulaCheck
from advisor.theory.formulas import formula_of
from advisor.theory.solution import SAMPLED
from tools.validation.analytic import OWN, Compared, compared, quantile
from tools.validation.markdown import table

_HEAD = ("method", "formula", "validity", "classes", "by formula", "by a run", "agree")


def own_classes() -> tuple[Compared, ...]:
    """Every scored class of the project's scenarios, by formula, by a run, and true."""
    return tuple(row for path in OWN for row in compared(path, [], with_runs=True))


def methods_section(rows: Sequence[Compared]) -> str:
    """The table and the list of what contradicts itself."""
    defects = "".join(f"- {line}\n" for line in _defects(rows)) or "None.\n"
    return f"""\
## By method: formula, run, truth

All classes of the project's scenarios (reference, seams, IP SLA), each by its formula and by a run
of the kernel, whether the figure comes from one or the other: absolute errors of the mean as
median / 90 % / worst. Of few classes the 90 % is the worst one. A true mean has an interval of its
own (±7 % of E12-ring, one FIFO), and these errors do not allow for it. Formula and run
agree where they differ by no more than three standard errors and what the validity
allows (0.5 %, 6 %, 20 %). `advisor predict --check` prints the same for a config.

{table(_HEAD, list(_lines(rows)))}
Classes where formula and run disagree by more, a defect of the validity:

{defects}"""


def _checked(rows: Sequence[Compared]) -> Iterator[tuple[Compared, FormulaCheck]]:
    for row in rows:
        if row.check is not None and row.check.sampled_ms is not None:
            yield row, row.check


def _lines(rows: Sequence[Compared]) -> Iterator[tuple[str, ...]]:
    groups: dict[tuple[str, str], list[tuple[Compared, FormulaCheck]]] = {}
    for row, check in _checked(rows):
        key = (check.method or f"{SAMPLED} alone", check.validity.value)
        groups.setdefault(key, []).append((row, check))
    for (method, validity), own in sorted(groups.items()):
        by_formula = _errors([(row, check.analysis_ms) for row, check in own])
        by_run = _errors([(row, check.sampled_ms) for row, check in own])
        agree = sum(check.agrees is True for _, check in own)
        said = f"{agree} of {len(own)}" if by_formula else ""
        topic = formula_of(method).name if by_formula else ""
        yield method, topic, validity, str(len(own)), _spread(by_formula), _spread(by_run), said


def _errors(pairs: Sequence[tuple[Compared, float | None]]) -> list[float]:
    return [abs(ms / row.truth.mean_ms - 1) for row, ms in pairs if ms is not None]


def _spread(errors: Sequence[float]) -> str:
    if not errors:
        return ""
    ends = (median(errors), quantile(errors, 0.9), max(errors))
    return " / ".join(f"{100 * error:.1f}" for error in ends) + " %"


def _defects(rows: Sequence[Compared]) -> Iterator[str]:
    for row, check in _checked(rows):
        if check.agrees is False and check.analysis_ms is not None:
            yield (
                f"{row.name}: {check.analysis_ms:.4g} ms by {check.method} ({check.validity}), "
                f"sampled {check.sampled_ms:.4g} ± {check.error_ms:.2g}, true "
                f"{row.truth.mean_ms:.4g}"
            )
