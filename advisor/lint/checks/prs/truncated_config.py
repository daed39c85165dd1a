"""A configuration that was cut: the lost part is not judged."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location, Problem, ProblemKind
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence

_CUT = (ProblemKind.UNTERMINATED, ProblemKind.NO_END, ProblemKind.SHORT)


class Evidence(Struct, frozen=True):
    """The signs of the cut."""

    signs: str


def _sign(problem: Problem) -> str:
    if problem.kind is ProblemKind.UNTERMINATED:
        return f"`{problem.detail}` never ends"
    return problem.detail


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit if the text is cut inside a banner, has no `end`, or is far too short."""
    del params
    tree = device.facts.tree
    cut = [problem for problem in tree.problems if problem.kind in _CUT]
    if cut:
        yield Hit(
            "configuration",
            tuple(Location(tree.file, problem.number) for problem in cut),
            Evidence("; ".join(_sign(problem) for problem in cut)),
            Confidence.CERTAIN,
        )


CHECK = Check(NoParams, Evidence, find)
