"""Delay by formulas: where they hold they are the figure, elsewhere they explain one."""

from advisor.theory.analytic.answer import FIGURES, answer, figures, is_figure
from advisor.theory.analytic.result import Answer, Method, Outside, Result, Terms, Validity

__all__ = [
    "FIGURES",
    "Answer",
    "Method",
    "Outside",
    "Result",
    "Terms",
    "Validity",
    "answer",
    "figures",
    "is_figure",
]
