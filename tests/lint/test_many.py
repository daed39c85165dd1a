"""Many jobs on processes or a cluster: in order, nothing lost, nothing doubled, whatever dies."""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from advisor.device.inputs import Inputs
from advisor.ground.faults import Guard
from advisor.lint.cards import load_rules
from advisor.lint.findings import Verdict
from advisor.lint.many import KILLED, Backend, ClusterError, WorkerPool, cluster, processes
from advisor.lint.plan import RemedySelection, plan_run
from advisor.lint.run import review
from advisor.settings import Settings
from tests.support.runs import FIXTURES, branches

RULES = load_rules(Settings().budgets)
MANY = 60
COMPOSED = str(FIXTURES / "configs/composed")
pytestmark = pytest.mark.slow


class Number(Struct, frozen=True):
    """A job; `kills` is how often it ends its process, counted by a file for each time."""

    value: int
    kills: int = 0
    size_bytes: int = 1000


class Doubling(Struct, frozen=True):
    folder: str

    def __call__(self, job: Number) -> tuple[int, int]:
        times = len(list(Path(self.folder).glob(f"{job.value}-*")))
        if times < job.kills:
            Path(self.folder, f"{job.value}-{times}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return 2 * job.value, os.getpid()

    def lost(self, job: Number, fault: str) -> tuple[int, int]:
        assert fault == KILLED
        return -job.value, 0


def numbers(kills: dict[int, int] | None = None) -> Iterator[Number]:
    return (Number(value, (kills or {}).get(value, 0)) for value in range(1, 101))


def doubled(
    folder: Path, kills: dict[int, int] | None = None, few: int = 0
) -> tuple[list[int], set[int], list[str]]:
    said: list[str] = []
    with WorkerPool(processes(2), said.append, few) as run:
        results = list(run(Doubling(str(folder)), numbers(kills)))
    return [value for value, _ in results], {process for _, process in results}, said


def test_results_come_in_the_order_of_the_jobs(tmp_path: Path) -> None:
    values, processes_used, said = doubled(tmp_path)

    assert values == [2 * number.value for number in numbers()]
    assert os.getpid() not in processes_used
    assert not said


@pytest.mark.parametrize(
    "few",
    [pytest.param(101, id="fewer jobs than that"), pytest.param(1000, id="far fewer")],
)
def test_few_jobs_are_done_in_this_process(few: int, tmp_path: Path) -> None:
    values, processes_used, _ = doubled(tmp_path, few=few)

    assert len(values) == 100
    assert processes_used == {os.getpid()}


def test_a_worker_that_dies_is_said_and_its_jobs_are_done_again(tmp_path: Path) -> None:
    values, _, said = doubled(tmp_path, kills={40: 1})

    assert values == [2 * number.value for number in numbers()]
    assert said == ["a worker process died: what it was judging is judged again"]


def test_a_job_that_kills_is_tried_twice_and_lost_alone(tmp_path: Path) -> None:
    values, _, _ = doubled(tmp_path, kills={40: 99, 77: 99})

    assert [value for value in values if value < 0] == [-40, -77]
    assert [abs(value) for value in values] == [
        number.value * (1 if number.value in {40, 77} else 2) for number in numbers()
    ]
    assert len(list(tmp_path.glob("40-*"))) == 2


def test_a_run_that_is_broken_off_leaves_no_thread_to_the_end_of_python() -> None:
    before = threading.enumerate()
    backend = processes(1)
    executor = backend.start(1)
    started = [each for each in threading.enumerate() if each not in before]

    backend.abandon()

    assert started
    assert [each for each in started if each.is_alive()] == []
    backend.stop(executor)


class Ahead(Executor):
    """An executor that does at once what it is given, and counts the most that nobody took."""

    def __init__(self, fails_after: int | None = None) -> None:
        self.fails_after = fails_after
        self.given = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.given += 1
        if self.fails_after is not None and self.given > self.fails_after:
            future.set_exception(CancelledError())
        else:
            future.set_result(fn(*args))
        return future


def backend_of(executor: Executor) -> Backend:
    return Backend(lambda _: executor, lambda _: None, 2, (KeyError,), leaving=(CancelledError,))


def test_few_jobs_are_ahead_of_the_results(tmp_path: Path) -> None:
    drawn: list[int] = []

    def drawing() -> Iterator[Number]:
        for number in numbers():
            drawn.append(number.value)
            yield number

    results = WorkerPool(backend_of(Ahead()), print)(Doubling(str(tmp_path)), drawing())
    next(iter(results))

    assert len(drawn) < 100


def test_a_large_job_travels_alone(tmp_path: Path) -> None:
    executor = Ahead()
    large = [Number(value, size_bytes=10_000_000) for value in range(5)]

    list(WorkerPool(backend_of(executor), print)(Doubling(str(tmp_path)), large))

    assert executor.given == 5


def test_where_all_workers_are_gone_the_rest_is_done_here(tmp_path: Path) -> None:
    said: list[str] = []

    results = WorkerPool(backend_of(Ahead(2)), said.append)(Doubling(str(tmp_path)), numbers())

    assert [value for value, _ in results] == [2 * number.value for number in numbers()]
    assert said == ["there are no workers: the rest is judged in this process"]


def test_where_no_process_can_be_started_all_is_done_here(tmp_path: Path) -> None:
    def start(_: int) -> Executor:
        raise OSError

    said: list[str] = []
    backend = Backend(start, lambda _: None, 2, (KeyError,))

    results = WorkerPool(backend, said.append)(Doubling(str(tmp_path)), numbers())

    assert [value for value, _ in results] == [2 * number.value for number in numbers()]
    assert said == ["there are no workers: the rest is judged in this process"]


def test_processes_give_the_verdict_that_one_gives() -> None:
    inputs = Inputs([COMPOSED, str(FIXTURES / "bundles"), str(FIXTURES / "dlsw")])
    with WorkerPool(processes(2), pytest.fail) as run:
        there = review(inputs, RULES, Settings(), Guard(), run=run)

    assert there == review(inputs, RULES, Settings())


def test_processes_plan_the_remedies_that_one_plans() -> None:
    selection = RemedySelection(tuple(rule.card.id for rule in RULES))
    with WorkerPool(processes(2), pytest.fail) as run:
        there = plan_run(Inputs([COMPOSED]), RULES, Settings(), selection, Guard(), run=run)

    assert there == plan_run(Inputs([COMPOSED]), RULES, Settings(), selection)


def peers_of_several(verdict: Verdict) -> int:
    return sum(finding.rule == "DLS010" or "peer" in finding.name for finding in verdict.findings)


@pytest.fixture(scope="module")
def of_branches() -> Verdict:
    """The verdict of this process."""
    return review(branches(MANY), RULES, Settings())


def test_a_run_whose_worker_is_killed_in_the_middle_has_the_same_verdict(
    of_branches: Verdict,
) -> None:
    guard = Guard()
    said: list[str] = []

    def kill_one(done: int, _: int) -> None:
        if done == MANY // 4:
            os.kill(active_children()[0].pid or 0, signal.SIGKILL)

    with WorkerPool(processes(2), said.append) as run:
        there = review(branches(MANY), RULES, Settings(), guard, run=run, on_progress=kill_one)

    assert there == of_branches
    assert peers_of_several(of_branches)
    assert not guard.faults
    assert len(said) == 1


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)

    with pytest.raises(ClusterError, match=r"needs Dask: pip install .*\[dask\]"):
        cluster("tcp://127.0.0.1:1")


@pytest.fixture(scope="module")
def dask() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="the extra `dask` is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as local:
        yield local


@pytest.mark.filterwarnings("default")  # of Dask, not of ours
def test_a_cluster_whose_worker_is_killed_in_the_middle_gives_the_same_verdict(
    dask: Any, of_branches: Verdict
) -> None:
    guard, killed = Guard(), []

    def kill_one(done: int, _: int) -> None:
        if done == MANY // 4:
            worker = next(iter(dask.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    with WorkerPool(cluster(dask.scheduler_address), pytest.fail) as run:
        there = review(branches(MANY), RULES, Settings(), guard, run=run, on_progress=kill_one)

    assert killed
    assert not guard.faults
    assert there == of_branches


@pytest.mark.filterwarnings("default")
def test_on_a_cluster_a_job_that_kills_is_lost_alone(dask: Any, tmp_path: Path) -> None:
    with WorkerPool(cluster(dask.scheduler_address), print) as run:
        results = list(run(Doubling(str(tmp_path)), numbers({40: 99})))

    assert [value for value, _ in results if value < 0] == [-40]
    assert len(results) == 100
