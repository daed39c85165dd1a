"""Many devices at once: processes of this machine or a Dask cluster, behind one executor.

Jobs travel in chunks and results come back in the order of the jobs. A worker that dies takes
nothing with it: its jobs are done again one by one, each in a worker of its own.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from contextlib import contextmanager
from importlib import import_module, metadata
from itertools import chain, islice
from threading import Thread
from typing import Any, Final, Self

from msgspec import Struct

from advisor.device.sources import Job, Result, Task
from advisor.ground.assets import install_line
from advisor.theory.kernel.threads import cores

_CHUNK_JOBS: Final = 16
_CHUNK_BYTES: Final = 1_000_000  # a large file travels alone
_CHUNKS_A_WORKER: Final = 2  # one is worked on, one waits
_NO_START: Final = (OSError, ImportError, NotImplementedError)  # no processes on this system
_TRIES: Final = 5  # of work whose result is lost with a worker that others kill
_CONNECT_S: Final = 10
KILLED: Final = "ended two worker processes"


class ClusterError(Exception):
    """There is no cluster to work on; the message says why."""


class Backend(Struct, frozen=True):
    """Starts and stops an executor; lists the errors that show that a worker died.

    `dying` are errors of work whose worker died, `losing` those of work whose result was lost with
    another worker, `leaving` those of an executor that is no more. `has_left` asks for that,
    `abandon` ends all work at once where a run does not come to its end, `end` is called last.
    """

    start: Callable[[int], Executor]
    stop: Callable[[Executor], None]
    workers: int
    dying: tuple[type[BaseException], ...]
    losing: tuple[type[BaseException], ...] = ()
    leaving: tuple[type[BaseException], ...] = ()
    has_left: Callable[[], bool] = lambda: False
    abandon: Callable[[], None] = lambda: None
    end: Callable[[], None] | None = None


class WorkerPool:
    """Runs tasks with many jobs on an executor; a `TaskRunner` to close at the end of the run.

    Up to `few` jobs run in this process: other processes would take longer to start.
    """

    def __init__(self, backend: Backend, tell: Callable[[str], None], few: int = 0) -> None:
        self._backend, self._tell, self._few = backend, tell, few
        self._executor: Executor | None = None
        self._alone: Executor | None = None
        self._is_left = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self._backend.abandon()
        for executor in (self._executor, self._alone):
            if executor is not None:
                self._backend.stop(executor)
        if self._backend.end is not None:
            self._backend.end()

    def __call__(self, task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Yield a result for each job, in their order; few jobs are ahead of what is yielded."""
        coming = iter(jobs)
        first = list(islice(coming, self._few))
        if len(first) < self._few or self._is_left:
            yield from map(task, chain(first, coming))
            return
        waiting: deque[_Sent[Job, Result]] = deque()
        for chunk in _chunks(chain(first, coming)):
            waiting.append((chunk, None, None) if self._is_left else self._sent(task, chunk))
            if len(waiting) > self._backend.workers * _CHUNKS_A_WORKER:
                yield from self._results(task, waiting.popleft())
        while waiting:
            yield from self._results(task, waiting.popleft())

    def _sent(self, task: Task[Job, Result], chunk: Sequence[Job]) -> "_Sent[Job, Result]":
        try:
            self._executor = self._executor or self._backend.start(self._backend.workers)
            with _interrupts_waiting():  # it may start a process
                return chunk, self._executor.submit(_done, task, chunk), self._executor
        except self._backend.dying:
            self._drop(self._executor)
        except _NO_START:
            self._leave()
        return chunk, None, None

    def _results(self, task: Task[Job, Result], sent: "_Sent[Job, Result]") -> Iterable[Result]:
        chunk, future, executor = sent
        try:
            if future is not None:
                return future.result()
        except (*self._backend.dying, *self._backend.losing):
            if self._backend.has_left():
                self._leave()
            self._drop(executor)
        except self._backend.leaving:
            self._leave()
        return (self._done_alone(task, job) for job in chunk)

    def _drop(self, executor: Executor | None) -> None:
        """Leave an executor whose workers died; what they had not done is said once."""
        if executor is not None and executor is self._executor:
            self._tell("a worker process died: what it was judging is judged again")
            self._backend.stop(executor)
            self._executor = None

    def _leave(self) -> None:
        if not self._is_left:
            self._tell("there are no workers: the rest is judged in this process")
            self._is_left = True

    def _done_alone(self, task: Task[Job, Result], job: Job) -> Result:
        """Do a job that was with a worker that died, in a worker that has nothing else to do."""
        for _ in range(_TRIES):
            if self._is_left:
                return task(job)
            self._alone = self._alone or self._backend.start(1)
            try:
                with _interrupts_waiting():  # it may start a process
                    future = self._alone.submit(_done, task, (job,))
                return future.result()[0]
            except self._backend.dying:
                self._backend.stop(self._alone)
                self._alone = None
                break
            except (*self._backend.losing, *self._backend.leaving) as error:
                if isinstance(error, self._backend.leaving) or self._backend.has_left():
                    self._leave()
        return task.lost(job, KILLED)


_Sent = tuple[Sequence[Job], Future[list[Result]] | None, Executor | None]


def _done(task: Task[Job, Result], jobs: Sequence[Job]) -> list[Result]:
    return [task(job) for job in jobs]


def _chunks(jobs: Iterable[Job]) -> Iterator[list[Job]]:
    chunk: list[Job] = []
    size_bytes = 0
    for job in jobs:
        chunk.append(job)
        size_bytes += job.size_bytes
        if len(chunk) >= _CHUNK_JOBS or size_bytes >= _CHUNK_BYTES:
            yield chunk
            chunk, size_bytes = [], 0
    if chunk:
        yield chunk


def count_of(workers: int | None) -> int:
    """Processes to start: those that the user states, or one for each core."""
    return workers or cores()


def processes(workers: int) -> Backend:
    """Processes of this machine; each starts afresh and shares no lock with this one."""
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415 -- one file does without
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    os.environ["PYTHONSAFEPATH"] = "1"  # they import nothing of the folder they start in
    context = get_context("spawn")
    pools: list[Executor] = []

    def start(count: int) -> Executor:
        pool = ProcessPoolExecutor(count, mp_context=context, initializer=_settle_in)
        pools.append(pool)
        with _interrupts_waiting():
            for _ in range(count):
                pool.submit(os.getpid)  # starts one
        return pool

    def stop(executor: Executor) -> None:
        executor.shutdown(wait=False, cancel_futures=True)

    def abandon() -> None:
        for worker in active_children():
            worker.terminate()
        # At its exit Python writes to the pipe of the thread of a pool, which closes it when its
        # processes have died: the thread comes to its end before.
        for pool in pools:
            pool.shutdown(cancel_futures=True)

    return Backend(start, stop, workers, (BrokenExecutor,), abandon=abandon)


@contextmanager
def _interrupts_waiting() -> Iterator[None]:
    """Let Ctrl-C wait while processes start: one that starts with it blocked never sees it."""
    if not hasattr(signal, "pthread_sigmask"):  # not on every system
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _settle_in() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, however it ends."""
    from multiprocessing import parent_process  # noqa: PLC0415

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            os._exit(1)

        Thread(target=follow, daemon=True).start()


def cluster(address: str) -> Backend:
    """Return workers of a Dask cluster, by the address of its scheduler.

    Raises
    ------
    ClusterError
        If Dask is not installed, the scheduler cannot be reached, it has no worker, or a worker
        has another version of advisor or none.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise ClusterError(f"needs Dask: {install_line('dask')}") from None
    try:
        client = distributed.Client(address, timeout=_CONNECT_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise ClusterError(f"cannot be reached ({type(error).__name__})") from None
    try:
        versions = set(client.run(version).values())
    except ImportError:
        versions = {"none"}
    workers = sum(client.nthreads().values())
    if not workers or versions != {version()}:
        client.close()
        installed = ", ".join(sorted(versions))
        why = (
            f"its workers have advisor {installed}, not {version()}" if workers else "has no worker"
        )
        raise ClusterError(why)
    return Backend(
        lambda _: client.get_executor(pure=False),
        lambda _: None,  # what others of its workers do goes on
        workers,
        (distributed.scheduler.KilledWorker,),
        # Dask answers a result that is lost while it is fetched with a ValueError of its own.
        losing=(CancelledError, ValueError),
        leaving=(distributed.comm.CommClosedError,),
        has_left=lambda: client.status != "running",
        end=client.close,
    )


def version() -> str:
    """Version of advisor that is installed where this runs."""
    try:
        return metadata.version("ios-advisor")
    except metadata.PackageNotFoundError:
        return "none"
