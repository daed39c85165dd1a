"""Solutions of interfaces of the model, each solved once for lint, predict and proofs."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

from advisor.theory.interface import Interface, Solution

_MOST: Final = 2048  # solutions kept, some 2 MB


class _Solutions:
    """The last solutions that were asked for, by their interface."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Interface, Solution] = OrderedDict()

    def of(self, interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
        known = {interface: self._kept.get(interface) for interface in interfaces}
        missing = [interface for interface, solution in known.items() if solution is None]
        if missing:
            from advisor.theory.solver import solve_all  # noqa: PLC0415 -- heavy: numerics

            known.update(zip(missing, solve_all(missing), strict=True))
        for interface, solution in known.items():
            if solution is not None:
                self._kept[interface] = solution
                self._kept.move_to_end(interface)
        while len(self._kept) > _MOST:
            self._kept.popitem(last=False)
        return tuple(
            solution for interface in interfaces if (solution := known[interface]) is not None
        )


_SOLUTIONS: Final = _Solutions()


def solutions_of(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Solutions in the order of the interfaces; new ones are solved together.

    Raises
    ------
    ModelError
        If one of them cannot be solved.
    """
    return _SOLUTIONS.of(interfaces)
