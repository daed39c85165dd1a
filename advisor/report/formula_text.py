"""A formula of the model for the terminal."""

from collections.abc import Sequence

from advisor.predict.what_if.more_formulas import ALL_FORMULAS
from advisor.report.printable import printable
from advisor.report.terminal import Style, fitted
from advisor.theory.formulas import Formula

_ALL = "formulas"


def explained(name: str, style: Style, cases: Sequence[str] | None = None) -> str | None:
    """The formula of that name, or a line for each formula; None if the name is no formula.

    `cases` are lines with the numbers of a config, in place of the example.
    """
    if name.lower() == _ALL:
        names = (f"{formula.name:<16}  {formula.title}" for formula in ALL_FORMULAS.values())
        return fitted(names, style.width)
    formula = ALL_FORMULAS.get(name.lower())
    return None if formula is None else render(formula, style, cases)


def render(formula: Formula, style: Style, cases: Sequence[str] | None = None) -> str:
    """The formula, its symbols, its source, and numbers: those of `cases`, else of an example."""
    lines = [style.bold(f"{formula.name}: {formula.title}"), "", f"    {formula.formula}", ""]
    lines += (f"  {symbol}" for symbol in formula.symbols)
    if cases is None:
        lines.append(f"  example  {formula.example()}")
    else:
        lines += (f"  here     {printable(case)}" for case in cases)
    lines.append(f"  source   {formula.source}")
    return fitted(lines, style.width)
