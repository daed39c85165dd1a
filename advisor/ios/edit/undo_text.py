"""Writes the steps of a rollback as the lines of a snippet."""

from collections.abc import Iterable
from enum import IntEnum

from msgspec import Struct


class Phase(IntEnum):
    """The order of steps: a step comes after its requirements and before its dependents."""

    LEAVE_BUNDLE = 0
    DETACH = 1
    STRIP = 2
    CLASS_MAPS = 3
    POLICY_MAPS = 4
    SETTINGS = 5
    ATTACH_NESTED = 6
    ATTACH = 7
    DELETE = 8


class Step(Struct, frozen=True):
    """A command and the heads of its sections; without a command, only enter them."""

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
            shared = 0  # no command goes back one mode: enter from the top
        lines += [" " * level + head for level, head in enumerate(step.path) if level >= shared]
        entered = step.path
        if step.command is not None:
            first, *body = step.command.splitlines()  # a banner has a body
            lines += [" " * len(step.path) + first, *body]
    return tuple(lines)


def _shared(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    depth = 0
    for head_a, head_b in zip(a, b, strict=False):
        if head_a != head_b:
            break
        depth += 1
    return depth
