"""Steps of a rollback as the lines of a snippet."""

from collections.abc import Iterable
from enum import IntEnum

from msgspec import Struct


class Phase(IntEnum):
    """When a step is taken: what it needs comes before it, what needs its object after."""

    DETACH = 0
    STRIP = 1
    CLASS_MAPS = 2
    POLICY_MAPS = 3
    SETTINGS = 4
    ATTACH_NESTED = 5
    ATTACH = 6
    DELETE = 7


class Step(Struct, frozen=True):
    """A command under the heads of the sections it is given in; None only enters them."""

    phase: Phase
    path: tuple[str, ...]
    command: str | None


def snippet(steps: Iterable[Step]) -> tuple[str, ...]:
    """Write steps as indented lines, by phase, entering each section when it is needed."""
    lines: list[str] = []
    entered: tuple[str, ...] = ()
    for step in sorted(steps, key=lambda step: step.phase):
        shared = _shared(entered, step.path)
        if shared == len(step.path) < len(entered):
            shared = 0  # going out of a mode has no words of its own: enter from the top
        lines += [" " * at + head for at, head in enumerate(step.path) if at >= shared]
        entered = step.path
        if step.command is not None:
            first, *body = step.command.splitlines()  # a banner has a body
            lines += [" " * len(step.path) + first, *body]
    return tuple(lines)


def _shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    depth = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        depth += 1
    return depth
