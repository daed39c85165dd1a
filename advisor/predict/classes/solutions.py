"""Solutions of interfaces of the model: those that are alike are solved once, whatever their names.

What a solution depends on is the interface with its classes numbered in their order.
"""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from advisor.questions import Together
from advisor.theory.interface import Interface, ModelError, Solution

_MOST: Final = 2048  # some 2 MB


def _solved(interfaces: Sequence[Interface]) -> Sequence[Solution]:
    from advisor.theory.solver import solve_all  # noqa: PLC0415 -- heavy: numerics

    return solve_all(interfaces)


_SOLUTIONS: Final = Together(_solved, _MOST)


def solutions_of(interfaces: Sequence[Interface]) -> tuple[Solution, ...]:
    """Solutions in the order of the interfaces; new ones are solved together.

    Raises
    ------
    ModelError
        If one of them cannot be solved.
    """
    try:
        answers = _SOLUTIONS.of([_numbered(interface) for interface in interfaces])
    except ModelError:
        return tuple(_solved(interfaces))  # the error names the class
    return tuple(map(_named, interfaces, answers))


def _numbered(interface: Interface) -> Interface:
    """The interface with numbers for the names of its classes: no figure depends on a name."""
    names = (
        *(queue.name for queue in interface.queues),
        *(traffic.queue for traffic in interface.traffic),
        *(traffic.name for traffic in interface.traffic),
    )
    numbers = {name: str(number) for number, name in enumerate(dict.fromkeys(names))}
    return replace(
        interface,
        queues=tuple(replace(queue, name=numbers[queue.name]) for queue in interface.queues),
        traffic=tuple(
            replace(traffic, name=numbers[traffic.name], queue=numbers[traffic.queue])
            for traffic in interface.traffic
        ),
    )


def _named(interface: Interface, solution: Solution) -> Solution:
    pairs = zip(interface.traffic, solution.classes, strict=True)
    return Solution(tuple(replace(result, name=traffic.name) for traffic, result in pairs))
