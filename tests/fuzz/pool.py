"""Worker processes: a hang or a crash costs one of them, is told, and the run goes on."""

import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Final

import msgspec

from tests.fuzz.execution import Outcome
from tests.fuzz.material import ROOT
from tests.fuzz.oracles import Fault
from tests.fuzz.worker import Answer, Task

WALL_S: Final = 120.0  # a case whose targets each keep to their CPU takes less
_TICK_S: Final = 1.0


class Worker:
    """A worker process with the task that it is at."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
        )
        self.task: Task | None = None
        self.since_s = 0.0

    def give(self, task: Task) -> None:
        """Start a task."""
        self.task, self.since_s = task, time.monotonic()
        assert self.process.stdin is not None
        self.process.stdin.write(msgspec.json.encode(task) + b"\n")
        self.process.stdin.flush()

    def answer(self) -> Answer | None:
        """Wait for the answer; None where the process died."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return msgspec.json.decode(line, type=Answer) if line else None

    def stop(self, *, at_once: bool = False) -> int:
        """End the process and return its exit status."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if at_once:
            self.process.kill()
        self.process.stdin.close()
        status = self.process.wait()
        self.process.stdout.close()
        return status


def outcomes(tasks: Iterator[Task], jobs: int, wall_s: float = WALL_S) -> Iterator[tuple[Task, Answer]]:
    """Answers in the order in which they come."""
    selector = selectors.DefaultSelector()
    workers: set[Worker] = set()

    def start() -> None:
        task = next(tasks, None)
        if task is not None:
            worker = Worker()
            workers.add(worker)
            selector.register(_output(worker), selectors.EVENT_READ, worker)
            worker.give(task)

    def drop(worker: Worker, *, at_once: bool) -> int:
        workers.discard(worker)
        selector.unregister(_output(worker))
        return worker.stop(at_once=at_once)

    try:
        for _ in range(jobs):
            start()
        while workers:
            for key, _ in selector.select(_TICK_S):
                worker: Worker = key.data
                task, answer = worker.task, worker.answer()
                assert task is not None
                if answer is None:
                    status = drop(worker, at_once=False)
                    yield task, _lost(task, "worker died", f"status {status}")
                    start()
                    continue
                following = next(tasks, None)
                if following is None:
                    drop(worker, at_once=False)
                else:
                    worker.give(following)
                yield task, answer
            for worker in [each for each in workers if time.monotonic() - each.since_s > wall_s]:
                task = worker.task
                assert task is not None
                drop(worker, at_once=True)
                yield task, _lost(task, "hang", f"over {wall_s:g} s")
                start()
    finally:
        for worker in tuple(workers):
            drop(worker, at_once=True)


def _output(worker: Worker) -> int:
    assert worker.process.stdout is not None
    return worker.process.stdout.fileno()


def _lost(task: Task, kind: str, place: str) -> Answer:
    fault = Fault("case", kind, place, "")
    return Answer(Outcome(task.index, "lost", (fault,), (), (), 0.0))
