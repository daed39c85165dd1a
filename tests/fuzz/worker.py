"""A process that runs cases: one line of JSON asks for one, one line answers."""

import os
import resource
import sys
from typing import Final

import msgspec

from tests.fuzz.case import Case, make_case
from tests.fuzz.execution import Bench, Outcome
from tests.fuzz.shrink import shrunk

MEMORY_BYTES: Final = 4 * 1024**3


class Task(msgspec.Struct, frozen=True):
    """A case to run, by its seed and index; or to shrink while it shows a fault of a group."""

    seed: int
    index: int
    group: tuple[str, str] | None = None


class Answer(msgspec.Struct, frozen=True):
    """What a task gave; both are None where the case needs a corpus that is not there."""

    outcome: Outcome | None = None
    case: Case | None = None


def main() -> None:
    """Answer tasks until there are no more."""
    # A copy is kept for the answers: what a command prints on descriptor 1 must not be among them.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bench = Bench()
    try:
        for line in sys.stdin.buffer:
            answer = _answered(bench, msgspec.json.decode(line, type=Task))
            answers.write(msgspec.json.encode(answer) + b"\n")
            answers.flush()
    finally:
        bench.remove()


def _answered(bench: Bench, task: Task) -> Answer:
    case = make_case(task.seed, task.index)
    if case is None:
        return Answer()
    if task.group is not None:
        return Answer(case=shrunk(case, task.group, bench.run))
    return Answer(outcome=bench.run(case))


if __name__ == "__main__":
    main()
