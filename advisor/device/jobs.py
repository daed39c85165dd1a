"""Tasks over many inputs, and the process that does them: this one, others, a cluster."""

from collections.abc import Iterable, Iterator
from typing import Protocol, TypeVar

Job = TypeVar("Job", bound="Sized")
Result = TypeVar("Result")
_Job_contra = TypeVar("_Job_contra", contravariant=True)
_Result_co = TypeVar("_Result_co", covariant=True)


class Sized(Protocol):
    """A job that knows how much of an input it carries."""

    @property
    def size_bytes(self) -> int:
        """Size of the input."""
        ...


class Task(Protocol[_Job_contra, _Result_co]):
    """A task for many jobs, in this process or another. It pickles."""

    def __call__(self, job: _Job_contra, /) -> _Result_co:
        """Do one job."""
        ...

    def lost(self, job: _Job_contra, fault: str, /) -> _Result_co:
        """Result of a job that ends every process that does it; `fault` is the kind."""
        ...


class Run(Protocol):
    """Does a task with many jobs; the results come in the order of the jobs."""

    def __call__(self, task: Task[Job, Result], jobs: Iterable[Job], /) -> Iterator[Result]:
        """Yield a result for each job."""
        ...


def here(task: Task[Job, Result], jobs: Iterable[Job]) -> Iterator[Result]:
    """Do one job after the other in this process."""
    return (task(job) for job in jobs)
