"""An error that IOS printed inside a capture: a command was refused or cut short."""

from collections.abc import Iterator

from msgspec import Struct

from advisor.device.device import Device
from advisor.ios.syntax.tree import Location, ProblemKind
from advisor.lint.checks.base import Check, Hit, NoParams, Skip
from advisor.lint.findings import Confidence


class Evidence(Struct, frozen=True):
    """How many errors IOS printed, and the first of them."""

    count: int
    first: str


def find(device: Device, params: NoParams) -> Iterator[Hit[Evidence] | Skip]:
    """Yield one hit with the lines of all errors that IOS printed."""
    del params
    tree = device.facts.tree
    rejected = [problem for problem in tree.problems if problem.kind is ProblemKind.REJECTED]
    if rejected:
        yield Hit(
            "configuration",
            tuple(Location(tree.file, problem.number) for problem in rejected),
            Evidence(len(rejected), rejected[0].detail),
            Confidence.CERTAIN,
        )


CHECK = Check(NoParams, Evidence, find)
