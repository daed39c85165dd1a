"""What a run gives: counts, faults by their cause, and the inputs that took longest."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from tests.fuzz.oracles import Fault
from tests.fuzz.worker import Answer, Task

_SLOWEST: Final = 5


class Cause(Struct):
    """Faults of one kind and place."""

    first: Fault
    task: Task
    count: int = 0
    targets: Counter[str] = field(default_factory=Counter)


class Tally(Struct):
    """What is counted while a run goes."""

    inputs: int = 0
    skipped: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    targets: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    causes: dict[tuple[str, str], Cause] = field(default_factory=dict)
    slowest: list[tuple[float, int, str]] = field(default_factory=list)

    def add(self, task: Task, answer: Answer) -> None:
        """Count what became of a task."""
        outcome = answer.outcome
        if outcome is None:
            self.skipped += 1
            return
        self.inputs += 1
        self.kinds[outcome.kind] += 1
        self.targets.update(outcome.targets)
        self.codes.update(outcome.codes)
        self.slowest.append((outcome.took_s, outcome.index, outcome.kind))
        self.slowest = sorted(self.slowest, reverse=True)[:_SLOWEST]
        for fault in outcome.faults:
            cause = self.causes.setdefault((fault.kind, fault.place), Cause(fault, task))
            cause.count += 1
            cause.targets[fault.target] += 1

    def first_tasks(self) -> list[Task]:
        """The first task of each cause, to be shrunk."""
        return [replace(cause.task, group=group) for group, cause in self.causes.items()]

    def lines(self, seed: int, took_s: float) -> Iterator[str]:
        """The table at the end of a run."""
        rate = self.inputs / took_s if took_s else 0.0
        yield f"{self.inputs} inputs in {took_s:.0f} s ({rate:.1f}/s), seed {seed}"
        if self.skipped:
            yield f"{self.skipped} skipped: they mutate ../shared/corpus, which is not there"
        yield f"kinds       {_listed(self.kinds)}"
        yield f"targets     {self.targets.total()} runs: {_listed(self.targets)}"
        yield f"exit codes  {', '.join(f'{code}: {n}' for code, n in sorted(self.codes.items()))}"
        yield "slowest     " + ", ".join(
            f"{seed}:{index} {kind} {took:.2f} s" for took, index, kind in self.slowest
        )
        yield f"faults      {len(self.causes)} causes"
        for cause in sorted(self.causes.values(), key=lambda cause: -cause.count):
            yield ""
            yield f"  {cause.count} x {cause.first.kind}, {cause.first.place}"
            yield f"    --replay {seed}:{cause.task.index}; seen by {_listed(cause.targets)}"
            yield from (f"    | {line}" for line in cause.first.detail.splitlines())


def _listed(counter: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counter.most_common())
