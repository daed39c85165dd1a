"""A formula of the model for the terminal."""

from advisor.model.formulas import FORMULAS, Formula
from advisor.report.style import Style

_ALL = "formulas"


def explained(name: str, style: Style) -> str | None:
    """The formula of that name, or a line for each of all; None where no formula is meant."""
    if name.lower() == _ALL:
        return "".join(f"{each.name:<16}  {each.title}\n" for each in FORMULAS.values())
    found = FORMULAS.get(name.lower())
    return None if found is None else render(found, style)


def render(of: Formula, style: Style) -> str:
    """The formula, its symbols, its source and an example with numbers put in."""
    lines = [style.bold(f"{of.name}: {of.title}"), "", f"    {of.formula}", ""]
    lines += (f"  {each}" for each in of.symbols)
    lines += [f"  example  {of.example()}", f"  source   {of.source}"]
    return "\n".join(lines) + "\n"
