"""Worker processes: a hang or a crash costs one of them, is told, and the run goes on."""

import os
import selectors
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
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

    def __init__(self, task: Task) -> None:
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
        environment |= {"OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self.output = self._process.stdin, self._process.stdout
        self.give(task)

    def give(self, task: Task) -> None:
        """Start a task; of a process that has died, `answer` tells."""
        self.task, self.since_s = task, time.monotonic()
        with suppress(BrokenPipeError):
            self._to.write(msgspec.json.encode(task) + b"\n")
            self._to.flush()

    def answer(self) -> Answer | None:
        """Wait for the answer; None where the process died."""
        line = self.output.readline()
        return msgspec.json.decode(line, type=Answer) if line else None

    def stop(self, *, at_once: bool = False) -> int:
        """End the process and return its exit status."""
        if at_once:
            self._process.kill()
        with suppress(BrokenPipeError):
            self._to.close()
        status = self._process.wait()
        self.output.close()
        return status


class Pool:
    """Gives tasks to workers, and replaces those that are lost."""

    def __init__(self, tasks: Iterable[Task], jobs: int, wall_s: float = WALL_S) -> None:
        self._tasks = iter(tasks)
        self._wall_s = wall_s
        self._workers: set[Worker] = set()
        self._selector = selectors.DefaultSelector()
        self._jobs = jobs

    def answers(self) -> Iterator[tuple[Task, Answer]]:
        """Answers in the order in which they come."""
        try:
            for _ in range(self._jobs):
                self._start()
            while self._workers:
                for key, _ in self._selector.select(_TICK_S):
                    yield self._received(key.data)
                for worker in self._hanging():
                    self._drop(worker, at_once=True)
                    self._start()
                    yield worker.task, _lost(worker.task, "hang", f"over {self._wall_s:g} s")
        finally:
            for worker in tuple(self._workers):
                self._drop(worker, at_once=True)

    def _received(self, worker: Worker) -> tuple[Task, Answer]:
        task, answer = worker.task, worker.answer()
        if answer is None:
            status = self._drop(worker, at_once=False)
            self._start()
            return task, _lost(task, "worker died", f"status {status}")
        following = next(self._tasks, None)
        if following is None:
            self._drop(worker, at_once=False)
        else:
            worker.give(following)
        return task, answer

    def _hanging(self) -> list[Worker]:
        now_s = time.monotonic()
        return [worker for worker in self._workers if now_s - worker.since_s > self._wall_s]

    def _start(self) -> None:
        task = next(self._tasks, None)
        if task is not None:
            worker = Worker(task)
            self._workers.add(worker)
            self._selector.register(worker.output, selectors.EVENT_READ, worker)

    def _drop(self, worker: Worker, *, at_once: bool) -> int:
        self._workers.discard(worker)
        self._selector.unregister(worker.output)
        return worker.stop(at_once=at_once)


def _lost(task: Task, kind: str, place: str) -> Answer:
    fault = Fault("case", kind, place, "")
    return Answer(Outcome(task.index, "lost", (fault,), (), (), 0.0))
