"""Where devices are judged: in this process, in several, or on a cluster."""

# ruff: noqa: PLC0415 -- a run over one file starts none of it
import os
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from glob import has_magic
from typing import Final

from msgspec import Struct

from advisor.cli.errors import say
from advisor.cli.wrong_use import WrongUseError
from advisor.device.jobs import Run, here
from advisor.report.printable import printable

_FEW: Final = 100  # devices that are judged in the time that processes take to start


class Execution(Struct, frozen=True):
    """Workers and scheduler that the command line states; by default neither."""

    workers: int | None = None
    scheduler: str | None = None


def crew_of(execution: Execution, paths: Sequence[str]) -> AbstractContextManager[Run]:
    """The processes that judge the devices of paths; the caller closes them at the end.

    If the user states neither, that is one process for files, and one for each core for a folder
    that holds more than a few devices.

    Raises
    ------
    WrongUseError
        If the cluster cannot be used, or the number of workers is stated beside it.
    """
    if execution.scheduler is not None:
        return _cluster(execution.scheduler, execution.workers)
    if execution.workers == 1 or (execution.workers is None and not _may_be_many(paths)):
        return nullcontext(here)
    from advisor.lint.many import Crew, count_of, processes

    workers = count_of(execution.workers)
    fewest = _FEW if execution.workers is None else 0
    return nullcontext(here) if workers == 1 else Crew(processes(workers), say, fewest)


def _may_be_many(paths: Sequence[str]) -> bool:
    # as the user typed it: a name may be of any bytes
    return len(paths) > _FEW or any(os.path.isdir(path) or has_magic(path) for path in paths)  # noqa: PTH112


def _cluster(address: str, workers: int | None) -> AbstractContextManager[Run]:
    from advisor.lint.many import Crew, CrewError, cluster

    if workers is not None:
        raise WrongUseError("--workers: the cluster of --scheduler has its own; leave out one")
    try:
        return Crew(cluster(address), say)
    except CrewError as error:
        raise WrongUseError(printable(f"--scheduler {address}: {error}")) from None
