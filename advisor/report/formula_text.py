"""A formula of the model for the terminal."""

from collections.abc import Sequence

from advisor.report.printable import printable
from advisor.report.style import Style
from advisor.theory.formulas import FORMULAS, Formula

_ALL = "formulas"


def explained(name: str, style: Style, cases: Sequence[str] | None = None) -> str | None:
    """The formula of that name, or a line for each of all; None where no formula is meant.

    `cases` are lines of a config's own numbers, in place of the example.
    """
    if name.lower() == _ALL:
        return "".join(f"{each.name:<16}  {each.title}\n" for each in FORMULAS.values())
    found = FORMULAS.get(name.lower())
    return None if found is None else render(found, style, cases)


def render(of: Formula, style: Style, cases: Sequence[str] | None = None) -> str:
    """The formula, its symbols, its source and numbers put in: those given, else an example's."""
    lines = [style.bold(f"{of.name}: {of.title}"), "", f"    {of.formula}", ""]
    lines += (f"  {each}" for each in of.symbols)
    if cases is None:
        lines.append(f"  example  {of.example()}")
    else:
        lines += (f"  here     {printable(each)}" for each in cases)
    lines.append(f"  source   {of.source}")
    return "\n".join(lines) + "\n"
