"""Solutions of interfaces of the model, each solved once."""

from collections.abc import Sequence
from typing import Final

from advisor.predict.classes.kept import Kept
from advisor.theory.interface import Interface, Solution

_MOST: Final = 2048  # some 2 MB


def _solved(interfaces: Sequence[Interface]) -> Sequence[Solution]:
    from advisor.theory.solver import solve_all  # noqa: PLC0415 -- heavy: numerics

    return solve_all(interfaces)


_SOLUTIONS: Final = Kept(_solved, _MOST)


def solutions_of(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Solutions in the order of the interfaces; new ones are solved together.

    Raises
    ------
    ModelError
        If one of them cannot be solved.
    """
    return _SOLUTIONS.of(interfaces)
